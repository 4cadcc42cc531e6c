/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_file.h: a finished sweep, read back from its file.
 *
 * Axes with the values as they were written, every point with its rows, and what
 * was asked (mode, options, seed, sensitivity). The layout and job file stay in
 * the file. All of it is in memory: for pages and answers, not for sweeps of
 * millions (ROWS_MAX rows are the most).
 * Invariants: points ascend by number; an index is below its axis' n.
 */
#ifndef ANA_SWEEP_FILE_H
#define ANA_SWEEP_FILE_H

#include "ana_sweep_plan.h"
#include "ana_sweep_row.h"

struct ana_sweep_file {
    struct sim_arena *arena;
    struct ana_plan plan; /* space, layout_name, options, seed, sensitivity; the rest NULL */
    uint64_t npoints;     /* in the file; a search or a part holds fewer than the space */
    struct ana_point *point;
    uint64_t status[ANA_POINT_STATUSES]; /* points of each */
};

/* True when path is HDF5 of the schema of sweeps. */
bool ana_sweep_file_is(const char *path);

/* SIM_OK; SIM_E_IO when it cannot be read, SIM_E_INPUT when it is no such file or
 * damaged. Free with ana_sweep_file_fini in any case. */
int ana_sweep_file_read(struct ana_sweep_file *s, const char *path, struct sim_err *e);
void ana_sweep_file_fini(struct ana_sweep_file *s);

#endif
