/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check_main.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#include "sim_dist.h"
#include "sim_gsl.h"
#include "sim_rng.h"
#include "sim_stat.h"

/* A first-order autoregressive series around 0. */
static void fill_ar1(double *x, size_t n, double rho, uint64_t key)
{
    gsl_rng *r = sim_gsl_create(key);
    double last = gsl_ran_gaussian_ziggurat(r, 1 / sqrt(1 - rho * rho));
    for (size_t i = 0; i < n; i++)
        x[i] = last = rho * last + gsl_ran_gaussian_ziggurat(r, 1);
    gsl_rng_free(r);
}

START_TEST(moments_are_exact_where_doubles_would_cancel)
{
    struct sim_moments m = {0};
    for (uint64_t i = 0; i < 1000; i++)
        sim_moments_add(&m, 200000000000000U + i % 2);
    ck_assert_double_eq(sim_moments_mean(&m), 200000000000000.5);
    ck_assert_double_eq_tol(sim_moments_sd(&m), sqrt(250.0 / 999), 1e-12);
    ck_assert(m.min == 200000000000000U && m.max == 200000000000001U);
}
END_TEST

START_TEST(moments_agree_with_gsl)
{
    enum { N = 5000 };
    double x[N];
    struct sim_moments m = {0};
    for (uint64_t i = 0; i < N; i++) {
        uint64_t v = sim_mix(i) >> 40;
        x[i] = (double)v;
        sim_moments_add(&m, v);
    }
    ck_assert_double_eq_tol(sim_moments_mean(&m), gsl_stats_mean(x, 1, N), 1e-6);
    ck_assert_double_eq_tol(sim_moments_sd(&m), gsl_stats_sd(x, 1, N), 1e-6);
    ck_assert_double_eq_tol(sim_stat_mean(x, N), gsl_stats_mean(x, 1, N), 1e-6);
    ck_assert_double_eq_tol(sim_stat_sd(x, N), gsl_stats_sd(x, 1, N), 1e-6);
}
END_TEST

static bool same_moments(const struct sim_moments *a, const struct sim_moments *b)
{
    return a->n == b->n && a->min == b->min && a->max == b->max && a->sum == b->sum &&
           a->squares == b->squares;
}

START_TEST(merged_moments_do_not_depend_on_the_order)
{
    struct sim_moments part[3] = {{0}}, all = {0}, ab = {0}, ba = {0};
    for (uint64_t i = 0; i < 1000; i++) {
        sim_moments_add(&part[i % 2], sim_mix(i) >> 30);
        sim_moments_add(&all, sim_mix(i) >> 30);
    }
    for (int i = 0; i < 3; i++) {
        sim_moments_merge(&ab, &part[i]);
        sim_moments_merge(&ba, &part[2 - i]);
    }
    ck_assert(same_moments(&ab, &ba));
    ck_assert(same_moments(&ab, &all));
}
END_TEST

START_TEST(moments_of_nothing_and_of_one_value_are_finite)
{
    struct sim_moments m = {0};
    ck_assert_double_eq(sim_moments_mean(&m), 0);
    sim_moments_add(&m, 9);
    ck_assert_double_eq(sim_moments_mean(&m), 9);
    ck_assert_double_eq(sim_moments_sd(&m), 0);
}
END_TEST

START_TEST(a_level_is_weighted_by_how_long_it_lasted)
{
    struct sim_level l;
    sim_level_init(&l, 100, 2);
    ck_assert_double_eq(sim_level_mean(&l, 100), 2);
    sim_level_set(&l, 110, 5); /* 10 ns at 2 */
    sim_level_set(&l, 130, 0); /* 20 ns at 5 */
    ck_assert_double_eq(sim_level_mean(&l, 140), 120.0 / 40);
    ck_assert_uint_eq(l.max, 5);
    sim_level_restart(&l, 140);
    sim_level_set(&l, 145, 4);
    ck_assert_double_eq(sim_level_mean(&l, 150), 2);
    ck_assert_uint_eq(l.max, 4);
}
END_TEST

START_TEST(lag1_of_an_autoregressive_series_is_its_coefficient)
{
    enum { N = 100000 };
    static double x[N];
    static const double rhos[] = {-0.5, 0, 0.3, 0.9};
    for (size_t i = 0; i < 4; i++) {
        fill_ar1(x, N, rhos[i], 11 + i);
        ck_assert_double_eq_tol(sim_stat_lag1(x, N), rhos[i], 5 / sqrt(N));
    }
    x[0] = x[1] = x[2] = 7;
    ck_assert_double_eq(sim_stat_lag1(x, 3), 0);
}
END_TEST

