/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_result.h: what a run found, in memory, before anybody prints it.
 *
 * Filled by hci_run, read by analysis/. All times ns, all sizes bytes.
 * Invariants: every histogram's n equals the direction's `ios` (slat, clat and
 * lat alike); the parts of the breakdown sum to the mean latency.
 */
#ifndef HCI_RESULT_H
#define HCI_RESULT_H

#include "sim_hist.h"
#include "sim_types.h"
#include "workload/hci_batch.h"

struct hci_job; /* workload/hci_job.h */
struct hci_jobfile;
struct hci_logs; /* workload/hci_logs.h */

#define HCI_PARTS 24 /* most components a breakdown distinguishes */

enum { HCI_DIR_READ, HCI_DIR_WRITE, HCI_DIR_TRIM, HCI_DIR_SYNC, HCI_DIRS };

struct hci_moments { /* exact integer sums, so equal on every machine */
    uint64_t n, min, max;
    unsigned __int128 sum, sum2;
};

struct hci_part_time { /* mean ns per I/O booked on one component */
    double wait_ns, service_ns;
};

struct hci_interval { /* one row of a time series */
    uint64_t ios, bytes;
    uint64_t lat_sum_ns;
};

struct hci_sampled { /* fio's bw/iops sample statistics (500 ms windows) */
    double min, max, mean, stddev;
    uint64_t samples;
};

struct hci_dir_result {
    uint64_t ios, bytes;        /* completed in the measured window */
    uint64_t runtime_ns;        /* measured window of this direction */
    double iops, bw_Bps;
    struct sim_hist clat, slat, lat;
    struct hci_moments clat_m, slat_m, lat_m;
    struct hci_sampled bw_s, iops_s; /* bw in bytes/s */
    unsigned nintervals;
    struct hci_interval *intervals;  /* of hci_job_result.interval_ns */
    struct hci_part_time mean[HCI_PARTS];  /* over all I/Os */
    struct hci_part_time tail[HCI_PARTS];  /* over the slowest 1 % */
    uint64_t skipped_ios;         /* of ios: in skipped time, as the windows' were */
    struct hci_batches batches;   /* what intervals are made from; empty: nothing */
    struct sim_interval iops_i, mean_i[HCI_LATS]; /* 95 %; estimates as above */
};

struct hci_resource { /* one station over the measured window */
    char name[96];      /* "node0 disk1 samsung-990pro-2tb units" */
    char kind[16];      /* "units", "pipe", "fifo", "custom", "gate" */
    int node;           /* -1: none */
    uint64_t servers, served;
    double utilisation; /* 0..1 of all servers */
    double mean_queue;  /* waiting, time average */
    double mean_wait_ns, mean_service_ns;
    double cap_ios;     /* guest I/Os per s this station alone would allow at this mix; 0: unknown */
    uint64_t read_ios, write_ios; /* commands of the device it belongs to */
    char device[64];    /* that device, "node0 disk1 ..."; empty: none */
};

struct hci_state_series { /* state of one tracked quantity */
    char name[64], unit[16]; /* "node0 OpLog fill", "bytes" */
    unsigned n;
    double *value;           /* at the end of each interval */
    double first, last;      /* at the start and end of the measured window */
};

struct hci_counter { /* cache hits, log bytes per device, bytes written per device */
    char name[64], unit[16];
    double value;
};

struct hci_job_result {
    const struct hci_job *job;
    char name[256];
    unsigned groupid, nclones;
    sim_time start_ns, ramp_end_ns, end_ns; /* simulated time */
    sim_time interval_ns;
    struct hci_dir_result dir[HCI_DIRS];
    uint64_t depth_hist[7];   /* fio's iodepth_level: 1 2 4 8 16 32 >=64, counts at issue */
    double mean_in_flight;    /* time average of I/Os between issue and completion */
    unsigned nresources, nstates, ncounters;
    struct hci_resource *resources;   /* busiest first */
    struct hci_state_series *states;
    struct hci_counter *counters;
    char bottleneck[96], next_bottleneck[96]; /* station names */
    char verdict[512];        /* one or two sentences for people */
    double bound_iops;        /* closed-form asymptotic bound */
    char bound_by[96];
    unsigned nwarnings;
    char (*warnings)[256];
    int error;                /* errno-like, 0: none */
    double eta_s;             /* an interim result: time left at least; 0: the job has ended */
    struct hci_logs *logs;    /* what fio's log files need; NULL: none asked for */
    sim_time skipped_ns;      /* of the measured window: not simulated, see docs/statistics.md */
    unsigned windows, strata; /* stretches simulated; groups of them in like state; 0: all of it */
    char stopped[160];        /* why no more was simulated; "": all of it was */
};

struct hci_result {
    char *layout_name, *layout_text; /* effective configuration */
    char *jobfile_text;
    uint64_t seed;
    unsigned nparts;
    char part_name[HCI_PARTS][32];   /* "guest", "hypervisor", "CVM CPU", "log device local", ... */
    unsigned njobs;
    struct hci_job_result *jobs;     /* in file order; clones of a group merged as group_reporting asks */
    uint64_t events, draws, ties, hash; /* of the whole run */
    double cpu_s;                    /* provenance only */
    sim_time sim_ns;
    uint64_t cache_bytes;            /* read cache of a node; 0: none */
    unsigned pass, passes;           /* of --repeat: which pass was kept (1-based) */
    char assumptions[32][256];       /* sentences for the summary; empty: end */
    const struct hci_jobfile *jobfile; /* borrowed, for its global options; NULL: none */
    unsigned reps;                   /* replications merged here; 0 and 1: one */
    double precision;                /* half-width asked for, relative; 0: none */
    unsigned ngiven;                 /* the layout's; 0: not known */
    unsigned char *inert;            /* by its place in the layout's list, see hci_inert.h */
};

/* into += from. */
void hci_moments_add(struct hci_moments *into, const struct hci_moments *from);

/* Sets the intervals of a direction from its batches. */
void hci_dir_estimate(struct hci_dir_result *d);

void hci_result_free(struct hci_result *r);

#endif
