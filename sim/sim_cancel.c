/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tokens that end early: cancelled, or failed with the station they were in.
 * All of it is rare, so it looks for what it needs instead of keeping it ready.
 */
#include "sim_interp.h"

#include "sim_assert.h"

/* ---- gates ---- */

/* What steps [pc, end of the branch or sub) will give to a gate, less what they
 * will take; a fork counts every branch, a split every fragment. */
static int64_t outlook(const struct sim_plan *p, uint32_t pc, uint32_t gate)
{
    int64_t net = 0;
    uint32_t open = 0;
    for (;; pc++) {
        const struct sim_step *st = &p->step[pc];
        if (st->verb == SIM_END || st->verb == SIM_RETURN)
            return net;
        if (open == 0 && (st->verb == SIM_BRANCH || st->verb == SIM_JOIN))
            return net;
        open += st->verb == SIM_PAR;
        open -= st->verb == SIM_JOIN;
        if (st->verb == SIM_SPLIT) {
            net += (int64_t)(uint32_t)st->arg * outlook(p, pc + 1, gate);
            pc = st->target - 1;
        }
        if (st->target == gate && st->verb == SIM_GIVE)
            net += (int64_t)st->arg;
        if (st->target == gate && st->verb == SIM_TAKE)
            net -= (int64_t)st->arg;
    }
}

/* Does any step before `to` name the gate? Subs and branches end the stretch. */
static bool named_before(const struct sim_plan *p, uint32_t from, uint32_t to, uint32_t gate)
{
    for (; from < to; from++) {
        const struct sim_step *st = &p->step[from];
        if (st->target == gate && (st->verb == SIM_TAKE || st->verb == SIM_GIVE))
            return true;
    }
    return false;
}

static void settle_stretch(struct sim *s, const struct sim_plan *p, uint32_t from)
{
    uint32_t open = 0;
    for (uint32_t pc = from;; pc++) {
        struct sim_step st = p->step[pc];
        if (st.verb == SIM_END || st.verb == SIM_RETURN)
            return;
        if (open == 0 && (st.verb == SIM_BRANCH || st.verb == SIM_JOIN))
            return;
        open += st.verb == SIM_PAR || st.verb == SIM_SPLIT;
        open -= st.verb == SIM_JOIN;
        if (st.verb != SIM_GIVE || named_before(p, from, pc, st.target))
            continue;
        int64_t net = outlook(p, from, st.target);
        if (net > 0)
            sim_gate_give(s, st.target, (uint64_t)net);
    }
}

/* A branch is cut short at pc: what it would have given back on its way to its
 * end, it gives back now. */
void sim_settle(struct sim *s, const struct sim_io *io, uint32_t pc, const uint32_t *ret,
                uint8_t depth)
{
    settle_stretch(s, &io->plan, pc);
    while (depth > 0)
        settle_stretch(s, &io->plan, ret[--depth]);
}

static void settle_token(struct sim *s, const struct sim_token *t)
{
    uint32_t pc = t->state == SIM_AT_GATE ? t->pc - 1 : t->pc; /* not taken yet */
    sim_settle(s, t->io, pc, t->ret, t->depth);
}

/* ---- joins that already count on a token ---- */

static bool counted(const struct sim_token *t)
{
    return t->state == SIM_PARKED || (t->join && t->join->last == t);
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
        if (k->due > latest->due || (k->due == latest->due && k->key > latest->key))
            latest = k;
    return latest;
}

static void forget(struct sim *s, struct sim_token *t)
{
    struct sim_join *j = t->join;
    if (j->last->state == SIM_PENDING) {
        sim_unschedule(s, j->last);
        j->last->state = SIM_PARKED;
    }
    j->arrived--;
    if (j->last == t) {
        j->last = latest_parked(j);
        j->latest = j->last ? j->last->due : 0;
        t = j->last;
    }
    unlink_parked(j, t);
}

/* ---- cancelling ---- */

static void unlink_ready(struct sim *s, struct sim_token *t)
{
    if (t->prev)
        t->prev->next = t->next;
    else
        s->ready_head = t->next;
    if (t->next)
        t->next->prev = t->prev;
    else
        s->ready_tail = t->prev;
}

/* Takes t from wherever it is. */
static void pull_out(struct sim *s, struct sim_token *t)
{
    if (counted(t))
        forget(s, t);
    switch ((enum sim_token_state)t->state) {
    case SIM_PENDING:
        sim_unschedule(s, t);
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
        unlink_ready(s, t);
        break;
    case SIM_RUNNING:
    case SIM_FREE:
        break;
    }
}

static void cancel_one(struct sim *s, struct sim_token *t)
{
    pull_out(s, t);
    settle_token(s, t);
    sim_join_lose(s, t->join);
    sim_join_leave(s, t->io, t->join);
    sim_token_end(s, t);
}

/* A branch of j ends without arriving. When the join needed it, nobody will go
 * on behind it: those parked there end, the others need no longer be waited for. */
void sim_join_lose(struct sim *s, struct sim_join *j)
{
    if (!j || j->arrived >= j->need || j->need == SIM_HOPELESS || sim_join_spare(j))
        return;
    j->need = SIM_HOPELESS;
    j->all = false;
    while (j->last)
        cancel_one(s, j->last);
}

/* Is j the join of t or an outer one of it? */
static bool inside(const struct sim_token *t, const struct sim_join *j)
{
    for (const struct sim_join *k = t->join; k; k = k->outer)
        if (k == j)
            return true;
    return false;
}

void sim_join_cancel(struct sim *s, struct sim_io *io, struct sim_join *j)
{
    struct sim_token *t = io->tokens;
    while (t) {
        if (inside(t, j)) {
            cancel_one(s, t);
            t = io->tokens; /* others may have gone with it */
        } else {
            t = t->io_next;
        }
    }
}

void sim_token_cancel(struct sim *s, struct sim_token *t)
{
    sim_assert(t->state != SIM_RUNNING);
    if (t->state != SIM_FREE)
        cancel_one(s, t);
}

/* ---- failing ---- */

/* The last `over` ns of t's trail were booked ahead, after its last fork, and will
 * not happen. */
static void trim(struct sim_token *t, sim_time over)
{
    while (over && t->leg) {
        struct sim_leg *l = t->leg;
        sim_time cut = sim_min(over, sim_leg_service(l));
        l->service_part -= cut;
        over -= cut;
        cut = sim_min(over, l->wait);
        l->wait -= cut;
        over -= cut;
        if (over > 0)
            t->leg = l->before;
    }
}

/* Time booked beyond now, or not booked yet. */
static void book_until_now(struct sim *s, struct sim_token *t)
{
    if (t->state == SIM_QUEUED)
        sim_book(s, t, t->part, s->now - t->arrived, 0);
    else if (t->state == SIM_PARKED)
        trim(t, t->due - s->now);
    else if (t->state == SIM_PENDING)
        trim(t, sim_queue_time(&s->queue, t->slot) - s->now);
}

void sim_token_fail(struct sim *s, struct sim_token *t)
{
    struct sim_join *j = t->join;
    sim_settle(s, t->io, t->pc, t->ret, t->depth);
    t->failed = true;
    t->ahead = false;
    t->depth = 0;
    if (j) {
        t->pc = j->pc - 1; /* the join step */
    } else {
        t->io->failures++;
        t->pc = t->io->plan.n - 1;
        while (t->io->plan.step[t->pc].verb != SIM_END)
            t->pc--;
    }
    sim_ready(s, t);
}

void sim_token_eject(struct sim *s, struct sim_token *t)
{
    book_until_now(s, t);
    pull_out(s, t);
    sim_token_fail(s, t);
}
