/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_interp.h: between the interpreter, the stations and the run loop.
 * Internal to sim/. What every event does is inline here; what is rare is not.
 */
#ifndef SIM_INTERP_H
#define SIM_INTERP_H

#include "sim_sim.h"

#define SIM_RARE(cond) __builtin_expect(!!(cond), 0)

#define SIM_HOT __attribute__((always_inline))
#define SIM_OUT __attribute__((noinline))
#define SIM_COLD __attribute__((noinline, cold))

#define SIM_HOPELESS UINT32_MAX /* need of a join that lost a branch it needed */

struct sim_join {
    _Alignas(64) struct sim_join *outer; /* next on the free list when free */
    uint64_t key;                /* of the token that forked */
    struct sim_token *last;      /* parked with the latest end so far */
    sim_time latest;             /* that end */
    struct sim_token *parked;    /* the others still at a station */
    uint32_t pc;                 /* where the join continues */
    uint32_t need, arrived, live; /* branches: to continue at, end known, not yet ended */
    uint32_t fragment;           /* of the token that forked */
    uint8_t depth;
    bool cancel, all; /* all: every branch is needed, so ends known early may be parked */
    uint32_t fragments;          /* of a split; 0: par */
    uint32_t next_fragment;
    uint32_t body;               /* split: first step */
    uint32_t ret[SIM_NEST];
};

/* ---- pools (sim_pool.c) ---- */

void sim_pool_more_tokens(struct sim *s);
void sim_pool_more_joins(struct sim *s);
void sim_pool_free(struct sim *s);

/* Calls fn for every token in use, in an order of no meaning. */
void sim_pool_each(const struct sim *s, void (*fn)(struct sim_token *t, void *ctx), void *ctx);

/* What is in use: all zero when every I/O is done. */
struct sim_census {
    uint64_t tokens, joins, ios;
};
struct sim_census sim_pool_census(const struct sim *s);

