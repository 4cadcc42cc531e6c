/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_view.h: a job's result under fio's definitions.
 *
 * What every output format needs and none should compute twice: the list of
 * percentiles asked for, shares of I/Os per latency bucket and per queue
 * depth, read, write and trim merged, totals of a reporting group.
 * Not here: any text. Differences from fio: latency buckets are counted from
 * the clat histogram, so an I/O within half a bin (at most 1/128) of a bucket's edge
 * may fall on its other side.
 * Invariants: nothing here changes a result; a missing job (NULL) stands for
 * fio's defaults.
 */
#ifndef ANA_VIEW_H
#define ANA_VIEW_H

#include "hci_result.h"
#include "workload/hci_job.h"

/* What outputs call themselves where fio puts its version. */
#define ANA_FIO_VERSION "fio-3.33 (simulated)"

struct ana_lat_shares {    /* percent of all read, write and trim I/Os */
    double ns[10], us[10]; /* below 2 4 10 20 50 100 250 500 750 1000 */
    double ms[12];         /* the same, then below 2000, then 2000 and more */
};

/* Names of the buckets: "2" ... "1000" (10 of them for ns and us), "2000", ">=2000". */
extern const char *const ana_lat_names[12];
/* Names of the depth levels: "1" ... ">=64". */
extern const char *const ana_depth_names[7];
/* "read", "write", "trim", "sync". */
extern const char *const ana_dir_names[HCI_DIRS];

/* Shares per latency bucket. A share above 0 is never below 0.01. */
void ana_lat_shares(const struct hci_job_result *j, struct ana_lat_shares *out);

/* I/Os per batch submitted and completed, in fio's steps: the engine issues and
 * reaps one at a time, so all lie in the step "4" (1 to 4). All 0 without I/O. */
extern const char *const ana_batch_names[7];
void ana_batch_shares(const struct hci_job_result *j, double out[7]);

/* Percent of issued I/Os per queue depth level; above 0 never below 0.1. */
void ana_depth_shares(const struct hci_job_result *j, double out[7]);

/* The percentiles (0..100, ascending) the job asks for, or fio's 17; returns
 * how many. */
unsigned ana_percentiles(const struct hci_job *job, double out[HCI_PERCENTILES_MAX]);

/* Value of the percentile pct (0..100) in out[0] and its 95 % limits in out[1]
 * and out[2], ns, by order statistics of independent samples. */
void ana_percentile_limits(const struct sim_hist *h, double pct, uint64_t out[3]);

/* Which latencies get percentiles: slat, clat, lat. */
bool ana_wants_slat_pct(const struct hci_job *job);
bool ana_wants_clat_pct(const struct hci_job *job);
bool ana_wants_lat_pct(const struct hci_job *job);

/* What the job's disable_clat, disable_lat, disable_bw and gtod_reduce leave. */
bool ana_shows_clat(const struct hci_job *job);
bool ana_shows_lat(const struct hci_job *job);
bool ana_shows_samples(const struct hci_job *job);
/* False with stats=0: the job is simulated and not reported. */
bool ana_reported(const struct hci_job *job);

/* Samples of one of d's histograms that were simulated; h holds those of skipped
 * time as well, scaled, and they fix no percentile. */
uint64_t ana_dir_simulated(const struct hci_dir_result *d, const struct sim_hist *h);

/* False where fio has no submission latency (synchronous engines submit and
 * complete in one call, and all of the time is completion latency), where the
 * job asks for none, and where the platform does not say when a submission
 * returns. */
bool ana_has_slat(const struct hci_job *job, const struct hci_dir_result *d);

/* 0 each direction by itself, 1 merged only, 2 both (unified_rw_reporting). */
int ana_unified(const struct hci_job *job);

/* Merges read, write and trim into *out (caller's storage, about 60 kB; its
 * intervals and breakdown stay empty). The window is the longest of the three. */
void ana_dir_merge(const struct hci_job_result *j, struct hci_dir_result *out);

/* IOPS and bytes/s of read, write and trim together. */
double ana_job_iops(const struct hci_job_result *j);
double ana_job_bw_Bps(const struct hci_job_result *j);

struct ana_group { /* one direction of a reporting group, as fio's last lines */
    uint64_t bytes;
    uint64_t min_runtime_ns, max_runtime_ns;
    double agg_Bps, min_Bps, max_Bps; /* agg: all bytes over the longest window */
};

/* Sums direction dir over all jobs of a group. False: no bytes moved. */
bool ana_group_sum(const struct hci_result *r, unsigned groupid, int dir, struct ana_group *out);

/* The job's mean bandwidth samples in percent of its group's, at most 100;
 * 0 where there is nothing to compare. */
double ana_bw_share(const struct hci_result *r, const struct hci_job_result *j, int dir);

/* ns to whole ms as fio reports runtimes. */
uint64_t ana_ms(uint64_t ns);

#endif
