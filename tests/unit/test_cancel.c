/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"

#define NODES 3

/* ---- a cluster whose node dies ---- */

struct cluster {
    struct sim *s;
    struct probe *p;
    struct sim_dist dist;
    uint32_t cpu[NODES], link[NODES], disk[NODES], slots[NODES];
};

static void cluster_open(struct cluster *c, bool queued, bool fuse)
{
    c->s = sim_create(5, 0);
    c->p = probe_new();
    c->s->fuse = fuse;
    ck_assert_int_eq(sim_dist_lognormal(&c->dist, "service", 0, 20000, 0.7), 0);
    sim_add_dist(c->s, &c->dist);
    for (int n = 0; n < NODES; n++) {
        c->cpu[n] = sim_add_fifo(c->s, "cpu", n, 2);
        c->link[n] = sim_add_pipe(c->s, "link", n);
        c->disk[n] = sim_add_units(c->s, "disk", n, 4);
        c->slots[n] = sim_add_gate(c->s, "slots", n, 8);
        if (!queued)
            continue;
        sim_station_set_queued(c->s, c->cpu[n]);
        sim_station_set_queued(c->s, c->link[n]);
        sim_station_set_queued(c->s, c->disk[n]);
    }
}

static void on_disk(struct cluster *c, struct sim_plan *p, unsigned n, unsigned i)
{
    sim_take(p, c->slots[n], 1, DISK);
    sim_visit_units(p, c->disk[n], i % 4, 1, 1000, 1, DISK);
    sim_delay(p, 2000, 0, DISK);
    sim_give(p, c->slots[n], 1);
}

/* Two copies; the second crosses the wire and ends in a parked visit. */
static void mirror(struct cluster *c, struct sim_plan *p, unsigned i)
{
    unsigned a = i % NODES, b = (i + 1) % NODES;
    sim_visit(p, c->cpu[a], 500, 1, CPU);
    sim_par(p, SIM_ALL);
    sim_branch(p);
    on_disk(c, p, a, i);
    sim_branch(p);
    sim_visit(p, c->link[a], 4000, 0, WIRE);
    on_disk(c, p, b, i);
    sim_visit(p, c->link[b], 100, 0, WIRE);
    sim_delay(p, 50, 0, WIRE);
    sim_join(p);
    sim_visit(p, c->cpu[a], 100, 0, CPU);
    sim_ack(p);
}

static void die(struct sim *s, void *ctx)
{
    struct cluster *c = ctx;
    sim_station_fail(s, c->cpu[1]);
    sim_station_fail(s, c->link[1]);
    sim_station_fail(s, c->disk[1]);
}

/* Returns acknowledges without a failure. */
static unsigned run_and_die(bool queued, bool fuse, sim_time death, unsigned ios)
{
    struct cluster c;
    cluster_open(&c, queued, fuse);
    for (unsigned i = 0; i < ios; i++) {
        struct sim_io *io = probe_io(c.s, c.p, i);
        sim_delay(&io->plan, sim_key(11, i) % (20000 * ios), 0, CPU);
        mirror(&c, &io->plan, i);
        sim_io_start(c.s, io);
    }
    sim_after(c.s, death, die, &c);
    sim_run(c.s, SIM_NEVER);
    ck_assert_uint_eq(c.p->dones, ios);
    ck_assert_uint_eq(c.p->untrue, 0);
    ck_assert_uint_gt(c.p->acks, 0);
    ck_assert_uint_lt(c.p->acks - c.p->failed, ios);
    assert_at_rest(c.s);
    struct sim_station_books books[3 * NODES];
    sim_station_snapshot(c.s, books);
    for (unsigned i = 0; i < 3 * NODES; i++)
        ck_assert_uint_eq(books[i].area, books[i].sojourn);
    unsigned good = c.p->acks - c.p->failed;
    sim_free(c.s);
    free(c.p);
    return good;
}

START_TEST(a_node_dies_under_load_and_nothing_leaks)
{
    for (int queued = 0; queued < 2; queued++)
        for (int fuse = 0; fuse < 2; fuse++)
            for (sim_time death = 1000; death < 6000000; death += 311311)
                run_and_die(queued, fuse, death, 300);
}
END_TEST

