/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Time that is skipped: the window before it stands for it.
 */
#include "workload/hci_stats.h"

#include "sim_assert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SLICES 20

static struct hci_record *blank(void)
{
    struct hci_record *r = calloc(1, sizeof *r);
    sim_assert(r != NULL);
    r->split = calloc(HCI_SPLIT_BINS, sizeof *r->split);
    sim_assert(r->split != NULL);
    return r;
}

static void copy_record(struct hci_record *to, const struct hci_record *from)
{
    struct hci_split *split = to->split;
    *to = *from;
    to->split = split;
    memcpy(split, from->split, HCI_SPLIT_BINS * sizeof *split);
}

/* Time in which what is in flight is served twice. */
static sim_time slice_for(const struct hci_stats *st)
{
    unsigned __int128 sum = 0;
    uint64_t n = 0;
    for (unsigned i = HCI_DIR_READ; i <= HCI_DIR_TRIM; i++) {
        sum += st->dir[i] ? st->dir[i]->all.lat_m.sum : 0;
        n += st->dir[i] ? st->dir[i]->all.lat_m.n : 0;
    }
    return sim_max(HCI_FIRST_SLICE_NS, n ? (sim_time)(2 * sum / n) : 0);
}

static unsigned join_alike(struct hci_slice *s, unsigned n)
{
    unsigned left = 0;
    for (unsigned k = 0; k < n; k++) {
        if (left && s[left - 1].window == s[k].window) {
            hci_slice_join(&s[left - 1], &s[k]);
        } else if (left++ != k) {
            s[left - 1] = s[k];
            s[k] = (struct hci_slice){0};
        }
    }
    return left;
}

/* From then on windows are the units: one slice each. */
static void join_windows(struct hci_stats *st)
{
    unsigned left = st->nslices;
    for (unsigned i = 0; i < HCI_DIRS; i++)
        if (st->dir[i])
            left = join_alike(st->dir[i]->slice, st->nslices);
    st->nslices = left;
}

void hci_stats_window(struct hci_stats *st, sim_time now, bool new_stratum)
{
    if (now > st->slice_start)
        hci_stats_cut(st, now);
    if (++st->window > HCI_FEW_WINDOWS)
        join_windows(st);
    st->next_look = st->nslices;
    if (new_stratum) {
        st->stratum++;
        st->most_slices = st->nslices + HCI_SLICES;
        st->next_look = st->nslices + LEAST_SLICES;
    }
    st->slice_ns = slice_for(st);
    st->slice_start = now;
    st->slice_end = now + st->slice_ns;
    st->window_start = now;
    st->mark_area = st->in_flight_area + (unsigned __int128)st->in_flight * (now - st->last_change);
    for (unsigned i = 0; i < HCI_DIRS; i++) {
        struct hci_dir_stats *d = st->dir[i];
        if (!d)
            continue;
        d->mark = d->mark ? d->mark : blank();
        copy_record(d->mark, &d->all);
    }
}

uint64_t hci_stats_window_ios(const struct hci_stats *st, unsigned dir)
{
    const struct hci_dir_stats *d = st->dir[dir];
    return d ? d->all.lat.n - (d->mark ? d->mark->lat.n : 0) : 0;
}

/* ---- the window's record once more, times num / den ---- */

struct ratio {
    uint64_t num, den;
};

static unsigned __int128 scaled(unsigned __int128 v, const struct ratio *q)
{
    return v / q->den * q->num + v % q->den * q->num / q->den;
}

static void scale_hist(struct sim_hist *to, const struct sim_hist *now, const struct sim_hist *then,
                       const struct ratio *q)
{
    unsigned __int128 carry = 0; /* so that the bins sum to num */
    for (unsigned i = 0; i < SIM_HIST_BINS; i++) {
        unsigned __int128 v = (unsigned __int128)(now->bin[i] - then->bin[i]) * q->num + carry;
        to->bin[i] += (uint64_t)(v / q->den);
        carry = v % q->den;
    }
    to->n += q->num;
}

