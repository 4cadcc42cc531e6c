/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_blockmap.h: which of n blocks a pass has touched: fio's random map.
 *
 * A bit a block, and above it a tree of bits, 64 to a word, that say which words
 * are full, so that the next free block is found in a few steps however full the
 * map is.
 * Invariants: blocks taken since the last clear are exactly those not free; the
 * memory is n bits and a 63rd of it.
 */
#ifndef HCI_BLOCKMAP_H
#define HCI_BLOCKMAP_H

#include <stdbool.h>
#include <stdint.h>

#define HCI_BLOCKMAP_LEVELS 11 /* enough for 2^64 blocks */

struct hci_blockmap {
    uint64_t n;
    unsigned levels;
    uint64_t *level[HCI_BLOCKMAP_LEVELS], words[HCI_BLOCKMAP_LEVELS];
};

/* A map of n >= 1 blocks, all free; NULL: no memory. */
struct hci_blockmap *hci_blockmap_create(uint64_t n);
void hci_blockmap_free(struct hci_blockmap *m);

/* All blocks are free again. */
void hci_blockmap_clear(struct hci_blockmap *m);

/* The first free block at or behind `from` < n, else the first of all; n: none. */
uint64_t hci_blockmap_next(const struct hci_blockmap *m, uint64_t from);

/* Takes `count` >= 1 blocks from `from` on, or those before the first that is not
 * free or lies behind the end. Returns how many. */
uint64_t hci_blockmap_take(struct hci_blockmap *m, uint64_t from, uint64_t count);

#endif
