/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interpreter: one token, one plan, until it blocks.
 */
#include "sim_interp.h"

#include "sim_assert.h"
#include "sim_fork.h"

static inline sim_time value(const struct sim *s, const struct sim_token *t,
                             const struct sim_step *st, uint64_t salt)
{
    const struct sim_dist *d = s->dist[st->dist];
    return sim_dist_draw(d, sim_key(t->key + salt, d->role + st->part));
}

static inline sim_time draw(struct sim *s, const struct sim_token *t, const struct sim_step *st,
                            uint64_t salt)
{
    if (!st->dist)
        return 0;
    s->draws++;
    return value(s, t, st, salt);
}

/* t has its last visit or delay granted and takes step `next` at `when`. A branch
 * that then ends needs no event of its own unless it is the last. A draw is a
 * function of its key alone, so the next one is made now, while nobody waits for
 * it, and not between two events. */
static inline SIM_HOT void go_on(struct sim *s, struct sim_token *t, const struct sim_step *next,
                         sim_time when)
{
    t->pc = (uint32_t)(next - t->io->plan.step);
    if (next->verb <= SIM_JOIN && next->verb >= SIM_BRANCH && t->join->all && s->fuse) {
        sim_join_park(s, t, when);
        return;
    }
    sim_schedule(s, t, when);
    if (next->dist && next->verb <= SIM_UNITS && next->arg >> 49 == 0) { /* not of a span */
        t->drawn = value(s, t, next, 0);
        t->ahead = true;
    }
}

/* The time of a delay, booked. */
static inline sim_time pass(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    sim_time ns = step->arg + draw(s, t, step, 0);
    sim_book(s, t, step->part, 0, ns);
    return ns;
}

static SIM_OUT void visit_early(struct sim *s, struct sim_station *st, struct sim_token *t,
                                const struct sim_step *step, sim_time at);

/* Delays that follow need no server, so they ride along; so does a visit whose turn
 * is known before its time. */
static inline SIM_HOT void depart(struct sim *s, struct sim_token *t, const struct sim_step *next,
                          sim_time when)
{
    for (; next->verb == SIM_DELAY && s->fuse; next++)
        when += pass(s, t, next);
    if (next->verb <= SIM_UNITS && next->verb >= SIM_VISIT) {
        struct sim_station *st = &s->station[next->target];
        if (st->in_order && s->fuse) {
            visit_early(s, st, t, next, when);
            return;
        }
    }
    go_on(s, t, next, when);
}

/* A visit whose service [start, leave) is known goes to its departure. */
static inline SIM_HOT void served(struct sim *s, struct sim_token *t, const struct sim_step *step,
                          sim_time start, sim_time leave)
{
    t->station = step->target;
    t->start = start;
    t->leave = leave;
    sim_book(s, t, step->part, start - s->now, leave - start);
    depart(s, t, step + 1, leave);
}

/* The draw of a visit, made now if not before. */
static inline sim_time drawn(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    if (!t->ahead)
        return draw(s, t, step, 0);
    s->draws++;
    t->ahead = false;
    return t->drawn;
}

/* A plain visit: fixed time and a draw on one server. The event is set before the
 * books are kept: the next one depends on it, nobody on the books. */
static inline SIM_HOT void occupy(struct sim *s, struct sim_station *st, struct sim_token *t,
                                  const struct sim_step *step, uint32_t server, sim_time fixed)
{
    sim_time ns = fixed + drawn(s, t, step);
    sim_time start = sim_max(s->now, st->free_at[server]), leave = start + ns;
    st->free_at[server] = leave;
    served(s, t, step, start, leave);
    if (st->levels)
        sim_station_update(st, server);
    st->busy += ns;
    st->wait += start - s->now;
    sim_station_enter(st, s->now);
}

/* A large command lies on several units and is done when the slowest is. */
static void visit_span(struct sim *s, struct sim_station *st, struct sim_token *t,
                       const struct sim_step *step, uint32_t unit)
{
    sim_time fixed = step->arg & 0xffffffff, leave = s->now, longest = 0, sum = 0;
    uint32_t span = (uint32_t)(step->arg >> 48);
    for (uint32_t k = 0; k < span; k++) {
        sim_time ns = fixed + draw(s, t, step, k);
        sim_time *free_at = &st->free_at[unit];
        *free_at = sim_max(s->now, *free_at) + ns;
        sum += ns;
        leave = sim_max(leave, *free_at);
        longest = sim_max(longest, ns);
        unit = unit + 1 == st->servers ? 0 : unit + 1;
    }
    /* Charged as service: what the longest piece takes alone. */
    sim_time start = sim_max(s->now, leave - sim_min(longest, leave - s->now));
    st->busy += sum;
    st->inside += leave - start - sum;
    st->wait += start - s->now;
    sim_station_enter(st, s->now);
    served(s, t, step, start, leave);
}

