/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_gate.h"

#include "sim_assert.h"
#include "sim_interp.h"

#include <stdio.h>
#include <stdlib.h>

uint32_t sim_add_gate(struct sim *s, const char *name, int node, uint64_t capacity)
{
    sim_assert(capacity > 0);
    struct sim_gate *all = realloc(s->gate, (s->ngates + 1) * sizeof *all);
    sim_assert(all != NULL);
    s->gate = all;
    struct sim_gate *g = &all[s->ngates];
    *g = (struct sim_gate){.level = capacity, .capacity = capacity, .node = node};
    snprintf(g->name, sizeof g->name, "%s", name);
    return s->ngates++;
}

static void advance(struct sim_gate *g, sim_time now)
{
    sim_time dt = now - g->last;
    g->area += (uint64_t)g->waiting * dt;
    g->used_area += (unsigned __int128)(g->capacity - g->level) * dt;
    g->last = now;
}

bool sim_gate_try(struct sim *s, uint32_t gate, uint64_t n)
{
    struct sim_gate *g = &s->gate[gate];
    if (g->head || g->level < n)
        return false;
    advance(g, s->now);
    g->level -= n;
    g->passed++;
    return true;
}

bool sim_gate_take(struct sim *s, struct sim_token *t, uint32_t gate, uint64_t n, uint8_t part)
{
    struct sim_gate *g = &s->gate[gate];
    sim_assert(n <= g->capacity);
    if (sim_gate_try(s, gate, n))
        return true;
    advance(g, s->now);
    g->waiting++;
    t->state = SIM_AT_GATE;
    t->server = gate;
    t->need = n;
    t->part = part;
    t->arrived = s->now;
    t->next = NULL;
    t->prev = g->tail;
    if (g->tail)
        g->tail->next = t;
    else
        g->head = t;
    g->tail = t;
    return false;
}

static void drop(struct sim_gate *g, struct sim_token *t)
{
    g->waiting--;
    if (t->prev)
        t->prev->next = t->next;
    else
        g->head = t->next;
    if (t->next)
        t->next->prev = t->prev;
    else
        g->tail = t->prev;
}

static void let_through(struct sim *s, struct sim_gate *g)
{
    while (g->head && g->level >= g->head->need) {
        struct sim_token *t = g->head;
        drop(g, t);
        g->level -= t->need;
        g->passed++;
        g->wait += s->now - t->arrived;
        sim_book(s, t, t->part, s->now - t->arrived, 0);
        sim_ready(s, t);
    }
}

void sim_gate_give(struct sim *s, uint32_t gate, uint64_t n)
{
    struct sim_gate *g = &s->gate[gate];
    advance(g, s->now);
    g->level += n;
    sim_assert(g->level <= g->capacity);
    if (g->head)
        let_through(s, g);
}

void sim_gate_abandon(struct sim *s, struct sim_token *t)
{
    struct sim_gate *g = &s->gate[t->server];
    advance(g, s->now);
    drop(g, t);
    let_through(s, g);
}

void sim_gate_snapshot(const struct sim *s, struct sim_gate *out)
{
    for (uint32_t i = 0; i < s->ngates; i++) {
        out[i] = s->gate[i];
        advance(&out[i], s->now);
    }
}
