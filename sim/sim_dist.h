/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_dist.h: service-time distributions as quantile tables.
 *
 * A distribution is a table of its quantile function, built once at set-up;
 * drawing is one look-up and one interpolation of whole numbers, so a draw is
 * the same on every compiler and machine. Three levels: 504 cells of width
 * 1/512 below 63/64, 504 cells 64 times finer up to 4095/4096, and 16 cells
 * per halving of the rest down to 2^-32; what lies beyond is drawn as the
 * 1 - 2^-32 quantile.
 *
 * Not modelled: the infinite tail, the exact shape below the 1/512 quantile
 * (one cell whose mean is right), dependence between draws (keys see to that).
 * Invariants: draws never decrease as u grows; mean_ns is the mean of the
 * table as drawn, not of the formula; a table never changes after set-up and
 * may be shared between threads.
 *
 * Every builder returns SIM_OK, or SIM_E_INPUT when a parameter is not finite,
 * is out of the stated range, or leads to times above SIM_DIST_MAX_NS; *d is
 * then unusable. `role` names who draws (see sim_rng.h) and is hashed.
 */
#ifndef SIM_DIST_H
#define SIM_DIST_H

#include "sim_types.h"

#define SIM_DIST_CELLS   504
#define SIM_DIST_OCTAVES 20
#define SIM_DIST_TAIL    (SIM_DIST_OCTAVES * 16)
#define SIM_DIST_MAX_NS  1e18 /* 31 years */

struct sim_dist {
    uint64_t role;   /* sim_role(name): enters the draw's key */
    double mean_ns;  /* of the table as drawn */
    sim_time min_ns; /* smallest draw */
    unsigned shift;  /* body entries count 2^shift ns: 0 unless the body spans over 4.29 s */
    uint32_t body[SIM_DIST_CELLS + 1];  /* above min_ns, at p = i/512 */
    uint64_t upper[SIM_DIST_CELLS + 1]; /* ns, at 1 - p = (1 - i/512)/64 */
    uint64_t tail[SIM_DIST_TAIL + 1];   /* ns, at 1 - p = (1 - (i%16)/32)/2^(12 + i/16) */
};

/* Always ns (>= 0, rounded to a whole ns). */
int sim_dist_constant(struct sim_dist *d, const char *role, double ns);

/* Mean >= 0. */
int sim_dist_exponential(struct sim_dist *d, const char *role, double mean_ns);

/* shift + a lognormal of this median: shift >= 0, median > 0, 0 <= sigma <= 4. */
int sim_dist_lognormal(struct sim_dist *d, const char *role, double shift_ns, double median_ns,
                       double sigma);

/* Lognormal by mean (> 0) and coefficient of variation (0 to 2900). */
int sim_dist_lognormal_mean(struct sim_dist *d, const char *role, double mean_ns, double cv);

/* Gamma by mean (> 0) and coefficient of variation (0 to 10; below 0.001 the
 * lognormal stands in, which differs by less than a table cell). */
int sim_dist_gamma(struct sim_dist *d, const char *role, double mean_ns, double cv);

/* 0 <= lo <= hi. */
int sim_dist_uniform(struct sim_dist *d, const char *role, double lo_ns, double hi_ns);

/* Body and rare tail: with probability 1 - tail_weight, shift + lognormal(median,
 * sigma); otherwise lognormal(tail_median, tail_sigma), an absolute time.
 * Ranges as for sim_dist_lognormal; 0 <= tail_weight <= 1. */
int sim_dist_mixture(struct sim_dist *d, const char *role, double shift_ns, double median_ns,
                     double sigma, double tail_weight, double tail_median_ns, double tail_sigma);

/* Measured quantiles: ns[i] at p[i], n >= 1, p strictly rising in [0, 1], ns not
 * falling. Between two points ns is linear in p; where both lie in [0.9, 1) it
 * is linear in log(1 - p), as latency tails are. Flat outside the points. */
int sim_dist_quantiles(struct sim_dist *d, const char *role, const double *p, const double *ns,
                       unsigned n);

/* The draw for u >= 63/64 * 2^64; called by sim_dist_draw. */
sim_time sim_dist_draw_upper(const struct sim_dist *d, uint64_t u);

/* The quantile at u / 2^64, u being 64 uniform bits. */
static inline sim_time sim_dist_draw(const struct sim_dist *d, uint64_t u)
{
    if (__builtin_expect(u >= 63ULL << 58, 0))
        return sim_dist_draw_upper(d, u);
    uint64_t i = u >> 55;
    uint64_t part = (u >> 23) & UINT32_MAX;
    uint64_t a = d->body[i], b = d->body[i + 1];
    return d->min_ns + ((((a << 32) + (b - a) * part + (1ULL << 31)) >> 32) << d->shift);
}

/* The largest of k >= 1 independent draws: the quantile at (u / 2^64)^(1/k),
 * found in whole numbers. Costs about as much as 10 multiplications and a division
 * per Newton step, of which there are usually four to eight. */
sim_time sim_dist_draw_max(const struct sim_dist *d, uint64_t u, unsigned k);

#endif
