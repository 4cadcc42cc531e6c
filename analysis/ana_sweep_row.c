/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_sweep_row.h"

#include "ana_interval.h"
#include "ana_num.h"
#include "ana_sweep_pack.h"
#include "ana_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct ana_metric_info ana_metrics[ANA_NMETRICS] = {
#define X(id, name, column, unit, better, doc) { name, column, unit, better, doc },
    ANA_METRICS(X)
#undef X
};

const char *const ana_point_statuses[] = { "done", "refused", "invalid", "failed" };

/* NAN too when fewer than 100 samples lie beyond it: that is no figure to rank by. */
static double percentile(const struct hci_dir_result *d, double pct)
{
    bool known = ana_resolved(ana_dir_simulated(d, &d->lat), pct);
    return known ? (double)sim_hist_percentile(&d->lat, pct) : NAN;
}

static double mean(const struct hci_moments *m)
{
    return m->n ? ana_moments_mean(m) : NAN;
}

/* Slices of all directions in one, for the intervals. Free with hci_batches_clear. */
static struct hci_batches batches_of(const struct hci_job_result *j)
{
    struct hci_batches all = { 0 };
    for (int dir = HCI_DIR_READ; dir <= HCI_DIR_TRIM; dir++)
        if (j->dir[dir].ios)
            hci_batches_overlay(&all, &j->dir[dir].batches);
    return all;
}

static void fill_halves(double *m, const struct hci_job_result *j, struct hci_dir_result *all)
{
    static const double pct = 99;
    struct ana_limits p99;
    all->batches = batches_of(j);
    if (all->batches.n < 2)
        return;
    struct sim_interval mean_i = hci_batches_mean(&all->batches, HCI_LAT);
    m[ANA_M_MEAN_HALF] = ana_interval_half(&mean_i);
    ana_interval_percentiles(all, HCI_LAT, &pct, 1, &p99);
    if (isfinite(p99.relative) && !(p99.doubts & SIM_DOUBT_UNRESOLVED))
        m[ANA_M_P99_HALF] = p99.relative * (double)p99.ns;
}

/* Of the time measured, how much was simulated. A job's start and end are those
 * of the first replication, what was skipped is the sum over all. */
static double simulated(const struct hci_job_result *j, unsigned reps)
{
    double all = (double)(j->end_ns - j->ramp_end_ns) * (reps > 1 ? reps : 1);
    return all > 0 ? fmax(1 - (double)j->skipped_ns / all, 0) : (double)NAN;
}

static void fill_all(double *m, const struct hci_dir_result *all)
{
    m[ANA_M_MEAN] = mean(&all->lat_m);
    m[ANA_M_P50] = percentile(all, 50);
    m[ANA_M_P99] = percentile(all, 99);
    m[ANA_M_P999] = percentile(all, 99.9);
    m[ANA_M_P9999] = percentile(all, 99.99);
    m[ANA_M_MAX] = all->lat_m.n ? (double)all->lat_m.max : NAN;
    m[ANA_M_IOS] = (double)all->ios;
}

static void fill_row(struct ana_row *row, const struct hci_job_result *j, unsigned reps,
                     struct hci_dir_result *all)
{
    const struct hci_dir_result *rd = &j->dir[HCI_DIR_READ], *wr = &j->dir[HCI_DIR_WRITE];
    double *m = row->m;
    memset(row, 0, sizeof *row);
    snprintf(row->job, sizeof row->job, "%.63s", j->name);
    snprintf(row->bottleneck, sizeof row->bottleneck, "%s", j->bottleneck);
    snprintf(row->next, sizeof row->next, "%s", j->next_bottleneck);
    m[ANA_M_MEAN_HALF] = m[ANA_M_P99_HALF] = NAN;
    ana_dir_merge(j, all);
    fill_all(m, all);
    fill_halves(m, j, all);
    hci_batches_clear(&all->batches);
    m[ANA_M_SIMULATED] = simulated(j, reps);
    m[ANA_M_IOPS] = ana_job_iops(j);
    m[ANA_M_BW] = ana_job_bw_Bps(j);
    m[ANA_M_READ_IOPS] = rd->ios ? rd->iops : NAN;
    m[ANA_M_READ_MEAN] = mean(&rd->lat_m);
    m[ANA_M_READ_P99] = percentile(rd, 99);
    m[ANA_M_WRITE_IOPS] = wr->ios ? wr->iops : NAN;
    m[ANA_M_WRITE_MEAN] = mean(&wr->lat_m);
    m[ANA_M_WRITE_P99] = percentile(wr, 99);
    m[ANA_M_WRITE_P999] = percentile(wr, 99.9);
    m[ANA_M_SYNC_P99] = percentile(&j->dir[HCI_DIR_SYNC], 99);
    m[ANA_M_IN_FLIGHT] = j->mean_in_flight;
    m[ANA_M_BUSY] = j->nresources ? j->resources[0].utilisation : NAN;
    m[ANA_M_BOUND] = j->bound_iops;
}

