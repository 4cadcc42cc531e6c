/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/hci_stats.h"

#include "sim_assert.h"
#include "workload/hci_sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void *zeroed(size_t n, size_t size)
{
    void *p = calloc(n, size);
    sim_assert(p != NULL);
    return p;
}

struct hci_dir_stats *hci_stats_dir(struct hci_stats *st, unsigned dir)
{
    struct hci_dir_stats *d = st->dir[dir];
    if (__builtin_expect(d != NULL, 1))
        return d;
    d = zeroed(1, sizeof *d);
    d->all.split = zeroed(HCI_SPLIT_BINS, sizeof *d->all.split);
    d->all.clat_m.min = d->all.slat_m.min = d->all.lat_m.min = UINT64_MAX;
    d->slice = zeroed(st->cap_slices + 1, sizeof *d->slice);
    for (unsigned i = 0; i < HCI_DIRS; i++) /* slices lie alike in every direction */
        for (unsigned k = 0; st->dir[i] && k < st->nslices; k++) {
            const struct hci_slice *s = &st->dir[i]->slice[k];
            d->slice[k] = (struct hci_slice){
                .ns = s->ns, .window = s->window, .stratum = s->stratum, .weight = s->weight};
        }
    st->dir[dir] = d;
    return d;
}

static void free_record(struct hci_record *r)
{
    if (r)
        free(r->split);
    free(r);
}

void hci_stats_fini(struct hci_stats *st)
{
    for (unsigned i = 0; i < HCI_DIRS; i++) {
        struct hci_dir_stats *d = st->dir[i];
        if (!d)
            continue;
        for (unsigned k = 0; d->slice && k < st->nslices; k++)
            hci_slice_clear(&d->slice[k]);
        free(d->slice);
        free(d->all.split);
        free_record(d->mark);
        free_record(d->extra);
        free(d->intervals);
        free(d);
        st->dir[i] = NULL;
    }
}

void hci_stats_reset(struct hci_stats *st, sim_time now)
{
    hci_stats_fini(st);
    *st = (struct hci_stats){.interval_ns = st->interval_ns,
                             .in_flight = st->in_flight,
                             .issue_sum = st->issue_sum,
                             .start = now,
                             .last_change = now,
                             .slice_ns = HCI_FIRST_SLICE_NS,
                             .slice_start = now,
                             .slice_end = now + HCI_FIRST_SLICE_NS,
                             .most_slices = HCI_SLICES,
                             .window_start = now};
    st->age_at_start = st->in_flight * now - st->issue_sum;
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
    st->issue_sum += now;
    unsigned level = depth < 2 ? 0 : 31 - (unsigned)__builtin_clz(depth);
    st->depth_hist[level > 6 ? 6 : level]++;
}

static void leave(struct hci_stats *st, sim_time issued, sim_time now)
{
    change(st, now);
    st->in_flight--;
    st->issue_sum -= issued;
}

void hci_stats_leave(struct hci_stats *st, sim_time issued, sim_time now)
{
    leave(st, issued, now);
    st->left_sum += now - issued;
}

bool hci_stats_balance(const struct hci_stats *st, sim_time now)
{
    unsigned __int128 spent = st->left_sum, area = st->in_flight_area;
    for (unsigned i = 0; i < HCI_DIRS; i++)
        spent += st->dir[i] ? st->dir[i]->all.lat_m.sum : 0;
    spent += st->in_flight * now - st->issue_sum; /* ages of those still in flight */
    area += (unsigned __int128)st->in_flight * (now - st->last_change);
    return area + st->age_at_start == spent;
}

/* ---- slices ---- */

static void push_slice(struct hci_stats *st, struct hci_dir_stats *d, sim_time ns)
{
    const struct sim_hist *now[HCI_LATS] = {&d->all.clat, &d->all.lat};
    struct sim_hist *before[HCI_LATS] = {&d->cut[HCI_CLAT], &d->cut[HCI_LAT]};
    uint64_t all[HCI_LATS] = {(uint64_t)d->all.clat_m.sum, (uint64_t)d->all.lat_m.sum};
    uint64_t sum[HCI_LATS] = {all[HCI_CLAT] - d->cut_sum[HCI_CLAT],
                              all[HCI_LAT] - d->cut_sum[HCI_LAT]};
    struct hci_slice *s = &d->slice[st->nslices];
    *s = (struct hci_slice){.window = st->window, .stratum = st->stratum, .weight = 1};
    hci_slice_cut(s, ns, before, now, sum);
    memcpy(d->cut_sum, all, sizeof all);
}

