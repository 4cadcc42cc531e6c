/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_answer.h: answers that are more than a table, and the final files.
 */
#ifndef ANA_SWEEP_ANSWER_H
#define ANA_SWEEP_ANSWER_H

#include "ana_sweep_print.h"
#include "ana_sweep_work.h"

/* Inputs by how far a share of each moves the metric (ana_sweep_sens_print.c).
 * top: inputs printed, 0: all. SIM_OK, SIM_E_NO when the base did not run,
 * SIM_E_IO. */
int ana_sens_print(FILE *f, const struct ana_plan *plan, struct ana_journal *j,
                   const struct ana_metric_ref *metric, uint64_t top, struct sim_err *e);

/* Finds the last value of the only axis at which the condition holds, taking
 * it that it holds up to some value and not beyond: ceil(log2(n + 1)) points of
 * n values, those in the journal not again (ana_sweep_until.c). *knee is that
 * value's number, -1: none. SIM_OK, SIM_E_INTERRUPTED, SIM_E_IO. */
int ana_until_search(struct ana_subject *s, struct ana_journal *j, const struct ana_condition *c,
                     int64_t *knee, struct sim_err *e);

/* The search in general: asks holds(ctx, i) for numbers of 0..n-1. holds
 * returns 1, 0, or a negative value that ends the search and is returned with
 * *status. */
int64_t ana_bisect(uint64_t n, int (*holds)(void *ctx, uint64_t i), void *ctx, int *status);

/* The sentence about it. */
int ana_until_print(FILE *f, const struct ana_plan *plan, struct ana_journal *j,
                    const struct ana_condition *c, int64_t knee, struct sim_err *e);

/* ana_hdf5_sweep.c: the table as HDF5, schema hcisim-sweep/1, streamed in the
 * order of the points. The bytes depend on plan and points alone. */
#define ANA_SWEEP_SCHEMA "hcisim-sweep/1"
int ana_hdf5_sweep(const char *path, const struct ana_plan *plan, struct ana_journal *j,
                   struct sim_err *e);

#endif