static inline struct sim_token *sim_token_get(struct sim *s, struct sim_io *io)
{
    if (SIM_RARE(!s->free_tokens))
        sim_pool_more_tokens(s);
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

/* t is done; with the last token its I/O is recycled. */
void sim_io_end(struct sim *s, struct sim_io *io);

static inline void sim_token_end(struct sim *s, struct sim_token *t)
{
    struct sim_io *io = t->io;
    if (t->io_prev)
        t->io_prev->io_next = t->io_next;
    else
        io->tokens = t->io_next;
    if (t->io_next)
        t->io_next->io_prev = t->io_prev;
    t->state = SIM_FREE;
    t->station = SIM_NONE;
    t->next = s->free_tokens;
    s->free_tokens = t;
    if (!io->tokens)
        sim_io_end(s, io);
}

static inline struct sim_join *sim_join_get(struct sim *s)
{
    if (SIM_RARE(!s->free_joins))
        sim_pool_more_joins(s);
    struct sim_join *j = s->free_joins;
    s->free_joins = j->outer;
    return j;
}

static inline void sim_join_put(struct sim *s, struct sim_join *j)
{
    j->outer = s->free_joins;
    s->free_joins = j;
}

/* Walks t until it blocks or ends. */
void sim_token_run(struct sim *s, struct sim_token *t);

/* ---- forks and joins (sim_fork.c) ---- */

void sim_join_leave(struct sim *s, struct sim_io *io, struct sim_join *j);

/* Can j do without one of its live branches? Then a failed one does not stand
 * for a finished one. */
static inline bool sim_join_spare(const struct sim_join *j)
{
    return !j->all && !j->fragments && j->arrived + j->live - 1 >= j->need;
}

/* ---- early ends (sim_cancel.c) ---- */

/* A branch of j ends without arriving. */
void sim_join_lose(struct sim *s, struct sim_join *j);
/* A branch is cut short at pc: gates get what it would have given them. */
void sim_settle(struct sim *s, const struct sim_io *io, uint32_t pc, const uint32_t *ret,
                uint8_t depth);
/* Cancels every token inside j. */
void sim_join_cancel(struct sim *s, struct sim_io *io, struct sim_join *j);
/* The running token goes to its join, or the plan's end, as failed. */
void sim_token_fail(struct sim *s, struct sim_token *t);
/* The same for a token that is somewhere else. */
void sim_token_eject(struct sim *s, struct sim_token *t);

/* ---- stations and gates ---- */

/* A visit of a queued station; sim_station.c. */
void sim_station_enqueue(struct sim *s, struct sim_station *st, struct sim_token *t,
                         uint32_t queue, sim_time service);
/* The server t had at a queued station takes the next. */
void sim_station_release(struct sim *s, struct sim_station *st, uint32_t queue);
/* Leaves without an event (cancelled or failed). */
void sim_station_abandon(struct sim *s, struct sim_token *t);
void sim_gate_abandon(struct sim *s, struct sim_token *t);
/* False: the token waits at the gate now. */
bool sim_gate_take(struct sim *s, struct sim_token *t, uint32_t gate, uint64_t n, uint8_t part);

/* The server that is free first, from a winner tree over free_at; its nodes are
 * behind free_at: leaves padded to a power of two, then the winner of node i at
 * [i]. Servers free at the same time are interchangeable. */
static inline uint16_t *sim_station_tree(const struct sim_station *st)
{
    return (uint16_t *)(void *)(st->free_at + ((size_t)1 << st->levels));
}

static inline uint32_t sim_station_first(const struct sim_station *st)
{
    return st->levels == 0 ? 0 : sim_station_tree(st)[1];
}

/* free_at[server] has changed. */
static inline void sim_station_update(struct sim_station *st, uint32_t server)
{
    uint16_t *winner = sim_station_tree(st);
    const sim_time *free_at = st->free_at;
    uint32_t i = (1u << st->levels) + server, w = server, other = server ^ 1;
    sim_time least = free_at[server];
    for (uint32_t level = st->levels; level > 0; level--) {
        sim_time t = free_at[other];
        w = t < least ? other : w;
        least = t < least ? t : least;
        i >>= 1;
        winner[i] = (uint16_t)w;
        other = winner[i ^ 1];
    }
}

/* The integral of the number present is kept as a sum of leaving less entering
 * times; sim_station_snapshot adds those still inside. */
static inline void sim_station_enter(struct sim_station *st, sim_time now)
{
    st->served++;
    st->balance -= now;
}

/* One fewer inside, since `leave`. */
static inline void sim_station_exit(struct sim_station *st, sim_time leave)
{
    st->departed++;
    st->balance += leave;
}

/* The token's event at a station came, at or after its departure. */
static inline void sim_station_leave(struct sim *s, struct sim_token *t)
{
    struct sim_station *st = &s->station[t->station];
    t->station = SIM_NONE;
    sim_station_exit(st, t->leave);
    if (SIM_RARE(st->queued))
        sim_station_release(s, st, t->server);
}

/* ---- events ---- */

static inline void sim_ready(struct sim *s, struct sim_token *t)
{
    t->state = SIM_READY;
    t->next = NULL;
    t->prev = s->ready_tail;
    if (s->ready_tail)
        s->ready_tail->next = t;
    else
        s->ready_head = t;
    s->ready_tail = t;
}

/* Out of memory: nothing a run could do about it. */
_Noreturn void sim_no_slots(void);

/* t's next event is at `when`. The slot of the event under way is taken over by
 * the first token that needs one: its path is replayed once instead of twice. */
static inline void sim_schedule(struct sim *s, struct sim_token *t, sim_time when)
{
    uint32_t slot = s->stale;
    t->state = SIM_PENDING;
    if (slot != SIM_NONE) {
        s->stale = SIM_NONE;
    } else {
        slot = sim_queue_slot(&s->queue, t);
        if (SIM_RARE(slot == UINT32_MAX))
            sim_no_slots();
    }
    t->slot = slot;
    struct sim_event *e = &s->queue.event[slot];
    e->owner = t;
    e->soon[0] = t->io;
    e->soon[1] = &t->io->plan.step[t->pc];
    sim_queue_set(&s->queue, slot, when, t->key);
    sim_queue_look_ahead(&s->queue, slot);
}

/* t's next event will not happen. */
static inline void sim_unschedule(struct sim *s, struct sim_token *t)
{
    sim_queue_set(&s->queue, t->slot, SIM_NEVER, 0);
    sim_queue_release(&s->queue, t->slot);
}

#endif
