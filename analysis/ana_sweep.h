/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep.h: the verbs sweep and merge.
 *
 * A sweep simulates one job file at every point of a space of layouts and job
 * options, under the same random numbers, and answers from the table of points:
 * sorted, Pareto front, sensitivities, or the largest load that still meets a
 * limit. docs/sweep.md is the user's page.
 * Invariants: the result file depends on the plan alone, not on threads, ranks,
 * shards or interruptions; a point that cannot run is a row with its reason.
 */
#ifndef ANA_SWEEP_H
#define ANA_SWEEP_H

#include "ana_sweep_row.h"
#include "hci_layout.h"
#include "workload/hci_job.h"

#define ANA_SWEEP_LIST_MAX 256 /* job files, --set, --section, --price: each */
#define ANA_SWEEP_TOP 40       /* points printed unless --top says otherwise */
#define ANA_SWEEP_REPS_MAX 10000
#define ANA_SWEEP_PRECISION 0.02 /* unless --precision says otherwise */

struct ana_price {
    const char *device; /* a catalogue name, or "node" */
    double eur;
};

struct ana_sweep_conf { /* the command line */
    const char *layout;
    const char *jobs[ANA_SWEEP_LIST_MAX + 1], *sections[ANA_SWEEP_LIST_MAX + 1];
    const char *vary[ANA_AXES_MAX];
    struct hci_set sets[ANA_SWEEP_LIST_MAX];
    struct hci_job_final finals[ANA_SWEEP_LIST_MAX]; /* from --set job.OPTION=VALUE */
    struct ana_price prices[ANA_SWEEP_LIST_MAX];
    unsigned njobs, nsections, nvary, nsets, nfinals, nprices;
    const char *h5, *results, *sort, *pareto, *until;
    uint64_t seed, sample, top;
    unsigned threads;                /* 0: every core */
    unsigned shard, nshards;         /* 1-based; 0 of 0: the whole */
    unsigned reps;                   /* of every point; at least 1 */
    double precision;                /* relative half-width that is enough; 0: simulate all */
    double sensitivity;              /* share, 0: none */
    bool zip, csv, resume, force, lenient;
    int eta;                         /* enum ana_eta */
};

/* Fills *c from the command line (which it may cut at equals signs) and checks
 * it as a whole. SIM_OK or SIM_E_INPUT. */
int ana_sweep_parse(struct ana_sweep_conf *c, int argc, char **argv, struct sim_arena *a,
                    struct sim_err *e);

/* A --set or one value of an axis: to the layout, the job file or both lists.
 * "job.OPTION" and "job.SECTION.OPTION" go to finals. */
int ana_sweep_assign(struct hci_set *sets, unsigned *nsets, struct hci_job_final *finals,
                     unsigned *nfinals, const char *key, const char *value, struct sim_arena *a);

int ana_sweep_main(int argc, char **argv);
int ana_merge_main(int argc, char **argv);

#endif