START_TEST(what_needed_only_living_nodes_is_acknowledged_as_before)
{
    unsigned good = run_and_die(false, true, 0, 300);
    ck_assert_uint_eq(good, 100); /* node 2 to node 0 */
    ck_assert_uint_gt(run_and_die(false, true, 3000000, 300), 130);
}
END_TEST

static void only_one(bool queued, sim_time death, sim_time ack, unsigned failed)
{
    struct cluster c;
    cluster_open(&c, queued, true);
    struct sim_io *io = probe_io(c.s, c.p, 0);
    sim_visit(&io->plan, c.link[0], 100, 0, WIRE);
    sim_par(&io->plan, SIM_ALL);
    sim_branch(&io->plan);
    sim_visit_units(&io->plan, c.disk[1], 0, 1, 1000, 0, DISK);
    sim_delay(&io->plan, 500, 0, DISK);
    sim_branch(&io->plan);
    sim_visit(&io->plan, c.link[0], 200, 0, WIRE);
    sim_join(&io->plan);
    sim_ack(&io->plan);
    sim_io_start(c.s, io);
    sim_after(c.s, death, die, &c);
    sim_run(c.s, SIM_NEVER);
    ck_assert_uint_eq(c.p->acks, 1);
    ck_assert_uint_eq(c.p->at[0], ack);
    ck_assert_uint_eq(c.p->failed, failed);
    ck_assert_uint_eq(c.p->untrue, 0);
    assert_at_rest(c.s);
    sim_free(c.s);
    free(c.p);
}

START_TEST(a_branch_fails_when_its_station_does_and_the_join_waits_for_the_others)
{
    for (int queued = 0; queued < 2; queued++) {
        only_one(queued, 50, 300, 1);    /* refused on arrival, the other branch decides */
        only_one(queued, 150, 300, 1);   /* dies in service */
        only_one(queued, 700, 700, 1);   /* the other branch was parked: now is the end */
        only_one(queued, 1100, 1600, 0); /* served already, in the delay behind it */
        only_one(queued, 2000, 1600, 0);
    }
}
END_TEST

START_TEST(an_io_that_fails_outside_any_fork_ends_without_an_acknowledge)
{
    struct cluster c;
    cluster_open(&c, false, true);
    struct sim_io *io = probe_io(c.s, c.p, 0);
    sim_take(&io->plan, c.slots[0], 3, DISK);
    sim_visit_units(&io->plan, c.disk[1], 0, 1, 1000, 0, DISK);
    sim_give(&io->plan, c.slots[0], 3);
    sim_ack(&io->plan);
    sim_io_start(c.s, io);
    sim_after(c.s, 500, die, &c);
    sim_run(c.s, SIM_NEVER);
    ck_assert_uint_eq(c.p->acks, 0);
    ck_assert_uint_eq(c.p->dones, 1);
    assert_at_rest(c.s);
    sim_free(c.s);
    free(c.p);
}
END_TEST

START_TEST(a_failed_branch_counts_only_when_too_few_others_are_left)
{
    /* First of two: the dead copy answers at once, the living one in 1000. */
    for (uint32_t living = 1; living < 3; living++) {
        struct cluster c;
        cluster_open(&c, false, true);
        die(c.s, &c);
        struct sim_io *io = probe_io(c.s, c.p, 0);
        sim_par(&io->plan, living);
        for (uint32_t k = 0; k < 3; k++) {
            sim_branch(&io->plan);
            sim_visit(&io->plan, k < living ? c.link[0] : c.link[1], 1000, 0, DISK);
        }
        sim_join(&io->plan);
        sim_ack(&io->plan);
        sim_io_start(c.s, io);
        sim_run(c.s, SIM_NEVER);
        ck_assert_uint_eq(c.p->at[0], living * 1000); /* they share the link */
        assert_at_rest(c.s);
        sim_free(c.s);
        free(c.p);
    }
}
END_TEST

/* ---- timeouts and hedges ---- */

