/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Forks and joins: who is a branch, when the join lets one go on, and parking.
 *
 * A branch whose end is known early (its last visit is granted) is parked: when
 * every branch is needed anyway, only the latest end decides, so only that one
 * gets an event. Among equal ends the later tie is the later one, as it would
 * be with an event each.
 */
#include "sim_interp.h"

#include "sim_assert.h"

static inline void copy_legs(struct sim_trail *to, const struct sim_trail *from)
{
    to->n = from->n;
    for (uint32_t i = 0; i < from->n; i++)
        to->leg[i] = from->leg[i];
}

static inline void set_fragment(struct sim_token *t, uint32_t fragment)
{
    t->fragmented = fragment > 0;
    t->fragment = fragment;
}

static inline struct sim_join *fork_state(struct sim *s, const struct sim_token *t,
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
    if (s->trails)
        copy_legs(&j->prefix, &t->trail);
    return j;
}

/* Makes t branch number k of j, starting at pc. */
static inline void become(struct sim *s, struct sim_token *t, struct sim_join *j, uint32_t k,
                          uint32_t pc)
{
    t->join = j;
    t->key = sim_key(j->key, k + 1);
    t->pc = pc;
    t->depth = 0;
    t->failed = false;
    if (s->trails)
        t->trail.n = 0;
}

static inline struct sim_token *sibling(struct sim *s, const struct sim_token *t)
{
    struct sim_token *b = sim_token_get(s, t->io);
    b->base = t->base;
    return b;
}

void sim_fork_par(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    struct sim_join *j = fork_state(s, t, step);
    uint32_t branches = (uint32_t)(step->arg >> 32), pc = t->pc;
    j->need = (uint32_t)(step->arg & 0x7fffffff);
    j->cancel = (step->arg >> 31) & 1;
    j->live = branches;
    j->all = j->need == branches;
    j->fragments = 0;
    for (uint32_t k = 1; k < branches; k++) {
        struct sim_token *b = sibling(s, t);
        pc = t->base[pc].target;
        set_fragment(b, t->fragment);
        become(s, b, j, k, pc + 1);
        sim_ready(s, b);
    }
    become(s, t, j, 0, t->pc + 1);
}

void sim_fork_split(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    struct sim_join *j = fork_state(s, t, step);
    uint32_t n = (uint32_t)step->arg, window = (uint32_t)(step->arg >> 32);
    j->need = n;
    j->cancel = false;
    j->body = t->pc;
    j->fragments = n;
    j->next_fragment = window;
    j->all = window == n;
    j->live = window;
    for (uint32_t k = 1; k < window; k++) {
        struct sim_token *b = sibling(s, t);
        set_fragment(b, k);
        become(s, b, j, k, j->body);
        sim_ready(s, b);
    }
    set_fragment(t, 0);
    become(s, t, j, 0, j->body);
}

/* One branch fewer under j; the last one takes the record along. A fork whose
 * branches all ended before its join let one go on ends the branch it is in. */
void sim_join_leave(struct sim *s, struct sim_io *io, struct sim_join *j)
{
    while (j && --j->live == 0) {
        struct sim_join *outer = j->outer;
        if (j->arrived < j->need)
            sim_settle(s, io, j->pc, j->ret, j->depth);
        sim_join_put(s, j);
        j = outer;
        sim_join_lose(s, j);
    }
}

/* The trail of a fork's prefix and of what came after it. */
static void prepend(struct sim_trail *tr, const struct sim_trail *prefix)
{
    if (SIM_RARE(tr->n + prefix->n > SIM_TRAIL)) {
        struct sim_trail own;
        copy_legs(&own, tr);
        copy_legs(tr, prefix);
        for (uint32_t i = 0; i < own.n; i++)
            sim_trail_add(tr, &own.leg[i]);
        return;
    }
    for (uint32_t i = tr->n; i-- > 0;)
        tr->leg[i + prefix->n] = tr->leg[i];
    for (uint32_t i = 0; i < prefix->n; i++)
        tr->leg[i] = prefix->leg[i];
    tr->n += prefix->n;
}

