/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine.h"

#define STATIONS 4

struct shop { /* a small closed network; `twin`: with real queues */
    struct sim *s;
    struct probe *p;
    struct sim_dist dist;
    uint32_t st[STATIONS];
    unsigned next, ios;
};

static void shop_visit(struct shop *h, struct sim_plan *p, uint64_t u)
{
    switch (u % 4) {
    case 0:
        sim_visit(p, h->st[0], 100 + u / 4 % 1000, 1, CPU);
        break;
    case 1:
        sim_visit(p, h->st[1], 10 + u / 4 % 3000, 1, CPU);
        break;
    case 2:
        sim_visit_units(p, h->st[2], (uint32_t)(u / 4 % 5), 1, u / 20 % 4000, 1, DISK);
        break;
    default:
        /* Not 0 ns: such a visit ends at the time of the one before it, and ties decide. */
        sim_visit(p, h->st[3], 1 + u / 4 % 900, 0, WIRE);
        sim_delay(p, 40, 0, WIRE);
    }
}

static void shop_start(struct shop *h)
{
    unsigned i = h->next++;
    struct sim_io *io = probe_io(h->s, h->p, i);
    uint64_t u = sim_key(17, i);
    if (i < 24)
        sim_delay(&io->plan, 1 + i, 0, CPU);
    for (unsigned k = 0; k < 3; k++)
        shop_visit(h, &io->plan, u = sim_mix(u));
    sim_par(&io->plan, SIM_ALL);
    sim_branch(&io->plan);
    shop_visit(h, &io->plan, u = sim_mix(u));
    sim_branch(&io->plan);
    shop_visit(h, &io->plan, u = sim_mix(u));
    shop_visit(h, &io->plan, u = sim_mix(u));
    sim_join(&io->plan);
    sim_ack(&io->plan);
    sim_io_start(h->s, io);
}

static void shop_more(struct probe *p, struct sim *s, struct sim_io *io, unsigned number)
{
    struct shop *h = p->ctx;
    (void)s, (void)io, (void)number;
    if (h->next < h->ios)
        shop_start(h);
}

static void shop_open(struct shop *h, bool twin, bool fuse, unsigned ios)
{
    *h = (struct shop){.s = sim_create(9, 0), .p = probe_new(), .ios = ios};
    ck_assert_int_eq(sim_dist_exponential(&h->dist, "service", 1500), 0);
    sim_add_dist(h->s, &h->dist);
    h->s->fuse = fuse;
    h->p->more = shop_more;
    h->p->ctx = h;
    h->st[0] = sim_add_fifo(h->s, "fifo", -1, 1);
    h->st[1] = sim_add_fifo(h->s, "three", -1, 3);
    h->st[2] = sim_add_units(h->s, "units", -1, 5);
    h->st[3] = sim_add_pipe(h->s, "pipe", -1);
    for (unsigned i = 0; i < STATIONS && twin; i++)
        sim_station_set_queued(h->s, h->st[i]);
    for (unsigned i = 0; i < 24; i++)
        shop_start(h);
}

static void shop_close(struct shop *h)
{
    ck_assert(!sim_run(h->s, SIM_NEVER));
    ck_assert_uint_eq(h->p->acks, h->ios);
    ck_assert_uint_eq(h->p->untrue, 0);
    assert_at_rest(h->s);
    sim_free(h->s);
    free(h->p);
}

START_TEST(a_queued_station_and_its_busy_until_twin_run_alike)
{
    struct shop a, b, c;
    shop_open(&a, false, false, 20000);
    shop_open(&b, true, false, 20000);
    shop_open(&c, false, true, 20000);
    sim_run(a.s, SIM_NEVER);
    sim_run(b.s, SIM_NEVER);
    sim_run(c.s, SIM_NEVER);
    ck_assert_mem_eq(a.p->at, b.p->at, sizeof a.p->at);
    ck_assert_mem_eq(a.p->at, c.p->at, sizeof a.p->at);
    ck_assert(a.s->hash == b.s->hash);
    ck_assert_uint_eq(a.s->events, b.s->events);
    ck_assert_uint_eq(a.s->draws, b.s->draws);
    shop_close(&a);
    shop_close(&b);
    shop_close(&c);
}
END_TEST

