/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_points.h: the points of a sweep as a table and as charts.
 *
 * Invariants: order holds every point once, best first by sort and then by
 * number; front marks the points no other beats in cost and goal.
 */
#ifndef ANA_REPORT_POINTS_H
#define ANA_REPORT_POINTS_H

#include "ana_page.h"
#include "ana_report_sweep.h"
#include "ana_sweep_file.h"

struct ana_sweep_page {
    struct ana_page *page;
    const struct ana_sweep_file *s;
    struct ana_metric_ref sort, cost, goal;
    bool has_front; /* cost differs between points, or --pareto was given */
    bool has_until; /* the sweep was a search for the last value that meets a condition */
    struct ana_condition until;
    uint64_t knee;  /* the point found; s->npoints: none */
    uint64_t *order;
    bool *front;    /* by point */
};

/* SIM_OK or SIM_E_INPUT. Free with fini in any case. */
int ana_sweep_page_init(struct ana_sweep_page *sp, struct ana_page *page,
                        const struct ana_sweep_file *s, const struct ana_report_view *view,
                        struct sim_err *e);
void ana_sweep_page_fini(struct ana_sweep_page *sp);

/* Of a layout file its name is enough. */
const char *ana_sweep_value(const struct ana_sweep_file *s, const struct ana_point *p, unsigned i);
/* "key = value, key = value" of a point; "iops of the worst job". */
void ana_sweep_settings(struct ana_sweep_page *sp, const struct ana_point *p);
void ana_sweep_metric_name(struct ana_sweep_page *sp, const struct ana_metric_ref *m);

void ana_sweep_points(struct ana_sweep_page *sp);
/* ana_report_scatter.c: cost against goal; for one axis of numbers the ramp. */
void ana_sweep_charts(struct ana_sweep_page *sp);

#endif
