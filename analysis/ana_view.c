/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ana_num.h"

const char *const ana_lat_names[12] = {"2",   "4",   "10",  "20",   "50",   "100",
                                       "250", "500", "750", "1000", "2000", ">=2000"};
const char *const ana_depth_names[7] = {"1", "2", "4", "8", "16", "32", ">=64"};
const char *const ana_dir_names[HCI_DIRS] = {"read", "write", "trim", "sync"};

const char *const ana_batch_names[7] = {"0", "4", "8", "16", "32", "64", ">=64"};

static const uint64_t lat_edge[11] = {2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000};

static unsigned bucket(uint64_t v, unsigned edges)
{
    unsigned i = 0;
    while (i < edges && v >= lat_edge[i])
        i++;
    return i;
}

static double *share_of(struct ana_lat_shares *s, uint64_t ns)
{
    if (ns < SIM_US)
        return &s->ns[bucket(ns, 9)];
    if (ns < SIM_MS)
        return &s->us[bucket(ns / SIM_US, 9)];
    return &s->ms[bucket(ns / SIM_MS, 11)];
}

static void to_percent(double *count, unsigned n, uint64_t total, double least)
{
    for (unsigned i = 0; i < n; i++) {
        if (count[i] <= 0)
            continue;
        count[i] = 100.0 * count[i] / (double)total;
        if (count[i] < least)
            count[i] = least;
    }
}

void ana_lat_shares(const struct hci_job_result *j, struct ana_lat_shares *out)
{
    memset(out, 0, sizeof *out);
    uint64_t total = 0;
    if (!ana_shows_clat(j->job))
        return;
    for (int dir = HCI_DIR_READ; dir <= HCI_DIR_TRIM; dir++) {
        const struct sim_hist *h = &j->dir[dir].clat;
        total += h->n;
        for (unsigned i = 0; h->n && i < SIM_HIST_BINS; i++)
            if (h->bin[i])
                *share_of(out, sim_hist_value(i)) += (double)h->bin[i];
    }
    if (total == 0)
        return;
    to_percent(out->ns, 10, total, 0.01);
    to_percent(out->us, 10, total, 0.01);
    to_percent(out->ms, 12, total, 0.01);
}

void ana_batch_shares(const struct hci_job_result *j, double out[7])
{
    uint64_t all = 0;
    for (int dir = 0; dir < HCI_DIRS; dir++)
        all += j->dir[dir].ios;
    memset(out, 0, 7 * sizeof *out);
    out[1] = all ? 100 : 0;
}

