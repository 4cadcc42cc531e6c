/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_terse_read.h: fio's other outputs into struct ana_measured.
 *
 * Terse: versions 2 to 5, from fio or from hcisim. The format has no count of
 * I/Os (it follows from IOPS, whole ones, and runtime), no options and no
 * bins; latencies are whole usec at their ends. Reports for people (fio's
 * default output, 2.x and 3.x): what is printed, with its three or four digits;
 * IOPS are computed from the count and the runtime where both are there.
 * Invariants: a line of another shape is never taken for a job; a job that went
 * on from an earlier entry (--status-interval: more bytes, at least half a
 * second later) replaces it, while clones, which end together or move equal
 * bytes, all stay; memory is bounded by ANA_TERSE_JOBS.
 */
#ifndef ANA_TERSE_READ_H
#define ANA_TERSE_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "ana_fio_read.h"

#define ANA_TERSE_JOBS 4096 /* most jobs of one file */

/* Adds the jobs of n bytes to *m. 0 (also when there are none); -3 without
 * memory. *left_out: lines that begin like terse and are no job's; *cut: the last
 * line is one of them and has no end. */
int ana_terse_read(struct ana_measured *m, const char *text, size_t n, unsigned *left_out,
                   bool *cut);

/* The same for a report for people. (ana_text_read.c) */
int ana_text_read(struct ana_measured *m, const char *text, size_t n);

/* Room for one more job, zeroed; NULL without memory or at the limit. */
struct ana_measured_job *ana_measured_add(struct ana_measured *m, const char *name, size_t length,
                                          int64_t groupid, const char *host);

/* Drops the entry that the last job, now filled in, went on from. */
void ana_measured_supersede(struct ana_measured *m);

#endif
