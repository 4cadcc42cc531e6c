/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_station.h"

#include "sim_assert.h"
#include "sim_interp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t add(struct sim *s, const char *name, int node, uint8_t kind, uint32_t servers)
{
    sim_assert(servers > 0);
    struct sim_station *all = realloc(s->station, (s->nstations + 1) * sizeof *all);
    sim_assert(all != NULL);
    s->station = all;
    struct sim_station *st = &all[s->nstations];
    *st = (struct sim_station){.kind = kind, .servers = servers, .node = node};
    snprintf(st->name, sizeof st->name, "%s", name);
    st->free_at = calloc(servers, sizeof *st->free_at);
    sim_assert(st->free_at != NULL);
    return s->nstations++;
}

uint32_t sim_add_fifo(struct sim *s, const char *name, int node, uint32_t servers)
{
    uint32_t i = add(s, name, node, SIM_FIFO, servers);
    s->station[i].what = "fifo";
    return i;
}

uint32_t sim_add_pipe(struct sim *s, const char *name, int node)
{
    uint32_t i = add(s, name, node, SIM_FIFO, 1);
    s->station[i].what = "pipe";
    return i;
}

uint32_t sim_add_units(struct sim *s, const char *name, int node, uint32_t units)
{
    uint32_t i = add(s, name, node, SIM_HASHED, units);
    s->station[i].what = "units";
    return i;
}

uint32_t sim_add_custom(struct sim *s, const char *name, int node, sim_serve_fn *serve, void *obj)
{
    uint32_t i = add(s, name, node, SIM_CUSTOM, 1);
    s->station[i].what = "custom";
    s->station[i].serve = serve;
    s->station[i].obj = obj;
    return i;
}

void sim_station_set_queued(struct sim *s, uint32_t station)
{
    struct sim_station *st = &s->station[station];
    sim_assert(st->kind != SIM_CUSTOM && !st->queued);
    st->queued = true;
    st->queue = calloc(st->servers, sizeof *st->queue);
    sim_assert(st->queue != NULL);
}

static bool idle(const struct sim_station *st, uint32_t queue)
{
    uint32_t servers = st->kind == SIM_HASHED ? 1 : st->servers;
    return st->queue[queue].busy < servers;
}

/* The demand was fixed when the visit arrived: draws are keyed, so the time of
 * drawing does not matter, only the time of starting does. */
static void start_service(struct sim *s, struct sim_station *st, struct sim_token *t)
{
    sim_time ns = t->need;
    st->queue[t->server].busy++;
    st->busy += ns;
    st->wait += s->now - t->arrived;
    st->sojourn += s->now + ns - t->arrived;
    if (s->trails)
        sim_book(t, t->part, s->now - t->arrived, ns);
    t->leave = s->now + ns;
    sim_schedule(s, t, t->leave);
}

void sim_station_enqueue(struct sim *s, struct sim_station *st, struct sim_token *t,
                         uint32_t queue, sim_time service)
{
    struct sim_waiting *q = &st->queue[queue];
    t->server = queue;
    t->need = service;
    if (idle(st, queue)) {
        start_service(s, st, t);
        return;
    }
    t->state = SIM_QUEUED;
    t->next = NULL;
    t->prev = q->tail;
    if (q->tail)
        q->tail->next = t;
    else
        q->head = t;
    q->tail = t;
}

static void unlink_waiting(struct sim_waiting *q, struct sim_token *t)
{
    if (t->prev)
        t->prev->next = t->next;
    else
        q->head = t->next;
    if (t->next)
        t->next->prev = t->prev;
    else
        q->tail = t->prev;
}

static void release_server(struct sim *s, struct sim_station *st, uint32_t queue)
{
    struct sim_waiting *q = &st->queue[queue];
    struct sim_token *next = q->head;
    q->busy--;
    if (!next)
        return;
    unlink_waiting(q, next);
    start_service(s, st, next);
}

void sim_station_leave(struct sim *s, struct sim_token *t)
{
    struct sim_station *st = &s->station[t->station];
    t->station = SIM_NONE;
    sim_station_count_out(st, s->now, s->now - t->leave);
    if (__builtin_expect(st->queued, 0))
        release_server(s, st, t->server);
}

/* Books of a visit that ends before its departure. */
static void unbook(struct sim *s, struct sim_station *st, const struct sim_token *t)
{
    if (t->state == SIM_QUEUED) {
        st->wait += s->now - t->arrived;
        st->sojourn += s->now - t->arrived;
    } else {
        st->sojourn -= t->leave - s->now;
        if (!st->queued && t->need > s->now)
            st->wait -= t->need - s->now;
    }
    sim_station_count_out(st, s->now, 0);
}

void sim_station_abandon(struct sim *s, struct sim_token *t)
{
    struct sim_station *st = &s->station[t->station];
    t->station = SIM_NONE;
    if (t->state == SIM_QUEUED || t->leave > s->now)
        unbook(s, st, t);
    else
        sim_station_count_out(st, s->now, s->now - t->leave);
    if (!st->queued)
        return;
    if (t->state == SIM_QUEUED) {
        unlink_waiting(&st->queue[t->server], t);
    } else {
        st->busy -= t->leave - s->now;
        release_server(s, st, t->server);
    }
}

/* Takes what is granted beyond now off t's station, and adds what t has waited
 * there without a grant. */
static void clip_token(const struct sim *s, const struct sim_token *t, struct sim_station_books *b)
{
    bool queued = s->station[t->station].queued;
    if (t->state == SIM_QUEUED) {
        b->wait += s->now - t->arrived;
        b->sojourn += s->now - t->arrived;
    } else if (t->leave <= s->now) {
        b->area -= s->now - t->leave;
    } else {
        b->sojourn -= t->leave - s->now;
        if (queued)
            b->busy -= t->leave - s->now;
        else if (t->need > s->now)
            b->wait -= t->need - s->now;
    }
}

void sim_station_snapshot(const struct sim *s, struct sim_station_books *out)
{
    for (uint32_t i = 0; i < s->nstations; i++) {
        const struct sim_station *st = &s->station[i];
        out[i] = (struct sim_station_books){st->served, st->busy, st->wait, st->sojourn,
                                            st->area + (uint64_t)st->present * (s->now - st->last)};
        for (uint32_t u = 0; u < st->servers; u++)
            if (st->free_at[u] > s->now)
                out[i].busy -= st->free_at[u] - s->now;
    }
    for (uint32_t i = 0; i < s->queue.cap; i++) {
        const struct sim_token *t = s->queue.owner[i];
        if (t && t->station != SIM_NONE)
            clip_token(s, t, &out[t->station]);
    }
}

void sim_station_occupy(struct sim *s, uint32_t station, uint32_t unit, sim_time ns)
{
    struct sim_station *st = &s->station[station];
    sim_assert(!st->queued && unit < st->servers);
    st->free_at[unit] = sim_max(s->now, st->free_at[unit]) + ns;
    st->busy += ns;
}

void sim_station_fail(struct sim *s, uint32_t station)
{
    s->station[station].failed = true;
    for (uint32_t i = 0; i < s->queue.cap; i++) {
        struct sim_token *t = s->queue.owner[i];
        if (!t || t->station != station || (t->state != SIM_QUEUED && t->leave <= s->now))
            continue;
        sim_token_eject(s, t);
    }
}
