/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_row.h: what a sweep keeps of one point.
 *
 * Per point its status, price, power and space; per job of it one row of
 * metrics. Latencies are fio's lat (submission and completion), in ns, over
 * reads, writes and trims together unless the name says otherwise.
 * Half-widths are made of batches, windows or replications (hci_batch.h), of all
 * directions together; NaN where there is no interval, and for a percentile with
 * fewer than 100 simulated I/Os beyond it.
 * Not kept: histograms, series, breakdowns (one result file a point has them).
 * Invariants: a metric of I/O that did not happen is NaN; a point that was not
 * simulated has no rows and a reason; packing and unpacking lose nothing and
 * give the same bytes on every machine.
 */
#ifndef ANA_SWEEP_ROW_H
#define ANA_SWEEP_ROW_H

#include "ana_sweep_space.h"
#include "hci_result.h"

/* id, name, column, unit, better (1: more, -1: less, 0: neither), doc */
#define ANA_METRICS(X) \
    X(IOPS, "iops", "iops", "1/s", 1, "I/Os completed per second") \
    X(BW, "bw", "bw_Bps", "B/s", 1, "bandwidth") \
    X(MEAN, "mean", "mean_ns", "ns", -1, "mean latency") \
    X(P50, "p50", "p50_ns", "ns", -1, "median latency") \
    X(P99, "p99", "p99_ns", "ns", -1, "99th percentile of latency") \
    X(P999, "p99.9", "p99_9_ns", "ns", -1, "99.9th percentile of latency") \
    X(P9999, "p99.99", "p99_99_ns", "ns", -1, "99.99th percentile of latency") \
    X(MAX, "max", "max_ns", "ns", -1, "largest latency") \
    X(MEAN_HALF, "mean_half", "mean_half_ns", "ns", -1, "half-width of the 95 % interval of mean") \
    X(P99_HALF, "p99_half", "p99_half_ns", "ns", -1, "half-width of the 95 % interval of p99") \
    X(READ_IOPS, "read_iops", "read_iops", "1/s", 1, "reads per second") \
    X(READ_MEAN, "read_mean", "read_mean_ns", "ns", -1, "mean latency of reads") \
    X(READ_P99, "read_p99", "read_p99_ns", "ns", -1, "99th percentile of reads") \
    X(WRITE_IOPS, "write_iops", "write_iops", "1/s", 1, "writes per second") \
    X(WRITE_MEAN, "write_mean", "write_mean_ns", "ns", -1, "mean latency of writes") \
    X(WRITE_P99, "write_p99", "write_p99_ns", "ns", -1, "99th percentile of writes") \
    X(WRITE_P999, "write_p99.9", "write_p99_9_ns", "ns", -1, "99.9th percentile of writes") \
    X(SYNC_P99, "sync_p99", "sync_p99_ns", "ns", -1, "99th percentile of flushes") \
    X(IN_FLIGHT, "in_flight", "in_flight", "1", 0, "I/Os in flight, time average") \
    X(BUSY, "busy", "busy", "1", 0, "share of time the busiest station was busy") \
    X(BOUND, "bound", "bound_iops", "1/s", 0, "closed-form upper bound of iops; 0: none") \
    X(IOS, "ios", "ios", "1", 0, "I/Os in the measured window") \
    X(SIMULATED, "simulated", "simulated", "1", 0, "share of the measured time simulated") \
    X(PRICE, "price", "price_eur", "EUR", -1, "price of all drives and priced nodes") \
    X(WATTS, "watts", "watts", "W", -1, "active power of all drives") \
    X(USABLE, "usable", "usable_bytes", "B", 1, "usable capacity by the layout rules")

enum ana_metric {
#define X(id, name, column, unit, better, doc) ANA_M_##id,
    ANA_METRICS(X)
#undef X
        ANA_NMETRICS
};
#define ANA_M_FIRST_OF_POINT ANA_M_PRICE /* from here on: of the point, not of a job */

struct ana_metric_info {
    const char *name, *column, *unit;
    int better;
    const char *doc;
};
extern const struct ana_metric_info ana_metrics[ANA_NMETRICS];

enum ana_point_status {
    ANA_POINT_DONE,
    ANA_POINT_REFUSED, /* by a layout rule */
    ANA_POINT_INVALID, /* the layout or the job file contradicts itself */
    ANA_POINT_FAILED,  /* a job ended in error */
    ANA_POINT_STATUSES
};
extern const char *const ana_point_statuses[]; /* names by enum */

struct ana_row { /* one job */
    char job[64], bottleneck[96], next[96];
    double m[ANA_M_FIRST_OF_POINT];
};

struct ana_point {
    uint64_t number;
    unsigned index[ANA_AXES_MAX]; /* of the value on each axis */
    int status;                   /* enum ana_point_status */
    char reason[256];             /* when not done */
    double price_eur, watts, usable_bytes;
    uint64_t events;
    unsigned nrows, max_rows;
    struct ana_row *row; /* malloc'd, reused */
};

/* Replaces p's rows by those of a result. */
void ana_point_fill(struct ana_point *p, const struct hci_result *r);
/* Frees the rows. */
void ana_point_fini(struct ana_point *p);

/* Packs p (naxes indices); the bytes live in *buf (malloc'd, grown to *size).
 * Returns their number. */
size_t ana_point_pack(const struct ana_point *p, unsigned naxes, unsigned char **buf,
                      size_t *size);
/* The reverse. False when the bytes are no such point. */
bool ana_point_unpack(struct ana_point *p, unsigned naxes, const unsigned char *bytes, size_t n);

/* ana_sweep_metric.c: metrics as people write them. */
struct ana_metric_ref { /* "p99", "write_p99@job" */
    int metric;         /* enum ana_metric */
    char job[64];       /* "": the worst job */
};
int ana_metric_parse(struct ana_metric_ref *m, const char *text, struct sim_err *e);

/* A percentile with fewer than 100 samples beyond it: NaN although there was such I/O. */
bool ana_row_unresolved(const struct ana_row *row, int metric);

/* A metric's job must be one of names[n]. SIM_OK or SIM_E_INPUT with the nearest. */
int ana_metric_check(const struct ana_metric_ref *m, const char *const *names, unsigned n,
                     struct sim_err *e);

/* The point's value; without a job the worst of its jobs. NaN when there is
 * none, or when it is unresolved in one of the jobs asked for. */
double ana_metric_of(const struct ana_metric_ref *m, const struct ana_point *p);

struct ana_condition { /* "p99<5ms" */
    struct ana_metric_ref metric;
    int below;       /* 1: < and <=; 0: > and >= */
    int or_equal;
    double limit;    /* in the metric's unit */
    const char *text;
};
/* Units: ns us ms s for latencies, B/s kB/s... for bw; bare numbers for the
 * rest. text is kept. SIM_OK or SIM_E_INPUT. */
int ana_condition_parse(struct ana_condition *c, const char *text, struct sim_err *e);
bool ana_condition_holds(const struct ana_condition *c, const struct ana_point *p);

/* "1.23 ms", "4.5k", "12.3 MB/s": value of a metric for people; "-" for NaN. */
char *ana_metric_text(char *buf, size_t size, int metric, double value);

#endif
