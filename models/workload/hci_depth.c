/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/hci_depth.h"

void hci_depth_init(struct hci_depth *d, const struct hci_job *job)
{
    *d = (struct hci_depth){.job = job, .limit = job->iodepth};
}

static unsigned most(const struct hci_job *job)
{
    unsigned max = job->iodepth_batch_complete_max, min = job->iodepth_batch_complete_min;
    return max > min ? max : min ? min : 1;
}

/* Takes what is complete, if that is enough, until it may submit again. */
static void reap(struct hci_depth *d)
{
    while (d->waiting) {
        unsigned need = d->need < d->occupied ? d->need : d->occupied;
        if (d->ready < need)
            return;
        unsigned n = most(d->job);
        n = n < need ? need : n;
        n = n < d->ready ? n : d->ready;
        d->ready -= n;
        d->occupied -= n;
        d->waiting = d->full && d->occupied > d->job->iodepth_low && d->occupied > 0;
    }
}

static void wait_if_full(struct hci_depth *d)
{
    const struct hci_job *job = d->job;
    bool polling = !job->iodepth_batch_complete_min && !job->iodepth_batch_complete_max;
    d->full = d->occupied >= d->limit;
    if (!d->full && !polling)
        return;
    d->waiting = true;
    d->need = job->iodepth_batch_complete_min ? job->iodepth_batch_complete_min : 1;
}

bool hci_depth_room(struct hci_depth *d)
{
    while (!d->waiting && d->occupied >= d->limit) { /* the limit came down */
        wait_if_full(d);
        reap(d);
    }
    return !d->waiting;
}

void hci_depth_issued(struct hci_depth *d)
{
    d->occupied++;
    wait_if_full(d);
    reap(d);
}

void hci_depth_completed(struct hci_depth *d)
{
    d->ready++;
    reap(d);
}

void hci_depth_returned(struct hci_depth *d)
{
    d->occupied--;
    d->waiting = false;
}

void hci_depth_take(struct hci_depth *d)
{
    d->occupied -= d->ready;
    d->ready = 0;
    d->waiting = d->waiting && d->full && d->occupied > d->job->iodepth_low;
}

void hci_depth_drained(struct hci_depth *d)
{
    d->occupied = d->ready = 0;
    d->waiting = false;
}
