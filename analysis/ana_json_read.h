/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_json_read.h: one clean JSON document of fio into struct ana_measured.
 *
 * The text around documents and inside damaged ones is ana_fio_read.c's
 * business; versions, units and key names are this file's.
 * Invariant: a key of an unexpected type counts as absent.
 */
#ifndef ANA_JSON_READ_H
#define ANA_JSON_READ_H

#include <stddef.h>

#include "ana_fio_read.h"

/* Parses n bytes of valid UTF-8 as one document and replaces *m's jobs and
 * version by what it holds. 0; -1 when it is no JSON (why: 200 bytes for the
 * reason); -2 when it is, but no result of fio; -3 without memory. */
int ana_json_read(struct ana_measured *m, const char *text, size_t n, char why[200]);

/* Frees the jobs and disks of *m. */
void ana_json_drop_jobs(struct ana_measured *m);

#endif
