/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_scatter.c: the charts of a sweep.
 *
 * A point is a line of the width of a box: charts hold no symbols (ana_page.h).
 */
#include "ana_report_points.h"

#include <math.h>
#include <string.h>

#define BOX_SHARE 0.007 /* of the axis: as wide as it is high */
enum { JOBS = 12 };

/* Latencies in us, bandwidth in MB/s, the rest as it is. */
static double drawn(int metric, double v)
{
    const char *unit = ana_metrics[metric].unit;
    return strcmp(unit, "ns") == 0 ? v / 1e3 : strcmp(unit, "B/s") == 0 ? v / 1e6 : v;
}

static void axis_label(struct ana_sweep_page *sp, char axis, const struct ana_metric_ref *m)
{
    const char *unit = ana_metrics[m->metric].unit;
    char text[160];
    snprintf(text, sizeof text, "%s%s%s%s", ana_metrics[m->metric].name, m->job[0] ? " of " : "",
             m->job, strcmp(unit, "ns") == 0      ? ", us"
                     : strcmp(unit, "B/s") == 0   ? ", MB/s"
                     : strcmp(unit, "EUR") == 0   ? ", EUR"
                                                  : "");
    fprintf(sp->page->script, "set %clabel ", axis);
    ana_chart_string(sp->page, text);
    fputc('\n', sp->page->script);
}

struct frame {
    double lo_x, hi_x, lo_y, hi_y;
};

static void widen(double *lo, double *hi, double v)
{
    *lo = isnan(*lo) || v < *lo ? v : *lo;
    *hi = isnan(*hi) || v > *hi ? v : *hi;
}

static bool place(const struct ana_sweep_page *sp, uint64_t at, double *x, double *y)
{
    const struct ana_point *p = &sp->s->point[at];
    *x = drawn(sp->cost.metric, ana_metric_of(&sp->cost, p));
    *y = drawn(sp->goal.metric, ana_metric_of(&sp->goal, p));
    return p->status == ANA_POINT_DONE && !isnan(*x) && !isnan(*y);
}

static void boxes(struct ana_sweep_page *sp, const char *name, bool front, double width)
{
    double x, y;
    fprintf(sp->page->script, "%s << EOD\n0 NaN\n", name);
    for (uint64_t i = 0; i < sp->s->npoints; i++)
        if (sp->front[i] == front && place(sp, i, &x, &y))
            fprintf(sp->page->script, "%.8g %.6g\n%.8g %.6g\n\n", x - width / 2, y, x + width / 2,
                    y);
    fputs("EOD\n", sp->page->script);
}

/* The front as a staircase, by ascending cost. */
static void stairs(struct ana_sweep_page *sp)
{
    double x, y, done = -INFINITY;
    fputs("$s << EOD\n", sp->page->script);
    for (;;) {
        double next = INFINITY, at_y = 0;
        for (uint64_t i = 0; i < sp->s->npoints; i++)
            if (sp->front[i] && place(sp, i, &x, &y) && x > done && x < next) {
                next = x;
                at_y = y;
            }
        if (isinf(next))
            break;
        fprintf(sp->page->script, "%.8g %.6g\n", next, at_y);
        done = next;
    }
    fputs("EOD\n", sp->page->script);
}

static void pareto(struct ana_sweep_page *sp)
{
    struct frame w = {NAN, NAN, NAN, NAN};
    FILE *f = sp->page->script;
    double x, y;
    for (uint64_t i = 0; i < sp->s->npoints; i++)
        if (place(sp, i, &x, &y)) {
            widen(&w.lo_x, &w.hi_x, x);
            widen(&w.lo_y, &w.hi_y, y);
        }
    if (isnan(w.lo_x) || !ana_chart_begin(sp->page, "Every point; orange: no other is better in both",
                                          320))
        return;
    double span = w.hi_x > w.lo_x ? w.hi_x - w.lo_x : 1;
    boxes(sp, "$a", false, BOX_SHARE * 1.1 * span);
    boxes(sp, "$f", true, BOX_SHARE * 1.1 * span);
    stairs(sp);
    axis_label(sp, 'x', &sp->cost);
    axis_label(sp, 'y', &sp->goal);
    fprintf(f, "set xrange [%.8g:%.8g]\n", w.lo_x - 0.05 * span, w.hi_x + 0.05 * span);
    if (w.lo_y > 0 && w.hi_y > 10 * w.lo_y)
        ana_chart_log_axis(sp->page, 'y', w.lo_y, w.hi_y);
    else
        fputs("set yrange [0:*]\n", f);
    fputs("plot $a using 1:2 with lines lw 4 lc rgb '#8a8f98', $s using 1:2 with steps "
          "lw 1 lc rgb '#e08a00', $f using 1:2 with lines lw 6 lc rgb '#e08a00'", f);
    ana_chart_end(sp->page);
}