static void resume_after(struct sim *s, struct sim_token *t, struct sim_join *j)
{
    t->join = j->outer;
    t->key = j->key;
    set_fragment(t, j->fragment);
    t->pc = j->pc;
    t->depth = j->depth;
    t->failed = false;
    for (uint8_t i = 0; i < j->depth; i++)
        t->ret[i] = j->ret[i];
    if (s->trails && j->prefix.n)
        prepend(&t->trail, &j->prefix);
}

/* What led to t, its forks included, as one trail. */
void sim_trail_whole(const struct sim_token *t, struct sim_trail *out)
{
    copy_legs(out, &t->trail);
    for (const struct sim_join *j = t->join; j; j = j->outer)
        prepend(out, &j->prefix);
}

static void next_fragment(struct sim_join *j, struct sim_token *t)
{
    uint32_t k = j->next_fragment++;
    j->all = j->next_fragment == j->fragments && j->need == j->fragments;
    t->key = sim_key(j->key, k + 1);
    set_fragment(t, k);
    t->pc = j->body;
    t->depth = 0;
}

static void add_parked(struct sim_join *j, struct sim_token *t)
{
    t->next = j->parked;
    j->parked = t;
}

static bool ends_before(const struct sim_token *a, const struct sim_token *b)
{
    return a->due < b->due || (a->due == b->due && a->key < b->key);
}

/* Branch t will end at `when`; the last to be known sets the join's event. */
void sim_join_park(struct sim *s, struct sim_token *t, sim_time when)
{
    struct sim_join *j = t->join;
    t->state = SIM_PARKED;
    t->due = when;
    if (j->last && ends_before(t, j->last)) {
        add_parked(j, t);
    } else {
        if (j->last)
            add_parked(j, j->last);
        j->last = t;
    }
    if (++j->arrived == j->need)
        sim_schedule(s, j->last, j->last->due);
}

static void unpark_one(struct sim *s, struct sim_join *j, struct sim_token *t)
{
    if (t->station != SIM_NONE)
        sim_station_leave(s, t);
    j->live--;
    sim_token_end(s, t);
}

/* The join lets t go on: the other branches ended before. */
static void unpark(struct sim *s, struct sim_join *j, struct sim_token *t)
{
    if (j->last && j->last != t)
        add_parked(j, j->last);
    for (struct sim_token *k = j->parked, *next; k; k = next) {
        next = k->next;
        unpark_one(s, j, k);
    }
    j->last = NULL;
}

/* Is the latest known end still to come, seen from t's end now? */
static bool later(const struct sim *s, const struct sim_token *last, const struct sim_token *t)
{
    return last && (last->due > s->now || (last->due == s->now && last->key > t->key));
}

static bool end_branch(struct sim *s, struct sim_join *j, struct sim_token *t)
{
    sim_join_leave(s, t->io, j);
    sim_token_end(s, t);
    return false;
}

/* A branch has come to its join. True: t goes on (behind it, or as the next
 * fragment); false: t has ended. */
bool sim_join_arrive(struct sim *s, struct sim_token *t)
{
    struct sim_join *j = t->join;
    if (SIM_RARE(t->failed)) {
        t->io->failures++;
        t->failed = false;
        if (sim_join_spare(j))
            return end_branch(s, j, t);
    }
    if (j->fragments && j->next_fragment < j->fragments) {
        j->arrived++;
        next_fragment(j, t);
        return true;
    }
    if (j->last != t && ++j->arrived == j->need && later(s, j->last, t)) {
        sim_schedule(s, j->last, j->last->due);
        return end_branch(s, j, t);
    }
    if (j->arrived != j->need)
        return end_branch(s, j, t);
    if (j->last)
        unpark(s, j, t);
    resume_after(s, t, j);
    j->outer = NULL; /* t has taken over; what is late here counts for nobody else */
    if (j->cancel && j->live > 1)
        sim_join_cancel(s, t->io, j);
    if (--j->live == 0)
        sim_join_put(s, j);
    return true;
}