/* Joins neighbours of one window. Returns how many slices are left. */
static unsigned join_pairs(struct hci_slice *s, unsigned n)
{
    unsigned to = 0;
    for (unsigned i = 0; i < n; to++) {
        bool pair = i + 1 < n && s[i].window == s[i + 1].window;
        if (to != i) {
            s[to] = s[i];
            s[i] = (struct hci_slice){0};
        }
        if (pair)
            hci_slice_join(&s[to], &s[i + 1]);
        i += pair ? 2 : 1;
    }
    return to;
}

static void grow_slices(struct hci_stats *st)
{
    unsigned cap = st->cap_slices ? 2 * st->cap_slices : HCI_SLICES + 2;
    for (unsigned i = 0; i < HCI_DIRS; i++) {
        struct hci_dir_stats *d = st->dir[i];
        if (!d)
            continue;
        d->slice = realloc(d->slice, (cap + 1) * sizeof *d->slice);
        sim_assert(d->slice != NULL);
    }
    st->cap_slices = cap;
}

void hci_stats_cut(struct hci_stats *st, sim_time at)
{
    unsigned left = 0;
    if (st->nslices >= st->cap_slices)
        grow_slices(st);
    for (unsigned i = 0; i < HCI_DIRS; i++)
        if (st->dir[i])
            push_slice(st, st->dir[i], at - st->slice_start);
    st->nslices++;
    st->slice_start = at;
    st->fresh = true;
    if (st->nslices < st->most_slices)
        return;
    for (unsigned i = 0; i < HCI_DIRS; i++)
        if (st->dir[i])
            left = join_pairs(st->dir[i]->slice, st->nslices);
    st->nslices = left;
    st->slice_ns *= 2;
    st->next_look = left;
    if (2 * left > st->most_slices) /* many windows: those are not joined */
        st->most_slices = 2 * left;
}

static void slices(struct hci_stats *st, sim_time now)
{
    while (now >= st->slice_end) {
        hci_stats_cut(st, st->slice_end);
        st->slice_end += st->slice_ns;
    }
}

/* ---- recording ---- */

