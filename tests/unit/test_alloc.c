/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nothing is allocated once a run is warm. Two witnesses: the pools' own count,
 * and glibc's malloc counted from inside this program.
 */
#include "engine.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define COUNTED 1
extern void *__libc_malloc(size_t bytes);
extern void *__libc_realloc(void *p, size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);

static unsigned long mallocs;

void *malloc(size_t bytes)
{
    mallocs++;
    return __libc_malloc(bytes);
}

void *realloc(void *p, size_t bytes)
{
    mallocs++;
    return __libc_realloc(p, bytes);
}

void *calloc(size_t n, size_t bytes)
{
    mallocs++;
    return __libc_calloc(n, bytes);
}
#else
#define COUNTED 0
static unsigned long mallocs;
#endif

struct load {
    struct sim *s;
    uint32_t cpu, disk, gate;
    unsigned next;
};

static void fill_drain(struct sim *s, struct sim_io *parent, struct sim_io *child, uint32_t word)
{
    struct load *l = s->model;
    (void)parent;
    sim_visit_units(&child->plan, l->disk, word, 1, 500, 1, DISK);
}

static const struct sim_spawn_fn drain = {"drain", fill_drain};

static unsigned choose(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word)
{
    (void)s, (void)io, (void)word;
    return (unsigned)(t->key >> 63);
}

static void build(struct sim_plan *p, struct sim_io *io, uint32_t word)
{
    (void)io;
    struct load *l = p->sim->model;
    sim_take(p, l->gate, 1, DISK);
    sim_split(p, 3, 2);
    sim_visit_units(p, l->disk, word, 1, 1000, 1, DISK);
    sim_join(p);
    sim_give(p, l->gate, 1);
}

static const struct sim_alt alts[] = {{"miss", build}, {"hit", NULL}};
static const struct sim_choice choice = {"cache", choose, alts, 2};

static void start(struct load *l, struct probe *p)
{
    unsigned i = l->next++;
    struct sim_io *io = probe_io(l->s, p, i);
    sim_visit(&io->plan, l->cpu, 100, 1, CPU);
    sim_par(&io->plan, 2);
    for (uint32_t k = 0; k < 3; k++) {
        sim_branch(&io->plan);
        sim_sub(&io->plan, &choice, (i + k) % 8);
        sim_delay(&io->plan, 50, 0, WIRE);
    }
    sim_join(&io->plan);
    sim_ack(&io->plan);
    sim_spawn(&io->plan, &drain, i % 8);
    sim_io_start(l->s, io);
}

static void more(struct probe *p, struct sim *s, struct sim_io *io, unsigned number)
{
    (void)s, (void)io, (void)number;
    start(p->ctx, p);
}

static void open_load(struct load *l, struct probe *p, struct sim_dist *d)
{
    *l = (struct load){.s = sim_create(3, 0)};
    l->s->model = l;
    l->cpu = sim_add_fifo(l->s, "cpu", 0, 4);
    l->disk = sim_add_units(l->s, "disk", 0, 8);
    l->gate = sim_add_gate(l->s, "gate", 0, 16);
    ck_assert_int_eq(sim_dist_exponential(d, "service", 1000), 0);
    sim_add_dist(l->s, d);
    p->more = more;
    p->ctx = l;
    for (unsigned i = 0; i < 64; i++)
        start(l, p);
}

START_TEST(a_warm_run_allocates_nothing)
{
    struct load l;
    struct probe *p = probe_new();
    struct sim_dist d;
    open_load(&l, p, &d);
    sim_run(l.s, 200 * SIM_MS);
    uint64_t pools = l.s->allocations, cap = l.s->queue.cap;
    unsigned long before = mallocs, acks = p->acks;
    sim_run(l.s, 1000 * SIM_MS);
    unsigned long after = mallocs; /* asserting allocates, too */
    ck_assert_uint_gt(p->acks - acks, 100000);
    ck_assert_uint_eq(l.s->allocations, pools);
    ck_assert_uint_eq(l.s->queue.cap, cap);
    ck_assert_uint_eq(after, before);
    ck_assert_uint_eq(p->untrue, 0);
    sim_free(l.s);
    free(p);
}
END_TEST

START_TEST(the_witness_sees_an_allocation)
{
    unsigned long before = mallocs;
    struct sim *s = sim_create(1, 0);
    ck_assert_uint_eq(mallocs > before, COUNTED);
    sim_free(s);
}
END_TEST

START_TEST(a_run_with_ios_under_way_can_be_freed)
{
    struct load l;
    struct probe *p = probe_new();
    struct sim_dist d;
    open_load(&l, p, &d);
    struct sim_io *never = probe_io(l.s, p, 0); /* written, not started */
    sim_visit(&never->plan, l.cpu, 1, 0, CPU);
    sim_run(l.s, 5 * SIM_MS);
    ck_assert_uint_gt(sim_pool_census(l.s).tokens, 0);
    sim_free(l.s); /* the address sanitizer would tell */
    free(p);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_warm_run_allocates_nothing);
    tcase_add_test(tc, the_witness_sees_an_allocation);
    tcase_add_test(tc, a_run_with_ios_under_way_can_be_freed);
}

TEST_MAIN("unit.alloc")
