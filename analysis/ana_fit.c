/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_fit.h"

#include <math.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include "sim_gsl.h"

#define STEP 0.05
#define INSIDE 0.999    /* a start at its bound is moved inside */
#define NO_EFFECT 0.002 /* % of change per % of the parameter */

enum { ITERATIONS = 25 };

struct state {
    struct ana_fit *f;
    struct sim_err *e;
    int rc; /* of the last eval */
};

static double mid(const struct ana_fit_param *p)
{
    return (log(p->min) + log(p->max)) / 2;
}

static double half(const struct ana_fit_param *p)
{
    return (log(p->max) - log(p->min)) / 2;
}

/* The free variable x may be any number; near the middle it is ln(value). */
static double value_of(const struct ana_fit_param *p, double x)
{
    return exp(mid(p) + half(p) * tanh((x - mid(p)) / half(p)));
}

static double x_of(const struct ana_fit_param *p, double value)
{
    double at = (log(value) - mid(p)) / half(p);
    at = at > INSIDE ? INSIDE : at < -INSIDE ? -INSIDE : at;
    return mid(p) + half(p) * atanh(at);
}

static int evaluate(struct state *s, const double *value, double *residual)
{
    if (s->rc != SIM_OK)
        return GSL_EBADFUNC;
    s->f->evals++;
    s->rc = s->f->eval(s->f->ctx, value, residual, s->e);
    return s->rc == SIM_OK ? GSL_SUCCESS : GSL_EBADFUNC;
}

static int call(const gsl_vector *x, void *arg, gsl_vector *out)
{
    struct state *s = arg;
    double value[ANA_FIT_MAX];
    for (unsigned i = 0; i < s->f->n; i++)
        value[i] = value_of(&s->f->p[i], gsl_vector_get(x, i));
    return evaluate(s, value, out->data);
}

/* Column by column, around x. */
static int derive(const gsl_vector *x, void *arg, gsl_matrix *jacobian)
{
    struct state *s = arg;
    int rc = GSL_SUCCESS;
    gsl_vector *at = gsl_vector_alloc(s->f->n), *up = gsl_vector_alloc(s->f->m);
    gsl_vector *down = gsl_vector_alloc(s->f->m);
    if (!at || !up || !down)
        rc = GSL_ENOMEM;
    for (unsigned i = 0; rc == GSL_SUCCESS && i < s->f->n; i++) {
        gsl_vector_memcpy(at, x);
        gsl_vector_set(at, i, gsl_vector_get(x, i) + STEP);
        rc = call(at, s, up);
        gsl_vector_set(at, i, gsl_vector_get(x, i) - STEP);
        rc = rc ? rc : call(at, s, down);
        for (unsigned k = 0; rc == GSL_SUCCESS && k < s->f->m; k++)
            gsl_matrix_set(jacobian, k, i,
                           (gsl_vector_get(up, k) - gsl_vector_get(down, k)) / (2 * STEP));
    }
    gsl_vector_free(at);
    gsl_vector_free(up);
    gsl_vector_free(down);
    return rc;
}

static double rms(const gsl_vector *r)
{
    double sum = 0;
    for (size_t i = 0; i < r->size; i++)
        sum += gsl_vector_get(r, i) * gsl_vector_get(r, i);
    return r->size ? sqrt(sum / (double)r->size) : 0;
}

/* d ln(observation) / d ln(parameter), from the derivative by x. */
static void per_log(struct ana_fit *f, gsl_matrix *jacobian, const gsl_vector *x)
{
    for (unsigned i = 0; i < f->n; i++) {
        struct ana_fit_param *p = &f->p[i];
        double t = tanh((gsl_vector_get(x, i) - mid(p)) / half(p)), slope = 1 - t * t, sum = 0;
        for (unsigned k = 0; k < f->m; k++) {
            double v = gsl_matrix_get(jacobian, k, i) / fmax(slope, 1e-6);
            gsl_matrix_set(jacobian, k, i, v);
            sum += v * v;
        }
        p->elasticity = sqrt(sum / f->m);
        p->no_effect = p->elasticity < NO_EFFECT;
        p->at_bound = fabs(t) > 0.995;
    }
}