/* ---- one axis of numbers ---- */

static unsigned job_names(const struct ana_sweep_file *s, const char *names[JOBS])
{
    unsigned n = 0;
    for (uint64_t i = 0; i < s->npoints; i++)
        for (unsigned r = 0; r < s->point[i].nrows; r++) {
            unsigned k = 0;
            while (k < n && strcmp(names[k], s->point[i].row[r].job) != 0)
                k++;
            if (k == n && n < JOBS)
                names[n++] = s->point[i].row[r].job;
        }
    return n;
}

/* Data of one job's curve; widens the frame. */
static void curve(struct ana_sweep_page *sp, unsigned id, const char *job, int metric,
                  struct frame *w)
{
    struct ana_metric_ref m = {.metric = metric};
    const struct ana_axis *axis = &sp->s->plan.space.axis[0];
    snprintf(m.job, sizeof m.job, "%s", job);
    fprintf(sp->page->script, "$j%u << EOD\n0 NaN\n", id);
    for (uint64_t i = 0; i < sp->s->npoints; i++) {
        const struct ana_point *p = &sp->s->point[i];
        double x = axis->number[p->index[0]], y = drawn(metric, ana_metric_of(&m, p));
        if (isnan(y))
            continue;
        fprintf(sp->page->script, "%.8g %.6g\n", x, y);
        widen(&w->lo_x, &w->hi_x, x);
        widen(&w->lo_y, &w->hi_y, y);
    }
    fputs("EOD\n", sp->page->script);
}

/* False for percentiles with too few samples at every point: gnuplot wants data. */
static bool any_drawn(struct ana_sweep_page *sp, const char *const *names, unsigned n, int metric)
{
    struct ana_metric_ref m = {.metric = metric};
    for (unsigned k = 0; k < n; k++) {
        snprintf(m.job, sizeof m.job, "%s", names[k]);
        for (uint64_t i = 0; i < sp->s->npoints; i++)
            if (!isnan(drawn(metric, ana_metric_of(&m, &sp->s->point[i]))))
                return true;
    }
    return false;
}

static void ramp(struct ana_sweep_page *sp, int metric, const char *title)
{
    const char *names[JOBS];
    unsigned n = job_names(sp->s, names);
    struct frame w = {NAN, NAN, NAN, NAN};
    FILE *f = sp->page->script;
    if (!any_drawn(sp, names, n, metric) || !ana_chart_begin(sp->page, title, 300))
        return;
    for (unsigned i = 0; i < n; i++)
        curve(sp, i, names[i], metric, &w);
    if (w.lo_x > 0 && w.hi_x > 10 * w.lo_x)
        ana_chart_log_axis(sp->page, 'x', w.lo_x, w.hi_x);
    if (w.lo_y > 0 && w.hi_y > 10 * w.lo_y)
        ana_chart_log_axis(sp->page, 'y', w.lo_y, w.hi_y);
    else
        fputs("set yrange [0:*]\n", f);
    fputs("set xlabel ", f);
    ana_chart_string(sp->page, sp->s->plan.space.axis[0].key);
    if (sp->has_until && sp->knee < sp->s->npoints) {
        double x = sp->s->plan.space.axis[0].number[sp->s->point[sp->knee].index[0]];
        fprintf(f, "\nset arrow from %.8g, graph 0 to %.8g, graph 1 nohead lc rgb '#8a8f98' dt 2",
                x, x);
    }
    fputs("\nplot ", f);
    for (unsigned i = 0; i < n; i++) {
        fprintf(f, "%s$j%u using 1:2 with lines ", i ? ", " : "", i);
        ana_chart_style(sp->page, i, false);
        ana_chart_key(sp->page, i, ANA_KEY_LINE, names[i]);
    }
    ana_chart_end(sp->page);
}

void ana_sweep_charts(struct ana_sweep_page *sp)
{
    const struct ana_space *space = &sp->s->plan.space;
    fputs("<div class=\"charts\">\n", sp->page->html);
    if (space->naxes == 1 && space->axis[0].number && sp->s->npoints > 1) {
        ramp(sp, ANA_M_IOPS, "IOPS by job");
        ramp(sp, ANA_M_MEAN, "Mean latency by job, us");
        ramp(sp, ANA_M_P99, "p99 latency by job, us");
    }
    if (sp->has_front)
        pareto(sp);
    fputs("</div>\n", sp->page->html);
}
