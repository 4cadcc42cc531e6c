/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_fio_read.h: measured results, as real fio left them.
 *
 * Read: JSON and json+ of fio 2.x and 3.x, with what is found around it in
 * practice (messages, ETA lines and human reports before and after, several
 * documents in one file, duplicate keys, client/server runs, NaN, bytes that
 * are no UTF-8, a file cut off in the middle). Not read here: terse, logs,
 * human reports alone.
 * Units after reading, whatever the version: ns, bytes, bytes/s. Of several
 * documents the last complete one counts. "All clients" is left out: it is a
 * plain sum with no percentiles.
 * Invariants: a count of samples is 0 where nothing was measured; percentiles
 * ascend; memory is bounded by the file, and a file by ANA_FIO_READ_MAX.
 */
#ifndef ANA_FIO_READ_H
#define ANA_FIO_READ_H

#include "sim_err.h"
#include "sim_types.h"

#define ANA_FIO_READ_MAX (256 * SIM_MIB) /* largest file read, bytes */
#define ANA_MEASURED_PCT 32              /* most percentiles kept of one latency */

enum { ANA_READ, ANA_WRITE, ANA_TRIM, ANA_SYNC, ANA_MIXED, ANA_DIRS };

struct ana_measured_lat { /* ns */
    uint64_t n;           /* samples; total_ios where the version does not say */
    double min, max, mean, stddev;
    unsigned npct, nbins;
    double pct[ANA_MEASURED_PCT], pct_ns[ANA_MEASURED_PCT];
    struct ana_measured_bin {
        uint64_t ns, count;
    } * bins; /* json+, ascending */
};

struct ana_measured_dir {
    bool present; /* the key stood in the file */
    uint64_t ios, bytes, runtime_ns;
    double iops, bw_Bps, bw_mean_Bps, bw_dev_Bps, iops_stddev;
    struct ana_measured_lat slat, clat, lat;
};

struct ana_measured_option {
    char *name, *value;
};

struct ana_measured_job {
    char name[256], host[256]; /* host: client/server runs, else empty */
    int64_t groupid;
    int error;
    double elapsed_s, usr_cpu, sys_cpu;
    bool interim;    /* eta was not 0: the job was still running */
    double depth[7]; /* percent at depth 1 2 4 8 16 32 >=64 */
    struct ana_measured_dir dir[ANA_DIRS];
    unsigned noptions; /* global options, overridden by the job's */
    struct ana_measured_option *options;
    unsigned nentries;       /* entries of the file this job was merged from, 1 as read */
    bool worst_pct;          /* merged without bins: percentiles are those of the worst entry */
    double net_ns[ANA_DIRS]; /* simulated: mean time an I/O is on the network; 0: not stated */
};

struct ana_measured_disk { /* "disk_util" */
    char name[64];
    uint64_t reads, writes; /* I/Os served, merged ones included */
};

struct ana_measured {
    char version[64]; /* "fio-3.33" */
    bool simulated;   /* written by hcisim: has a "simulator" object */
    bool cut_off;     /* the file ends inside a document; jobs are the complete ones */
    unsigned njobs, ndocuments, nnotes, ndisks;
    struct ana_measured_job *jobs;
    struct ana_measured_disk *disks;
    char layout[256];     /* simulated: the layout's name */
    uint64_t cache_bytes; /* simulated: read cache of a node; 0: none or not stated */
    char (*notes)[256]; /* text found around the documents and what was repaired; at most 16 */
};

/* Reads the file at path. SIM_OK; SIM_E_IO when it cannot be read; SIM_E_INPUT
 * when it holds no result of fio. A file cut off in the middle is SIM_E_INPUT
 * as well, with the complete jobs in *out and their names in *e; otherwise *out
 * is NULL on failure. */
int ana_fio_read(struct ana_measured **out, const char *path, struct sim_err *e);

/* The same from n bytes in memory; name is for messages. */
int ana_fio_read_text(struct ana_measured **out, const char *text, size_t n, const char *name,
                      struct sim_err *e);

void ana_measured_free(struct ana_measured *m);

/* Value of an option of a job, NULL when it was not written. */
const char *ana_measured_option(const struct ana_measured_job *j, const char *name);

#endif