static void assert_books_eq(const struct sim_station_books *a, const struct sim_station_books *b)
{
    ck_assert_uint_eq(a->served, b->served);
    ck_assert_uint_eq(a->busy, b->busy);
    ck_assert_uint_eq(a->wait, b->wait);
    ck_assert_uint_eq(a->sojourn, b->sojourn);
    ck_assert_uint_eq(a->area, b->area);
}

START_TEST(the_books_agree_at_every_moment_queued_fused_or_neither)
{
    struct shop h[3];
    struct sim_station_books books[3][STATIONS];
    shop_open(&h[0], false, false, 3000);
    shop_open(&h[1], true, false, 3000);
    shop_open(&h[2], false, true, 3000);
    for (sim_time now = 0; h[0].p->acks < 3000; now += 1237) {
        for (unsigned k = 0; k < 3; k++) {
            sim_run(h[k].s, now);
            sim_station_snapshot(h[k].s, books[k]);
        }
        for (unsigned i = 0; i < STATIONS; i++) {
            assert_books_eq(&books[0][i], &books[1][i]);
            assert_books_eq(&books[0][i], &books[2][i]);
        }
    }
    for (unsigned k = 0; k < 3; k++)
        shop_close(&h[k]);
}
END_TEST

START_TEST(littles_law_holds_exactly_at_every_moment)
{
    struct shop h;
    struct sim_station_books books[STATIONS];
    shop_open(&h, false, true, 3000);
    for (sim_time now = 0; h.p->acks < 3000; now += 991) {
        sim_run(h.s, now);
        sim_station_snapshot(h.s, books);
        for (unsigned i = 0; i < STATIONS; i++) {
            ck_assert_uint_eq(books[i].area, books[i].sojourn);
            ck_assert_uint_eq(books[i].sojourn, books[i].wait + books[i].busy);
        }
    }
    shop_close(&h);
}
END_TEST

START_TEST(no_window_holds_more_service_than_it_has_time)
{
    struct shop h;
    struct sim_station_books before[STATIONS] = {{0}}, after[STATIONS], sum[STATIONS] = {{0}};
    shop_open(&h, false, true, 3000);
    for (sim_time now = 1013; h.p->acks < 3000; now += 1013) {
        sim_run(h.s, now);
        sim_station_snapshot(h.s, after);
        for (unsigned i = 0; i < STATIONS; i++) {
            ck_assert_uint_ge(after[i].busy, before[i].busy);
            ck_assert_uint_le(after[i].busy - before[i].busy,
                              1013 * h.s->station[h.st[i]].servers);
            sum[i].busy += after[i].busy - before[i].busy;
            before[i] = after[i];
        }
    }
    sim_run(h.s, SIM_NEVER);
    sim_station_snapshot(h.s, after);
    for (unsigned i = 0; i < STATIONS; i++) {
        ck_assert_uint_le(sum[i].busy, after[i].busy);
        ck_assert_uint_eq(after[i].busy, h.s->station[h.st[i]].busy);
    }
    shop_close(&h);
}
END_TEST

START_TEST(a_window_is_the_difference_of_two_snapshots)
{
    struct sim *s = sim_create(1, 0);
    struct probe *p = probe_new();
    struct sim_station_books a[1], b[1], c[1];
    uint32_t st = sim_add_pipe(s, "pipe", -1);
    for (unsigned i = 0; i < 3; i++) { /* [0,100) [100,200) [200,300) */
        struct sim_io *io = probe_io(s, p, i);
        sim_visit(&io->plan, st, 100, 0, CPU);
        sim_ack(&io->plan);
        sim_io_start(s, io);
    }
    sim_run(s, 150);
    sim_station_snapshot(s, a);
    sim_run(s, 250);
    sim_station_snapshot(s, b);
    sim_run(s, 400);
    sim_station_snapshot(s, c);
    ck_assert_uint_eq(a[0].busy, 150);
    ck_assert_uint_eq(a[0].wait, 100 + 150);
    ck_assert_uint_eq(a[0].sojourn, 100 + 150 + 150);
    ck_assert_uint_eq(b[0].busy - a[0].busy, 100);
    ck_assert_uint_eq(b[0].wait - a[0].wait, 50);
    ck_assert_uint_eq(b[0].area - a[0].area, 50 + 100);
    ck_assert_uint_eq(c[0].busy - b[0].busy, 50);
    ck_assert_uint_eq(c[0].area - b[0].area, 50);
    ck_assert_uint_eq(c[0].area, c[0].sojourn);
    assert_at_rest(s);
    sim_free(s);
    free(p);
}
END_TEST

