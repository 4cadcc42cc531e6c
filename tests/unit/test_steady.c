/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "check_main.h"

#include <stdio.h>
#include <string.h>

#include "ana_json.h"
#include "ana_steady.h"
#include "fake_result.h"

enum { SECONDS = 6, PER_S = 2 };

static struct hci_interval reads[SECONDS * PER_S], writes[SECONDS * PER_S];

/* A job whose IOPS are 100, 110, 120, ... in 4 KiB I/Os, half of them writes. */
static struct hci_job_result rising(struct hci_job *job)
{
    struct hci_job_result j = {.job = job, .ramp_end_ns = SIM_S, .end_ns = (1 + SECONDS) * SIM_S,
                               .interval_ns = SIM_S / PER_S};
    for (unsigned i = 0; i < SECONDS * PER_S; i++)
        reads[i] = writes[i] = (struct hci_interval){.ios = 25 + i / PER_S * 5 / 2 + i % 2 * (i / PER_S % 2),
                                                     .bytes = 102400};
    j.dir[HCI_DIR_READ].nintervals = j.dir[HCI_DIR_WRITE].nintervals = SECONDS * PER_S;
    j.dir[HCI_DIR_READ].intervals = reads;
    j.dir[HCI_DIR_WRITE].intervals = writes;
    job->steadystate = true;
    job->ss_slope = true;
    job->ss_limit = 10;
    job->ss_dur = 3 * SIM_S;
    return j;
}

START_TEST(a_slope_is_that_of_the_least_squares_line_over_the_last_seconds)
{
    struct hci_job job = {0};
    struct hci_job_result j = rising(&job);
    struct ana_steady s;
    for (unsigned i = 0; i < SECONDS; i++)
        ck_assert_double_eq(ana_steady_second(&j, i, false), 100 + 10 * i);
    ck_assert(ana_steady_judge(&j, &s));
    ck_assert_uint_eq(s.seconds, 3);
    ck_assert_uint_eq(s.first, 3);
    ck_assert_double_eq_tol(s.iops_mean, 140, 1e-9);
    ck_assert_double_eq_tol(s.slope, 10, 1e-9);
    ck_assert_double_eq_tol(s.max_deviation, 10, 1e-9);
    ck_assert(s.attained);
    job.ss_limit = 9.99;
    ana_steady_judge(&j, &s);
    ck_assert(!s.attained);
}
END_TEST

START_TEST(a_limit_in_percent_is_of_the_mean)
{
    struct hci_job job = {0};
    struct hci_job_result j = rising(&job);
    struct ana_steady s;
    job.ss_slope = false;
    job.ss_pct = true;
    ana_steady_judge(&j, &s);
    ck_assert_double_eq_tol(s.criterion, 100 * 10 / 140., 1e-9);
    ck_assert(s.attained);
    job.ss_metric = 1; /* bytes per second do not move */
    ana_steady_judge(&j, &s);
    ck_assert_double_eq(s.criterion, 0);
    ck_assert_double_eq(s.bw_mean_Bps, 4 * 102400);
}
END_TEST

START_TEST(a_job_shorter_than_the_window_or_its_ramp_attains_nothing)
{
    struct hci_job job = {0};
    struct hci_job_result j = rising(&job);
    struct ana_steady s;
    job.ss_limit = 1000;
    job.ss_dur = 7 * SIM_S;
    ck_assert(ana_steady_judge(&j, &s) && !s.attained);
    job.ss_dur = 3 * SIM_S;
    job.ss_ramp = 4 * SIM_S;
    ck_assert(ana_steady_judge(&j, &s) && !s.attained);
    job.ss_ramp = 3 * SIM_S;
    ck_assert(ana_steady_judge(&j, &s) && s.attained);
    job.steadystate = false;
    ck_assert(!ana_steady_judge(&j, &s));
}
END_TEST

START_TEST(json_holds_the_object_for_jobs_that_ask_for_it_alone)
{
    struct hci_result *r = fake_result();
    struct hci_job *job = (struct hci_job *)(uintptr_t)r->jobs[0].job;
    char *text = NULL;
    size_t n = 0;
    job->steadystate = job->ss_pct = true;
    job->ss_limit = 50;
    job->ss_dur = SIM_S;
    FILE *f = open_memstream(&text, &n);
    ck_assert_int_eq(ana_json_write(f, r, 0, NULL), SIM_OK);
    fclose(f);
    const char *first = strstr(text, "\"steadystate\" : {");
    ck_assert_ptr_nonnull(first);
    ck_assert_ptr_nonnull(strstr(first, "\"ss\" : \"iops:50.000000%\",\n"));
    ck_assert_ptr_nonnull(strstr(first, "\"attained\" : 1,\n"));
    ck_assert_ptr_null(strstr(first + 1, "\"steadystate\" : {"));
    free(text);
    fake_free(r);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_slope_is_that_of_the_least_squares_line_over_the_last_seconds);
    tcase_add_test(tc, a_limit_in_percent_is_of_the_mean);
    tcase_add_test(tc, a_job_shorter_than_the_window_or_its_ramp_attains_nothing);
    tcase_add_test(tc, json_holds_the_object_for_jobs_that_ask_for_it_alone);
}

TEST_MAIN("unit.steady")
