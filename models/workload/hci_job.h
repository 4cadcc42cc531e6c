/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_job.h: a fio job file after parsing: effective options per section.
 *
 * Every value has fio 3.33's meaning. Directions index arrays as read, write,
 * trim. Sizes in bytes, times in ns, -1 where fio means "not set".
 */
#ifndef HCI_JOB_H
#define HCI_JOB_H

#include "sim_err.h"
#include "sim_types.h"

#include <stdio.h>

#define HCI_DDIRS 3
#define HCI_BSSPLIT_MAX 64
#define HCI_ZONES_MAX 256
#define HCI_JOBS_MAX 65536 /* clones counted */
#define HCI_FILES_MAX 65535
#define HCI_PERCENTILES_MAX 20

enum hci_rw_bits { HCI_RW_READ = 1, HCI_RW_WRITE = 2, HCI_RW_TRIM = 4, HCI_RW_RANDOM = 8 };
enum hci_engine_class { HCI_ENGINE_SYNC, HCI_ENGINE_ASYNC, HCI_ENGINE_NULL, HCI_ENGINE_IDLE };
enum hci_generator { HCI_GEN_TAUSWORTHE, HCI_GEN_TAUSWORTHE64, HCI_GEN_LFSR };
enum hci_random_dist { HCI_RD_RANDOM, HCI_RD_ZIPF, HCI_RD_PARETO, HCI_RD_NORMAL, HCI_RD_ZONED,
                       HCI_RD_ZONED_ABS };
enum hci_file_service { HCI_FILES_ROUNDROBIN, HCI_FILES_SEQUENTIAL, HCI_FILES_RANDOM };
enum hci_rate_process { HCI_RATE_LINEAR, HCI_RATE_POISSON };

struct hci_iolog; /* hci_iolog.h */

struct hci_bssplit { uint64_t bytes; unsigned percent; };
struct hci_zone { double access_pct; uint64_t size; }; /* size: percent or bytes */

struct hci_option_text { const char *name, *value; }; /* as written; value NULL: valueless */

struct hci_job {
    char name[256];
    unsigned number;         /* position in hci_jobfile.jobs */
    const char *source_file; /* where the section stands */
    int line;
    unsigned groupid;        /* reporting group */
    bool stonewall;          /* wait for all earlier jobs */
    int wait_for;            /* index of the first clone of the job waited for, -1 none */
    bool new_group, group_reporting;

    unsigned rw;             /* enum hci_rw_bits */
    int64_t rw_seq_nr;       /* N of randrw:N (I/Os), of read:N (bytes, may be < 0); 0 none */
    int rw_sequencer;        /* 0 sequential, 1 identical */
    double rwmixread;        /* percent */
    uint64_t bs_min[HCI_DDIRS], bs_max[HCI_DDIRS], ba[HCI_DDIRS];
    unsigned nbssplit[HCI_DDIRS];
    const struct hci_bssplit *bssplit[HCI_DDIRS]; /* nbssplit entries, by size; sum 100 */
    bool bs_unaligned, bs_is_seq_rand;

    char engine[32];         /* "libaio" */
    int engine_class;        /* enum hci_engine_class */
    unsigned iodepth;        /* effective: 1 for sync engines */
    unsigned iodepth_asked, iodepth_batch, iodepth_batch_complete_min, iodepth_batch_complete_max,
        iodepth_low;
    bool direct, sync_io;

    unsigned nfiles;         /* files this job uses */
    const unsigned *files;   /* indices into hci_jobfile.files */
    const uint64_t *append_at; /* of file_append: where each file ended; NULL: no append */
    int file_service;        /* enum hci_file_service */
    unsigned file_service_nr; /* I/Os before the next file is chosen */
    bool filesize_given;     /* the files' sizes count, not size / nfiles */
    uint64_t size, io_size;  /* bytes; 0 not set */
    double size_pct, io_size_pct, offset_pct, offset_increment_pct; /* 0 not set */
    uint64_t offset, offset_increment, offset_align;
    uint64_t number_ios;
    unsigned numjobs, clone; /* clone: 0-based number; the parser expands numjobs */
    unsigned loops;

    bool time_based;
    sim_time runtime, ramp_time, startdelay_min, startdelay_max;

    bool norandommap, softrandommap, randrepeat;
    uint64_t randseed;
    int generator;           /* enum hci_generator */
    int random_dist[HCI_DDIRS];
    double random_theta[HCI_DDIRS];  /* zipf theta, pareto h, normal deviation in percent */
    double random_center[HCI_DDIRS]; /* 0..1 of the region; -1: drawn */
    unsigned nzones[HCI_DDIRS];
    const struct hci_zone *zones[HCI_DDIRS]; /* nzones entries */
    unsigned percentage_random[HCI_DDIRS];
    bool zone_strided;
    uint64_t zonesize, zonerange, zoneskip;

