/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interpreter: one token, one plan, until it blocks.
 */
#include "sim_interp.h"

#include "sim_assert.h"

static inline sim_time draw(struct sim *s, const struct sim_token *t, const struct sim_step *st,
                            uint64_t salt)
{
    if (!st->dist)
        return 0;
    const struct sim_dist *d = s->dist[st->dist];
    s->draws++;
    return sim_dist_draw(d, sim_key(t->key + salt, d->role + st->part));
}

static void park(struct sim *s, struct sim_token *t, sim_time when);

/* The event of a visit that leaves at `leave`: delays that follow need no
 * server, so they ride along. Their time is booked here. A branch that then
 * ends needs no event of its own unless it is the last. */
static inline void depart(struct sim *s, struct sim_token *t, sim_time leave)
{
    const struct sim_step *next = &t->io->plan.step[t->pc];
    sim_time when = leave;
    t->leave = leave;
    while (next->verb == SIM_DELAY) {
        sim_time ns = next->arg + draw(s, t, next, 0);
        if (s->trails)
            sim_book(t, next->part, 0, ns);
        when += ns;
        next++;
        t->pc++;
        if (!s->fuse)
            break;
    }
    if ((next->verb == SIM_JOIN || next->verb == SIM_BRANCH) && t->join->all && s->fuse)
        park(s, t, when);
    else
        sim_schedule(s, t, when);
}

static inline void enter(struct sim *s, struct sim_station *st, struct sim_token *t,
                         uint32_t station)
{
    sim_station_count_in(st, s->now);
    st->served++;
    t->station = station;
    t->arrived = s->now;
}

/* Books a visit whose service [start, end) is known and goes to its departure. */
static inline void served(struct sim *s, struct sim_station *st, struct sim_token *t, uint8_t part,
                          sim_time start, sim_time leave)
{
    st->wait += start - s->now;
    st->sojourn += leave - s->now;
    if (s->trails)
        sim_book(t, part, start - s->now, leave - start);
    depart(s, t, leave);
}

static inline uint32_t earliest(const sim_time *free_at, uint32_t n)
{
    uint32_t best = 0;
    sim_time least = free_at[0];
    for (uint32_t i = 1; i < n; i++) {
        bool lt = free_at[i] < least;
        least = lt ? free_at[i] : least;
        best = lt ? i : best;
    }
    return best;
}

static void visit(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    struct sim_station *st = &s->station[step->target];
    sim_time ns = step->arg + draw(s, t, step, 0);
    enter(s, st, t, step->target);
    if (__builtin_expect(st->queued, 0)) {
        t->part = step->part;
        sim_station_enqueue(s, st, t, 0, ns);
        return;
    }
    uint32_t i = st->servers == 1 ? 0 : earliest(st->free_at, st->servers);
    sim_time start = sim_max(s->now, st->free_at[i]);
    st->free_at[i] = start + ns;
    st->busy += ns;
    served(s, st, t, step->part, start, start + ns);
}

/* A large command lies on several units and is done when the slowest is. */
static void visit_span(struct sim *s, struct sim_token *t, const struct sim_step *step,
                       uint32_t unit, uint32_t span)
{
    struct sim_station *st = &s->station[step->target];
    sim_time fixed = step->arg & 0xffffffff, leave = s->now, longest = 0;
    for (uint32_t k = 0; k < span; k++) {
        sim_time ns = fixed + draw(s, t, step, k);
        sim_time *free_at = &st->free_at[unit];
        *free_at = sim_max(s->now, *free_at) + ns;
        st->busy += ns;
        leave = sim_max(leave, *free_at);
        longest = sim_max(longest, ns);
        unit = unit + 1 == st->servers ? 0 : unit + 1;
    }
    /* Charged as service: what the longest piece takes alone. */
    sim_time start = sim_max(s->now, leave - sim_min(longest, leave - s->now));
    served(s, st, t, step->part, start, leave);
}

static void visit_units(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    struct sim_station *st = &s->station[step->target];
    uint32_t unit = (uint32_t)(step->arg >> 32) & 0xffff, span = (uint32_t)(step->arg >> 48);
    enter(s, st, t, step->target);
    unit = (unit + t->fragment * span) % st->servers;
    if (__builtin_expect(span > 1, 0)) {
        visit_span(s, t, step, unit, span);
        return;
    }
    sim_time ns = (step->arg & 0xffffffff) + draw(s, t, step, 0);
    if (__builtin_expect(st->queued, 0)) {
        t->part = step->part;
        sim_station_enqueue(s, st, t, unit, ns);
        return;
    }
    sim_time start = sim_max(s->now, st->free_at[unit]);
    st->free_at[unit] = start + ns;
    st->busy += ns;
    served(s, st, t, step->part, start, start + ns);
}