START_TEST(batch_means_leave_out_the_oldest_remainder)
{
    static const double x[] = {100, 1, 3, 5, 7, 9, 11};
    double out[3];
    ck_assert_uint_eq(sim_stat_batch_means(x, 7, 3, out), 2);
    ck_assert_double_eq(out[0], 2);
    ck_assert_double_eq(out[1], 6);
    ck_assert_double_eq(out[2], 10);
    ck_assert_uint_eq(sim_stat_batch_means(x, 2, 3, out), 0);
    ck_assert_uint_eq(sim_stat_batch_means(x, 2, 0, out), 0);
}
END_TEST

START_TEST(mser5_cuts_a_decaying_start_and_nothing_from_a_steady_series)
{
    enum { N = 10000 };
    static double x[N];
    size_t steady = 0, decaying = 0;
    for (uint64_t k = 0; k < 20; k++) {
        fill_ar1(x, N, 0, 100 + k);
        steady += sim_stat_mser5(x, N).cut;
        for (size_t i = 0; i < N; i++)
            x[i] += 50 * exp(-(double)i / 100); /* below the noise after about 400 */
        struct sim_warmup w = sim_stat_mser5(x, N);
        ck_assert_uint_ge(w.cut, 300);
        ck_assert_uint_le(w.cut, 1000);
        ck_assert_uint_eq(w.cut % 5, 0);
        ck_assert(!w.suspect);
        decaying += w.cut;
    }
    ck_assert_uint_lt(steady / 20, N / 20);
    ck_assert_uint_gt(decaying / 20, 400);
}
END_TEST

START_TEST(mser5_agrees_with_its_definition_computed_the_slow_way)
{
    enum { N = 603, M = N / 5 };
    double x[N], y[M], best = INFINITY;
    size_t cut = 0;
    fill_ar1(x, N, 0.6, 77);
    for (size_t i = 0; i < N; i++)
        x[i] += 1e6 + 20 * exp(-(double)i / 40);
    for (size_t i = 0; i < M; i++)
        y[i] = gsl_stats_mean(x + 5 * i, 1, 5);
    for (size_t d = 0; d <= M / 2; d++) {
        double left = (double)(M - d);
        double error = gsl_stats_variance(y + d, 1, M - d) * (left - 1) / (left * left);
        if (error < best) {
            best = error;
            cut = 5 * d;
        }
    }
    ck_assert_uint_gt(cut, 0);
    ck_assert_uint_eq(sim_stat_mser5(x, N).cut, cut);
}
END_TEST

START_TEST(mser5_doubts_a_run_that_never_settles_or_is_short)
{
    enum { N = 1000 };
    double x[N];
    for (size_t i = 0; i < N; i++)
        x[i] = (double)i;
    ck_assert(sim_stat_mser5(x, N).suspect);
    ck_assert_uint_eq(sim_stat_mser5(x, N).cut, N / 2);
    ck_assert(sim_stat_mser5(x, 100).suspect);
    ck_assert_uint_eq(sim_stat_mser5(x, 0).cut, 0);
    ck_assert_uint_eq(sim_stat_mser5(x, 4).cut, 0);
}
END_TEST

START_TEST(a_trend_is_fitted_as_gsl_does_and_found_only_where_there_is_one)
{
    enum { N = 50, RUNS = 2000 };
    double x[N], index[N], c0, c1, c00, c01, c11, rss;
    unsigned false_alarms = 0;
    for (size_t i = 0; i < N; i++)
        index[i] = (double)i;
    for (uint64_t k = 0; k < RUNS; k++) {
        fill_ar1(x, N, 0, 1000 + k);
        false_alarms += sim_stat_trend(x, N).p_value < 0.05;
    }
    ck_assert_double_eq_tol(false_alarms / (double)RUNS, 0.05, 0.02);
    for (size_t i = 0; i < N; i++)
        x[i] += 10 + 0.1 * (double)i;
    struct sim_trend t = sim_stat_trend(x, N);
    gsl_fit_linear(index, 1, x, 1, N, &c0, &c1, &c00, &c01, &c11, &rss);
    ck_assert_double_eq_tol(t.slope, c1, 1e-12);
    ck_assert_double_eq_tol(t.p_value, 2 * gsl_cdf_tdist_Q(c1 / sqrt(c11), N - 2), 1e-12);
    ck_assert_double_eq_tol(t.change, c1 * (N - 1) / gsl_stats_mean(x, 1, N), 1e-12);
    ck_assert_double_lt(t.p_value, 0.001);
    ck_assert_double_eq(sim_stat_trend(x, 2).p_value, 1);
}
END_TEST

START_TEST(the_mean_interval_of_five_values_is_the_textbook_one)
{
    static const double x[] = {1, 2, 3, 4, 5};
    struct sim_interval r = sim_stat_mean_interval(x, 5, 0.95);
    ck_assert_double_eq(r.estimate, 3);
    ck_assert_double_eq_tol(r.half, 2.7764451 * sqrt(2.5) / sqrt(5), 1e-6); /* t of 4 degrees */
    ck_assert_double_eq_tol(r.lag1, 0.4, 1e-12);
    ck_assert_uint_eq(r.batches, 5);
}
END_TEST

