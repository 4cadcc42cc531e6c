/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_sweep_print.h"

#include "sim_mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL 64 /* bytes of a cell; the last column is not cut */
#define COLUMNS (ANA_AXES_MAX + 12)

struct grid { /* text in columns, widths from what is shown */
    unsigned ncols, nrows, max;
    char (*cell)[COLUMNS][CELL];
    char (*last)[300]; /* the last column, by row */
    bool right[COLUMNS];
};

static unsigned new_row(struct grid *g)
{
    if (g->nrows == g->max) {
        g->max = g->max ? 2 * g->max : 64;
        void *cell = realloc(g->cell, g->max * sizeof *g->cell);
        void *last = realloc(g->last, g->max * sizeof *g->last);
        if (!cell || !last)
            sim_out_of_memory(g->max * sizeof *g->cell);
        g->cell = cell;
        g->last = last;
    }
    memset(g->cell[g->nrows], 0, sizeof *g->cell);
    memset(g->last[g->nrows], 0, sizeof *g->last);
    return g->nrows++;
}

static size_t width(const char *s)
{
    size_t n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

static void print_grid(FILE *f, const struct grid *g)
{
    size_t w[COLUMNS] = { 0 };
    for (unsigned r = 0; r < g->nrows; r++)
        for (unsigned c = 0; c < g->ncols; c++)
            w[c] = width(g->cell[r][c]) > w[c] ? width(g->cell[r][c]) : w[c];
    for (unsigned r = 0; r < g->nrows; r++) {
        for (unsigned c = 0; c < g->ncols; c++) {
            int pad = (int)(w[c] - width(g->cell[r][c]));
            if (w[c] == 0)
                continue; /* nobody filled it */
            fprintf(f, "%*s%s%*s  ", g->right[c] ? pad : 0, "", g->cell[r][c],
                    g->right[c] ? 0 : pad, "");
        }
        fprintf(f, "%s\n", g->last[r]);
    }
}

static void free_grid(struct grid *g)
{
    free(g->cell);
    free(g->last);
}

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

/* Metrics that get a column: the usual ones and those asked for. */
static unsigned shown_metrics(const struct ana_view_conf *v, int out[COLUMNS])
{
    static const int usual[] = { ANA_M_IOPS, ANA_M_BW, ANA_M_MEAN, ANA_M_P99 };
    const int asked[] = { v->sort.metric, v->cost.metric, v->goal.metric };
    unsigned n = 0;
    for (; n < 4; n++)
        out[n] = usual[n];
    for (unsigned i = 0; i < 3; i++) {
        bool there = asked[i] < 0 || asked[i] == ANA_M_PRICE;
        for (unsigned k = 0; k < n; k++)
            there |= out[k] == asked[i];
        if (!there)
            out[n++] = asked[i];
    }
    return n;
}

/* Of a layout file its name is enough. */
static const char *short_value(const struct ana_plan *plan, const unsigned *index, unsigned i)
{
    const char *v = ana_plan_value(plan, index, i), *slash = strrchr(v, '/');
    return plan->space.axis[i].kind == ANA_AXIS_LAYOUT && slash ? slash + 1 : v;
}

static void add_head(struct grid *g, const struct ana_plan *plan, const int *metric,
                     unsigned nmetrics)
{
    unsigned r = new_row(g), c = 0;
    snprintf(g->cell[r][c++], CELL, "point");
    for (unsigned i = 0; i < plan->space.naxes; i++)
        snprintf(g->cell[r][c++], CELL, "%.63s", plan->space.axis[i].key);
    g->right[c] = true;
    snprintf(g->cell[r][c++], CELL, "EUR");
    snprintf(g->cell[r][c++], CELL, "job");
    for (unsigned m = 0; m < nmetrics; m++) {
        g->right[c] = true;
        snprintf(g->cell[r][c++], CELL, "%s", ana_metrics[metric[m]].name);
    }
    g->ncols = c;
    snprintf(g->last[r], sizeof *g->last, "bottleneck");
}

/* job: index of the row, or -1 for a point without one. */
static void add_line(struct grid *g, const struct ana_plan *plan, const struct ana_point *p,
                     int job, const int *metric, unsigned nmetrics)
{
    unsigned r = new_row(g), c = 0;
    const struct ana_row *row = job < 0 ? NULL : &p->row[job];
    snprintf(g->cell[r][c++], CELL, "%llu", (unsigned long long)p->number);
    for (unsigned i = 0; i < plan->space.naxes; i++)
        snprintf(g->cell[r][c++], CELL, "%.63s", short_value(plan, p->index, i));
    snprintf(g->cell[r][c++], CELL, "%.6g", p->price_eur);
    snprintf(g->cell[r][c++], CELL, "%.63s", row ? row->job : "");
    for (unsigned m = 0; m < nmetrics; m++) {
        struct ana_metric_ref of_point = { .metric = metric[m] };
        double v = metric[m] >= ANA_M_FIRST_OF_POINT ? ana_metric_of(&of_point, p)
                   : row                             ? row->m[metric[m]]
                                                     : (double)NAN;
        if (row && metric[m] < ANA_M_FIRST_OF_POINT && ana_row_unresolved(row, metric[m]))
            snprintf(g->cell[r][c++], CELL, "unresolved");
        else
            ana_metric_text(g->cell[r][c++], CELL, metric[m], v);
    }
    if (p->status == ANA_POINT_DONE && row)
        snprintf(g->last[r], sizeof *g->last, "%s", row->bottleneck);
    else
        snprintf(g->last[r], sizeof *g->last, "%s: %s", ana_point_statuses[p->status], p->reason);
}

static int print_points(FILE *f, const struct ana_plan *plan, struct ana_journal *j,
                        const struct ana_view_conf *v, const uint64_t *list, uint64_t n,
                        struct sim_err *e)
{
    struct grid g = { 0 };
    struct ana_point p = { 0 };
    int metric[COLUMNS], rc = SIM_OK;
    unsigned nmetrics = shown_metrics(v, metric);
    add_head(&g, plan, metric, nmetrics);
    for (uint64_t i = 0; rc == SIM_OK && i < n; i++) {
        rc = ana_journal_point(j, plan, list[i], &p, e);
        for (unsigned r = 0; rc == SIM_OK && r < p.nrows; r++)
            add_line(&g, plan, &p, (int)r, metric, nmetrics);
        if (rc == SIM_OK && p.nrows == 0)
            add_line(&g, plan, &p, -1, metric, nmetrics);
    }
    if (rc == SIM_OK)
        print_grid(f, &g);
    free_grid(&g);
    ana_point_fini(&p);
    return rc;
}

struct all { /* one figure a point */
    uint64_t n, count[ANA_POINT_STATUSES];
    uint64_t *number;
    double *key, *cost, *goal;
};

static int gather(struct all *a, const struct ana_plan *plan, struct ana_journal *j,
                  const struct ana_view_conf *v, struct sim_err *e)
{
    struct ana_point p = { 0 };
    int rc = SIM_OK;
    *a = (struct all){ 0 };
    a->number = malloc((j->ndone + 1) * sizeof *a->number);
    a->key = calloc(3 * (j->ndone + 1), sizeof *a->key);
    if (!a->number || !a->key)
        sim_out_of_memory(j->ndone * 32);
    a->cost = a->key + j->ndone;
    a->goal = a->cost + j->ndone;
    for (uint64_t i = 0; rc == SIM_OK && i < j->npoints && a->n < j->ndone; i++) {
        if (!ana_journal_has(j, i) || (rc = ana_journal_point(j, plan, i, &p, e)) != SIM_OK)
            continue;
        a->count[p.status]++;
        a->key[a->n] = v->sort.metric < 0 ? 0 : ana_metric_of(&v->sort, &p);
        a->cost[a->n] = v->cost.metric < 0 || p.status ? (double)NAN : ana_metric_of(&v->cost, &p);
        a->goal[a->n] = v->goal.metric < 0 ? (double)NAN : ana_metric_of(&v->goal, &p);
        a->number[a->n++] = i;
    }
    ana_point_fini(&p);
    return rc;
}

struct ranked {
    double key; /* less is better */
    uint64_t number;
};

static int by_key(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->key < y->key || x->key > y->key)
        return x->key < y->key ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Best first; points without the metric last. */
static void rank(struct all *a, int metric)
{
    struct ranked *r = malloc((a->n + 1) * sizeof *r);
    if (!r)
        sim_out_of_memory(a->n * sizeof *r);
    for (uint64_t i = 0; i < a->n; i++) {
        double k = ana_metrics[metric].better > 0 ? -a->key[i] : a->key[i];
        r[i] = (struct ranked){ isnan(k) ? (double)INFINITY : k, a->number[i] };
    }
    qsort(r, a->n, sizeof *r, by_key);
    for (uint64_t i = 0; i < a->n; i++)
        a->number[i] = r[i].number;
    free(r);
}

static int print_front(FILE *f, const struct ana_plan *plan, struct ana_journal *j,
                       const struct ana_view_conf *v, const struct all *a, struct sim_err *e)
{
    bool *front = calloc(a->n + 1, sizeof *front);
    uint64_t *list = malloc((a->n + 1) * sizeof *list), n = 0;
    bool more = ana_metrics[v->goal.metric].better > 0;
    if (!front || !list)
        sim_out_of_memory(a->n * sizeof *list);
    ana_pareto(a->cost, a->goal, a->n, more, front);
    for (uint64_t i = 0; i < a->n; i++)
        if (front[i])
            list[n++] = a->number[i];
    fprintf(f, "Pareto front, %s against %s: %llu of %llu points\n",
            ana_metrics[v->cost.metric].name, ana_metrics[v->goal.metric].name,
            (unsigned long long)n, (unsigned long long)a->n);
    int rc = print_points(f, plan, j, v, list, n, e);
    fputc('\n', f);
    free(front);
    free(list);
    return rc;
}

static void print_counts(FILE *f, const struct ana_plan *plan, const struct all *a, uint64_t shown)
{
    fprintf(f, "\n%llu of %llu points", (unsigned long long)a->n,
            (unsigned long long)plan->space.npoints);
    for (unsigned s = 0; s < ANA_POINT_STATUSES; s++)
        if (a->count[s])
            fprintf(f, "%s%llu %s", s ? ", " : ": ", (unsigned long long)a->count[s],
                    ana_point_statuses[s]);
    if (shown < a->n)
        fprintf(f, "; %llu shown (--top 0 shows all)", (unsigned long long)shown);
    fputc('\n', f);
}

int ana_sweep_print(FILE *f, const struct ana_plan *plan, struct ana_journal *j,
                    const struct ana_view_conf *v, struct sim_err *e)
{
    struct all a;
    if (v->csv)
        return ana_sweep_csv(f, plan, j, e);
    int rc = gather(&a, plan, j, v, e);
    uint64_t shown = v->top && v->top < a.n ? v->top : a.n;
    if (rc == SIM_OK && v->goal.metric >= 0)
        rc = print_front(f, plan, j, v, &a, e);
    if (v->sort.metric >= 0) /* after the front, which goes by cost and number */
        rank(&a, v->sort.metric);
    if (rc == SIM_OK)
        rc = print_points(f, plan, j, v, a.number, shown, e);
    if (rc == SIM_OK)
        print_counts(f, plan, &a, shown);
    free(a.number);
    free(a.key);
    return rc;
}