void ana_depth_shares(const struct hci_job_result *j, double out[7])
{
    /* fio divides by the I/Os issued, flushes left out, so a sum may pass 100. */
    uint64_t total = 0, counted = 0;
    for (int dir = HCI_DIR_READ; dir <= HCI_DIR_TRIM; dir++)
        total += j->dir[dir].ios;
    for (unsigned i = 0; i < 7; i++) {
        out[i] = (double)j->depth_hist[i];
        counted += j->depth_hist[i];
    }
    /* I/Os in flight at the window's edges are counted on one side only. */
    if (j->dir[HCI_DIR_SYNC].ios == 0)
        total = counted;
    if (total == 0)
        memset(out, 0, 7 * sizeof *out);
    else
        to_percent(out, 7, total, 0.1);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

unsigned ana_percentiles(const struct hci_job *job, double out[HCI_PERCENTILES_MAX])
{
    static const double usual[17] = {1,  5,  10, 20, 30,   40,   50,    60,   70,
                                     80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};
    unsigned n = job ? job->npercentiles : 0;
    if (n == 0) {
        memcpy(out, usual, sizeof usual);
        return 17;
    }
    if (n > HCI_PERCENTILES_MAX)
        n = HCI_PERCENTILES_MAX;
    memcpy(out, job->percentiles, n * sizeof *out);
    qsort(out, n, sizeof *out, ascending);
    return n;
}

void ana_percentile_limits(const struct sim_hist *h, double pct, uint64_t out[3])
{
    double n = (double)h->n, p = pct / 100;
    double half = n > 0 ? 196 * sqrt(p * (1 - p) / n) : 0;
    out[0] = sim_hist_percentile(h, pct);
    out[1] = sim_hist_percentile(h, fmax(pct - half, 1e-9));
    out[2] = sim_hist_percentile(h, fmin(pct + half, 100));
}

uint64_t ana_dir_simulated(const struct hci_dir_result *d, const struct sim_hist *h)
{
    return h->n > d->skipped_ios ? h->n - d->skipped_ios : 0;
}

bool ana_wants_slat_pct(const struct hci_job *job)
{
    return job && job->slat_percentiles;
}
bool ana_wants_clat_pct(const struct hci_job *job)
{
    return ana_shows_clat(job) && (!job || job->clat_percentiles);
}
bool ana_wants_lat_pct(const struct hci_job *job)
{
    return ana_shows_lat(job) && job && job->lat_percentiles;
}

bool ana_shows_clat(const struct hci_job *job)
{
    return !job || !(job->disable_clat || job->gtod_reduce);
}
bool ana_shows_lat(const struct hci_job *job)
{
    return !job || !(job->disable_lat || job->gtod_reduce);
}
bool ana_shows_samples(const struct hci_job *job)
{
    return !job || !(job->disable_bw || job->gtod_reduce);
}
bool ana_reported(const struct hci_job *job)
{
    return !job || job->stats;
}

bool ana_has_slat(const struct hci_job *job, const struct hci_dir_result *d)
{
    if (job && (job->disable_slat || job->gtod_reduce))
        return false;
    if (job && job->engine_class == HCI_ENGINE_SYNC)
        return false;
    if (job && job->engine_class == HCI_ENGINE_NULL && job->iodepth <= 1)
        return false;
    return d->slat_m.n > 0 && d->slat_m.max > 0;
}

int ana_unified(const struct hci_job *job)
{
    return job ? job->unified_rw : 0;
}

static void merge_sampled(struct hci_sampled *into, const struct hci_sampled *from)
{
    /* Windows of two directions coincide: their rates add up. */
    into->min += from->min;
    into->max += from->max;
    into->mean += from->mean;
    into->stddev = sqrt(into->stddev * into->stddev + from->stddev * from->stddev);
    into->samples = sim_max(into->samples, from->samples);
}

void ana_dir_merge(const struct hci_job_result *j, struct hci_dir_result *out)
{
    memset(out, 0, sizeof *out);
    for (int dir = HCI_DIR_READ; dir <= HCI_DIR_TRIM; dir++) {
        const struct hci_dir_result *d = &j->dir[dir];
        if (d->ios == 0)
            continue;
        out->ios += d->ios;
        out->skipped_ios += d->skipped_ios;
        out->bytes += d->bytes;
        out->runtime_ns = sim_max(out->runtime_ns, d->runtime_ns);
        out->iops += d->iops;
        out->bw_Bps += d->bw_Bps;
        sim_hist_merge(&out->slat, &d->slat);
        sim_hist_merge(&out->clat, &d->clat);
        sim_hist_merge(&out->lat, &d->lat);
        ana_moments_merge(&out->slat_m, &d->slat_m);
        ana_moments_merge(&out->clat_m, &d->clat_m);
        ana_moments_merge(&out->lat_m, &d->lat_m);
        merge_sampled(&out->bw_s, &d->bw_s);
        merge_sampled(&out->iops_s, &d->iops_s);
    }
}

double ana_job_iops(const struct hci_job_result *j)
{
    return j->dir[HCI_DIR_READ].iops + j->dir[HCI_DIR_WRITE].iops + j->dir[HCI_DIR_TRIM].iops;
}

double ana_job_bw_Bps(const struct hci_job_result *j)
{
    return j->dir[HCI_DIR_READ].bw_Bps + j->dir[HCI_DIR_WRITE].bw_Bps + j->dir[HCI_DIR_TRIM].bw_Bps;
}

bool ana_group_sum(const struct hci_result *r, unsigned groupid, int dir, struct ana_group *out)
{
    memset(out, 0, sizeof *out);
    out->min_runtime_ns = UINT64_MAX;
    for (unsigned i = 0; i < r->njobs; i++) {
        const struct hci_job_result *j = &r->jobs[i];
        const struct hci_dir_result *d = &j->dir[dir];
        if (j->groupid != groupid || d->bytes == 0)
            continue;
        out->min_Bps = out->bytes == 0 || d->bw_Bps < out->min_Bps ? d->bw_Bps : out->min_Bps;
        out->max_Bps = d->bw_Bps > out->max_Bps ? d->bw_Bps : out->max_Bps;
        out->bytes += d->bytes;
        out->min_runtime_ns = sim_min(out->min_runtime_ns, d->runtime_ns);
        out->max_runtime_ns = sim_max(out->max_runtime_ns, d->runtime_ns);
    }
    if (out->max_runtime_ns)
        out->agg_Bps = (double)out->bytes * 1e9 / (double)out->max_runtime_ns;
    return out->bytes > 0;
}

double ana_bw_share(const struct hci_result *r, const struct hci_job_result *j, int dir)
{
    struct ana_group g;
    if (!ana_group_sum(r, j->groupid, dir, &g) || g.agg_Bps <= 0)
        return 0.0;
    double pct = ana_shows_samples(j->job) ? j->dir[dir].bw_s.mean * 100.0 / g.agg_Bps : 0;
    return pct > 100.0 ? 100.0 : pct;
}

uint64_t ana_ms(uint64_t ns)
{
    return (ns + SIM_MS / 2) / SIM_MS;
}