static sim_time timeout_after(sim_time limit, bool queued, uint64_t *busy)
{
    struct cluster c;
    cluster_open(&c, queued, true);
    struct sim_io *io = probe_io(c.s, c.p, 0);
    sim_par_cancel(&io->plan, 1);
    sim_branch(&io->plan);
    sim_take(&io->plan, c.slots[0], 5, DISK);
    sim_visit(&io->plan, c.cpu[0], 1000, 0, CPU);
    sim_par(&io->plan, SIM_ALL); /* with a parked branch, a fused delay and a queue inside */
    sim_branch(&io->plan);
    sim_visit(&io->plan, c.link[1], 500, 0, DISK);
    sim_branch(&io->plan);
    sim_visit(&io->plan, c.link[1], 500, 0, DISK);
    sim_delay(&io->plan, 1000, 0, DISK);
    sim_join(&io->plan);
    sim_give(&io->plan, c.slots[0], 5);
    sim_branch(&io->plan);
    sim_delay(&io->plan, limit, 0, WIRE);
    sim_join(&io->plan);
    sim_ack(&io->plan);
    sim_io_start(c.s, io);
    sim_run(c.s, SIM_NEVER);
    ck_assert_uint_eq(c.p->acks, 1);
    ck_assert_uint_eq(c.p->untrue, 0);
    assert_at_rest(c.s);
    sim_time at = c.p->at[0];
    *busy = c.s->station[c.link[1]].busy;
    sim_free(c.s);
    free(c.p);
    return at;
}

START_TEST(a_timeout_is_work_against_a_delay)
{
    uint64_t busy;
    for (int queued = 0; queued < 2; queued++) {
        ck_assert_uint_eq(timeout_after(10, queued, &busy), 10);
        ck_assert_uint_eq(busy, 0);
        ck_assert_uint_eq(timeout_after(1200, queued, &busy), 1200);
        /* A command given to a busy-until server is carried out. */
        ck_assert_uint_eq(busy, queued ? 200 : 1000);
        ck_assert_uint_eq(timeout_after(1700, queued, &busy), 1700);
        ck_assert_uint_eq(timeout_after(2500, queued, &busy), 2500);
        ck_assert_uint_eq(timeout_after(5000, queued, &busy), 3000);
        ck_assert_uint_eq(busy, 1000);
    }
}
END_TEST

START_TEST(a_hedged_read_takes_the_faster_copy_and_stops_the_other)
{
    struct cluster c;
    cluster_open(&c, true, true);
    const sim_time first[3] = {500, 5000, 5000}, second[3] = {100, 100, 9000};
    const sim_time want[3] = {500, 1100, 5000};
    sim_time start = 0;
    for (unsigned i = 0; i < 3; i++, start += 20000) {
        struct sim_io *io = probe_io(c.s, c.p, i);
        sim_delay(&io->plan, start, 0, CPU);
        sim_par_cancel(&io->plan, 1);
        sim_branch(&io->plan);
        sim_visit_units(&io->plan, c.disk[0], 0, 1, first[i], 0, DISK);
        sim_branch(&io->plan);
        sim_delay(&io->plan, 1000, 0, WIRE); /* ask the other copy after 1 us */
        sim_visit_units(&io->plan, c.disk[1], 0, 1, second[i], 0, DISK);
        sim_join(&io->plan);
        sim_ack(&io->plan);
        sim_io_start(c.s, io);
    }
    sim_run(c.s, SIM_NEVER);
    for (unsigned i = 0; i < 3; i++)
        ck_assert_uint_eq(c.p->at[i], i * 20000 + want[i]);
    ck_assert_uint_eq(c.p->untrue, 0);
    ck_assert_uint_eq(c.s->station[c.disk[0]].busy, 500 + 1100 + 5000);
    ck_assert_uint_eq(c.s->station[c.disk[1]].busy, 100 + 4000);
    assert_at_rest(c.s);
    sim_free(c.s);
    free(c.p);
}
END_TEST

START_TEST(a_cancelled_waiter_lets_those_behind_it_through)
{
    struct cluster c;
    cluster_open(&c, false, true);
    const uint64_t n[4] = {5, 8, 3, 3};
    for (unsigned i = 0; i < 4; i++) {
        struct sim_io *io = probe_io(c.s, c.p, i);
        sim_delay(&io->plan, i, 0, CPU);
        sim_par_cancel(&io->plan, 1);
        sim_branch(&io->plan);
        sim_take(&io->plan, c.slots[0], n[i], DISK);
        sim_delay(&io->plan, 1000, 0, DISK);
        sim_give(&io->plan, c.slots[0], n[i]);
        sim_branch(&io->plan);
        sim_delay(&io->plan, i == 1 ? 99 : 5000, 0, WIRE);
        sim_join(&io->plan);
        sim_ack(&io->plan);
        sim_io_start(c.s, io);
    }
    sim_run(c.s, SIM_NEVER);
    ck_assert_uint_eq(c.p->at[0], 1000);
    ck_assert_uint_eq(c.p->at[1], 100);  /* gave up */
    ck_assert_uint_eq(c.p->at[2], 1100); /* was only waiting behind number 1 */
    ck_assert_uint_eq(c.p->at[3], 2000);
    assert_at_rest(c.s);
    sim_free(c.s);
    free(c.p);
}
END_TEST

