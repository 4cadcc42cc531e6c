/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/hci_goal.h"

#include <math.h>

static void new_window(struct hci_goal *g, sim_time now)
{
    g->since = now;
    g->ios = g->failed = 0;
}

void hci_goal_init(struct hci_goal *g, const struct hci_job *job, sim_time now, unsigned *limit)
{
    *g = (struct hci_goal){.job = job, .low = 1, .high = job->iodepth};
    if (job->latency_target)
        *limit = 1;
    new_window(g, now);
}

static int too_slow(struct hci_goal *g, sim_time now, unsigned *limit)
{
    if (*limit == g->low)
        return HCI_GOAL_MISSED;
    g->high = *limit;
    *limit = (*limit + g->low) / 2;
    g->stable = 0;
    new_window(g, now);
    return HCI_GOAL_QUIESCE;
}

int hci_goal_completed(struct hci_goal *g, sim_time now, sim_time lat, unsigned *limit)
{
    const struct hci_job *job = g->job;
    if (job->max_latency && lat > job->max_latency)
        return HCI_GOAL_MISSED;
    g->ios++;
    if (!job->latency_target || lat <= job->latency_target)
        return HCI_GOAL_OK;
    if (job->latency_percentile >= 100)
        return too_slow(g, now, limit);
    g->failed++;
    return HCI_GOAL_OK;
}

static int good(struct hci_goal *g, sim_time now, unsigned *limit)
{
    unsigned before = *limit, depth = g->job->iodepth;
    int answer = HCI_GOAL_OK;
    g->low = before;
    if (before + 1 == g->high && ++g->stable >= 3) { /* perhaps one more is good as well */
        g->high++;
        g->stable = 0;
    }
    uint64_t next = g->high != depth ? ((uint64_t)before + g->high) / 2 : 2 * (uint64_t)before;
    *limit = (unsigned)sim_min(next, depth);
    if (!g->job->latency_run && *limit == before) {
        answer = g->last ? HCI_GOAL_DONE : HCI_GOAL_RESTART;
        g->last = true;
    }
    new_window(g, now);
    return answer;
}

int hci_goal_check(struct hci_goal *g, sim_time now, unsigned *limit)
{
    const struct hci_job *job = g->job;
    if (!job->latency_target || g->ios == 0 || now - g->since < job->latency_window)
        return HCI_GOAL_OK;
    double share = 100.0 * (double)(g->ios - g->failed) / (double)g->ios;
    if (share >= job->latency_percentile)
        return good(g, now, limit);
    return too_slow(g, now, limit) == HCI_GOAL_QUIESCE ? HCI_GOAL_QUIESCE : HCI_GOAL_OK;
}

bool hci_goal_steady(const struct hci_job *job, const uint64_t *per_second, unsigned n)
{
    double sum = 0, deviation = 0, sx = 0, sxx = 0, sxy = 0;
    if (n == 0)
        return false;
    for (unsigned i = 0; i < n; i++)
        sum += (double)per_second[i] / n;
    for (unsigned i = 0; i < n; i++) {
        double y = (double)per_second[i];
        deviation = fmax(deviation, fabs(y - sum));
        sx += i;
        sxx += (double)i * i;
        sxy += i * y;
    }
    double var = sxx - sx * sx / n;
    double criterion = job->ss_slope ? fabs(var > 0 ? (sxy - sx * sum) / var : 0) : deviation;
    if (job->ss_pct)
        criterion = sum > 0 ? 100 * criterion / sum : 0;
    return criterion <= job->ss_limit;
}
