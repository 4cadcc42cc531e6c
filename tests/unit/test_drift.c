/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Warnings of jobs measured while something still changed.
 */
#include "check_main.h"

#include <string.h>

#include "hci_drift.h"
#include "sim_rng.h"

struct bench {
    struct hci_job_result j;
    struct hci_interval interval[400];
    double gauge[400], flat[400];
    struct hci_state_series state[2];
};

/* n intervals of 500 ms: 1,000 reads of `start` us rising by `rise` to the end,
 * plus noise of 1 %. */
static struct bench *make(unsigned n, double start, double rise)
{
    struct bench *b = calloc(1, sizeof *b);
    for (unsigned i = 0; i < n; i++) {
        double noise = 1 + 0.01 * (sim_unit(sim_key(7, i)) - 0.5);
        double us = (start + rise * i / n) * noise;
        b->interval[i] = (struct hci_interval){1000, 4096000, (uint64_t)(us * 1e6)};
        b->gauge[i] = 1e9 * i;
        b->flat[i] = 5e9;
    }
    b->j.interval_ns = SIM_S / 2;
    b->j.dir[HCI_DIR_READ].ios = 1000 * n;
    b->j.dir[HCI_DIR_READ].nintervals = n;
    b->j.dir[HCI_DIR_READ].intervals = b->interval;
    b->state[0] = (struct hci_state_series){.name = "node0 log in use", .n = n, .value = b->gauge};
    b->state[1] = (struct hci_state_series){.name = "node0 cache in use", .n = n, .value = b->flat};
    b->j.states = b->state;
    b->j.nstates = 2;
    return b;
}

static void drop(struct bench *b)
{
    free(b->j.warnings);
    free(b);
}

START_TEST(a_steady_job_gets_no_warning)
{
    for (unsigned n = 1; n <= 400; n += 19) {
        struct bench *b = make(n, 100, 0);
        hci_drift_check(&b->j);
        ck_assert_msg(b->j.nwarnings == 0, "%u intervals: %s", n,
                      b->j.nwarnings ? b->j.warnings[0] : "");
        drop(b);
    }
}
END_TEST

START_TEST(a_drift_is_named_with_the_state_that_moved_along)
{
    struct bench *b = make(60, 100, 20);
    hci_drift_check(&b->j);
    ck_assert_uint_eq(b->j.nwarnings, 1);
    ck_assert_msg(strstr(b->j.warnings[0], "read latency rose by 17 %") != NULL, "%s",
                  b->j.warnings[0]);
    ck_assert_ptr_nonnull(strstr(b->j.warnings[0], "node0 log in use rose"));
    ck_assert_ptr_null(strstr(b->j.warnings[0], "cache"));
    drop(b);
    b = make(60, 100, -20);
    hci_drift_check(&b->j);
    ck_assert_ptr_nonnull(strstr(b->j.warnings[0], "read latency fell"));
    drop(b);
}
END_TEST

START_TEST(a_warm_up_at_the_start_is_found_though_no_line_fits)
{
    struct bench *b = make(400, 100, 0);
    for (unsigned i = 0; i < 15; i++)
        b->interval[i].lat_sum_ns *= 2;
    hci_drift_check(&b->j);
    ck_assert_uint_eq(b->j.nwarnings, 1);
    ck_assert_ptr_nonnull(strstr(b->j.warnings[0], "fell by 50 % after the first 7.5 s"));
    drop(b);
}
END_TEST

START_TEST(a_change_too_small_to_matter_is_not_mentioned)
{
    struct bench *b = make(400, 100, 1.5);
    hci_drift_check(&b->j);
    ck_assert_uint_eq(b->j.nwarnings, 0);
    drop(b);
}
END_TEST

START_TEST(a_rate_that_changes_at_the_same_latency_is_a_drift)
{
    struct bench *b = make(100, 100, 0);
    for (unsigned i = 0; i < 100; i++) {
        b->interval[i].ios += 5 * i;
        b->interval[i].lat_sum_ns = b->interval[i].ios * 100000;
    }
    hci_drift_check(&b->j);
    ck_assert_uint_eq(b->j.nwarnings, 1);
    ck_assert_ptr_nonnull(strstr(b->j.warnings[0], "read IOPS rose"));
    drop(b);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_steady_job_gets_no_warning);
    tcase_add_test(tc, a_drift_is_named_with_the_state_that_moved_along);
    tcase_add_test(tc, a_warm_up_at_the_start_is_found_though_no_line_fits);
    tcase_add_test(tc, a_change_too_small_to_matter_is_not_mentioned);
    tcase_add_test(tc, a_rate_that_changes_at_the_same_latency_is_a_drift);
}

TEST_MAIN("unit.drift")
