/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operational laws: they hold for every run, whatever it draws, so the
 * comparisons here need no interval (Denning and Buzen 1978).
 */
#include "theory/lab.h"

#define STATIONS 5

struct net {
    uint64_t seed;
    unsigned customers, stations, servers[STATIONS];
    bool units[STATIONS];
    sim_time think;
};

static void visit(const struct net *n, struct sim_plan *p, uint64_t u)
{
    uint32_t i = (uint32_t)(u % n->stations);
    uint16_t dist = (uint16_t)(1 + u / 8 % 3);
    if (n->units[i])
        sim_visit_units(p, i, (uint32_t)(u >> 40) % n->servers[i], 1, 500, dist, (uint8_t)i);
    else
        sim_visit(p, i, 100, dist, (uint8_t)i);
}

static void fill(struct lab *l, struct sim_plan *p, uint64_t u)
{
    const struct net *n = l->conf;
    sim_delay(p, n->think, 0, 9);
    for (unsigned k = 0; k < 2 + n->seed % 3; k++)
        visit(n, p, u = sim_mix(u));
}

static struct net random_net(uint64_t seed)
{
    struct net n = {.seed = seed};
    uint64_t u = sim_mix(seed);
    n.customers = 1 + (unsigned)(u % 40);
    n.stations = 2 + (unsigned)(u / 64 % 4);
    n.think = u / 1024 % 4 * 20000;
    for (unsigned i = 0; i < n.stations; i++) {
        u = sim_mix(u);
        n.servers[i] = 1 + (unsigned)(u % 6);
        n.units[i] = u / 8 % 2;
    }
    return n;
}

static void open_net(struct lab *l, const struct net *n)
{
    lab_init(l, n->seed, 5000);
    l->warm = 0;
    l->fill = fill;
    l->conf = n;
    for (unsigned i = 0; i < n->stations; i++)
        if (n->units[i])
            sim_add_units(l->s, "units", -1, n->servers[i]);
        else
            sim_add_fifo(l->s, "servers", -1, n->servers[i]);
    lab_exp(l, 4000);
    ck_assert_int_eq(sim_dist_lognormal(&l->dist[2], "service", 0, 6000, 1.0), 0);
    lab_dist(l);
    ck_assert_int_eq(sim_dist_constant(&l->dist[3], "service", 2500), 0);
    lab_dist(l);
}

START_TEST(throughput_never_exceeds_the_asymptotic_bounds)
{
    unsigned near = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        static struct lab l;
        struct sim_station_books b[STATIONS];
        struct net n = random_net(seed);
        open_net(&l, &n);
        lab_closed(&l, n.customers);
        sim_station_snapshot(l.s, b);
        double done = (double)l.latency.n, rate = done / (double)l.s->now, sum = 0, worst = 0;
        for (unsigned i = 0; i < n.stations; i++) {
            double demand = (double)b[i].busy / done;
            sum += demand;
            worst = fmax(worst, demand / n.servers[i]);
        }
        double bound = fmin(1 / worst, n.customers / (sum + (double)n.think));
        ck_assert_msg(rate <= bound * (1 + 1e-12), "seed %d: %g above %g", (int)seed, rate, bound);
        ck_assert_msg(rate >= 0.9 / (sum + (double)n.think), "seed %d: slower than one alone",
                      (int)seed);
        near += rate > 0.9 * bound;
        sim_free(l.s);
    }
    ck_assert_uint_gt(near, 10); /* the bound is one that is approached */
}
END_TEST

START_TEST(the_laws_of_little_and_utilisation_hold_for_every_run)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        static struct lab l;
        struct sim_station_books b[STATIONS];
        struct net n = random_net(seed);
        open_net(&l, &n);
        lab_closed(&l, n.customers);
        sim_station_snapshot(l.s, b);
        uint64_t inside = 0, waiting = 0, busy = 0;
        for (unsigned i = 0; i < n.stations; i++) {
            ck_assert_uint_eq(b[i].area, b[i].sojourn);
            ck_assert_uint_eq(b[i].sojourn, b[i].wait + b[i].busy);
            ck_assert_uint_le(b[i].busy, n.servers[i] * l.s->now);
            inside += b[i].area;
            waiting += b[i].wait;
            busy += b[i].busy;
        }
        /* The whole system: latencies are thinking, waiting and service, to the ns. */
        ck_assert(l.latency.sum == inside + l.latency.n * n.think);
        ck_assert_uint_eq(inside, waiting + busy);
        sim_free(l.s);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, throughput_never_exceeds_the_asymptotic_bounds);
    tcase_add_test(tc, the_laws_of_little_and_utilisation_hold_for_every_run);
}

TEST_MAIN("theory.bounds")
