/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans as trees: what a lone I/O takes in closed form is what the engine
 * takes; demands, bounds and text.
 */
#include "engine.h"
#include "sim_mem.h"
#include "sim_plan_text.h"

#include <math.h>

#define STATIONS 16

struct seen { /* one plan's closed forms */
    struct sim_arena *arena;
    struct sim_prober *prober;
    struct sim_tree tree;
    double station[STATIONS], gate[STATIONS], path_ns;
};

typedef void write_fn(struct bed *b, struct sim_plan *p);

static void look(struct bed *b, write_fn *write, const unsigned *pick, struct seen *x)
{
    static const unsigned first[SIM_TREE_CHOICES] = {0};
    struct sim_io *io = probe_io(b->s, b->p, 0);
    *x = (struct seen){.arena = sim_arena_create(4096), .prober = sim_prober_create(b->s)};
    write(b, &io->plan);
    sim_tree_build(&x->tree, x->arena, x->prober, io);
    x->path_ns = sim_tree_load(&x->tree, pick ? pick : first, 1, x->station, x->gate);
}

/* A plan that is looked at is never started: nothing is at rest, all is thrown away. */
static void throw_away(struct bed *b)
{
    sim_free(b->s);
    free(b->p);
}

static void unlook(struct seen *x)
{
    sim_prober_free(x->prober);
    sim_arena_free(x->arena);
}

/* When a lone I/O with this plan is acknowledged. */
static sim_time engine_ns(write_fn *write)
{
    struct bed b;
    bed_open(&b, true);
    struct sim_io *io = probe_io(b.s, b.p, 0);
    write(&b, &io->plan);
    sim_io_start(b.s, io);
    sim_run(b.s, SIM_NEVER);
    ck_assert_uint_eq(b.p->acks, 1);
    sim_time at = b.p->at[0];
    bed_close(&b);
    return at;
}

static void agree(write_fn *write)
{
    struct bed b;
    struct seen x;
    bed_open(&b, true);
    look(&b, write, NULL, &x);
    ck_assert_double_eq_tol(x.path_ns, (double)engine_ns(write), 1e-6);
    unlook(&x);
    throw_away(&b);
}

/* ---- times ---- */

static void one_behind_the_other(struct bed *b, struct sim_plan *p)
{
    sim_visit(p, b->fifo, 100, 0, CPU);
    sim_delay(p, 50, 0, CPU);
    sim_visit_cut(p, b->fifo, 400, 30, WIRE);
    sim_visit_units(p, b->units, 1, 1, 70, 0, DISK);
    sim_take(p, b->gate, 1, CPU);
    sim_visit(p, b->duo, 20, 0, CPU);
    sim_give(p, b->gate, 1);
    sim_ack(p);
    sim_delay(p, 1000, 0, CPU);
}

static void over_all_units_twice_and_a_half(struct bed *b, struct sim_plan *p)
{
    sim_visit_units(p, b->units, 3, 10, 70, 0, DISK);
    sim_ack(p);
}

static void forks(struct bed *b, struct sim_plan *p, uint32_t need)
{
    sim_par(p, need);
    sim_branch(p);
    sim_delay(p, 300, 0, CPU);
    sim_branch(p);
    sim_visit(p, b->fifo, 100, 0, CPU);
    sim_par(p, SIM_ALL);
    sim_branch(p);
    sim_delay(p, 10, 0, CPU);
    sim_branch(p);
    sim_delay(p, 90, 0, CPU);
    sim_join(p);
    sim_branch(p);
    sim_visit(p, b->duo, 200, 0, CPU);
    sim_join(p);
    sim_delay(p, 5, 0, CPU);
    sim_ack(p);
}

static void wait_for_all(struct bed *b, struct sim_plan *p)
{
    forks(b, p, SIM_ALL);
}
static void wait_for_one(struct bed *b, struct sim_plan *p)
{
    forks(b, p, 1);
}
static void wait_for_two(struct bed *b, struct sim_plan *p)
{
    forks(b, p, 2);
}

static void crowd(struct bed *b, struct sim_plan *p)
{
    sim_par(p, SIM_ALL);
    for (unsigned i = 0; i < 5; i++) {
        sim_branch(p);
        sim_visit(p, b->fifo, 100, 0, CPU);
    }
    sim_join(p);
    sim_ack(p);
}

static void pipeline(struct bed *b, struct sim_plan *p)
{
    sim_split(p, 7, 0);
    sim_visit(p, b->duo, 60, 0, CPU);
    sim_visit(p, b->fifo, 100, 0, DISK);
    sim_delay(p, 40, 0, CPU);
    sim_join(p);
    sim_ack(p);
}

