/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_skip.h: --precision: simulate only as much of a job as its figures take.
 *
 * A job is simulated in windows. When a window has put mean and p99 of every
 * direction on the way to the precision, the time behind it is skipped: the
 * requests the jobs would have issued, at the window's rate, are carried out by
 * the platform without being timed (hci_skip_ops: caches, log, drain, fast write
 * caches move on), the window's figures count for the time skipped, and the next
 * window begins. A skip lasts 1/60 of the job, or down to
 * 1/240 while windows differ too much. It is twice as long after each
 * window that met the same latencies and steady or evenly moving state while the
 * job is as precise as asked, and ends early where the platform says that another
 * state begins: a new stratum.
 * Never skipped: ramps, start delays, the last I/Os of a job without runtime; a
 * job on a platform that cannot move its state on; one that keeps logs of its
 * I/Os, aims at a latency or a steady state, fails on a latency or a rate, shares
 * a flow, replays a trace, reads back what it wrote, or holds rates of several
 * directions.
 * What is approximated: docs/statistics.md.
 * Invariants: the clock of the simulation does not move during a skip and what
 * is in flight stays; equal runs skip alike.
 */
#ifndef HCI_SKIP_H
#define HCI_SKIP_H

#include "sim_types.h"

#include <stdbool.h>
#include <stdint.h>

struct hci_runner;
struct hci_row;

struct hci_skip {
    double precision;     /* relative; 0: off */
    bool open;            /* a window is being simulated */
    double half, over;    /* widest half-width of a row so far, relative; over what it may be */
    sim_time opened;      /* its start */
    sim_time base, chunk; /* least and next time to skip */
    unsigned slices;      /* when precision was last asked for */
    double *level, *rate; /* per gauge at the last window's end; rate: per ns */
    sim_time level_at;    /* by the cluster's clock */
    double mean[4];       /* latency of the last window by direction, ns; 0: none */
};

/* Reads the options. */
void hci_skip_init(struct hci_runner *r);
void hci_skip_fini(struct hci_runner *r);

/* A slice ended: opens a window, or skips time if the open one says enough. */
void hci_skip_consider(struct hci_runner *r);

/* Why no more of the row was simulated, into row->stopped. */
void hci_skip_explain(const struct hci_runner *r, struct hci_row *row);

#endif
