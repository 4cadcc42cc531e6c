/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check_main.h"

#include "sim_queue.h"
#include "sim_rng.h"

#define SLOTS 600
#define OPS 60000

struct ref {
    bool used;
    uint64_t time, tie, seq;
};

static bool ref_before(const struct ref *a, const struct ref *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    return a->tie != b->tie ? a->tie < b->tie : a->seq < b->seq;
}

/* Index of the reference's next event; SLOTS: none. */
static unsigned ref_first(const struct ref *r)
{
    unsigned best = SLOTS;
    for (unsigned i = 0; i < SLOTS; i++)
        if (r[i].used && r[i].time != SIM_NEVER && (best == SLOTS || ref_before(&r[i], &r[best])))
            best = i;
    return best;
}

static void assert_same(const struct sim_queue *q, const struct ref *r, unsigned *name)
{
    unsigned best = ref_first(r);
    if (best == SLOTS) {
        ck_assert(sim_queue_next(q) == SIM_NEVER);
        return;
    }
    ck_assert(sim_queue_next(q) == r[best].time);
    ck_assert_ptr_eq(sim_queue_owner(q, sim_queue_first(q)), &name[best]);
}

/* Random sets, cancels and pops over few distinct times and ties, so that many
 * are equal; slots are taken on the way, so the tree grows under way. */
static void random_walk(uint64_t seed, uint64_t times, uint64_t ties)
{
    static struct ref r[SLOTS];
    static uint32_t slot[SLOTS];
    static unsigned name[SLOTS];
    struct sim_queue q;
    unsigned have = 0;
    uint64_t seq = 0, base = 0, u = seed;
    for (unsigned i = 0; i < SLOTS; i++)
        r[i] = (struct ref){.time = SIM_NEVER};
    ck_assert(sim_queue_init(&q, 2));
    for (unsigned op = 0; op < OPS; op++) {
        u = sim_mix(u);
        unsigned kind = (unsigned)(u % 16), i = (unsigned)sim_below(sim_mix(u), have ? have : 1);
        if (have < SLOTS && (have == 0 || (kind == 0 && op % 3 == 0))) {
            i = have++;
            slot[i] = sim_queue_slot(&q, &name[i]);
            ck_assert_uint_ne(slot[i], UINT32_MAX);
            r[i].used = true;
        }
        if (kind < 6 && ref_first(r) != SLOTS) {
            i = ref_first(r);
            base = r[i].time;
            r[i].time = kind < 3 ? SIM_NEVER : base + u / 16 % times;
        } else {
            r[i].time = kind == 15 ? SIM_NEVER : base + u / 16 % times;
        }
        r[i].tie = sim_mix(u + 1) % ties;
        r[i].seq = seq++;
        sim_queue_set(&q, slot[i], r[i].time, r[i].tie);
        assert_same(&q, r, name);
    }
    sim_queue_fini(&q);
}

START_TEST(events_come_in_the_order_of_a_sorted_reference)
{
    random_walk(1, 1000000, UINT64_MAX);
    random_walk(2, 1000, 1000);
}
END_TEST

START_TEST(equal_times_come_by_tie_and_equal_ties_by_sequence)
{
    random_walk(3, 3, 1000);
    random_walk(4, 3, 3);
    random_walk(5, 1, 1);
}
END_TEST

START_TEST(the_slot_number_never_decides)
{
    for (unsigned turn = 0; turn < 2; turn++) {
        struct sim_queue q;
        uint32_t slot[64];
        unsigned name[64];
        ck_assert(sim_queue_init(&q, 64));
        for (unsigned i = 0; i < 64; i++)
            slot[i] = sim_queue_slot(&q, &name[i]);
        for (unsigned i = 0; i < 64; i++) /* the same events in reversed slots */
            sim_queue_set(&q, slot[turn ? 63 - i : i], 7, 5);
        for (unsigned i = 0; i < 64; i++) {
            uint32_t first = sim_queue_first(&q);
            ck_assert_uint_eq(first, slot[turn ? 63 - i : i]);
            sim_queue_set(&q, first, SIM_NEVER, 0);
        }
        sim_queue_fini(&q);
    }
}
END_TEST

START_TEST(growing_keeps_every_handle_and_event)
{
    static unsigned name[5000];
    static uint32_t slot[5000];
    struct sim_queue q;
    ck_assert(sim_queue_init(&q, 1));
    for (unsigned i = 0; i < 5000; i++) {
        slot[i] = sim_queue_slot(&q, &name[i]);
        sim_queue_set(&q, slot[i], 1000000 - i, i);
    }
    for (unsigned i = 0; i < 5000; i++) {
        ck_assert_ptr_eq(sim_queue_owner(&q, slot[i]), &name[i]);
        ck_assert(sim_queue_time(&q, slot[i]) == 1000000 - i);
        for (unsigned k = i > 3 ? i - 3 : 0; k < i; k++)
            ck_assert_uint_ne(slot[i], slot[k]);
    }
    for (unsigned i = 5000; i-- > 0;) {
        ck_assert_uint_eq(sim_queue_first(&q), slot[i]);
        sim_queue_set(&q, slot[i], SIM_NEVER, 0);
    }
    ck_assert(sim_queue_next(&q) == SIM_NEVER);
    sim_queue_fini(&q);
}
END_TEST

START_TEST(a_slot_set_to_never_is_empty_and_can_be_given_back)
{
    struct sim_queue q;
    unsigned a, b;
    ck_assert(sim_queue_init(&q, 2));
    uint32_t sa = sim_queue_slot(&q, &a), sb = sim_queue_slot(&q, &b);
    sim_queue_set(&q, sa, 10, 0);
    sim_queue_set(&q, sb, 5, 0);
    sim_queue_set(&q, sb, SIM_NEVER, 0);
    ck_assert_uint_eq(sim_queue_first(&q), sa);
    sim_queue_set(&q, sa, SIM_NEVER, 0);
    ck_assert(sim_queue_next(&q) == SIM_NEVER);
    uint32_t cap = q.cap;
    sim_queue_release(&q, sb);
    ck_assert_uint_eq(sim_queue_slot(&q, &b), sb);
    ck_assert_uint_eq(q.cap, cap);
    sim_queue_fini(&q);
}
END_TEST

START_TEST(times_up_to_the_last_before_never_are_events)
{
    struct sim_queue q;
    unsigned a, b;
    ck_assert(sim_queue_init(&q, 2));
    uint32_t sa = sim_queue_slot(&q, &a), sb = sim_queue_slot(&q, &b);
    sim_queue_set(&q, sa, SIM_NEVER - 1, 1);
    ck_assert(sim_queue_next(&q) == SIM_NEVER - 1);
    sim_queue_set(&q, sb, SIM_NEVER - 1, 0);
    ck_assert_uint_eq(sim_queue_first(&q), sb);
    sim_queue_fini(&q);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, events_come_in_the_order_of_a_sorted_reference);
    tcase_add_test(tc, equal_times_come_by_tie_and_equal_ties_by_sequence);
    tcase_add_test(tc, the_slot_number_never_decides);
    tcase_add_test(tc, growing_keeps_every_handle_and_event);
    tcase_add_test(tc, a_slot_set_to_never_is_empty_and_can_be_given_back);
    tcase_add_test(tc, times_up_to_the_last_before_never_are_events);
}

TEST_MAIN("unit.queue")
