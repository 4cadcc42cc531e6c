/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_plan.h: a plan is the list of steps one I/O takes.
 *
 * A model does not simulate: it writes a plan with the verbs below, top to
 * bottom, and the interpreter (sim_interp.c) walks tokens through it.
 *
 *   visit     queue at a station and be served
 *   delay     let time pass, without a queue
 *   take/give counted tokens of a gate (queue depth, buffer space, a lock)
 *   par/branch/join   fork; the join lets the k-th finished branch continue,
 *             later branches still occupy what they occupy
 *   split     n fragments through the same steps, at most `window` at a time
 *   sub       decide on arrival: choose() picks one alternative, whose steps
 *             run before the plan goes on
 *   spawn     start another I/O that nobody waits for
 *   call      change the model's state
 *   ack       the client sees completion here; later steps go on
 *
 * A plan holds no decision on mutable state: whatever depends on it is made by
 * choose() or call() when the token gets there.
 *
 * Every step books its time to a part, a small number the model gives a name
 * ("transfer"). Parts are what a latency breaks down into.
 *
 * Invariants: a step is 16 bytes; nesting of par is at most SIM_NEST; every par
 * has its join; a plan ends with sim_end (added by sim_io_start).
 */
#ifndef SIM_PLAN_H
#define SIM_PLAN_H

#include "sim_assert.h"
#include "sim_types.h"

struct sim;
struct sim_io;
struct sim_token;
struct sim_plan;

enum sim_verb {
    SIM_END,
    SIM_VISIT,   /* target station, dist, arg = fixed ns */
    SIM_UNITS,   /* target station, dist, arg = ns | unit << 32 | span << 48 */
    SIM_CUT,     /* target station, arg = service ns | lead ns << 32 */
    SIM_SERVE,   /* target station, arg = what its serve() understands */
    SIM_DELAY,   /* dist, arg = fixed ns */
    SIM_BRANCH,  /* target = next branch or join */
    SIM_JOIN,
    SIM_TAKE,    /* target gate, arg = count */
    SIM_GIVE,    /* target gate, arg = count */
    SIM_PAR,     /* target = step after the join's, arg = need | cancel << 31 | branches << 32 */
    SIM_SPLIT,   /* target = step after the join, arg = count | window << 32 */
    SIM_SUB,     /* target = user word, arg = const struct sim_choice * */
    SIM_RETURN,
    SIM_SPAWN,   /* target = user word, arg = const struct sim_spawn_fn * */
    SIM_CALL,    /* target = user word, arg = const struct sim_call_fn * */
    SIM_ACK
};

struct sim_step {
    uint8_t verb;   /* enum sim_verb */
    uint8_t part;   /* what the time is booked to */
    uint16_t dist;  /* drawn demand: 0 none, else handle of sim_add_dist */
    uint32_t target;
    uint64_t arg;
};

#define SIM_PLAN_FIRST 36 /* steps a plan has room for before it grows; 9 cache lines, an odd number,
                             so that plans do not crowd the same cache sets */
#define SIM_NEST 6 /* par within par, and sub within sub */

struct sim_plan {
    struct sim_step *step;
    struct sim *sim;
    uint32_t n, cap;
    bool borrowed;          /* step belongs to a pool */
    uint32_t depth;         /* open pars while building */
    uint32_t open[SIM_NEST]; /* index of the open PAR or SPLIT step */
    uint32_t last[SIM_NEST]; /* index of its last BRANCH step */
};

/* One alternative of a decision: printed by explain, built when chosen. */
struct sim_alt {
    const char *when; /* "hit in the read cache" */
    void (*build)(struct sim_plan *p, struct sim_io *io, uint32_t word);
};

struct sim_choice {
    const char *name;
    unsigned (*choose)(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word);
    const struct sim_alt *alts;
    unsigned nalts;
};

struct sim_call_fn {
    const char *name;
    void (*call)(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word);
};

/* fn writes the child's plan; an empty plan starts nothing. */
struct sim_spawn_fn {
    const char *name;
    void (*fill)(struct sim *s, struct sim_io *parent, struct sim_io *child, uint32_t word);
};

/* Room for more steps; for as many as the run's longest plan had. Internal. */
void sim_plan_grow(struct sim_plan *p);
void sim_plan_reserve(struct sim_plan *p);

static inline struct sim_step *sim_plan_add(struct sim_plan *p, uint8_t verb, uint8_t part,
                                            uint16_t dist, uint32_t target, uint64_t arg)
{
    if (__builtin_expect(p->n == p->cap, 0))
        sim_plan_grow(p);
    struct sim_step *st = &p->step[p->n++];
    *st = (struct sim_step){verb, part, dist, target, arg};
    return st;
}

static inline void sim_plan_open(struct sim_plan *p, uint8_t verb, uint64_t arg)
{
    sim_assert(p->depth < SIM_NEST);
    p->open[p->depth] = p->n;
    p->last[p->depth] = 0;
    p->depth++;
    sim_plan_add(p, verb, 0, 0, 0, arg);
}

