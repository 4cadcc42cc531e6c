/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_sweep_print.h"

#include "sim_mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int ana_view_parse(struct ana_view_conf *v, const char *sort, const char *pareto,
                   struct sim_err *e)
{
    const char *comma = pareto ? strchr(pareto, ',') : NULL;
    char cost[128];
    v->sort.metric = v->cost.metric = v->goal.metric = -1;
    if (sort && ana_metric_parse(&v->sort, sort, e) != SIM_OK)
        return SIM_E_INPUT;
    if (!pareto)
        return SIM_OK;
    if (!comma || (size_t)(comma - pareto) >= sizeof cost)
        return sim_fail(e, SIM_E_INPUT, "--pareto wants COST,GOAL, e.g. price,p99, not '%.100s'",
                        pareto);
    snprintf(cost, sizeof cost, "%.*s", (int)(comma - pareto), pareto);
    int rc = ana_metric_parse(&v->cost, cost, e);
    return rc == SIM_OK ? ana_metric_parse(&v->goal, comma + 1, e) : rc;
}

int ana_journal_point(struct ana_journal *j, const struct ana_plan *plan, uint64_t number,
                      struct ana_point *p, struct sim_err *e)
{
    const unsigned char *bytes;
    size_t n;
    int rc = ana_journal_get(j, number, &bytes, &n, e);
    if (rc == SIM_OK && !ana_point_unpack(p, plan->space.naxes, bytes, n))
        rc = sim_fail_at(e, SIM_E_IO, j->path, 0, "point %llu cannot be read",
                         (unsigned long long)number);
    return rc;
}

/* ---- the front, squeezed whenever the room for it is full ---- */

struct front {
    uint64_t n, max, *number;
    double *cost, *goal;
    bool more; /* of the goal is better */
};

static void squeeze(struct front *x)
{
    bool *in = calloc(x->n + 1, sizeof *in);
    uint64_t n = 0;
    if (!in)
        sim_out_of_memory(x->n);
    ana_pareto(x->cost, x->goal, x->n, x->more, in);
    for (uint64_t i = 0; i < x->n; i++) {
        if (!in[i])
            continue;
        x->number[n] = x->number[i];
        x->cost[n] = x->cost[i];
        x->goal[n++] = x->goal[i];
    }
    x->n = n;
    free(in);
}

/* Room for another one: squeezed, or twice as large if that gave less than half. */
static void make_room(struct front *x)
{
    squeeze(x);
    if (x->max && 2 * x->n < x->max)
        return;
    x->max = x->max ? 2 * x->max : 1024;
    x->number = realloc(x->number, x->max * sizeof *x->number);
    x->cost = realloc(x->cost, x->max * sizeof *x->cost);
    x->goal = realloc(x->goal, x->max * sizeof *x->goal);
    if (!x->number || !x->cost || !x->goal)
        sim_out_of_memory(x->max * sizeof *x->number);
}

static void front_add(struct front *x, uint64_t number, double cost, double goal)
{
    if (x->n == x->max)
        make_room(x);
    x->number[x->n] = number;
    x->cost[x->n] = cost;
    x->goal[x->n++] = goal;
}

/* ---- the best so many: a heap, the worst of them on top ---- */

struct ranked {
    double key; /* less is better */
    uint64_t number;
};

struct best {
    uint64_t n, max;
    struct ranked *at;
};

static int by_key(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->key < y->key || x->key > y->key)
        return x->key < y->key ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void swap(struct ranked *a, struct ranked *b)
{
    struct ranked t = *a;
    *a = *b;
    *b = t;
}

static void sift_down(struct best *b)
{
    for (uint64_t i = 0, k; (k = 2 * i + 1) < b->n; i = k) {
        if (k + 1 < b->n && by_key(&b->at[k + 1], &b->at[k]) > 0)
            k++;
        if (by_key(&b->at[i], &b->at[k]) >= 0)
            return;
        swap(&b->at[i], &b->at[k]);
    }
}

static void best_add(struct best *b, struct ranked r)
{
    if (b->n == b->max) {
        if (b->n && by_key(&r, &b->at[0]) < 0) {
            b->at[0] = r;
            sift_down(b);
        }
        return;
    }
    b->at[b->n] = r;
    for (uint64_t i = b->n++; i > 0 && by_key(&b->at[i], &b->at[(i - 1) / 2]) > 0; i = (i - 1) / 2)
        swap(&b->at[i], &b->at[(i - 1) / 2]);
}

/* ---- all that is asked ---- */