static void visit_cut(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    struct sim_station *st = &s->station[step->target];
    sim_time ns = step->arg & 0xffffffff, lead = step->arg >> 32;
    enter(s, st, t, step->target);
    sim_time start = sim_max(s->now, st->free_at[0]);
    st->free_at[0] = start + ns;
    st->busy += ns;
    served(s, st, t, step->part, start, start + lead);
}

static void serve(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    struct sim_station *st = &s->station[step->target];
    struct sim_service sv = {s->now, s->now};
    enter(s, st, t, step->target);
    st->serve(st->obj, s, t, step->arg, &sv);
    st->busy += sv.depart - sv.start;
    served(s, st, t, step->part, sv.start, sv.depart);
}

static void fork_state(struct sim_join *j, const struct sim_token *t)
{
    j->outer = t->join;
    j->key = t->key;
    j->fragment = t->fragment;
    j->depth = t->depth;
    for (uint8_t i = 0; i < t->depth; i++)
        j->ret[i] = t->ret[i];
    j->arrived = 0;
    j->failures = 0;
    j->last = NULL;
    j->parked = NULL;
    j->prefix.n = t->trail.n;
    for (uint32_t i = 0; i < t->trail.n; i++)
        j->prefix.leg[i] = t->trail.leg[i];
}

/* Makes t branch number k of j, starting at pc. */
static void become(struct sim_token *t, struct sim_join *j, uint32_t k, uint32_t pc)
{
    t->join = j;
    t->key = sim_key(j->key, k + 1);
    t->tie = sim_mix(t->key);
    t->pc = pc;
    t->depth = 0;
    t->trail.n = 0;
}

static void fork_par(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    struct sim_join *j = sim_join_get(s);
    uint32_t branches = (uint32_t)(step->arg >> 32), pc = t->pc, first = pc + 1;
    struct sim_io *io = t->io;
    fork_state(j, t);
    j->pc = step->target;
    j->need = (uint32_t)(step->arg & 0x7fffffff);
    j->cancel = (step->arg >> 31) & 1;
    j->live = branches;
    j->all = j->need == branches;
    j->fragments = 0;
    for (uint32_t k = 1; k < branches; k++) {
        pc = io->plan.step[pc].target;
        struct sim_token *b = sim_token_get(s, io);
        b->fragment = t->fragment;
        b->failed = false;
        become(b, j, k, pc + 1);
        sim_ready(s, b);
    }
    become(t, j, 0, first);
}

static void fork_split(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    struct sim_join *j = sim_join_get(s);
    uint32_t n = (uint32_t)step->arg, window = (uint32_t)(step->arg >> 32);
    fork_state(j, t);
    j->pc = step->target;
    j->need = n;
    j->cancel = false;
    j->body = t->pc;
    j->fragments = n;
    j->next_fragment = window;
    j->all = window == n;
    j->live = window;
    for (uint32_t k = 1; k < window; k++) {
        struct sim_token *b = sim_token_get(s, t->io);
        become(b, j, k, j->body);
        b->fragment = k;
        b->failed = false;
        sim_ready(s, b);
    }
    become(t, j, 0, j->body);
    t->fragment = 0;
}

static void end_token(struct sim *s, struct sim_token *t)
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

/* Is j the join of t or an outer one of it? */
static bool inside(const struct sim_token *t, const struct sim_join *j)
{
    for (const struct sim_join *k = t->join; k; k = k->outer)
        if (k == j)
            return true;
    return false;
}

static void cancel_rest(struct sim *s, struct sim_io *io, struct sim_join *j)
{
    for (struct sim_token *t = io->tokens, *next; t; t = next) {
        next = t->io_next;
        if (inside(t, j))
            sim_token_cancel(s, t);
    }
}

/* One branch fewer under j; the last one takes the record along. */
static void leave_join(struct sim *s, struct sim_join *j)
{
    while (j && --j->live == 0) {
        struct sim_join *outer = j->outer;
        sim_join_put(s, j);
        j = outer;
    }
}

