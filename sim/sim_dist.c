/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_dist.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#include "sim_assert.h"
#include "sim_err.h"
#include "sim_gsl.h"
#include "sim_rng.h"

#define MAX_SIGMA 4.0

/* The time at probability p, with q = 1 - p given apart because it is exact. */
typedef double quantile_fn(const void *arg, double p, double q);

/* ---- building the table ---- */

static bool usable(double ns)
{
    return isfinite(ns) && ns >= 0 && ns <= SIM_DIST_MAX_NS;
}

/* Probability above node i of the upper and tail levels. */
static double upper_q(unsigned i)
{
    return (1.0 - (double)i / 512) / 64;
}

static double tail_q(unsigned i)
{
    return ldexp(1.0 - (double)(i % 16) / 32, -12 - (int)(i / 16));
}

/* The node at p = 0, chosen so that the first cell's mean is right: a quantile
 * function may be steep there, and its value at 0 says little. */
static double lowest_node(quantile_fn *fn, const void *arg, double floor_ns, double next)
{
    double sum = 0;
    for (int j = 0; j < 32; j++) {
        double p = (j + 0.5) / 32 / 512;
        sum += fn(arg, p, 1 - p) - next;
    }
    double node = next + 2 * sum / 32;
    return node > floor_ns ? node : floor_ns;
}

/* Halved cell sums weighted in units of 2^-38, so that the total is exact. */
static double table_mean(const struct sim_dist *d)
{
    unsigned __int128 sum = 0;
    for (unsigned i = 0; i < SIM_DIST_CELLS; i++) {
        uint64_t body = ((uint64_t)d->body[i] + d->body[i + 1]) << d->shift;
        sum += (unsigned __int128)(2 * d->min_ns + body) << 28;
        sum += (unsigned __int128)(d->upper[i] + d->upper[i + 1]) << 22;
    }
    for (unsigned i = 0; i < SIM_DIST_TAIL; i++)
        sum += (unsigned __int128)(d->tail[i] + d->tail[i + 1]) << (20 - i / 16);
    sum += (unsigned __int128)d->tail[SIM_DIST_TAIL] << 6;
    return ldexp((double)sum, -38);
}

/* Whole ns, never below what came before. */
static bool put_node(uint64_t *node, uint64_t floor_ns, double ns)
{
    if (!usable(ns))
        return false;
    *node = sim_max(floor_ns, (uint64_t)(ns + 0.5));
    return true;
}

static bool fill_body(struct sim_dist *d, quantile_fn *fn, const void *arg, double floor_ns)
{
    uint64_t node[SIM_DIST_CELLS + 1];
    double next = fn(arg, 1.0 / 512, 511.0 / 512);

    if (!put_node(&node[0], 0, lowest_node(fn, arg, floor_ns, next)))
        return false;
    for (unsigned i = 1; i <= SIM_DIST_CELLS; i++)
        if (!put_node(&node[i], node[i - 1], fn(arg, i / 512.0, 1 - i / 512.0)))
            return false;
    d->min_ns = node[0];
    d->shift = 0;
    while ((node[SIM_DIST_CELLS] - node[0]) >> d->shift >= UINT32_MAX - 1)
        d->shift++;
    for (unsigned i = 0; i <= SIM_DIST_CELLS; i++)
        d->body[i] = (uint32_t)((node[i] - node[0]) >> d->shift);
    return true;
}

static int fill(struct sim_dist *d, const char *role, quantile_fn *fn, const void *arg,
                double floor_ns)
{
    sim_gsl_quiet(); /* failures come back as NaN and are refused below */
    d->role = sim_role(role);
    if (!fill_body(d, fn, arg, floor_ns))
        return SIM_E_INPUT;
    uint64_t last = d->min_ns + ((uint64_t)d->body[SIM_DIST_CELLS] << d->shift);
    for (unsigned i = 0; i <= SIM_DIST_CELLS; i++) {
        if (!put_node(&d->upper[i], last, fn(arg, 1 - upper_q(i), upper_q(i))))
            return SIM_E_INPUT;
        last = d->upper[i];
    }
    for (unsigned i = 0; i <= SIM_DIST_TAIL; i++) {
        if (!put_node(&d->tail[i], last, fn(arg, 1 - tail_q(i), tail_q(i))))
            return SIM_E_INPUT;
        last = d->tail[i];
    }
    d->mean_ns = table_mean(d);
    return SIM_OK;
}

/* ---- the distributions ---- */

static double constant_quantile(const void *arg, double p, double q)
{
    (void)p, (void)q;
    return *(const double *)arg;
}

int sim_dist_constant(struct sim_dist *d, const char *role, double ns)
{
    return fill(d, role, constant_quantile, &ns, ns);
}

static double exponential_quantile(const void *arg, double p, double q)
{
    double mean = *(const double *)arg;
    return p < 0.5 ? gsl_cdf_exponential_Pinv(p, mean) : gsl_cdf_exponential_Qinv(q, mean);
}