    uint64_t rate_Bps[HCI_DDIRS], rate_iops[HCI_DDIRS], rate_min_Bps[HCI_DDIRS],
        rate_iops_min[HCI_DDIRS];
    int rate_process;
    sim_time rate_cycle;
    bool rate_ignore_thinktime;
    sim_time thinktime, thinktime_spin, thinktime_iotime;
    unsigned thinktime_blocks;
    bool thinktime_blocks_issue;

    unsigned fsync, fdatasync, write_barrier;
    bool end_fsync, fsync_on_close;
    bool overwrite, allocated; /* allocated: blocks exist before the first write */
    bool fill_device, file_append, create_only;
    bool zero_buffers;
    double compress_pct, dedupe_pct; /* -1 not set */
    int verify;              /* 0 none: else a read phase follows the writes */
    bool do_verify, verify_only;
    uint64_t verify_backlog, verify_backlog_batch;

    sim_time latency_target, latency_window, max_latency;
    double latency_percentile;
    bool latency_run;
    bool steadystate;        /* see ss_* */
    int ss_metric;           /* 0 iops, 1 bw, 2 lat */
    bool ss_slope, ss_pct;
    double ss_limit;
    sim_time ss_dur, ss_ramp;
    int64_t flow;
    unsigned flow_id;
    sim_time flow_sleep;
    bool exitall;
    int exit_what;           /* 0 group, 1 stonewall, 2 all */

    bool clat_percentiles, lat_percentiles, slat_percentiles;
    unsigned npercentiles;
    double percentiles[HCI_PERCENTILES_MAX];
    unsigned significant_figures;
    int unified_rw;          /* 0 none, 1 mixed, 2 both */
    unsigned kb_base, unit_base;
    sim_time bwavgtime, iopsavgtime; /* of samples and their logs; 0: each I/O is one */
    bool stats, disk_util, gtod_reduce, disable_clat, disable_slat, disable_lat, disable_bw;
    const char *write_bw_log, *write_lat_log, *write_iops_log, *write_hist_log; /* NULL: none */
    sim_time log_avg_ns, log_hist_ns;
    unsigned log_hist_coarseness;
    bool log_offset, log_max, per_job_logs;

    const char *read_iolog, *description;
    const struct hci_iolog *iolog; /* of read_iolog, read; NULL: none */
    bool replay_no_stall;
    unsigned replay_time_scale;

    unsigned noptions;
    const struct hci_option_text *options; /* as written in the section, for JSON "job options" */
};

struct hci_file {
    char *name;
    uint64_t bytes; /* from filesize; 0: as jobs need */
    uint64_t need;  /* where the jobs that state a size end; 0: no job does */
    bool fills;     /* of fill_device: as large as the volume allows, but not above need */
};

struct hci_read_file { /* a job file, or one that a job file includes */
    const char *name;
    const struct hci_read_file *next;
};

struct hci_jobfile {
    char *text;              /* all files, concatenated as read */
    unsigned njobs, nfiles, nnotes;
    struct hci_job *jobs;    /* clones expanded, in start order */
    struct hci_file *files;  /* same path = same blocks */
    char (*notes)[256];      /* one line each, for stderr and the report */
    unsigned nglobals;
    const struct hci_option_text *globals; /* the final ones */
    const struct hci_read_file *read; /* list of what was read; traces not among them */
    struct hci_fio_pool *pool; /* owns everything below this struct */
};

struct hci_job_final { /* an option that outdoes the file */
    const char *section;   /* NULL: every job */
    const char *option;    /* "name=value" */
};

struct hci_jobfile_opts {
    bool lenient;            /* refusals become notes */
    const char *const *sections; /* NULL-terminated; NULL: all */
    const char *const *overrides; /* "name=value", as options before the file; NULL-terminated */
    const struct hci_job_final *finals; /* nfinals, as options at the end of each section */
    unsigned nfinals;
};

/* Reads npaths files ("-": standard input), each after the first behind an
 * implied stonewall. Runs all checks. On failure e holds the first error and
 * `errors` (malloc'd, one line each, may be NULL) all of them. */
int hci_jobfile_load(struct hci_jobfile **out, const char *const *paths, unsigned npaths,
                     const struct hci_jobfile_opts *opts, char **errors, struct sim_err *e);
void hci_jobfile_free(struct hci_jobfile *jf);

/* Prints the effective jobs as a job file: one section a clone, every value
 * that differs from the default, the four keys rw bs iodepth numjobs always.
 * Read back, it gives the same jobs. */
void hci_jobfile_print(FILE *f, const struct hci_jobfile *jf);

#endif
