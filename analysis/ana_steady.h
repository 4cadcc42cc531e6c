/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_steady.h: fio's judgement whether a job has become steady.
 *
 * Over the last steadystate_duration whole seconds, the IOPS or bytes of reads
 * and writes together: the largest deviation from their mean, or
 * the slope of the line of least squares through it, absolute or in percent of
 * the mean, against the limit. Seconds are sums of the job's intervals.
 * Not here: stopping a job (the runner's business).
 * Invariants: allocates nothing; a job shorter than the window has not attained
 * anything.
 */
#ifndef ANA_STEADY_H
#define ANA_STEADY_H

#include "hci_result.h"

struct ana_steady {
    bool attained, in_percent;
    unsigned seconds;              /* whole seconds judged, at most the duration */
    unsigned first;                /* the first of them, from the window's start */
    double criterion;              /* what was held against the limit */
    double max_deviation, slope;   /* in the metric's unit, per second */
    double iops_mean, bw_mean_Bps;
};

/* False: the job has no steadystate option, or no interval series. */
bool ana_steady_judge(const struct hci_job_result *j, struct ana_steady *out);

/* Reads and writes in second s of the measured window: I/Os or bytes. */
double ana_steady_second(const struct hci_job_result *j, unsigned s, bool bytes);

#endif
