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

/* t has its last visit or delay granted and takes step `next` at `when`. A branch
 * that then ends needs no event of its own unless it is the last. */
static inline void go_on(struct sim *s, struct sim_token *t, const struct sim_step *next,
                         sim_time when)
{
    t->pc = (uint32_t)(next - t->base);
    if ((next->verb == SIM_JOIN || next->verb == SIM_BRANCH) && t->join->all && s->fuse)
        sim_join_park(s, t, when);
    else
        sim_schedule(s, t, when);
}

/* The time of a delay, booked. */
static inline sim_time pass(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    sim_time ns = step->arg + draw(s, t, step, 0);
    if (s->trails)
        sim_book(t, step->part, 0, ns);
    return ns;
}

/* Delays that follow need no server, so they ride along. */
static inline void depart(struct sim *s, struct sim_token *t, const struct sim_step *next,
                          sim_time when)
{
    for (; next->verb == SIM_DELAY && s->fuse; next++)
        when += pass(s, t, next);
    go_on(s, t, next, when);
}

/* Books a visit whose service [start, leave) is known and goes to its departure. */
static inline void served(struct sim *s, struct sim_station *st, struct sim_token *t,
                          const struct sim_step *step, sim_time start, sim_time leave)
{
    st->wait += start - s->now;
    t->station = step->target;
    t->start = start;
    t->leave = leave;
    if (s->trails)
        sim_book(t, step->part, start - s->now, leave - start);
    depart(s, t, step + 1, leave);
}

/* A plain visit: ns on one server. */
static inline void occupy(struct sim *s, struct sim_station *st, struct sim_token *t,
                          const struct sim_step *step, uint32_t server, sim_time ns)
{
    sim_time start = sim_max(s->now, st->free_at[server]), leave = start + ns;
    st->free_at[server] = leave;
    if (st->levels)
        sim_station_update(st, server);
    st->busy += ns;
    served(s, st, t, step, start, leave);
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
    served(s, st, t, step, start, leave);
}

static inline uint32_t unit_of(const struct sim_station *st, const struct sim_token *t,
                               const struct sim_step *step)
{
    uint32_t unit = (uint32_t)(step->arg >> 32) & 0xffff;
    if (t->fragmented)
        unit += t->fragment * (uint32_t)(step->arg >> 48);
    return SIM_RARE(unit >= st->servers) ? unit % st->servers : unit; /* spares a division */
}

static inline void visit(struct sim *s, struct sim_station *st, struct sim_token *t,
                         const struct sim_step *step)
{
    uint32_t server = sim_station_first(st);
    occupy(s, st, t, step, server, step->arg + draw(s, t, step, 0));
}

static inline void visit_units(struct sim *s, struct sim_station *st, struct sim_token *t,
                               const struct sim_step *step)
{
    uint32_t unit = unit_of(st, t, step);
    if (SIM_RARE(step->arg >> 49)) /* span > 1 */
        visit_span(s, st, t, step, unit);
    else
        occupy(s, st, t, step, unit, (step->arg & 0xffffffff) + draw(s, t, step, 0));
}

static void visit_cut(struct sim *s, struct sim_station *st, struct sim_token *t,
                      const struct sim_step *step)
{
    sim_time ns = step->arg & 0xffffffff, lead = step->arg >> 32;
    sim_time start = sim_max(s->now, st->free_at[0]);
    st->free_at[0] = start + ns;
    st->busy += ns;
    st->inside += lead - ns;
    served(s, st, t, step, start, start + lead);
}

static void serve(struct sim *s, struct sim_station *st, struct sim_token *t,
                  const struct sim_step *step)
{
    struct sim_service sv = {s->now, s->now};
    st->serve(st->obj, s, t, step->arg, &sv);
    st->busy += sv.depart - sv.start;
    served(s, st, t, step, sv.start, sv.depart);
}

/* At a station that has failed or keeps real queues. */
static void visit_special(struct sim *s, struct sim_station *st, struct sim_token *t,
                          const struct sim_step *step)
{
    t->pc = (uint32_t)(step - t->base) + 1;
    if (st->failed) {
        sim_token_fail(s, t);
        return;
    }
    bool units = st->kind == SIM_HASHED;
    sim_assert(step->verb == (units ? SIM_UNITS : SIM_VISIT) && (!units || step->arg >> 49 == 0));
    sim_time ns = (units ? step->arg & 0xffffffff : step->arg) + draw(s, t, step, 0);
    sim_station_enter(st, s->now);
    t->station = step->target;
    t->part = step->part;
    sim_station_enqueue(s, st, t, units ? unit_of(st, t, step) : 0, ns);
}

static inline void at_station(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    struct sim_station *st = &s->station[step->target];
    if (SIM_RARE(st->special)) {
        visit_special(s, st, t, step);
        return;
    }
    sim_station_enter(st, s->now);
    if (step->verb == SIM_VISIT)
        visit(s, st, t, step);
    else if (step->verb == SIM_UNITS)
        visit_units(s, st, t, step);
    else if (step->verb == SIM_CUT)
        visit_cut(s, st, t, step);
    else
        serve(s, st, t, step);
}

/* The plan may have moved while it grew under its tokens. */
static void rebase(struct sim_io *io)
{
    for (struct sim_token *t = io->tokens; t; t = t->io_next)
        t->base = io->plan.step;
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
    if (SIM_RARE(t->base != p->step))
        rebase(t->io);
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

/* Inside a branch the trail starts at the fork: the client gets all of it. */
static void tell_from_branch(struct sim *s, struct sim_io *io, struct sim_token *t)
{
    struct sim_trail own = t->trail;
    struct sim_trail whole;
    sim_trail_whole(t, &whole);
    t->trail = whole;
    io->client->ack(io->client, s, io, t);
    t->trail = own;
}

static void acknowledge(struct sim *s, struct sim_token *t)
{
    struct sim_io *io = t->io;
    sim_assert(io->acked == SIM_NEVER);
    io->acked = s->now;
    if (io->client) {
        s->acked++;
        if (s->trails && t->join)
            tell_from_branch(s, io, t);
        else
            io->client->ack(io->client, s, io, t);
    }
}

/* Verbs that neither block nor end, and come less often. */
static void act(struct sim *s, struct sim_token *t, const struct sim_step *step)
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
        sim_assert(step->verb == SIM_ACK);
        acknowledge(s, t);
    }
}

void sim_token_run(struct sim *s, struct sim_token *t)
{
    for (;;) {
        const struct sim_step *step = &t->base[t->pc++];
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