static void make_room(struct ana_point *p, unsigned n)
{
    if (n <= p->max_rows)
        return;
    struct ana_row *more = realloc(p->row, n * sizeof *more);
    if (!more)
        sim_out_of_memory(n * sizeof *more);
    p->row = more;
    p->max_rows = n;
}

void ana_point_fill(struct ana_point *p, const struct hci_result *r)
{
    struct hci_dir_result *all = malloc(sizeof *all);
    if (!all)
        sim_out_of_memory(sizeof *all);
    make_room(p, r->njobs);
    p->nrows = r->njobs;
    p->events = r->events;
    for (unsigned i = 0; i < r->njobs; i++)
        fill_row(&p->row[i], &r->jobs[i], r->reps, all);
    free(all);
}

void ana_point_fini(struct ana_point *p)
{
    free(p->row);
    p->row = NULL;
    p->nrows = p->max_rows = 0;
}

static void put_point(struct ana_writer *w, const struct ana_point *p, unsigned naxes)
{
    ana_put_u64(w, p->number);
    ana_put_u64(w, (uint64_t)p->status);
    for (unsigned i = 0; i < naxes; i++)
        ana_put_u64(w, p->index[i]);
    ana_put_text(w, p->reason);
    ana_put_f64(w, p->price_eur);
    ana_put_f64(w, p->watts);
    ana_put_f64(w, p->usable_bytes);
    ana_put_u64(w, p->events);
    ana_put_u64(w, p->nrows);
    for (unsigned r = 0; r < p->nrows; r++) {
        ana_put_text(w, p->row[r].job);
        ana_put_text(w, p->row[r].bottleneck);
        ana_put_text(w, p->row[r].next);
        for (unsigned m = 0; m < ANA_M_FIRST_OF_POINT; m++)
            ana_put_f64(w, p->row[r].m[m]);
    }
}

size_t ana_point_pack(const struct ana_point *p, unsigned naxes, unsigned char **buf,
                      size_t *size)
{
    struct ana_writer count = { 0 };
    put_point(&count, p, naxes);
    if (count.n > *size) {
        unsigned char *more = realloc(*buf, count.n);
        if (!more)
            sim_out_of_memory(count.n);
        *buf = more;
        *size = count.n;
    }
    struct ana_writer w = { .at = *buf };
    put_point(&w, p, naxes);
    return w.n;
}

bool ana_point_unpack(struct ana_point *p, unsigned naxes, const unsigned char *bytes, size_t n)
{
    struct ana_reader r = { bytes, n, false };
    p->number = ana_get_u64(&r);
    p->status = (int)ana_get_u64(&r);
    for (unsigned i = 0; i < naxes; i++)
        p->index[i] = (unsigned)ana_get_u64(&r);
    ana_get_text(&r, p->reason, sizeof p->reason);
    p->price_eur = ana_get_f64(&r);
    p->watts = ana_get_f64(&r);
    p->usable_bytes = ana_get_f64(&r);
    p->events = ana_get_u64(&r);
    uint64_t nrows = ana_get_u64(&r);
    if (r.bad || p->status < 0 || p->status >= ANA_POINT_STATUSES || nrows > r.left / 8)
        return false;
    make_room(p, (unsigned)nrows);
    p->nrows = (unsigned)nrows;
    for (unsigned i = 0; i < p->nrows && !r.bad; i++) {
        ana_get_text(&r, p->row[i].job, sizeof p->row[i].job);
        ana_get_text(&r, p->row[i].bottleneck, sizeof p->row[i].bottleneck);
        ana_get_text(&r, p->row[i].next, sizeof p->row[i].next);
        for (unsigned m = 0; m < ANA_M_FIRST_OF_POINT; m++)
            p->row[i].m[m] = ana_get_f64(&r);
    }
    return !r.bad && r.left == 0;
}
