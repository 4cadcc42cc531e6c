/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs of which only windows are simulated: what they cost, and how near they
 * come to the whole, in later jobs too.
 */
#include "simulate.h"

#include <math.h>

#define BASE "configs/layouts/story1-baseline.cfg"

/* Four jobs that fill the log, drain it while the next one runs, fill the cache. */
static const char profile[] =
    "[global]\nsize=2g\nbs=4k\niodepth=32\ntime_based\n"
    "[seq]\nrw=write\nbs=1m\niodepth=16\ntime_based=0\nsize=8g\n"
    "[write]\nstonewall\nrw=randwrite\nruntime=30\nramp_time=200ms\n"
    "[mix]\nstonewall\nrw=randrw\nrwmixread=70\nruntime=30\nramp_time=200ms\n"
    "[one]\nstonewall\nrw=randread\niodepth=1\nruntime=20\n";

static const struct hci_set soon[] = {{"platform.drain_age", "12 s"}};

static struct hci_result *run(double precision)
{
    struct hci_run_opts opts = {.seed = 1, .precision = precision};
    struct sim_err e = {0};
    return simulate_sets(BASE, soon, 1, profile, &opts, SIM_OK, &e);
}

static struct hci_result *whole, *part; /* once for all tests */

static void simulate_both(void)
{
    whole = run(0);
    part = run(0.02);
}

static void free_both(void)
{
    hci_result_free(whole);
    hci_result_free(part);
}

static double mean_of(const struct hci_dir_result *d)
{
    return (double)d->lat_m.sum / (double)d->lat_m.n;
}

static void near(const char *what, const char *job, double a, double b, double percent)
{
    ck_assert_msg(fabs(b / a - 1) * 100 <= percent, "%s of %s: %g whole, %g sampled", what, job, a,
                  b);
}

START_TEST(a_sampled_run_costs_a_third_and_agrees_with_the_whole_in_every_job)
{
    ck_assert_uint_le(3 * part->events, whole->events); /* less of longer jobs */
    ck_assert_uint_eq(whole->njobs, 4);
    for (unsigned i = 0; i < 4; i++)
        for (unsigned d = 0; d < 2; d++) {
            const struct hci_dir_result *a = &whole->jobs[i].dir[d], *b = &part->jobs[i].dir[d];
            const char *name = whole->jobs[i].name;
            if (a->ios == 0)
                continue;
            near("mean", name, mean_of(a), mean_of(b), 3);
            near("p99", name, sim_stat_percentile(&a->clat, 99), sim_stat_percentile(&b->clat, 99),
                 6);
            near("iops", name, a->iops, b->iops, 3);
            near("runtime", name, (double)a->runtime_ns, (double)b->runtime_ns, 3);
        }
}
END_TEST

START_TEST(state_moves_on_through_skipped_time)
{
    for (unsigned i = 0; i < whole->njobs; i++) {
        const struct hci_job_result *a = &whole->jobs[i], *b = &part->jobs[i];
        ck_assert_uint_eq(a->nstates, b->nstates);
        for (unsigned s = 0; s < a->nstates; s++) {
            const struct hci_state_series *x = &a->states[s], *y = &b->states[s];
            double most = 0;
            for (unsigned k = 0; k < x->n; k++)
                most = fmax(most, x->value[k]);
            double end = x->value[x->n - 1], got = y->value[y->n - 1];
            ck_assert_msg(fabs(got - end) <= 0.1 * most + 4e6, "%s, %s: %g whole, %g sampled",
                          a->name, x->name, end, got);
        }
    }
}
END_TEST

