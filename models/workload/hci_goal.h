/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_goal.h: what a job wants of its latencies, and when it is steady.
 *
 * Modelled, as fio does it: max_latency ends the job in error; latency_target
 * looks for the greatest depth at which latency_percentile of the I/Os of a
 * latency_window stay within it, doubling, then halving the interval; when the
 * depth no longer moves the books start anew for one last window, unless
 * latency_run goes on. steadystate is judged every second of the measured time.
 * Invariants: the depth stays within 1 and iodepth; allocates nothing.
 */
#ifndef HCI_GOAL_H
#define HCI_GOAL_H

#include "hci_job.h"

enum hci_goal_answer {
    HCI_GOAL_OK,
    HCI_GOAL_QUIESCE, /* the depth came down: drain first */
    HCI_GOAL_RESTART, /* found: measure anew */
    HCI_GOAL_DONE,    /* the job is done */
    HCI_GOAL_MISSED   /* latency above the limit at the least depth */
};

struct hci_goal {
    const struct hci_job *job;
    sim_time since;          /* the window's start */
    uint64_t ios, failed;    /* in it */
    unsigned low, high;      /* depths known to be good; not to be */
    unsigned stable;
    bool last;               /* the final window */
};

/* *limit: the depth in force, set here and by the calls below. */
void hci_goal_init(struct hci_goal *g, const struct hci_job *job, sim_time now, unsigned *limit);

/* An I/O took lat ns. OK, QUIESCE or MISSED. */
int hci_goal_completed(struct hci_goal *g, sim_time now, sim_time lat, unsigned *limit);

/* Is the window over? Anything but MISSED. */
int hci_goal_check(struct hci_goal *g, sim_time now, unsigned *limit);

/* Are the last n of `per_second` within the job's steadystate limit? */
bool hci_goal_steady(const struct hci_job *job, const uint64_t *per_second, unsigned n);

#endif
