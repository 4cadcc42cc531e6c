/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/hci_stats.h"

#include "sim_assert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct hci_dir_stats *dir_of(struct hci_stats *st, unsigned dir)
{
    struct hci_dir_stats *d = st->dir[dir];
    if (__builtin_expect(d != NULL, 1))
        return d;
    d = calloc(1, sizeof *d);
    sim_assert(d != NULL);
    d->split = calloc(HCI_SPLIT_BINS, sizeof *d->split);
    sim_assert(d->split != NULL);
    d->clat_m.min = d->slat_m.min = d->lat_m.min = UINT64_MAX;
    st->dir[dir] = d;
    return d;
}

void hci_stats_fini(struct hci_stats *st)
{
    for (unsigned i = 0; i < HCI_DIRS; i++) {
        if (!st->dir[i])
            continue;
        free(st->dir[i]->split);
        free(st->dir[i]->intervals);
        free(st->dir[i]);
        st->dir[i] = NULL;
    }
}

void hci_stats_reset(struct hci_stats *st, sim_time now)
{
    hci_stats_fini(st);
    memset(st->depth_hist, 0, sizeof st->depth_hist);
    st->start = now;
    st->last_change = now;
    st->in_flight_area = 0;
}

static void change(struct hci_stats *st, sim_time now)
{
    st->in_flight_area += (unsigned __int128)st->in_flight * (now - st->last_change);
    st->last_change = now;
}

void hci_stats_issue(struct hci_stats *st, sim_time now, unsigned depth)
{
    change(st, now);
    st->in_flight++;
    unsigned level = depth < 2 ? 0 : 31 - (unsigned)__builtin_clz(depth);
    st->depth_hist[level > 6 ? 6 : level]++;
}

void hci_stats_leave(struct hci_stats *st, sim_time now)
{
    change(st, now);
    st->in_flight--;
}

static inline void add(struct hci_moments *m, uint64_t v)
{
    m->n++;
    m->min = sim_min(m->min, v);
    m->max = sim_max(m->max, v);
    m->sum += v;
    m->sum2 += (unsigned __int128)v * v;
}

static struct hci_interval *interval(struct hci_stats *st, struct hci_dir_stats *d, sim_time now)
{
    uint64_t i = (now - st->start) / st->interval_ns;
    while (d->nintervals <= i) {
        if (d->nintervals == d->cap_intervals) {
            d->cap_intervals = d->cap_intervals ? 2 * d->cap_intervals : 256;
            d->intervals = realloc(d->intervals, d->cap_intervals * sizeof *d->intervals);
            sim_assert(d->intervals != NULL);
        }
        d->intervals[d->nintervals++] = (struct hci_interval){0};
    }
    return &d->intervals[i];
}

static void split(struct hci_dir_stats *d, const struct sim_trail *tr, sim_time lat)
{
    struct hci_split *bin = &d->split[sim_hist_index(lat) / 4];
    uint64_t total = 0;
    bin->n++;
    for (uint32_t i = 0; i < tr->n; i++) {
        const struct sim_leg *l = &tr->leg[i];
        uint64_t service = sim_leg_service(l);
        bin->part[sim_leg_part(l)].wait += l->wait;
        bin->part[sim_leg_part(l)].service += service;
        total += l->wait + service;
    }
    sim_assert(total == lat);
}

void hci_stats_record(struct hci_stats *st, unsigned dir, const struct sim_io *io,
                      const struct sim_token *t, uint64_t bytes, sim_time now)
{
    struct hci_dir_stats *d = dir_of(st, dir);
    sim_time lat = now - io->issued;
    sim_time slat = io->submitted == SIM_NEVER ? 0 : io->submitted - io->issued;
    hci_stats_leave(st, now);
    sim_hist_record(&d->clat, lat - slat);
    sim_hist_record(&d->slat, slat);
    sim_hist_record(&d->lat, lat);
    add(&d->clat_m, lat - slat);
    add(&d->slat_m, slat);
    add(&d->lat_m, lat);
    d->bytes += bytes;
    struct hci_interval *iv = interval(st, d, now);
    iv->ios++;
    iv->bytes += bytes;
    iv->lat_sum_ns += lat;
    if (t)
        split(d, &t->trail, lat);
}

/* Mean per I/O and part over the slowest `share` of all; 1: all. */
static void mean_parts(const struct hci_dir_stats *d, double share, struct hci_part_time *out)
{
    double want = share * (double)d->lat.n, got = 0;
    double wait[HCI_PART_COUNT] = {0}, service[HCI_PART_COUNT] = {0};
    for (unsigned b = HCI_SPLIT_BINS; b-- > 0 && got < want;) {
        const struct hci_split *bin = &d->split[b];
        if (bin->n == 0)
            continue;
        double take = fmin(1, (want - got) / (double)bin->n);
        got += take * (double)bin->n;
        for (unsigned p = 0; p < HCI_PART_COUNT; p++) {
            wait[p] += take * (double)bin->part[p].wait;
            service[p] += take * (double)bin->part[p].service;
        }
    }
    for (unsigned p = 0; p < HCI_PART_COUNT && got > 0; p++)
        out[p] = (struct hci_part_time){wait[p] / got, service[p] / got};
}

/* fio's samples: one value per full interval. */
static struct hci_sampled sample(const struct hci_dir_stats *d, double per_s, bool bytes)
{
    struct hci_sampled out = {0};
    double sum = 0, sum2 = 0;
    for (unsigned i = 0; i + 1 < d->nintervals || (i == 0 && d->nintervals); i++) {
        double v = (double)(bytes ? d->intervals[i].bytes : d->intervals[i].ios) * per_s;
        out.min = i ? fmin(out.min, v) : v;
        out.max = fmax(out.max, v);
        sum += v;
        sum2 += v * v;
        out.samples++;
    }
    if (out.samples) {
        out.mean = sum / (double)out.samples;
        out.stddev = sqrt(fmax(0, sum2 / (double)out.samples - out.mean * out.mean));
    }
    return out;
}

void hci_stats_result(const struct hci_stats *st, unsigned dir, sim_time runtime_ns,
                      struct hci_dir_result *out)
{
    const struct hci_dir_stats *d = st->dir[dir];
    *out = (struct hci_dir_result){.runtime_ns = runtime_ns};
    if (!d)
        return;
    double s = (double)runtime_ns * 1e-9, per_s = 1e9 / (double)st->interval_ns;
    out->ios = d->lat.n;
    out->bytes = d->bytes;
    out->iops = (double)out->ios / s;
    out->bw_Bps = (double)out->bytes / s;
    out->clat = d->clat;
    out->slat = d->slat;
    out->lat = d->lat;
    out->clat_m = d->clat_m;
    out->slat_m = d->slat_m;
    out->lat_m = d->lat_m;
    out->bw_s = sample(d, per_s, true);
    out->iops_s = sample(d, per_s, false);
    out->nintervals = d->nintervals;
    out->intervals = malloc((d->nintervals + 1) * sizeof *out->intervals);
    sim_assert(out->intervals != NULL);
    memcpy(out->intervals, d->intervals, d->nintervals * sizeof *out->intervals);
    mean_parts(d, 1, out->mean);
    mean_parts(d, 0.01, out->tail);
}
