/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_report_points.h"

#include "ana_sweep_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TABLE_ROWS 10000

/* ---- order, front, knee ---- */

struct ranked {
    double key; /* less is better */
    uint64_t at;
};

static int by_key(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->key < y->key || x->key > y->key)
        return x->key < y->key ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static void rank(struct ana_sweep_page *sp)
{
    uint64_t n = sp->s->npoints;
    struct ranked *r = malloc((n + 1) * sizeof *r);
    if (!r)
        sim_out_of_memory(n * sizeof *r);
    for (uint64_t i = 0; i < n; i++) {
        double v = ana_metric_of(&sp->sort, &sp->s->point[i]);
        v = ana_metrics[sp->sort.metric].better > 0 ? -v : v;
        r[i] = (struct ranked){isnan(v) ? (double)INFINITY : v, i};
    }
    qsort(r, n, sizeof *r, by_key);
    for (uint64_t i = 0; i < n; i++)
        sp->order[i] = r[i].at;
    free(r);
}

static void find_front(struct ana_sweep_page *sp, bool asked)
{
    uint64_t n = sp->s->npoints;
    double *cost = malloc((2 * n + 1) * sizeof *cost), *goal = cost + n;
    double least = NAN, most = NAN;
    if (!cost)
        sim_out_of_memory(n * sizeof *cost);
    for (uint64_t i = 0; i < n; i++) {
        bool done = sp->s->point[i].status == ANA_POINT_DONE;
        cost[i] = done ? ana_metric_of(&sp->cost, &sp->s->point[i]) : (double)NAN;
        goal[i] = ana_metric_of(&sp->goal, &sp->s->point[i]);
        least = cost[i] < least || isnan(least) ? cost[i] : least;
        most = cost[i] > most || isnan(most) ? cost[i] : most;
    }
    sp->has_front = asked || most > least;
    if (sp->has_front)
        ana_pareto(cost, goal, n, ana_metrics[sp->goal.metric].better > 0, sp->front);
    free(cost);
}

/* The search's condition stands at the end of the options; its knee is the last
 * point that meets it. */
static void find_knee(struct ana_sweep_page *sp)
{
    static const char word[] = "--until ";
    const char *at = strstr(sp->s->plan.options, word);
    struct sim_err ignored;
    sp->knee = sp->s->npoints;
    sp->has_until = at && sp->s->plan.space.naxes == 1 &&
                    ana_condition_parse(&sp->until, at + sizeof word - 1, &ignored) == SIM_OK;
    for (uint64_t i = 0; sp->has_until && i < sp->s->npoints; i++)
        if (ana_condition_holds(&sp->until, &sp->s->point[i]))
            sp->knee = i;
}

int ana_sweep_page_init(struct ana_sweep_page *sp, struct ana_page *page,
                        const struct ana_sweep_file *s, const struct ana_report_view *view,
                        struct sim_err *e)
{
    struct ana_view_conf v;
    char pareto[128];
    const char *sort = view->sort ? view->sort : "iops";
    snprintf(pareto, sizeof pareto, "price,%.100s", sort);
    memset(sp, 0, sizeof *sp);
    sp->page = page;
    sp->s = s;
    int rc = ana_view_parse(&v, sort, view->pareto ? view->pareto : pareto, e);
    if (rc != SIM_OK)
        return rc;
    sp->sort = v.sort;
    sp->cost = v.cost;
    sp->goal = v.goal;
    sp->order = malloc((s->npoints + 1) * sizeof *sp->order);
    sp->front = calloc(s->npoints + 1, sizeof *sp->front);
    if (!sp->order || !sp->front)
        sim_out_of_memory(s->npoints * sizeof *sp->order);
    find_front(sp, view->pareto != NULL);
    find_knee(sp);
    rank(sp);
    return SIM_OK;
}

void ana_sweep_page_fini(struct ana_sweep_page *sp)
{
    free(sp->order);
    free(sp->front);
}

/* ---- words ---- */

void ana_sweep_settings(struct ana_sweep_page *sp, const struct ana_point *p)
{
    for (unsigned i = 0; i < sp->s->plan.space.naxes; i++) {
        fputs(i ? ", " : "", sp->page->html);
        ana_page_text(sp->page, sp->s->plan.space.axis[i].key);
        fputs(" = ", sp->page->html);
        ana_page_text(sp->page, ana_sweep_value(sp->s, p, i));
    }
}

