/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report.h: results as one HTML page.
 *
 * A page holds one run, or several runs beside each other, measurements beside
 * the first run, and sweeps. Of a run it says what was simulated, what limits it, where the
 * time goes, what would help at the most, what is not modelled, and where each
 * number came from.
 * Not here: HTML and charts as such (ana_page.h).
 * Invariants: equal inputs give equal bytes with one version of gnuplot; the
 * page loads nothing and runs no script.
 */
#ifndef ANA_REPORT_H
#define ANA_REPORT_H

#include "ana_compare.h"
#include "ana_page.h"
#include "hci_result.h"

#define ANA_REPORT_RUNS 32

struct ana_whatif;

struct ana_report {
    struct ana_page page;
    unsigned nruns, nmeasured;
    struct hci_result *runs[ANA_REPORT_RUNS];
    const char *paths[ANA_REPORT_RUNS];
    char label[ANA_REPORT_RUNS][96]; /* the layout's name, made distinct */
    struct ana_source measured[ANA_REPORT_RUNS];
    unsigned nsweeps;
    const char *sweeps[ANA_REPORT_RUNS]; /* files of sweeps and sensitivities */
    struct ana_whatif *whatif; /* of the first run; NULL: not asked for */
};

/* What a reader sees first (ana_report_top.c, ana_report_verdict.c): title, verdict,
 * what it rests on, words, several runs. */
void ana_report_head(struct ana_report *r);
void ana_report_verdict(struct ana_report *r);
void ana_report_assumed(struct ana_report *r);
void ana_report_words(struct ana_report *r);
void ana_report_side_by_side(struct ana_report *r);

/* One run (ana_report_run.c, ana_report_charts.c). */
void ana_report_jobs(struct ana_report *r, unsigned run);
void ana_report_percentiles(struct ana_report *r, unsigned run);
void ana_report_relief(struct ana_report *r, unsigned run);
void ana_report_utilisation(struct ana_report *r, unsigned run);
void ana_report_counters(struct ana_report *r, unsigned run);
void ana_chart_cdfs(struct ana_report *r);
void ana_chart_breakdown(struct ana_report *r, unsigned run);
void ana_chart_series(struct ana_report *r, unsigned run);
/* Bars of several runs (ana_report_bars.c). */
void ana_chart_four(struct ana_report *r);
/* A label in gnuplot's data: one word. */
void ana_chart_word(FILE *f, const char *s);

/* The first run with one change at a time (ana_report_whatif.c): in short for the
 * head of the page (nothing when it was not asked for), and as a table. */
void ana_report_whatif_lead(struct ana_report *r);
void ana_report_whatif(struct ana_report *r);

/* The layout (ana_report_layout.c), its numbers and jobs (ana_report_appendix.c). */
void ana_report_layout(struct ana_report *r, unsigned run);
void ana_report_not_modelled(struct ana_report *r);
void ana_report_appendix(struct ana_report *r);

/* Measured beside simulated (ana_report_compare.c). SIM_OK or an error. */
int ana_report_compare(struct ana_report *r, struct sim_err *e);

/* What kind of component a bottleneck is, in a reader's words, without which of them. */
void ana_report_limit_name(char *out, size_t size, const char *bottleneck);

/* The job of that name, NULL when the run has none. */
const struct hci_job_result *ana_report_same_job(const struct hci_result *x, const char *name);

/* The component whose absence would lower the mean latency of direction d most:
 * its part number and share of the mean; -1 when nothing is booked. */
int ana_report_largest_part(const struct hci_result *r, const struct hci_dir_result *d,
                            double *share);
/* The same of a job, its reads and writes together. */
int ana_report_largest_share(const struct hci_result *r, const char *job, double *share);

#endif
