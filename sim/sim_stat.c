/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_stat.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "sim_assert.h"

#define MAX_BATCHES 64
#define GROUP       5U /* of MSER-5 */

/* ---- moments ---- */

void sim_moments_merge(struct sim_moments *into, const struct sim_moments *from)
{
    if (from->n == 0)
        return;
    into->min = into->n ? sim_min(into->min, from->min) : from->min;
    into->max = sim_max(into->max, from->max);
    into->n += from->n;
    into->sum += from->sum;
    into->squares += from->squares;
}

double sim_moments_mean(const struct sim_moments *m)
{
    return m->n ? (double)m->sum / (double)m->n : 0;
}

double sim_moments_sd(const struct sim_moments *m)
{
    if (m->n < 2)
        return 0;
    /* Squares around the whole part of the mean, exactly: no digits cancel. */
    uint64_t whole = (uint64_t)(m->sum / m->n), rest = (uint64_t)(m->sum % m->n);
    unsigned __int128 around = m->squares - whole * (m->sum + rest);
    double n = (double)m->n, r = (double)rest;
    double variance = ((double)around - r * (r / n)) / (n - 1);
    return variance > 0 ? sqrt(variance) : 0;
}

/* ---- level ---- */

void sim_level_init(struct sim_level *l, sim_time now, uint64_t value)
{
    *l = (struct sim_level){now, now, value, value, 0};
}

void sim_level_restart(struct sim_level *l, sim_time now)
{
    sim_level_init(l, now, l->value);
}

double sim_level_mean(const struct sim_level *l, sim_time now)
{
    sim_assert(now >= l->last);
    if (now == l->start)
        return (double)l->value;
    unsigned __int128 area = l->area + (unsigned __int128)l->value * (now - l->last);
    return (double)area / (double)(now - l->start);
}

/* ---- series ---- */

double sim_stat_mean(const double *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    return n ? sum / (double)n : 0;
}

/* Sum of squares around `centre`. */
static double squares_around(const double *x, size_t n, double centre)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] - centre) * (x[i] - centre);
    return sum;
}

double sim_stat_sd(const double *x, size_t n)
{
    if (n < 2)
        return 0;
    return sqrt(squares_around(x, n, sim_stat_mean(x, n)) / (double)(n - 1));
}

double sim_stat_lag1(const double *x, size_t n)
{
    double mean = sim_stat_mean(x, n), all = squares_around(x, n, mean), neighbours = 0;
    if (n < 3 || all <= 0)
        return 0;
    for (size_t i = 1; i < n; i++)
        neighbours += (x[i] - mean) * (x[i - 1] - mean);
    return neighbours / all;
}

size_t sim_stat_batch_means(const double *x, size_t n, unsigned batches, double *out)
{
    if (batches == 0 || n < batches)
        return 0;
    size_t length = n / batches;
    x += n % batches;
    for (unsigned b = 0; b < batches; b++)
        out[b] = sim_stat_mean(x + b * length, length);
    return length;
}

struct sim_warmup sim_stat_mser5(const double *x, size_t n)
{
    size_t groups = n / GROUP, cut = 0;
    double centre = sim_stat_mean(x, n); /* only to keep the sums small */
    double sum = 0, squares = 0, best = INFINITY;

    /* From the end backwards, so that each cut adds one group to the sums. */
    for (size_t d = groups; d-- > 0;) {
        double y = sim_stat_mean(x + d * GROUP, GROUP) - centre;
        sum += y;
        squares += y * y;
        double left = (double)(groups - d);
        double error = (squares - sum * (sum / left)) / (left * left);
        if (d <= groups / 2 && error <= best) {
            best = error;
            cut = d * GROUP;
        }
    }
    return (struct sim_warmup){cut, cut > n / 10 || groups < 50};
}

struct sim_trend sim_stat_trend(const double *x, size_t n)
{
    struct sim_trend t = {0, 0, 1};
    if (n < 3)
        return t;
    double mean = sim_stat_mean(x, n), centre = (double)(n - 1) / 2;
    double products = 0, spread = 0, left = 0;

    for (size_t i = 0; i < n; i++) {
        products += ((double)i - centre) * (x[i] - mean);
        spread += ((double)i - centre) * ((double)i - centre);
    }
    t.slope = products / spread;
    t.change = mean != 0 ? t.slope * (double)(n - 1) / fabs(mean) : 0;
    for (size_t i = 0; i < n; i++) {
        double off = x[i] - mean - t.slope * ((double)i - centre);
        left += off * off;
    }
    double error = sqrt(left / (double)(n - 2) / spread);
    if (error > 0)
        t.p_value = 2 * gsl_cdf_tdist_Q(fabs(t.slope) / error, (double)(n - 2));
    else if (t.slope != 0)
        t.p_value = 0;
    return t;
}

