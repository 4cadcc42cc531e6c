/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check_main.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "sim_dist.h"
#include "sim_err.h"
#include "sim_rng.h"

static const double levels[] = {
    0.01,  0.05,  0.1,    0.25,    0.5,    0.75,  0.9,    0.95,    0.984,    0.985,     0.99,
    0.995, 0.999, 0.9997, 0.99976, 0.9999, 0.999, 0.9999, 0.99999, 0.999999, 0.9999999, 0.99999999};
#define LEVELS (sizeof levels / sizeof *levels)

static struct sim_dist d;

/* The 64 bits whose quantile is p, exact in the upper tail. */
static uint64_t bits_at(double p)
{
    if (p < 0.5)
        return (uint64_t)ldexp(p, 64);
    return ~(uint64_t)ldexp(1 - p, 64);
}

static double draw_at(double p)
{
    return (double)sim_dist_draw(&d, bits_at(p));
}

/* Within rel of the truth, and half a ns for rounding. */
static void near(double got, double truth, double rel)
{
    ck_assert_msg(fabs(got - truth) <= rel * truth + 0.5001, "got %.9g, expected %.9g", got, truth);
}

static double sampled_mean(uint64_t key, unsigned n)
{
    double sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += (double)sim_dist_draw(&d, sim_key(key, i));
    return sum / n;
}

START_TEST(exponential_quantiles_agree_with_gsl)
{
    ck_assert_int_eq(sim_dist_exponential(&d, "x", 1e6), SIM_OK);
    for (size_t i = 0; i < LEVELS; i++)
        near(draw_at(levels[i]), gsl_cdf_exponential_Pinv(levels[i], 1e6), 1e-3);
    near(draw_at(0.9999), 1e6 * log(10000), 1e-4);
}
END_TEST

START_TEST(lognormal_quantiles_agree_with_gsl)
{
    ck_assert_int_eq(sim_dist_lognormal(&d, "x", 5000, 80000, 0.6), SIM_OK);
    for (size_t i = 0; i < LEVELS; i++)
        near(draw_at(levels[i]), 5000 + gsl_cdf_lognormal_Pinv(levels[i], log(80000), 0.6), 1e-3);
}
END_TEST

START_TEST(gamma_quantiles_agree_with_gsl_over_many_shapes)
{
    static const double cv[] = {0.05, 0.2, 0.5, 1, 1.5, 3};
    for (size_t c = 0; c < sizeof cv / sizeof *cv; c++) {
        double shape = 1 / (cv[c] * cv[c]), scale = 1e6 / shape;
        ck_assert_int_eq(sim_dist_gamma(&d, "x", 1e6, cv[c]), SIM_OK);
        near(d.mean_ns, 1e6, 1e-3);
        for (size_t i = 1; i < LEVELS; i++) {
            /* By the distribution function: GSL's inverse fails for some of these. */
            double x = draw_at(levels[i]), tolerance = 2e-3 * x + 1;
            ck_assert_double_le(gsl_cdf_gamma_Q(x + tolerance, shape, scale), 1 - levels[i]);
            if (x > tolerance)
                ck_assert_double_ge(gsl_cdf_gamma_Q(x - tolerance, shape, scale), 1 - levels[i]);
        }
    }
}
END_TEST

START_TEST(gamma_tables_are_built_at_the_ends_of_the_permitted_range)
{
    ck_assert_int_eq(sim_dist_gamma(&d, "x", 1e6, 10), SIM_OK);
    near(d.mean_ns, 1e6, 0.01);
    ck_assert_int_eq(sim_dist_gamma(&d, "x", 1e6, 0.0011), SIM_OK);
    near(d.mean_ns, 1e6, 1e-5);
    ck_assert_int_eq(sim_dist_gamma(&d, "x", 1e6, 0), SIM_OK);
    near(d.mean_ns, 1e6, 1e-9);
}
END_TEST

START_TEST(mixture_draws_have_the_share_above_them_that_the_formula_gives)
{
    const double w = 0.002;
    ck_assert_int_eq(sim_dist_mixture(&d, "x", 4000, 9000, 0.2, w, 2e6, 0.5), SIM_OK);
    for (size_t i = 0; i < LEVELS; i++) {
        double x = draw_at(levels[i]);
        double above = (1 - w) * gsl_cdf_lognormal_Q(x - 4000, log(9000), 0.2) +
                       w * gsl_cdf_lognormal_Q(x, log(2e6), 0.5);
        ck_assert_double_le(fabs(above / (1 - levels[i]) - 1), 0.02);
    }
    double mean = (1 - w) * (4000 + 9000 * exp(0.02)) + w * 2e6 * exp(0.125);
    near(d.mean_ns, mean, 3e-3);
}
END_TEST

