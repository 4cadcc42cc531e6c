/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_stat.h: what a run's numbers are worth.
 *
 * Accumulators count in whole numbers, so sums are exact and merging in any
 * order gives the same bytes. Estimators are pure functions over arrays and
 * histograms, evaluated in one fixed order.
 *
 * Intervals come from batches: consecutive stretches of one run, or whole
 * replications. They cover the truth about as often as they claim only when
 * batches are long against the system's memory; the flags say when there is
 * reason for doubt. Not modelled: bias (a run that is short or starts empty is
 * off by more than its interval tells), non-consecutive sampling, tails beyond
 * the samples.
 * Invariant: no function here allocates, and none keeps its arguments.
 */
#ifndef SIM_STAT_H
#define SIM_STAT_H

#include "sim_hist.h"
#include "sim_types.h"

/* ---- exact moments of whole numbers ---- */

/* Exact for up to 2^32 values below 2^48 (78 hours in ns); larger values enter
 * the sums as 2^48 - 1. All zero is the empty state. */
struct sim_moments {
    uint64_t n, min, max;
    unsigned __int128 sum, squares;
};

static inline void sim_moments_add(struct sim_moments *m, uint64_t x)
{
    uint64_t v = sim_min(x, (1ULL << 48) - 1);
    m->min = m->n ? sim_min(m->min, x) : x;
    m->max = sim_max(m->max, x);
    m->n++;
    m->sum += v;
    m->squares += (unsigned __int128)v * v;
}

void sim_moments_merge(struct sim_moments *into, const struct sim_moments *from);

/* 0 when empty. */
double sim_moments_mean(const struct sim_moments *m);

/* Sample standard deviation (n - 1); 0 for fewer than two values. */
double sim_moments_sd(const struct sim_moments *m);

/* ---- time-weighted mean of a level (queue length, units busy) ---- */

/* The area is exact while level x time stays below 2^128. */
struct sim_level {
    sim_time start, last; /* of the window; of the newest change */
    uint64_t value, max;
    unsigned __int128 area; /* value x ns up to last */
};

void sim_level_init(struct sim_level *l, sim_time now, uint64_t value);

/* now must not be before the newest change. */
static inline void sim_level_set(struct sim_level *l, sim_time now, uint64_t value)
{
    l->area += (unsigned __int128)l->value * (now - l->last);
    l->last = now;
    l->value = value;
    l->max = sim_max(l->max, value);
}

/* A new window from now on, at the present value. */
void sim_level_restart(struct sim_level *l, sim_time now);

/* Mean from the window's start to now; the present value for an empty window. */
double sim_level_mean(const struct sim_level *l, sim_time now);

/* ---- series ---- */

double sim_stat_mean(const double *x, size_t n); /* 0 for n = 0 */
double sim_stat_sd(const double *x, size_t n);   /* n - 1; 0 for n < 2 */

/* Lag-1 autocorrelation, -1 to 1; 0 for n < 3 or a constant series. */
double sim_stat_lag1(const double *x, size_t n);

/* Means of `batches` equal consecutive stretches into out. The n % batches
 * oldest values are left out. Returns the stretch length; 0 when n < batches
 * or batches is 0 (out is untouched). */
size_t sim_stat_batch_means(const double *x, size_t n, unsigned batches, double *out);

/* MSER-5 (White): the warm-up to cut is the one that minimises the standard
 * error of what is left, in groups of five, looking at the first half only. */
struct sim_warmup {
    size_t cut;   /* observations to leave out, a multiple of 5 */
    bool suspect; /* cut beyond 10 % of the run, or fewer than 50 groups: the run is short */
};

struct sim_warmup sim_stat_mser5(const double *x, size_t n);

/* Straight-line fit of x over its index. */
struct sim_trend {
    double slope;   /* per observation */
    double change;  /* over the whole series, relative to its mean; 0 when that is 0 */
    double p_value; /* chance of such a slope without a drift, if values are independent */
};

/* slope 0 and p_value 1 for n < 3. Use batch means: neighbours that resemble
 * each other make the p_value too small. */
struct sim_trend sim_stat_trend(const double *x, size_t n);

/* ---- intervals ---- */

/* Student's t: -t to t holds `level` in (0, 1); df >= 1. */
double sim_stat_t(double level, unsigned df);

enum sim_doubt {
    SIM_DOUBT_FEW = 1,         /* fewer than 10 batches */
    SIM_DOUBT_CORRELATED = 2,  /* lag-1 autocorrelation of batches above 0.3 */
    SIM_DOUBT_SHORT = 4,       /* quantile: a batch has fewer than 100 / (1 - p) samples */
    SIM_DOUBT_SPREAD = 8,      /* batches differ by more than half the estimate (sd) */
    SIM_DOUBT_DRIFT = 16,      /* batches rise or fall (p < 0.001) */
    SIM_DOUBT_UNRESOLVED = 32, /* quantile: fewer than 100 samples beyond it in all */
    SIM_DOUBT_EMPTY = 64       /* nothing to estimate from; the estimate is 0 */
};

struct sim_interval {
    double estimate, half; /* estimate - half .. estimate + half; half is infinite for 1 batch */
    double lag1;           /* of the batch values */
    unsigned batches;      /* that held samples */
    unsigned doubts;       /* enum sim_doubt, or-ed; 0: reliable */
};

/* Mean of n batch (or replication) means with its t interval; level in (0, 1). */
struct sim_interval sim_stat_mean_interval(const double *means, unsigned n, double level);

/* Percentile pct in (0, 100) by sectioning: the estimate is the merged
 * histogram's, the spread that of the batches around it. Interpolated inside
 * bins; half is never below half the estimate's bin. Empty batches are skipped;
 * n up to 64, merged equals the sum of the batches. */
struct sim_interval sim_stat_quantile_interval(const struct sim_hist *const *batch, unsigned n,
                                               const struct sim_hist *merged, double pct,
                                               double level);

/* Interpolated percentile of a histogram, in ns; 0 when empty. */
double sim_stat_percentile(const struct sim_hist *h, double pct);

/* Difference of pairs a[i] - b[i] (same seed, two systems) with its t interval. */
struct sim_interval sim_stat_paired_interval(const double *a, const double *b, unsigned n,
                                             double level);

#endif
