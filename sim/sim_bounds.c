/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a tree to demands, times and bounds.
 */
#include "sim_tree.h"

#include "sim_assert.h"
#include "sim_mem.h"

#include <stdlib.h>
#include <string.h>

#define HELD 16 /* gates held at a time in one list */

struct load {
    const struct sim *sim;
    const unsigned *pick;
    double weight;
    double *station, *gate;
};

struct held {
    const struct sim_tree_node *take;
    double since;
};

static double walk(const struct load *l, const struct sim_tree_node *list, bool outermost);

static void ask_of(const struct load *l, const struct sim_tree_node *n)
{
    l->station[n->target] += l->weight * n->service_ns;
    for (unsigned i = 0; n->probe && i < n->probe->nsides; i++)
        l->station[n->probe->side[i].station] += l->weight * n->probe->side[i].ns;
}

/* The give that belongs to a take of the same gate and number ends its hold. */
static void release(const struct load *l, struct held *h, unsigned *nheld,
                    const struct sim_tree_node *give, double now)
{
    for (unsigned i = *nheld; i-- > 0;) {
        if (h[i].take->target != give->target || h[i].take->count != give->count)
            continue;
        l->gate[give->target] += l->weight * (double)give->count * (now - h[i].since);
        h[i] = h[--*nheld];
        return;
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Books of their own for what lies inside a fork. */
static struct load inside(const struct load *l)
{
    struct load in = {l->sim, l->pick, 1, calloc(l->sim->nstations + 1, sizeof(double)),
                      calloc(l->sim->ngates + 1, sizeof(double))};
    sim_assert(in.station && in.gate);
    return in;
}

/* Adds them up, `times` over. */
static void leave(const struct load *l, struct load *in, double times)
{
    for (uint32_t i = 0; i < l->sim->nstations; i++)
        l->station[i] += l->weight * times * in->station[i];
    for (uint32_t i = 0; i < l->sim->ngates; i++)
        l->gate[i] += l->weight * times * in->gate[i];
    free(in->station);
    free(in->gate);
}

/* The largest time asked of one server. */
static double interval(const struct load *in)
{
    const struct sim *s = in->sim;
    double most = 0, ns;
    for (uint32_t i = 0; i < s->nstations; i++) {
        ns = in->station[i] / s->station[i].servers;
        most = ns > most ? ns : most;
    }
    for (uint32_t i = 0; i < s->ngates; i++) {
        ns = in->gate[i] / (double)s->gate[i].capacity;
        most = ns > most ? ns : most;
    }
    return most;
}

static double par(const struct load *l, const struct sim_tree_node *n)
{
    double *time = calloc(n->window, sizeof *time), result;
    struct load in = inside(l);
    unsigned k = 0;
    sim_assert(time != NULL && n->count >= 1 && n->count <= n->window);
    for (const struct sim_tree_node *b = n->first; b; b = b->next)
        time[k++] = walk(&in, b->first, false);
    qsort(time, k, sizeof *time, ascending);
    result = time[n->count - 1];
    if (n->count == n->window && interval(&in) > result)
        result = interval(&in);
    leave(l, &in, 1);
    free(time);
    return result;
}

static double split(const struct load *l, const struct sim_tree_node *n)
{
    struct load one = inside(l);
    double time = walk(&one, n->first, false), follow = interval(&one);
    if (follow < time / n->window)
        follow = time / n->window;
    leave(l, &one, (double)n->count);
    return time + (double)(n->count - 1) * follow;
}

static double sub(const struct load *l, const struct sim_tree_node *n)
{
    const struct sim_tree_node *alt = n->first;
    for (unsigned i = l->pick[n->target]; i > 0 && alt; i--)
        alt = alt->next;
    sim_assert(alt != NULL);
    return walk(l, alt->first, false);
}

static double walk(const struct load *l, const struct sim_tree_node *list, bool outermost)
{
    struct held held[HELD];
    unsigned nheld = 0;
    double now = 0, acked = -1;
    for (const struct sim_tree_node *n = list; n; n = n->next) {
        now += n->path_ns;
        switch ((enum sim_verb)n->verb) {
        case SIM_VISIT:
        case SIM_UNITS:
        case SIM_CUT:
        case SIM_SERVE:
            ask_of(l, n);
            break;
        case SIM_TAKE:
            sim_assert(nheld < HELD);
            held[nheld++] = (struct held){n, now};
            break;
        case SIM_GIVE:
            release(l, held, &nheld, n, now);
            break;
        case SIM_PAR:
            now += par(l, n);
            break;
        case SIM_SPLIT:
            now += split(l, n);
            break;
        case SIM_SUB:
            now += sub(l, n);
            break;
        case SIM_ACK:
            acked = now;
            break;
        case SIM_DELAY:
        case SIM_SPAWN:
        case SIM_CALL:
        case SIM_END:
        case SIM_BRANCH:
        case SIM_JOIN:
        case SIM_RETURN:
            break;
        }
    }
    return outermost && acked >= 0 ? acked : now;
}

double sim_tree_load(const struct sim_tree *t, const unsigned *pick, double weight, double *station,
                     double *gate)
{
    struct load l = {t->sim, pick, weight, station, gate};
    return walk(&l, t->first, true);
}

static int tighter(const void *a, const void *b)
{
    const struct sim_bound *x = a, *y = b;
    if (x->per_s != y->per_s)
        return x->per_s < y->per_s ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void add_bound(struct sim_bound *b, unsigned *n, struct sim_bound add)
{
    if (add.demand_ns <= 0)
        return;
    add.per_s = (double)add.servers / (add.demand_ns * 1e-9);
    b[(*n)++] = add;
}

struct sim_bound *sim_bounds(const struct sim *s, struct sim_arena *a, const double *station,
                             const double *gate, unsigned *n)
{
    struct sim_bound *b = sim_arena_array(a, s->nstations + s->ngates + 1, sizeof *b);
    *n = 0;
    for (uint32_t i = 0; i < s->nstations; i++)
        add_bound(b, n,
                  (struct sim_bound){s->station[i].name, s->station[i].what, s->station[i].node,
                                     s->station[i].servers, station[i], 0});
    for (uint32_t i = 0; i < s->ngates; i++)
        add_bound(b, n,
                  (struct sim_bound){s->gate[i].name, "gate", s->gate[i].node, s->gate[i].capacity,
                                     gate[i], 0});
    qsort(b, *n, sizeof *b, tighter);
    return b;
}
