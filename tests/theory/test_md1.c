/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "theory/lab.h"

#define SERVICE 10000

static void fill(struct lab *l, struct sim_plan *p, uint64_t u)
{
    (void)l, (void)u;
    sim_visit(p, 0, SERVICE, 0, 1);
}

START_TEST(an_m_d_1_queue_waits_half_as_long_as_m_m_1)
{
    const double loads[3] = {0.3, 0.6, 0.8};
    for (unsigned i = 0; i < 3; i++) {
        double wait[SEEDS], rho = loads[i];
        for (unsigned seed = 0; seed < SEEDS; seed++) {
            static struct lab l;
            struct sim_station_books b;
            lab_init(&l, seed, 80000);
            l.fill = fill;
            sim_add_pipe(l.s, "server", -1);
            lab_open(&l, SERVICE / rho);
            sim_station_snapshot(l.s, &b);
            wait[seed] = (double)b.wait / (double)b.served / SERVICE;
            sim_free(l.s);
        }
        assert_agrees(wait, rho / (2 * (1 - rho)), 0.05);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, an_m_d_1_queue_waits_half_as_long_as_m_m_1);
}

TEST_MAIN("theory.md1")