static void resume_after(struct sim *s, struct sim_token *t, struct sim_join *j)
{
    uint32_t own = t->trail.n;
    t->join = j->outer;
    t->key = j->key;
    t->tie = sim_mix(t->key);
    t->fragment = j->fragment;
    t->pc = j->pc;
    t->depth = j->depth;
    t->failed = false;
    for (uint8_t i = 0; i < j->depth; i++)
        t->ret[i] = j->ret[i];
    if (s->trails && j->prefix.n) {
        struct sim_trail tail = {.n = 0};
        for (uint32_t i = 0; i < own; i++)
            tail.leg[i] = t->trail.leg[i];
        for (uint32_t i = 0; i < j->prefix.n; i++)
            t->trail.leg[i] = j->prefix.leg[i];
        t->trail.n = j->prefix.n;
        for (uint32_t i = 0; i < own; i++)
            sim_book(t, sim_leg_part(&tail.leg[i]), tail.leg[i].wait, sim_leg_service(&tail.leg[i]));
    }
}

static void next_fragment(struct sim_join *j, struct sim_token *t)
{
    uint32_t k = j->next_fragment++;
    j->all = j->next_fragment == j->fragments;
    t->key = sim_key(j->key, k + 1);
    t->tie = sim_mix(t->key);
    t->fragment = k;
    t->pc = j->body;
    t->depth = 0;
}

static void add_parked(struct sim_join *j, struct sim_token *t)
{
    t->next = j->parked;
    j->parked = t;
}

/* Branch t will end at `when`; the last to be known sets the join's event. */
static void park(struct sim *s, struct sim_token *t, sim_time when)
{
    struct sim_join *j = t->join;
    t->state = SIM_PARKED;
    t->due = when;
    if (j->last && when < j->last->due) {
        add_parked(j, t);
    } else {
        if (j->last)
            add_parked(j, j->last);
        j->last = t;
    }
    if (++j->arrived == j->need)
        sim_schedule(s, j->last, j->last->due);
}

static void unlink_parked(struct sim_join *j, const struct sim_token *t)
{
    struct sim_token **at = &j->parked;
    while (*at && *at != t)
        at = &(*at)->next;
    if (*at)
        *at = t->next;
}

static struct sim_token *latest_parked(const struct sim_join *j)
{
    struct sim_token *latest = j->parked;
    for (struct sim_token *k = latest; k; k = k->next)
        if (k->due > latest->due)
            latest = k;
    return latest;
}

void sim_join_forget(struct sim *s, struct sim_token *t)
{
    struct sim_join *j = t->join;
    if (j->last->state == SIM_PENDING) {
        sim_queue_set(&s->queue, j->last->slot, SIM_NEVER, j->last->tie);
        j->last->state = SIM_PARKED;
    }
    j->arrived--;
    if (j->last == t) {
        j->last = latest_parked(j);
        t = j->last;
    }
    unlink_parked(j, t);
}

static void unpark_one(struct sim *s, struct sim_join *j, struct sim_token *t)
{
    if (t->station != SIM_NONE)
        sim_station_leave(s, t);
    j->live--;
    end_token(s, t);
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
}

/* A branch has come to its join. True: t goes on (behind it, or as the next
 * fragment); false: t has ended or waits. */
static bool arrive(struct sim *s, struct sim_token *t)
{
    struct sim_join *j = t->join;
    if (t->failed) {
        j->failures++;
        t->io->failures++;
        t->failed = false;
    }
    if (j->fragments && j->next_fragment < j->fragments) {
        j->arrived++;
        next_fragment(j, t);
        return true;
    }
    if (j->last != t && ++j->arrived == j->need && j->last && j->last->due > s->now) {
        sim_schedule(s, j->last, j->last->due);
        j->live--;
        end_token(s, t);
        return false;
    }
    if (j->arrived != j->need) {
        leave_join(s, j);
        end_token(s, t);
        return false;
    }
    if (j->last)
        unpark(s, j, t);
    resume_after(s, t, j);
    j->outer = NULL; /* t has taken over; what is late here counts for nobody else */
    if (j->cancel && j->live > 1)
        cancel_rest(s, t->io, j);
    if (--j->live == 0)
        sim_join_put(s, j);
    return true;
}

static void sub(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    const struct sim_choice *c = (const struct sim_choice *)(uintptr_t)step->arg;
    struct sim_plan *p = &t->io->plan;
    uint32_t word = step->target;
    unsigned i = c->choose(s, t->io, t, word);
    sim_assert(i < c->nalts && t->depth < SIM_NEST);
    if (!c->alts[i].build)
        return;
    uint32_t start = p->n;
    c->alts[i].build(p, t->io, word);
    sim_plan_add(p, SIM_RETURN, 0, 0, 0, 0);
    t->ret[t->depth++] = t->pc;
    t->pc = start;
}

