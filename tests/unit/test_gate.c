/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"

static void write_gate(struct bed *b, struct sim_plan *p, uint64_t n, sim_time ns, uint32_t word)
{
    sim_take(p, b->gate, n, DISK);
    sim_call(p, &note, word);
    sim_delay(p, ns, 0, DISK);
    sim_give(p, b->gate, n);
    sim_ack(p);
}

START_TEST(a_gate_lets_through_first_come_first_served_and_overtakes_nobody)
{
    struct bed b;
    bed_open(&b, true);
    const uint64_t n[5] = {1, 2, 1, 1, 2};
    for (unsigned i = 0; i < 5; i++) {
        struct sim_io *io = probe_io(b.s, b.p, i);
        sim_delay(&io->plan, i, 0, CPU); /* in this order */
        write_gate(&b, &io->plan, n[i], 100, i);
        sim_io_start(b.s, io);
    }
    sim_run(b.s, SIM_NEVER);
    /* Number 2 needs one of the two, but waits behind number 1, which needs both. */
    ck_assert_str_eq(log_text(&b.log), "0:0 100:1 200:2 200:3 300:4");
    ck_assert_uint_eq(b.s->gate[b.gate].passed, 5);
    ck_assert_uint_eq(b.s->gate[b.gate].wait, 99 + 198 + 197 + 296);
    ck_assert_uint_eq(b.s->gate[b.gate].area, 99 + 198 + 197 + 296);
    ck_assert_uint_eq((uint64_t)b.s->gate[b.gate].used_area, 100 + 200 + 100 + 100 + 200);
    bed_close(&b);
}
END_TEST

static void try_gate(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word)
{
    bool got = sim_gate_try(s, 0, 1);
    log_write(s, io, t, word * 10 + got);
    if (got)
        sim_gate_give(s, 0, 1);
}

static const struct sim_call_fn try_note = {"try", try_gate};

START_TEST(trying_a_gate_never_waits_and_never_passes_a_waiter)
{
    struct bed b;
    bed_open(&b, true);
    struct sim_io *a = probe_io(b.s, b.p, 0), *c = probe_io(b.s, b.p, 1),
                  *d = probe_io(b.s, b.p, 2);
    write_gate(&b, &a->plan, 1, 100, 1);
    sim_delay(&c->plan, 10, 0, CPU);
    write_gate(&b, &c->plan, 2, 100, 2);
    sim_delay(&d->plan, 5, 0, CPU);
    sim_call(&d->plan, &try_note, 3); /* one is free, nobody waits */
    sim_delay(&d->plan, 10, 0, CPU);
    sim_call(&d->plan, &try_note, 3); /* one is free, but somebody waits */
    sim_delay(&d->plan, 300, 0, CPU);
    sim_call(&d->plan, &try_note, 3);
    sim_ack(&d->plan);
    sim_io_start(b.s, a);
    sim_io_start(b.s, c);
    sim_io_start(b.s, d);
    sim_run(b.s, SIM_NEVER);
    ck_assert_str_eq(log_text(&b.log), "0:1 5:31 15:30 100:2 315:31");
    bed_close(&b);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_gate_lets_through_first_come_first_served_and_overtakes_nobody);
    tcase_add_test(tc, trying_a_gate_never_waits_and_never_passes_a_waiter);
}

TEST_MAIN("unit.gate")
