/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "theory/lab.h"

#define SERVICE 10000

struct units_conf {
    unsigned units, balls;
    bool constant;
};

static void fill_ball(struct lab *l, struct sim_plan *p, uint64_t u)
{
    const struct units_conf *c = l->conf;
    uint32_t unit = (uint32_t)sim_below(u, c->units);
    if (c->constant)
        sim_visit_units(p, 0, unit, 1, SERVICE, 0, 1);
    else
        sim_visit_units(p, 0, unit, 1, 0, 1, 1);
}

static void fill_round(struct lab *l, struct sim_plan *p, uint64_t u)
{
    const struct units_conf *c = l->conf;
    sim_par(p, SIM_ALL);
    for (unsigned k = 0; k < c->balls; k++) {
        sim_branch(p);
        fill_ball(l, p, sim_mix(u + k));
    }
    sim_join(p);
}

/* Chance that no bin has more than `most` of n balls in u bins: the coefficient
 * of x^n in (sum_{j<=most} x^j / j!)^u, times n! / u^n. */
static double none_above(unsigned n, unsigned u, unsigned most)
{
    double ways[65] = {1}; /* ways[j] / j! / u^j: balls placed after each bin */
    for (unsigned bin = 0; bin < u; bin++) {
        double next[65] = {0};
        for (unsigned j = 0; j <= n; j++) {
            double term = ways[j];
            for (unsigned k = 0; k <= most && j + k <= n; k++) {
                next[j + k] += term;
                term /= (k + 1.0) * u;
            }
        }
        for (unsigned j = 0; j <= n; j++)
            ways[j] = next[j];
    }
    for (unsigned k = 2; k <= n; k++)
        ways[n] *= k;
    return ways[n];
}

START_TEST(a_burst_takes_as_long_as_its_fullest_unit)
{
    const struct units_conf confs[3] = {{8, 8, true}, {16, 32, true}, {64, 16, true}};
    for (unsigned i = 0; i < 3; i++) {
        double rounds[SEEDS], truth = 0;
        for (unsigned seed = 0; seed < SEEDS; seed++) {
            static struct lab l;
            lab_init(&l, seed, 4000);
            l.fill = fill_round;
            l.conf = &confs[i];
            sim_add_units(l.s, "units", -1, confs[i].units);
            lab_closed(&l, 1);
            rounds[seed] = lab_mean(&l) / SERVICE;
            sim_free(l.s);
        }
        for (unsigned most = 0; most < confs[i].balls; most++)
            truth += 1 - none_above(confs[i].balls, confs[i].units, most);
        assert_agrees(rounds, truth, 0.02);
    }
}
END_TEST

START_TEST(after_one_service_as_many_are_done_as_units_were_hit)
{
    const struct units_conf c = {12, 20, true};
    double hit[SEEDS];
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        static struct lab l;
        double sum = 0;
        for (unsigned round = 0; round < 200; round++) {
            lab_init(&l, seed * 1000 + round, c.balls);
            l.warm = 0;
            l.fill = fill_ball;
            l.conf = &c;
            sim_add_units(l.s, "units", -1, c.units);
            for (unsigned i = 0; i < c.balls; i++)
                lab_start(&l);
            sim_run(l.s, SERVICE);
            sum += (double)l.latency.n;
            sim_free(l.s);
        }
        hit[seed] = sum / 200;
    }
    assert_agrees(hit, c.units * (1 - pow(1 - 1.0 / c.units, c.balls)), 0.02);
}
END_TEST

/* n requests always at U exponential units chosen at random: n / (n + U - 1) of
 * the units work on average, which is what limits a drive at low depth. */
START_TEST(units_reach_the_throughput_of_the_balanced_closed_network)
{
    const struct units_conf confs[3] = {{16, 1, false}, {16, 8, false}, {16, 64, false}};
    for (unsigned i = 0; i < 3; i++) {
        double rate[SEEDS], u = confs[i].units, n = confs[i].balls;
        for (unsigned seed = 0; seed < SEEDS; seed++) {
            static struct lab l;
            lab_init(&l, seed, 50000);
            l.fill = fill_ball;
            l.conf = &confs[i];
            sim_add_units(l.s, "units", -1, confs[i].units);
            double mean = l.dist[lab_exp(&l, SERVICE)].mean_ns;
            lab_closed(&l, confs[i].balls);
            rate[seed] = lab_rate(&l) * mean;
            sim_free(l.s);
        }
        assert_agrees(rate, u * n / (n + u - 1), 0.02);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_burst_takes_as_long_as_its_fullest_unit);
    tcase_add_test(tc, after_one_service_as_many_are_done_as_units_were_hit);
    tcase_add_test(tc, units_reach_the_throughput_of_the_balanced_closed_network);
}

TEST_MAIN("theory.units")