START_TEST(a_mixture_without_tail_is_its_body)
{
    static struct sim_dist body;
    ck_assert_int_eq(sim_dist_mixture(&d, "x", 4000, 9000, 0.2, 0, 2e6, 0.5), SIM_OK);
    ck_assert_int_eq(sim_dist_lognormal(&body, "x", 4000, 9000, 0.2), SIM_OK);
    for (uint64_t i = 0; i < 10000; i++) {
        double a = (double)sim_dist_draw(&d, sim_mix(i));
        ck_assert_double_le(fabs(a - (double)sim_dist_draw(&body, sim_mix(i))), 1);
    }
}
END_TEST

START_TEST(a_mixture_of_two_constants_has_only_those_and_the_step_between)
{
    unsigned low = 0, high = 0;
    ck_assert_int_eq(sim_dist_mixture(&d, "x", 0, 1000, 0, 0.25, 9000, 0), SIM_OK);
    for (uint64_t i = 0; i < 100000; i++) {
        sim_time t = sim_dist_draw(&d, sim_mix(i));
        ck_assert(t >= 1000 && t <= 9000);
        low += t == 1000;
        high += t == 9000;
    }
    ck_assert_double_le(fabs(low - 75000.0), 800);
    ck_assert_double_le(fabs(high - 25000.0), 800);
}
END_TEST

START_TEST(means_of_the_tables_agree_with_the_formulas)
{
    ck_assert_int_eq(sim_dist_exponential(&d, "x", 1e5), SIM_OK);
    ck_assert_double_le(fabs(d.mean_ns / 1e5 - 1), 1e-3);
    ck_assert_int_eq(sim_dist_lognormal(&d, "x", 0, 1e5, 0.5), SIM_OK);
    ck_assert_double_le(fabs(d.mean_ns / (1e5 * exp(0.125)) - 1), 2e-4);
    ck_assert_int_eq(sim_dist_lognormal_mean(&d, "x", 1e5, 1.0), SIM_OK);
    ck_assert_double_le(fabs(d.mean_ns / 1e5 - 1), 2e-4);
    ck_assert_int_eq(sim_dist_uniform(&d, "x", 1000, 9000), SIM_OK);
    ck_assert_double_le(fabs(d.mean_ns - 5000), 0.5);
}
END_TEST

START_TEST(the_mean_field_is_the_mean_of_what_is_drawn)
{
    /* Stratified bits: the sum over a fine regular grid has almost no noise. */
    static const uint64_t step = 1ULL << 42;
    ck_assert_int_eq(sim_dist_lognormal(&d, "x", 37, 12, 1.0), SIM_OK);
    double sum = 0, n = 0;
    for (uint64_t i = 0; i < 1ULL << 22; i++, n++)
        sum += (double)sim_dist_draw(&d, i * step + step / 2);
    ck_assert_double_le(fabs(sum / n / d.mean_ns - 1), 1e-4);
}
END_TEST

START_TEST(the_fastest_draws_have_the_right_mean_although_they_share_one_cell)
{
    const unsigned n = 4096;
    double sum = 0, sigma = 0.8;
    ck_assert_int_eq(sim_dist_lognormal(&d, "x", 0, 1e6, sigma), SIM_OK);
    for (uint64_t i = 0; i < n; i++)
        sum += (double)sim_dist_draw(&d, (2 * i + 1) << 42);
    double z = gsl_cdf_ugaussian_Pinv(1.0 / 512);
    near(sum / n, 512 * 1e6 * exp(sigma * sigma / 2) * gsl_cdf_ugaussian_P(z - sigma), 1e-3);
}
END_TEST

START_TEST(sampled_moments_of_keyed_draws_are_those_of_the_distribution)
{
    const unsigned n = 1000000;
    double sum = 0, squares = 0;
    ck_assert_int_eq(sim_dist_exponential(&d, "x", 1e5), SIM_OK);
    for (unsigned i = 0; i < n; i++) {
        double x = (double)sim_dist_draw(&d, sim_key(7, i)) / 1e5;
        sum += x;
        squares += x * x;
    }
    ck_assert_double_le(fabs(sum / n - 1), 5e-3);
    ck_assert_double_le(fabs(squares / n - 2), 3e-2);
}
END_TEST

