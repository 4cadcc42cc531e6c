/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_progress.h"
#include "check_main.h"

#include <signal.h>
#include <string.h>

static const struct hci_progress quarter = {
    .fraction = 0.25, .now_ns = 200 * SIM_S, .job = "seq-write-1m", .ios = 1234567
};

START_TEST(the_line_says_share_time_left_simulated_time_and_job)
{
    char buf[200];
    ana_progress_text(buf, sizeof buf, &quarter, 30, 200);
    ck_assert_str_eq(buf, " 25.0 %  eta 1:30  simulated 3:20  1235k I/Os  seq-write-1m");
}
END_TEST

START_TEST(no_time_left_is_guessed_in_the_first_moment)
{
    char buf[200];
    ana_progress_text(buf, sizeof buf, &quarter, 0.1, 200);
    ck_assert_ptr_nonnull(strstr(buf, "eta -"));
}
END_TEST

START_TEST(the_line_is_never_wider_than_the_terminal)
{
    char buf[200];
    for (unsigned columns = 0; columns < 80; columns++) {
        size_t n = ana_progress_text(buf, sizeof buf, &quarter, 30, columns);
        ck_assert_uint_eq(n, strlen(buf));
        ck_assert_uint_le(n, columns > 0 ? columns - 1 : 0);
    }
}
END_TEST

START_TEST(a_job_name_with_odd_bytes_is_shown_whole_characters_only)
{
    char buf[200];
    struct hci_progress p = quarter;
    p.job = "a\033[2J\xc3\xa9z";
    ana_progress_text(buf, sizeof buf, &p, 30, 200);
    ck_assert_ptr_null(strchr(buf, '\033'));
    size_t whole = strlen(buf);
    ana_progress_text(buf, sizeof buf, &p, 30, (unsigned)whole - 1);
    ck_assert_int_eq(buf[strlen(buf) - 1], '\xa9'); /* the z is cut, the e-acute is not halved */
    ana_progress_text(buf, sizeof buf, &p, 30, (unsigned)whole - 2);
    ck_assert_int_eq(buf[strlen(buf) - 1], 'J');
}
END_TEST

START_TEST(shares_outside_0_to_1_are_clamped)
{
    char buf[200];
    struct hci_progress p = quarter;
    p.fraction = 1.5;
    ana_progress_text(buf, sizeof buf, &p, 30, 200);
    ck_assert_int_eq(strncmp(buf, "100.0 %  eta 0:00", 17), 0);
    p.fraction = -1;
    ana_progress_text(buf, sizeof buf, &p, 30, 200);
    ck_assert_int_eq(strncmp(buf, "  0.0 %  eta -", 14), 0);
}
END_TEST

START_TEST(without_a_terminal_auto_writes_nothing)
{
    char *text = NULL;
    size_t size = 0;
    struct ana_progress p;
    FILE *f = open_memstream(&text, &size);
    ana_progress_init(&p, f, ANA_ETA_AUTO);
    p.last_s = -10;
    ana_progress_show(&p, &quarter);
    ana_progress_clear(&p);
    fclose(f);
    ck_assert_uint_eq(size, 0);
    free(text);
}
END_TEST

START_TEST(always_writes_whole_lines_at_most_once_a_second)
{
    char *text = NULL;
    size_t size = 0;
    struct ana_progress p;
    FILE *f = open_memstream(&text, &size);
    ana_progress_init(&p, f, ANA_ETA_ALWAYS);
    p.last_s = p.started_s - 10;
    for (int i = 0; i < 100; i++)
        ana_progress_show(&p, &quarter);
    ana_progress_clear(&p);
    fclose(f);
    ck_assert_uint_gt(size, 0);
    ck_assert_ptr_eq(strchr(text, '\n'), text + size - 1);
    free(text);
}
END_TEST

START_TEST(the_first_interrupt_sets_the_flag_and_the_second_is_the_default)
{
    struct sigaction now;
    const volatile int *flag = ana_interrupt_watch();
    ck_assert_int_eq(*flag, 0);
    raise(SIGINT);
    ck_assert_int_eq(*flag, 1);
    ck_assert_int_eq(sigaction(SIGINT, NULL, &now), 0);
    ck_assert(now.sa_handler == SIG_DFL);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, the_line_says_share_time_left_simulated_time_and_job);
    tcase_add_test(tc, no_time_left_is_guessed_in_the_first_moment);
    tcase_add_test(tc, the_line_is_never_wider_than_the_terminal);
    tcase_add_test(tc, a_job_name_with_odd_bytes_is_shown_whole_characters_only);
    tcase_add_test(tc, shares_outside_0_to_1_are_clamped);
    tcase_add_test(tc, without_a_terminal_auto_writes_nothing);
    tcase_add_test(tc, always_writes_whole_lines_at_most_once_a_second);
    tcase_add_test(tc, the_first_interrupt_sets_the_flag_and_the_second_is_the_default);
}

TEST_MAIN("unit.progress")
