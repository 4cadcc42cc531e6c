/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_sim.h"

#include "sim_assert.h"
#include "sim_interp.h"

#include <stdlib.h>

#define FIRST_SLOTS 64

struct sim *sim_create(uint64_t seed, uint64_t replication)
{
    struct sim *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    if (!sim_queue_init(&s->queue, FIRST_SLOTS)) {
        free(s);
        return NULL;
    }
    s->seed = sim_key(sim_mix(seed), replication);
    s->trails = true;
    s->fuse = true;
    s->last_event = SIM_NEVER;
    s->stale = SIM_NONE;
    s->hash = s->seed;
    return s;
}

void sim_free(struct sim *s)
{
    if (!s)
        return;
    sim_pool_free(s);
    for (uint32_t i = 0; i < s->nstations; i++) {
        free(s->station[i].free_at);
        free(s->station[i].queue);
    }
    free(s->station);
    free(s->gate);
    free(s->dist);
    sim_queue_fini(&s->queue);
    free(s);
}

uint16_t sim_add_dist(struct sim *s, const struct sim_dist *d)
{
    sim_assert(s->ndists < UINT16_MAX - 1);
    const struct sim_dist **all = realloc(s->dist, (s->ndists + 2) * sizeof *all);
    sim_assert(all != NULL);
    s->dist = all;
    all[0] = NULL;
    all[++s->ndists] = d;
    return (uint16_t)s->ndists;
}

void sim_io_start(struct sim *s, struct sim_io *io)
{
    if (io->plan.n == 0 && !io->client) { /* an empty background plan is nothing */
        io->next = s->free_ios;
        s->free_ios = io;
        return;
    }
    sim_assert(io->plan.depth == 0);
    sim_end(&io->plan);
    struct sim_token *t = sim_token_get(s, io);
    t->join = NULL;
    t->key = io->key;
    t->pc = 0;
    t->depth = 0;
    t->ahead = false;
    t->fragment = 0;
    t->failed = false;
    t->leg = NULL;
    io->issued = s->now;
    s->started += io->client != NULL;
    sim_ready(s, t);
}

struct timer {
    void (*fn)(struct sim *s, void *ctx);
    void *ctx;
};

static void fire(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word)
{
    (void)t, (void)word;
    struct timer tm = *sim_io_payload(io, struct timer);
    tm.fn(s, tm.ctx);
}

void sim_after(struct sim *s, sim_time ns, void (*fn)(struct sim *s, void *ctx), void *ctx)
{
    static const struct sim_call_fn timer = {"timer", fire};
    struct sim_io *io = sim_io_new(s, NULL, sim_key(s->seed, ++s->timers));
    *sim_io_payload(io, struct timer) = (struct timer){fn, ctx};
    sim_delay(&io->plan, ns, 0, 0);
    sim_call(&io->plan, &timer, 0);
    sim_io_start(s, io);
}

void sim_no_slots(void)
{
    bool memory_for_pending_events = false;
    sim_assert(memory_for_pending_events);
    abort();
}