/* Queue at a FIFO station for `ns` plus a draw of `dist` (0: no draw). */
static inline void sim_visit(struct sim_plan *p, uint32_t station, sim_time ns, uint16_t dist,
                             uint8_t part)
{
    sim_plan_add(p, SIM_VISIT, part, dist, station, ns);
}

/* Queue at `span` consecutive single-server units from `unit` on (modulo their
 * number), each for ns (< 2^32) plus its own draw; go on when the last is done. */
static inline void sim_visit_units(struct sim_plan *p, uint32_t station, uint32_t unit,
                                   uint32_t span, sim_time ns, uint16_t dist, uint8_t part)
{
    sim_plan_add(p, SIM_UNITS, part, dist, station,
                 (ns & 0xffffffff) | (uint64_t)(unit & 0xffff) << 32 | (uint64_t)span << 48);
}

/* Cut-through: occupy the pipe for service_ns but go on lead_ns after it
 * started (both < 2^32 ns): a switch forwards the first frame before the last. */
static inline void sim_visit_cut(struct sim_plan *p, uint32_t station, sim_time service_ns,
                                 sim_time lead_ns, uint8_t part)
{
    sim_plan_add(p, SIM_CUT, part, 0, station, (service_ns & 0xffffffff) | lead_ns << 32);
}

/* A station whose own serve() turns `arg` into start and departure. */
static inline void sim_serve(struct sim_plan *p, uint32_t station, uint64_t arg, uint8_t part)
{
    sim_plan_add(p, SIM_SERVE, part, 0, station, arg);
}

static inline void sim_delay(struct sim_plan *p, sim_time ns, uint16_t dist, uint8_t part)
{
    if (ns || dist)
        sim_plan_add(p, SIM_DELAY, part, dist, 0, ns);
}

/* Waits until the gate holds n; n must not exceed the gate's capacity. */
static inline void sim_take(struct sim_plan *p, uint32_t gate, uint64_t n, uint8_t part)
{
    sim_plan_add(p, SIM_TAKE, part, 0, gate, n);
}

static inline void sim_give(struct sim_plan *p, uint32_t gate, uint64_t n)
{
    sim_plan_add(p, SIM_GIVE, 0, 0, gate, n);
}

#define SIM_ALL 0u /* sim_par: every branch must finish */

/* Opens a fork whose join continues at the need-th finished branch. A branch
 * that failed counts only when too few others are left. */
static inline void sim_par(struct sim_plan *p, uint32_t need)
{
    sim_plan_open(p, SIM_PAR, need);
}

/* The same, and the join cancels the branches still under way. */
static inline void sim_par_cancel(struct sim_plan *p, uint32_t need)
{
    sim_plan_open(p, SIM_PAR, need | 1u << 31);
}

static inline void sim_branch(struct sim_plan *p)
{
    sim_assert(p->depth > 0);
    uint32_t n = p->n, *last = &p->last[p->depth - 1];
    if (*last)
        p->step[*last].target = n;
    *last = n;
    p->step[p->open[p->depth - 1]].arg += 1ULL << 32;
    sim_plan_add(p, SIM_BRANCH, 0, 0, 0, 0);
}

/* Opens n fragments (n >= 1) of the same steps, `window` at a time (0: all). */
static inline void sim_split(struct sim_plan *p, uint32_t n, uint32_t window)
{
    sim_assert(n > 0);
    sim_plan_open(p, SIM_SPLIT, n | (uint64_t)(window && window < n ? window : n) << 32);
}

/* Closes the innermost par or split. */
static inline void sim_join(struct sim_plan *p)
{
    sim_assert(p->depth > 0);
    uint32_t d = --p->depth, n = p->n;
    struct sim_step *fork = &p->step[p->open[d]];
    uint64_t branches = fork->arg >> 32;
    sim_assert(branches > 0);
    if (p->last[d])
        p->step[p->last[d]].target = n;
    if (fork->verb == SIM_PAR && (fork->arg & 0x7fffffff) == SIM_ALL)
        fork->arg += branches;
    fork->target = n + 1;
    sim_plan_add(p, SIM_JOIN, 0, 0, 0, 0);
}

static inline void sim_sub(struct sim_plan *p, const struct sim_choice *c, uint32_t word)
{
    sim_plan_add(p, SIM_SUB, 0, 0, word, (uint64_t)(uintptr_t)c);
}

static inline void sim_spawn(struct sim_plan *p, const struct sim_spawn_fn *f, uint32_t word)
{
    sim_plan_add(p, SIM_SPAWN, 0, 0, word, (uint64_t)(uintptr_t)f);
}

static inline void sim_call(struct sim_plan *p, const struct sim_call_fn *f, uint32_t word)
{
    sim_plan_add(p, SIM_CALL, 0, 0, word, (uint64_t)(uintptr_t)f);
}

static inline void sim_ack(struct sim_plan *p) { sim_plan_add(p, SIM_ACK, 0, 0, 0, 0); }
static inline void sim_end(struct sim_plan *p) { sim_plan_add(p, SIM_END, 0, 0, 0, 0); }

#endif