START_TEST(the_mean_interval_of_normal_samples_covers_as_often_as_it_says)
{
    enum { N = 20, RUNS = 4000 };
    static const double levels[] = {0.90, 0.95, 0.99};
    for (size_t l = 0; l < 3; l++) {
        unsigned covered = 0;
        for (uint64_t k = 0; k < RUNS; k++) {
            double x[N];
            fill_ar1(x, N, 0, sim_key(l, k));
            struct sim_interval r = sim_stat_mean_interval(x, N, levels[l]);
            covered += fabs(r.estimate) <= r.half;
        }
        double error = sqrt(levels[l] * (1 - levels[l]) / RUNS);
        ck_assert_double_eq_tol(covered / (double)RUNS, levels[l], 4 * error);
    }
}
END_TEST

/* n samples in each of 20 batches, from d; counts how often the truth is inside. */
static unsigned covers(const struct sim_dist *d, uint64_t key, unsigned n, double pct, double truth)
{
    static struct sim_hist h[20], merged;
    const struct sim_hist *batch[20];
    memset(h, 0, sizeof h);
    memset(&merged, 0, sizeof merged);
    for (unsigned b = 0; b < 20; b++) {
        for (unsigned i = 0; i < n; i++)
            sim_hist_record(&h[b], sim_dist_draw(d, sim_key(sim_key(key, b), i)));
        batch[b] = &h[b];
        sim_hist_merge(&merged, &h[b]);
    }
    struct sim_interval r = sim_stat_quantile_interval(batch, 20, &merged, pct, 0.95);
    ck_assert_uint_eq(r.batches, 20);
    ck_assert_uint_eq(r.doubts & (SIM_DOUBT_SHORT | SIM_DOUBT_UNRESOLVED | SIM_DOUBT_FEW), 0);
    ck_assert_double_le(r.half, 0.1 * r.estimate);
    return fabs(r.estimate - truth) <= r.half;
}

START_TEST(the_sectioning_interval_of_a_quantile_covers_as_often_as_it_says)
{
    static struct sim_dist d;
    unsigned median = 0, p99 = 0;
    sim_dist_exponential(&d, "x", 1e6);
    for (uint64_t k = 0; k < 400; k++) {
        median += covers(&d, k, 1000, 50, 1e6 * log(2));
        p99 += k < 100 && covers(&d, k, 10000, 99, 1e6 * log(100));
    }
    ck_assert_double_eq_tol(median / 400.0, 0.95, 0.035);
    ck_assert_double_eq_tol(p99 / 100.0, 0.95, 0.05);
}
END_TEST

START_TEST(an_interpolated_percentile_is_within_its_bin)
{
    static struct sim_hist h;
    for (uint64_t i = 0; i < 100000; i++)
        sim_hist_record(&h, 5000 + sim_below(sim_mix(i), 100000));
    for (double pct = 1; pct < 100; pct++) {
        double truth = 5000 + pct * 1000;
        ck_assert_double_eq_tol(sim_stat_percentile(&h, pct), truth, 900);
        unsigned bin = sim_hist_index((uint64_t)sim_stat_percentile(&h, pct));
        ck_assert_uint_eq(sim_hist_value(bin), sim_hist_percentile(&h, pct));
    }
    memset(&h, 0, sizeof h);
    ck_assert_double_eq(sim_stat_percentile(&h, 50), 0);
}
END_TEST

START_TEST(reasons_for_doubt_are_named)
{
    enum { N = 30 };
    double x[N];
    fill_ar1(x, N, 0, 5);
    for (int i = 0; i < N; i++)
        x[i] += 100;
    ck_assert_uint_eq(sim_stat_mean_interval(x, N, 0.95).doubts, 0);
    ck_assert_uint_eq(sim_stat_mean_interval(x, 9, 0.95).doubts, SIM_DOUBT_FEW);
    for (int i = 0; i < N; i++)
        x[i] += i;
    ck_assert_uint_eq(sim_stat_mean_interval(x, N, 0.95).doubts,
                      SIM_DOUBT_DRIFT | SIM_DOUBT_CORRELATED);
    for (int i = 0; i < N; i++)
        x[i] = i % 2 ? 1 : 100;
    ck_assert_uint_eq(sim_stat_mean_interval(x, N, 0.95).doubts, SIM_DOUBT_SPREAD);
    ck_assert_uint_eq(sim_stat_mean_interval(x, 0, 0.95).doubts, SIM_DOUBT_EMPTY | SIM_DOUBT_FEW);
    ck_assert(isinf(sim_stat_mean_interval(x, 1, 0.95).half));
}
END_TEST

