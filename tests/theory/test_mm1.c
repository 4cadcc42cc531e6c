/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "theory/lab.h"

#define SERVICE 10000.0

struct figures {
    double sojourn[SEEDS], present[SEEDS], busy[SEEDS], p99[SEEDS];
};

static void fill(struct lab *l, struct sim_plan *p, uint64_t u)
{
    (void)l, (void)u;
    sim_visit(p, 0, 0, 1, 1);
}

static void measure(double load, unsigned n, struct figures *f)
{
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        static struct lab l;
        struct sim_station_books b;
        lab_init(&l, seed, n);
        l.fill = fill;
        sim_add_fifo(l.s, "server", -1, 1);
        double mean = l.dist[lab_exp(&l, SERVICE)].mean_ns;
        lab_open(&l, mean / load);
        sim_station_snapshot(l.s, &b);
        f->sojourn[seed] = lab_mean(&l) / mean;
        f->present[seed] = (double)b.area / (double)l.s->now;
        f->busy[seed] = (double)b.busy / (double)l.s->now;
        f->p99[seed] = sim_stat_percentile(&l.hist, 99) / mean;
        sim_free(l.s);
    }
}

START_TEST(an_m_m_1_queue_is_as_long_and_as_slow_as_theory_says)
{
    const double loads[3] = {0.3, 0.6, 0.8};
    for (unsigned i = 0; i < 3; i++) {
        struct figures f;
        double rho = loads[i];
        measure(rho, 80000, &f);
        assert_agrees(f.sojourn, 1 / (1 - rho), 0.05);
        assert_agrees(f.present, rho / (1 - rho), 0.05);
        assert_agrees(f.busy, rho, 0.02);
    }
}
END_TEST

START_TEST(the_sojourn_time_of_an_m_m_1_queue_is_exponential)
{
    struct figures f;
    measure(0.5, 120000, &f);
    assert_agrees(f.p99, log(100) / (1 - 0.5), 0.05);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, an_m_m_1_queue_is_as_long_and_as_slow_as_theory_says);
    tcase_add_test(tc, the_sojourn_time_of_an_m_m_1_queue_is_exponential);
}

TEST_MAIN("theory.mm1")
