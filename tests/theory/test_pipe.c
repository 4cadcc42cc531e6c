/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "theory/lab.h"

#define RATE 1250000000ULL /* bytes per second: 10 Gbit/s */

struct pipe_conf {
    uint64_t small, large; /* bytes; large with chance 1/4 */
    sim_time lead;         /* cut-through: go on after this long; 0: store and forward */
};

static sim_time transfer(const struct pipe_conf *c, uint64_t u)
{
    return sim_transfer_ns(u >> 62 ? c->small : c->large, RATE);
}

static void fill(struct lab *l, struct sim_plan *p, uint64_t u)
{
    const struct pipe_conf *c = l->conf;
    if (c->lead)
        sim_visit_cut(p, 0, transfer(c, u), c->lead, 1);
    else
        sim_visit(p, 0, transfer(c, u), 0, 1);
}

START_TEST(a_full_pipe_carries_its_bandwidth_and_not_a_byte_more)
{
    static struct lab l;
    const struct pipe_conf c = {4096, 4096, 0};
    lab_init(&l, 1, 10000);
    l.fill = fill;
    l.conf = &c;
    sim_add_pipe(l.s, "pipe", -1);
    lab_closed(&l, 7);
    sim_time each = sim_transfer_ns(4096, RATE); /* 3276.8, rounded up */
    ck_assert_uint_eq(each, 3277);
    ck_assert_uint_eq(l.s->now, 10000 * each);
    ck_assert_uint_eq(l.latency.min, 7 * each); /* everyone waits for the six before */
    ck_assert_uint_eq(l.latency.max, 7 * each);
    ck_assert((double)(10000 * 4096) / (double)l.s->now * 1e9 <= (double)RATE);
    sim_free(l.s);
}
END_TEST

/* Poisson arrivals of two sizes: M/G/1 with a service of two values. */
static void open_pipe(const struct pipe_conf *c, double rho, double *wait, double *sojourn)
{
    double mean = 0.75 * (double)sim_transfer_ns(c->small, RATE) +
                  0.25 * (double)sim_transfer_ns(c->large, RATE);
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        static struct lab l;
        struct sim_station_books b;
        lab_init(&l, seed, 60000);
        l.fill = fill;
        l.conf = c;
        sim_add_pipe(l.s, "pipe", -1);
        lab_open(&l, mean / rho);
        sim_station_snapshot(l.s, &b);
        wait[seed] = (double)b.wait / (double)b.served;
        sojourn[seed] = lab_mean(&l);
        sim_free(l.s);
    }
}

START_TEST(an_open_pipe_of_two_sizes_waits_as_pollaczek_and_khinchine_say)
{
    struct pipe_conf c = {4096, 65536, 0};
    double a = (double)sim_transfer_ns(4096, RATE), b = (double)sim_transfer_ns(65536, RATE);
    double mean = 0.75 * a + 0.25 * b, square = 0.75 * a * a + 0.25 * b * b, rho = 0.6;
    double truth = rho / mean * square / (2 * (1 - rho)), wait[SEEDS], sojourn[SEEDS];
    open_pipe(&c, rho, wait, sojourn);
    assert_agrees(wait, truth, 0.06);
    assert_agrees(sojourn, truth + mean, 0.06);
    c.lead = 1000; /* the same queue; only the way through is shorter */
    open_pipe(&c, rho, wait, sojourn);
    assert_agrees(wait, truth, 0.06);
    assert_agrees(sojourn, truth + 1000, 0.06);
}
END_TEST

START_TEST(transfer_times_round_up_and_never_wrap)
{
    ck_assert_uint_eq(sim_transfer_ns(0, RATE), 0);
    ck_assert_uint_eq(sim_transfer_ns(1, RATE), 1);
    ck_assert_uint_eq(sim_transfer_ns(5, RATE), 4);
    ck_assert_uint_eq(sim_transfer_ns(1, 1), SIM_S);
    ck_assert(sim_transfer_ns(UINT64_MAX, 1) == SIM_NEVER);
    ck_assert_uint_eq(sim_transfer_ns(12345, 0), 0);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_full_pipe_carries_its_bandwidth_and_not_a_byte_more);
    tcase_add_test(tc, an_open_pipe_of_two_sizes_waits_as_pollaczek_and_khinchine_say);
    tcase_add_test(tc, transfer_times_round_up_and_never_wrap);
}

TEST_MAIN("theory.pipe")