int sim_dist_exponential(struct sim_dist *d, const char *role, double mean_ns)
{
    if (!usable(mean_ns))
        return SIM_E_INPUT;
    return fill(d, role, exponential_quantile, &mean_ns, 0);
}

struct lognormal {
    double shift, median, sigma; /* ns, ns, - */
};

static bool lognormal_valid(const struct lognormal *l)
{
    return usable(l->shift) && usable(l->median) && l->median > 0 && l->sigma >= 0 &&
           l->sigma <= MAX_SIGMA;
}

static double lognormal_quantile(const void *arg, double p, double q)
{
    const struct lognormal *l = arg;
    double z = 0;
    if (l->sigma > 0)
        z = p < 0.5 ? gsl_cdf_ugaussian_Pinv(p) : gsl_cdf_ugaussian_Qinv(q);
    return l->shift + l->median * exp(l->sigma * z);
}

int sim_dist_lognormal(struct sim_dist *d, const char *role, double shift_ns, double median_ns,
                       double sigma)
{
    struct lognormal l = {shift_ns, median_ns, sigma};
    if (!lognormal_valid(&l))
        return SIM_E_INPUT;
    return fill(d, role, lognormal_quantile, &l, shift_ns);
}

int sim_dist_lognormal_mean(struct sim_dist *d, const char *role, double mean_ns, double cv)
{
    if (!(cv >= 0))
        return SIM_E_INPUT;
    double spread = 1 + cv * cv;
    return sim_dist_lognormal(d, role, 0, mean_ns / sqrt(spread), sqrt(log(spread)));
}

struct gamma {
    double shape, scale; /* -, ns */
};

/* GSL's inverse gives up at some extreme shapes; halving an interval never does. */
static double gamma_bisect(const struct gamma *g, double p, double q)
{
    double lo = 0, hi = g->shape * g->scale;
    while (gsl_cdf_gamma_Q(hi, g->shape, g->scale) > q)
        hi *= 2;
    for (int i = 0; i < 200 && hi - lo > 1e-4; i++) {
        double mid = (lo + hi) / 2;
        bool below = p < 0.5 ? gsl_cdf_gamma_P(mid, g->shape, g->scale) < p
                             : gsl_cdf_gamma_Q(mid, g->shape, g->scale) > q;
        *(below ? &lo : &hi) = mid;
    }
    return (lo + hi) / 2;
}

static double gamma_quantile(const void *arg, double p, double q)
{
    const struct gamma *g = arg;
    double x = p < 0.5 ? gsl_cdf_gamma_Pinv(p, g->shape, g->scale)
                       : gsl_cdf_gamma_Qinv(q, g->shape, g->scale);
    if (isfinite(x) && x >= 0) {
        double back = p < 0.5 ? gsl_cdf_gamma_P(x, g->shape, g->scale) / p
                              : gsl_cdf_gamma_Q(x, g->shape, g->scale) / q;
        if (fabs(back - 1) < 1e-8)
            return x;
    }
    return gamma_bisect(g, p, q);
}

int sim_dist_gamma(struct sim_dist *d, const char *role, double mean_ns, double cv)
{
    if (!usable(mean_ns) || mean_ns <= 0 || !(cv >= 0 && cv <= 10))
        return SIM_E_INPUT;
    if (cv < 1e-3) /* narrower than the table resolves for any mean below a millisecond */
        return sim_dist_lognormal_mean(d, role, mean_ns, cv);
    struct gamma g = {1 / (cv * cv), mean_ns * cv * cv};
    return fill(d, role, gamma_quantile, &g, 0);
}

struct range {
    double lo, hi; /* ns */
};

static double uniform_quantile(const void *arg, double p, double q)
{
    const struct range *r = arg;
    return p < 0.5 ? r->lo + p * (r->hi - r->lo) : r->hi - q * (r->hi - r->lo);
}

int sim_dist_uniform(struct sim_dist *d, const char *role, double lo_ns, double hi_ns)
{
    struct range r = {lo_ns, hi_ns};
    if (!usable(lo_ns) || !usable(hi_ns) || lo_ns > hi_ns)
        return SIM_E_INPUT;
    return fill(d, role, uniform_quantile, &r, lo_ns);
}

struct mixture {
    struct lognormal body, tail;
    double weight; /* of the tail */
};

static double lognormal_above(const struct lognormal *l, double x)
{
    double y = x - l->shift;
    if (y <= 0)
        return 1;
    if (l->sigma == 0)
        return y < l->median;
    return gsl_cdf_ugaussian_Q(log(y / l->median) / l->sigma);
}

static double lognormal_density(const struct lognormal *l, double x)
{
    double y = x - l->shift;
    if (y <= 0 || l->sigma == 0)
        return 0;
    return gsl_ran_ugaussian_pdf(log(y / l->median) / l->sigma) / (y * l->sigma);
}

/* Newton's step where it stays inside the bracket, else half of it. The mixture's
 * quantile lies between those of its parts. */
