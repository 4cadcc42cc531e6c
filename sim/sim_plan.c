/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_plan.h"

#include "sim_assert.h"
#include "sim_sim.h"

#include <stdlib.h>

#define FIRST_STEPS 32

static void resize(struct sim_plan *p, uint32_t cap)
{
    struct sim_step *step = realloc(p->step, cap * sizeof *step);
    sim_assert(step != NULL);
    p->step = step;
    p->cap = cap;
    if (p->sim)
        p->sim->allocations++;
}

void sim_plan_reserve(struct sim_plan *p)
{
    resize(p, p->sim && p->sim->plan_cap ? p->sim->plan_cap : FIRST_STEPS);
}

/* The longest plan so far sets the size for all, at once where that is possible,
 * so that a warmed-up run is done with it. */
void sim_plan_grow(struct sim_plan *p)
{
    struct sim *s = p->sim;
    resize(p, p->cap ? 2 * p->cap : FIRST_STEPS);
    if (!s || p->cap <= s->plan_cap)
        return;
    s->plan_cap = p->cap;
    for (struct sim_io *io = s->free_ios; io; io = io->next)
        sim_plan_reserve(&io->plan);
}

static void open_fork(struct sim_plan *p, uint8_t verb, uint64_t arg)
{
    sim_assert(p->depth < SIM_NEST);
    p->open[p->depth] = p->n;
    p->last[p->depth] = 0;
    p->depth++;
    sim_plan_add(p, verb, 0, 0, 0, arg);
}

void sim_par(struct sim_plan *p, uint32_t need)
{
    open_fork(p, SIM_PAR, need);
}

void sim_par_cancel(struct sim_plan *p, uint32_t need)
{
    open_fork(p, SIM_PAR, need | 1u << 31);
}

void sim_split(struct sim_plan *p, uint32_t n, uint32_t window)
{
    sim_assert(n > 0);
    open_fork(p, SIM_SPLIT, n | (uint64_t)(window && window < n ? window : n) << 32);
}

void sim_branch(struct sim_plan *p)
{
    sim_assert(p->depth > 0);
    uint32_t d = p->depth - 1;
    if (p->last[d])
        p->step[p->last[d]].target = p->n;
    p->last[d] = p->n;
    p->step[p->open[d]].arg += 1ULL << 32;
    sim_plan_add(p, SIM_BRANCH, 0, 0, 0, 0);
}

void sim_join(struct sim_plan *p)
{
    sim_assert(p->depth > 0);
    uint32_t d = --p->depth;
    struct sim_step *fork = &p->step[p->open[d]];
    if (p->last[d])
        p->step[p->last[d]].target = p->n;
    uint32_t branches = (uint32_t)(fork->arg >> 32);
    sim_assert(branches > 0);
    if (fork->verb == SIM_PAR && (fork->arg & 0x7fffffff) == SIM_ALL)
        fork->arg += branches;
    fork->target = p->n + 1;
    sim_plan_add(p, SIM_JOIN, 0, 0, 0, 0);
}
