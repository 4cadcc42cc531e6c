/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_curve.h: points of a drive's queue-depth curve, published and simulated.
 *
 * Published points stand in curves.csv of the configuration directory, one a
 * line, with what they were used for. A point is simulated on one-device.cfg with
 * device-curve.fio of the same directory, on a drive at rest; engine "spdk" means
 * no host at all. Runs are as long as MIN_IOS completions or a tenth of a second
 * need, so a write is a burst as far as the drive's caches allow.
 * Not here: percentiles (calibration compares those).
 */
#ifndef ANA_CURVE_H
#define ANA_CURVE_H

#include "sim_err.h"
#include "sim_types.h"

enum ana_use { ANA_USE_NONE, ANA_USE_FIT, ANA_USE_HELD_OUT, ANA_USE_LABEL, ANA_USE_NOT_MET };

struct ana_point {
    char device[64], rw[16], engine[16], source[160];
    uint64_t bytes, depth, jobs; /* depth: per job */
    double kiops, mean_us;       /* published; mean 0: not */
    double tolerance;            /* percent */
    int use;                     /* enum ana_use */
    int line;
};

/* "fit", "held-out", "label", "not-met". */
const char *ana_use_name(int use);

/* DIR/curves.csv; *points is malloc'd. SIM_OK, SIM_E_INPUT or SIM_E_IO. */
int ana_curve_read(struct ana_point **points, unsigned *n, const char *dir, struct sim_err *e);

struct ana_simulated {
    double kiops, mean_us;
};

/* Runs one point (its published part is not looked at) on the device. */
int ana_curve_simulate(const struct ana_point *p, const char *dir, struct ana_simulated *out,
                       struct sim_err *e);

/* Percent by which a simulated figure is above (+) or below a published one. */
double ana_curve_error(double simulated, double published);

#endif
