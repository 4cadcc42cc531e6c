/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Paired differences of two layouts.
 */
#define _GNU_SOURCE
#include "simulate.h"

#include <math.h>

#include "ana_diff.h"

#define STORY "configs/layouts/story1-baseline.cfg"

static const char open_job[] = "[r]\nrw=randread\nbs=4k\niodepth=64\nsize=256m\ntime_based\n"
                               "runtime=1\nrate_process=poisson\nrate_iops=15000\n";

static struct hci_result *run(const char *key, const char *value, unsigned reps)
{
    struct hci_run_opts opts = {.seed = 1, .reps = reps, .threads = 2};
    struct hci_set set = {key, value};
    struct sim_err e = {0};
    return simulate_sets(STORY, &set, key != NULL, open_job, &opts, SIM_OK, &e);
}

START_TEST(a_layout_does_not_differ_from_itself)
{
    struct ana_diff d[ANA_DIFF_METRICS];
    struct hci_result *a = run(NULL, NULL, 3), *b = run(NULL, NULL, 3);
    ck_assert(ana_diff_dir(a, b, 0, HCI_DIR_READ, d));
    for (int m = 0; m < ANA_DIFF_METRICS; m++) {
        ck_assert(d[m].diff.estimate == 0);
        ck_assert(d[m].diff.half == 0);
        ck_assert(d[m].a > 0 && d[m].a == d[m].b);
    }
    ck_assert(!ana_diff_dir(a, b, 0, HCI_DIR_WRITE, d));
    hci_result_free(a);
    hci_result_free(b);
}
END_TEST

START_TEST(a_constant_microsecond_more_is_found_to_a_tenth_of_it)
{
    struct ana_diff d[ANA_DIFF_METRICS];
    struct hci_result *a = run("platform.hypervisor_delay", "72 us", 8);
    struct hci_result *b = run("platform.hypervisor_delay", "73 us", 8);
    ck_assert(ana_diff_dir(a, b, 0, HCI_DIR_READ, d));
    const struct ana_diff *mean = &d[ANA_DIFF_MEAN];
    ck_assert_double_eq_tol(mean->diff.estimate, 1000, 100);
    ck_assert_double_lt(mean->diff.half, 100);
    ck_assert_double_gt(mean->diff.estimate, mean->diff.half);
    ck_assert_double_gt(mean->gain, 10); /* open loop: luck is common */
    hci_result_free(a);
    hci_result_free(b);
}
END_TEST

START_TEST(a_percentile_with_too_few_samples_is_no_figure)
{
    struct ana_diff d[ANA_DIFF_METRICS];
    struct hci_run_opts opts = {.seed = 1, .reps = 2, .threads = 1};
    static const char job[] = "[r]\nrw=randread\nbs=4k\niodepth=1\nsize=16m\nnumber_ios=500\n";
    struct hci_result *a = simulate(STORY, job, &opts);
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    ck_assert(ana_diff_dir(a, a, 0, HCI_DIR_READ, d));
    ck_assert(!d[ANA_DIFF_P99].resolved);
    ck_assert(d[ANA_DIFF_MEAN].resolved);
    ana_diff_print(f, a, a);
    fclose(f);
    ck_assert_ptr_nonnull(strstr(text, "p99   unresolved: fewer than 100 samples"));
    free(text);
    hci_result_free(a);
}
END_TEST

START_TEST(results_without_pairs_are_not_compared)
{
    struct ana_diff d[ANA_DIFF_METRICS];
    struct hci_result *one = run(NULL, NULL, 1), *three = run(NULL, NULL, 3);
    ck_assert(!ana_diff_dir(one, one, 0, HCI_DIR_READ, d));
    ck_assert(!ana_diff_dir(one, three, 0, HCI_DIR_READ, d));
    hci_result_free(one);
    hci_result_free(three);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_layout_does_not_differ_from_itself);
    tcase_add_test(tc, a_constant_microsecond_more_is_found_to_a_tenth_of_it);
    tcase_add_test(tc, a_percentile_with_too_few_samples_is_no_figure);
    tcase_add_test(tc, results_without_pairs_are_not_compared);
}

TEST_MAIN("unit.diff")