static void narrow_window(struct bed *b, struct sim_plan *p)
{
    sim_split(p, 6, 1);
    sim_visit(p, b->fifo, 100, 0, DISK);
    sim_delay(p, 40, 0, CPU);
    sim_join(p);
    sim_ack(p);
}

START_TEST(a_lone_io_takes_what_the_engine_takes)
{
    agree(one_behind_the_other);
    agree(over_all_units_twice_and_a_half);
    agree(wait_for_all);
    agree(wait_for_one);
    agree(wait_for_two);
    agree(crowd);
    agree(pipeline);
    agree(narrow_window);
}
END_TEST

/* ---- demands and bounds ---- */

START_TEST(demands_count_every_visit_fragment_and_branch)
{
    struct bed b;
    struct seen x;
    bed_open(&b, true);
    look(&b, one_behind_the_other, NULL, &x);
    ck_assert_double_eq(x.station[b.fifo], 500);
    ck_assert_double_eq(x.station[b.units], 70);
    ck_assert_double_eq(x.gate[b.gate], 20); /* held while served */
    unlook(&x);
    look(&b, over_all_units_twice_and_a_half, NULL, &x);
    ck_assert_double_eq(x.station[b.units], 700);
    unlook(&x);
    look(&b, pipeline, NULL, &x);
    ck_assert_double_eq(x.station[b.fifo], 700);
    ck_assert_double_eq(x.station[b.duo], 420);
    unlook(&x);
    throw_away(&b);
}
END_TEST

START_TEST(bounds_are_servers_over_demand_tightest_first)
{
    struct bed b;
    struct seen x;
    unsigned n;
    bed_open(&b, true);
    look(&b, one_behind_the_other, NULL, &x);
    const struct sim_bound *r = sim_bounds(b.s, x.arena, x.station, x.gate, &n);
    ck_assert_uint_eq(n, 4);
    ck_assert_str_eq(r[0].name, "fifo");
    ck_assert_double_eq_tol(r[0].per_s, 1 / 500e-9, 1);
    ck_assert_str_eq(r[1].name, "units");
    ck_assert_double_eq_tol(r[1].per_s, 4 / 70e-9, 1);
    ck_assert_str_eq(r[2].name, "duo");
    ck_assert_str_eq(r[3].name, "gate");
    ck_assert_double_eq_tol(r[3].per_s, 2 / 20e-9, 1);
    unlook(&x);
    throw_away(&b);
}
END_TEST

START_TEST(a_drawn_demand_counts_with_its_mean)
{
    struct bed b;
    struct seen x;
    struct sim_dist d;
    bed_open(&b, true);
    ck_assert_int_eq(sim_dist_exponential(&d, "service", 3000), 0);
    ck_assert_uint_eq(sim_add_dist(b.s, &d), 1);
    struct sim_io *io = probe_io(b.s, b.p, 0);
    x = (struct seen){.arena = sim_arena_create(4096), .prober = sim_prober_create(b.s)};
    sim_visit(&io->plan, b.fifo, 500, 1, CPU);
    sim_tree_build(&x.tree, x.arena, x.prober, io);
    x.path_ns = sim_tree_load(&x.tree, (unsigned[SIM_TREE_CHOICES]){0}, 0.5, x.station, x.gate);
    ck_assert_double_eq_tol(x.path_ns, 3500, 30);
    ck_assert_double_eq_tol(x.station[b.fifo], 0.5 * x.path_ns, 1e-6);
    unlook(&x);
    throw_away(&b);
}
END_TEST

/* ---- decisions ---- */

static void short_way(struct sim_plan *p, struct sim_io *io, uint32_t word)
{
    (void)io;
    sim_delay(p, 10 + word, 0, CPU);
}

static void long_way(struct sim_plan *p, struct sim_io *io, uint32_t word)
{
    const struct bed *b = p->sim->model;
    (void)io, (void)word;
    sim_visit(p, b->fifo, 1000, 0, DISK);
}

static unsigned never(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word)
{
    (void)s, (void)io, (void)t, (void)word;
    ck_abort_msg("nobody is to be asked");
    return 0;
}

static const struct sim_alt ways[] = {{"near", short_way}, {"far", long_way}, {"none", NULL}};
static const struct sim_choice way = {"which way", never, ways, 3};

static void decide(struct bed *b, struct sim_plan *p)
{
    (void)b;
    sim_par(p, SIM_ALL);
    for (unsigned i = 0; i < 2; i++) {
        sim_branch(p);
        sim_sub(p, &way, i);
    }
    sim_join(p);
    sim_ack(p);
}

