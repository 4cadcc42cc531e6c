/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_drift.h: was a job measured while something still changed?
 *
 * Looks at the series of a finished job: mean latency and I/Os per interval by
 * MSER-5 (a warm-up that moves the mean by 1 % or more) and by a straight line
 * through 20 batch means (p < 0.001 and 2 % or more over the window), then at
 * the gauges to say which of them moved along. Only warns: nothing is cut.
 * Not here: jobs of fewer than 20 whole intervals, about which nothing is said.
 * Invariant: a constant series never warns.
 */
#ifndef HCI_DRIFT_H
#define HCI_DRIFT_H

#include "hci_result.h"

/* Adds its warnings to the job's. */
void hci_drift_check(struct hci_job_result *j);

#endif
