/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"

/* Runs one I/O with the plan `write` writes; the log must read `expect`, with
 * and without fused events. */
static void expect(void (*write)(struct bed *b, struct sim_plan *p), const char *text,
                   sim_time acked)
{
    for (int fuse = 0; fuse < 2; fuse++) {
        struct bed b;
        bed_open(&b, fuse);
        struct sim_io *io = probe_io(b.s, b.p, 0);
        write(&b, &io->plan);
        sim_io_start(b.s, io);
        sim_run(b.s, SIM_NEVER);
        ck_assert_str_eq(log_text(&b.log), text);
        ck_assert_uint_eq(b.p->acks, acked != SIM_NEVER);
        if (acked != SIM_NEVER)
            ck_assert(b.p->at[0] == acked);
        bed_close(&b);
    }
}

static void write_visits(struct bed *b, struct sim_plan *p)
{
    sim_call(p, &note, 1);
    sim_visit(p, b->fifo, 100, 0, CPU);
    sim_call(p, &note, 2);
    sim_delay(p, 30, 0, WIRE);
    sim_delay(p, 0, 0, WIRE); /* writes no step */
    sim_delay(p, 12, 0, WIRE);
    sim_call(p, &note, 3);
    sim_visit_cut(p, b->fifo, 80, 20, WIRE); /* goes on after the lead */
    sim_call(p, &note, 4);
    sim_visit(p, b->fifo, 5, 0, CPU); /* behind the rest of the cut */
    sim_call(p, &note, 5);
    sim_ack(p);
}

START_TEST(visits_delays_and_cuts_take_their_time_one_after_another)
{
    expect(write_visits, "0:1 100:2 142:3 162:4 227:5", 227);
}
END_TEST

static void write_after_ack(struct bed *b, struct sim_plan *p)
{
    sim_visit(p, b->fifo, 10, 0, CPU);
    sim_ack(p);
    sim_call(p, &note, 1);
    sim_visit(p, b->fifo, 90, 0, DISK);
    sim_call(p, &note, 2);
}

START_TEST(steps_after_the_acknowledge_still_happen)
{
    expect(write_after_ack, "10:1 100:2", 10);
}
END_TEST

static void three_branches(struct bed *b, struct sim_plan *p)
{
    const sim_time ns[3] = {300, 100, 200};
    for (uint32_t k = 0; k < 3; k++) {
        sim_branch(p);
        sim_delay(p, ns[k], 0, DISK);
        sim_call(p, &note, k);
        sim_visit(p, b->units, 1, 0, DISK);
    }
    sim_join(p);
    sim_call(p, &note, 9);
    sim_ack(p);
}

static void write_all(struct bed *b, struct sim_plan *p)
{
    sim_par(p, SIM_ALL);
    three_branches(b, p);
}

static void write_one(struct bed *b, struct sim_plan *p)
{
    sim_par(p, 1);
    three_branches(b, p);
}

static void write_two(struct bed *b, struct sim_plan *p)
{
    sim_par(p, 2);
    three_branches(b, p);
}

static void write_one_cancel(struct bed *b, struct sim_plan *p)
{
    sim_par_cancel(p, 1);
    three_branches(b, p);
}

START_TEST(a_join_continues_at_the_last_the_first_or_the_second_branch)
{
    expect(write_all, "100:1 200:2 300:0 301:9", 301);
    expect(write_one, "100:1 101:9 200:2 300:0", 101);
    expect(write_two, "100:1 200:2 201:9 300:0", 201);
    expect(write_one_cancel, "100:1 101:9", 101);
}
END_TEST

static void write_late(struct bed *b, struct sim_plan *p)
{
    sim_par(p, 1);
    sim_branch(p);
    sim_delay(p, 10, 0, CPU);
    sim_branch(p);
    sim_visit(p, b->fifo, 100, 0, DISK);
    sim_join(p);
    sim_call(p, &note, 1);
    sim_visit(p, b->fifo, 5, 0, DISK); /* behind the late branch */
    sim_call(p, &note, 2);
    sim_ack(p);
}

START_TEST(a_late_branch_still_occupies_what_it_occupies)
{
    expect(write_late, "10:1 105:2", 105);
}
END_TEST

static void write_empty_branches(struct bed *b, struct sim_plan *p)
{
    sim_par(p, SIM_ALL);
    sim_branch(p);
    sim_branch(p);
    sim_visit(p, b->fifo, 7, 0, CPU);
    sim_branch(p);
    sim_join(p);
    sim_call(p, &note, 1);
    sim_par(p, SIM_ALL);
    sim_branch(p);
    sim_branch(p);
    sim_join(p);
    sim_call(p, &note, 2);
    sim_ack(p);
}

START_TEST(branches_without_a_step_end_at_once)
{
    expect(write_empty_branches, "7:1 7:2", 7);
}
END_TEST