static void spawn(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    const struct sim_spawn_fn *f = (const struct sim_spawn_fn *)(uintptr_t)step->arg;
    struct sim_io *child = sim_io_new(s, NULL, sim_key(t->key, sim_role(f->name)));
    f->fill(s, t->io, child, step->target);
    sim_io_start(s, child);
}

static void acknowledge(struct sim *s, struct sim_token *t)
{
    struct sim_io *io = t->io;
    sim_assert(io->acked == SIM_NEVER);
    io->acked = s->now;
    if (io->client) {
        s->acked++;
        io->client->ack(io->client, s, io, t);
    }
}

static bool refused(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    if (__builtin_expect(!s->station[step->target].failed, 1))
        return false;
    sim_token_fail(s, t);
    return true;
}

void sim_token_run(struct sim *s, struct sim_token *t)
{
    for (;;) {
        const struct sim_step *step = &t->io->plan.step[t->pc++];
        switch ((enum sim_verb)step->verb) {
        case SIM_VISIT:
            if (!refused(s, t, step))
                visit(s, t, step);
            return;
        case SIM_UNITS:
            if (!refused(s, t, step))
                visit_units(s, t, step);
            return;
        case SIM_CUT:
            if (!refused(s, t, step))
                visit_cut(s, t, step);
            return;
        case SIM_SERVE:
            if (!refused(s, t, step))
                serve(s, t, step);
            return;
        case SIM_DELAY:
            t->pc--;
            depart(s, t, s->now);
            return;
        case SIM_TAKE:
            if (!sim_gate_take(s, t, step->target, step->arg, step->part))
                return;
            break;
        case SIM_GIVE:
            sim_gate_give(s, step->target, step->arg);
            break;
        case SIM_PAR:
            fork_par(s, t, step);
            break;
        case SIM_SPLIT:
            fork_split(s, t, step);
            break;
        case SIM_BRANCH: /* the end of the branch before */
            t->pc = t->join->pc - 1;
            break;
        case SIM_JOIN:
            if (!arrive(s, t))
                return;
            break;
        case SIM_SUB:
            sub(s, t, step);
            break;
        case SIM_RETURN:
            t->pc = t->ret[--t->depth];
            break;
        case SIM_SPAWN:
            spawn(s, t, step);
            break;
        case SIM_CALL: {
            const struct sim_call_fn *f = (const struct sim_call_fn *)(uintptr_t)step->arg;
            f->call(s, t->io, t, step->target);
            break;
        }
        case SIM_ACK:
            acknowledge(s, t);
            break;
        case SIM_END:
            end_token(s, t);
            return;
        }
    }
}

void sim_token_fail(struct sim *s, struct sim_token *t)
{
    struct sim_join *j = t->join;
    t->failed = true;
    if (j) {
        t->pc = j->pc - 1; /* the join step */
        t->depth = 0;
    } else {
        t->io->failures++;
        t->depth = 0;
        t->pc = t->io->plan.n - 1;
        while (t->io->plan.step[t->pc].verb != SIM_END)
            t->pc--;
    }
    sim_ready(s, t);
}

/* Does t's join already count on t's end? */
bool sim_token_counted(const struct sim_token *t)
{
    return t->state == SIM_PARKED || (t->join && t->join->last == t);
}

void sim_token_cancel(struct sim *s, struct sim_token *t)
{
    if (sim_token_counted(t))
        sim_join_forget(s, t);
    switch ((enum sim_token_state)t->state) {
    case SIM_PENDING:
        sim_queue_set(&s->queue, t->slot, SIM_NEVER, t->tie);
        if (t->station != SIM_NONE)
            sim_station_abandon(s, t);
        break;
    case SIM_PARKED:
        if (t->station != SIM_NONE)
            sim_station_abandon(s, t);
        break;
    case SIM_QUEUED:
        sim_station_abandon(s, t);
        break;
    case SIM_AT_GATE:
        sim_gate_abandon(s, t);
        break;
    case SIM_READY:
        if (t->prev)
            t->prev->next = t->next;
        else
            s->ready_head = t->next;
        if (t->next)
            t->next->prev = t->prev;
        else
            s->ready_tail = t->prev;
        break;
    case SIM_FREE:
        return;
    }
    leave_join(s, t->join);
    end_token(s, t);
}
