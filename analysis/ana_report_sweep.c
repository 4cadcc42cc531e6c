/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_sweep.c: a sweep on a page: verdict, knee, settings, refused points.
 */
#include "ana_report_sweep.h"

#include "ana_report_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REASONS 24
#define SETTINGS 40 /* values of one axis that get a line */

const char *ana_sweep_value(const struct ana_sweep_file *s, const struct ana_point *p, unsigned i)
{
    const char *v = ana_plan_value(&s->plan, p->index, i), *slash = strrchr(v, '/');
    return s->plan.space.axis[i].kind == ANA_AXIS_LAYOUT && slash ? slash + 1 : v;
}

/* ---- what limits ---- */

struct tally {
    const char *name;
    unsigned n;
};

static int by_count(const void *a, const void *b)
{
    const struct tally *x = a, *y = b;
    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void count(struct tally *t, unsigned *n, unsigned max, const char *name)
{
    for (unsigned i = 0; i < *n; i++)
        if (strcmp(t[i].name, name) == 0) {
            t[i].n++;
            return;
        }
    if (*n < max)
        t[(*n)++] = (struct tally){name, 1};
}

static void limits(struct ana_sweep_page *sp)
{
    struct tally t[REASONS];
    unsigned n = 0, rows = 0;
    FILE *f = sp->page->html;
    for (uint64_t i = 0; i < sp->s->npoints; i++)
        for (unsigned r = 0; r < sp->s->point[i].nrows; r++, rows++)
            count(t, &n, REASONS, sp->s->point[i].row[r].bottleneck);
    if (n == 0)
        return;
    qsort(t, n, sizeof *t, by_count);
    fputs("<h3>What limits</h3>\n<div class=\"wide\"><table>\n<tr><th>limited by</th>"
          "<th class=\"n\">of all results</th></tr>\n", f);
    for (unsigned i = 0; i < n; i++) {
        fputs("<tr><td>", f);
        ana_page_text(sp->page, t[i].name);
        fprintf(f, "</td><td class=\"n\">%u of %u</td></tr>\n", t[i].n, rows);
    }
    fputs("</table></div>\n", f);
}

/* ---- refused points ---- */

static void refused(struct ana_sweep_page *sp)
{
    struct tally t[REASONS];
    unsigned n = 0;
    FILE *f = sp->page->html;
    for (uint64_t i = 0; i < sp->s->npoints; i++)
        if (sp->s->point[i].status != ANA_POINT_DONE)
            count(t, &n, REASONS, sp->s->point[i].reason);
    if (n == 0)
        return;
    qsort(t, n, sizeof *t, by_count);
    fputs("<h3>Points without a result</h3>\n<div class=\"wide\"><table>\n<tr><th>reason</th>"
          "<th class=\"n\">points</th><th>the first of them</th></tr>\n", f);
    for (unsigned i = 0; i < n; i++) {
        const struct ana_point *p = sp->s->point;
        while (p->status == ANA_POINT_DONE || strcmp(p->reason, t[i].name) != 0)
            p++;
        fprintf(f, "<tr><td class=\"w\">%s: ", ana_point_statuses[p->status]);
        ana_page_text(sp->page, t[i].name);
        fprintf(f, "</td><td class=\"n\">%u</td><td>", t[i].n);
        ana_sweep_settings(sp, p);
        fputs("</td></tr>\n", f);
    }
    fputs("</table></div>\n", f);
}

/* ---- what each setting does ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void setting(struct ana_sweep_page *sp, unsigned axis, unsigned value, double *room)
{
    char text[64];
    const int metric = sp->sort.metric;
    FILE *f = sp->page->html;
    uint64_t n = 0;
    for (uint64_t i = 0; i < sp->s->npoints; i++) {
        double v = ana_metric_of(&sp->sort, &sp->s->point[i]);
        if (sp->s->point[i].index[axis] == value && !isnan(v))
            room[n++] = v;
    }
    qsort(room, n, sizeof *room, by_value);
    const struct ana_point one = {.index = {[0] = 0}};
    struct ana_point p = one;
    p.index[axis] = value;
    fputs("<tr><td>", f);
    ana_page_text(sp->page, sp->s->plan.space.axis[axis].key);
    fputs("</td><td>", f);
    ana_page_text(sp->page, ana_sweep_value(sp->s, &p, axis));
    fprintf(f, "</td><td class=\"n\">%llu</td>", (unsigned long long)n);
    const uint64_t at[] = {0, n / 2, n ? n - 1 : 0};
    for (int i = 0; i < 3; i++)
        fprintf(f, "<td class=\"n\">%s</td>",
                ana_metric_text(text, sizeof text, metric, n ? room[at[i]] : (double)NAN));
    fputs("</tr>\n", f);
}

static void settings(struct ana_sweep_page *sp)
{
    const struct ana_space *space = &sp->s->plan.space;
    FILE *f = sp->page->html;
    double *room = malloc((sp->s->npoints + 1) * sizeof *room);
    if (!room)
        sim_out_of_memory(sp->s->npoints * sizeof *room);
    if (space->naxes > 1) {
        fputs("<h3>What each setting does</h3>\n<p>", f);
        ana_sweep_metric_name(sp, &sp->sort);
        fputs(" over all points with that setting: least, median and most.</p>\n<div "
              "class=\"wide\"><table>\n<tr><th>key</th><th>value</th><th class=\"n\">results</th>"
              "<th class=\"n\">least</th><th class=\"n\">median</th><th class=\"n\">most</th></tr>\n",
              f);
        for (unsigned i = 0; i < space->naxes; i++)
            for (unsigned v = 0; v < space->axis[i].n && v < SETTINGS; v++)
                setting(sp, i, v, room);
        fputs("</table></div>\n", f);
    }
    free(room);
}

/* ---- the verdict ---- */

static void knee(struct ana_sweep_page *sp)
{
    const struct ana_sweep_file *s = sp->s;
    FILE *f = sp->page->html;
    char text[64];
    if (!sp->has_until)
        return;
    if (sp->knee == s->npoints) {
        fputs(" No value meets <strong>", f);
        ana_page_text(sp->page, sp->until.text);
        fputs("</strong>.", f);
        return;
    }
    const struct ana_point *p = &s->point[sp->knee];
    fputs(" The largest ", f);
    ana_page_text(sp->page, s->plan.space.axis[0].key);
    fputs(" that meets <strong>", f);
    ana_page_text(sp->page, sp->until.text);
    fputs("</strong> is <strong>", f);
    ana_page_text(sp->page, ana_sweep_value(s, p, 0));
    fprintf(f, "</strong> (%s).",
            ana_metric_text(text, sizeof text, sp->until.metric.metric,
                            ana_metric_of(&sp->until.metric, p)));
}

static void best(struct ana_sweep_page *sp)
{
    const struct ana_point *p = &sp->s->point[sp->order[0]];
    char text[64];
    double v = ana_metric_of(&sp->sort, p);
    if (isnan(v))
        return;
    fputs(" Best ", sp->page->html);
    ana_sweep_metric_name(sp, &sp->sort);
    fprintf(sp->page->html, ": %s, with ", ana_metric_text(text, sizeof text, sp->sort.metric, v));
    ana_sweep_settings(sp, p);
    fputs(".", sp->page->html);
}

static void head(struct ana_sweep_page *sp)
{
    const struct ana_sweep_file *s = sp->s;
    FILE *f = sp->page->html;
    fputs("<h2>Sweep of ", f);
    ana_page_text(sp->page, s->plan.layout_name);
    fprintf(f, "</h2>\n<p class=\"lead\">%llu of %llu points",
            (unsigned long long)s->npoints, (unsigned long long)s->plan.space.npoints);
    for (int i = 0; i < ANA_POINT_STATUSES; i++)
        if (s->status[i])
            fprintf(f, "%s%llu %s", i && s->status[0] ? ", " : ": ",
                    (unsigned long long)s->status[i], ana_point_statuses[i]);
    fputs(".", f);
    best(sp);
    knee(sp);
    fputs("</p>\n<p>Every point met the same I/Os with the same luck", f);
    if (s->plan.options[0]) {
        fputs("; ", f);
        ana_page_text(sp->page, s->plan.options);
    }
    fprintf(f, "; seed %llu.</p>\n", (unsigned long long)s->plan.seed);
}

static void write_sweep(struct ana_sweep_page *sp)
{
    head(sp);
    ana_sweep_charts(sp);
    settings(sp);
    limits(sp);
    ana_sweep_points(sp);
    refused(sp);
}

bool ana_report_is_sweep(const char *path)
{
    return ana_sweep_file_is(path);
}

int ana_report_sweep(struct ana_page *page, const char *path, const struct ana_report_view *view,
                     struct sim_err *e)
{
    struct ana_sweep_file s;
    int rc = ana_sweep_file_read(&s, path, e);
    if (rc == SIM_OK && s.plan.sensitivity > 0) {
        rc = ana_report_sens(page, &s, view->sort, e);
    } else if (rc == SIM_OK) {
        struct ana_sweep_page sp;
        rc = ana_sweep_page_init(&sp, page, &s, view, e);
        if (rc == SIM_OK)
            write_sweep(&sp);
        ana_sweep_page_fini(&sp);
    }
    ana_sweep_file_fini(&s);
    return rc;
}
