/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_param.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define WORD_MAX 64

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;
    return m < c ? m : c;
}

/* Levenshtein distance, one row at a time; case counts as half a mistake would:
 * not at all, because units are the only names where it matters. */
static unsigned distance(const char *s, const char *t)
{
    size_t n = strlen(t);
    unsigned row[WORD_MAX + 1];
    for (size_t j = 0; j <= n; j++)
        row[j] = (unsigned)j;
    for (unsigned i = 1; *s; s++, i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            unsigned same = tolower((unsigned char)*s) == tolower((unsigned char)t[j - 1]);
            unsigned next = min3(row[j] + 1, row[j - 1] + 1, diagonal + !same);
            diagonal = row[j];
            row[j] = next;
        }
    }
    return row[n];
}

void hci_nearest_begin(struct hci_nearest *n, const char *word)
{
    *n = (struct hci_nearest){ .word = word };
    size_t len = strlen(word);
    /* Beyond half the word a suggestion only puzzles. */
    n->distance = len > WORD_MAX ? 0 : (unsigned)len / 2 + 1;
}

void hci_nearest_offer(struct hci_nearest *n, const char *name)
{
    if (n->distance == 0 || strlen(name) > WORD_MAX)
        return;
    unsigned d = distance(n->word, name);
    if (d < n->distance) {
        n->distance = d ? d : 1;
        n->best = name;
    }
}

char *hci_nearest_hint(const struct hci_nearest *n, char *buf, size_t size)
{
    if (n->best)
        snprintf(buf, size, ", did you mean %s?", n->best);
    else
        buf[0] = 0;
    return buf;
}
