/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers as fio prints them. The pairs were read off reports of fio 3.33
 * whose exact values stood in the JSON beside them.
 */
#include "check_main.h"

#include <math.h>

#include "ana_num.h"
#include "ana_view.h"

static void same(uint64_t v, unsigned digits, unsigned base, const char *unit, const char *want)
{
    char buf[ANA_NUM_LEN];
    ck_assert_str_eq(ana_num(buf, v, digits, base, unit), want);
}

START_TEST(numbers_have_four_figures_and_a_prefix)
{
    same(0, 4, 1000, "", "0");
    same(1207, 4, 1000, "", "1207");
    same(9999, 4, 1000, "", "9999");
    same(15721, 4, 1000, "", "15.7k");
    same(256000, 4, 1000, "", "256k");
    same(67108864, 4, 1024, "B", "64.0MiB");
    same(2031616, 4, 1024, "B", "1984KiB");
    same(2031616000, 4, 1024, "B/s", "1938MiB/s");
    same(2031616000, 4, 1000, "B/s", "2032MB/s");
    same(4096, 4, 1024, "B", "4096B");
    same(5243000000, 4, 1000, "B/s", "5243MB/s");
}
END_TEST

START_TEST(six_figures_are_used_for_least_and_largest_latency)
{
    same(11846100, 6, 1000, "", "11846k");
    same(8818400, 6, 1000, "", "8818.4k");
    same(10244, 6, 1000, "", "10244");
}
END_TEST

START_TEST(a_fraction_that_rounds_to_one_carries_into_the_whole)
{
    same(15960, 4, 1000, "", "16.0k");
    same(999999, 4, 1000, "", "1000k");
}
END_TEST

START_TEST(the_largest_number_fits_its_buffer)
{
    same(UINT64_MAX, 4, 1000, "B/s", "18.4EB/s");
    same(UINT64_MAX, 8, 1024, "B/s", "16777216TiB/s");
}
END_TEST

static struct hci_moments of(const uint64_t *v, unsigned n)
{
    struct hci_moments m = {.min = UINT64_MAX};
    for (unsigned i = 0; i < n; i++) {
        m.n++;
        m.sum += v[i];
        m.sum2 += (unsigned __int128)v[i] * v[i];
        m.min = sim_min(m.min, v[i]);
        m.max = sim_max(m.max, v[i]);
    }
    return m;
}

START_TEST(deviation_is_exact_where_squares_exceed_a_double)
{
    /* Around 10^15 ns the squares need 100 bits; the deviation is still 1. */
    const uint64_t far[] = {1000000000000001, 1000000000000002, 1000000000000003};
    struct hci_moments m = of(far, 3);
    ck_assert_double_eq(ana_moments_mean(&m), 1000000000000002.0);
    ck_assert_double_eq(ana_moments_stddev(&m), 1.0);
    const uint64_t near[] = {2, 4, 4, 4, 5, 5, 7, 9};
    m = of(near, 8);
    ck_assert_double_eq(ana_moments_mean(&m), 5.0);
    ck_assert_double_eq_tol(ana_moments_stddev(&m), sqrt(32.0 / 7.0), 1e-12);
}
END_TEST

START_TEST(no_samples_give_zeros_and_merging_them_changes_nothing)
{
    struct hci_moments none = {0}, m;
    ck_assert_double_eq(ana_moments_mean(&none), 0.0);
    ck_assert_double_eq(ana_moments_stddev(&none), 0.0);
    const uint64_t v[] = {7, 9};
    m = of(v, 2);
    ana_moments_merge(&m, &none);
    ck_assert_uint_eq(m.min, 7);
    ana_moments_merge(&none, &m);
    ck_assert_uint_eq(none.min, 7);
    ck_assert_uint_eq(none.max, 9);
    ck_assert_uint_eq(none.n, 2);
}
END_TEST

START_TEST(a_percentile_needs_a_hundred_samples_beyond_it)
{
    ck_assert(ana_resolved(100000, 99.9));
    ck_assert(!ana_resolved(99999, 99.9));
    ck_assert(ana_resolved(1000000, 99.99));
    ck_assert(!ana_resolved(999999, 99.99));
    ck_assert(ana_resolved(200, 50));
    ck_assert(!ana_resolved(199, 50));
    ck_assert(ana_resolved(10000, 1));
    ck_assert(!ana_resolved(9999, 1));
    ck_assert(!ana_resolved(UINT64_MAX, 100));
    ck_assert(!ana_resolved(0, 50));
}
END_TEST

START_TEST(rounding_saturates_and_knows_no_negative_numbers)
{
    ck_assert_uint_eq(ana_round(2.5), 3);
    ck_assert_uint_eq(ana_round(-1), 0);
    ck_assert_uint_eq(ana_round((double)NAN), 0);
    ck_assert_uint_eq(ana_round(1e30), UINT64_MAX);
}
END_TEST

START_TEST(a_job_without_a_list_gets_the_usual_percentiles_and_lists_are_sorted)
{
    double pct[HCI_PERCENTILES_MAX];
    ck_assert_uint_eq(ana_percentiles(NULL, pct), 17);
    ck_assert_double_eq(pct[16], 99.99);
    struct hci_job *job = calloc(1, sizeof *job);
    ck_assert_ptr_nonnull(job);
    job->npercentiles = 2;
    job->percentiles[0] = 99;
    job->percentiles[1] = 50;
    ck_assert_uint_eq(ana_percentiles(job, pct), 2);
    ck_assert_double_eq(pct[0], 50);
    free(job);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, numbers_have_four_figures_and_a_prefix);
    tcase_add_test(tc, six_figures_are_used_for_least_and_largest_latency);
    tcase_add_test(tc, a_fraction_that_rounds_to_one_carries_into_the_whole);
    tcase_add_test(tc, the_largest_number_fits_its_buffer);
    tcase_add_test(tc, deviation_is_exact_where_squares_exceed_a_double);
    tcase_add_test(tc, no_samples_give_zeros_and_merging_them_changes_nothing);
    tcase_add_test(tc, a_percentile_needs_a_hundred_samples_beyond_it);
    tcase_add_test(tc, rounding_saturates_and_knows_no_negative_numbers);
    tcase_add_test(tc, a_job_without_a_list_gets_the_usual_percentiles_and_lists_are_sorted);
}

TEST_MAIN("unit.num")
