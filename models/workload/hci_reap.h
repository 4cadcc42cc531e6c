/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_reap.h: finished I/Os that the job's thread has not taken back yet.
 *
 * Modelled: fio stops an I/O's clock where its thread reaps it. A thread that
 * waits for several completions at once (iodepth_batch_complete_min above 1, or
 * 0 with a _max) leaves what is finished where it is; all of one batch get the
 * time at which it is taken. The wait is booked as waiting for the host's reap.
 * Not modelled: what a system call for a batch saves against one for each.
 * Invariants: first finished, first taken; the parts of an I/O that is taken sum
 * to its latency; memory grows with the most I/Os held at once, which is at most
 * the job's depth, and not after that.
 */
#ifndef HCI_REAP_H
#define HCI_REAP_H

#include "hci_cluster.h"
#include "hci_job.h"

struct hci_finished { /* an I/O as it was when it ended */
    struct sim_io io;
    struct sim_token token; /* only its trail means anything */
    struct sim_leg leg[HCI_PART_COUNT];
};

struct hci_reap {
    unsigned n, first, cap; /* a ring */
    struct hci_finished *held;
};

/* NULL: the job takes every I/O as it ends. */
struct hci_reap *hci_reap_create(const struct hci_job *job);
void hci_reap_free(struct hci_reap *r);

/* io ended now with the trail t; copies both. */
void hci_reap_hold(struct hci_reap *r, const struct sim_io *io, const struct sim_token *t,
                   sim_time now);

/* The one that ended first is taken now; r->n > 0. Good until the next hold. */
struct hci_finished *hci_reap_take(struct hci_reap *r, sim_time now);

#endif
