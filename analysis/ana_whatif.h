/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_whatif.h: a run again, with one thing changed at a time.
 *
 * From a result's stored layout and job file: the layout as it is, and each
 * change its parts allow (faster ports, spread flows, more CPU for controllers,
 * more virtual disks, faster drives, other drives, free flushes, faster
 * software), all with the same seed and so the same I/Os and luck; and what the
 * layout assumes: the estimated numbers that move the jobs most, at both ends of
 * their stated range. Jobs are cut to a stretch of simulated time, the same for all.
 * Not here: combinations of changes; how a page shows it (ana_report_whatif.c).
 * Invariants: results do not depend on the number of threads; a change that
 * cannot run has a reason and no figures; base figures are of the cut jobs.
 */
#ifndef ANA_WHATIF_H
#define ANA_WHATIF_H

#include "hci_layout.h"
#include "hci_result.h"
#include "sim_mem.h"

#define ANA_CHANGES_MAX 32
#define ANA_CHANGE_SETS 1024

enum ana_change_kind { /* what a reader may want to sum up */
    ANA_CHANGE_OTHER,
    ANA_CHANGE_DRIVES,  /* drives that are faster, or others */
    ANA_CHANGE_SOFTWARE, /* nothing one can buy */
    ANA_CHANGE_ASSUMED   /* another value of what the layout takes for granted */
};

struct ana_change {
    char title[128];
    int kind;           /* enum ana_change_kind */
    double price_eur;   /* of what is to be bought, by the catalogue; 0: not stated */
    struct hci_set *sets;
    unsigned nsets;
    int status;         /* enum sim_code of its run */
    char reason[256];   /* when it did not run */
    double *iops, *mean_ns; /* by job */
};

struct ana_whatif {
    struct sim_arena *arena;
    const char *layout_name;
    unsigned njobs, nchanges;
    const char **job;   /* names */
    struct ana_change base, change[ANA_CHANGES_MAX];
    char runtime[32];
    double precision;
};

/* Simulates the base and every change on `threads` threads. runtime: simulated
 * time a job takes at the most, in fio's spelling ("2s"). SIM_OK; SIM_E_INPUT when
 * the stored layout or job file does not run again; SIM_E_IO; SIM_E_INTERRUPTED.
 * Free with ana_whatif_fini in any case. */
int ana_whatif_run(struct ana_whatif *w, const struct hci_result *x, const char *runtime,
                   unsigned threads, struct sim_err *e);
void ana_whatif_fini(struct ana_whatif *w);

/* ana_whatif_changes.c: fills w->change from the layout and what the run met. */
void ana_whatif_changes(struct ana_whatif *w, const struct hci_layout *lay,
                        const struct hci_result *x);

/* ana_whatif_range.c: both ends of every estimated number that has a range, of the
 * platform and of drives that hold data; two changes a number, low before high. An
 * array of *n from the arena. */
struct ana_change *ana_whatif_ranges(struct ana_whatif *w, const struct hci_layout *lay,
                                     unsigned *n);
/* Of those, tried in short against base, appends the numbers that move the jobs
 * most to w->change, both ends of each. */
void ana_whatif_choose(struct ana_whatif *w, const struct ana_change *base,
                       const struct ana_change *ends, unsigned n);

/* Share by which a change lifts the IOPS of a job: 0.5 is half as much again. */
double ana_change_gain(const struct ana_whatif *w, const struct ana_change *c, unsigned job);

#endif