static void scale_moments(struct hci_moments *to, const struct hci_moments *now,
                          const struct hci_moments *then, const struct ratio *q)
{
    to->n += q->num;
    to->sum += scaled(now->sum - then->sum, q);
    to->sum2 += scaled(now->sum2 - then->sum2, q);
}

static void scale_split(struct hci_split *to, const struct hci_split *now,
                        const struct hci_split *then, const struct ratio *q)
{
    unsigned __int128 carry = 0;
    for (unsigned b = 0; b < HCI_SPLIT_BINS; b++) {
        unsigned __int128 n = (unsigned __int128)(now[b].n - then[b].n) * q->num + carry;
        to[b].n += (uint64_t)(n / q->den);
        carry = n % q->den;
        if (now[b].n == then[b].n)
            continue;
        for (unsigned p = 0; p < HCI_PART_COUNT; p++) {
            to[b].part[p].wait += (uint64_t)scaled(now[b].part[p].wait - then[b].part[p].wait, q);
            to[b].part[p].service +=
                (uint64_t)scaled(now[b].part[p].service - then[b].part[p].service, q);
        }
    }
}

static void scale_record(struct hci_record *to, const struct hci_record *now,
                         const struct hci_record *then, const struct ratio *q)
{
    scale_hist(&to->clat, &now->clat, &then->clat, q);
    scale_hist(&to->slat, &now->slat, &then->slat, q);
    scale_hist(&to->lat, &now->lat, &then->lat, q);
    scale_moments(&to->clat_m, &now->clat_m, &then->clat_m, q);
    scale_moments(&to->slat_m, &now->slat_m, &then->slat_m, q);
    scale_moments(&to->lat_m, &now->lat_m, &then->lat_m, q);
    scale_split(to->split, now->split, then->split, q);
}

/* Spreads what was skipped over the intervals of the series it would lie in. */
static void spread(struct hci_stats *st, struct hci_dir_stats *d, sim_time from, sim_time ns,
                   const uint64_t total[3])
{
    uint64_t given[3] = {0};
    for (sim_time at = 0; at < ns;) {
        struct hci_interval *iv = hci_stats_interval(st, d, from + at);
        uint64_t part[3];
        at += sim_min(ns - at, st->interval_ns - (from + at) % st->interval_ns);
        for (unsigned k = 0; k < 3; k++) {
            uint64_t upto = (uint64_t)((unsigned __int128)total[k] * at / ns);
            part[k] = upto - given[k];
            given[k] = upto;
        }
        iv->ios += part[0];
        iv->bytes += part[1];
        iv->lat_sum_ns += part[2];
    }
}

static void skip_dir(struct hci_stats *st, unsigned dir, sim_time now, sim_time ns, uint64_t ios,
                     uint64_t bytes)
{
    struct hci_dir_stats *d = hci_stats_dir(st, dir);
    struct ratio q = {ios + d->owed, hci_stats_window_ios(st, dir)};
    d->mark = d->mark ? d->mark : blank(); /* its first I/O came within the window */
    d->extra = d->extra ? d->extra : blank();
    d->extra->bytes += bytes;
    d->owed = q.den ? 0 : q.num;
    if (!q.den || !q.num)
        return;
    scale_record(d->extra, &d->all, d->mark, &q);
    uint64_t sum = (uint64_t)scaled(d->all.lat_m.sum - d->mark->lat_m.sum, &q);
    spread(st, d, now + st->skipped - st->start, ns, (uint64_t[3]){q.num, bytes, sum});
    for (unsigned i = st->nslices; i-- > 0 && d->slice[i].window == st->window;)
        d->slice[i].weight = (double)(q.den + q.num) / (double)q.den;
}

