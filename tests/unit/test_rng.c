/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check_main.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#include "sim_gsl.h"
#include "sim_rng.h"

START_TEST(sim_mix_gives_the_published_splitmix64_sequence)
{
    /* The reference generator's first outputs from seed 1234567 and from 0. */
    static const uint64_t known[] = {6457827717110365317U, 3203168211198807973U,
                                     9817491932198370423U, 4593380528125082431U,
                                     16408922859458223821U};
    for (uint64_t i = 0; i < 5; i++)
        ck_assert(sim_mix(1234567 + i * 0x9e3779b97f4a7c15ULL) == known[i]);
    ck_assert(sim_mix(0) == 0xe220a8397b1dcdafULL);
}
END_TEST

START_TEST(role_hashes_are_the_published_fnv1a)
{
    ck_assert(sim_role("") == 0xcbf29ce484222325ULL);
    ck_assert(sim_role("a") == 0xaf63dc4c8601ec8cULL);
    ck_assert(sim_role("foobar") == 0x85944171f73967e8ULL);
}
END_TEST

/* Chi-square of n draws in 256 classes; shift picks the byte looked at. */
static double chi_square(uint64_t (*draw)(uint64_t i), unsigned n, unsigned shift)
{
    unsigned count[256] = {0};
    double sum = 0, expected = n / 256.0;
    for (unsigned i = 0; i < n; i++)
        count[draw(i) >> shift & 255]++;
    for (unsigned i = 0; i < 256; i++)
        sum += (count[i] - expected) * (count[i] - expected) / expected;
    return sum;
}

static void check_uniform(uint64_t (*draw)(uint64_t i))
{
    for (unsigned shift = 0; shift < 64; shift += 8) {
        double x = chi_square(draw, 256000, shift);
        ck_assert_double_gt(gsl_cdf_chisq_Q(x, 255), 1e-5);
        ck_assert_double_gt(gsl_cdf_chisq_P(x, 255), 1e-5); /* too even is wrong as well */
    }
}

static uint64_t by_io(uint64_t i)
{
    return sim_key(sim_key(sim_key(1, 0), i), sim_role("flash"));
}

static uint64_t by_leg(uint64_t i)
{
    return sim_key(sim_key(sim_key(1, i / 4), i % 4), sim_role("flash"));
}

static uint64_t by_replication(uint64_t i)
{
    return sim_key(sim_key(sim_key(1, i), 77), sim_role("flash"));
}

static uint64_t leg_difference(uint64_t i)
{
    uint64_t io = sim_key(9, i);
    return sim_key(sim_key(io, 1), sim_role("flash")) - sim_key(sim_key(io, 0), sim_role("flash"));
}

static uint64_t role_difference(uint64_t i)
{
    return sim_key(sim_key(9, i), sim_role("cpu")) - sim_key(sim_key(9, i), sim_role("net"));
}

static uint64_t neighbour_difference(uint64_t i)
{
    return sim_key(sim_key(9, i + 1), sim_role("cpu")) - sim_key(sim_key(9, i), sim_role("cpu"));
}

START_TEST(keyed_draws_are_uniform_whichever_part_of_the_key_counts)
{
    check_uniform(by_io);
    check_uniform(by_leg);
    check_uniform(by_replication);
}
END_TEST

START_TEST(legs_roles_and_neighbouring_ios_draw_independently)
{
    /* The difference of independent uniforms modulo 2^64 is uniform. */
    check_uniform(leg_difference);
    check_uniform(role_difference);
    check_uniform(neighbour_difference);
}
END_TEST

START_TEST(the_larger_of_two_legs_is_two_thirds_on_average)
{
    const unsigned n = 200000;
    double sum = 0;
    for (unsigned i = 0; i < n; i++) {
        double a = sim_unit(sim_key(sim_key(5, i), 0)), b = sim_unit(sim_key(sim_key(5, i), 1));
        sum += a > b ? a : b;
    }
    ck_assert_double_le(fabs(sum / n - 2.0 / 3), 5 * sqrt(1.0 / 18 / n));
}
END_TEST

