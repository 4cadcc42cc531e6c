/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bare write path: every node has 8 cores, 64 units of storage and 2 links;
 * a write costs its home controller CPU, goes to local storage and over a link
 * to another node's CPU and storage, whose acknowledge comes back; both done,
 * the client sees it and issues the next. 4 lognormal draws, 1 histogram record.
 *
 * Three ways: through plan verbs as platforms use them, bare and with
 * everything on; and fused by hand, which is no product (no plan, no books, no
 * cancellation, no checks) but shows what the machine allows.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "sim_hist.h"
#include "sim_sim.h"

#define IOS 120000U
#define CORES 8
#define UNITS 64
#define LINKS 2
#define LINK_NS 3300
#define ACK_NS 6000
#define NODES_MAX 64
#define PARTS 8

enum { CPU = 1, LOCAL, LINK, REMOTE_CPU, REMOTE, BACK };

struct path {
    unsigned nodes, in_flight;
    bool full; /* trails, breakdown, three histograms and checks */
};

static struct sim_dist cpu, drive;

static void make_dists(void)
{
    bench_check(sim_dist_lognormal(&cpu, "cpu", 0, 4000, 0.3) == 0 &&
                    sim_dist_lognormal(&drive, "drive", 0, 11000, 0.4) == 0,
                "distributions");
}

/* ---- through the verbs ---- */

struct load {
    struct sim_client client; /* first: the engine hands it back */
    const struct path *path;
    uint64_t number, acks, stop_at, wrong;
    uint32_t cpu[NODES_MAX], drive[NODES_MAX], link[NODES_MAX];
    struct sim_hist latency, submit, total; /* bare: only the first */
    uint64_t wait[PARTS], service[PARTS];
};

static void write_plan(const struct load *l, struct sim_plan *p, uint64_t n)
{
    uint64_t u = sim_mix(n);
    unsigned a = (unsigned)sim_below(u, l->path->nodes);
    unsigned b = (a + 1 + (unsigned)sim_below(u << 32, l->path->nodes - 1)) % l->path->nodes;
    sim_visit(p, l->cpu[a], 0, 1, CPU);
    sim_par(p, SIM_ALL);
    sim_branch(p);
    sim_visit_units(p, l->drive[a], u >> 8 & (UNITS - 1), 1, 0, 2, LOCAL);
    sim_branch(p);
    sim_visit_units(p, l->link[a], u >> 16 & (LINKS - 1), 1, LINK_NS, 0, LINK);
    sim_visit(p, l->cpu[b], 0, 1, REMOTE_CPU);
    sim_visit_units(p, l->drive[b], u >> 24 & (UNITS - 1), 1, 0, 2, REMOTE);
    sim_delay(p, ACK_NS, 0, BACK);
    sim_join(p);
    sim_ack(p);
}

static void issue(struct load *l, struct sim *s)
{
    uint64_t n = l->number++;
    struct sim_io *io = sim_io_new(s, &l->client, sim_key(s->seed, n));
    write_plan(l, &io->plan, n);
    sim_io_start(s, io);
}

static void account(struct load *l, const struct sim *s, const struct sim_io *io,
                    const struct sim_token *t)
{
    uint64_t sum = 0, first = 0;
    for (const struct sim_leg *leg = t->leg; leg; leg = leg->before) {
        uint8_t part = sim_leg_part(leg);
        l->wait[part] += leg->wait;
        l->service[part] += sim_leg_service(leg);
        sum += leg->wait + sim_leg_service(leg);
        first = leg->wait;
    }
    l->wrong += sum != s->now - io->issued;
    sim_hist_record(&l->submit, first);
    sim_hist_record(&l->total, sum);
}

static void acked(struct sim_client *c, struct sim *s, struct sim_io *io, struct sim_token *t)
{
    struct load *l = (struct load *)c;
    l->acks++;
    sim_hist_record(&l->latency, s->now - io->issued);
    if (l->path->full)
        account(l, s, io, t);
    issue(l, s);
    s->stop = l->acks == l->stop_at;
}

