/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_breakdown.h: where a job's time goes, as text.
 *
 * Prints, for each direction that did I/O, the mean wait and service per
 * component over all I/Os and over the slowest 1 %; then the busiest stations,
 * the bottleneck and the next one, and the closed-form bound beside the
 * simulated IOPS. Not here: how any of it is found (the run does that).
 * Invariants: nothing allocates; components that took no time are left out;
 * the last row is the sum of the rows, in usec.
 */
#ifndef ANA_BREAKDOWN_H
#define ANA_BREAKDOWN_H

#include <stdio.h>

#include "hci_result.h"

/* The whole block of job j of result r. */
void ana_breakdown_print(FILE *f, const struct hci_result *r, const struct hci_job_result *j);

/* Sum of all parts in ns: the mean latency they explain. */
double ana_breakdown_total(const struct hci_part_time *part, unsigned nparts);

#endif
