/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_station.h"

#include "sim_assert.h"
#include "sim_interp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stations are aligned to cache lines, which realloc would not keep. */
static struct sim_station *one_more(struct sim *s)
{
    if (s->nstations & (s->nstations - 1)) /* room for the next power of two */
        return s->station;
    size_t room = s->nstations ? 2 * (size_t)s->nstations : 1;
    struct sim_station *all = aligned_alloc(64, room * sizeof *all);
    sim_assert(all != NULL);
    if (s->nstations)
        memcpy(all, s->station, s->nstations * sizeof *all);
    free(s->station);
    s->station = all;
    return all;
}

/* All free since 0; what pads the tree never is. */
static void make_servers(struct sim_station *st)
{
    sim_assert(st->servers <= UINT16_MAX);
    if (st->kind == SIM_FIFO)
        while (1u << st->levels < st->servers)
            st->levels++;
    size_t leaves = st->kind == SIM_FIFO ? (size_t)1 << st->levels : st->servers;
    st->free_at = calloc(leaves, sizeof *st->free_at + sizeof(uint16_t));
    sim_assert(st->free_at != NULL);
    for (uint32_t i = 0; i < leaves; i++)
        st->free_at[i] = i < st->servers ? 0 : SIM_NEVER;
    for (uint32_t i = 0; st->levels && i < leaves; i++)
        sim_station_update(st, i);
}

static uint32_t add(struct sim *s, const char *name, int node, uint8_t kind, uint32_t servers)
{
    sim_assert(servers > 0);
    struct sim_station *all = one_more(s);
    struct sim_station *st = &all[s->nstations];
    *st = (struct sim_station){.kind = kind, .servers = servers, .node = node};
    snprintf(st->name, sizeof st->name, "%s", name);
    make_servers(st);
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
    st->queued = st->special = true;
    st->queue = calloc(st->servers, sizeof *st->queue);
    sim_assert(st->queue != NULL);
}

void sim_station_set_in_order(struct sim *s, uint32_t station)
{
    struct sim_station *st = &s->station[station];
    sim_assert((st->kind == SIM_HASHED || st->servers == 1) && st->kind != SIM_CUSTOM);
    sim_assert(!st->queued);
    st->in_order = st->special = true;
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
    sim_book(s, t, t->part, s->now - t->arrived, ns);
    t->leave = s->now + ns;
    sim_schedule(s, t, t->leave);
}

