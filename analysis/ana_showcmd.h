/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_showcmd.h: a job file as one fio command line.
 *
 * Options stand as they were written, those of [global] in front. Where a file
 * has several [global] sections the last values are shown, as fio's JSON does.
 */
#ifndef ANA_SHOWCMD_H
#define ANA_SHOWCMD_H

#include <stdio.h>

#include "workload/hci_job.h"

/* One line. Write errors stay in the stream. */
void ana_showcmd_print(FILE *f, const struct hci_jobfile *jobs);

#endif
