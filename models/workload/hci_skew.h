/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_skew.h: unequal popularity of blocks.
 *
 * zipf, pareto and normal as fio 3.33 draws them: the rank is drawn, then a
 * multiplicative hash scatters ranks over the region, so that hot blocks have
 * no neighbourhood. zoned keeps its zones in place. The zipf constant is
 * summed over the first 10 million ranks at most, as in fio, but by
 * Euler-Maclaurin: set-up and draws take constant time at any size.
 * Invariant: a draw depends on the struct and its key alone and is < n.
 */
#ifndef HCI_SKEW_H
#define HCI_SKEW_H

#include "hci_job.h"

struct hci_skew {
    int kind;      /* enum hci_random_dist */
    uint64_t n;    /* blocks */
    uint64_t add;  /* where the hottest block lies, before the hash wraps */
    double theta, zetan, alpha, eta, half; /* zipf */
    double power;                          /* pareto */
    uint64_t deviation;                    /* normal, blocks */
    unsigned nzones;
    uint64_t *limit;        /* nzones: cumulative access as a fraction of 2^32 */
    uint64_t *edge;         /* nzones + 1: first blocks */
};

/* For direction d of job over n > 0 blocks of unit bytes; key decides where
 * the hottest block lies unless the job says. False: out of memory. */
bool hci_skew_init(struct hci_skew *s, const struct hci_job *job, int d, uint64_t n,
                   uint64_t unit, uint64_t key);
void hci_skew_fini(struct hci_skew *s);

/* The block that belongs to key. */
uint64_t hci_skew_draw(const struct hci_skew *s, uint64_t key);

#endif
