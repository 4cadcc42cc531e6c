/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Free lists of tokens, I/Os and joins. Chunks are never returned before the
 * simulation ends, so pointers stay valid and a warmed-up run allocates nothing.
 * A chunk is as large as all before it, and large ones ask for huge pages: with
 * many I/Os under way most of the time goes into finding pages, not data.
 */
#include "sim_interp.h"

#include "sim_assert.h"
#include "sim_mem.h"

#include <stdlib.h>

#define FIRST 64U
#define CHUNK_MAX (8U << 20) /* bytes */

enum kind { TOKENS, JOINS, IOS, LEGS };

struct sim_pool {
    struct sim_pool *next;
    void *memory;
    void *steps; /* of the plans in a chunk of I/Os */
    uint32_t n;
    enum kind kind;
};

/* As many objects as there are, at least FIRST; in whole huge pages when large. */
static struct sim_pool *chunk(struct sim *s, size_t size, enum kind kind)
{
    struct sim_pool *p = malloc(sizeof *p);
    size_t n = 0;
    sim_assert(p != NULL);
    for (const struct sim_pool *k = s->pool; k; k = k->next)
        n += k->kind == kind ? k->n : 0;
    size_t bytes = sim_min(sim_max(n, FIRST) * size, CHUNK_MAX);
    if (bytes >= SIM_HUGE_PAGE / 2)
        bytes = (bytes + SIM_HUGE_PAGE - 1) / SIM_HUGE_PAGE * SIM_HUGE_PAGE;
    *p = (struct sim_pool){.next = s->pool, .kind = kind, .n = (uint32_t)(bytes / size)};
    p->memory = sim_mem_block(bytes);
    sim_assert(p->memory != NULL);
    s->pool = p;
    s->allocations++;
    return p;
}

void sim_pool_more_tokens(struct sim *s)
{
    struct sim_pool *p = chunk(s, sizeof(struct sim_token), TOKENS);
    struct sim_token *t = p->memory;
    for (uint32_t i = p->n; i-- > 0;) {
        t[i] = (struct sim_token){.state = SIM_FREE, .station = SIM_NONE, .next = s->free_tokens};
        s->free_tokens = &t[i];
    }
}

void sim_pool_more_joins(struct sim *s)
{
    struct sim_pool *p = chunk(s, sizeof(struct sim_join), JOINS);
    struct sim_join *j = p->memory;
    for (uint32_t i = p->n; i-- > 0;)
        sim_join_put(s, &j[i]);
}

/* Plans start in one block with their neighbours; one that grows leaves it. */
static void more_ios(struct sim *s)
{
    struct sim_pool *p = chunk(s, sizeof(struct sim_io), IOS);
    struct sim_io *io = p->memory;
    uint32_t cap = s->plan_cap ? s->plan_cap : SIM_PLAN_FIRST;
    struct sim_step *steps = sim_mem_block((size_t)p->n * cap * sizeof *steps);
    sim_assert(steps != NULL);
    p->steps = steps;
    s->plan_cap = cap;
    for (uint32_t i = p->n; i-- > 0;) {
        io[i] = (struct sim_io){.plan = {.sim = s}, .next = s->free_ios};
        io[i].plan.step = steps + (size_t)i * cap;
        io[i].plan.cap = cap;
        io[i].plan.borrowed = true;
        s->free_ios = &io[i];
    }
}

static void more_legs(struct sim *s)
{
    struct sim_pool *p = chunk(s, sizeof(struct sim_legs), LEGS);
    struct sim_legs *l = p->memory;
    for (uint32_t i = p->n; i-- > 0; s->free_legs = &l[i])
        l[i].next = s->free_legs;
}

static void take_legs(struct sim *s, struct sim_io *io)
{
    if (SIM_RARE(!s->free_legs))
        more_legs(s);
    struct sim_legs *l = s->free_legs;
    s->free_legs = l->next;
    l->next = io->legs;
    io->legs = l;
    io->leg = l->leg;
    io->leg_end = l->leg + SIM_LEGS;
}

struct sim_leg *sim_trail_more(struct sim *s, struct sim_io *io)
{
    if (!io->legs)
        return NULL;
    take_legs(s, io);
    return io->leg;
}

static void put_legs(struct sim *s, struct sim_io *io)
{
    for (struct sim_legs *l = io->legs, *next; l; l = next) {
        next = l->next;
        l->next = s->free_legs;
        s->free_legs = l;
    }
}

void sim_io_end(struct sim *s, struct sim_io *io)
{
    s->finished += io->client != NULL;
    if (io->client && io->client->done)
        io->client->done(io->client, s, io);
    io->client = NULL;
    put_legs(s, io);
    io->next = s->free_ios;
    s->free_ios = io;
}

struct sim_io *sim_io_new(struct sim *s, struct sim_client *client, uint64_t key)
{
    if (SIM_RARE(!s->free_ios))
        more_ios(s);
    struct sim_io *io = s->free_ios;
    s->free_ios = io->next;
    if (SIM_RARE(io->plan.cap < s->plan_cap))
        sim_plan_reserve(&io->plan);
    io->client = client;
    io->legs = NULL;
    io->leg = io->leg_end = NULL;
    if (client && s->trails)
        take_legs(s, io);
    io->key = key;
    io->submitted = SIM_NEVER;
    io->acked = SIM_NEVER;
    io->failures = 0;
    io->tokens = NULL;
    io->plan.n = 0;
    io->plan.depth = 0;
    return io;
}

static void free_plans(const struct sim_pool *p)
{
    struct sim_io *io = p->memory;
    for (uint32_t i = 0; i < p->n; i++)
        if (!io[i].plan.borrowed)
            free(io[i].plan.step);
    free(p->steps);
}

void sim_pool_free(struct sim *s)
{
    for (struct sim_pool *p = s->pool, *next; p; p = next) {
        next = p->next;
        if (p->kind == IOS)
            free_plans(p);
        free(p->memory);
        free(p);
    }
}

struct sim_census sim_pool_census(const struct sim *s)
{
    struct sim_census c = {0, 0, 0};
    for (const struct sim_pool *p = s->pool; p; p = p->next) {
        c.tokens += p->kind == TOKENS ? p->n : 0;
        c.joins += p->kind == JOINS ? p->n : 0;
        c.ios += p->kind == IOS ? p->n : 0;
    }
    for (const struct sim_token *t = s->free_tokens; t; t = t->next)
        c.tokens--;
    for (const struct sim_join *j = s->free_joins; j; j = j->outer)
        c.joins--;
    for (const struct sim_io *io = s->free_ios; io; io = io->next)
        c.ios--;
    return c;
}

void sim_pool_each(const struct sim *s, void (*fn)(struct sim_token *t, void *ctx), void *ctx)
{
    for (const struct sim_pool *p = s->pool; p; p = p->next) {
        struct sim_token *t = p->memory;
        for (uint32_t i = 0; p->kind == TOKENS && i < p->n; i++)
            if (t[i].state != SIM_FREE)
                fn(&t[i], ctx);
    }
}

uint64_t sim_ios_in_flight(const struct sim *s)
{
    uint64_t n = 0;
    for (const struct sim_pool *p = s->pool; p; p = p->next) {
        const struct sim_io *io = p->memory;
        for (uint32_t i = 0; p->kind == IOS && i < p->n; i++)
            n += io[i].client && io[i].tokens;
    }
    return n;
}
