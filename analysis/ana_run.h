/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_run.h: the verb run: simulate a job file on a layout and print the result.
 *
 * Everything that can be refused is refused before simulating: options, layout,
 * job file and the paths results go to. Results that were simulated are printed
 * even when writing one of their files fails.
 * Not here: simulation (hci_run.h) and formats (ana_summary.h, ana_json.h,
 * ana_hdf5.h).
 */
#ifndef ANA_RUN_H
#define ANA_RUN_H

#include "hci_layout.h"
#include "sim_err.h"
#include "sim_types.h"

#define ANA_RUN_LIST_MAX 256 /* job files, --set, --section: each */

enum ana_format { ANA_NORMAL = 1, ANA_JSON = 2, ANA_JSON_BINS = 4, ANA_TERSE = 8 };

struct ana_run_conf { /* the command line */
    const char *layout;
    const char *jobs[ANA_RUN_LIST_MAX + 1];     /* NULL-terminated */
    const char *sections[ANA_RUN_LIST_MAX + 1]; /* NULL-terminated */
    struct hci_set sets[ANA_RUN_LIST_MAX];
    unsigned njobs, nsections, nsets;
    const char *h5, *output; /* NULL: none; standard output */
    uint64_t seed;
    unsigned repeat, formats; /* enum ana_format */
    unsigned reps, threads;
    double precision;         /* relative; 0: simulate all */
    sim_time pause_ns;
    bool force, lenient, plot;
    bool parse_only, showcmd; /* stop before simulating */
    int terse_version;        /* 2 to 5 */
    sim_time status_ns;       /* simulated time between interim reports; 0: none */
    int eta; /* enum ana_eta */
};

/* Fills *c from the command line. SIM_OK or SIM_E_INPUT. Text of `--set K=V` is
 * cut at the equals sign in argv itself. */
int ana_run_parse(struct ana_run_conf *c, int argc, char **argv, struct sim_err *e);

/* The verb. Returns an exit status (enum sim_code). */
int ana_run_main(int argc, char **argv);

#endif