START_TEST(a_constant_is_drawn_to_the_nanosecond_at_any_size)
{
    static const double ns[] = {0, 1, 100, 10000, 1e10 + 1, 1e15 + 7};
    for (size_t i = 0; i < sizeof ns / sizeof *ns; i++) {
        ck_assert_int_eq(sim_dist_constant(&d, "x", ns[i]), SIM_OK);
        ck_assert_double_eq(d.mean_ns, ns[i]);
        for (uint64_t k = 0; k < 1000; k++)
            ck_assert(sim_dist_draw(&d, sim_mix(k)) == (uint64_t)ns[i]);
        ck_assert(sim_dist_draw(&d, UINT64_MAX) == (uint64_t)ns[i]);
    }
}
END_TEST

START_TEST(uniform_draws_fill_their_range_and_stay_in_it)
{
    ck_assert_int_eq(sim_dist_uniform(&d, "x", 5e9, 25e9), SIM_OK);
    ck_assert(sim_dist_draw(&d, 0) >= 5000000000U);
    ck_assert(sim_dist_draw(&d, UINT64_MAX) <= 25000000000U);
    for (size_t i = 0; i < LEVELS; i++)
        near(draw_at(levels[i]), 5e9 + levels[i] * 20e9, 1e-8);
}
END_TEST

static void check_monotone(void)
{
    static const uint64_t seams[] = {63ULL << 58, 4095ULL << 52, UINT64_MAX - (1ULL << 32)};
    sim_time last = 0;
    for (uint64_t i = 0; i < 1 << 18; i++) {
        sim_time t = sim_dist_draw(&d, i << 46);
        ck_assert(t >= last);
        last = t;
    }
    last = 0;
    for (uint64_t above = 1ULL << 60; above > 0; above -= above / 64 + 1) {
        sim_time t = sim_dist_draw(&d, ~above);
        ck_assert(t >= last);
        last = t;
    }
    for (size_t i = 0; i < 3; i++) {
        sim_time a = sim_dist_draw(&d, seams[i] - 1), b = sim_dist_draw(&d, seams[i]);
        ck_assert(a <= b && b - a <= 2ULL << d.shift);
    }
}

START_TEST(draws_never_fall_as_the_uniform_rises_and_the_levels_meet)
{
    ck_assert_int_eq(sim_dist_exponential(&d, "x", 1e6), SIM_OK);
    check_monotone();
    ck_assert_int_eq(sim_dist_exponential(&d, "x", 60e9), SIM_OK);
    ck_assert_uint_gt(d.shift, 0);
    check_monotone();
    ck_assert_int_eq(sim_dist_mixture(&d, "x", 40, 90, 0.2, 0.01, 2e6, 0.8), SIM_OK);
    check_monotone();
    ck_assert_int_eq(sim_dist_gamma(&d, "x", 3e4, 2), SIM_OK);
    check_monotone();
}
END_TEST

START_TEST(a_time_longer_than_32_bits_of_nanoseconds_keeps_its_precision)
{
    ck_assert_int_eq(sim_dist_exponential(&d, "x", 60e9), SIM_OK);
    ck_assert_double_le(fabs(d.mean_ns / 60e9 - 1), 1e-3);
    for (size_t i = 0; i < LEVELS; i++)
        near(draw_at(levels[i]), gsl_cdf_exponential_Pinv(levels[i], 60e9), 1e-3);
}
END_TEST

START_TEST(measured_quantiles_are_met_at_their_points_and_flat_outside)
{
    static const double p[] = {0.25, 0.5, 0.90625, 0.99, 0.999, 0.9999};
    static const double ns[] = {8000, 10000, 15000, 40000, 200000, 900000};
    ck_assert_int_eq(sim_dist_quantiles(&d, "x", p, ns, 6), SIM_OK);
    near(draw_at(0.001), 8000, 0);
    for (int i = 0; i < 6; i++)
        near(draw_at(p[i]), ns[i], 0.02);
    near(draw_at(0.375), 9000, 1e-4);
    near(draw_at(1 - sqrt(0.01 * 0.001)), 120000, 0.01); /* halfway in log(1 - p) */
    near(draw_at(0.9999999), 900000, 0);
}
END_TEST