static int by_size(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

START_TEST(a_million_keys_do_not_collide)
{
    enum { N = 1 << 20 };
    uint64_t *k = malloc(N * sizeof *k);
    for (uint64_t i = 0; i < N; i++)
        k[i] = sim_key(sim_key(sim_key(1, i >> 12), (i >> 4) & 255), i & 15);
    qsort(k, N, sizeof *k, by_size);
    for (unsigned i = 1; i < N; i++)
        ck_assert(k[i] != k[i - 1]);
    free(k);
}
END_TEST

START_TEST(numbers_below_n_stay_below_and_reach_every_value)
{
    unsigned count[7] = {0};
    for (uint64_t i = 0; i < 70000; i++) {
        uint64_t v = sim_below(sim_mix(i), 7);
        ck_assert_uint_lt(v, 7);
        count[v]++;
    }
    for (int i = 0; i < 7; i++)
        ck_assert_double_le(fabs(count[i] - 10000.0), 500);
    ck_assert(sim_below(UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1);
    ck_assert_uint_eq(sim_below(0, 5), 0);
    ck_assert_double_lt(sim_unit(UINT64_MAX), 1.0);
}
END_TEST

START_TEST(the_generator_for_gsl_repeats_by_key_and_gives_its_distributions)
{
    const unsigned n = 100000;
    gsl_rng *a = sim_gsl_create(3), *b = sim_gsl_create(3), *c = sim_gsl_create(4);
    double sum = 0, squares = 0;
    unsigned equal = 0;

    ck_assert_str_eq(gsl_rng_name(a), "keyed");
    for (unsigned i = 0; i < n; i++) {
        double x = gsl_ran_gaussian_ziggurat(a, 1);
        ck_assert(x == gsl_ran_gaussian_ziggurat(b, 1));
        equal += x == gsl_ran_gaussian_ziggurat(c, 1);
        sum += x;
        squares += x * x;
    }
    ck_assert_uint_eq(equal, 0);
    ck_assert_double_le(fabs(sum / n), 5 / sqrt(n));
    ck_assert_double_le(fabs(squares / n - 1), 5 * sqrt(2.0 / n));
    for (unsigned i = 0; i < 1000; i++)
        ck_assert_uint_lt(gsl_rng_uniform_int(a, 10), 10);
    gsl_rng_free(a);
    gsl_rng_free(b);
    gsl_rng_free(c);
}
END_TEST

START_TEST(a_copied_generator_goes_on_where_the_first_one_stood)
{
    gsl_rng *a = sim_gsl_create(3);
    gsl_rng_get(a);
    gsl_rng *b = gsl_rng_clone(a);
    ck_assert(gsl_rng_get(a) == gsl_rng_get(b));
    gsl_rng_set(a, 3);
    ck_assert(gsl_rng_get(a) == sim_key(3, 0));
    gsl_rng_free(a);
    gsl_rng_free(b);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, sim_mix_gives_the_published_splitmix64_sequence);
    tcase_add_test(tc, role_hashes_are_the_published_fnv1a);
    tcase_add_test(tc, keyed_draws_are_uniform_whichever_part_of_the_key_counts);
    tcase_add_test(tc, legs_roles_and_neighbouring_ios_draw_independently);
    tcase_add_test(tc, the_larger_of_two_legs_is_two_thirds_on_average);
    tcase_add_test(tc, a_million_keys_do_not_collide);
    tcase_add_test(tc, numbers_below_n_stay_below_and_reach_every_value);
    tcase_add_test(tc, the_generator_for_gsl_repeats_by_key_and_gives_its_distributions);
    tcase_add_test(tc, a_copied_generator_goes_on_where_the_first_one_stood);
}

TEST_MAIN("unit.rng")