void hci_stats_skip(struct hci_stats *st, sim_time now, sim_time ns, const uint64_t ios[HCI_DIRS],
                    const uint64_t bytes[HCI_DIRS])
{
    unsigned __int128 area =
        st->in_flight_area + (unsigned __int128)st->in_flight * (now - st->last_change);
    struct ratio q = {ns, now - st->window_start};
    sim_assert(q.den > 0);
    if (now > st->slice_start)
        hci_stats_cut(st, now);
    for (unsigned i = 0; i < HCI_DIRS; i++)
        if (ios[i])
            skip_dir(st, i, now, ns, ios[i], bytes[i]);
    st->extra_area += scaled(area - st->mark_area, &q);
    st->skipped += ns;
}

/* ---- how precise the present stratum is ---- */

/* Neighbours that resemble each other tell less than they seem to: as many less
 * as in a first-order autoregressive series. */
static double widened(const struct sim_interval *i)
{
    double r = fmin(fmax(i->lag1, 0), 0.9);
    return hci_relative(i) * sqrt((1 + r) / (1 - r));
}

static double dir_precision(const struct hci_batches *b)
{
    const double pct = 99;
    struct sim_hist *all = calloc(1, sizeof *all);
    struct sim_interval mean = hci_batches_mean(b, HCI_CLAT), p99;
    sim_assert(all != NULL);
    for (unsigned i = 0; i < b->n; i++)
        for (unsigned k = 0; k < b->slice[i].nbins[HCI_CLAT]; k++) {
            const struct hci_bin *bin = &b->slice[i].bins[HCI_CLAT][k];
            uint64_t n = (uint64_t)(b->slice[i].weight * bin->n + 0.5);
            all->bin[bin->bin] += n;
            all->n += n;
        }
    hci_batches_percentiles(b, HCI_CLAT, all, &pct, 1, &p99);
    free(all);
    if ((mean.doubts | p99.doubts) & (SIM_DOUBT_FEW | SIM_DOUBT_EMPTY))
        return INFINITY;
    return fmax(widened(&mean), widened(&p99));
}

static unsigned stratum_slices(const struct hci_stats *st, const struct hci_dir_stats *d)
{
    unsigned n = 0;
    while (n < st->nslices && d->slice[st->nslices - 1 - n].stratum == st->stratum)
        n++;
    return n;
}

static unsigned window_slices(const struct hci_stats *st, const struct hci_dir_stats *d)
{
    unsigned n = 0;
    while (n < st->nslices && d->slice[st->nslices - 1 - n].window == st->window)
        n++;
    return n;
}

/* Of the last n slices of a direction, the present window's with this weight. */
static double last_precision(const struct hci_stats *st, const struct hci_dir_stats *d, unsigned n,
                             double weight)
{
    struct hci_batches b = {HCI_BATCH_SAMPLED, n, malloc((n + 1) * sizeof *b.slice)};
    sim_assert(b.slice != NULL);
    memcpy(b.slice, d->slice + st->nslices - n, n * sizeof *b.slice);
    for (unsigned k = n; k-- > 0 && b.slice[k].window == st->window;)
        b.slice[k].weight = weight;
    double half = dir_precision(&b);
    free(b.slice);
    return half;
}

double hci_stats_precision(struct hci_stats *st, double weight)
{
    double worst = 0;
    if (st->nslices < st->next_look)
        return INFINITY;
    st->next_look = st->nslices + LEAST_SLICES / 4;
    for (unsigned i = HCI_DIR_READ; i <= HCI_DIR_TRIM; i++) {
        const struct hci_dir_stats *d = st->dir[i];
        unsigned n = d ? stratum_slices(st, d) : LEAST_SLICES;
        if (n < LEAST_SLICES && n == window_slices(st, d)) /* the stratum's first window */
            return INFINITY;
        worst = fmax(worst, d ? last_precision(st, d, st->nslices, weight) : 0);
    }
    return worst;
}

double hci_stats_window_precision(const struct hci_stats *st)
{
    double worst = 0;
    for (unsigned i = HCI_DIR_READ; i <= HCI_DIR_TRIM; i++) {
        const struct hci_dir_stats *d = st->dir[i];
        worst = fmax(worst, d ? last_precision(st, d, window_slices(st, d), 1) : 0);
    }
    return worst;
}