START_TEST(work_without_a_token_holds_up_what_comes_behind)
{
    struct sim *s = sim_create(1, 0);
    struct probe *p = probe_new();
    struct sim_station_books b[1];
    uint32_t st = sim_add_units(s, "units", -1, 2);
    sim_station_occupy(s, st, 1, 70);
    sim_station_occupy(s, st, 1, 30);
    for (unsigned i = 0; i < 2; i++) {
        struct sim_io *io = probe_io(s, p, i);
        sim_visit_units(&io->plan, st, i, 1, 10, 0, DISK);
        sim_ack(&io->plan);
        sim_io_start(s, io);
    }
    sim_run(s, 50);
    sim_station_snapshot(s, b);
    ck_assert_uint_eq(b[0].busy, 10 + 50);
    sim_run(s, SIM_NEVER);
    ck_assert_uint_eq(p->at[0], 10);
    ck_assert_uint_eq(p->at[1], 110);
    ck_assert_uint_eq(s->station[st].busy, 10 + 110);
    sim_free(s);
    free(p);
}
END_TEST

struct buffer { /* serves the first two at 10 ns, the rest at 100 */
    unsigned n;
    sim_time free_at;
};

static void serve_buffer(void *obj, struct sim *s, struct sim_token *t, uint64_t arg,
                         struct sim_service *sv)
{
    struct buffer *b = obj;
    (void)t;
    sv->start = sim_max(s->now, b->free_at);
    sv->depart = sv->start + (b->n++ < 2 ? 10 : 100) * arg;
    b->free_at = sv->depart;
    s->station[0].free_at[0] = b->free_at;
}

START_TEST(a_station_may_decide_its_own_service)
{
    struct buffer buffer = {0, 0};
    struct sim *s = sim_create(1, 0);
    struct probe *p = probe_new();
    struct sim_station_books b[1];
    uint32_t st = sim_add_custom(s, "buffer", -1, serve_buffer, &buffer);
    ck_assert_uint_eq(st, 0);
    for (unsigned i = 0; i < 4; i++) {
        struct sim_io *io = probe_io(s, p, i);
        sim_delay(&io->plan, i, 0, CPU);
        sim_serve(&io->plan, st, 2, DISK);
        sim_ack(&io->plan);
        sim_io_start(s, io);
    }
    sim_run(s, 150);
    sim_station_snapshot(s, b);
    ck_assert_uint_eq(b[0].busy, 150);
    ck_assert_uint_eq(b[0].area, b[0].sojourn);
    sim_run(s, SIM_NEVER);
    const sim_time want[4] = {20, 40, 240, 440};
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(p->at[i], want[i]);
    ck_assert_uint_eq(p->untrue, 0);
    sim_free(s);
    free(p);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_queued_station_and_its_busy_until_twin_run_alike);
    tcase_add_test(tc, the_books_agree_at_every_moment_queued_fused_or_neither);
    tcase_add_test(tc, littles_law_holds_exactly_at_every_moment);
    tcase_add_test(tc, no_window_holds_more_service_than_it_has_time);
    tcase_add_test(tc, a_window_is_the_difference_of_two_snapshots);
    tcase_add_test(tc, work_without_a_token_holds_up_what_comes_behind);
    tcase_add_test(tc, a_station_may_decide_its_own_service);
}

TEST_MAIN("unit.station")
