/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_interp.h: between the interpreter, the stations and the run loop.
 * Internal to sim/.
 */
#ifndef SIM_INTERP_H
#define SIM_INTERP_H

#include "sim_sim.h"

#define SIM_HOPELESS UINT32_MAX /* need of a join that lost a branch it needed */

struct sim_join {
    struct sim_join *outer;      /* next on the free list when free */
    struct sim_join *next_free;
    uint64_t key;                /* of the token that forked */
    uint32_t pc;                 /* where the join continues */
    uint32_t need, arrived, live; /* branches: to continue at, end known, not yet ended */
    uint32_t body, next_fragment, fragments; /* split: first step; 0 fragments: par */
    uint32_t fragment;           /* of the token that forked */
    uint32_t failures;
    uint8_t depth;
    bool cancel, all; /* all: every branch is needed, so ends known early may be parked */
    struct sim_token *last;      /* parked with the latest end so far */
    struct sim_token *parked;    /* the others still at a station */
    uint32_t ret[SIM_NEST];
    struct sim_trail prefix;
};

/* pools (sim_pool.c) */
struct sim_token *sim_token_get(struct sim *s, struct sim_io *io);
void sim_token_put(struct sim *s, struct sim_token *t);
struct sim_join *sim_join_get(struct sim *s);
void sim_join_put(struct sim *s, struct sim_join *j);
void sim_pool_free(struct sim *s);

/* What is in use: all zero when every I/O is done. */
struct sim_census {
    uint64_t tokens, joins, ios;
};
struct sim_census sim_pool_census(const struct sim *s);

/* Walks t until it blocks or ends. */
void sim_token_run(struct sim *s, struct sim_token *t);
/* t is done; with the last token its I/O is recycled. */
void sim_token_end(struct sim *s, struct sim_token *t);

/* forks and joins (sim_fork.c) */
void sim_fork_par(struct sim *s, struct sim_token *t, const struct sim_step *step);
void sim_fork_split(struct sim *s, struct sim_token *t, const struct sim_step *step);
bool sim_join_arrive(struct sim *s, struct sim_token *t);
void sim_join_park(struct sim *s, struct sim_token *t, sim_time when);
void sim_join_leave(struct sim *s, struct sim_io *io, struct sim_join *j);
void sim_trail_whole(const struct sim_token *t, struct sim_trail *out);

/* Can j do without one of its live branches? Then a failed one does not stand
 * for a finished one. */
static inline bool sim_join_spare(const struct sim_join *j)
{
    return !j->all && !j->fragments && j->arrived + j->live - 1 >= j->need;
}

/* early ends (sim_cancel.c) */
void sim_join_lose(struct sim *s, struct sim_join *j);
void sim_settle(struct sim *s, const struct sim_io *io, uint32_t pc, const uint32_t *ret,
                uint8_t depth);
/* Cancels every token inside j. */
void sim_join_cancel(struct sim *s, struct sim_io *io, struct sim_join *j);
/* The running token goes to its join, or the plan's end, as failed. */
void sim_token_fail(struct sim *s, struct sim_token *t);
/* The same for a token that is somewhere else. */
void sim_token_eject(struct sim *s, struct sim_token *t);

/* Station entry for a queued station; sim_station.c. */
void sim_station_enqueue(struct sim *s, struct sim_station *st, struct sim_token *t,
                         uint32_t queue, sim_time service);
/* The token's event at a station came: books, next of the queue. */
void sim_station_leave(struct sim *s, struct sim_token *t);
/* Leaves without an event (cancelled or failed). */
void sim_station_abandon(struct sim *s, struct sim_token *t);
void sim_gate_abandon(struct sim *s, struct sim_token *t);
/* False: the token waits at the gate now. */
bool sim_gate_take(struct sim *s, struct sim_token *t, uint32_t gate, uint64_t n, uint8_t part);

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

/* t's next event is at `when`. */
static inline void sim_schedule(struct sim *s, struct sim_token *t, sim_time when)
{
    t->state = SIM_PENDING;
    if (t == s->current)
        s->stale = false;
    sim_queue_set(&s->queue, t->slot, when, t->tie);
}

/* t's next event will not happen. */
static inline void sim_unschedule(struct sim *s, struct sim_token *t)
{
    sim_queue_set(&s->queue, t->slot, SIM_NEVER, t->tie);
}

static inline void sim_trail_add(struct sim_trail *tr, const struct sim_leg *l)
{
    if (__builtin_expect(tr->n == SIM_TRAIL, 0))
        sim_trail_compact(tr);
    tr->leg[tr->n++] = *l;
}

/* One more visit inside / one fewer, `late` ns after it really left. */
static inline void sim_station_count_in(struct sim_station *st, sim_time now)
{
    st->area += (uint64_t)st->present * (now - st->last);
    st->last = now;
    st->present++;
}

static inline void sim_station_count_out(struct sim_station *st, sim_time now, sim_time late)
{
    st->area += (uint64_t)st->present * (now - st->last) - late;
    st->last = now;
    st->present--;
}

#endif
