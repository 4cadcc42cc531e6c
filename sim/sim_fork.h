/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_fork.h: forks and joins: who is a branch, when the join lets one go on.
 * Internal to sim/. The usual case is inline in the interpreter, the unusual in
 * sim_fork.c.
 *
 * A branch whose end is known early (its last visit is granted) is parked: when
 * every branch is needed anyway, only the latest end decides, so only that one
 * gets an event. Among equal ends the later tie is the later one, as it would
 * be with an event each.
 */
#ifndef SIM_FORK_H
#define SIM_FORK_H

#include "sim_interp.h"

void sim_fork_split(struct sim *s, struct sim_token *t, const struct sim_step *step);
/* t, which no one has counted yet, comes to its join j. */
bool sim_join_other(struct sim *s, struct sim_join *j, struct sim_token *t);
static inline struct sim_join *sim_fork_state(struct sim *s, const struct sim_token *t,
                                              const struct sim_step *step)
{
    struct sim_join *j = sim_join_get(s);
    j->outer = t->join;
    j->key = t->key;
    j->last = NULL;
    j->parked = NULL;
    j->pc = step->target;
    j->arrived = 0;
    j->fragment = t->fragment;
    j->depth = t->depth;
    for (uint8_t i = 0; i < t->depth; i++)
        j->ret[i] = t->ret[i];
    return j;
}

/* Makes t branch number k of j, starting at pc. */
static inline void sim_become(struct sim_token *t, struct sim_join *j, uint32_t k,
                          uint32_t pc)
{
    t->join = j;
    t->key = sim_key(j->key, k + 1);
    t->pc = pc;
    t->depth = 0;
    t->ahead = t->failed = false;
}

static inline struct sim_token *sim_sibling(struct sim *s, const struct sim_token *t)
{
    struct sim_token *b = sim_token_get(s, t->io);
    b->leg = t->leg;
    return b;
}

static inline void sim_fork_par(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    struct sim_join *j = sim_fork_state(s, t, step);
    uint32_t branches = (uint32_t)(step->arg >> 32), pc = t->pc;
    j->need = (uint32_t)(step->arg & 0x7fffffff);
    j->cancel = (step->arg >> 31) & 1;
    j->live = branches;
    j->all = j->need == branches;
    j->fragments = 0;
    for (uint32_t k = 1; k < branches; k++) {
        struct sim_token *b = sim_sibling(s, t);
        pc = t->io->plan.step[pc].target;
        b->fragment = t->fragment;
        sim_become(b, j, k, pc + 1);
        sim_ready(s, b);
    }
    sim_become(t, j, 0, t->pc + 1);
}

static inline void sim_add_parked(struct sim_join *j, struct sim_token *t)
{
    t->next = j->parked;
    j->parked = t;
}

/* Branch t will end at `when`; the last to be known sets the join's event. */
static inline void sim_join_park(struct sim *s, struct sim_token *t, sim_time when)
{
    struct sim_join *j = t->join;
    t->state = SIM_PARKED;
    t->due = when;
    if (j->last && (when < j->latest || (when == j->latest && t->key < j->last->key))) {
        sim_add_parked(j, t);
    } else {
        if (j->last)
            sim_add_parked(j, j->last);
        j->last = t;
        j->latest = when;
    }
    if (++j->arrived == j->need)
        sim_schedule(s, j->last, j->latest);
}

static inline void sim_resume_after(struct sim_token *t, struct sim_join *j)
{
    t->join = j->outer;
    t->key = j->key;
    t->fragment = j->fragment;
    t->pc = j->pc;
    t->depth = j->depth;
    t->failed = false;
    for (uint8_t i = 0; i < j->depth; i++)
        t->ret[i] = j->ret[i];
}

/* The others at the join have ended: those parked there leave. */
static inline void sim_unpark(struct sim *s, struct sim_join *j, const struct sim_token *t)
{
    if (j->last != t)
        sim_add_parked(j, j->last);
    for (struct sim_token *k = j->parked, *next; k; k = next) {
        next = k->next;
        if (k->station != SIM_NONE)
            sim_station_leave(s, k);
        j->live--;
        sim_token_end(s, k);
    }
    j->last = NULL;
}

/* The join lets t go on. */
static inline void sim_join_release(struct sim *s, struct sim_join *j, struct sim_token *t)
{
    if (j->last)
        sim_unpark(s, j, t);
    sim_resume_after(t, j);
    j->outer = NULL; /* t has taken over; what is late here counts for nobody else */
    if (SIM_RARE(j->cancel && j->live > 1))
        sim_join_cancel(s, t->io, j);
    if (--j->live == 0)
        sim_join_put(s, j);
}

/* A branch has come to its join. True: t goes on (behind it, or as the next
 * fragment); false: t has ended. */
static inline bool sim_join_arrive(struct sim *s, struct sim_token *t)
{
    struct sim_join *j = t->join;
    if (j->last != t)
        return sim_join_other(s, j, t);
    sim_join_release(s, j, t); /* it was parked as the last of all */
    return true;
}

#endif
