/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_plan.h"

#include "sim_assert.h"
#include "sim_sim.h"

#include <stdlib.h>
#include <string.h>

static void resize(struct sim_plan *p, uint32_t cap)
{
    struct sim_step *step = realloc(p->borrowed ? NULL : p->step, cap * sizeof *step);
    sim_assert(step != NULL);
    if (p->borrowed && p->n)
        memcpy(step, p->step, p->n * sizeof *step);
    p->borrowed = false;
    p->step = step;
    p->cap = cap;
    if (p->sim)
        p->sim->allocations++;
}

void sim_plan_reserve(struct sim_plan *p)
{
    resize(p, p->sim->plan_cap);
}

/* The longest plan so far sets the size for all, at once where that is possible,
 * so that a warmed-up run is done with it. */
void sim_plan_grow(struct sim_plan *p)
{
    struct sim *s = p->sim;
    resize(p, p->cap ? 2 * p->cap : SIM_PLAN_FIRST);
    if (!s || p->cap <= s->plan_cap)
        return;
    s->plan_cap = p->cap;
    for (struct sim_io *io = s->free_ios; io; io = io->next)
        sim_plan_reserve(&io->plan);
}
