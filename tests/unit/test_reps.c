/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Replications: the same result whatever the number of threads, merged in order.
 */
#include "simulate.h"

#include <math.h>

START_TEST(replications_give_the_same_result_whatever_the_number_of_threads)
{
    static const char job[] =
        "[w]\nrw=randrw\nbs=4k\niodepth=8\nsize=64m\ntime_based\nruntime=50ms\n";
    struct hci_run_opts opts = {.seed = 3, .reps = 5, .threads = 1};
    struct hci_result *a = simulate("configs/layouts/story1-optane.cfg", job, &opts);
    opts.threads = 4;
    struct hci_result *b = simulate("configs/layouts/story1-optane.cfg", job, &opts);
    ck_assert_uint_eq(a->hash, b->hash);
    ck_assert_uint_eq(a->events, b->events);
    ck_assert_uint_eq(a->reps, 5);
    for (unsigned d = 0; d < 2; d++) {
        const struct hci_dir_result *x = &a->jobs[0].dir[d], *y = &b->jobs[0].dir[d];
        ck_assert_mem_eq(&x->clat, &y->clat, sizeof x->clat);
        ck_assert(x->mean_i[HCI_CLAT].half == y->mean_i[HCI_CLAT].half);
        ck_assert(x->iops_i.half == y->iops_i.half);
        ck_assert_uint_eq(x->batches.n, 5);
    }
    ck_assert_str_eq(a->jobs[0].bottleneck, b->jobs[0].bottleneck);
    hci_result_free(a);
    hci_result_free(b);
}
END_TEST

START_TEST(replications_pool_what_they_would_give_one_by_one)
{
    static const char job[] =
        "[r]\nrw=randread\nbs=4k\niodepth=4\nsize=64m\ntime_based\nruntime=20ms\n";
    struct hci_run_opts opts = {.seed = 1, .reps = 3, .threads = 2};
    struct hci_result *all = simulate("configs/layouts/story1-native-optane.cfg", job, &opts);
    const struct hci_dir_result *d = &all->jobs[0].dir[HCI_DIR_READ];
    uint64_t ios = 0, bytes = 0, hash = 0;
    double lo = INFINITY, hi = 0, busy = 0;
    opts.reps = 1;
    for (opts.replication = 0; opts.replication < 3; opts.replication++) {
        struct hci_result *one = simulate("configs/layouts/story1-native-optane.cfg", job, &opts);
        const struct hci_dir_result *x = &one->jobs[0].dir[HCI_DIR_READ];
        double mean = (double)x->clat_m.sum / (double)x->clat_m.n;
        ios += x->ios;
        bytes += x->bytes;
        hash = opts.replication ? sim_key(hash, one->hash) : one->hash;
        lo = fmin(lo, mean);
        hi = fmax(hi, mean);
        busy += one->jobs[0].resources[0].utilisation / 3;
        hci_result_free(one);
    }
    ck_assert_uint_eq(d->ios, ios);
    ck_assert_uint_eq(d->bytes, bytes);
    ck_assert_uint_eq(d->lat.n, ios);
    ck_assert_uint_eq(all->hash, hash);
    ck_assert_double_lt(lo, hi); /* they differ */
    ck_assert_double_gt(d->mean_i[HCI_CLAT].estimate, lo);
    ck_assert_double_lt(d->mean_i[HCI_CLAT].estimate, hi);
    ck_assert_double_eq_tol(all->jobs[0].resources[0].utilisation, busy, 0.01);
    hci_result_free(all);
}
END_TEST

START_TEST(a_refused_layout_is_refused_once_and_leaves_no_result)
{
    struct hci_run_opts opts = {.seed = 1, .reps = 4, .threads = 4};
    struct sim_err e = {0};
    struct hci_result *r = simulate_status("configs/layouts/story1-first-try.cfg",
                                           "[r]\nrw=read\nsize=1m\n", &opts, SIM_E_NO, &e);
    ck_assert_ptr_null(r);
    ck_assert_ptr_nonnull(strstr(e.text, "refused by rule"));
}
END_TEST

START_TEST(an_interrupted_set_keeps_what_is_finished)
{
    volatile int stop = 1;
    struct hci_run_opts opts = {.seed = 1, .reps = 3, .threads = 2, .interrupted = &stop};
    struct sim_err e = {0};
    struct hci_result *r =
        simulate_status("configs/layouts/story1-native-optane.cfg",
                        "[a]\nrw=read\nsize=1m\n[b]\nstonewall\nrw=read\nsize=64m\ntime_based\n"
                        "runtime=2s\n",
                        &opts, SIM_E_INTERRUPTED, &e);
    ck_assert_ptr_nonnull(r);
    ck_assert_uint_le(r->njobs, 1);
    hci_result_free(r);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, replications_give_the_same_result_whatever_the_number_of_threads);
    tcase_add_test(tc, replications_pool_what_they_would_give_one_by_one);
    tcase_add_test(tc, a_refused_layout_is_refused_once_and_leaves_no_result);
    tcase_add_test(tc, an_interrupted_set_keeps_what_is_finished);
}

TEST_MAIN("unit.reps")