static void check_run(const struct load *l, struct sim *s)
{
    struct sim_station_books *b = calloc(s->nstations, sizeof *b);
    bench_check(b != NULL, "memory");
    sim_station_snapshot(s, b);
    for (uint32_t i = 0; i < s->nstations; i++)
        bench_check(b[i].area == b[i].sojourn && b[i].sojourn == b[i].wait + b[i].busy,
                    "Little's law");
    bench_check(l->wrong == 0, "a trail does not sum to its latency");
    bench_check(s->started == s->acked + l->path->in_flight, "I/Os lost");
    free(b);
}

static struct sim *build(struct load *l)
{
    struct sim *s = sim_create(1, 0);
    bench_check(s != NULL, "memory");
    s->trails = l->path->full;
    sim_add_dist(s, &cpu);
    sim_add_dist(s, &drive);
    for (unsigned i = 0; i < l->path->nodes; i++) {
        l->cpu[i] = sim_add_fifo(s, "cpu", (int)i, CORES);
        l->drive[i] = sim_add_units(s, "drive", (int)i, UNITS);
        l->link[i] = sim_add_units(s, "link", (int)i, LINKS);
    }
    return s;
}

/* ns per I/O of `ios` of them; nothing is shared with a run in another thread
 * but the distributions, which nobody writes. */
static double run_verbs(const struct path *path, uint64_t ios)
{
    struct load *l = calloc(1, sizeof *l);
    bench_check(l != NULL, "memory");
    *l = (struct load){.client = {acked, NULL}, .path = path};
    struct sim *s = build(l);
    for (unsigned i = 0; i < l->path->in_flight; i++)
        issue(l, s);
    l->stop_at = 3 * l->path->in_flight; /* pools grow, pages come */
    sim_run(s, SIM_NEVER);
    l->stop_at += ios;
    double start = bench_thread_now();
    sim_run(s, SIM_NEVER);
    double ns = (bench_thread_now() - start) / (double)ios;
    bench_check(l->acks == l->stop_at, "the run ended early");
    check_run(l, s);
    sim_free(s);
    free(l);
    return ns;
}

static double path_verbs(const void *arg)
{
    return run_verbs(arg, IOS);
}

static const struct path alone = {3, 96, false};

void bench_path_ready(void)
{
    make_dists();
}

double bench_path_once(const void *arg)
{
    return run_verbs(&alone, *(const uint64_t *)arg);
}

/* ---- fused by hand: the limit ---- */

struct fused_io {
    uint64_t key, issued, local;
    uint32_t a, b;
    uint64_t u;
    uint8_t stage;
};

struct fused {
    const struct path *path;
    struct sim_queue q;
    struct fused_io *io;
    uint64_t number, acks;
    uint64_t core[NODES_MAX][CORES], unit[NODES_MAX][UNITS], link[NODES_MAX][LINKS];
    struct sim_hist latency;
};

static inline uint64_t occupy(uint64_t *free_at, uint64_t now, uint64_t ns)
{
    return *free_at = sim_max(now, *free_at) + ns;
}

static inline uint64_t on_core(struct fused *f, unsigned node, uint64_t now, uint64_t ns)
{
    unsigned best = 0;
    for (unsigned i = 1; i < CORES; i++)
        best = f->core[node][i] < f->core[node][best] ? i : best;
    return occupy(&f->core[node][best], now, ns);
}

static inline uint64_t fused_issue(struct fused *f, struct fused_io *io, uint64_t now)
{
    uint64_t u = sim_mix(f->number);
    io->key = sim_key(1, f->number++);
    io->u = u;
    io->a = (uint32_t)sim_below(u, f->path->nodes);
    io->b = (io->a + 1 + (uint32_t)sim_below(u << 32, f->path->nodes - 1)) % f->path->nodes;
    io->issued = now;
    io->stage = 0;
    return on_core(f, io->a, now, sim_dist_draw(&cpu, sim_key(io->key, 1)));
}

