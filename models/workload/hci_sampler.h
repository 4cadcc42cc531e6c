/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_sampler.h: fio's bandwidth and IOPS samples of job clones that the series
 * of their row does not give.
 *
 * A sample is what a clone did in one window of bwavgtime or iopsavgtime, or
 * one I/O where a log is kept of each. Windows without I/O give none, nor does
 * the last, unfinished one; fio's own windows are late by what its helper thread
 * is. Samples of a group are its clones' added up, as fio adds them.
 * Invariants: allocates when created only; equal calls give equal samples.
 */
#ifndef HCI_SAMPLER_H
#define HCI_SAMPLER_H

#include "hci_result.h"
#include "workload/hci_job.h"

#define HCI_SAMPLE_NS (500 * SIM_MS) /* unless the job says otherwise */

struct hci_sampler { /* one quantity of one direction */
    uint64_t window, sum; /* the present window, from the start; what it has */
    struct hci_moments m; /* of the sums of windows that are over */
};

struct hci_samplers { /* of one clone */
    struct hci_samplers *next; /* of the row */
    const struct hci_job *job;
    sim_time start;
    struct hci_sampler bw[HCI_DDIRS], iops[HCI_DDIRS];
};

/* A new one at the end of *list. Times here are the cluster's clock. */
struct hci_samplers *hci_samplers_add(struct hci_samplers **list, const struct hci_job *job);
/* All begins anew now. s may be NULL. */
void hci_samplers_begin(struct hci_samplers *s, sim_time now);
/* An I/O of direction dir (flushes are left out) was taken now. */
void hci_samplers_record(struct hci_samplers *s, unsigned dir, uint64_t bytes, sim_time clat_ns,
                         sim_time now);
/* ios and bytes of direction dir were skipped in ns from now on, by all clones
 * of the list alike. */
void hci_samplers_skip(struct hci_samplers *list, unsigned dir, uint64_t ios, uint64_t bytes,
                       sim_time now, sim_time ns);
/* Sets both of out, unless the list is empty. */
void hci_samplers_result(const struct hci_samplers *list, unsigned dir, struct hci_dir_result *out);
void hci_samplers_free(struct hci_samplers *list);

/* m in units of `unit`. */
struct hci_sampled hci_sampled_of(const struct hci_moments *m, double unit);

#endif
