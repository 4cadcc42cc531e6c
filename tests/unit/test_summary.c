/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report for people, as golden text (tests/golden/summary.txt) and by the
 * rules a reader relies on.
 */
#define _GNU_SOURCE
#include "check_main.h"

#include <stdio.h>
#include <string.h>

#include "ana_summary.h"
#include "fake_result.h"

__attribute__((noinline)) static char *report(const struct hci_result *r)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    ck_assert_ptr_nonnull(f);
    ana_summary_print(f, r);
    fclose(f);
    return text;
}

static char *golden(const char *path)
{
    static char text[1 << 16];
    FILE *f = fopen(path, "r");
    ck_assert_msg(f != NULL, "%s is missing (tests start in the source tree)", path);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return text;
}

START_TEST(the_report_is_the_golden_text)
{
    struct hci_result *r = fake_result();
    char *text = report(r);
    ck_assert_str_eq(text, golden("tests/golden/summary.txt"));
    free(text);
    fake_free(r);
}
END_TEST

START_TEST(no_line_ends_in_blanks)
{
    struct hci_result *r = fake_result();
    char *text = report(r);
    ck_assert_ptr_null(strstr(text, " \n"));
    free(text);
    fake_free(r);
}
END_TEST

START_TEST(an_unresolved_percentile_is_never_a_figure)
{
    struct hci_result *r = fake_result();
    char *text = report(r);
    ck_assert_ptr_nonnull(strstr(text, "99.50th=[  359]"));
    ck_assert_ptr_nonnull(strstr(text, "99.90th=[unresolved]"));
    ck_assert_ptr_null(strstr(text, "99.99th=[ "));
    free(text);
    fake_free(r);
}
END_TEST

START_TEST(samples_of_skipped_time_resolve_no_percentile)
{
    struct hci_result *r = fake_result();
    char *whole = report(r);
    ck_assert_ptr_nonnull(strstr(whole, "99.00th=[  "));
    struct hci_dir_result *d = &r->jobs[0].dir[HCI_DIR_READ];
    d->skipped_ios = d->ios - 9000; /* 90 of them beyond p99 */
    char *part = report(r), *row = strstr(part, "Overview");
    ck_assert_ptr_nonnull(row);
    row = strstr(row, "mix");
    ck_assert_ptr_nonnull(row);
    ck_assert_msg(strstr(row, "   - ") && strstr(row, "   - ") < strchr(row, '\n'), "%s", row);
    ck_assert_ptr_null(strstr(strstr(whole, "Overview"), "   - "));
    free(whole);
    free(part);
    fake_free(r);
}
END_TEST

START_TEST(what_stays_at_zero_is_left_out_and_state_stands_at_both_ends)
{
    struct hci_result *r = fake_result();
    char *text = report(r);
    ck_assert_ptr_nonnull(strstr(text, "cache hits"));
    ck_assert_ptr_null(strstr(text, "cache misses"));
    const char *line = strstr(text, "node0/log fill");
    ck_assert_ptr_nonnull(line);
    ck_assert_ptr_nonnull(strstr(line, " 0B                4096B\n"));
    free(text);
    r->jobs[0].states[0].last = 0;
    text = report(r);
    ck_assert_ptr_null(strstr(text, "log fill"));
    free(text);
    fake_free(r);
}
END_TEST

START_TEST(a_job_that_is_not_to_be_reported_is_not)
{
    struct hci_result *r = fake_result();
    ((struct hci_job *)(uintptr_t)r->jobs[0].job)->stats = false;
    char *text = report(r);
    ck_assert_ptr_null(strstr(text, "mix"));
    ck_assert_ptr_nonnull(strstr(text, "log: (groupid=1"));
    free(text);
    fake_free(r);
}
END_TEST

START_TEST(unified_reporting_prints_one_block)
{
    struct hci_result *r = fake_result();
    ((struct hci_job *)(uintptr_t)r->jobs[0].job)->unified_rw = 1;
    char *text = report(r);
    ck_assert_ptr_nonnull(strstr(text, "\n  mixed: IOPS=30.0k, BW=117MiB/s (123MB/s)"));
    ck_assert_ptr_null(strstr(text, "\n  read: IOPS"));
    free(text);
    fake_free(r);
}
END_TEST

START_TEST(a_result_without_jobs_or_a_job_without_io_still_prints)
{
    struct hci_job_result *j = calloc(1, sizeof *j);
    ck_assert_ptr_nonnull(j);
    struct hci_result r = {.seed = 1};
    char *text = report(&r);
    ck_assert_ptr_nonnull(strstr(text, "seed, hash   : 1, 0000000000000000"));
    free(text);
    r.njobs = 1;
    r.jobs = j;
    snprintf(j->name, sizeof j->name, "idle");
    j->error = 5;
    text = report(&r);
    ck_assert_ptr_nonnull(strstr(text, "idle: (groupid=0, jobs=0): err= 5 (Input/output error)"));
    free(text);
    free(j);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, the_report_is_the_golden_text);
    tcase_add_test(tc, no_line_ends_in_blanks);
    tcase_add_test(tc, an_unresolved_percentile_is_never_a_figure);
    tcase_add_test(tc, samples_of_skipped_time_resolve_no_percentile);
    tcase_add_test(tc, what_stays_at_zero_is_left_out_and_state_stands_at_both_ends);
    tcase_add_test(tc, a_job_that_is_not_to_be_reported_is_not);
    tcase_add_test(tc, unified_reporting_prints_one_block);
    tcase_add_test(tc, a_result_without_jobs_or_a_job_without_io_still_prints);
}

TEST_MAIN("unit.summary")
