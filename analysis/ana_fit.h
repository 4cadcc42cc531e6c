/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_fit.h: parameters fitted to observations by least squares.
 *
 * Levenberg-Marquardt (GSL) on logarithms: a residual is ln(model / observed),
 * a parameter moves by factors between its bounds. Derivatives are central
 * differences over 5 %, wide enough for a model with a little noise of its own.
 * Uncertainty comes from the curvature at the end and the residuals, or the
 * stated noise of an observation where that is larger.
 * Not here: what the parameters and observations are.
 * Invariants: every value tried lies within its bounds; no more parameters than
 * observations.
 */
#ifndef ANA_FIT_H
#define ANA_FIT_H

#include "sim_err.h"
#include "sim_types.h"

#define ANA_FIT_MAX 16 /* parameters */

struct ana_fit_param {
    double start, min, max;   /* 0 < min < max; start within them */
    double value, low, high;  /* out: fitted, and its 95 % interval */
    double elasticity;        /* out: % the observations change per % of it (root mean square) */
    bool no_effect, at_bound; /* out: the observations do not tell it; ended at a bound */
};

struct ana_fit {
    unsigned n, m;            /* parameters, observations */
    struct ana_fit_param p[ANA_FIT_MAX];
    double noise;             /* relative error of one observation, e.g. 0.01 */
    /* Fills residual[m] for value[n]. SIM_OK, or an error that ends the fit. */
    int (*eval)(void *ctx, const double *value, double *residual, struct sim_err *e);
    void *ctx;
    double corr[ANA_FIT_MAX][ANA_FIT_MAX]; /* out: correlation of the estimates */
    double rms_start, rms;    /* out: root mean square of the residuals */
    bool converged;
    unsigned evals;           /* out: how often the model ran */
};

/* SIM_OK (look at converged), SIM_E_INPUT when n > m or a bound is wrong, or
 * what eval returned. */
int ana_fit_run(struct ana_fit *f, struct sim_err *e);

#endif
