/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_depth.h: how many I/Os a job keeps in flight.
 *
 * Modelled: fio's submission loop. It fills the queue up to its depth, then
 * waits for iodepth_batch_complete_min completions, takes as many as there are
 * up to iodepth_batch_complete_max, and goes on waiting until iodepth_low are
 * left; only then it submits again. With _min and _max both 0 it waits after
 * every submission, so the real depth is 1. iodepth_batch alone changes no
 * depth: whoever waits submits what is held back first.
 * Not modelled: a batched submission costs as much as single ones. Which I/Os
 * make up a batch is hci_reap.h's business.
 * Invariants: occupied never exceeds the limit; occupied = in flight + ready.
 */
#ifndef HCI_DEPTH_H
#define HCI_DEPTH_H

#include "hci_job.h"

struct hci_depth {
    const struct hci_job *job;
    unsigned limit;    /* at most so many; latency_target moves it */
    unsigned occupied; /* submitted and not yet taken back */
    unsigned ready;    /* of them complete */
    unsigned need;     /* completions waited for at once */
    bool waiting, full;
};

void hci_depth_init(struct hci_depth *d, const struct hci_job *job);
/* May one more be submitted? */
bool hci_depth_room(struct hci_depth *d);
void hci_depth_issued(struct hci_depth *d);
void hci_depth_completed(struct hci_depth *d);
/* An I/O was done while it was submitted: nobody waits for it. */
void hci_depth_returned(struct hci_depth *d);
/* All that is complete is taken, whatever was waited for. */
void hci_depth_take(struct hci_depth *d);
/* Everything is back, whatever it waited for. */
void hci_depth_drained(struct hci_depth *d);

#endif