static void write_nested(struct bed *b, struct sim_plan *p)
{
    sim_par(p, SIM_ALL);
    sim_branch(p);
    sim_visit(p, b->fifo, 10, 0, CPU);
    sim_par(p, 1);
    sim_branch(p);
    sim_delay(p, 50, 0, DISK);
    sim_branch(p);
    sim_delay(p, 20, 0, DISK);
    sim_join(p);
    sim_call(p, &note, 1);
    sim_branch(p);
    sim_delay(p, 25, 0, WIRE);
    sim_call(p, &note, 2);
    sim_join(p);
    sim_call(p, &note, 3);
    sim_ack(p);
}

START_TEST(forks_nest_and_an_inner_late_branch_holds_up_nobody)
{
    expect(write_nested, "25:2 30:1 30:3", 30);
}
END_TEST

static void write_split(struct bed *b, struct sim_plan *p)
{
    sim_split(p, 5, 2);
    sim_call(p, &note, 1);
    sim_visit(p, b->duo, 10, 0, DISK);
    sim_join(p);
    sim_call(p, &note, 2);
    sim_ack(p);
}

static void write_split_wide(struct bed *b, struct sim_plan *p)
{
    sim_split(p, 5, 0);
    sim_call(p, &note, 1);
    sim_visit_units(p, b->units, 2, 1, 10, 0, DISK);
    sim_join(p);
    sim_call(p, &note, 2);
    sim_ack(p);
}

START_TEST(a_split_runs_its_window_of_fragments_at_a_time)
{
    expect(write_split, "0:1 0:1 10:1 10:1 20:1 30:2", 30);
    /* Five fragments over four units from unit 2 on: the fifth waits for the first. */
    expect(write_split_wide, "0:1 0:1 0:1 0:1 0:1 20:2", 20);
}
END_TEST

static void write_span(struct bed *b, struct sim_plan *p)
{
    sim_visit_units(p, b->units, 0, 1, 40, 0, DISK);
    sim_call(p, &note, 1);
    sim_par(p, SIM_ALL);
    sim_branch(p);
    sim_visit_units(p, b->units, 3, 1, 15, 0, DISK);
    sim_call(p, &note, 2);
    sim_branch(p);
    sim_visit_units(p, b->units, 2, 3, 10, 0, DISK); /* 2, 3 (behind branch one), 0 */
    sim_call(p, &note, 3);
    sim_join(p);
    sim_ack(p);
}

START_TEST(a_span_is_done_when_its_slowest_unit_is)
{
    expect(write_span, "40:1 55:2 65:3", 65);
}
END_TEST

/* ---- decisions ---- */

static unsigned choose_by_time(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word)
{
    (void)io, (void)t;
    return s->now >= word ? 1 : 0;
}

static void build_early(struct sim_plan *p, struct sim_io *io, uint32_t word)
{
    (void)io, (void)word;
    sim_call(p, &note, 10);
    sim_delay(p, 100, 0, CPU);
}

static void build_late(struct sim_plan *p, struct sim_io *io, uint32_t word);

static const struct sim_alt by_time_alts[] = {{"early", build_early}, {"late", build_late}};
static const struct sim_choice by_time = {"time", choose_by_time, by_time_alts, 2};

static void build_late(struct sim_plan *p, struct sim_io *io, uint32_t word)
{
    (void)io;
    sim_call(p, &note, 20);
    sim_par(p, SIM_ALL);
    sim_branch(p);
    sim_delay(p, 10, 0, CPU);
    sim_sub(p, &by_time, word + 10000); /* a decision inside a branch of a decision */
    sim_call(p, &note, 21);
    sim_branch(p);
    sim_delay(p, 20, 0, CPU);
    sim_join(p);
    sim_call(p, &note, 22);
}

static void write_subs(struct bed *b, struct sim_plan *p)
{
    (void)b;
    sim_sub(p, &by_time, 50);
    sim_call(p, &note, 1);
    sim_sub(p, &by_time, 50);
    sim_call(p, &note, 2);
    sim_ack(p);
}

START_TEST(a_sub_decides_on_arrival_runs_its_steps_and_returns)
{
    expect(write_subs, "0:10 100:1 100:20 110:10 210:21 210:22 210:2", 210);
}
END_TEST

static unsigned choose_nothing(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word)
{
    (void)s, (void)io, (void)t;
    return word;
}

static const struct sim_alt nothing_alts[] = {{"nothing to do", NULL}, {"early", build_early}};
static const struct sim_choice nothing = {"nothing", choose_nothing, nothing_alts, 2};

static void write_nothing(struct bed *b, struct sim_plan *p)
{
    sim_sub(p, &nothing, 0);
    sim_visit(p, b->fifo, 3, 0, CPU);
    sim_call(p, &note, 1);
    sim_ack(p);
}

START_TEST(an_alternative_may_have_no_steps)
{
    expect(write_nothing, "3:1", 3);
}
END_TEST

