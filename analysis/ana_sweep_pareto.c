/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_pareto.c: the offers nobody should turn down for another.
 */
#include "ana_sweep_print.h"

#include "sim_mem.h"

#include <math.h>
#include <stdlib.h>

struct offer {
    double cost, goal; /* less is better, both */
    uint64_t number;
};

static int compare(const void *a, const void *b)
{
    const struct offer *x = a, *y = b;
    if (x->cost < y->cost || x->cost > y->cost)
        return x->cost < y->cost ? -1 : 1;
    if (x->goal < y->goal || x->goal > y->goal)
        return x->goal < y->goal ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

uint64_t ana_pareto(const double *cost, const double *goal, uint64_t n, bool more, bool *front)
{
    struct offer *o = malloc((n + 1) * sizeof *o);
    uint64_t m = 0, found = 0;
    double best = INFINITY;
    if (!o)
        sim_out_of_memory(n * sizeof *o);
    for (uint64_t i = 0; i < n; i++) {
        front[i] = false;
        if (!isnan(cost[i]) && !isnan(goal[i]))
            o[m++] = (struct offer){ cost[i], more ? -goal[i] : goal[i], i };
    }
    qsort(o, m, sizeof *o, compare);
    for (uint64_t i = 0; i < m; i++)
        if (o[i].goal < best) {
            best = o[i].goal;
            front[o[i].number] = true;
            found++;
        }
    free(o);
    return found;
}
