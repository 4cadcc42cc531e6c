/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_fio_text.h: fio's normal report of one job and of a group.
 *
 * Modelled: the block fio 3.33 prints per job (job line, IOPS and bandwidth,
 * slat/clat/lat, percentiles, samples, latency buckets, depths, issued) and
 * its "Run status group" lines. Differences: simulated time stands where fio
 * prints a process id and a date; lines about the host's processor and about
 * submit and complete batches are left out, nothing of that is simulated; a
 * percentile with fewer than 100 samples beyond it reads [unresolved].
 * Invariants: nothing allocates; write errors are left in the stream.
 */
#ifndef ANA_FIO_TEXT_H
#define ANA_FIO_TEXT_H

#include <stdio.h>

#include "hci_result.h"

/* The block of job j, a member of r->jobs. */
void ana_fio_text_job(FILE *f, const struct hci_result *r, const struct hci_job_result *j);

/* "Run status group N (all jobs):" for every group of the result. */
void ana_fio_text_groups(FILE *f, const struct hci_result *r);

/* Text from a user's file, control bytes shown as '?'. */
void ana_text_safe(FILE *f, const char *s);

#endif
