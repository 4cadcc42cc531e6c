/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab.h: a queueing system under a load, measured; and the comparison of what
 * several seeds measured with what theory says.
 */
#ifndef TESTS_THEORY_LAB_H
#define TESTS_THEORY_LAB_H

#include "check_main.h"

#include <math.h>

#include "sim_sim.h"
#include "sim_stat.h"

#define SEEDS 10
#define LAB_DISTS 8

struct lab {
    struct sim_client client; /* first: the engine hands it back */
    struct sim *s;
    /* Writes I/O number n; u is a uniform word of its own. Its ack is added. */
    void (*fill)(struct lab *l, struct sim_plan *p, uint64_t u);
    unsigned started, limit, warm; /* I/Os; the first `warm` are not measured */
    bool closed;                   /* an acknowledge starts the next */
    struct sim_dist dist[LAB_DISTS + 1];
    unsigned ndists;
    struct sim_dist between; /* arrivals */
    struct sim_moments latency;
    struct sim_hist hist;
    sim_time first, last; /* the window of the measured acknowledges */
    const void *conf;     /* of the test */
};

static inline void lab_start(struct lab *l)
{
    unsigned n = l->started++;
    struct sim_io *io = sim_io_new(l->s, &l->client, sim_key(l->s->seed, n));
    *sim_io_payload(io, unsigned) = n;
    l->fill(l, &io->plan, sim_key(l->s->seed + 1, n));
    sim_ack(&io->plan);
    sim_io_start(l->s, io);
}

static inline void lab_ack(struct sim_client *c, struct sim *s, struct sim_io *io,
                           struct sim_token *t)
{
    struct lab *l = (struct lab *)c;
    (void)t;
    if (*sim_io_payload(io, unsigned) >= l->warm) {
        sim_moments_add(&l->latency, s->now - io->issued);
        sim_hist_record(&l->hist, s->now - io->issued);
        l->first = l->first ? l->first : s->now;
        l->last = s->now;
    }
    if (l->closed && l->started < l->limit)
        lab_start(l);
}

static inline void lab_arrive(struct sim *s, void *ctx)
{
    struct lab *l = ctx;
    lab_start(l);
    if (l->started < l->limit)
        sim_after(s, sim_dist_draw(&l->between, sim_key(s->seed + 2, l->started)), lab_arrive, l);
}

static inline void lab_init(struct lab *l, uint64_t seed, unsigned limit)
{
    *l = (struct lab){.client = {lab_ack, NULL}, .limit = limit, .warm = limit / 10};
    l->s = sim_create(seed, 0);
    ck_assert_ptr_nonnull(l->s);
}

/* The distribution last built in l->dist[l->ndists + 1] joins the run. */
static inline uint16_t lab_dist(struct lab *l)
{
    ck_assert_uint_lt(l->ndists, LAB_DISTS);
    uint16_t handle = sim_add_dist(l->s, &l->dist[++l->ndists]);
    ck_assert_uint_eq(handle, l->ndists);
    return handle;
}

static inline uint16_t lab_exp(struct lab *l, double mean_ns)
{
    ck_assert_int_eq(sim_dist_exponential(&l->dist[l->ndists + 1], "service", mean_ns), 0);
    return lab_dist(l);
}

/* Poisson arrivals, `mean_ns` apart; runs to the end. */
static inline void lab_open(struct lab *l, double mean_ns)
{
    ck_assert_int_eq(sim_dist_exponential(&l->between, "arrivals", mean_ns), 0);
    sim_after(l->s, 0, lab_arrive, l);
    sim_run(l->s, SIM_NEVER);
}

/* n customers; runs to the end. */
static inline void lab_closed(struct lab *l, unsigned n)
{
    l->closed = true;
    for (unsigned i = 0; i < n; i++)
        lab_start(l);
    sim_run(l->s, SIM_NEVER);
}

static inline double lab_mean(const struct lab *l) { return sim_moments_mean(&l->latency); }

/* Acknowledges per ns while measuring. */
static inline double lab_rate(const struct lab *l)
{
    return (double)(l->latency.n - 1) / (double)(l->last - l->first);
}

/* What SEEDS runs measured covers the truth, and is sharp enough to mean it. At
 * 99.9 %, because there are half a hundred of these comparisons. */
static inline void assert_agrees(const double *measured, double truth, double sharp)
{
    struct sim_interval i = sim_stat_mean_interval(measured, SEEDS, 0.999);
    ck_assert_msg(fabs(i.estimate - truth) <= i.half, "%g +- %g does not cover %g", i.estimate,
                  i.half, truth);
    ck_assert_msg(i.half <= sharp * truth, "%g +- %g is too blunt", i.estimate, i.half);
}

/* E[S^k] of a table as it is drawn: midpoints of 4096 strata per halving of
 * what is left above, down to where the table ends. */
static inline double dist_moment(const struct sim_dist *d, double k)
{
    double sum = 0, weight = 0.5;
    uint64_t lo = 0, width = 1ULL << 63;
    for (unsigned octave = 0; octave < 40; octave++) {
        double part = 0;
        for (uint64_t i = 0; i < 4096; i++)
            part += pow((double)sim_dist_draw(d, lo + (2 * i + 1) * (width / 8192)), k);
        sum += weight * part / 4096;
        lo += width;
        width /= 2;
        weight /= 2;
    }
    return sum + 2 * weight * pow((double)sim_dist_draw(d, UINT64_MAX), k);
}

#endif
