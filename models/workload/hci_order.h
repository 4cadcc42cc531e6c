/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_order.h: orders that visit each of n blocks once, in constant memory.
 *
 * hci_perm is a keyed bijection of [0, n): element i of a pass is computed,
 * nothing is remembered, and another key gives another order. It works on the
 * next power of two (add, multiply, shift-xor: each invertible) and follows
 * the cycle back into range, less than two steps on average.
 * hci_lfsr walks the states of a shift register of maximal length and skips
 * those out of range: each block once, and always in the same order.
 * Not modelled: fio's own sequences; only their properties are.
 * Invariants: over n calls every block appears exactly once, for any n from 1
 * to 2^63 - 1.
 */
#ifndef HCI_ORDER_H
#define HCI_ORDER_H

#include <stdint.h>

#define HCI_PERM_ROUNDS 3

struct hci_perm {
    uint64_t n, mask;
    unsigned shift;
    uint64_t multiply[HCI_PERM_ROUNDS], add[HCI_PERM_ROUNDS];
};

/* Prepares the order of n blocks that belongs to key. */
void hci_perm_init(struct hci_perm *p, uint64_t n, uint64_t key);

/* Block at position i of the order, i < n. */
static inline uint64_t hci_perm_at(const struct hci_perm *p, uint64_t i)
{
    do {
        for (int r = 0; r < HCI_PERM_ROUNDS; r++) {
            i = (i * p->multiply[r] + p->add[r]) & p->mask;
            i ^= i >> p->shift;
        }
    } while (i >= p->n);
    return i;
}

struct hci_lfsr {
    uint64_t n, taps, first, state;
};

/* Starts at a block chosen by key. */
void hci_lfsr_init(struct hci_lfsr *l, uint64_t n, uint64_t key);

/* The current block; moves on to the next. After n calls it is back at the first. */
static inline uint64_t hci_lfsr_next(struct hci_lfsr *l)
{
    uint64_t block = l->state - 1, s = l->state;
    do
        s = (s >> 1) ^ ((0 - (s & 1)) & l->taps);
    while (s > l->n);
    l->state = s;
    return block;
}

#endif