/* The next event of io, whose present one is at `now`. */
static inline uint64_t fused_step(struct fused *f, struct fused_io *io, uint64_t now)
{
    switch (io->stage++) {
    case 0:
        io->local = occupy(&f->unit[io->a][io->u >> 8 & (UNITS - 1)], now,
                           sim_dist_draw(&drive, sim_key(io->key, 2)));
        return occupy(&f->link[io->a][io->u >> 16 & (LINKS - 1)], now, LINK_NS);
    case 1:
        return on_core(f, io->b, now, sim_dist_draw(&cpu, sim_key(io->key, 3)));
    case 2:
        return sim_max(io->local,
                       ACK_NS + occupy(&f->unit[io->b][io->u >> 24 & (UNITS - 1)], now,
                                       sim_dist_draw(&drive, sim_key(io->key, 4))));
    default:
        sim_hist_record(&f->latency, now - io->issued);
        f->acks++;
        return fused_issue(f, io, now);
    }
}

static void fused_run(struct fused *f, uint64_t acks)
{
    while (f->acks < acks) {
        uint32_t slot = sim_queue_first(&f->q);
        struct fused_io *io = sim_queue_owner(&f->q, slot);
        sim_queue_set(&f->q, slot, fused_step(f, io, sim_queue_next(&f->q)), io->key);
    }
}

static double path_fused(const void *arg)
{
    static struct fused f;
    f = (struct fused){.path = arg};
    f.io = calloc(f.path->in_flight, sizeof *f.io);
    bench_check(f.io != NULL && sim_queue_init(&f.q, f.path->in_flight), "memory");
    for (unsigned i = 0; i < f.path->in_flight; i++) {
        uint32_t slot = sim_queue_slot(&f.q, &f.io[i]);
        sim_queue_set(&f.q, slot, fused_issue(&f, &f.io[i], 0), f.io[i].key);
    }
    fused_run(&f, 3 * f.path->in_flight);
    double start = bench_now();
    fused_run(&f, f.acks + IOS);
    double ns = (bench_now() - start) / IOS;
    sim_queue_fini(&f.q);
    free(f.io);
    return ns;
}

/* ---- figures ---- */

static void report(const char *name, double ns, const char *limit)
{
    bench_report(name, 1000 / ns, "M I/O/s", limit);
}

void bench_path(void)
{
    const struct path full = {3, 96, true};
    struct bench_case c[3] = {{"", path_verbs, &alone, 0},
                              {"", path_verbs, &full, 0},
                              {"", path_fused, &alone, 0}};
    make_dists();
    bench_run(c, 3);
    report("write path, 96 in flight: plan verbs, bare", c[0].median, ">= 5");
    report("write path, 96 in flight: plan verbs, all on", c[1].median, ">= 3");
    report("write path, 96 in flight: fused by hand (limit)", c[2].median, "");
    bench_report("write path: plan verbs, bare", c[0].median, "ns/I/O", "");
    bench_report("write path: plan verbs, all on", c[1].median, "ns/I/O", "");
    bench_report("write path: fused by hand (limit)", c[2].median, "ns/I/O", "");
}

void bench_path_scale(void)
{
    static const struct path p[] = {
        {3, 32, false},    {3, 64, false},   {3, 256, false},  {3, 1024, false},
        {3, 4096, false},  {3, 16384, false}, {3, 256, false}, {8, 256, false},
        {16, 256, false},  {32, 256, false}, {64, 256, false}};
    enum { N = sizeof p / sizeof *p, QUEUES = 6 };
    struct bench_case c[N];
    char name[80];
    make_dists();
    for (unsigned i = 0; i < N; i++)
        c[i] = (struct bench_case){"", path_verbs, &p[i], 0};
    bench_run(c, N);
    for (unsigned i = 0; i < N; i++) {
        snprintf(name, sizeof name, "write path, %u nodes, %u in flight", p[i].nodes,
                 p[i].in_flight);
        bench_report(name, c[i].median, "ns/I/O", "");
    }
    bench_report("write path, cost at 16384 / at 64 in flight", c[QUEUES - 1].median / c[1].median,
                 "ratio", "<= 2.2");
    bench_report("write path, cost with 64 / with 3 nodes", c[N - 1].median / c[QUEUES].median,
                 "ratio", "<= 1.6");
}