/* ---- intervals ---- */

double sim_stat_t(double level, unsigned df)
{
    return gsl_cdf_tdist_Pinv(0.5 + level / 2, df);
}

/* Fills half, lag1 and the doubts that batch values raise by themselves. */
static void judge(struct sim_interval *r, const double *value, unsigned n, double level)
{
    sim_assert(level > 0 && level < 1);
    r->batches = n;
    r->half = INFINITY;
    if (n < 10)
        r->doubts |= SIM_DOUBT_FEW;
    if (n < 2)
        return;
    double sd = sqrt(squares_around(value, n, r->estimate) / (n - 1));
    r->half = sim_stat_t(level, n - 1) * sd / sqrt(n);
    r->lag1 = sim_stat_lag1(value, n);
    if (r->lag1 > 0.3)
        r->doubts |= SIM_DOUBT_CORRELATED;
    if (sd > fabs(r->estimate) / 2)
        r->doubts |= SIM_DOUBT_SPREAD;
    if (n >= 10 && sim_stat_trend(value, n).p_value < 0.001)
        r->doubts |= SIM_DOUBT_DRIFT;
}

struct sim_interval sim_stat_mean_interval(const double *means, unsigned n, double level)
{
    struct sim_interval r = {.estimate = sim_stat_mean(means, n)};
    if (n == 0)
        r.doubts |= SIM_DOUBT_EMPTY;
    judge(&r, means, n, level);
    return r;
}

struct sim_interval sim_stat_paired_interval(const double *a, const double *b, unsigned n,
                                             double level)
{
    double difference[MAX_BATCHES];
    sim_assert(n <= MAX_BATCHES);
    for (unsigned i = 0; i < n; i++)
        difference[i] = a[i] - b[i];
    struct sim_interval r = sim_stat_mean_interval(difference, n, level);
    r.doubts &= ~(unsigned)SIM_DOUBT_SPREAD; /* a difference near 0 is an answer, not a doubt */
    return r;
}

/* The bin where the cumulative count reaches `need`, and how far into it. */
static unsigned find_bin(const struct sim_hist *h, double need, double *part)
{
    uint64_t before = 0;
    unsigned last = 0;
    for (unsigned i = 0; i < SIM_HIST_BINS; i++) {
        if (h->bin[i] == 0)
            continue;
        last = i;
        if ((double)(before + h->bin[i]) >= need)
            break;
        before += h->bin[i];
    }
    double in_bin = (need - (double)before) / (double)h->bin[last];
    *part = in_bin < 0 ? 0 : in_bin > 1 ? 1 : in_bin;
    return last;
}

static double bin_width(unsigned i)
{
    return (double)(sim_hist_upper(i) - sim_hist_lower(i));
}

double sim_stat_percentile(const struct sim_hist *h, double pct)
{
    double part;
    if (h->n == 0)
        return 0;
    unsigned i = find_bin(h, pct / 100 * (double)h->n, &part);
    return (double)sim_hist_lower(i) + part * bin_width(i);
}

/* Whether fewer than 100 of n samples lie beyond pct; 100 of 100,000 beyond 99.9 are enough. */
static bool few_beyond(uint64_t n, double pct)
{
    return (double)n * (1 - pct / 100) < 100 - 1e-6;
}

struct sim_interval sim_stat_quantile_interval(const struct sim_hist *const *batch, unsigned n,
                                               const struct sim_hist *merged, double pct,
                                               double level)
{
    struct sim_interval r = {.half = INFINITY};
    double value[MAX_BATCHES], part;
    unsigned used = 0;

    sim_assert(n <= MAX_BATCHES && pct > 0 && pct < 100);
    if (merged->n == 0) {
        r.doubts = SIM_DOUBT_EMPTY;
        return r;
    }
    r.estimate = sim_stat_percentile(merged, pct);
    for (unsigned i = 0; i < n; i++) {
        if (batch[i]->n == 0)
            continue;
        if (few_beyond(batch[i]->n, pct))
            r.doubts |= SIM_DOUBT_SHORT;
        value[used++] = sim_stat_percentile(batch[i], pct);
    }
    judge(&r, value, used, level);
    r.half = fmax(r.half, bin_width(find_bin(merged, pct / 100 * (double)merged->n, &part)) / 2);
    if (few_beyond(merged->n, pct))
        r.doubts |= SIM_DOUBT_UNRESOLVED;
    return r;
}