void sim_station_enqueue(struct sim *s, struct sim_station *st, struct sim_token *t,
                         uint32_t queue, sim_time service)
{
    struct sim_waiting *q = &st->queue[queue];
    t->server = queue;
    t->need = service;
    t->arrived = s->now;
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

void sim_station_release(struct sim *s, struct sim_station *st, uint32_t queue)
{
    struct sim_waiting *q = &st->queue[queue];
    struct sim_token *next = q->head;
    q->busy--;
    if (!next)
        return;
    unlink_waiting(q, next);
    start_service(s, st, next);
}

/* Of the time t was granted at its station, what lies beyond now. */
static sim_time ahead_wait(const struct sim *s, const struct sim_token *t)
{
    bool granted = !s->station[t->station].queued && t->start > s->now;
    return granted ? t->start - s->now : 0;
}

/* Books of a visit that ends before its departure. */
static void unbook(struct sim *s, struct sim_station *st, const struct sim_token *t)
{
    if (t->state == SIM_QUEUED) {
        st->wait += s->now - t->arrived;
    } else if (st->queued) {
        st->busy -= t->leave - s->now;
    } else {
        sim_time wait = ahead_wait(s, t);
        st->wait -= wait;
        st->inside -= t->leave - s->now - wait; /* the server stays busy */
    }
}

/* Has t been granted a visit at an in-order station at which it has yet to arrive? */
static bool under_way(const struct sim *s, const struct sim_token *t)
{
    return s->station[t->station].in_order && t->early.arrives > s->now;
}

/* The server's time between now and t's arrival in which nobody keeps it busy. */
static sim_time idle_before(const struct sim *s, const struct sim_token *t)
{
    const struct sim_early *e = &t->early;
    return sim_max(e->arrives, e->idle) - sim_max(s->now, e->idle);
}

/* t will not arrive at the in-order station that granted it a visit. It is where it
 * was before, or on its way; the server stays busy for it all the time. */
static void recall(struct sim *s, struct sim_token *t)
{
    struct sim_station *st = &s->station[t->station];
    sim_time idle = idle_before(s, t);
    st->served--;
    st->balance += t->early.arrives;
    st->wait -= t->start - t->early.arrives;
    st->busy += idle;
    st->inside -= t->leave - t->start + idle; /* nobody is in it */
    t->station = t->early.station;
    if (t->station == SIM_NONE)
        return;
    t->start = t->early.start;
    t->leave = t->early.leave;
    st = &s->station[t->station];
    st->departed--;
    st->balance -= t->leave;
}

void sim_station_abandon(struct sim *s, struct sim_token *t)
{
    if (under_way(s, t))
        recall(s, t);
    if (t->station == SIM_NONE)
        return;
    struct sim_station *st = &s->station[t->station];
    bool waiting = t->state == SIM_QUEUED, early = waiting || t->leave > s->now;
    if (early)
        unbook(s, st, t);
    sim_station_exit(st, early ? s->now : t->leave);
    t->station = SIM_NONE;
    if (waiting)
        unlink_waiting(&st->queue[t->server], t);
    else if (st->queued)
        sim_station_release(s, st, t->server);
}

struct clipping {
    const struct sim *sim;
    struct sim_station_books *out;
};

/* Takes a visit that has yet to begin off the books, and of the one before, which
 * is booked to its end, what lies beyond now. */
static void clip_early(const struct clipping *c, const struct sim_token *t)
{
    const struct sim_early *e = &t->early;
    sim_time now = c->sim->now;
    struct sim_station_books *b = &c->out[t->station];
    b->served--;
    b->area += e->arrives - now;
    b->sojourn -= t->leave - e->arrives;
    b->wait -= t->start - e->arrives;
    b->busy += idle_before(c->sim, t);
    if (e->station == SIM_NONE || e->leave <= now)
        return;
    b = &c->out[e->station];
    b->area -= e->leave - now;
    b->sojourn -= e->leave - now;
    b->wait -= e->start > now ? e->start - now : 0;
}

/* Takes what is granted beyond now off t's station, and adds what t has waited
 * there without a grant. */
static void clip(struct sim_token *t, void *ctx)
{
    const struct clipping *c = ctx;
    const struct sim *s = c->sim;
    if (t->station == SIM_NONE)
        return;
    struct sim_station_books *b = &c->out[t->station];
    if (under_way(s, t)) {
        clip_early(c, t);
    } else if (t->state == SIM_QUEUED) {
        b->wait += s->now - t->arrived;
        b->sojourn += s->now - t->arrived;
    } else if (t->leave <= s->now) {
        b->area -= s->now - t->leave;
    } else {
        b->sojourn -= t->leave - s->now;
        b->wait -= ahead_wait(s, t);
        if (s->station[t->station].queued)
            b->busy -= t->leave - s->now;
    }
}

void sim_station_snapshot(const struct sim *s, struct sim_station_books *out)
{
    for (uint32_t i = 0; i < s->nstations; i++) {
        const struct sim_station *st = &s->station[i];
        out[i] = (struct sim_station_books){
            .served = st->served,
            .busy = st->busy,
            .wait = st->wait,
            .sojourn = st->wait + st->busy + st->inside,
            .area = st->balance + sim_station_present(st) * s->now,
        };
        for (uint32_t u = 0; u < st->servers; u++)
            if (st->free_at[u] > s->now)
                out[i].busy -= st->free_at[u] - s->now;
    }
    struct clipping c = {s, out};
    sim_pool_each(s, clip, &c);
}

void sim_station_occupy(struct sim *s, uint32_t station, uint32_t unit, sim_time ns)
{
    struct sim_station *st = &s->station[station];
    sim_assert(!st->queued && unit < st->servers);
    st->free_at[unit] = sim_max(s->now, st->free_at[unit]) + ns;
    if (st->kind == SIM_FIFO)
        sim_station_update(st, unit);
    st->busy += ns;
    st->inside -= ns; /* nobody is in it */
}

struct victims {
    const struct sim *sim;
    uint32_t station, n;
    struct sim_token **token; /* NULL: count only */
};

/* Is t inside the failing station? It may be booked at the next already. */
static bool visits(const struct sim_token *t, const struct victims *v)
{
    if (t->station == SIM_NONE)
        return false;
    if (under_way(v->sim, t))
        return t->early.station == v->station && t->early.leave > v->sim->now;
    return t->station == v->station && (t->state == SIM_QUEUED || t->leave > v->sim->now);
}

static void note_victim(struct sim_token *t, void *ctx)
{
    struct victims *v = ctx;
    if (!visits(t, v))
        return;
    if (v->token)
        v->token[v->n] = t;
    v->n++;
}

static int by_tie(const void *a, const void *b)
{
    const struct sim_token *x = *(struct sim_token *const *)a, *y = *(struct sim_token *const *)b;
    return (x->key > y->key) - (x->key < y->key);
}

/* In the order of ties, so that no pool order shows. */
void sim_station_fail(struct sim *s, uint32_t station)
{
    struct victims v = {.sim = s, .station = station};
    sim_assert(!s->station[station].in_order);
    s->station[station].failed = s->station[station].special = true;
    sim_pool_each(s, note_victim, &v);
    if (v.n == 0)
        return;
    v.token = malloc(v.n * sizeof(struct sim_token *));
    sim_assert(v.token != NULL);
    v.n = 0;
    sim_pool_each(s, note_victim, &v);
    qsort(v.token, v.n, sizeof(struct sim_token *), by_tie);
    for (uint32_t i = 0; i < v.n; i++)
        sim_token_eject(s, v.token[i]);
    free(v.token);
}
