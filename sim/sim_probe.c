/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asking stations with a serve() of their own. They keep state (a buffer that
 * fills, a direction that changes), so the question matters: one request after
 * a rest, and a burst long enough to fill what can be filled.
 */
#include "sim_tree.h"

#include "sim_assert.h"
#include "sim_mem.h"

#include <stdlib.h>

#define REST_NS (100 * SIM_MS) /* buffers are empty again */

struct sim_prober {
    struct sim *sim;
    struct sim_arena *arena;
    struct sim_probe *list;
    uint64_t *busy; /* of every station, before the measured half of a burst */
    uint32_t nstations;
    sim_time rested; /* when the last burst has been worked off */
};

struct sim_prober *sim_prober_create(struct sim *s)
{
    struct sim_arena *a = sim_arena_create(4096);
    struct sim_prober *p = sim_arena_alloc(a, sizeof *p);
    p->sim = s;
    p->arena = a;
    p->nstations = s->nstations;
    p->busy = sim_arena_array(a, s->nstations + 1, sizeof *p->busy);
    p->rested = s->now;
    return p;
}

void sim_prober_free(struct sim_prober *p)
{
    if (p)
        sim_arena_free(p->arena);
}

static sim_time ask(struct sim *s, uint32_t station, uint64_t arg)
{
    struct sim_station *st = &s->station[station];
    struct sim_service sv = {s->now, s->now};
    st->serve(st->obj, s, NULL, arg, &sv);
    return sv.depart;
}

/* The second of two requests: the first may find the other direction behind it. */
static void alone(struct sim_prober *p, struct sim_probe *q)
{
    struct sim *s = p->sim;
    s->now = p->rested + REST_NS;
    s->now = sim_max(ask(s, q->station, q->arg), s->station[q->station].free_at[0]);
    q->path_ns = (double)(ask(s, q->station, q->arg) - s->now);
}

static void burst(struct sim_prober *p, struct sim_probe *q)
{
    struct sim *s = p->sim;
    const unsigned half = SIM_TREE_BURST / 2;
    sim_time from = 0, to = 0;
    for (unsigned i = 0; i < half; i++)
        from = ask(s, q->station, q->arg);
    for (uint32_t i = 0; i < p->nstations; i++)
        p->busy[i] = s->station[i].busy;
    for (unsigned i = 0; i < half; i++)
        to = ask(s, q->station, q->arg);
    q->service_ns = (double)(to - from) / half;
    for (uint32_t i = 0; i < p->nstations; i++) {
        double ns = (double)(s->station[i].busy - p->busy[i]) / half;
        if (ns <= 0 || i == q->station)
            continue;
        sim_assert(q->nsides < SIM_PROBE_SIDES);
        q->side[q->nsides++] = (struct sim_side){i, ns};
    }
    p->rested = to;
}

const struct sim_probe *sim_probe_ask(struct sim_prober *p, uint32_t station, uint64_t arg)
{
    struct sim_probe *q = p->list;
    while (q && (q->station != station || q->arg != arg))
        q = q->next;
    if (q)
        return q;
    sim_assert(p->sim->station[station].serve != NULL && station < p->nstations);
    q = sim_arena_alloc(p->arena, sizeof *q);
    *q = (struct sim_probe){.next = p->list, .station = station, .arg = arg};
    p->list = q;
    alone(p, q);
    burst(p, q);
    return q;
}