struct hci_interval *hci_stats_interval(struct hci_stats *st, struct hci_dir_stats *d,
                                        sim_time since)
{
    uint64_t i = since / st->interval_ns;
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

static void split(struct hci_dir_stats *d, const struct sim_token *t, sim_time lat)
{
    struct hci_split *bin = &d->all.split[sim_hist_index(lat) / 4];
    uint64_t total = 0;
    bin->n++;
    for (const struct sim_leg *l = t->leg; l; l = l->before) {
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
    struct hci_dir_stats *d = hci_stats_dir(st, dir);
    sim_time lat = now - io->issued;
    sim_time slat = io->submitted == SIM_NEVER ? 0 : io->submitted - io->issued;
    if (__builtin_expect(now >= st->slice_end, 0))
        slices(st, now);
    leave(st, io->issued, now);
    sim_hist_record(&d->all.clat, lat - slat);
    sim_hist_record(&d->all.slat, slat);
    sim_hist_record(&d->all.lat, lat);
    hci_moments_record(&d->all.clat_m, lat - slat);
    hci_moments_record(&d->all.slat_m, slat);
    hci_moments_record(&d->all.lat_m, lat);
    d->all.bytes += bytes;
    struct hci_interval *iv = hci_stats_interval(st, d, now + st->skipped - st->start);
    iv->ios++;
    iv->bytes += bytes;
    iv->lat_sum_ns += lat;
    if (t)
        split(d, t, lat);
}

/* ---- result ---- */

/* All that was recorded with what was skipped added to it. */
static void combine(const struct hci_dir_stats *d, struct hci_dir_result *out)
{
    const struct hci_record *a = &d->all, *x = d->extra;
    out->clat = a->clat;
    out->slat = a->slat;
    out->lat = a->lat;
    out->clat_m = a->clat_m;
    out->slat_m = a->slat_m;
    out->lat_m = a->lat_m;
    out->bytes = a->bytes;
    if (x) {
        sim_hist_merge(&out->clat, &x->clat);
        sim_hist_merge(&out->slat, &x->slat);
        sim_hist_merge(&out->lat, &x->lat);
        hci_moments_add(&out->clat_m, &x->clat_m);
        hci_moments_add(&out->slat_m, &x->slat_m);
        hci_moments_add(&out->lat_m, &x->lat_m);
        out->bytes += x->bytes;
        out->skipped_ios = x->lat.n;
    }
    out->ios = out->lat.n;
}

/* Mean per I/O and part over the slowest `share` of all n; 1: all. */
static void mean_parts(const struct hci_dir_stats *d, double share, uint64_t n,
                       struct hci_part_time *out)
{
    double want = share * (double)n, got = 0;
    double wait[HCI_PART_COUNT] = {0}, service[HCI_PART_COUNT] = {0};
    const struct hci_split *of[2] = {d->all.split, d->extra ? d->extra->split : NULL};
    for (unsigned b = HCI_SPLIT_BINS; b-- > 0 && got < want;) {
        double here = (double)of[0][b].n + (of[1] ? (double)of[1][b].n : 0);
        if (here <= 0)
            continue;
        double take = fmin(1, (want - got) / here);
        got += take * here;
        for (unsigned i = 0; i < 2 && of[i]; i++)
            for (unsigned p = 0; p < HCI_PART_COUNT; p++) {
                wait[p] += take * (double)of[i][b].part[p].wait;
                service[p] += take * (double)of[i][b].part[p].service;
            }
    }
    for (unsigned p = 0; p < HCI_PART_COUNT && got > 0; p++)
        out[p] = (struct hci_part_time){wait[p] / got, service[p] / got};
}

/* fio's samples: one value per full interval with I/O in it. */
static struct hci_sampled sample(const struct hci_dir_stats *d, double per_s, bool bytes)
{
    struct hci_moments m = {.min = UINT64_MAX};
    for (unsigned i = 0; i + 1 < d->nintervals; i++)
        if (d->intervals[i].ios)
            hci_moments_record(&m, bytes ? d->intervals[i].bytes : d->intervals[i].ios);
    return hci_sampled_of(&m, per_s);
}

static void intervals(struct hci_stats *st, struct hci_dir_stats *d, struct hci_dir_result *out)
{
    out->nintervals = d->nintervals;
    if (st->interim) { /* the row goes on and keeps its own */
        size_t bytes = d->nintervals * sizeof *d->intervals;
        out->intervals = malloc(bytes + 1);
        sim_assert(out->intervals != NULL);
        if (bytes)
            memcpy(out->intervals, d->intervals, bytes);
        return;
    }
    out->intervals = d->intervals;
    d->intervals = NULL;
    d->nintervals = d->cap_intervals = 0;
    out->batches = (struct hci_batches){st->skipped ? HCI_BATCH_SAMPLED : HCI_BATCH_TIME,
                                        st->nslices, d->slice};
    d->slice = NULL;
}

void hci_stats_result(struct hci_stats *st, unsigned dir, sim_time runtime_ns,
                      struct hci_dir_result *out)
{
    struct hci_dir_stats *d = st->dir[dir];
    *out = (struct hci_dir_result){.runtime_ns = runtime_ns};
    if (!d)
        return;
    double s = (double)runtime_ns * 1e-9, per_s = 1e9 / (double)st->interval_ns;
    combine(d, out);
    out->iops = (double)out->ios / s;
    out->bw_Bps = (double)out->bytes / s;
    out->bw_s = sample(d, per_s, true);
    out->iops_s = sample(d, per_s, false);
    mean_parts(d, 1, out->ios, out->mean);
    mean_parts(d, 0.01, out->ios, out->tail);
    intervals(st, d, out);
    hci_dir_estimate(out);
}
