/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_interval.h: how sure a job's figures are, as text and JSON.
 *
 * 95 % intervals of IOPS, mean and percentiles from batches, windows or
 * replications (hci_batch.h), with the reasons to doubt them.
 * Not here: the statistics. Invariants: a result without batches prints
 * nothing; what is unresolved is never given as a figure in text.
 */
#ifndef ANA_INTERVAL_H
#define ANA_INTERVAL_H

#include <stdio.h>

#include "ana_emit.h"
#include "hci_result.h"

struct ana_limits {            /* of one percentile */
    uint64_t ns, lo_ns, hi_ns; /* fio's value; 95 % limits, never beyond 0 or 2^64 - 1 */
    unsigned doubts;           /* enum sim_doubt */
    double relative;           /* half-width over value; infinite: no interval */
};

/* Limits of pct[n], each 0..100. Without batches they are by order statistics of
 * independent samples, and doubtful. */
void ana_interval_percentiles(const struct hci_dir_result *d, enum hci_lat which, const double *pct,
                              unsigned n, struct ana_limits *out);

/* Half-width; NaN where there is no interval. */
double ana_interval_half(const struct sim_interval *i);

/* Lines for the report, under fio's block. */
void ana_interval_print(FILE *f, const struct hci_job_result *j);

/* "intervals": {...} and what was skipped, inside the job's object. */
void ana_interval_json(struct ana_emit *o, const struct hci_job_result *j);

#endif
