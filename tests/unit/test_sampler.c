/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bandwidth and IOPS samples, and how often jobs and logs ask for them.
 */
#include "workload/hci_sampler.h"

#include "check_main.h"
#include "job_text.h"

#include <math.h>
#include <stdio.h>

static struct hci_sampled iops_of(const struct hci_samplers *list, bool bw)
{
    struct hci_dir_result out = {0};
    hci_samplers_result(list, HCI_DIR_READ, &out);
    return bw ? out.bw_s : out.iops_s;
}

START_TEST(a_window_with_io_is_a_sample_once_it_is_over)
{
    struct hci_job job = {.bwavgtime = 100 * SIM_MS, .iopsavgtime = 250 * SIM_MS};
    struct hci_samplers *list = NULL, *s = hci_samplers_add(&list, &job);
    hci_samplers_begin(s, 7 * SIM_S);
    ck_assert_uint_eq(iops_of(list, true).samples, 0);
    /* 2 I/Os in [0, 100), 1 in [100, 200), none in [200, 300), 1 later */
    static const unsigned at[] = {0, 99, 100, 300};
    for (unsigned i = 0; i < 4; i++)
        hci_samplers_record(s, HCI_DIR_READ, 4096, 1000, 7 * SIM_S + at[i] * SIM_MS);
    struct hci_sampled bw = iops_of(list, true), iops = iops_of(list, false);
    ck_assert_uint_eq(bw.samples, 2);
    ck_assert_double_eq_tol(bw.min, 40960, 1e-6);
    ck_assert_double_eq_tol(bw.max, 81920, 1e-6);
    ck_assert_double_eq_tol(bw.mean, 61440, 1e-6);
    ck_assert_double_eq_tol(bw.stddev, 40960 / sqrt(2), 1e-6); /* of a sample: n - 1 */
    ck_assert_uint_eq(iops.samples, 1);
    ck_assert_double_eq_tol(iops.mean, 12, 1e-9);
    hci_samplers_record(s, HCI_DIR_SYNC, 0, 1000, 9 * SIM_S); /* no sample of a flush */
    ck_assert_uint_eq(iops_of(list, true).samples, 2);
    hci_samplers_free(list);
}
END_TEST

START_TEST(samples_of_a_group_add_up_clone_by_clone)
{
    struct hci_job job = {.bwavgtime = SIM_MS, .iopsavgtime = SIM_MS};
    struct hci_samplers *list = NULL;
    for (unsigned clone = 1; clone <= 2; clone++) {
        struct hci_samplers *s = hci_samplers_add(&list, &job);
        hci_samplers_begin(s, 0);
        for (unsigned w = 0; w < 4; w++) /* 1 2 3 and 2 4 6 I/Os, in milliseconds */
            for (unsigned i = 0; i < clone * (w + 1); i++)
                hci_samplers_record(s, HCI_DIR_READ, 512, 1000, w * SIM_MS + i);
    }
    struct hci_sampled iops = iops_of(list, false);
    ck_assert_uint_eq(iops.samples, 6);
    ck_assert_double_eq_tol(iops.min, 3000, 1e-6);
    ck_assert_double_eq_tol(iops.max, 9000, 1e-6);
    ck_assert_double_eq_tol(iops.mean, 6000, 1e-6);
    ck_assert_double_eq_tol(iops.stddev, sqrt((2.0 + 8.0) / 5) * 1000, 1e-6);
    hci_samplers_free(list);
}
END_TEST

START_TEST(skipped_time_fills_its_windows_evenly)
{
    struct hci_job job = {.bwavgtime = 10 * SIM_MS, .iopsavgtime = 20 * SIM_MS};
    struct hci_samplers *list = NULL;
    hci_samplers_begin(hci_samplers_add(&list, &job), 0);
    hci_samplers_begin(hci_samplers_add(&list, &job), 0);
    hci_samplers_skip(list, HCI_DIR_READ, 2001, 2001 * 4096, 0, SIM_S);
    struct hci_sampled bw = iops_of(list, true), iops = iops_of(list, false);
    ck_assert_uint_eq(bw.samples, 2 * 99);
    ck_assert_uint_eq(iops.samples, 2 * 49);
    ck_assert_double_eq_tol(bw.mean, 2001 * 4096, 4096);
    ck_assert_double_eq_tol(iops.mean, 2001, 2);
    ck_assert_double_lt(iops.max - iops.min, 200); /* a part of an I/O goes one way or other */
    hci_samplers_free(list);
}
END_TEST

START_TEST(a_log_sets_how_often_what_it_logs_is_sampled)
{
    static const struct {
        const char *options;
        uint64_t bw_ms, iops_ms;
    } rows[] = {
        {"", 500, 500},
        {"bwavgtime=100\n", 100, 500},
        {"log_avg_msec=200\n", 500, 500},
        {"write_bw_log\n", 0, 500},
        {"write_bw_log\nbwavgtime=100\niopsavgtime=70\n", 0, 70},
        {"write_bw_log\nlog_avg_msec=200\n", 200, 500},
        {"write_iops_log\nlog_avg_msec=200\niopsavgtime=300\n", 500, 300},
        {"write_lat_log\nlog_avg_msec=200\n", 500, 500},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        snprintf(text, sizeof text, "[a]\nsize=1g\n%s", rows[i].options);
        struct hci_jobfile *jf = job_text(text);
        ck_assert_uint_eq(jf->jobs[0].bwavgtime, rows[i].bw_ms * SIM_MS);
        ck_assert_uint_eq(jf->jobs[0].iopsavgtime, rows[i].iops_ms * SIM_MS);
        hci_jobfile_free(jf);
    }
}
END_TEST

START_TEST(where_each_io_is_logged_each_is_a_sample)
{
    struct hci_job job = {0};
    struct hci_samplers *list = NULL, *s = hci_samplers_add(&list, &job);
    hci_samplers_begin(s, 0);
    hci_samplers_record(s, HCI_DIR_READ, 4096, 4096, 10);
    hci_samplers_record(s, HCI_DIR_READ, 4096, 2048, 20);
    ck_assert_uint_eq(iops_of(list, true).samples, 2);
    ck_assert_double_eq_tol(iops_of(list, true).mean, 1.5e6 * 1024, 1e-3);
    ck_assert_double_eq_tol(iops_of(list, false).mean, 1, 1e-9);
    hci_samplers_free(list);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_window_with_io_is_a_sample_once_it_is_over);
    tcase_add_test(tc, samples_of_a_group_add_up_clone_by_clone);
    tcase_add_test(tc, skipped_time_fills_its_windows_evenly);
    tcase_add_test(tc, a_log_sets_how_often_what_it_logs_is_sampled);
    tcase_add_test(tc, where_each_io_is_logged_each_is_a_sample);
}

TEST_MAIN("unit.sampler")
