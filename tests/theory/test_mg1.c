/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "theory/lab.h"

typedef int build_fn(struct sim_dist *d);

static int narrow(struct sim_dist *d) { return sim_dist_gamma(d, "service", 10000, 0.5); }
static int wide(struct sim_dist *d) { return sim_dist_lognormal_mean(d, "service", 10000, 1.5); }
static int uniform(struct sim_dist *d) { return sim_dist_uniform(d, "service", 0, 20000); }

static int body_and_tail(struct sim_dist *d)
{
    return sim_dist_mixture(d, "service", 2000, 6000, 0.3, 0.01, 90000, 0.4);
}

static void fill(struct lab *l, struct sim_plan *p, uint64_t u)
{
    (void)l, (void)u;
    sim_visit(p, 0, 0, 1, 1);
}

/* Pollaczek-Khinchine: the wait is lambda E[S^2] / (2 (1 - rho)). */
static void pollaczek_khinchine(build_fn *build, double rho)
{
    static struct lab l;
    double wait[SEEDS], mean = 0, truth = 0;
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        struct sim_station_books b;
        lab_init(&l, seed, 100000);
        l.fill = fill;
        sim_add_fifo(l.s, "server", -1, 1);
        ck_assert_int_eq(build(&l.dist[1]), 0);
        lab_dist(&l);
        mean = l.dist[1].mean_ns;
        truth = rho * dist_moment(&l.dist[1], 2) / (2 * mean * mean * (1 - rho));
        lab_open(&l, mean / rho);
        sim_station_snapshot(l.s, &b);
        wait[seed] = (double)b.wait / (double)b.served / mean;
        sim_free(l.s);
    }
    ck_assert(fabs(dist_moment(&l.dist[1], 1) / mean - 1) < 1e-3);
    assert_agrees(wait, truth, 0.12);
}

START_TEST(an_m_g_1_queue_waits_as_pollaczek_and_khinchine_say)
{
    pollaczek_khinchine(narrow, 0.7);
    pollaczek_khinchine(wide, 0.6);
    pollaczek_khinchine(uniform, 0.8);
    pollaczek_khinchine(body_and_tail, 0.5);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, an_m_g_1_queue_waits_as_pollaczek_and_khinchine_say);
}

TEST_MAIN("theory.mg1")
