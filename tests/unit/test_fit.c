/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The fit on problems whose answer is known.
 */
#include "check_main.h"

#include <math.h>
#include <string.h>

#include "ana_fit.h"

struct line { /* observation k = a * (1 + k) + b, with a known error each */
    double a, b, error[8];
    unsigned m;
    bool sum_only; /* the model sees a + b alone */
};

static int line_eval(void *ctx, const double *v, double *residual, struct sim_err *e)
{
    const struct line *l = ctx;
    (void)e;
    for (unsigned k = 0; k < l->m; k++) {
        double slope = l->sum_only ? 1 : 1 + k;
        double truth = (l->a * slope + l->b) * (1 + l->error[k]);
        residual[k] = log((v[0] * slope + v[1]) / truth);
    }
    return SIM_OK;
}

static struct ana_fit problem(struct line *l)
{
    struct ana_fit f = {.n = 2, .m = l->m, .noise = 0.01, .eval = line_eval, .ctx = l};
    f.p[0] = (struct ana_fit_param){.start = 1, .min = 0.1, .max = 100};
    f.p[1] = (struct ana_fit_param){.start = 50, .min = 0.1, .max = 100};
    return f;
}

START_TEST(the_truth_is_recovered_from_far_away)
{
    struct line l = {.a = 7, .b = 3, .m = 5};
    struct ana_fit f = problem(&l);
    ck_assert_int_eq(ana_fit_run(&f, NULL), SIM_OK);
    ck_assert(f.converged);
    ck_assert_double_eq_tol(f.p[0].value, 7, 0.01);
    ck_assert_double_eq_tol(f.p[1].value, 3, 0.02);
    ck_assert_double_lt(f.rms, 1e-3);
    ck_assert_double_gt(f.rms_start, 0.3);
}
END_TEST

START_TEST(the_interval_covers_the_truth_under_errors_of_the_stated_size)
{
    struct line l = {.a = 7, .b = 3, .m = 6, .error = {.01, -.012, .008, .011, -.007, -.01}};
    struct ana_fit f = problem(&l);
    ck_assert_int_eq(ana_fit_run(&f, NULL), SIM_OK);
    ck_assert(f.p[0].low < 7 && 7 < f.p[0].high);
    ck_assert(f.p[1].low < 3 && 3 < f.p[1].high);
    ck_assert_double_lt(f.p[0].high / f.p[0].low, 1.2);
}
END_TEST

START_TEST(parameters_the_data_cannot_tell_apart_are_correlated)
{
    struct line l = {.a = 7, .b = 3, .m = 4, .sum_only = true};
    struct ana_fit f = problem(&l);
    ck_assert_int_eq(ana_fit_run(&f, NULL), SIM_OK);
    ck_assert_double_lt(f.corr[0][1], -0.99);
    ck_assert_double_eq_tol(f.p[0].value + f.p[1].value, 10, 0.05);
    ck_assert_double_gt(f.p[0].high / f.p[0].low, 10);
}
END_TEST

START_TEST(a_truth_outside_the_bounds_ends_at_the_bound)
{
    struct line l = {.a = 500, .b = 1, .m = 4};
    struct ana_fit f = problem(&l);
    ck_assert_int_eq(ana_fit_run(&f, NULL), SIM_OK);
    ck_assert_double_gt(f.p[0].value, 90);
    ck_assert_double_le(f.p[0].value, 100);
    ck_assert(f.p[0].at_bound);
}
END_TEST

START_TEST(more_parameters_than_observations_are_refused)
{
    struct line l = {.a = 7, .b = 3, .m = 1};
    struct ana_fit f = problem(&l);
    struct sim_err e;
    ck_assert_int_eq(ana_fit_run(&f, &e), SIM_E_INPUT);
    ck_assert_str_eq(e.text, "2 parameters cannot be fitted to 1 independent observation");
    f.m = 4;
    f.p[0].start = 1000;
    ck_assert_int_eq(ana_fit_run(&f, &e), SIM_E_INPUT);
}
END_TEST

static int broken(void *ctx, const double *v, double *residual, struct sim_err *e)
{
    (void)ctx;
    (void)v;
    (void)residual;
    return sim_fail(e, SIM_E_INPUT, "no such layout");
}

START_TEST(an_error_of_the_model_ends_the_fit_with_its_own_message)
{
    struct line l = {.m = 4};
    struct ana_fit f = problem(&l);
    struct sim_err e;
    f.eval = broken;
    ck_assert_int_eq(ana_fit_run(&f, &e), SIM_E_INPUT);
    ck_assert_str_eq(e.text, "no such layout");
    ck_assert_uint_eq(f.evals, 1);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, the_truth_is_recovered_from_far_away);
    tcase_add_test(tc, the_interval_covers_the_truth_under_errors_of_the_stated_size);
    tcase_add_test(tc, parameters_the_data_cannot_tell_apart_are_correlated);
    tcase_add_test(tc, a_truth_outside_the_bounds_ends_at_the_bound);
    tcase_add_test(tc, more_parameters_than_observations_are_refused);
    tcase_add_test(tc, an_error_of_the_model_ends_the_fit_with_its_own_message);
}
TEST_MAIN("unit.fit")
