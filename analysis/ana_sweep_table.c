/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_table.c: points as lines of text in columns. Points are read twice,
 * for the widths and for the text, so that no more than one is held.
 */
#include "ana_sweep_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL 64 /* bytes of a cell; the last column is not cut */
#define COLUMNS (ANA_AXES_MAX + 12)

struct grid {
    FILE *f;
    const struct ana_plan *plan;
    int metric[COLUMNS];
    unsigned nmetrics, ncols;
    size_t width[COLUMNS];
    bool right[COLUMNS], measured; /* widths are known: print */
    char cell[COLUMNS][CELL], last[300]; /* of one line */
};

static size_t width(const char *s)
{
    size_t n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

/* The line in g->cell: measured or printed. */
static void end_line(struct grid *g)
{
    for (unsigned c = 0; c < g->ncols; c++) {
        size_t w = width(g->cell[c]);
        int pad = (int)(g->width[c] - w);
        if (!g->measured)
            g->width[c] = w > g->width[c] ? w : g->width[c];
        else if (g->width[c]) /* somebody filled it */
            fprintf(g->f, "%*s%s%*s  ", g->right[c] ? pad : 0, "", g->cell[c],
                    g->right[c] ? 0 : pad, "");
    }
    if (g->measured)
        fprintf(g->f, "%s\n", g->last);
}

/* Metrics that get a column: the usual ones and those asked for. */
static void choose_metrics(struct grid *g, const struct ana_view_conf *v)
{
    static const int usual[] = { ANA_M_IOPS, ANA_M_BW, ANA_M_MEAN, ANA_M_P99 };
    const int asked[] = { v->sort.metric, v->cost.metric, v->goal.metric };
    for (; g->nmetrics < 4; g->nmetrics++)
        g->metric[g->nmetrics] = usual[g->nmetrics];
    for (unsigned i = 0; i < 3; i++) {
        bool there = asked[i] < 0 || asked[i] == ANA_M_PRICE;
        for (unsigned k = 0; k < g->nmetrics; k++)
            there |= g->metric[k] == asked[i];
        if (!there)
            g->metric[g->nmetrics++] = asked[i];
    }
}

/* The interval shown beside a metric; -1: none. */
static int half_of(int metric)
{
    return metric == ANA_M_MEAN ? ANA_M_MEAN_HALF : metric == ANA_M_P99 ? ANA_M_P99_HALF : -1;
}

/* Of a layout file its name is enough. */
static const char *short_value(const struct ana_plan *plan, const unsigned *index, unsigned i)
{
    const char *v = ana_plan_value(plan, index, i), *slash = strrchr(v, '/');
    return plan->space.axis[i].kind == ANA_AXIS_LAYOUT && slash ? slash + 1 : v;
}

static void put_head(struct grid *g)
{
    unsigned c = 0;
    snprintf(g->cell[c++], CELL, "point");
    for (unsigned i = 0; i < g->plan->space.naxes; i++)
        snprintf(g->cell[c++], CELL, "%.63s", g->plan->space.axis[i].key);
    g->right[c] = true;
    snprintf(g->cell[c++], CELL, "EUR");
    snprintf(g->cell[c++], CELL, "job");
    for (unsigned m = 0; m < g->nmetrics; m++) {
        g->right[c] = true;
        snprintf(g->cell[c++], CELL, "%s", ana_metrics[g->metric[m]].name);
        if (half_of(g->metric[m]) < 0)
            continue;
        g->right[c] = true;
        snprintf(g->cell[c++], CELL, "+-");
    }
    g->ncols = c;
    snprintf(g->last, sizeof g->last, "bottleneck");
    end_line(g);
}

static void share_text(char *buf, double share)
{
    if (isnan(share))
        snprintf(buf, CELL, "-");
    else
        snprintf(buf, CELL, share < 1 ? "%.2g %%" : "%.0f %%", 100 * share);
}

/* row NULL: a point without results. Returns the next column. */
static unsigned put_metric(struct grid *g, unsigned c, int metric, const struct ana_point *p,
                           const struct ana_row *row)
{
    struct ana_metric_ref of_point = { .metric = metric };
    int half = half_of(metric);
    double v = metric >= ANA_M_FIRST_OF_POINT ? ana_metric_of(&of_point, p)
               : row                          ? row->m[metric]
                                              : (double)NAN;
    if (row && metric < ANA_M_FIRST_OF_POINT && ana_row_unresolved(row, metric))
        snprintf(g->cell[c++], CELL, "unresolved");
    else
        ana_metric_text(g->cell[c++], CELL, metric, v);
    if (half >= 0)
        share_text(g->cell[c++], row && v > 0 ? row->m[half] / v : (double)NAN);
    return c;
}

static void put_line(struct grid *g, const struct ana_point *p, const struct ana_row *row)
{
    unsigned c = 0;
    snprintf(g->cell[c++], CELL, "%llu", (unsigned long long)p->number);
    for (unsigned i = 0; i < g->plan->space.naxes; i++)
        snprintf(g->cell[c++], CELL, "%.63s", short_value(g->plan, p->index, i));
    snprintf(g->cell[c++], CELL, "%.6g", p->price_eur);
    snprintf(g->cell[c++], CELL, "%.63s", row ? row->job : "");
    for (unsigned m = 0; m < g->nmetrics; m++)
        c = put_metric(g, c, g->metric[m], p, row);
    if (p->status == ANA_POINT_DONE && row)
        snprintf(g->last, sizeof g->last, "%s", row->bottleneck);
    else
        snprintf(g->last, sizeof g->last, "%s: %s", ana_point_statuses[p->status], p->reason);
    end_line(g);
}

static int put_points(struct grid *g, struct ana_journal *j, const uint64_t *list, uint64_t n,
                      struct sim_err *e)
{
    struct ana_point p = { 0 };
    uint64_t next = 0;
    int rc = SIM_OK;
    put_head(g);
    for (uint64_t i = 0; rc == SIM_OK && i < n; i++) {
        while (!list && !ana_journal_has(j, next))
            next++;
        rc = ana_journal_point(j, g->plan, list ? list[i] : next++, &p, e);
        for (unsigned r = 0; rc == SIM_OK && r < p.nrows; r++)
            put_line(g, &p, &p.row[r]);
        if (rc == SIM_OK && p.nrows == 0)
            put_line(g, &p, NULL);
    }
    ana_point_fini(&p);
    return rc;
}

int ana_sweep_table(FILE *f, const struct ana_plan *plan, struct ana_journal *j,
                    const struct ana_view_conf *v, const uint64_t *list, uint64_t n,
                    struct sim_err *e)
{
    struct grid *g = calloc(1, sizeof *g);
    if (!g)
        sim_out_of_memory(sizeof *g);
    g->f = f;
    g->plan = plan;
    choose_metrics(g, v);
    int rc = put_points(g, j, list, n, e);
    g->measured = true;
    if (rc == SIM_OK)
        rc = put_points(g, j, list, n, e);
    free(g);
    return rc;
}
