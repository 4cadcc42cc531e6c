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

#endif