START_TEST(the_same_bits_give_the_same_value_and_other_keys_other_values)
{
    unsigned equal = 0;
    ck_assert_int_eq(sim_dist_lognormal(&d, "x", 0, 1e6, 0.5), SIM_OK);
    for (uint64_t i = 0; i < 10000; i++) {
        uint64_t u = sim_key(i, d.role);
        ck_assert(sim_dist_draw(&d, u) == sim_dist_draw(&d, u));
        equal += sim_dist_draw(&d, u) == sim_dist_draw(&d, sim_key(i + 1, d.role));
    }
    ck_assert_uint_lt(equal, 10);
}
END_TEST

START_TEST(draws_of_two_roles_of_one_io_are_uncorrelated)
{
    const unsigned n = 200000;
    double xy = 0, x = 0, y = 0, xx = 0, yy = 0;
    ck_assert_int_eq(sim_dist_uniform(&d, "x", 0, 1e9), SIM_OK);
    for (unsigned i = 0; i < n; i++) {
        double a = (double)sim_dist_draw(&d, sim_key(i, sim_role("cpu")));
        double b = (double)sim_dist_draw(&d, sim_key(i, sim_role("disk")));
        x += a, y += b, xy += a * b, xx += a * a, yy += b * b;
    }
    double r = (xy / n - x / n * y / n) / sqrt((xx / n - x / n * x / n) * (yy / n - y / n * y / n));
    ck_assert_double_le(fabs(r), 5 / sqrt(n));
}
END_TEST

START_TEST(the_role_of_a_distribution_is_the_hash_of_its_name)
{
    ck_assert_int_eq(sim_dist_constant(&d, "flash.read", 1), SIM_OK);
    ck_assert(d.role == sim_role("flash.read"));
}
END_TEST

START_TEST(the_largest_of_k_is_the_quantile_at_the_kth_root)
{
    static const unsigned ks[] = {1, 2, 3, 7, 16, 256, 4096};
    ck_assert_int_eq(sim_dist_uniform(&d, "x", 0, 1e15), SIM_OK);
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++)
        for (uint64_t k = 0; k < 20000; k++) {
            uint64_t u = k < 10 ? k : k < 20 ? ~k : sim_mix(k) >> (k % 8 ? 0 : k % 64);
            double x = ldexp((double)u, -64);
            x = x > 0 ? x : ldexp(1, -64);
            double truth = 1e15 * pow(x, 1.0 / ks[i]);
            double got = (double)sim_dist_draw_max(&d, u, ks[i]);
            /* 2^32 steps in the range, and powers end at 2^-64 */
            ck_assert_double_le(fabs(got - truth), 1e6 + truth * ldexp(1, -62) / x);
        }
}
END_TEST

START_TEST(the_tail_of_the_largest_of_many_is_exact_to_the_last_permille)
{
    const unsigned k = 256;
    ck_assert_int_eq(sim_dist_exponential(&d, "x", 1e6), SIM_OK);
    for (double above = 0.5; above > 1e-6; above /= 3) {
        double truth = -1e6 * log(-expm1(log1p(-above) / k));
        near((double)sim_dist_draw_max(&d, bits_at(1 - above), k), truth, 1e-3);
    }
}
END_TEST

START_TEST(the_largest_of_k_has_the_mean_of_drawing_k_times)
{
    const unsigned n = 100000, k = 8;
    double closed = 0, drawn = 0;
    ck_assert_int_eq(sim_dist_lognormal(&d, "x", 0, 1e5, 0.7), SIM_OK);
    for (unsigned i = 0; i < n; i++) {
        sim_time top = 0;
        for (unsigned j = 0; j < k; j++)
            top = sim_max(top, sim_dist_draw(&d, sim_key(sim_key(3, i), j)));
        drawn += (double)top;
        closed += (double)sim_dist_draw_max(&d, sim_key(4, i), k);
    }
    ck_assert_double_le(fabs(closed / drawn - 1), 0.01);
    ck_assert_double_ge(closed / n, 2 * sampled_mean(5, n) * 0.9);
}
END_TEST

