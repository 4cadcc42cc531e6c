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

void sim_pool_more_tokens(struct sim *s)
{
    struct sim_token *t = chunk(s, CHUNK * sizeof *t, TOKENS);
    for (int i = CHUNK - 1; i >= 0; i--) {
        t[i] = (struct sim_token){.state = SIM_FREE, .station = SIM_NONE, .next = s->free_tokens};
        s->free_tokens = &t[i];
    }
}

void sim_pool_more_joins(struct sim *s)
{
    struct sim_join *j = chunk(s, CHUNK * sizeof *j, JOINS);
    for (int i = CHUNK - 1; i >= 0; i--)
        sim_join_put(s, &j[i]);
}

void sim_io_end(struct sim *s, struct sim_io *io)
{
    s->finished += io->client != NULL;
    if (io->client && io->client->done)
        io->client->done(io->client, s, io);
    io->client = NULL;
    io->next = s->free_ios;
    s->free_ios = io;
}

static void more_ios(struct sim *s)
{
    struct sim_io *io = chunk(s, CHUNK * sizeof *io, IOS);
    for (int i = 0; i < CHUNK; i++) {
        io[i] = (struct sim_io){.plan = {.sim = s}, .next = s->free_ios};
        sim_plan_reserve(&io[i].plan);
        s->free_ios = &io[i];
    }
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
        for (int i = 0; p->kind == TOKENS && i < CHUNK; i++)
            if (t[i].state != SIM_FREE)
                fn(&t[i], ctx);
    }
}

uint64_t sim_ios_in_flight(const struct sim *s)
{
    uint64_t n = 0;
    for (const struct sim_pool *p = s->pool; p; p = p->next) {
        const struct sim_io *io = p->memory;
        for (int i = 0; p->kind == IOS && i < CHUNK; i++)
            n += io[i].client && io[i].tokens;
    }
    return n;
}
