/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_output.h: whether an output path will do, before the work that fills it.
 *
 * Not here: writing (ana_file.h).
 * Invariant: trying a path creates nothing that stays and changes no file.
 */
#ifndef ANA_OUTPUT_H
#define ANA_OUTPUT_H

#include "sim_err.h"

/* Whether path could be written now: SIM_OK, or SIM_E_IO with the reason (a
 * directory, a missing or read-only directory, no permission). */
int ana_output_try(const char *path, struct sim_err *e);

/* True when both paths lead to one file, which need not exist yet. */
int ana_output_same(const char *a, const char *b);

#endif