START_TEST(impossible_parameters_are_refused)
{
    static const double up[] = {0.5, 0.4}, down_ns[] = {2, 1}, p[] = {0.4, 0.5},
                        over[] = {0.5, 1.5};
    static const double bad[] = {-1, NAN, INFINITY, -INFINITY, 2e18};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(sim_dist_constant(&d, "x", bad[i]), SIM_E_INPUT);
        ck_assert_int_eq(sim_dist_exponential(&d, "x", bad[i]), SIM_E_INPUT);
        ck_assert_int_eq(sim_dist_lognormal(&d, "x", bad[i], 10, 1), SIM_E_INPUT);
        ck_assert_int_eq(sim_dist_lognormal(&d, "x", 0, bad[i], 1), SIM_E_INPUT);
        ck_assert_int_eq(sim_dist_lognormal(&d, "x", 0, 10, bad[i]), SIM_E_INPUT);
        ck_assert_int_eq(sim_dist_lognormal_mean(&d, "x", bad[i], 1), SIM_E_INPUT);
        ck_assert_int_eq(sim_dist_lognormal_mean(&d, "x", 10, bad[i]), SIM_E_INPUT);
        ck_assert_int_eq(sim_dist_gamma(&d, "x", bad[i], 1), SIM_E_INPUT);
        ck_assert_int_eq(sim_dist_gamma(&d, "x", 10, bad[i]), SIM_E_INPUT);
        ck_assert_int_eq(sim_dist_uniform(&d, "x", bad[i], 1), SIM_E_INPUT);
        ck_assert_int_eq(sim_dist_uniform(&d, "x", 1, bad[i]), SIM_E_INPUT);
        ck_assert_int_eq(sim_dist_mixture(&d, "x", 0, 10, 1, bad[i], 20, 1), SIM_E_INPUT);
        ck_assert_int_eq(sim_dist_mixture(&d, "x", 0, 10, 1, 0.1, bad[i], 1), SIM_E_INPUT);
        ck_assert_int_eq(sim_dist_mixture(&d, "x", 0, 10, 1, 0.1, 20, bad[i]), SIM_E_INPUT);
    }
    ck_assert_int_eq(sim_dist_exponential(&d, "x", 9e17), SIM_E_INPUT); /* its tail is too long */
    ck_assert_int_eq(sim_dist_uniform(&d, "x", 2, 1), SIM_E_INPUT);
    ck_assert_int_eq(sim_dist_mixture(&d, "x", 0, 10, 1, 1.01, 20, 1), SIM_E_INPUT);
    ck_assert_int_eq(sim_dist_quantiles(&d, "x", p, p, 0), SIM_E_INPUT);
    ck_assert_int_eq(sim_dist_quantiles(&d, "x", up, p, 2), SIM_E_INPUT);
    ck_assert_int_eq(sim_dist_quantiles(&d, "x", p, down_ns, 2), SIM_E_INPUT);
    ck_assert_int_eq(sim_dist_quantiles(&d, "x", over, p, 2), SIM_E_INPUT);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, exponential_quantiles_agree_with_gsl);
    tcase_add_test(tc, lognormal_quantiles_agree_with_gsl);
    tcase_add_test(tc, gamma_quantiles_agree_with_gsl_over_many_shapes);
    tcase_add_test(tc, gamma_tables_are_built_at_the_ends_of_the_permitted_range);
    tcase_add_test(tc, mixture_draws_have_the_share_above_them_that_the_formula_gives);
    tcase_add_test(tc, a_mixture_without_tail_is_its_body);
    tcase_add_test(tc, a_mixture_of_two_constants_has_only_those_and_the_step_between);
    tcase_add_test(tc, means_of_the_tables_agree_with_the_formulas);
    tcase_add_test(tc, the_mean_field_is_the_mean_of_what_is_drawn);
    tcase_add_test(tc, the_fastest_draws_have_the_right_mean_although_they_share_one_cell);
    tcase_add_test(tc, sampled_moments_of_keyed_draws_are_those_of_the_distribution);
    tcase_add_test(tc, a_constant_is_drawn_to_the_nanosecond_at_any_size);
    tcase_add_test(tc, uniform_draws_fill_their_range_and_stay_in_it);
    tcase_add_test(tc, draws_never_fall_as_the_uniform_rises_and_the_levels_meet);
    tcase_add_test(tc, a_time_longer_than_32_bits_of_nanoseconds_keeps_its_precision);
    tcase_add_test(tc, measured_quantiles_are_met_at_their_points_and_flat_outside);
    tcase_add_test(tc, the_same_bits_give_the_same_value_and_other_keys_other_values);
    tcase_add_test(tc, draws_of_two_roles_of_one_io_are_uncorrelated);
    tcase_add_test(tc, the_role_of_a_distribution_is_the_hash_of_its_name);
    tcase_add_test(tc, the_largest_of_k_is_the_quantile_at_the_kth_root);
    tcase_add_test(tc, the_tail_of_the_largest_of_many_is_exact_to_the_last_permille);
    tcase_add_test(tc, the_largest_of_k_has_the_mean_of_drawing_k_times);
    tcase_add_test(tc, impossible_parameters_are_refused);
}

TEST_MAIN("unit.dist")
