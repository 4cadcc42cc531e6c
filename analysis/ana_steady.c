/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_steady.h"

#include <math.h>

#include "workload/hci_job.h"

double ana_steady_second(const struct hci_job_result *j, unsigned s, bool bytes)
{
    uint64_t per = SIM_S / j->interval_ns, sum = 0;
    for (int dir = HCI_DIR_READ; dir <= HCI_DIR_WRITE; dir++)
        for (uint64_t i = s * per; i < (s + 1) * per && i < j->dir[dir].nintervals; i++)
            sum += bytes ? j->dir[dir].intervals[i].bytes : j->dir[dir].intervals[i].ios;
    return (double)sum;
}

static unsigned whole_seconds(const struct hci_job_result *j)
{
    return (unsigned)sim_min((j->end_ns - j->ramp_end_ns) / SIM_S, UINT32_MAX);
}

/* Largest distance from the mean, and least-squares slope over the seconds. */
static void fit(const struct hci_job_result *j, bool bytes, double mean, struct ana_steady *out)
{
    double n = out->seconds, sx = 0, sxx = 0, sxy = 0;
    for (unsigned i = 0; i < out->seconds; i++) {
        double y = ana_steady_second(j, out->first + i, bytes);
        out->max_deviation = fmax(out->max_deviation, fabs(y - mean));
        sx += i;
        sxx += (double)i * i;
        sxy += i * y;
    }
    double var = sxx - sx * sx / n;
    out->slope = var > 0 ? (sxy - sx * mean) / var : 0;
}

bool ana_steady_judge(const struct hci_job_result *j, struct ana_steady *out)
{
    const struct hci_job *job = j->job;
    *out = (struct ana_steady){0};
    if (!job || !job->steadystate || j->interval_ns == 0 || SIM_S % j->interval_ns ||
        j->end_ns < j->ramp_end_ns)
        return false;
    unsigned want = (unsigned)sim_min(job->ss_dur / SIM_S, UINT32_MAX), have = whole_seconds(j);
    out->in_percent = job->ss_pct;
    out->seconds = have < want ? have : want;
    out->first = have - out->seconds;
    if (out->seconds == 0)
        return true;
    for (unsigned i = 0; i < out->seconds; i++) {
        out->iops_mean += ana_steady_second(j, out->first + i, false) / out->seconds;
        out->bw_mean_Bps += ana_steady_second(j, out->first + i, true) / out->seconds;
    }
    bool bytes = job->ss_metric == 1;
    double mean = bytes ? out->bw_mean_Bps : out->iops_mean;
    fit(j, bytes, mean, out);
    out->criterion = job->ss_slope ? fabs(out->slope) : out->max_deviation;
    if (job->ss_pct)
        out->criterion = mean > 0 ? 100 * out->criterion / mean : 0;
    out->attained = out->seconds == want && out->criterion <= job->ss_limit &&
                    have >= want + job->ss_ramp / SIM_S;
    return true;
}
