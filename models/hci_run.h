/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_run.h: a layout and a job file in, results in memory out.
 *
 * Replications run in threads, one simulation and cluster each; they share the
 * layout and the jobs, which nobody changes. They are merged in their order, so
 * the result is the same whatever the number of threads.
 * Merged: counts, histograms, sums and counters are pooled, rates and shares of
 * time are means, series and state are the first replication's.
 */
#ifndef HCI_RUN_H
#define HCI_RUN_H

#include "hci_layout.h"
#include "hci_result.h"
#include "sim_err.h"

struct hci_jobfile;

struct hci_progress { /* about ten times a wall-clock second at the most */
    double fraction;     /* 0..1 of the expected simulated work */
    sim_time now_ns;
    const char *job;
    uint64_t ios;
};

struct hci_run_opts {
    uint64_t seed;
    unsigned replication;
    unsigned repeat;     /* passes over the job file; 0 and 1: one */
    sim_time pause_ns;   /* between passes */
    int force;           /* run a layout that check refuses */
    unsigned reps;       /* replications, from `replication` on; 0 and 1: one */
    unsigned threads;    /* that run them; 0 and 1: one */
    double precision;    /* relative half-width that is enough, 0 < p < 1; 0: simulate all */
    void (*progress)(void *ctx, const struct hci_progress *p); /* by one thread at a time */
    void *progress_ctx;
    sim_time status_ns;  /* simulated time between interim results; 0: none */
    void (*status)(void *ctx, const struct hci_result *so_far); /* jobs begun; freed after it */
    void *status_ctx;
    const volatile int *interrupted; /* set by a signal handler: stop, keep what is done */
};

/* Simulates. Returns SIM_OK, SIM_E_NO (layout refused), SIM_E_INPUT or
 * SIM_E_INTERRUPTED (then *out holds the finished jobs). Free *out with
 * hci_result_free whenever it is not NULL. */
int hci_run(const struct hci_layout *lay, const struct hci_jobfile *jobs,
            const struct hci_run_opts *opts, struct hci_result **out, struct sim_err *e);

/* hci_merge.c: adds the next replication's result to the first one's. Jobs are
 * matched by position. `from` is emptied but not freed. */
void hci_result_merge(struct hci_result *into, struct hci_result *from);
/* hci_run.c: one replication, its jobs not yet concluded (hci_verdict.h). */
int hci_run_once(const struct hci_layout *lay, const struct hci_jobfile *jobs,
                 const struct hci_run_opts *opts, struct hci_result **out, struct sim_err *e);

#endif
