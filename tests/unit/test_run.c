/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"

/* Changes only when the order of events does, which no tuning may do. */
#define TIE_MATRIX_HASH 17093193928032476756ULL

/* ---- a random mix of everything ---- */

static void random_plan(struct bed *b, struct sim_plan *p, uint64_t u, unsigned level, bool gated)
{
    for (unsigned i = 0; i < 4; i++) {
        u = sim_mix(u);
        sim_time ns = 100 + u % 5000;
        uint8_t part = (uint8_t)(1 + u / 7 % 3);
        switch (u >> 60) {
        case 0: case 1:
            sim_visit(p, b->fifo, ns / 8, 1, part);
            break;
        case 2:
            sim_visit(p, b->duo, ns / 4, 1, part);
            break;
        case 3: /* an in-order station behind the only server that feeds it */
            sim_visit(p, b->feed, ns / 8, 1, part);
            sim_delay(p, 700, 0, part);
            sim_visit_units(p, b->fed, (uint32_t)(u % 4), 1, ns, 1, part);
            break;
        case 4: case 5:
            sim_visit_units(p, b->units, (uint32_t)(u % 4), 1 + (uint32_t)(u / 4 % 2), ns, 1, part);
            break;
        case 6:
            sim_visit_cut(p, b->fifo, ns / 8, ns / 16, part);
            break;
        case 7: case 8:
            sim_delay(p, ns, 1, part);
            break;
        case 9: case 10:
            if (gated || level > 1)
                break;
            sim_take(p, b->gate, 1 + u % 2, part);
            random_plan(b, p, u, 2, true);
            sim_give(p, b->gate, 1 + u % 2);
            break;
        case 11: case 12:
            if (level > 1)
                break;
            sim_split(p, 1 + (uint32_t)(u % 5), (uint32_t)(u / 5 % 4));
            random_plan(b, p, u, level + 1, gated);
            sim_join(p);
            break;
        default:
            if (level > 1)
                break;
            sim_par(p, (uint32_t)(u % 4));
            for (unsigned k = 0; k < 3; k++) {
                sim_branch(p);
                random_plan(b, p, u + k, level + 1, gated);
            }
            sim_join(p);
        }
    }
}

static void run_random(struct bed *b, uint64_t seed, bool fuse, bool trails, struct sim_dist *d)
{
    bed_open(b, fuse);
    b->s->trails = trails;
    sim_add_dist(b->s, d);
    for (unsigned i = 0; i < 300; i++) {
        struct sim_io *io = probe_io(b->s, b->p, i);
        uint64_t u = sim_key(seed, i);
        sim_delay(&io->plan, u % 2000000, 0, CPU);
        random_plan(b, &io->plan, u, 0, false);
        sim_ack(&io->plan);
        random_plan(b, &io->plan, u + 1, 1, false);
        sim_io_start(b->s, io);
    }
    sim_run(b->s, SIM_NEVER);
    ck_assert_uint_eq(b->p->acks, 300);
}

START_TEST(fused_or_not_every_acknowledge_comes_at_the_same_time)
{
    struct sim_dist d;
    ck_assert_int_eq(sim_dist_lognormal(&d, "service", 0, 3000, 0.8), 0);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct bed a, b, c;
        run_random(&a, seed, true, true, &d);
        run_random(&b, seed, false, true, &d);
        run_random(&c, seed, true, false, &d);
        ck_assert_mem_eq(a.p->at, b.p->at, sizeof a.p->at);
        ck_assert_mem_eq(a.p->at, c.p->at, sizeof a.p->at);
        ck_assert(a.s->hash == c.s->hash); /* booking changes nothing */
        ck_assert_uint_lt(a.s->events, b.s->events);
        ck_assert_uint_eq(a.s->draws, b.s->draws);
        bed_close(&a);
        bed_close(&b);
        bed_close(&c);
    }
}
END_TEST

static void start_random(struct bed *b, uint64_t seed, bool fuse, struct sim_dist *d)
{
    bed_open(b, fuse);
    sim_add_dist(b->s, d);
    for (unsigned i = 0; i < 300; i++) {
        struct sim_io *io = probe_io(b->s, b->p, i);
        uint64_t u = sim_key(seed, i);
        sim_delay(&io->plan, u % 2000000, 0, CPU);
        random_plan(b, &io->plan, u, 0, false);
        sim_ack(&io->plan);
        sim_io_start(b->s, io);
    }
}

START_TEST(fused_or_not_the_books_of_every_station_agree_at_any_moment)
{
    struct sim_dist d;
    struct bed a, b;
    struct sim_station_books x[8], y[8];
    ck_assert_int_eq(sim_dist_exponential(&d, "service", 3000), 0);
    start_random(&a, 11, true, &d);
    start_random(&b, 11, false, &d);
    ck_assert_uint_le(a.s->nstations, 8);
    sim_time now = 0;
    bool more = true;
    for (unsigned round = 0; more; round++) {
        now += 1777;
        more = sim_run(a.s, now);
        ck_assert(sim_run(b.s, now) == more);
        sim_station_snapshot(a.s, x);
        sim_station_snapshot(b.s, y);
        for (uint32_t i = 0; i < a.s->nstations; i++)
            ck_assert_msg(memcmp(&x[i], &y[i], sizeof x[i]) == 0, "%s at %llu",
                          a.s->station[i].name, (unsigned long long)now);
    }
    bed_close(&a);
    bed_close(&b);
}
END_TEST

