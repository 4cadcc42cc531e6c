/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * engine.h: what the engine's tests share: a client that records and checks
 * every acknowledge, a log written from inside plans, and the question whether
 * everything came back.
 */
#ifndef TESTS_ENGINE_H
#define TESTS_ENGINE_H

#include "check_main.h"

#include <stdio.h>
#include <string.h>

#include "sim_interp.h"

#define PROBE_MAX 20000

struct probe {
    struct sim_client client; /* first: the engine hands it back */
    unsigned acks, dones, failed, untrue; /* untrue: trails that do not sum to the latency */
    sim_time at[PROBE_MAX];   /* acknowledge times by the number in the payload */
    void (*more)(struct probe *p, struct sim *s, struct sim_io *io, unsigned number);
    void *ctx;
};

static inline uint64_t trail_sum(const struct sim_token *t)
{
    uint64_t sum = 0;
    for (const struct sim_leg *l = t->leg; l; l = l->before)
        sum += l->wait + sim_leg_service(l);
    return sum;
}

static inline void probe_ack(struct sim_client *c, struct sim *s, struct sim_io *io,
                             struct sim_token *t)
{
    struct probe *p = (struct probe *)c;
    unsigned number = *sim_io_payload(io, unsigned);
    p->acks++;
    p->failed += io->failures > 0;
    if (number < PROBE_MAX)
        p->at[number] = s->now;
    if (s->trails && trail_sum(t) != s->now - io->issued)
        p->untrue++;
    if (p->more)
        p->more(p, s, io, number);
}

static inline void probe_done(struct sim_client *c, struct sim *s, struct sim_io *io)
{
    (void)s, (void)io;
    ((struct probe *)c)->dones++;
}

static inline struct probe *probe_new(void)
{
    struct probe *p = calloc(1, sizeof *p);
    p->client = (struct sim_client){probe_ack, probe_done};
    return p;
}

/* An I/O with an empty plan to write; sim_io_start is the caller's. */
static inline struct sim_io *probe_io(struct sim *s, struct probe *p, unsigned number)
{
    struct sim_io *io = sim_io_new(s, &p->client, sim_key(s->seed, number));
    *sim_io_payload(io, unsigned) = number;
    return io;
}

/* ---- a log of (time, word) from call steps ---- */

#define LOG_MAX 256

struct log {
    unsigned n;
    struct {
        sim_time at;
        uint32_t word;
    } entry[LOG_MAX];
};

static inline void log_write(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word)
{
    struct log *l = s->model;
    (void)io, (void)t;
    if (l->n < LOG_MAX) {
        l->entry[l->n].at = s->now;
        l->entry[l->n].word = word;
    }
    l->n++;
}

static const struct sim_call_fn note = {"note", log_write};

/* "0:1 100:2" */
static inline const char *log_text(const struct log *l)
{
    static char text[8192];
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < l->n && i < LOG_MAX; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%llu:%u", i ? " " : "",
                                 (unsigned long long)l->entry[i].at, l->entry[i].word);
    return text;
}

/* ---- nothing left behind ---- */

static inline void assert_at_rest(const struct sim *s)
{
    struct sim_census c = sim_pool_census(s);
    ck_assert_uint_eq(c.tokens, 0);
    ck_assert_uint_eq(c.joins, 0);
    ck_assert_uint_eq(c.ios, 0);
    ck_assert_uint_eq(s->started, s->finished);
    ck_assert(sim_queue_next(&s->queue) == SIM_NEVER);
    ck_assert_ptr_null(s->ready_head);
    for (uint32_t i = 0; i < s->ngates; i++) {
        ck_assert_uint_eq(s->gate[i].level, s->gate[i].capacity);
        ck_assert_uint_eq(s->gate[i].waiting, 0);
    }
    for (uint32_t i = 0; i < s->nstations; i++)
        ck_assert_uint_eq(sim_station_present(&s->station[i]), 0);
}

/* ---- a simulation with one of everything ---- */

enum { CPU = 1, DISK, WIRE }; /* parts */

struct bed {
    struct sim *s;
    struct probe *p;
    struct log log;
    uint32_t fifo, duo, units, gate, feed, fed; /* fed: in order behind feed */
};

static inline void bed_open(struct bed *b, bool fuse)
{
    *b = (struct bed){.s = sim_create(1, 0), .p = probe_new()};
    b->s->fuse = fuse;
    b->s->model = &b->log;
    b->fifo = sim_add_pipe(b->s, "fifo", -1);
    b->duo = sim_add_fifo(b->s, "duo", -1, 2);
    b->units = sim_add_units(b->s, "units", -1, 4);
    b->gate = sim_add_gate(b->s, "gate", -1, 2);
    b->feed = sim_add_pipe(b->s, "feed", -1);
    b->fed = sim_add_units(b->s, "fed", -1, 4);
    sim_station_set_in_order(b->s, b->fed);
}

static inline void bed_close(struct bed *b)
{
    ck_assert(!sim_run(b->s, SIM_NEVER));
    ck_assert_uint_eq(b->p->untrue, 0);
    ck_assert_uint_eq(b->p->dones, b->s->started);
    assert_at_rest(b->s);
    sim_free(b->s);
    free(b->p);
}

#endif