START_TEST(a_percentile_with_too_few_samples_is_marked)
{
    static struct sim_hist h[20], merged;
    const struct sim_hist *batch[20];
    for (unsigned i = 0; i < 20; i++) {
        batch[i] = &h[i];
        for (uint64_t k = 0; k < 300; k++)
            sim_hist_record(&h[i], 1000 + (sim_key(i, k) >> 55));
        sim_hist_merge(&merged, &h[i]);
    }
    struct sim_interval r = sim_stat_quantile_interval(batch, 20, &merged, 99, 0.95);
    ck_assert(r.doubts & SIM_DOUBT_SHORT && r.doubts & SIM_DOUBT_UNRESOLVED);
    r = sim_stat_quantile_interval(batch, 20, &merged, 50, 0.95);
    ck_assert_uint_eq(r.doubts & (SIM_DOUBT_SHORT | SIM_DOUBT_UNRESOLVED), 0);
    for (uint64_t k = 300; k < 10000; k++)
        sim_hist_record(&h[0], 1000);
    r = sim_stat_quantile_interval(batch, 1, &h[0], 99, 0.95); /* 100 of 10,000 suffice */
    ck_assert_uint_eq(r.doubts & (SIM_DOUBT_SHORT | SIM_DOUBT_UNRESOLVED), 0);
    memset(&merged, 0, sizeof merged);
    ck_assert_uint_eq(sim_stat_quantile_interval(batch, 0, &merged, 50, 0.95).doubts,
                      SIM_DOUBT_EMPTY);
}
END_TEST

START_TEST(an_interval_is_never_finer_than_the_histogram)
{
    static struct sim_hist h[20], merged;
    const struct sim_hist *batch[20];
    for (unsigned i = 0; i < 20; i++) {
        batch[i] = &h[i];
        for (int k = 0; k < 1000; k++)
            sim_hist_record(&h[i], 100000);
        sim_hist_merge(&merged, &h[i]);
    }
    struct sim_interval r = sim_stat_quantile_interval(batch, 20, &merged, 50, 0.95);
    ck_assert_double_eq(r.half, 512); /* the bin is 1024 ns wide there */
    ck_assert_double_le(fabs(r.estimate - 100000), 1024);
}
END_TEST

START_TEST(pairs_that_share_their_luck_have_a_narrow_difference)
{
    enum { N = 20 };
    double a[N], b[N];
    fill_ar1(a, N, 0, 5);
    for (int i = 0; i < N; i++) {
        a[i] = 100 + 10 * a[i];
        b[i] = a[i] - 1 + 0.01 * (i % 3);
    }
    struct sim_interval r = sim_stat_paired_interval(a, b, N, 0.95);
    ck_assert_double_eq_tol(r.estimate, 1, 0.02);
    ck_assert_double_lt(r.half, 0.01);
    ck_assert_double_gt(sim_stat_mean_interval(a, N, 0.95).half, 1);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, moments_are_exact_where_doubles_would_cancel);
    tcase_add_test(tc, moments_agree_with_gsl);
    tcase_add_test(tc, merged_moments_do_not_depend_on_the_order);
    tcase_add_test(tc, moments_of_nothing_and_of_one_value_are_finite);
    tcase_add_test(tc, a_level_is_weighted_by_how_long_it_lasted);
    tcase_add_test(tc, lag1_of_an_autoregressive_series_is_its_coefficient);
    tcase_add_test(tc, batch_means_leave_out_the_oldest_remainder);
    tcase_add_test(tc, mser5_cuts_a_decaying_start_and_nothing_from_a_steady_series);
    tcase_add_test(tc, mser5_agrees_with_its_definition_computed_the_slow_way);
    tcase_add_test(tc, mser5_doubts_a_run_that_never_settles_or_is_short);
    tcase_add_test(tc, a_trend_is_fitted_as_gsl_does_and_found_only_where_there_is_one);
    tcase_add_test(tc, the_mean_interval_of_five_values_is_the_textbook_one);
    tcase_add_test(tc, the_mean_interval_of_normal_samples_covers_as_often_as_it_says);
    tcase_add_test(tc, the_sectioning_interval_of_a_quantile_covers_as_often_as_it_says);
    tcase_add_test(tc, an_interpolated_percentile_is_within_its_bin);
    tcase_add_test(tc, reasons_for_doubt_are_named);
    tcase_add_test(tc, a_percentile_with_too_few_samples_is_marked);
    tcase_add_test(tc, an_interval_is_never_finer_than_the_histogram);
    tcase_add_test(tc, pairs_that_share_their_luck_have_a_narrow_difference);
}

TEST_MAIN("unit.stat")
