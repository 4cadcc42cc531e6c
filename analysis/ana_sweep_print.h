/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_print.h: a sweep's points as answers.
 *
 * Reads points from a journal, one at a time, whatever their number: a table
 * (best first if asked), CSV, the Pareto front, sensitivities, the knee.
 * Invariants: output depends on the points alone; of equals the lower number
 * comes first; beside the journal's index nothing grows with the number of points
 * but what is shown: the lines asked for and the front.
 */
#ifndef ANA_SWEEP_PRINT_H
#define ANA_SWEEP_PRINT_H

#include "ana_sweep_journal.h"
#include "ana_sweep_plan.h"
#include "ana_sweep_row.h"

#include <stdio.h>

struct ana_view_conf { /* what to print */
    struct ana_metric_ref sort; /* metric -1: by number */
    struct ana_metric_ref cost, goal; /* Pareto; metric -1: none */
    uint64_t top;               /* points printed, 0: all */
    bool csv;
};

/* Parses --sort and --pareto (either may be NULL). SIM_OK or SIM_E_INPUT. */
int ana_view_parse(struct ana_view_conf *v, const char *sort, const char *pareto,
                   struct sim_err *e);

/* Reads the point `number` into *p. SIM_E_IO when the journal is damaged. */
int ana_journal_point(struct ana_journal *j, const struct ana_plan *plan, uint64_t number,
                      struct ana_point *p, struct sim_err *e);

/* ana_sweep_table.c: the points list[n] as lines of text (NULL: the first n of
 * the journal by number). SIM_OK or SIM_E_IO. */
int ana_sweep_table(FILE *f, const struct ana_plan *plan, struct ana_journal *j,
                    const struct ana_view_conf *v, const uint64_t *list, uint64_t n,
                    struct sim_err *e);

/* All that view asks for. SIM_OK or SIM_E_IO. */
int ana_sweep_print(FILE *f, const struct ana_plan *plan, struct ana_journal *j,
                    const struct ana_view_conf *v, struct sim_err *e);

/* ana_sweep_pareto.c: which of n offers no other beats in both: marks them in
 * front and returns their number. cost: less is better; goal: more is better
 * when `more`. NaN is never in front; of equal offers the first is. */
uint64_t ana_pareto(const double *cost, const double *goal, uint64_t n, bool more, bool *front);

/* ana_sweep_csv.c */
int ana_sweep_csv(FILE *f, const struct ana_plan *plan, struct ana_journal *j, struct sim_err *e);

#endif