static inline uint32_t unit_of(const struct sim_station *st, const struct sim_token *t,
                               const struct sim_step *step)
{
    uint32_t unit = (uint32_t)(step->arg >> 32) & 0xffff;
    unit += t->fragment * (uint32_t)(step->arg >> 48);
    return SIM_RARE(unit >= st->servers) ? unit % st->servers : unit; /* spares a division */
}

static void visit_cut(struct sim *s, struct sim_station *st, struct sim_token *t,
                      const struct sim_step *step)
{
    sim_time ns = step->arg & 0xffffffff, lead = step->arg >> 32;
    sim_time start = sim_max(s->now, st->free_at[0]);
    st->free_at[0] = start + ns;
    st->busy += ns;
    st->inside += lead - ns;
    st->wait += start - s->now;
    sim_station_enter(st, s->now);
    served(s, t, step, start, start + lead);
}

static void serve(struct sim *s, struct sim_station *st, struct sim_token *t,
                  const struct sim_step *step)
{
    struct sim_service sv = {s->now, s->now};
    sim_station_enter(st, s->now);
    st->serve(st->obj, s, t, step->arg, &sv);
    st->busy += sv.depart - sv.start;
    st->wait += sv.start - s->now;
    served(s, t, step, sv.start, sv.depart);
}

/* The visit t is at needs no event: the next one is made now. */
static void leave_early(struct sim *s, struct sim_token *t)
{
    t->early.station = t->station;
    if (t->station == SIM_NONE)
        return;
    t->early.start = t->start;
    t->early.leave = t->leave;
    sim_station_exit(&s->station[t->station], t->leave);
}

/* At an in-order station, from `at` on, which may be yet to come. */
static void visit_early(struct sim *s, struct sim_station *st, struct sim_token *t,
                        const struct sim_step *step, sim_time at)
{
    bool units = st->kind == SIM_HASHED;
    sim_assert(step->verb == (units ? SIM_UNITS : SIM_VISIT) && (!units || step->arg >> 49 == 0));
    uint32_t server = units ? unit_of(st, t, step) : 0;
    sim_time ns = (units ? step->arg & 0xffffffff : step->arg) + drawn(s, t, step);
    sim_time start = sim_max(at, st->free_at[server]);
    leave_early(s, t);
    t->early.arrives = at;
    t->early.idle = st->free_at[server];
    st->free_at[server] = start + ns;
    st->busy += ns;
    st->wait += start - at;
    sim_station_enter(st, at);
    t->station = step->target;
    t->start = start;
    t->leave = start + ns;
    sim_book(s, t, step->part, start - at, ns);
    depart(s, t, step + 1, start + ns);
}

/* At a station that has failed, keeps real queues or is in order. */
static SIM_OUT void visit_special(struct sim *s, struct sim_station *st, struct sim_token *t,
                          const struct sim_step *step)
{
    t->pc = (uint32_t)(step - t->io->plan.step) + 1;
    if (st->failed) {
        sim_token_fail(s, t);
        return;
    }
    if (st->in_order) {
        visit_early(s, st, t, step, s->now);
        return;
    }
    bool units = st->kind == SIM_HASHED;
    sim_assert(step->verb == (units ? SIM_UNITS : SIM_VISIT) && (!units || step->arg >> 49 == 0));
    sim_time ns = (units ? step->arg & 0xffffffff : step->arg) + drawn(s, t, step);
    sim_station_enter(st, s->now);
    t->station = step->target;
    t->part = step->part;
    sim_station_enqueue(s, st, t, units ? unit_of(st, t, step) : 0, ns);
}

/* Visits that are not one server's. */
static SIM_OUT void visit_other(struct sim *s, struct sim_station *st, struct sim_token *t,
                        const struct sim_step *step)
{
    if (step->verb == SIM_UNITS)
        visit_span(s, st, t, step, unit_of(st, t, step));
    else if (step->verb == SIM_CUT)
        visit_cut(s, st, t, step);
    else
        serve(s, st, t, step);
}

