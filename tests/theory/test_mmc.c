/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "theory/lab.h"

#define SERVICE 10000.0

/* Probability that an arrival waits (Erlang C), by the recursion of Erlang B. */
static double erlang_c(unsigned c, double offered)
{
    double b = 1;
    for (unsigned k = 1; k <= c; k++)
        b = offered * b / (k + offered * b);
    return b / (1 - offered / c * (1 - b));
}

static void fill(struct lab *l, struct sim_plan *p, uint64_t u)
{
    (void)l, (void)u;
    sim_visit(p, 0, 0, 1, 1);
}

/* Mean wait and busy servers of M/M/c. */
static void measure(unsigned servers, double load, bool queued, double *wait, double *busy)
{
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        static struct lab l;
        struct sim_station_books b;
        lab_init(&l, seed, 120000);
        l.fill = fill;
        sim_add_fifo(l.s, "servers", -1, servers);
        if (queued)
            sim_station_set_queued(l.s, 0);
        double mean = l.dist[lab_exp(&l, SERVICE)].mean_ns;
        lab_open(&l, mean / load / servers);
        sim_station_snapshot(l.s, &b);
        wait[seed] = (double)b.wait / (double)b.served / mean;
        busy[seed] = (double)b.busy / (double)l.s->now;
        sim_free(l.s);
    }
}

START_TEST(an_m_m_c_queue_waits_as_erlang_says)
{
    const unsigned servers[3] = {2, 4, 16};
    const double loads[3] = {0.6, 0.8, 0.9};
    for (unsigned i = 0; i < 3; i++) {
        double wait[SEEDS], busy[SEEDS], c = servers[i], rho = loads[i];
        measure(servers[i], rho, i == 1, wait, busy);
        assert_agrees(wait, erlang_c(servers[i], c * rho) / (c * (1 - rho)), 0.15);
        assert_agrees(busy, c * rho, 0.02);
    }
}
END_TEST

START_TEST(erlangs_formula_itself_is_right_where_it_is_known)
{
    ck_assert(fabs(erlang_c(1, 0.7) - 0.7) < 1e-12);
    ck_assert(fabs(erlang_c(2, 1.0) - 1.0 / 3) < 1e-12);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, an_m_m_c_queue_waits_as_erlang_says);
    tcase_add_test(tc, erlangs_formula_itself_is_right_where_it_is_known);
}

TEST_MAIN("theory.mmc")