/* A sub that calls itself SIM_NEST deep. */
static unsigned choose_depth(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word)
{
    (void)s, (void)io, (void)t;
    return word > 1;
}

static void build_leaf(struct sim_plan *p, struct sim_io *io, uint32_t word);
static void build_deeper(struct sim_plan *p, struct sim_io *io, uint32_t word);
static const struct sim_alt depth_alts[] = {{"leaf", build_leaf}, {"deeper", build_deeper}};
static const struct sim_choice depth = {"depth", choose_depth, depth_alts, 2};

static void build_leaf(struct sim_plan *p, struct sim_io *io, uint32_t word)
{
    (void)io;
    sim_delay(p, 1, 0, CPU);
    sim_call(p, &note, word);
}

static void build_deeper(struct sim_plan *p, struct sim_io *io, uint32_t word)
{
    (void)io;
    sim_delay(p, 1, 0, CPU);
    sim_sub(p, &depth, word - 1);
    sim_call(p, &note, word);
}

static void write_deep(struct bed *b, struct sim_plan *p)
{
    (void)b;
    sim_sub(p, &depth, SIM_NEST);
    sim_ack(p);
}

START_TEST(subs_nest_to_the_stated_depth)
{
    expect(write_deep, "6:1 6:2 6:3 6:4 6:5 6:6", 6);
}
END_TEST

/* ---- spawn ---- */

static void fill_drain(struct sim *s, struct sim_io *parent, struct sim_io *child, uint32_t word)
{
    (void)s, (void)parent;
    if (word == 0)
        return; /* nothing to drain: nothing is started */
    sim_delay(&child->plan, word, 0, DISK);
    sim_call(&child->plan, &note, word);
}

static const struct sim_spawn_fn drain = {"drain", fill_drain};

static void write_spawn(struct bed *b, struct sim_plan *p)
{
    sim_visit(p, b->fifo, 10, 0, CPU);
    sim_spawn(p, &drain, 100);
    sim_spawn(p, &drain, 0);
    sim_spawn(p, &drain, 50);
    sim_call(p, &note, 1);
    sim_ack(p);
}

START_TEST(nobody_waits_for_what_was_spawned)
{
    expect(write_spawn, "10:1 60:50 110:100", 10);
}
END_TEST

static void note_key(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word)
{
    (void)io;
    uint64_t *keys = s->model;
    keys[word] = t->key;
}

static const struct sim_call_fn key_note = {"key", note_key};

static void fill_key(struct sim *s, struct sim_io *parent, struct sim_io *child, uint32_t word)
{
    (void)s, (void)parent;
    sim_call(&child->plan, &key_note, word);
}

static const struct sim_spawn_fn keyed = {"keyed", fill_key};

START_TEST(branches_fragments_and_spawns_each_have_their_own_key)
{
    uint64_t keys[8] = {0};
    struct sim *s = sim_create(1, 0);
    struct probe *p = probe_new();
    s->model = keys;
    struct sim_io *io = probe_io(s, p, 0);
    sim_call(&io->plan, &key_note, 0);
    sim_spawn(&io->plan, &keyed, 1);
    sim_spawn(&io->plan, &keyed, 2);
    sim_par(&io->plan, SIM_ALL);
    for (uint32_t k = 3; k < 6; k++) {
        sim_branch(&io->plan);
        sim_call(&io->plan, &key_note, k);
    }
    sim_join(&io->plan);
    sim_call(&io->plan, &key_note, 6);
    sim_io_start(s, io);
    sim_run(s, SIM_NEVER);
    for (unsigned i = 0; i < 6; i++)
        for (unsigned k = 0; k < i; k++)
            ck_assert(keys[i] != keys[k]);
    ck_assert(keys[6] == keys[0]); /* behind the join it is the I/O again */
    sim_free(s);
    free(p);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, visits_delays_and_cuts_take_their_time_one_after_another);
    tcase_add_test(tc, steps_after_the_acknowledge_still_happen);
    tcase_add_test(tc, a_join_continues_at_the_last_the_first_or_the_second_branch);
    tcase_add_test(tc, a_late_branch_still_occupies_what_it_occupies);
    tcase_add_test(tc, branches_without_a_step_end_at_once);
    tcase_add_test(tc, forks_nest_and_an_inner_late_branch_holds_up_nobody);
    tcase_add_test(tc, a_split_runs_its_window_of_fragments_at_a_time);
    tcase_add_test(tc, a_span_is_done_when_its_slowest_unit_is);
    tcase_add_test(tc, a_sub_decides_on_arrival_runs_its_steps_and_returns);
    tcase_add_test(tc, an_alternative_may_have_no_steps);
    tcase_add_test(tc, subs_nest_to_the_stated_depth);
    tcase_add_test(tc, nobody_waits_for_what_was_spawned);
    tcase_add_test(tc, branches_fragments_and_spawns_each_have_their_own_key);
}

TEST_MAIN("unit.plan")
