/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_calibrate.h: the verb calibrate: parameters from measurements.
 *
 * Jobs that were measured and stand in the job file are simulated again and
 * again with the same seed while named parameters of the layout move; the
 * values of least squared log ratio are kept. Jobs held out are simulated with
 * them afterwards, and their error is the honest one.
 * Not here: the least squares (ana_fit.h), pairing jobs (ana_compare.h).
 * Invariants: held-out jobs never enter the fit; a closed loop gives one
 * observation a job and direction, as its IOPS follow from its mean latency.
 */
#ifndef ANA_CALIBRATE_H
#define ANA_CALIBRATE_H

#include "ana_compare.h"
#include "ana_fit.h"
#include "hci_layout.h"

#define ANA_CALIBRATE_LIST 128 /* files, --set, --on, --hold-out: each */
#define ANA_VALUE_LEN 64

struct ana_knob { /* one --fit */
    const char *key, *min, *max; /* texts; min and max NULL: a tenth and ten times the start */
    int type;                    /* enum hci_type of the value in the layout */
};

struct ana_calibrate_conf { /* the command line */
    const char *layout, *jobs, *out;
    const char *measured[ANA_CALIBRATE_LIST], *on[ANA_CALIBRATE_LIST], *hold[ANA_CALIBRATE_LIST];
    struct hci_set sets[ANA_CALIBRATE_LIST];
    struct ana_knob knobs[ANA_FIT_MAX];
    unsigned nmeasured, non, nhold, nsets, nknobs;
    unsigned nmetrics;
    int metrics[ANA_METRICS]; /* enum ana_metric_id */
    uint64_t seed;
    double noise;             /* relative */
};

struct ana_observed { /* one direction of one measured job that is simulated */
    char section[256];    /* the simulated job's name */
    const struct ana_measured_job *measured;
    const char *file;
    int dir;
    bool fitted;          /* else held out */
    struct ana_metric before[ANA_METRICS], after[ANA_METRICS];
};

struct ana_calibration {
    struct ana_calibrate_conf conf;
    struct ana_measured *files[ANA_CALIBRATE_LIST];
    unsigned nobserved, nfitted;
    struct ana_observed *observed;
    struct ana_fit fit;
    bool chosen;              /* no --fit was given: the knobs are the platform's constants */
    unsigned noffered;        /* of which so many were looked at */
    char offered[ANA_FIT_MAX][64]; /* keys of all of them, owned here */
};

/* ana_calibrate_args.c. SIM_OK or SIM_E_INPUT. Cuts texts in argv itself. */
int ana_calibrate_parse(struct ana_calibrate_conf *c, int argc, char **argv, struct sim_err *e);

/* ana_calibrate_key.c: reads a knob's value from an effective layout and its
 * bounds, in base units. SIM_OK or SIM_E_INPUT. */
int ana_knob_read(struct ana_knob *k, struct ana_fit_param *p, const struct hci_layout *lay,
                  struct sim_err *e);
/* A value in file syntax without quotes: "1.62 us". Returns buf. */
char *ana_knob_text(const struct ana_knob *k, double value, char buf[ANA_VALUE_LEN]);

/* ana_calibrate_choose.c: without --fit. The first offers the platform's time
 * constants that its table says move latency or IOPS; the second, when fit.eval
 * is ready, keeps as many as the observations can tell apart. SIM_OK, SIM_E_INPUT
 * when there is none, or what the model returned. */
void ana_calibrate_offer(struct ana_calibration *c, const struct hci_layout *lay);
int ana_calibrate_choose(struct ana_calibration *c, struct sim_err *e);

/* ana_calibrate_print.c */
void ana_calibrate_text(FILE *f, const struct ana_calibration *c);
/* The largest error of mean latency and IOPS over held-out jobs, 0..; -1: none held out. */
double ana_calibrate_held_out(const struct ana_calibration *c, double *mean, const char **worst);
/* What --out needs: all keys in one group (platform, or one device). */
int ana_overlay_check(const struct ana_calibrate_conf *c, struct sim_err *e);
/* Writes the overlay. SIM_OK or SIM_E_IO. */
int ana_overlay_write(const struct ana_calibration *c, struct sim_err *e);

#endif
