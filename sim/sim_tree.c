/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_tree.h"

#include "sim_assert.h"
#include "sim_mem.h"

#include <stdlib.h>

struct build { /* one list of steps being read */
    struct sim_tree *tree;
    struct sim_io *io;
    const struct sim_plan *plan;
    unsigned depth; /* subs entered */
};

static struct sim_tree_node *read_list(const struct build *b, uint32_t from, uint32_t to);

static double mean_ns(const struct sim *s, const struct sim_step *st)
{
    return st->dist ? s->dist[st->dist]->mean_ns : 0;
}

static void read_units(const struct sim *s, const struct sim_step *st, struct sim_tree_node *n)
{
    uint32_t span = (uint32_t)(st->arg >> 48), units = s->station[st->target].servers;
    double each = (double)(st->arg & 0xffffffff) + mean_ns(s, st);
    n->count = span;
    n->service_ns = each * span;
    n->path_ns = each * ((span + units - 1) / units);
}

static void read_cut(const struct sim_step *st, struct sim_tree_node *n)
{
    n->service_ns = (double)(st->arg & 0xffffffff);
    n->path_ns = (double)(st->arg >> 32);
}

static void read_serve(const struct build *b, const struct sim_step *st, struct sim_tree_node *n)
{
    n->probe = sim_probe_ask(b->tree->prober, st->target, st->arg);
    n->service_ns = n->probe->service_ns;
    n->path_ns = n->probe->path_ns;
}

static void read_visit(const struct build *b, const struct sim_step *st, struct sim_tree_node *n)
{
    const struct sim *s = b->tree->sim;
    sim_assert(st->target < s->nstations);
    n->name = s->station[st->target].name;
    if (st->verb == SIM_UNITS)
        read_units(s, st, n);
    else if (st->verb == SIM_CUT)
        read_cut(st, n);
    else if (st->verb == SIM_SERVE)
        read_serve(b, st, n);
    else
        n->service_ns = n->path_ns = (double)st->arg + mean_ns(s, st);
}

static struct sim_tree_node *new_node(const struct build *b, uint8_t verb)
{
    struct sim_tree_node *n = sim_arena_alloc(b->tree->arena, sizeof *n);
    n->verb = verb;
    return n;
}

/* The branches of the par at pc, up to its join. */
static void read_par(const struct build *b, uint32_t pc, struct sim_tree_node *n)
{
    const struct sim_step *step = b->plan->step;
    struct sim_tree_node **at = &n->first;
    uint64_t number = 0;
    n->count = step[pc].arg & 0x7fffffff;
    n->cancel = step[pc].arg >> 31 & 1;
    n->window = (uint32_t)(step[pc].arg >> 32);
    for (uint32_t i = pc + 1; step[i].verb == SIM_BRANCH; i = step[i].target) {
        struct sim_tree_node *branch = new_node(b, SIM_BRANCH);
        branch->count = ++number;
        branch->first = read_list(b, i + 1, step[i].target);
        *at = branch;
        at = &branch->next;
    }
}

static void read_split(const struct build *b, uint32_t pc, struct sim_tree_node *n)
{
    const struct sim_step *st = &b->plan->step[pc];
    n->count = st->arg & UINT32_MAX;
    n->window = (uint32_t)(st->arg >> 32);
    n->first = read_list(b, pc + 1, st->target - 1);
}

static uint32_t choice_index(struct sim_tree *t, const struct sim_choice *c)
{
    for (unsigned i = 0; i < t->nchoices; i++)
        if (t->choice[i] == c)
            return i;
    sim_assert(t->nchoices < SIM_TREE_CHOICES);
    t->choice[t->nchoices] = c;
    return t->nchoices++;
}

/* Every alternative, each on a plan of its own. */
static void read_sub(const struct build *b, const struct sim_step *st, struct sim_tree_node *n)
{
    const struct sim_choice *c = (const struct sim_choice *)(uintptr_t)st->arg;
    struct sim_tree_node **at = &n->first;
    sim_assert(b->depth < SIM_NEST);
    n->name = c->name;
    n->target = choice_index(b->tree, c);
    for (unsigned i = 0; i < c->nalts; i++) {
        struct sim_plan scratch = {.sim = b->tree->sim};
        struct build inner = {b->tree, b->io, &scratch, b->depth + 1};
        struct sim_tree_node *alt = new_node(b, SIM_BRANCH);
        alt->name = c->alts[i].when;
        alt->count = i + 1;
        if (c->alts[i].build)
            c->alts[i].build(&scratch, b->io, st->target);
        alt->first = read_list(&inner, 0, scratch.n);
        free(scratch.step);
        *at = alt;
        at = &alt->next;
    }
}

static void read_gate(const struct build *b, const struct sim_step *st, struct sim_tree_node *n)
{
    sim_assert(st->target < b->tree->sim->ngates);
    n->name = b->tree->sim->gate[st->target].name;
    n->count = st->arg;
}

static void read_step(const struct build *b, uint32_t pc, struct sim_tree_node *n)
{
    const struct sim_step *st = &b->plan->step[pc];
    n->part = st->part;
    n->target = st->target;
    switch ((enum sim_verb)st->verb) {
    case SIM_VISIT:
    case SIM_UNITS:
    case SIM_CUT:
    case SIM_SERVE:
        read_visit(b, st, n);
        break;
    case SIM_DELAY:
        n->path_ns = (double)st->arg + mean_ns(b->tree->sim, st);
        break;
    case SIM_TAKE:
    case SIM_GIVE:
        read_gate(b, st, n);
        break;
    case SIM_PAR:
        read_par(b, pc, n);
        break;
    case SIM_SPLIT:
        read_split(b, pc, n);
        break;
    case SIM_SUB:
        read_sub(b, st, n);
        break;
    case SIM_SPAWN:
        n->name = ((const struct sim_spawn_fn *)(uintptr_t)st->arg)->name;
        break;
    case SIM_CALL:
        n->name = ((const struct sim_call_fn *)(uintptr_t)st->arg)->name;
        break;
    case SIM_ACK:
    case SIM_END:
    case SIM_BRANCH:
    case SIM_JOIN:
    case SIM_RETURN:
        break;
    }
}

static struct sim_tree_node *read_list(const struct build *b, uint32_t from, uint32_t to)
{
    struct sim_tree_node *first = NULL, **at = &first;
    uint32_t pc = from;
    while (pc < to) {
        const struct sim_step *st = &b->plan->step[pc];
        struct sim_tree_node *n = new_node(b, st->verb);
        bool fork = st->verb == SIM_PAR || st->verb == SIM_SPLIT;
        read_step(b, pc, n);
        pc = fork ? st->target : pc + 1;
        *at = n;
        at = &n->next;
    }
    return first;
}

void sim_tree_build(struct sim_tree *t, struct sim_arena *a, struct sim_prober *prober,
                    struct sim_io *io)
{
    struct build b = {t, io, &io->plan, 0};
    sim_assert(io->plan.depth == 0);
    *t = (struct sim_tree){.sim = io->plan.sim, .arena = a, .prober = prober};
    t->first = read_list(&b, 0, io->plan.n);
}
