/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_pair.c: the figures of one pair.
 */
#include "ana_compare.h"

#include <math.h>
#include <string.h>

#include "ana_num.h"

#define SAME_PCT 5.0
#define CLOSE_PCT 20.0

static const double metric_pct[ANA_METRICS] = {0, 0, 0, 50, 95, 99, 99.9, 99.99};
static const double quantile_pct[ANA_QUANTILES] = {1,  5,  10, 25,   50,   75,   90,
                                                   95, 99, 99.5, 99.9, 99.95, 99.99};

/* By fio's rule: the first bin whose cumulative count reaches it. ns; -1: unknown. */
static double percentile(const struct ana_measured_lat *l, double pct)
{
    for (unsigned i = 0; i < l->npct && l->nbins == 0; i++)
        if (fabs(l->pct[i] - pct) < 1e-6)
            return l->pct_ns[i];
    uint64_t total = 0, sum = 0;
    for (unsigned i = 0; i < l->nbins; i++)
        total += l->bins[i].count;
    double want = pct / 100 * (double)total;
    for (unsigned i = 0; i < l->nbins; i++) {
        sum += l->bins[i].count;
        if ((double)sum >= want)
            return (double)l->bins[i].ns;
    }
    return -1;
}

static int judge(double ratio, double tolerance_pct)
{
    double limit = 1 + (tolerance_pct > 0 ? tolerance_pct : CLOSE_PCT) / 100;
    double off = ratio > 1 ? ratio : 1 / ratio;
    if (off <= fmin(limit, 1 + SAME_PCT / 100))
        return ANA_V_SAME;
    if (off <= limit)
        return ANA_V_CLOSE;
    return ratio > 1 ? ANA_V_HIGH : ANA_V_LOW;
}

static void set_metric(struct ana_metric *m, double sim, double measured, double tolerance_pct)
{
    m->sim = sim > 0 ? sim : 0;
    m->measured = measured > 0 ? measured : 0;
    m->verdict = ANA_V_ABSENT;
    if (!(sim > 0) || !(measured > 0))
        return;
    m->ratio = sim / measured;
    m->verdict = judge(m->ratio, tolerance_pct);
}

static const struct ana_measured_lat *lat_of(const struct ana_measured_dir *d, bool clat)
{
    return clat ? &d->clat : &d->lat;
}

static bool has_quantiles(const struct ana_measured_lat *l)
{
    return l->npct > 0 || l->nbins > 0;
}

static double total(const struct ana_measured_lat *l)
{
    double n = 0;
    for (unsigned i = 0; i < l->nbins; i++)
        n += (double)l->bins[i].count;
    return n;
}

/* The largest vertical distance of the two distribution functions. */
static void distance(struct ana_pair *p, const struct ana_measured_lat *a,
                     const struct ana_measured_lat *b)
{
    double na = total(a), nb = total(b), fa = 0, fb = 0;
    unsigned i = 0, k = 0;
    p->has_ks = na > 0 && nb > 0;
    while (p->has_ks && (i < a->nbins || k < b->nbins)) {
        uint64_t x = i < a->nbins ? a->bins[i].ns : UINT64_MAX;
        uint64_t y = k < b->nbins ? b->bins[k].ns : UINT64_MAX, at = sim_min(x, y);
        fa += i < a->nbins && x == at ? (double)a->bins[i++].count : 0;
        fb += k < b->nbins && y == at ? (double)b->bins[k++].count : 0;
        double d = fabs(fa / na - fb / nb);
        if (d > p->ks) {
            p->ks = d;
            p->ks_us = (double)at / 1000;
        }
    }
}

void ana_pair_fill(struct ana_pair *p, double tolerance_pct)
{
    const struct ana_measured_dir *s = &p->sim->dir[p->dir], *m = &p->measured->dir[p->dir];
    bool clat = has_quantiles(&m->clat) && (has_quantiles(&s->clat) || !has_quantiles(&s->lat));
    bool mean_lat = m->lat.n > 0 && s->lat.n > 0;
    const struct ana_measured_lat *ls = lat_of(s, clat), *lm = lat_of(m, clat);
    p->kind = clat ? "clat" : "lat";
    p->mean_kind = mean_lat ? "lat" : "clat";
    p->n_sim = ls->n;
    p->n_measured = lm->n;
    set_metric(&p->m[ANA_M_IOPS], s->iops, m->iops, tolerance_pct);
    set_metric(&p->m[ANA_M_MBPS], s->bw_Bps / 1e6, m->bw_Bps / 1e6, tolerance_pct);
    set_metric(&p->m[ANA_M_MEAN], lat_of(s, !mean_lat)->mean / 1000,
               lat_of(m, !mean_lat)->mean / 1000, tolerance_pct);
    for (int i = ANA_M_P50; i < ANA_METRICS; i++) {
        struct ana_metric *x = &p->m[i];
        set_metric(x, percentile(ls, metric_pct[i]) / 1000, percentile(lm, metric_pct[i]) / 1000,
                   tolerance_pct);
        if (x->verdict != ANA_V_ABSENT && (!ana_resolved(ls->n, metric_pct[i]) ||
                                           !ana_resolved(lm->n, metric_pct[i])))
            x->verdict = ANA_V_UNRESOLVED;
    }
    for (unsigned i = 0; i < ANA_QUANTILES; i++) {
        double a = percentile(ls, quantile_pct[i]), b = percentile(lm, quantile_pct[i]);
        if (a > 0 && b > 0)
            p->q[p->nq++] = (struct ana_quantile){quantile_pct[i], a / 1000, b / 1000};
    }
    distance(p, ls, lm);
}