/* Covariance by singular values, so that it exists where the data say nothing. */
static void uncertainty(struct ana_fit *f, const gsl_matrix *jacobian)
{
    gsl_matrix *u = gsl_matrix_alloc(f->m, f->n), *v = gsl_matrix_alloc(f->n, f->n);
    gsl_vector *sv = gsl_vector_alloc(f->n), *work = gsl_vector_alloc(f->n);
    double cov[ANA_FIT_MAX][ANA_FIT_MAX] = {{0}};
    double sigma = f->m > f->n ? f->rms * sqrt((double)f->m / (f->m - f->n)) : 0;
    sigma = fmax(sigma, f->noise);
    if (u && v && sv && work) {
        gsl_matrix_memcpy(u, jacobian);
        gsl_linalg_SV_decomp(u, v, sv, work);
        for (unsigned i = 0; i < f->n; i++)
            for (unsigned k = 0; k < f->n; k++)
                for (unsigned q = 0; q < f->n; q++) {
                    double w = fmax(gsl_vector_get(sv, q), 1e-9);
                    cov[i][k] += gsl_matrix_get(v, i, q) * gsl_matrix_get(v, k, q) / (w * w);
                }
    }
    for (unsigned i = 0; i < f->n; i++) {
        double half_width = 1.96 * sigma * sqrt(cov[i][i]);
        f->p[i].low = f->p[i].value * exp(-fmin(half_width, 50));
        f->p[i].high = f->p[i].value * exp(fmin(half_width, 50));
        for (unsigned k = 0; k < f->n; k++)
            f->corr[i][k] = cov[i][k] / sqrt(cov[i][i] * cov[k][k]);
    }
    gsl_matrix_free(u);
    gsl_matrix_free(v);
    gsl_vector_free(sv);
    gsl_vector_free(work);
}

static void finish(struct state *s, gsl_multifit_nlinear_workspace *w)
{
    struct ana_fit *f = s->f;
    const gsl_vector *x = gsl_multifit_nlinear_position(w);
    gsl_matrix *jacobian = gsl_matrix_alloc(f->m, f->n);
    f->rms = rms(gsl_multifit_nlinear_residual(w));
    for (unsigned i = 0; i < f->n; i++)
        f->p[i].value = value_of(&f->p[i], gsl_vector_get(x, i));
    if (jacobian && derive(x, s, jacobian) == GSL_SUCCESS) {
        per_log(f, jacobian, x);
        uncertainty(f, jacobian);
    }
    gsl_matrix_free(jacobian);
}

static int check(const struct ana_fit *f, struct sim_err *e)
{
    if (f->n == 0 || f->n > ANA_FIT_MAX)
        return sim_fail(e, SIM_E_INPUT, "a fit takes 1 to %d parameters, not %u", ANA_FIT_MAX, f->n);
    if (f->n > f->m)
        return sim_fail(e, SIM_E_INPUT,
                        "%u parameters cannot be fitted to %u independent observation%s", f->n,
                        f->m, f->m == 1 ? "" : "s");
    for (unsigned i = 0; i < f->n; i++)
        if (!(f->p[i].min > 0) || !(f->p[i].max > f->p[i].min) || f->p[i].start < f->p[i].min ||
            f->p[i].start > f->p[i].max)
            return sim_fail(e, SIM_E_INPUT, "parameter %u: bounds must be 0 < min < max around %g",
                            i + 1, f->p[i].start);
    return SIM_OK;
}

int ana_fit_run(struct ana_fit *f, struct sim_err *e)
{
    struct state s = {f, e, SIM_OK};
    int info = 0, rc = check(f, e);
    if (rc != SIM_OK)
        return rc;
    sim_gsl_quiet();
    gsl_multifit_nlinear_parameters how = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_workspace *w =
        gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how, f->m, f->n);
    gsl_vector *x = gsl_vector_alloc(f->n);
    gsl_multifit_nlinear_fdf fdf = {.f = call, .df = derive, .n = f->m, .p = f->n, .params = &s};
    if (!w || !x) {
        gsl_multifit_nlinear_free(w);
        gsl_vector_free(x);
        return sim_fail(e, SIM_E_IO, "not enough memory for the fit");
    }
    for (unsigned i = 0; i < f->n; i++)
        gsl_vector_set(x, i, x_of(&f->p[i], f->p[i].start));
    f->evals = 0;
    int status = gsl_multifit_nlinear_init(x, &fdf, w);
    f->rms_start = rms(gsl_multifit_nlinear_residual(w));
    if (status == GSL_SUCCESS)
        status = gsl_multifit_nlinear_driver(ITERATIONS, 1e-3, 1e-5, 1e-5, NULL, NULL, &info, w);
    /* No step that helps is an end too: the model is a staircase of whole ns. */
    f->converged = status == GSL_SUCCESS || status == GSL_ENOPROG;
    if (s.rc == SIM_OK)
        finish(&s, w);
    gsl_multifit_nlinear_free(w);
    gsl_vector_free(x);
    return s.rc;
}
