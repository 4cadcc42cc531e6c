/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_file.h: a result file appears whole or not at all.
 *
 * Invariants: a regular file is written under a temporary name beside it,
 * synced and renamed over path, so a reader sees the old bytes or all of the
 * new ones, and a failed write removes what it began; anything else (device,
 * pipe) is written in place and never replaced. A symbolic link is followed.
 */
#ifndef ANA_FILE_H
#define ANA_FILE_H

#include <stddef.h>

#include "sim_err.h"

/* Makes path hold the n bytes at data. Returns SIM_OK, or SIM_E_IO with path
 * and the system's reason in *e. */
int ana_file_replace(const char *path, const void *data, size_t n, struct sim_err *e);

/* The same for a file that something else writes: *tmp becomes the name of an
 * empty file to fill, beside path (or in $TMPDIR when path is no regular file).
 * Free it after ana_file_commit or ana_file_abandon. */
int ana_file_begin(const char *path, char **tmp, struct sim_err *e);

/* Makes path hold what is in tmp, which is gone afterwards whatever happened. */
int ana_file_commit(const char *path, const char *tmp, struct sim_err *e);

/* Removes tmp. */
void ana_file_abandon(const char *tmp);

#endif
