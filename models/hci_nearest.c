/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* strcasestr */
#include "hci_param.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define WORD_MAX 64
#define PART_MIN 3 /* letters of a word that is looked for inside names */

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned m = a < b ? a : b;
    return m < c ? m : c;
}

static bool same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Edit distance in which a swap of neighbours is one step (optimal string
 * alignment); case does not count, because units are the only names where it
 * matters. Both words have at most WORD_MAX letters. */
static unsigned distance(const char *s, const char *t)
{
    size_t n = strlen(t), i = 1;
    unsigned d[3][WORD_MAX + 1] = { 0 };
    for (size_t j = 0; j <= n; j++)
        d[0][j] = (unsigned)j;
    for (; s[i - 1]; i++) {
        unsigned *row = d[i % 3], *up = d[(i + 2) % 3], *up2 = d[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            row[j] = min3(up[j] + 1, row[j - 1] + 1, up[j - 1] + !same(s[i - 1], t[j - 1]));
            if (i > 1 && j > 1 && same(s[i - 1], t[j - 2]) && same(s[i - 2], t[j - 1]))
                row[j] = min3(row[j], up2[j - 2] + 1, row[j]);
        }
    }
    return d[(i - 1) % 3][n];
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
    const char *part = strlen(n->word) >= PART_MIN ? strcasestr(name, n->word) : NULL;
    if (part == name && !n->begins)
        n->begins = name;
    if (part && !n->holds)
        n->holds = name;
}

const char *hci_nearest_name(const struct hci_nearest *n)
{
    return n->best ? n->best : n->begins ? n->begins : n->holds;
}

char *hci_nearest_hint(const struct hci_nearest *n, char *buf, size_t size)
{
    if (hci_nearest_name(n))
        snprintf(buf, size, ", did you mean %s?", hci_nearest_name(n));
    else
        buf[0] = 0;
    return buf;
}
