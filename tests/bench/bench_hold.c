/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The hold model: take the next of n pending events, give it a new time, n
 * staying the same. All structures keep the same order (time, tie, sequence)
 * and must see the same times, which a checksum proves.
 */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim_queue.h"
#include "sim_rng.h"

#define HOLDS 400000U
#define DELTAS 4096U

static uint32_t delta[DELTAS];

struct hold {
    unsigned pending;
    uint64_t *checksum; /* every structure's must be the same */
};

static uint64_t fold(uint64_t sum, uint64_t time) { return sum * 31 + time; }

static void same(const struct hold *h, uint64_t sum)
{
    bench_check(*h->checksum == 0 || *h->checksum == sum, "two structures differ in order");
    *h->checksum = sum;
}

/* ---- the engine's winner tree ---- */

static double hold_winner(const void *arg)
{
    const struct hold *h = arg;
    struct sim_queue q;
    uint64_t sum = 0;
    bench_check(sim_queue_init(&q, h->pending), "memory");
    for (unsigned i = 0; i < h->pending; i++)
        sim_queue_set(&q, sim_queue_slot(&q, &q), delta[i % DELTAS] + i, sim_mix(i));
    double start = bench_now();
    for (unsigned i = 0; i < HOLDS; i++) {
        uint32_t slot = sim_queue_first(&q);
        uint64_t now = sim_queue_next(&q);
        sum = fold(sum, now);
        sim_queue_set(&q, slot, now + delta[i % DELTAS], sim_queue_tie(&q, slot));
    }
    double ns = (bench_now() - start) / HOLDS;
    sim_queue_fini(&q);
    same(h, sum);
    return ns;
}

/* ---- array heaps, the events inline ---- */

struct event {
    uint64_t time, tie, seq;
    void *owner;
};

static bool before(const struct event *a, const struct event *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    return a->tie != b->tie ? a->tie < b->tie : a->seq < b->seq;
}

static void sift_up(struct event *e, unsigned i, unsigned ary, struct event ev)
{
    while (i > 0) {
        unsigned parent = (i - 1) / ary;
        if (!before(&ev, &e[parent]))
            break;
        e[i] = e[parent];
        i = parent;
    }
    e[i] = ev;
}

static void sift_down(struct event *e, unsigned n, unsigned ary, struct event ev)
{
    unsigned i = 0;
    for (;;) {
        unsigned child = ary * i + 1, best = child;
        if (child >= n)
            break;
        for (unsigned k = child + 1; k < child + ary && k < n; k++)
            if (before(&e[k], &e[best]))
                best = k;
        if (!before(&e[best], &ev))
            break;
        e[i] = e[best];
        i = best;
    }
    e[i] = ev;
}

static inline double hold_heap(const struct hold *h, unsigned ary, bool replace)
{
    struct event *e = malloc((h->pending + 1) * sizeof *e);
    uint64_t sum = 0, seq = 0;
    unsigned n = 0;
    bench_check(e != NULL, "memory");
    for (unsigned i = 0; i < h->pending; i++, n++)
        sift_up(e, n, ary, (struct event){delta[i % DELTAS] + i, sim_mix(i), seq++, e});
    double start = bench_now();
    for (unsigned i = 0; i < HOLDS; i++) {
        struct event ev = e[0];
        sum = fold(sum, ev.time);
        ev.time += delta[i % DELTAS];
        ev.seq = seq++;
        if (replace) {
            sift_down(e, n, ary, ev);
        } else {
            sift_down(e, n - 1, ary, e[n - 1]);
            sift_up(e, n - 1, ary, ev);
        }
    }
    double ns = (bench_now() - start) / HOLDS;
    free(e);
    same(h, sum);
    return ns;
}

static double hold_binary(const void *arg) { return hold_heap(arg, 2, false); }
static double hold_binary_replace(const void *arg) { return hold_heap(arg, 2, true); }
static double hold_four(const void *arg) { return hold_heap(arg, 4, false); }

static void report(unsigned pending, const struct bench_case *c, unsigned n)
{
    char name[80];
    for (unsigned i = 0; i < n; i++) {
        snprintf(name, sizeof name, "hold %u: %s", pending, c[i].name);
        bench_report(name, c[i].median, "ns/event", "");
    }
    snprintf(name, sizeof name, "hold %u: winner tree / binary heap", pending);
    bool bound = pending == 128 || pending == 1024;
    bench_report(name, c[0].median / c[1].median, "ratio", bound ? "<= 0.5" : "");
}

void bench_hold(void)
{
    const unsigned pending[4] = {32, 128, 1024, 16384};
    for (unsigned i = 0; i < DELTAS; i++)
        delta[i] = (uint32_t)(-100000 * log1p(-sim_unit(sim_mix(i)))) + 1;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t checksum = 0;
        struct hold h = {pending[i], &checksum};
        struct bench_case c[4] = {{"winner tree", hold_winner, &h, 0},
                                  {"binary heap", hold_binary, &h, 0},
                                  {"binary heap, top replaced", hold_binary_replace, &h, 0},
                                  {"4-ary heap", hold_four, &h, 0}};
        bench_run(c, 4);
        report(pending[i], c, 4);
    }
}