struct all {
    uint64_t shown, count[ANA_POINT_STATUSES];
    struct front front;
    struct best best;
};

static void note(struct all *a, const struct ana_view_conf *v, const struct ana_point *p)
{
    a->count[p->status]++;
    if (v->goal.metric >= 0)
        front_add(&a->front, p->number,
                  p->status ? (double)NAN : ana_metric_of(&v->cost, p),
                  ana_metric_of(&v->goal, p));
    if (v->sort.metric < 0)
        return;
    double k = ana_metric_of(&v->sort, p);
    k = ana_metrics[v->sort.metric].better > 0 ? -k : k;
    best_add(&a->best, (struct ranked){ isnan(k) ? (double)INFINITY : k, p->number });
}

static int gather(struct all *a, const struct ana_plan *plan, struct ana_journal *j,
                  const struct ana_view_conf *v, struct sim_err *e)
{
    struct ana_point p = { 0 };
    int rc = SIM_OK;
    *a = (struct all){ .shown = v->top && v->top < j->ndone ? v->top : j->ndone };
    if (v->sort.metric >= 0) {
        a->best.max = a->shown;
        a->best.at = malloc((a->shown + 1) * sizeof *a->best.at);
        if (!a->best.at)
            sim_out_of_memory(a->shown * sizeof *a->best.at);
    }
    if (v->goal.metric >= 0)
        a->front.more = ana_metrics[v->goal.metric].better > 0;
    for (uint64_t i = 0; rc == SIM_OK && i < j->npoints; i++) {
        if (!ana_journal_has(j, i) || (rc = ana_journal_point(j, plan, i, &p, e)) != SIM_OK)
            continue;
        note(a, v, &p);
    }
    ana_point_fini(&p);
    return rc;
}

static int print_front(FILE *f, const struct ana_plan *plan, struct ana_journal *j,
                       const struct ana_view_conf *v, struct front *x, struct sim_err *e)
{
    squeeze(x);
    fprintf(f, "Pareto front, %s against %s: %llu of %llu points\n",
            ana_metrics[v->cost.metric].name, ana_metrics[v->goal.metric].name,
            (unsigned long long)x->n, (unsigned long long)j->ndone);
    int rc = ana_sweep_table(f, plan, j, v, x->number, x->n, e);
    fputc('\n', f);
    return rc;
}

/* Best first; points without the metric last. */
static int print_best(FILE *f, const struct ana_plan *plan, struct ana_journal *j,
                      const struct ana_view_conf *v, struct best *b, struct sim_err *e)
{
    uint64_t *list = malloc((b->n + 1) * sizeof *list);
    if (!list)
        sim_out_of_memory(b->n * sizeof *list);
    qsort(b->at, b->n, sizeof *b->at, by_key);
    for (uint64_t i = 0; i < b->n; i++)
        list[i] = b->at[i].number;
    int rc = ana_sweep_table(f, plan, j, v, list, b->n, e);
    free(list);
    return rc;
}

static void print_counts(FILE *f, const struct ana_plan *plan, const struct ana_journal *j,
                         const struct all *a)
{
    fprintf(f, "\n%llu of %llu points", (unsigned long long)j->ndone,
            (unsigned long long)plan->space.npoints);
    for (unsigned s = 0; s < ANA_POINT_STATUSES; s++)
        if (a->count[s])
            fprintf(f, "%s%llu %s", s ? ", " : ": ", (unsigned long long)a->count[s],
                    ana_point_statuses[s]);
    if (a->shown < j->ndone)
        fprintf(f, "; %llu shown (--top 0 shows all)", (unsigned long long)a->shown);
    fputc('\n', f);
}

int ana_sweep_print(FILE *f, const struct ana_plan *plan, struct ana_journal *j,
                    const struct ana_view_conf *v, struct sim_err *e)
{
    struct all a;
    if (v->csv)
        return ana_sweep_csv(f, plan, j, e);
    int rc = gather(&a, plan, j, v, e);
    if (rc == SIM_OK && v->goal.metric >= 0)
        rc = print_front(f, plan, j, v, &a.front, e);
    if (rc == SIM_OK)
        rc = v->sort.metric >= 0 ? print_best(f, plan, j, v, &a.best, e)
                                 : ana_sweep_table(f, plan, j, v, NULL, a.shown, e);
    if (rc == SIM_OK)
        print_counts(f, plan, j, &a);
    free(a.best.at);
    free(a.front.number);
    free(a.front.cost);
    free(a.front.goal);
    return rc;
}