static bool several_jobs(const struct ana_sweep_file *s)
{
    for (uint64_t i = 0; i < s->npoints; i++)
        if (s->point[i].nrows > 1)
            return true;
    return false;
}

void ana_sweep_metric_name(struct ana_sweep_page *sp, const struct ana_metric_ref *m)
{
    fputs(ana_metrics[m->metric].name, sp->page->html);
    if (m->metric >= ANA_M_FIRST_OF_POINT)
        return;
    if (m->job[0]) {
        fputs(" of job ", sp->page->html);
        ana_page_text(sp->page, m->job);
    } else if (several_jobs(sp->s)) {
        fputs(" of a point's worst job", sp->page->html);
    }
}

/* ---- the table ---- */

static const int usual[] = {ANA_M_IOPS, ANA_M_BW, ANA_M_MEAN, ANA_M_P99};
enum { USUAL = sizeof usual / sizeof *usual };

/* The metric of --sort where it is not one of the usual. */
static int extra(const struct ana_sweep_page *sp)
{
    for (int i = 0; i < USUAL; i++)
        if (usual[i] == sp->sort.metric)
            return -1;
    return sp->sort.metric < ANA_M_FIRST_OF_POINT ? sp->sort.metric : -1;
}

static void cell(struct ana_sweep_page *sp, const char *text)
{
    fputs("<td>", sp->page->html);
    ana_page_text(sp->page, text);
    fputs("</td>", sp->page->html);
}

static void number(struct ana_sweep_page *sp, int metric, double v)
{
    char text[64];
    fprintf(sp->page->html, "<td class=\"n\">%s</td>",
            ana_metric_text(text, sizeof text, metric, v));
}

static void table_head(struct ana_sweep_page *sp)
{
    FILE *f = sp->page->html;
    fputs("<div class=\"wide\"><table>\n<tr><th class=\"n\">point</th>", f);
    for (unsigned i = 0; i < sp->s->plan.space.naxes; i++) {
        fputs("<th>", f);
        ana_page_text(sp->page, sp->s->plan.space.axis[i].key);
        fputs("</th>", f);
    }
    fputs("<th class=\"n\">EUR</th><th>job</th>", f);
    for (int i = 0; i < USUAL; i++)
        fprintf(f, "<th class=\"n\">%s</th>", ana_metrics[usual[i]].name);
    if (extra(sp) >= 0)
        fprintf(f, "<th class=\"n\">%s</th>", ana_metrics[extra(sp)].name);
    fputs("<th>limited by</th></tr>\n", f);
}

static void line(struct ana_sweep_page *sp, uint64_t at, const struct ana_row *row)
{
    const struct ana_point *p = &sp->s->point[at];
    FILE *f = sp->page->html;
    fprintf(f, "<tr%s><td class=\"n\">%llu</td>", sp->front[at] ? " class=\"front\"" : "",
            (unsigned long long)p->number);
    for (unsigned i = 0; i < sp->s->plan.space.naxes; i++)
        cell(sp, ana_sweep_value(sp->s, p, i));
    fprintf(f, "<td class=\"n\">%.6g</td>", p->price_eur);
    cell(sp, row->job);
    for (int i = 0; i < USUAL; i++)
        number(sp, usual[i], row->m[usual[i]]);
    if (extra(sp) >= 0)
        number(sp, extra(sp), row->m[extra(sp)]);
    cell(sp, row->bottleneck);
    fputs("</tr>\n", f);
}

void ana_sweep_points(struct ana_sweep_page *sp)
{
    FILE *f = sp->page->html;
    uint64_t rows = 0, left = 0;
    fprintf(f, "<h3>Every point</h3>\n<p>Best %s first, by ",
            ana_metrics[sp->sort.metric].better > 0 ? "(most)" : "(least)");
    ana_sweep_metric_name(sp, &sp->sort);
    fputs(sp->has_front ? "; on the front: bold.</p>\n" : ".</p>\n", f);
    table_head(sp);
    for (uint64_t i = 0; i < sp->s->npoints; i++) {
        const struct ana_point *p = &sp->s->point[sp->order[i]];
        for (unsigned r = 0; r < p->nrows; r++, rows++) {
            if (rows < TABLE_ROWS)
                line(sp, sp->order[i], &p->row[r]);
            else
                left++;
        }
    }
    fputs("</table></div>\n", f);
    if (left)
        fprintf(f, "<p>%llu more rows are in the file.</p>\n", (unsigned long long)left);
}