START_TEST(every_alternative_is_built_and_none_is_chosen)
{
    const unsigned pick[3][SIM_TREE_CHOICES] = {{0}, {1}, {2}};
    const double path[] = {11, 2000, 0}, fifo[] = {0, 2000, 0};
    struct bed b;
    struct seen x;
    bed_open(&b, true);
    b.s->model = &b;
    for (unsigned i = 0; i < 3; i++) {
        look(&b, decide, pick[i], &x);
        ck_assert_uint_eq(x.tree.nchoices, 1);
        ck_assert_double_eq(x.path_ns, path[i]);
        ck_assert_double_eq(x.station[b.fifo], fifo[i]);
        unlook(&x);
    }
    ck_assert_uint_eq(b.s->events, 0);
    ck_assert_uint_eq(b.s->started, 0);
    throw_away(&b);
}
END_TEST

/* ---- stations with a serve of their own ---- */

struct buffer { /* takes 100 requests at 10 ns, then drains at 80 ns each */
    uint32_t self, behind;
    sim_time full_until;
};

static void serve_buffer(void *obj, struct sim *s, struct sim_token *t, uint64_t arg,
                         struct sim_service *sv)
{
    struct buffer *f = obj;
    (void)t, (void)arg;
    sv->start = sim_max(s->now, s->station[f->self].free_at[0]);
    sv->depart = sv->start + 10;
    f->full_until = sim_max(f->full_until, sv->depart) + 80;
    if (f->full_until - sv->depart > 100 * 80)
        sv->depart = f->full_until - 100 * 80;
    s->station[f->self].free_at[0] = sv->depart;
    sim_station_occupy(s, f->behind, 0, 25);
}

START_TEST(a_serving_station_is_asked_at_rest_and_under_a_burst)
{
    struct bed b;
    struct buffer f = {0, 0, 0};
    bed_open(&b, true);
    f.self = sim_add_custom(b.s, "buffer", -1, serve_buffer, &f);
    f.behind = b.units;
    struct sim_prober *p = sim_prober_create(b.s);
    const struct sim_probe *q = sim_probe_ask(p, f.self, 7);
    ck_assert_double_eq(q->path_ns, 10);
    ck_assert_double_eq_tol(q->service_ns, 80, 1e-6);
    ck_assert_uint_eq(q->nsides, 1);
    ck_assert_uint_eq(q->side[0].station, b.units);
    ck_assert_double_eq(q->side[0].ns, 25);
    ck_assert_ptr_eq(sim_probe_ask(p, f.self, 7), q);              /* asked once */
    ck_assert_double_eq(sim_probe_ask(p, f.self, 8)->path_ns, 10); /* at rest again */
    sim_prober_free(p);
    throw_away(&b);
}
END_TEST

/* ---- text ---- */

static const char *part(unsigned n)
{
    static const char *const names[] = {"none", "cpu", "disk", "wire"};
    return names[n];
}

START_TEST(a_plan_prints_one_line_a_step_indented_as_it_nests)
{
    static const char *const lines[] = {"  par    2 branches, go on at all 2 finished\n",
                                        "    branch 2\n",
                                        "      decide which way\n",
                                        "        if     near\n",
                                        "          delay ",
                                        "  cpu\n",
                                        "        if     none\n          (nothing)\n",
                                        "          visit  fifo ",
                                        "  disk\n",
                                        "  ack\n"};
    struct bed b;
    struct seen x;
    char *text;
    size_t size;
    bed_open(&b, true);
    b.s->model = &b;
    look(&b, decide, NULL, &x);
    FILE *f = open_memstream(&text, &size);
    sim_plan_text(f, &x.tree, part, 2);
    fclose(f);
    for (unsigned i = 0; i < sizeof lines / sizeof *lines; i++)
        ck_assert_msg(strstr(text, lines[i]) != NULL, "no '%s' in:\n%s", lines[i], text);
    free(text);
    unlook(&x);
    throw_away(&b);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_lone_io_takes_what_the_engine_takes);
    tcase_add_test(tc, demands_count_every_visit_fragment_and_branch);
    tcase_add_test(tc, bounds_are_servers_over_demand_tightest_first);
    tcase_add_test(tc, a_drawn_demand_counts_with_its_mean);
    tcase_add_test(tc, every_alternative_is_built_and_none_is_chosen);
    tcase_add_test(tc, a_serving_station_is_asked_at_rest_and_under_a_burst);
    tcase_add_test(tc, a_plan_prints_one_line_a_step_indented_as_it_nests);
}

TEST_MAIN("unit.tree")
