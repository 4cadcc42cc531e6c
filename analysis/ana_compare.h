/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_compare.h: a simulated result beside measured ones.
 *
 * Jobs are paired by name, then by rw, bs, iodepth and numjobs. A pair is one
 * direction of one job: eight metrics, quantiles side by side and, where both
 * files have bins (json+ or HDF5), the Kolmogorov-Smirnov distance. Findings
 * say what makes a measurement suspect, each with the figure that shows it.
 * Not here: reading files (ana_load.h), whether a difference matters to the user.
 * Invariants: latencies of a pair are of one kind, clat where the measurement
 * has its percentiles, else lat; the mean is lat (clat where there is no lat);
 * a result compared with itself has ratios of exactly 1 and a distance of 0.
 */
#ifndef ANA_COMPARE_H
#define ANA_COMPARE_H

#include <stdio.h>

#include "ana_fio_read.h"

enum ana_metric_id {
    ANA_M_IOPS,
    ANA_M_MBPS,
    ANA_M_MEAN,
    ANA_M_P50,
    ANA_M_P95,
    ANA_M_P99,
    ANA_M_P999,
    ANA_M_P9999,
    ANA_METRICS
};

enum ana_verdict {
    ANA_V_ABSENT,     /* one side does not have it */
    ANA_V_UNRESOLVED, /* fewer than 100 samples beyond it on one side */
    ANA_V_SAME,       /* within 5 %: repeats of one run differ as much */
    ANA_V_CLOSE,      /* within the tolerance, 20 % unless given */
    ANA_V_HIGH,       /* simulated is higher than that */
    ANA_V_LOW
};

struct ana_metric {
    double sim, measured; /* IOPS; 10^6 bytes/s; us */
    double ratio;         /* sim / measured; 0 when ABSENT */
    int verdict;          /* enum ana_verdict */
};

#define ANA_QUANTILES 13

struct ana_quantile {
    double pct, sim_us, measured_us;
};

struct ana_pair { /* borrows jobs and file from the caller */
    const struct ana_measured_job *sim, *measured;
    const char *file;
    int dir;              /* ANA_READ .. ANA_TRIM */
    bool by_options;      /* names differ, options agree */
    const char *kind;     /* "clat" or "lat": of percentiles, quantiles and distance */
    const char *mean_kind;
    struct ana_metric m[ANA_METRICS];
    unsigned nq;
    struct ana_quantile q[ANA_QUANTILES];
    bool has_ks;
    double ks, ks_us;     /* largest difference of the two distributions, and where */
    uint64_t n_sim, n_measured;
};

struct ana_finding {
    const char *file;
    char job[256];       /* empty: the whole file */
    char code[16];       /* "units", "depth", "floor", ... see docs/compare.md */
    char text[480];
};

struct ana_comparison {
    double tolerance_pct; /* 0: none was asked for */
    unsigned npairs, nfindings, nnotes;
    unsigned njudged, nout; /* metrics with a verdict; of them HIGH or LOW */
    struct ana_pair *pairs;
    struct ana_finding *findings;
    char (*notes)[480];  /* jobs without a partner and the like */
};

struct ana_source { /* one measured file */
    const char *path;
    const struct ana_measured *m;
};

/* Compares. sim and sources must outlive *c. SIM_OK; SIM_E_INPUT when no job of
 * a file matches any of sim; SIM_E_IO without memory. Free with
 * ana_comparison_free whatever was returned. */
int ana_compare(struct ana_comparison *c, const struct ana_measured *sim, const char *sim_path,
                const struct ana_source *sources, unsigned nsources, double tolerance_pct,
                struct sim_err *e);
void ana_comparison_free(struct ana_comparison *c);

/* Appends a finding (file and job may be NULL) or a note. Silently drops what
 * comes after the 256th. */
void ana_find(struct ana_comparison *c, const char *file, const char *job, const char *code,
              const char *fmt, ...) __attribute__((format(printf, 5, 6)));
void ana_note(struct ana_comparison *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* ana_pair.c: fills everything of *p but the first five members. */
void ana_pair_fill(struct ana_pair *p, double tolerance_pct);

/* ana_match.c: which simulated job a measured one is, NULL: none. */
const struct ana_measured_job *ana_match(const struct ana_measured *sim,
                                         const struct ana_measured_job *j, bool *by_options);
/* Option of a job in canonical form ("randread", bytes, count), its default
 * when it was not written. Returns buf. */
char *ana_option_canonical(const struct ana_measured_job *j, const char *name, char *buf,
                           size_t size);
/* The option as a number of bytes or a count; fallback when absent or no number. */
double ana_option_number(const struct ana_measured_job *j, const char *name, double fallback);

/* ana_suspect.c: what makes the measurement doubtful. sim_job may be NULL. */
void ana_suspect_job(struct ana_comparison *c, const struct ana_source *src,
                     const struct ana_measured_job *j, const struct ana_measured *sim,
                     const struct ana_measured_job *sim_job);
void ana_suspect_file(struct ana_comparison *c, const struct ana_source *src);

/* ana_compare_print.c */
extern const char *const ana_metric_names[ANA_METRICS], *const ana_metric_units[ANA_METRICS],
    *const ana_verdict_names[6];
void ana_compare_text(FILE *f, const struct ana_comparison *c);
void ana_compare_json(FILE *f, const struct ana_comparison *c);

#endif
