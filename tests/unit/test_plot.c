/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The latency distribution as text.
 */
#include "check_main.h"

#include <stdio.h>
#include <string.h>

#include "ana_plot.h"
#include "fake_result.h"

static char *drawn(const struct hci_result *r)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    ck_assert_ptr_nonnull(f);
    ana_plot_print(f, r);
    fclose(f);
    return text;
}

START_TEST(each_direction_has_its_mark_and_its_value_in_every_resolved_row)
{
    struct hci_result *r = fake_result();
    char want[64], *text = drawn(r);
    snprintf(want, sizeof want, " r%-9.4g",
             (double)sim_hist_percentile(&r->jobs[0].dir[0].clat, 50) / 1000);
    ck_assert_ptr_nonnull(strstr(text, "     50 % |"));
    ck_assert_ptr_nonnull(strstr(text, want));
    ck_assert_ptr_null(strstr(text, "99.99 %")); /* 21000 reads: two lie beyond it */
    ck_assert_ptr_nonnull(strstr(text, "latency of log"));
    free(text);
    fake_free(r);
}
END_TEST

START_TEST(marks_move_to_the_right_as_the_percentile_grows)
{
    struct hci_result *r = fake_result();
    char *text = drawn(r);
    long last = 1000;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *bar = strchr(line, '|'), *r_at = bar ? strpbrk(bar, "r*") : NULL;
        ck_assert_uint_le(strlen(line), 79);
        if (strstr(line, "latency of log"))
            break;
        if (!r_at || !strstr(line, " % |"))
            continue;
        ck_assert_int_le(r_at - bar, last);
        last = r_at - bar;
    }
    ck_assert_int_lt(last, 10);
    free(text);
    fake_free(r);
}
END_TEST

START_TEST(a_job_without_enough_samples_is_said_to_be_so)
{
    struct hci_result *r = fake_result();
    for (int d = 0; d < HCI_DIRS; d++)
        memset(&r->jobs[1].dir[d].clat, 0, sizeof(struct sim_hist));
    char *text = drawn(r);
    ck_assert_ptr_nonnull(strstr(text, "latency of log: too few I/Os to draw"));
    free(text);
    fake_free(r);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, each_direction_has_its_mark_and_its_value_in_every_resolved_row);
    tcase_add_test(tc, marks_move_to_the_right_as_the_percentile_grows);
    tcase_add_test(tc, a_job_without_enough_samples_is_said_to_be_so);
}
TEST_MAIN("unit.plot")