START_TEST(a_run_may_be_interrupted_anywhere_and_goes_on_the_same)
{
    struct sim_dist d;
    struct bed a, b;
    ck_assert_int_eq(sim_dist_exponential(&d, "service", 3000), 0);
    start_random(&a, 7, true, &d);
    sim_run(a.s, SIM_NEVER);
    start_random(&b, 7, true, &d);
    sim_time now = 0;
    while (sim_run(b.s, now += 7777))
        ck_assert_uint_eq(b.s->now, now);
    ck_assert(a.s->hash == b.s->hash);
    ck_assert_uint_eq(a.s->events, b.s->events);
    bed_close(&a);
    bed_close(&b);
}
END_TEST

/* ---- deliberate ties ---- */

/* 64 I/Os whose events all fall on the same few nanoseconds. */
static uint64_t tie_matrix(bool reversed, uint64_t *ties, struct probe *p)
{
    struct sim *s = sim_create(1, 0);
    uint32_t fifo = sim_add_pipe(s, "fifo", -1), units = sim_add_units(s, "units", -1, 4);
    for (unsigned k = 0; k < 64; k++) {
        unsigned i = reversed ? 63 - k : k;
        struct sim_io *io = probe_io(s, p, i);
        sim_delay(&io->plan, 100, 0, CPU);
        sim_par(&io->plan, SIM_ALL);
        sim_branch(&io->plan);
        sim_visit(&io->plan, fifo, 10, 0, CPU);
        sim_branch(&io->plan);
        sim_visit_units(&io->plan, units, i % 4, 1, 40, 0, DISK);
        sim_delay(&io->plan, 10, 0, DISK);
        sim_join(&io->plan);
        sim_visit(&io->plan, fifo, 10, 0, CPU);
        sim_ack(&io->plan);
        sim_io_start(s, io);
    }
    sim_run(s, SIM_NEVER);
    uint64_t hash = s->hash;
    *ties = s->ties;
    assert_at_rest(s);
    sim_free(s);
    return hash;
}

START_TEST(ties_are_broken_by_who_it_is_and_not_by_who_was_first)
{
    struct probe *a = probe_new(), *b = probe_new();
    uint64_t ta, tb, ha = tie_matrix(false, &ta, a), hb = tie_matrix(true, &tb, b);
    ck_assert_mem_eq(a->at, b->at, sizeof a->at);
    ck_assert(ha == hb);
    ck_assert_uint_eq(ta, tb);
    ck_assert_uint_ge(ta, 63);
    unsigned ordered = 0; /* nor by number */
    for (unsigned i = 1; i < 64; i++)
        ordered += a->at[i] > a->at[i - 1];
    ck_assert_uint_gt(ordered, 16);
    ck_assert_uint_lt(ordered, 48);
    free(a);
    free(b);
}
END_TEST

START_TEST(the_tie_matrix_has_the_same_hash_on_every_compiler)
{
    struct probe *p = probe_new();
    uint64_t ties;
    ck_assert_uint_eq(tie_matrix(false, &ties, p), TIE_MATRIX_HASH);
    free(p);
}
END_TEST

/* ---- timers and the run loop ---- */

static void on_timer(struct sim *s, void *ctx)
{
    log_write(s, NULL, NULL, *(uint32_t *)ctx);
    if (s->now < 300)
        sim_after(s, 100, on_timer, ctx);
}

START_TEST(timers_call_back_and_the_clock_stops_where_told)
{
    struct bed b;
    uint32_t one = 1, two = 2;
    bed_open(&b, true);
    sim_after(b.s, 50, on_timer, &one);
    sim_after(b.s, 120, on_timer, &two);
    ck_assert(sim_run(b.s, 119));
    ck_assert_uint_eq(b.s->now, 119);
    ck_assert_str_eq(log_text(&b.log), "50:1");
    ck_assert(sim_run(b.s, 120)); /* up to and including */
    ck_assert_str_eq(log_text(&b.log), "50:1 120:2");
    ck_assert(!sim_run(b.s, 1000));
    ck_assert_uint_eq(b.s->now, 1000);
    ck_assert_str_eq(log_text(&b.log), "50:1 120:2 150:1 220:2 250:1 320:2 350:1");
    bed_close(&b);
}
END_TEST

static void on_stop(struct sim *s, void *ctx)
{
    (void)ctx;
    s->stop = true;
}

START_TEST(stop_ends_the_run_after_this_event)
{
    struct bed b;
    uint32_t one = 1;
    bed_open(&b, true);
    sim_after(b.s, 10, on_stop, NULL);
    sim_after(b.s, 20, on_timer, &one);
    ck_assert(sim_run(b.s, 1000));
    ck_assert_uint_eq(b.s->now, 10);
    ck_assert_uint_eq(b.log.n, 0);
    ck_assert(!sim_run(b.s, 1000));
    ck_assert_uint_eq(b.log.n, 4);
    bed_close(&b);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, fused_or_not_every_acknowledge_comes_at_the_same_time);
    tcase_add_test(tc, fused_or_not_the_books_of_every_station_agree_at_any_moment);
    tcase_add_test(tc, a_run_may_be_interrupted_anywhere_and_goes_on_the_same);
    tcase_add_test(tc, ties_are_broken_by_who_it_is_and_not_by_who_was_first);
    tcase_add_test(tc, the_tie_matrix_has_the_same_hash_on_every_compiler);
    tcase_add_test(tc, timers_call_back_and_the_clock_stops_where_told);
    tcase_add_test(tc, stop_ends_the_run_after_this_event);
}

TEST_MAIN("unit.run")
