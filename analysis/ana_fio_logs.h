/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_fio_logs.h: fio's log files of bandwidth, IOPS, latency and histograms.
 *
 * Written are PREFIX_bw.N.log, _iops, _slat, _clat, _lat and _clat_hist, as
 * write_bw_log, write_iops_log, write_lat_log and write_hist_log ask, with
 * fio's lines: milliseconds since the log's start, value (KiB/s, 1/s or ns),
 * direction (0 read, 1 write, 2 trim), block size (0 for a mean), offset with
 * log_offset, priority (always 0). N counts the clones of the run from 1, over
 * all guests; per_job_logs=0 leaves it out and joins the clones in one file.
 * A bandwidth or IOPS line stands for a whole window only.
 * Invariants: each file appears whole or not at all (ana_file.h); equal runs
 * give equal bytes.
 */
#ifndef ANA_FIO_LOGS_H
#define ANA_FIO_LOGS_H

#include "hci_result.h"
#include "sim_err.h"
#include "workload/hci_job.h"

/* Whether every log the jobs ask for could be written, and none is one of the
 * n files in keep. SIM_OK, SIM_E_INPUT or SIM_E_IO with the name in *e. */
int ana_fio_logs_try(const struct hci_jobfile *jobs, const char *const *keep, unsigned n,
                     struct sim_err *e);

/* Writes all logs of the result, relative to the working directory. SIM_OK, or
 * SIM_E_IO with the first file that failed in *e; the others are written. */
int ana_fio_logs_write(const struct hci_result *r, struct sim_err *e);

#endif