START_TEST(what_is_sampled_adds_up)
{
    const struct hci_result *r = part;
    ck_assert_uint_gt(r->jobs[1].skipped_ns, 15 * SIM_S);
    ck_assert_uint_gt(r->jobs[2].skipped_ns, 15 * SIM_S);
    for (unsigned i = 0; i < r->njobs; i++) {
        const struct hci_job_result *j = &r->jobs[i];
        ck_assert_uint_gt(j->windows, 0);
        ck_assert(j->stopped[0] != '\0');
        for (unsigned d = 0; d < 2; d++) {
            const struct hci_dir_result *x = &j->dir[d];
            uint64_t series = 0;
            double parts = 0;
            if (x->ios == 0)
                continue;
            for (unsigned k = 0; k < x->nintervals; k++)
                series += x->intervals[k].ios;
            for (unsigned p = 0; p < r->nparts; p++)
                parts += x->mean[p].wait_ns + x->mean[p].service_ns;
            ck_assert_uint_eq(series, x->ios);
            ck_assert_uint_eq(x->lat.n, x->ios);
            ck_assert_uint_eq(x->clat_m.n, x->ios);
            ck_assert((x->skipped_ios > 0) == (j->skipped_ns > 0));
            ck_assert_uint_lt(x->skipped_ios, x->ios);
            ck_assert_double_eq_tol(parts, mean_of(x), 1e-3 * mean_of(x));
            ck_assert_uint_eq(x->bytes, x->ios * (i == 0 ? 1 << 20 : 4096));
        }
        double ios = j->dir[0].iops + j->dir[1].iops;
        double lat = mean_of(&j->dir[j->dir[0].ios ? 0 : 1]);
        if (!j->dir[0].ios || !j->dir[1].ios) /* Little, by what was simulated and scaled */
            ck_assert_double_eq_tol(ios * lat * 1e-9, j->mean_in_flight, 0.02 * j->mean_in_flight);
    }
}
END_TEST

START_TEST(a_sampled_run_is_the_same_every_time)
{
    struct hci_result *again = run(0.02);
    ck_assert_uint_eq(part->hash, again->hash);
    ck_assert_uint_eq(part->jobs[1].skipped_ns, again->jobs[1].skipped_ns);
    ck_assert_mem_eq(&part->jobs[2].dir[0].clat, &again->jobs[2].dir[0].clat,
                     sizeof(struct sim_hist));
    hci_result_free(again);
}
END_TEST

START_TEST(without_a_precision_nothing_is_skipped)
{
    static const char job[] =
        "[r]\nrw=randread\nbs=4k\niodepth=8\nsize=1g\ntime_based\nruntime=1\n";
    struct hci_run_opts opts = {.seed = 1};
    struct hci_result *r = simulate("configs/layouts/story1-native-optane.cfg", job, &opts);
    ck_assert_uint_eq(r->jobs[0].skipped_ns, 0);
    ck_assert_uint_eq(r->jobs[0].dir[0].skipped_ios, 0);
    ck_assert_str_eq(r->jobs[0].stopped, "");
    hci_result_free(r);
}
END_TEST

START_TEST(a_ramp_is_never_skipped_and_no_job_ends_after_its_runtime)
{
    static const char job[] =
        "[r]\nrw=randread\nbs=4k\niodepth=8\nsize=1g\ntime_based\n"
        "runtime=3\nramp_time=1\n[s]\nstonewall\nrw=randread\nbs=4k\nsize=1g\n"
        "time_based\nruntime=2\n";
    struct hci_run_opts opts = {.seed = 1, .precision = 0.02};
    struct hci_result *r = simulate("configs/layouts/story1-native-optane.cfg", job, &opts);
    const struct hci_job_result *a = &r->jobs[0], *b = &r->jobs[1];
    ck_assert_uint_eq(a->ramp_end_ns - a->start_ns, SIM_S);
    ck_assert_uint_ge(a->end_ns - a->ramp_end_ns, 3 * SIM_S);
    ck_assert_uint_lt(a->end_ns - a->ramp_end_ns, 3 * SIM_S + SIM_MS);
    ck_assert_uint_eq(b->start_ns, a->end_ns);
    ck_assert_uint_gt(a->skipped_ns, 2 * SIM_S);
    ck_assert_uint_ge(r->sim_ns, SIM_S); /* the ramp itself */
    hci_result_free(r);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, simulate_both, free_both);
    tcase_add_test(tc, a_sampled_run_costs_a_third_and_agrees_with_the_whole_in_every_job);
    tcase_add_test(tc, state_moves_on_through_skipped_time);
    tcase_add_test(tc, what_is_sampled_adds_up);
    tcase_add_test(tc, a_sampled_run_is_the_same_every_time);
    tcase_add_test(tc, without_a_precision_nothing_is_skipped);
    tcase_add_test(tc, a_ramp_is_never_skipped_and_no_job_ends_after_its_runtime);
}

TEST_MAIN("unit.skip")
