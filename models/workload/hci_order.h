/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_order.h: orders that visit each of n blocks once, in constant memory.
 *
 * hci_perm is a keyed bijection of [0, n): element i of a pass is computed,
 * nothing is remembered, and another key gives another order. i is split into
 * a high digit below `radix` <= 64 and a low part of some bits; the parts are
 * mixed by steps that can each be undone (multiply by an odd number, shift and
 * xor, add a hash of the other part). radix << bits exceeds n by at most 1/32
 * (for n > 64), and a result out of range is fed back in: the cycle leads into
 * range again.
 * hci_lfsr walks the states of a shift register of maximal length, skips those
 * out of range and adds block 0, which no register visits: each block once,
 * and always in the same order.
 * Not modelled: fio's own sequences; only their properties are.
 * Invariants: over n calls every block appears exactly once, for any n from 1
 * to 2^63 - 1.
 */
#ifndef HCI_ORDER_H
#define HCI_ORDER_H

#include <stdint.h>

#define HCI_PERM_ROUNDS 3

struct hci_perm {
    uint64_t n, mask, radix, inverse;
    unsigned bits, shift;
    uint64_t multiply[HCI_PERM_ROUNDS], add[HCI_PERM_ROUNDS];
};

/* Prepares the order of n blocks that belongs to key. */
void hci_perm_init(struct hci_perm *p, uint64_t n, uint64_t key);

static inline uint64_t hci_perm_mix(const struct hci_perm *p, unsigned round, uint64_t low)
{
    low = (low * p->multiply[round] + p->add[round]) & p->mask;
    return low ^ low >> p->shift;
}

/* Block at position i of the order, i < n. */
static inline uint64_t hci_perm_at(const struct hci_perm *p, uint64_t i)
{
    do {
        uint64_t high = 0, low = i;
        if (p->radix > 1) { /* high is the fast digit, or every 2^bits elements were too even */
            low = (uint64_t)(((unsigned __int128)i * p->inverse) >> 64);
            high = i - low * p->radix;
            low += high >= p->radix;
            high -= high >= p->radix ? p->radix : 0;
        }
        low = hci_perm_mix(p, 1, hci_perm_mix(p, 0, low + high * p->add[1]));
        if (p->radix > 1) {
            high += ((low * p->multiply[2]) >> 32) * p->radix >> 32;
            high -= high >= p->radix ? p->radix : 0;
            low += high * p->add[2];
        }
        low = hci_perm_mix(p, 2, low);
        i = high << p->bits | low;
    } while (i >= p->n);
    return i;
}

struct hci_lfsr {
    uint64_t n, taps, first, state; /* state 0: block 0 comes next, then first */
};

/* Starts at a block chosen by key. */
void hci_lfsr_init(struct hci_lfsr *l, uint64_t n, uint64_t key);

static inline uint64_t hci_lfsr_step(const struct hci_lfsr *l, uint64_t s)
{
    return (s >> 1) ^ ((0 - (s & 1)) & l->taps);
}

/* The current block; moves on to the next. After n calls it is back at the first. */
static inline uint64_t hci_lfsr_next(struct hci_lfsr *l)
{
    uint64_t block = l->state, s = block;
    if (block == 0) {
        l->state = l->first;
        return 0;
    }
    do { /* two steps at a time: which of them is in range is a coin toss at worst */
        uint64_t one = hci_lfsr_step(l, s), two = hci_lfsr_step(l, one);
        s = one < l->n ? one : two;
    } while (s >= l->n);
    l->state = s == l->first ? 0 : s;
    return block;
}

#endif
