/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rates, think time and batched completions: the decisions, without a clock.
 */
#include "workload/hci_depth.h"
#include "workload/hci_pace.h"

#include "check_main.h"
#include "job_text.h"
#include "sim_rng.h"

#include <math.h>

enum { RUN_S = 4 };

struct trip { /* what a job did whose I/Os take `take` ns, one at a time */
    uint64_t ios[HCI_DDIRS];
    sim_time first[64], end;
    unsigned n;
    char why[160];
};

/* Drives a job of one I/O at a time for RUN_S seconds or `most` I/Os. */
static struct trip drive(const char *options, sim_time take, unsigned most)
{
    struct trip t = {0};
    struct hci_pace p;
    char text[300];
    snprintf(text, sizeof text, "[a]\nsize=1g\n%s", options);
    struct hci_jobfile *jf = job_text(text);
    const struct hci_job *job = &jf->jobs[0];
    bool mixed = (job->rw & 3) == 3;
    sim_time now = 0;
    hci_pace_init(&p, job, 1, 0, RUN_S * SIM_S);
    while (now < RUN_S * SIM_S && t.n < most) {
        unsigned op = mixed ? t.n & 1 : job->rw & HCI_RW_READ ? HCI_READ : HCI_WRITE;
        int answer = hci_pace_ask(&p, now, 0, mixed, &op);
        ck_assert_int_ne(answer, HCI_PACE_DRAIN);
        if (answer == HCI_PACE_REST) {
            ck_assert_uint_gt(p.until, now);
            now = p.until;
            continue;
        }
        if (t.n < 64)
            t.first[t.n] = now;
        t.n++;
        t.ios[op]++;
        hci_pace_issued(&p, op, job->bs_min[op]);
        now += take;
        if (!hci_pace_completed(&p, now, op, job->bs_min[op], t.why, sizeof t.why))
            break;
    }
    t.end = now;
    hci_jobfile_free(jf);
    return t;
}

START_TEST(a_rate_is_an_absolute_schedule_from_the_start)
{
    struct trip t = drive("rate_iops=1000\n", 10 * SIM_US, 1000000);
    ck_assert_uint_eq(t.ios[HCI_READ], 1000 * RUN_S);
    for (unsigned i = 0; i < 64; i++)
        ck_assert_uint_eq(t.first[i], i * SIM_MS);
    t = drive("rate=1m\nbs=4k\n", 10 * SIM_US, 1000000);
    ck_assert_uint_eq(t.ios[HCI_READ], 256 * RUN_S);
}
END_TEST

