/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_sweep.h: sweeps and sensitivities on a page.
 *
 * A sweep: what limits how many points, the knee of a search, the Pareto front,
 * what each setting does, every point best first, refused points by reason. A
 * sensitivity: inputs by how far they move a metric.
 * Not here: the run's page (ana_report.h), which a sensitivity can stand on.
 * Invariants: a page holds TABLE_ROWS rows at the most and says so when it leaves
 * any out; equal files give equal pages.
 */
#ifndef ANA_REPORT_SWEEP_H
#define ANA_REPORT_SWEEP_H

#include "ana_page.h"
#include "sim_err.h"
#include "sim_types.h"

struct ana_sweep_file;

struct ana_report_view {      /* as the user wrote them; NULL: chosen by the data */
    const char *sort, *pareto;
};

/* True when path is the file of a sweep or a sensitivity. */
bool ana_report_is_sweep(const char *path);

/* Reads the sweep at path and writes its part of the page. SIM_OK or an error of
 * reading, SIM_E_INPUT also for a metric that does not exist. */
int ana_report_sweep(struct ana_page *page, const char *path, const struct ana_report_view *view,
                     struct sim_err *e);

/* ana_report_sens.c: the part about a file with a sensitivity; metric as for
 * --sort, NULL: p99, mean where too few samples lie beyond it. */
int ana_report_sens(struct ana_page *page, const struct ana_sweep_file *s, const char *metric,
                    struct sim_err *e);

#endif
