/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "theory/lab.h"
#include "theory/mva.h"

START_TEST(the_solver_is_right_where_the_answer_is_known)
{
    struct mva m = {.stations = 3, .servers = {1, 1, 1}, .demand = {2, 2, 2}};
    mva_solve(&m, 10); /* balanced: N / (D (N + K - 1)) */
    ck_assert(fabs(m.rate - 10 / (2.0 * 12)) < 1e-12);
    struct mva f = {.stations = 1, .servers = {20}, .demand = {5}, .think = 3};
    mva_solve(&f, 12); /* never more customers than servers: no queue */
    ck_assert(fabs(f.rate - 12 / 8.0) < 1e-9);
    struct mva r = {.stations = 1, .servers = {2}, .demand = {1}, .think = 1};
    mva_solve(&r, 3); /* machine repair, two repairmen: by its birth-death chain */
    double p[4] = {1, 3, 3, 1.5}, sum = 8.5;
    ck_assert(fabs(r.rate - (p[1] * 1 + p[2] * 2 + p[3] * 2) / sum) < 1e-9);
}
END_TEST

/* ---- open ---- */

static void fill_tandem(struct lab *l, struct sim_plan *p, uint64_t u)
{
    (void)l, (void)u;
    sim_visit(p, 0, 0, 1, 1);
    sim_visit(p, 1, 0, 2, 2);
    sim_visit(p, 2, 0, 3, 3);
}

START_TEST(queues_in_a_row_are_each_an_m_m_1_queue)
{
    double sojourn[SEEDS], at[3][SEEDS], mean[3] = {0};
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        static struct lab l;
        struct sim_station_books b[3];
        lab_init(&l, seed, 80000);
        l.fill = fill_tandem;
        for (unsigned i = 0; i < 3; i++) {
            sim_add_fifo(l.s, "server", -1, 1);
            mean[i] = l.dist[lab_exp(&l, 4000 + 2000 * i)].mean_ns;
        }
        lab_open(&l, 12000);
        sim_station_snapshot(l.s, b);
        sojourn[seed] = lab_mean(&l);
        for (unsigned i = 0; i < 3; i++)
            at[i][seed] = (double)b[i].sojourn / (double)b[i].served;
        sim_free(l.s);
    }
    double sum = 0;
    for (unsigned i = 0; i < 3; i++) {
        double r = 1 / (1 / mean[i] - 1 / 12000.0);
        assert_agrees(at[i], r, 0.05);
        sum += r;
    }
    assert_agrees(sojourn, sum, 0.05);
}
END_TEST

/* ---- closed: a processor, and storage chosen at random ---- */

struct closed_conf {
    unsigned customers, turns;
    unsigned servers[4];
    double service[4]; /* station 0 always, one of 1..3 by chance 1/2, 1/4, 1/4 */
    double think;
};

static void fill_closed(struct lab *l, struct sim_plan *p, uint64_t u)
{
    const struct closed_conf *c = l->conf;
    uint32_t pick = u >> 63 ? 1 : 2 + (uint32_t)(u >> 62 & 1);
    if (c->think > 0)
        sim_delay(p, 0, 5, 5);
    sim_visit(p, 0, 0, 1, 1);
    sim_visit(p, pick, 0, (uint16_t)(pick + 1), (uint8_t)(pick + 1));
}

static void closed_network(const struct closed_conf *c)
{
    const double visits[4] = {1, 0.5, 0.25, 0.25};
    struct mva m = {.stations = 4};
    double rate[SEEDS], time[SEEDS], queue[SEEDS];
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        static struct lab l;
        struct sim_station_books b[4];
        lab_init(&l, seed, c->turns);
        l.fill = fill_closed;
        l.conf = c;
        for (unsigned i = 0; i < 4; i++) {
            sim_add_fifo(l.s, "server", -1, c->servers[i]);
            m.servers[i] = c->servers[i];
            m.demand[i] = visits[i] * l.dist[lab_exp(&l, c->service[i])].mean_ns;
        }
        ck_assert_int_eq(sim_dist_uniform(&l.dist[5], "think", 0, 2 * c->think), 0);
        lab_dist(&l);
        m.think = l.dist[5].mean_ns;
        lab_closed(&l, c->customers);
        sim_station_snapshot(l.s, b);
        rate[seed] = lab_rate(&l);
        time[seed] = lab_mean(&l) - m.think;
        queue[seed] = (double)b[1].area / (double)l.s->now;
        sim_free(l.s);
    }
    mva_solve(&m, c->customers);
    assert_agrees(rate, m.rate, 0.02);
    assert_agrees(time, m.time, 0.03);
    assert_agrees(queue, m.queue[1], 0.08);
}

START_TEST(closed_networks_do_what_mean_value_analysis_says)
{
    const struct closed_conf confs[] = {
        {1, 20000, {1, 1, 1, 1}, {1000, 5000, 8000, 3000}, 0},
        {4, 40000, {1, 1, 1, 1}, {1000, 5000, 8000, 3000}, 0},
        {24, 60000, {1, 1, 1, 1}, {2000, 5000, 6000, 3000}, 20000},
        {24, 60000, {2, 4, 1, 3}, {4000, 20000, 6000, 9000}, 20000},
    };
    for (unsigned i = 0; i < sizeof confs / sizeof *confs; i++)
        closed_network(&confs[i]);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, the_solver_is_right_where_the_answer_is_known);
    tcase_add_test(tc, queues_in_a_row_are_each_an_m_m_1_queue);
    tcase_add_test(tc, closed_networks_do_what_mean_value_analysis_says);
}

TEST_MAIN("theory.networks")
