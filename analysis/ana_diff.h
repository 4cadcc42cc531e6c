/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_diff.h: the verb diff: two layouts under common random numbers.
 *
 * Both are simulated by the same replications: the same I/Os, and for each of
 * them the same luck wherever the two layouts do alike. What is compared are
 * pairs, so what both runs owe to luck drops out as far as it is common; the
 * interval of the difference comes from the pairs alone and tells how far.
 * Not here: layouts under different job files; see ana_compare.h for measured
 * results. Invariant: A - A is 0 +- 0 in every row.
 */
#ifndef ANA_DIFF_H
#define ANA_DIFF_H

#include "hci_result.h"

#include <stdbool.h>
#include <stdio.h>

enum ana_diff_metric { ANA_DIFF_IOPS, ANA_DIFF_MEAN, ANA_DIFF_P99, ANA_DIFF_METRICS };

struct ana_diff {
    double a, b;              /* 1/s or ns, mean of the replications */
    struct sim_interval diff; /* b - a, paired */
    double gain;   /* variance of independent runs' difference over this one's; 0: unknown */
    bool resolved; /* percentile: 100 samples beyond it in every replication */
};

#define ANA_DIFF_REPS_MAX 64

/* Direction dir of job number `job` in both results, which hold the same number
 * of replications, 2 to ANA_DIFF_REPS_MAX. False: one of them has no such I/O. */
bool ana_diff_dir(const struct hci_result *a, const struct hci_result *b, unsigned job, int dir,
                  struct ana_diff out[ANA_DIFF_METRICS]);

/* The table for people, and the same as JSON. */
void ana_diff_print(FILE *f, const struct hci_result *a, const struct hci_result *b);
void ana_diff_json(FILE *f, const struct hci_result *a, const struct hci_result *b);

#endif
