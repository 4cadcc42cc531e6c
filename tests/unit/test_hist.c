/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check_main.h"

#include <string.h>

#include "sim_hist.h"
#include "sim_rng.h"

#define SAMPLES 1000000U

/* fio's rule, written from its formula and not from our code. */
static unsigned fio_bin(uint64_t v)
{
    unsigned msb = 0;
    while (v >> msb > 1)
        msb++;
    if (msb <= 6)
        return (unsigned)v;
    unsigned e = msb - 6;
    uint64_t i = ((uint64_t)(e + 1) << 6) + ((v >> e) & 63);
    return i < 1855 ? (unsigned)i : 1855;
}

static double fio_value(unsigned i)
{
    if (i < 128)
        return i;
    unsigned e = (i >> 6) - 1;
    return (double)(1ULL << (e + 6)) + ((double)(i % 64) + 0.5) * (double)(1ULL << e);
}

START_TEST(bins_and_their_values_follow_the_rule_of_fio)
{
    for (unsigned i = 0; i < SIM_HIST_BINS; i++) {
        ck_assert(sim_hist_value(i) == (uint64_t)fio_value(i));
        ck_assert_uint_eq(sim_hist_index(sim_hist_lower(i)), i);
        ck_assert_uint_eq(sim_hist_index(sim_hist_upper(i) - 1), i);
        ck_assert_uint_eq(sim_hist_index(sim_hist_value(i)), i);
        if (i > 0)
            ck_assert(sim_hist_lower(i) == sim_hist_upper(i - 1));
    }
    for (uint64_t k = 0; k < 100000; k++) {
        uint64_t v = sim_mix(k) >> (k % 64);
        ck_assert_uint_eq(sim_hist_index(v), fio_bin(v));
    }
}
END_TEST

START_TEST(values_beyond_the_last_edge_are_counted_in_the_last_bin)
{
    struct sim_hist h = {0};
    sim_hist_record(&h, UINT64_MAX);
    sim_hist_record(&h, 1ULL << 34);
    ck_assert_uint_eq(h.bin[SIM_HIST_BINS - 1], 2);
    ck_assert_uint_eq(h.n, 2);
    ck_assert(sim_hist_percentile(&h, 100) == sim_hist_value(SIM_HIST_BINS - 1));
}
END_TEST

static int by_size(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

START_TEST(percentiles_of_a_million_samples_are_within_a_bin_of_the_exact_ones)
{
    static const double pct[] = {0.1, 1, 10, 50, 90, 95, 99, 99.9, 99.99, 99.999, 100};
    struct sim_hist h = {0};
    uint64_t *v = malloc(SAMPLES * sizeof *v);

    for (unsigned i = 0; i < SAMPLES; i++) {
        uint64_t u = sim_mix(i);
        v[i] = 1000 + (u >> 44) + (u % 100 == 0 ? u >> 38 : 0); /* a body and a rare tail */
        sim_hist_record(&h, v[i]);
    }
    qsort(v, SAMPLES, sizeof *v, by_size);
    for (unsigned i = 0; i < sizeof pct / sizeof *pct; i++) {
        long double rank = (long double)pct[i] / 100.0L * SAMPLES;
        unsigned k = (unsigned)rank;
        if ((long double)k < rank)
            k++;
        double exact = (double)v[k - 1];
        double got = (double)sim_hist_percentile(&h, pct[i]);
        ck_assert_double_le(got, exact * (1 + 1.0 / 128));
        ck_assert_double_ge(got, exact * (1 - 1.0 / 128));
    }
    free(v);
}
END_TEST

START_TEST(a_percentile_is_the_first_bin_that_reaches_its_share)
{
    struct sim_hist h = {0};
    for (uint64_t v = 1; v <= 100; v++)
        sim_hist_record(&h, v);
    ck_assert_uint_eq(sim_hist_percentile(&h, 1), 1);
    ck_assert_uint_eq(sim_hist_percentile(&h, 50), 50);
    ck_assert_uint_eq(sim_hist_percentile(&h, 50.5), 51);
    ck_assert_uint_eq(sim_hist_percentile(&h, 100), 100);
    ck_assert_uint_eq(sim_hist_percentile(&h, 0.001), 1);
}
END_TEST

START_TEST(an_empty_histogram_has_percentile_zero)
{
    struct sim_hist h = {0};
    ck_assert_uint_eq(sim_hist_percentile(&h, 99), 0);
}
END_TEST

START_TEST(merging_equals_recording_both_sets_of_samples)
{
    struct sim_hist a = {0}, b = {0}, both = {0};
    for (uint64_t i = 0; i < 20000; i++) {
        uint64_t v = sim_mix(i) >> (20 + i % 30);
        sim_hist_record(i % 3 ? &a : &b, v);
        sim_hist_record(&both, v);
    }
    ck_assert(memcmp(&a, &both, sizeof a) != 0);
    sim_hist_merge(&a, &b);
    ck_assert(memcmp(&a, &both, sizeof a) == 0);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, bins_and_their_values_follow_the_rule_of_fio);
    tcase_add_test(tc, values_beyond_the_last_edge_are_counted_in_the_last_bin);
    tcase_add_test(tc, percentiles_of_a_million_samples_are_within_a_bin_of_the_exact_ones);
    tcase_add_test(tc, a_percentile_is_the_first_bin_that_reaches_its_share);
    tcase_add_test(tc, an_empty_histogram_has_percentile_zero);
    tcase_add_test(tc, merging_equals_recording_both_sets_of_samples);
}

TEST_MAIN("unit.hist")