START_TEST(a_stall_is_followed_by_a_burst_that_catches_up)
{
    struct hci_pace p;
    struct hci_jobfile *jf = job_text("[a]\nsize=1g\nrate_iops=100\n");
    unsigned op = HCI_READ, burst = 0;
    hci_pace_init(&p, &jf->jobs[0], 1, SIM_S, SIM_NEVER);
    while (hci_pace_ask(&p, 2 * SIM_S, 3, false, &op) == HCI_PACE_GO) {
        hci_pace_issued(&p, op, 4096);
        burst++;
    }
    ck_assert_uint_eq(burst, 101); /* 0, 10, ... 1000 ms */
    ck_assert_int_eq(hci_pace_ask(&p, 2 * SIM_S, 3, false, &op), HCI_PACE_DRAIN);
    ck_assert_int_eq(hci_pace_ask(&p, 2 * SIM_S, 0, false, &op), HCI_PACE_REST);
    ck_assert_uint_eq(p.until, 2 * SIM_S + 10 * SIM_MS);
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(a_rate_holds_for_each_direction_and_overrides_the_mix)
{
    struct trip t = drive("rw=randrw\nrwmixread=90\nrate_iops=400,100\n", SIM_US, 1000000);
    ck_assert_uint_eq(t.ios[HCI_READ], 400 * RUN_S);
    ck_assert_uint_eq(t.ios[HCI_WRITE], 100 * RUN_S);
}
END_TEST

START_TEST(poisson_gaps_have_the_mean_and_the_spread_of_an_exponential)
{
    struct trip t = drive("rate_iops=1000\nrate_process=poisson\n", 0, 1000000);
    /* 4000 expected; the standard deviation is 63, the truncation adds 2 */
    ck_assert_double_eq_tol((double)t.ios[HCI_READ], 4002, 200);
    unsigned equal = 0;
    for (unsigned i = 2; i < 64; i++)
        equal += t.first[i] - t.first[i - 1] == t.first[i - 1] - t.first[i - 2];
    ck_assert_uint_lt(equal, 3);
}
END_TEST

START_TEST(the_integer_logarithm_agrees_with_the_library)
{
    for (uint64_t i = 0; i < 100000; i++) {
        uint64_t draw = sim_mix(i);
        double want = -log(((double)draw + 0.5) * 0x1.0p-64);
        ck_assert_double_eq_tol((double)hci_pace_minus_ln(draw) * 0x1.0p-32, want, 3e-9);
    }
    ck_assert_uint_gt(hci_pace_minus_ln(0), 40ULL << 32);
    ck_assert_uint_eq(hci_pace_minus_ln(UINT64_MAX) >> 4, 0);
}
END_TEST

START_TEST(a_job_below_its_minimum_rate_fails_after_the_settling_time)
{
    struct trip t = drive("rate_iops_min=300\n", 5 * SIM_MS, 1000000);
    ck_assert_str_eq(t.why, "rate_iops_min=300 IOPS not met, got 200 IOPS");
    ck_assert_uint_eq(t.end, 3 * SIM_S);
    t = drive("rate_min=1m\nrate_cycle=500\n", 5 * SIM_MS, 1000000);
    ck_assert_str_eq(t.why, "rate_min=1048576B/s not met, got 819200B/s");
    ck_assert_uint_eq(t.end, 2500 * SIM_MS);
    t = drive("rate_iops_min=199\n", 5 * SIM_MS, 1000000);
    ck_assert_str_eq(t.why, "");
}
END_TEST

START_TEST(think_time_comes_after_every_block_or_after_a_time_of_io)
{
    ck_assert_uint_eq(drive("thinktime=3ms\n", SIM_MS, 1000000).n, 250 * RUN_S);
    ck_assert_uint_eq(drive("thinktime=6ms\nthinktime_blocks=4\n", SIM_MS, 1000000).n, 400 * RUN_S);
    struct trip t = drive("thinktime=10ms\nthinktime_iotime=20ms\n", SIM_MS, 1000000);
    ck_assert_uint_eq(t.first[19], 19 * SIM_MS);
    ck_assert_uint_eq(t.first[20], 30 * SIM_MS);
    ck_assert_uint_eq(t.first[40], 60 * SIM_MS);
    t = drive("thinktime=10ms\nthinktime_iotime=20ms\nthinktime_blocks=5\n", SIM_MS, 1000000);
    ck_assert_uint_eq(t.first[5], 15 * SIM_MS);
}
END_TEST

START_TEST(a_pause_waits_for_the_queue_to_drain)
{
    struct hci_pace p;
    struct hci_jobfile *jf = job_text("[a]\nsize=1g\nthinktime=1ms\nthinktime_blocks_type=issue\n");
    unsigned op = HCI_READ;
    hci_pace_init(&p, &jf->jobs[0], 1, 0, SIM_NEVER);
    ck_assert_int_eq(hci_pace_ask(&p, 0, 0, false, &op), HCI_PACE_GO);
    hci_pace_issued(&p, op, 4096);
    ck_assert_int_eq(hci_pace_ask(&p, 5, 1, false, &op), HCI_PACE_DRAIN);
    ck_assert_int_eq(hci_pace_ask(&p, 90, 0, false, &op), HCI_PACE_REST);
    ck_assert_uint_eq(p.until, 90 + SIM_MS);
    ck_assert_int_eq(hci_pace_ask(&p, p.until, 0, false, &op), HCI_PACE_GO);
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(a_rate_catches_up_on_think_time_unless_told_to_ignore_it)
{
    const char *think = "rate_iops=1000\nthinktime=100ms\nthinktime_blocks=100\n";
    char ignore[200];
    snprintf(ignore, sizeof ignore, "%srate_ignore_thinktime=1\n", think);
    ck_assert_uint_ge(drive(think, 0, 1000000).n, 3900);
    struct trip t = drive(ignore, 0, 1000000);
    ck_assert_uint_ge(t.n, 2000);
    ck_assert_uint_le(t.n, 2020);
    t = drive("rate_iops=1000\nthinktime=500\nrate_ignore_thinktime=1\n", 0, 1000000);
    ck_assert_uint_eq(t.first[1], SIM_MS); /* set before the first pause */
    ck_assert_uint_eq(t.first[10], SIM_MS + 9 * 1500 * SIM_US);
}
END_TEST

static struct hci_depth depth_of(struct hci_jobfile **jf, const char *options)
{
    char text[300];
    struct hci_depth d;
    snprintf(text, sizeof text, "[a]\nsize=1g\nioengine=libaio\n%s", options);
    *jf = job_text(text);
    hci_depth_init(&d, &(*jf)->jobs[0]);
    return d;
}

static unsigned fill(struct hci_depth *d)
{
    unsigned n = 0;
    for (; hci_depth_room(d); n++)
        hci_depth_issued(d);
    return n;
}

START_TEST(completions_are_taken_in_batches_and_the_queue_refilled_at_once)
{
    struct hci_jobfile *jf;
    struct hci_depth d = depth_of(&jf, "iodepth=16\niodepth_batch_complete_min=4\n");
    ck_assert_uint_eq(fill(&d), 16);
    for (unsigned i = 0; i < 3; i++)
        hci_depth_completed(&d);
    ck_assert_uint_eq(fill(&d), 0);
    hci_depth_completed(&d);
    ck_assert_uint_eq(fill(&d), 4);
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(a_low_mark_lets_the_queue_run_down_before_it_is_refilled)
{
    struct hci_jobfile *jf;
    struct hci_depth d = depth_of(&jf, "iodepth=16\niodepth_low=2\n");
    ck_assert_uint_eq(fill(&d), 16);
    for (unsigned i = 0; i < 13; i++) {
        hci_depth_completed(&d);
        ck_assert_uint_eq(fill(&d), 0);
    }
    hci_depth_completed(&d);
    ck_assert_uint_eq(fill(&d), 14);
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(no_least_batch_means_a_wait_after_every_submission)
{
    struct hci_jobfile *jf;
    struct hci_depth d = depth_of(&jf, "iodepth=16\niodepth_batch_complete_min=0\n");
    for (unsigned i = 0; i < 5; i++) {
        ck_assert_uint_eq(fill(&d), 1);
        hci_depth_completed(&d);
    }
    hci_jobfile_free(jf);
    d = depth_of(&jf, "iodepth=16\niodepth_batch_complete_min=0\niodepth_batch_complete_max=16\n");
    ck_assert_uint_eq(fill(&d), 16);
    hci_depth_completed(&d);
    ck_assert_uint_eq(fill(&d), 1);
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(a_limit_that_comes_down_is_kept_as_completions_arrive)
{
    struct hci_jobfile *jf;
    struct hci_depth d = depth_of(&jf, "iodepth=16\n");
    ck_assert_uint_eq(fill(&d), 16);
    d.limit = 4;
    for (unsigned i = 0; i < 12; i++) {
        hci_depth_completed(&d);
        ck_assert_uint_eq(fill(&d), 0);
    }
    hci_depth_completed(&d);
    ck_assert_uint_eq(fill(&d), 1);
    hci_jobfile_free(jf);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_rate_is_an_absolute_schedule_from_the_start);
    tcase_add_test(tc, a_stall_is_followed_by_a_burst_that_catches_up);
    tcase_add_test(tc, a_rate_holds_for_each_direction_and_overrides_the_mix);
    tcase_add_test(tc, poisson_gaps_have_the_mean_and_the_spread_of_an_exponential);
    tcase_add_test(tc, the_integer_logarithm_agrees_with_the_library);
    tcase_add_test(tc, a_job_below_its_minimum_rate_fails_after_the_settling_time);
    tcase_add_test(tc, think_time_comes_after_every_block_or_after_a_time_of_io);
    tcase_add_test(tc, a_pause_waits_for_the_queue_to_drain);
    tcase_add_test(tc, a_rate_catches_up_on_think_time_unless_told_to_ignore_it);
    tcase_add_test(tc, completions_are_taken_in_batches_and_the_queue_refilled_at_once);
    tcase_add_test(tc, a_low_mark_lets_the_queue_run_down_before_it_is_refilled);
    tcase_add_test(tc, no_least_batch_means_a_wait_after_every_submission);
    tcase_add_test(tc, a_limit_that_comes_down_is_kept_as_completions_arrive);
}

TEST_MAIN("unit.pace")