/* ---- cancelling anything anywhere ---- */

struct hunt {
    struct cluster *c;
    struct sim_io *live[400];
    uint64_t u;
    unsigned shots, states[8];
};

static void forget_io(struct sim_client *client, struct sim *s, struct sim_io *io)
{
    struct hunt *h = s->model;
    h->live[*sim_io_payload(io, unsigned)] = NULL;
    probe_done(client, s, io);
}

static void shoot(struct sim *s, void *ctx)
{
    struct hunt *h = ctx;
    h->u = sim_mix(h->u);
    struct sim_io *io = h->live[h->u % 400];
    if (io && io->tokens) {
        struct sim_token *t = io->tokens;
        if (h->u >> 63 && t->io_next)
            t = t->io_next;
        h->states[t->state]++;
        h->shots++;
        sim_token_cancel(s, t);
    }
    if (s->now < 10000000)
        sim_after(s, h->u % 40000, shoot, h);
}

static unsigned open_season(bool queued, unsigned *states)
{
    struct cluster c;
    cluster_open(&c, queued, true);
    struct hunt h = {.c = &c, .u = 3};
    c.s->model = &h;
    c.p->client.done = forget_io;
    for (unsigned i = 0; i < 400; i++) {
        struct sim_io *io = probe_io(c.s, c.p, i);
        h.live[i] = io;
        sim_delay(&io->plan, sim_key(11, i) % 8000000, 0, CPU);
        sim_split(&io->plan, 3, 2);
        mirror(&c, &io->plan, i);
        io->plan.n--; /* without its acknowledge */
        sim_join(&io->plan);
        sim_ack(&io->plan);
        sim_io_start(c.s, io);
    }
    sim_after(c.s, 100, shoot, &h);
    sim_run(c.s, SIM_NEVER);
    ck_assert_uint_eq(c.p->dones, 400);
    ck_assert_uint_eq(c.p->untrue, 0);
    ck_assert_uint_lt(c.p->acks, 400);
    ck_assert_uint_gt(c.p->acks, 100);
    assert_at_rest(c.s);
    struct sim_station_books books[3 * NODES];
    sim_station_snapshot(c.s, books);
    for (unsigned i = 0; i < 3 * NODES; i++)
        ck_assert_uint_eq(books[i].area, books[i].sojourn);
    for (unsigned i = 0; i < 8; i++)
        states[i] += h.states[i];
    sim_free(c.s);
    free(c.p);
    return h.shots;
}

START_TEST(any_token_may_be_cancelled_in_any_state)
{
    unsigned states[8] = {0};
    ck_assert_uint_gt(open_season(false, states), 50);
    ck_assert_uint_gt(open_season(true, states), 50);
    ck_assert_uint_gt(states[SIM_PENDING], 0);
    ck_assert_uint_gt(states[SIM_PARKED], 0);
    ck_assert_uint_gt(states[SIM_QUEUED], 0);
    ck_assert_uint_gt(states[SIM_AT_GATE], 0);
    ck_assert_uint_eq(states[SIM_FREE], 0);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_node_dies_under_load_and_nothing_leaks);
    tcase_add_test(tc, what_needed_only_living_nodes_is_acknowledged_as_before);
    tcase_add_test(tc, a_branch_fails_when_its_station_does_and_the_join_waits_for_the_others);
    tcase_add_test(tc, an_io_that_fails_outside_any_fork_ends_without_an_acknowledge);
    tcase_add_test(tc, a_failed_branch_counts_only_when_too_few_others_are_left);
    tcase_add_test(tc, a_timeout_is_work_against_a_delay);
    tcase_add_test(tc, a_hedged_read_takes_the_faster_copy_and_stops_the_other);
    tcase_add_test(tc, a_cancelled_waiter_lets_those_behind_it_through);
    tcase_add_test(tc, any_token_may_be_cancelled_in_any_state);
}

TEST_MAIN("unit.cancel")
