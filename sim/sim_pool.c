/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Free lists of tokens, I/Os and joins. Chunks are never returned before the
 * simulation ends, so pointers stay valid and a warmed-up run allocates nothing.
 */
#include "sim_interp.h"

#include "sim_assert.h"

#include <stdlib.h>

#define CHUNK 64

struct sim_pool {
    struct sim_pool *next;
    void *memory;
    enum kind { TOKENS, JOINS, IOS } kind;
};

static void *chunk(struct sim *s, size_t bytes, enum kind kind)
{
    struct sim_pool *p = malloc(sizeof *p);
    void *memory = NULL;
    sim_assert(p != NULL && posix_memalign(&memory, 64, bytes) == 0);
    p->memory = memory;
    p->kind = kind;
    p->next = s->pool;
    s->pool = p;
    s->allocations++;
    return memory;
}

static void more_tokens(struct sim *s)
{
    struct sim_token *t = chunk(s, CHUNK * sizeof *t, TOKENS);
    for (int i = CHUNK - 1; i >= 0; i--) {
        t[i] = (struct sim_token){.state = SIM_FREE, .station = SIM_NONE};
        t[i].slot = sim_queue_slot(&s->queue, &t[i]);
        sim_assert(t[i].slot != UINT32_MAX);
        t[i].next = s->free_tokens;
        s->free_tokens = &t[i];
    }
}

struct sim_token *sim_token_get(struct sim *s, struct sim_io *io)
{
    if (!s->free_tokens)
        more_tokens(s);
    struct sim_token *t = s->free_tokens;
    s->free_tokens = t->next;
    t->io = io;
    t->io_prev = NULL;
    t->io_next = io->tokens;
    if (io->tokens)
        io->tokens->io_prev = t;
    io->tokens = t;
    return t;
}

void sim_token_put(struct sim *s, struct sim_token *t)
{
    if (t->io_prev)
        t->io_prev->io_next = t->io_next;
    else
        t->io->tokens = t->io_next;
    if (t->io_next)
        t->io_next->io_prev = t->io_prev;
    t->state = SIM_FREE;
    t->station = SIM_NONE;
    t->next = s->free_tokens;
    s->free_tokens = t;
}

void sim_token_end(struct sim *s, struct sim_token *t)
{
    struct sim_io *io = t->io;
    sim_token_put(s, t);
    if (io->tokens)
        return;
    s->finished += io->client != NULL;
    if (io->client && io->client->done)
        io->client->done(io->client, s, io);
    io->plan.n = 0;
    io->next = s->free_ios;
    s->free_ios = io;
}

struct sim_join *sim_join_get(struct sim *s)
{
    if (!s->free_joins) {
        struct sim_join *j = chunk(s, CHUNK * sizeof *j, JOINS);
        for (int i = 0; i < CHUNK; i++) {
            j[i].next_free = s->free_joins;
            s->free_joins = &j[i];
        }
    }
    struct sim_join *j = s->free_joins;
    s->free_joins = j->next_free;
    return j;
}

void sim_join_put(struct sim *s, struct sim_join *j)
{
    j->next_free = s->free_joins;
    s->free_joins = j;
}

struct sim_io *sim_io_new(struct sim *s, struct sim_client *client, uint64_t key)
{
    if (!s->free_ios) {
        struct sim_io *io = chunk(s, CHUNK * sizeof *io, IOS);
        for (int i = 0; i < CHUNK; i++) {
            io[i] = (struct sim_io){.plan = {.sim = s}, .next = s->free_ios};
            sim_plan_reserve(&io[i].plan);
            s->free_ios = &io[i];
        }
    }
    struct sim_io *io = s->free_ios;
    s->free_ios = io->next;
    if (__builtin_expect(io->plan.cap < s->plan_cap, 0))
        sim_plan_reserve(&io->plan);
    io->client = client;
    io->key = key;
    io->submitted = SIM_NEVER;
    io->acked = SIM_NEVER;
    io->failures = 0;
    io->tokens = NULL;
    io->plan.n = 0;
    io->plan.depth = 0;
    return io;
}

/* Plans grow outside the chunks. */
static void free_plans(struct sim_pool *p)
{
    struct sim_io *io = p->memory;
    for (int i = 0; i < CHUNK; i++)
        free(io[i].plan.step);
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
        c.tokens += p->kind == TOKENS ? CHUNK : 0;
        c.joins += p->kind == JOINS ? CHUNK : 0;
        c.ios += p->kind == IOS ? CHUNK : 0;
    }
    for (const struct sim_token *t = s->free_tokens; t; t = t->next)
        c.tokens--;
    for (const struct sim_join *j = s->free_joins; j; j = j->next_free)
        c.joins--;
    for (const struct sim_io *io = s->free_ios; io; io = io->next)
        c.ios--;
    return c;
}
