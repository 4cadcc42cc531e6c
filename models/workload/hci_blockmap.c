/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/hci_blockmap.h"

#include <stdlib.h>
#include <string.h>

/* What lies behind the end counts as taken. */
static void close_ends(struct hci_blockmap *m)
{
    uint64_t bits = m->n;
    for (unsigned l = 0; l < m->levels; l++) {
        if (bits & 63)
            m->level[l][m->words[l] - 1] = UINT64_MAX << (bits & 63);
        bits = m->words[l];
    }
}

struct hci_blockmap *hci_blockmap_create(uint64_t n)
{
    struct hci_blockmap *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->n = n;
    do {
        n = (n >> 6) + ((n & 63) != 0);
        m->words[m->levels] = n;
        m->level[m->levels] = calloc(n, sizeof(uint64_t));
        if (!m->level[m->levels++]) {
            hci_blockmap_free(m);
            return NULL;
        }
    } while (n > 1);
    close_ends(m);
    return m;
}

void hci_blockmap_free(struct hci_blockmap *m)
{
    if (!m)
        return;
    for (unsigned l = 0; l < m->levels; l++)
        free(m->level[l]);
    free(m);
}

void hci_blockmap_clear(struct hci_blockmap *m)
{
    for (unsigned l = 0; l < m->levels; l++)
        memset(m->level[l], 0, m->words[l] * sizeof(uint64_t));
    close_ends(m);
}

/* The first free block at or behind `from`; n: none. */
static uint64_t search(const struct hci_blockmap *m, uint64_t from)
{
    uint64_t i = from;
    for (unsigned l = 0; l < m->levels; l++) {
        uint64_t w = i >> 6;
        uint64_t open = w < m->words[l] ? ~m->level[l][w] & UINT64_MAX << (i & 63) : 0;
        if (!open) {
            i = w + 1; /* a bit of the level above: the next word with room */
            continue;
        }
        i = w << 6 | (unsigned)__builtin_ctzll(open);
        while (l-- > 0)
            i = i << 6 | (unsigned)__builtin_ctzll(~m->level[l][i]);
        return i;
    }
    return m->n;
}

uint64_t hci_blockmap_next(const struct hci_blockmap *m, uint64_t from)
{
    uint64_t i = search(m, from);
    return i < m->n || from == 0 ? i : search(m, 0);
}

/* Marks up to `count` blocks within one word; stops at a taken one. */
static uint64_t take_in_word(struct hci_blockmap *m, uint64_t from, uint64_t count)
{
    unsigned at = from & 63, n = 64 - at;
    uint64_t *word = &m->level[0][from >> 6], taken = *word >> at;
    if (taken && (unsigned)__builtin_ctzll(taken) < n)
        n = (unsigned)__builtin_ctzll(taken);
    n = n < count ? n : (unsigned)count;
    if (n)
        *word |= (n == 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1) << at;
    uint64_t i = from >> 6;
    for (unsigned l = 0; l + 1 < m->levels && m->level[l][i] == UINT64_MAX; l++, i >>= 6)
        m->level[l + 1][i >> 6] |= (uint64_t)1 << (i & 63);
    return n;
}

uint64_t hci_blockmap_take(struct hci_blockmap *m, uint64_t from, uint64_t count)
{
    uint64_t got = 0;
    while (got < count && from + got < m->n) {
        uint64_t room = 64 - ((from + got) & 63), want = count - got < room ? count - got : room;
        uint64_t n = take_in_word(m, from + got, want);
        got += n;
        if (n < want)
            break;
    }
    return got;
}
