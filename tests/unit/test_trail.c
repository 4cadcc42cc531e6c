/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"

struct parts {
    uint64_t wait[8], service[8];
};

static void keep_trail(struct sim_client *c, struct sim *s, struct sim_io *io, struct sim_token *t)
{
    struct parts *sum = s->model;
    (void)c;
    ck_assert(trail_sum(t) == s->now - io->issued);
    for (const struct sim_leg *l = t->leg; l; l = l->before) {
        sum->wait[sim_leg_part(l)] += l->wait;
        sum->service[sim_leg_part(l)] += sim_leg_service(l);
    }
}

START_TEST(only_the_releasing_branch_is_charged)
{
    for (int fuse = 0; fuse < 2; fuse++) {
        struct parts sum = {{0}, {0}};
        struct sim_client client = {keep_trail, NULL};
        struct sim *s = sim_create(1, 0);
        s->model = &sum;
        s->fuse = fuse;
        uint32_t fifo = sim_add_pipe(s, "fifo", -1);
        struct sim_io *io = sim_io_new(s, &client, 1);
        struct sim_plan *p = &io->plan;
        sim_visit(p, fifo, 10, 0, CPU);
        sim_par(p, SIM_ALL);
        sim_branch(p);
        sim_delay(p, 50, 0, WIRE);
        sim_branch(p);
        sim_visit(p, fifo, 20, 0, DISK);
        sim_branch(p);
        sim_visit(p, fifo, 60, 0, DISK); /* waits 20 behind the second branch */
        sim_delay(p, 5, 0, CPU);
        sim_join(p);
        sim_ack(p);
        sim_io_start(s, io);
        sim_run(s, SIM_NEVER);
        ck_assert_uint_eq(sum.service[CPU], 15);
        ck_assert_uint_eq(sum.service[DISK], 60);
        ck_assert_uint_eq(sum.wait[DISK], 20);
        ck_assert_uint_eq(sum.service[WIRE], 0);
        assert_at_rest(s);
        sim_free(s);
    }
}
END_TEST

START_TEST(an_acknowledge_inside_a_branch_is_charged_from_the_start)
{
    struct bed b;
    bed_open(&b, true);
    struct sim_io *io = probe_io(b.s, b.p, 0);
    sim_visit(&io->plan, b.fifo, 10, 0, CPU);
    sim_par(&io->plan, SIM_ALL);
    sim_branch(&io->plan);
    sim_delay(&io->plan, 7, 0, WIRE);
    sim_par(&io->plan, SIM_ALL);
    sim_branch(&io->plan);
    sim_delay(&io->plan, 1, 0, WIRE);
    sim_ack(&io->plan);
    sim_join(&io->plan);
    sim_branch(&io->plan);
    sim_visit(&io->plan, b.fifo, 20, 0, DISK);
    sim_join(&io->plan);
    sim_io_start(b.s, io);
    sim_run(b.s, SIM_NEVER);
    ck_assert(b.p->at[0] == 18);
    bed_close(&b); /* the trail summed to 18 */
}
END_TEST

START_TEST(a_trail_longer_than_its_room_grows_and_loses_nothing)
{
    struct parts sum = {{0}, {0}};
    struct sim_client client = {keep_trail, NULL};
    struct sim *s = sim_create(1, 0);
    s->model = &sum;
    struct sim_io *io = sim_io_new(s, &client, 1);
    for (unsigned i = 0; i < 5 * SIM_LEGS; i++) {
        sim_delay(&io->plan, 1 + i, 0, (uint8_t)(i % 8));
        if (i == 2 * SIM_LEGS) {
            sim_par(&io->plan, SIM_ALL);
            sim_branch(&io->plan);
            for (unsigned k = 0; k < 3 * SIM_LEGS; k++)
                sim_delay(&io->plan, 2, 0, (uint8_t)(k % 8));
            sim_branch(&io->plan);
            sim_join(&io->plan);
        }
    }
    sim_ack(&io->plan);
    sim_io_start(s, io);
    sim_run(s, SIM_NEVER);
    for (unsigned part = 0; part < 8; part++) {
        uint64_t want = 2 * 3 * SIM_LEGS / 8;
        for (unsigned i = part; i < 5 * SIM_LEGS; i += 8)
            want += 1 + i;
        ck_assert_uint_eq(sum.service[part], want);
    }
    assert_at_rest(s);
    sim_free(s);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, only_the_releasing_branch_is_charged);
    tcase_add_test(tc, an_acknowledge_inside_a_branch_is_charged_from_the_start);
    tcase_add_test(tc, a_trail_longer_than_its_room_grows_and_loses_nothing);
}

TEST_MAIN("unit.trail")
