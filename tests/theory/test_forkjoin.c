/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "theory/lab.h"

#define SERVICE 10000.0

struct fork_conf {
    unsigned branches, need;
    bool queues; /* a server per branch instead of a plain delay */
    bool split;  /* fragments instead of branches */
};

static void fill(struct lab *l, struct sim_plan *p, uint64_t u)
{
    const struct fork_conf *c = l->conf;
    (void)u;
    if (c->split) {
        sim_split(p, c->branches, c->need);
        sim_delay(p, 0, 1, 1);
        sim_join(p);
        return;
    }
    sim_par(p, c->need);
    for (uint32_t k = 0; k < c->branches; k++) {
        sim_branch(p);
        if (c->queues)
            sim_visit(p, k, 0, 1, 1);
        else
            sim_delay(p, 0, 1, 1);
    }
    sim_join(p);
}

/* Mean time of the fork, in mean services; load 0: one at a time. */
static void measure(const struct fork_conf *c, double load, unsigned n, double *mean)
{
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        static struct lab l;
        lab_init(&l, seed, n);
        l.fill = fill;
        l.conf = c;
        for (unsigned k = 0; k < c->branches; k++)
            sim_add_fifo(l.s, "server", -1, 1);
        double service = l.dist[lab_exp(&l, SERVICE)].mean_ns;
        if (load > 0)
            lab_open(&l, service / load);
        else
            lab_closed(&l, 1);
        mean[seed] = lab_mean(&l) / service;
        sim_free(l.s);
    }
}

static double harmonic(unsigned n)
{
    double h = 0;
    for (unsigned k = 1; k <= n; k++)
        h += 1.0 / k;
    return h;
}

START_TEST(the_kth_of_n_exponential_branches_comes_at_a_difference_of_harmonic_numbers)
{
    const unsigned n[6] = {2, 3, 3, 3, 5, 10}, k[6] = {2, 1, 2, 3, 3, 10};
    for (unsigned i = 0; i < 6; i++) {
        struct fork_conf c = {n[i], k[i], false, false};
        double mean[SEEDS];
        measure(&c, 0, 10000, mean);
        assert_agrees(mean, harmonic(n[i]) - harmonic(n[i] - k[i]), 0.03);
    }
}
END_TEST

START_TEST(fragments_in_a_window_finish_as_servers_of_a_batch_do)
{
    /* n exponential jobs on w servers: (n - w) departures at rate w, then w alone. */
    const unsigned n[3] = {8, 8, 12}, w[3] = {8, 2, 5};
    for (unsigned i = 0; i < 3; i++) {
        struct fork_conf c = {n[i], w[i], false, true};
        double mean[SEEDS];
        measure(&c, 0, 6000, mean);
        assert_agrees(mean, (n[i] - w[i]) / (double)w[i] + harmonic(w[i]), 0.03);
    }
}
END_TEST

START_TEST(two_forked_queues_respond_as_flatto_and_hahn_found)
{
    double mean[SEEDS], rho = 0.6;
    struct fork_conf c = {2, SIM_ALL, true, false};
    measure(&c, rho, 60000, mean);
    assert_agrees(mean, (12 - rho) / 8 / (1 - rho), 0.05);
}
END_TEST

START_TEST(more_forked_queues_stay_within_their_bounds)
{
    for (unsigned n = 3; n <= 6; n += 3) {
        double mean[SEEDS], rho = 0.7, one = 1 / (1 - rho);
        struct fork_conf c = {n, SIM_ALL, true, false};
        measure(&c, rho, 40000, mean);
        struct sim_interval i = sim_stat_mean_interval(mean, SEEDS, 0.99);
        ck_assert(i.estimate + i.half < harmonic(n) * one); /* branches help each other */
        ck_assert(i.estimate - i.half > one * (12 - rho) / 8); /* worse than two */
        /* Nelson and Tantawi's approximation is within 5 %. */
        double h = harmonic(n) / harmonic(2);
        double r = (h + (1 - h) * 4 * rho / 11) * (12 - rho) / 8 * one;
        ck_assert(fabs(i.estimate / r - 1) < 0.05 + i.half / r);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, the_kth_of_n_exponential_branches_comes_at_a_difference_of_harmonic_numbers);
    tcase_add_test(tc, fragments_in_a_window_finish_as_servers_of_a_batch_do);
    tcase_add_test(tc, two_forked_queues_respond_as_flatto_and_hahn_found);
    tcase_add_test(tc, more_forked_queues_stay_within_their_bounds);
}

TEST_MAIN("theory.forkjoin")
