/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_output.h: output files that are whole or not there.
 *
 * A path is tried before the work that would fill it, and text is written to a
 * temporary name beside it and renamed. What is no regular file (a device, a
 * pipe) is written directly and never renamed over.
 * Invariant: a failed or killed run leaves the old file or none.
 */
#ifndef ANA_OUTPUT_H
#define ANA_OUTPUT_H

#include "sim_err.h"

#include <stddef.h>

/* Whether path could be written now: SIM_OK, or SIM_E_IO with the reason (a
 * directory, a missing or read-only directory, no permission). Creates nothing
 * that stays. */
int ana_output_try(const char *path, struct sim_err *e);

/* Writes n bytes as the whole of path. SIM_OK or SIM_E_IO. */
int ana_output_write(const char *path, const void *data, size_t n, struct sim_err *e);

/* True when both paths name one existing file, or are spelled alike. */
int ana_output_same(const char *a, const char *b);

#endif