static inline void at_station(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    struct sim_station *st = &s->station[step->target];
    bool plain = step->verb == SIM_VISIT;
    if (SIM_RARE(st->special)) {
        visit_special(s, st, t, step);
    } else if (plain || (step->verb == SIM_UNITS && step->arg >> 49 == 0)) { /* span 1 */
        uint32_t server = plain ? sim_station_first(st) : unit_of(st, t, step);
        occupy(s, st, t, step, server, plain ? step->arg : step->arg & 0xffffffff);
    } else {
        visit_other(s, st, t, step);
    }
}

static void sub(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    const struct sim_choice *c = (const struct sim_choice *)(uintptr_t)step->arg;
    struct sim_plan *p = &t->io->plan;
    uint32_t word = step->target, start = p->n;
    unsigned i = c->choose(s, t->io, t, word);
    sim_assert(i < c->nalts && t->depth < SIM_NEST);
    if (!c->alts[i].build)
        return;
    c->alts[i].build(p, t->io, word);
    sim_plan_add(p, SIM_RETURN, 0, 0, 0, 0);
    t->ret[t->depth++] = t->pc;
    t->pc = start;
}

/* Two spawns of one I/O differ by their word. */
static void spawn(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    const struct sim_spawn_fn *f = (const struct sim_spawn_fn *)(uintptr_t)step->arg;
    struct sim_io *child = sim_io_new(s, NULL, sim_key(t->key, sim_role(f->name) + step->target));
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

/* Verbs that neither block nor end, and come less often. */
static SIM_OUT void act(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    switch ((enum sim_verb)step->verb) {
    case SIM_GIVE:
        sim_gate_give(s, step->target, step->arg);
        break;
    case SIM_SPLIT:
        sim_fork_split(s, t, step);
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
    default:
        acknowledge(s, t);
    }
}

/* Walks t until it blocks or ends. */
static inline void walk(struct sim *s, struct sim_token *t)
{
    for (;;) {
        const struct sim_step *step = &t->io->plan.step[t->pc++];
        switch ((enum sim_verb)step->verb) {
        case SIM_VISIT:
        case SIM_UNITS:
        case SIM_CUT:
        case SIM_SERVE:
            at_station(s, t, step);
            return;
        case SIM_DELAY:
            depart(s, t, step + 1, s->now + pass(s, t, step));
            return;
        case SIM_TAKE:
            if (!sim_gate_take(s, t, step->target, step->arg, step->part))
                return;
            break;
        case SIM_PAR:
            sim_fork_par(s, t, step);
            break;
        case SIM_BRANCH: /* the end of the branch before */
            t->pc = t->join->pc - 1;
            break;
        case SIM_JOIN:
            if (!sim_join_arrive(s, t))
                return;
            break;
        case SIM_END:
            sim_token_end(s, t);
            return;
        default:
            act(s, t, step);
        }
    }
}

/* The token made ready first; NULL: none. */
static inline struct sim_token *take_ready(struct sim *s)
{
    struct sim_token *t = s->ready_head;
    if (!t)
        return NULL;
    s->ready_head = t->next;
    if (t->next)
        t->next->prev = NULL;
    else
        s->ready_tail = NULL;
    return t;
}

/* The event under way is over. Nobody has taken its slot over: it becomes free. */
static inline void end_event(struct sim *s)
{
    if (s->stale == SIM_NONE)
        return;
    sim_queue_set(&s->queue, s->stale, SIM_NEVER, 0);
    sim_queue_release(&s->queue, s->stale);
    s->stale = SIM_NONE;
}

/* Whose event is next; the clock moves on. NULL: none up to `until`. */
static inline struct sim_token *next_event(struct sim *s, sim_time until)
{
    sim_time when = sim_queue_next(&s->queue);
    if (when == SIM_NEVER || when > until)
        return NULL;
    uint32_t slot = sim_queue_first(&s->queue);
    struct sim_token *t = sim_queue_owner(&s->queue, slot);
    s->ties += when == s->last_event;
    s->last_event = when;
    s->now = when;
    s->events++;
    s->hash = (s->hash ^ when ^ t->key) * 0x9e3779b97f4a7c15ULL;
    s->hash ^= s->hash >> 29;
    s->stale = slot;
    if (t->station != SIM_NONE)
        sim_station_leave(s, t);
    return t;
}

bool sim_run(struct sim *s, sim_time until)
{
    s->stop = false;
    for (;;) {
        struct sim_token *t = take_ready(s);
        if (!t) {
            end_event(s);
            if (s->stop)
                break;
            t = next_event(s, until);
            if (!t)
                break;
        }
        t->state = SIM_RUNNING;
        walk(s, t);
    }
    if (!s->stop && until != SIM_NEVER && s->now < until)
        s->now = until;
    return sim_queue_next(&s->queue) != SIM_NEVER;
}
