/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_run.h: a layout and a job file in, results in memory out.
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
    void (*progress)(void *ctx, const struct hci_progress *p);
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

#endif