static double mixture_quantile(const void *arg, double p, double q)
{
    const struct mixture *m = arg;
    double a = lognormal_quantile(&m->body, p, q), b = lognormal_quantile(&m->tail, p, q);
    double lo = fmin(a, b), hi = fmax(a, b), x = m->weight < q ? a : b;

    for (int i = 0; i < 200 && hi - lo > 1e-4; i++) {
        double above = (1 - m->weight) * lognormal_above(&m->body, x) +
                       m->weight * lognormal_above(&m->tail, x);
        double density = (1 - m->weight) * lognormal_density(&m->body, x) +
                         m->weight * lognormal_density(&m->tail, x);
        *(above > q ? &lo : &hi) = x;
        double next = density > 0 ? x + (above - q) / density : lo;
        if (!(next > lo && next < hi))
            next = (lo + hi) / 2;
        if (fabs(next - x) < 1e-3)
            return next;
        x = next;
    }
    return x;
}

int sim_dist_mixture(struct sim_dist *d, const char *role, double shift_ns, double median_ns,
                     double sigma, double tail_weight, double tail_median_ns, double tail_sigma)
{
    struct mixture m = {{shift_ns, median_ns, sigma}, {0, tail_median_ns, tail_sigma}, tail_weight};
    if (!lognormal_valid(&m.body) || !lognormal_valid(&m.tail))
        return SIM_E_INPUT;
    if (!(tail_weight >= 0 && tail_weight <= 1))
        return SIM_E_INPUT;
    return fill(d, role, mixture_quantile, &m, tail_weight > 0 ? 0 : shift_ns);
}

struct points {
    const double *p, *ns;
    unsigned n;
};

static double points_quantile(const void *arg, double p, double q)
{
    const struct points *t = arg;
    unsigned i = 0;
    while (i < t->n && t->p[i] < p)
        i++;
    if (i == 0)
        return t->ns[0];
    if (i == t->n)
        return t->ns[t->n - 1];
    double p0 = t->p[i - 1], p1 = t->p[i];
    double part = (p - p0) / (p1 - p0);
    if (p0 >= 0.9 && p1 < 1)
        part = log(q / (1 - p0)) / log((1 - p1) / (1 - p0));
    return t->ns[i - 1] + part * (t->ns[i] - t->ns[i - 1]);
}

int sim_dist_quantiles(struct sim_dist *d, const char *role, const double *p, const double *ns,
                       unsigned n)
{
    struct points t = {p, ns, n};
    if (n == 0)
        return SIM_E_INPUT;
    for (unsigned i = 0; i < n; i++) {
        if (!(p[i] >= 0 && p[i] <= 1) || !usable(ns[i]))
            return SIM_E_INPUT;
        if (i > 0 && (p[i] <= p[i - 1] || ns[i] < ns[i - 1]))
            return SIM_E_INPUT;
    }
    return fill(d, role, points_quantile, &t, ns[0]);
}

/* ---- drawing ---- */

/* a + (b - a) * part / 2^32, rounded. */
static sim_time between(uint64_t a, uint64_t b, uint64_t part)
{
    return a + (uint64_t)(((unsigned __int128)(b - a) * part + (1ULL << 31)) >> 32);
}

sim_time sim_dist_draw_upper(const struct sim_dist *d, uint64_t u)
{
    uint64_t v = u << 6; /* position within the last 1/64 */
    if (v < 63ULL << 58)
        return between(d->upper[v >> 55], d->upper[(v >> 55) + 1], (v >> 23) & UINT32_MAX);

    uint64_t above = ~u; /* 2^64 (1 - p), less than 2^52 */
    if (above < 1ULL << 32)
        return d->tail[SIM_DIST_TAIL];
    unsigned zeros = (unsigned)__builtin_clzll(above);
    uint64_t down = ~(above << (zeros + 1)); /* position within this halving */
    uint64_t i = (zeros - 12) * 16 + (down >> 60);
    return between(d->tail[i], d->tail[i + 1], (down >> 28) & UINT32_MAX);
}

static uint64_t mul_high(uint64_t a, uint64_t b)
{
    return (uint64_t)(((unsigned __int128)a * b) >> 64);
}

/* r^n for r in units of 2^-64, n >= 1. */
static uint64_t power(uint64_t r, unsigned n)
{
    uint64_t result = UINT64_MAX;
    for (; n; n >>= 1) {
        if (n & 1)
            result = mul_high(result, r);
        r = mul_high(r, r);
    }
    return result;
}

/* The k-th root of u / 2^64 in the same units: Newton from 1 downwards, where
 * r^k is convex and every step stays above the root. */
static uint64_t root(uint64_t u, unsigned k)
{
    uint64_t r = UINT64_MAX;
    u |= 1;
    for (int i = 0; i < 200; i++) {
        uint64_t slope = power(r, k - 1); /* over k */
        uint64_t high = mul_high(slope, r);
        if (high <= u)
            break;
        uint64_t step = (uint64_t)(((unsigned __int128)((high - u) / k) << 64) / slope);
        if (step == 0)
            break;
        r -= step;
    }
    return r;
}

sim_time sim_dist_draw_max(const struct sim_dist *d, uint64_t u, unsigned k)
{
    sim_assert(k > 0);
    return sim_dist_draw(d, k == 1 ? u : root(u, k));
}
