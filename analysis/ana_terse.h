/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_terse.h: fio's terse output, one line of fields a job.
 *
 * Modelled: versions 2, 3, 4 and 5 as fio 3.33 prints them: latencies in usec,
 * bandwidth in KiB/s, twenty places for percentiles; trim since version 4 (and
 * in 2), counts of samples in 5, a block per disk from 3 on. What is not
 * simulated (processor use, context switches, page faults) is 0.
 * Invariant: a semicolon or line break in a name becomes '_', so the number of
 * fields never depends on names.
 */
#ifndef ANA_TERSE_H
#define ANA_TERSE_H

#include "hci_result.h"

#include <stdio.h>

#define ANA_TERSE_VERSION 3 /* fio's default */

/* version: 2 to 5. Write errors stay in the stream. */
void ana_terse_write(FILE *f, const struct hci_result *r, int version);

#endif
