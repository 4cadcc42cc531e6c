/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When a job's thread takes its finished I/Os back, and what that does to latencies.
 */
#include "workload/hci_reap.h"

#include "job_text.h"
#include "simulate.h"

#include <stdlib.h>

static struct hci_result *on_ideal_disk(const char *text)
{
    const struct hci_set ideal = {.key = "device", .value = "ideal-100us"};
    struct sim_err e = {0};
    return simulate_sets("configs/layouts/one-device.cfg", &ideal, 1, text,
                         &(struct hci_run_opts){0}, SIM_OK, &e);
}

static double parts_of(const struct hci_result *r, const struct hci_dir_result *d)
{
    double sum = 0;
    for (unsigned p = 0; p < r->nparts; p++)
        sum += d->mean[p].wait_ns + d->mean[p].service_ns;
    return sum;
}

static double mean_of(const struct hci_dir_result *d)
{
    return (double)d->lat_m.sum / (double)d->lat_m.n;
}

START_TEST(what_ends_first_is_taken_first_and_its_wait_is_booked)
{
    struct hci_jobfile *jf = job_text("[a]\nsize=1g\nioengine=libaio\niodepth=64\n"
                                      "iodepth_batch_complete_min=64\n");
    struct hci_reap *r = hci_reap_create(&jf->jobs[0]);
    ck_assert_ptr_nonnull(r);
    uint64_t next = 0, in = 0;
    for (unsigned round = 1; round < 40; round++) { /* it grows while it is not empty */
        for (unsigned i = 0; i < round; i++, in++) {
            struct sim_io io = {.issued = in, .submitted = in + 1};
            struct sim_leg leg[3] = {
                {.wait = 1, .service_part = 10 | (uint64_t)HCI_PART_DEVICE << 56},
                {.wait = 2, .service_part = 20 | (uint64_t)HCI_PART_HOST_REAP << 56},
                {.wait = in, .service_part = 30 | (uint64_t)HCI_PART_DEVICE << 56}};
            leg[1].before = &leg[0];
            leg[2].before = &leg[1];
            hci_reap_hold(r, &io, &(struct sim_token){.leg = &leg[2]}, 1000 + in);
        }
        for (unsigned i = 0; i < round - (round > 1); i++, next++) {
            struct hci_finished *f = hci_reap_take(r, 5000 + next);
            uint64_t wait[HCI_PART_COUNT] = {0}, service[HCI_PART_COUNT] = {0};
            for (const struct sim_leg *l = f->token.leg; l; l = l->before) {
                wait[sim_leg_part(l)] += l->wait;
                service[sim_leg_part(l)] += sim_leg_service(l);
            }
            ck_assert_uint_eq(f->io.issued, next);
            ck_assert_uint_eq(f->io.submitted, next + 1);
            ck_assert_uint_eq(wait[HCI_PART_DEVICE], 1 + next);
            ck_assert_uint_eq(service[HCI_PART_DEVICE], 40);
            ck_assert_uint_eq(wait[HCI_PART_HOST_REAP], 2 + 4000);
            ck_assert_uint_eq(service[HCI_PART_HOST_REAP], 20);
        }
    }
    ck_assert_uint_eq(r->n, in - next);
    hci_reap_free(r);
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(only_a_thread_that_waits_for_several_holds_what_is_finished)
{
    static const struct {
        const char *options;
        bool holds;
    } rows[] = {
        {"iodepth=8\n", false},
        {"iodepth=8\niodepth_low=2\niodepth_batch=8\n", false},
        {"iodepth=8\niodepth_batch_complete_max=8\n", false},
        {"iodepth=8\niodepth_batch_complete_min=0\n", false}, /* takes it at once */
        {"iodepth=8\niodepth_batch_complete_min=0\niodepth_batch_complete_max=8\n", true},
        {"iodepth=8\niodepth_batch_complete=2\n", true},
        {"iodepth=1\niodepth_batch_complete_min=2\n", false},
        {"ioengine=psync\niodepth=8\niodepth_batch_complete_min=2\n", false},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        snprintf(text, sizeof text, "[a]\nsize=1g\nioengine=libaio\n%s", rows[i].options);
        struct hci_jobfile *jf = job_text(text);
        struct hci_reap *r = hci_reap_create(&jf->jobs[0]);
        ck_assert_msg((r != NULL) == rows[i].holds, "%s", rows[i].options);
        hci_reap_free(r);
        hci_jobfile_free(jf);
    }
}
END_TEST

#define READS "rw=randread\nbs=4k\nsize=1g\niodepth=16\n"

START_TEST(all_of_a_batch_end_when_it_is_taken)
{
    /* Of 64 servers none is waited for; the core takes completions one by one. */
    struct hci_result *r = on_ideal_disk(
        "[one]\n" READS "number_ios=320\n"
        "[all]\nstonewall\n" READS "number_ios=320\niodepth_batch_complete_min=16\n"
        "[rest]\nstonewall\n" READS "number_ios=10\niodepth_batch_complete_min=16\n");
    const struct hci_dir_result *one = &r->jobs[0].dir[0], *all = &r->jobs[1].dir[0];
    const struct hci_dir_result *rest = &r->jobs[2].dir[0];
    ck_assert_uint_eq(all->ios, 320);
    ck_assert_uint_eq(all->lat_m.max - all->lat_m.min, 0);
    ck_assert_uint_gt(one->lat_m.max, one->lat_m.min);
    ck_assert_uint_ge(all->lat_m.min, one->lat_m.max - one->lat_m.max / 10);
    ck_assert_double_gt(all->mean[HCI_PART_HOST_REAP].wait_ns,
                        one->mean[HCI_PART_HOST_REAP].wait_ns);
    /* A job at its end waits for all that is left. */
    ck_assert_uint_eq(rest->ios, 10);
    ck_assert_uint_eq(rest->lat_m.max, rest->lat_m.min);
    for (unsigned j = 0; j < 3; j++) {
        const struct hci_dir_result *d = &r->jobs[j].dir[0];
        ck_assert_double_eq_tol(parts_of(r, d), mean_of(d), 1e-9 * mean_of(d));
    }
    ck_assert_double_eq_tol(r->jobs[1].mean_in_flight, 16, 1e-6);
    hci_result_free(r);
}
END_TEST

START_TEST(a_thread_that_drains_its_queue_takes_each_as_it_ends)
{
    /* 3 at a time never make a batch of 8: only pauses end them. */
    struct hci_result *r = on_ideal_disk(
        "[think]\n" READS "number_ios=30\niodepth_batch_complete_min=8\n"
        "thinktime=1000\nthinktime_blocks=3\nthinktime_blocks_type=issue\n"
        "[rate]\nstonewall\n" READS "number_ios=300\niodepth_batch_complete_min=8\nrate_iops=1000\n"
        "[mixed]\nstonewall\n" READS "rw=randwrite\nio_size=1m\nfsync=5\nend_fsync=1\nverify=md5\n"
        "size=1m\niodepth_batch_complete_min=8\n"
        "[trim]\nstonewall\nrw=trimwrite\nbs=4k\nsize=1m\niodepth=16\n"
        "iodepth_batch_complete_min=8\n");
    ck_assert_uint_eq(r->jobs[0].dir[0].ios, 30);
    ck_assert_uint_lt(r->jobs[0].dir[0].lat_m.max, 130 * SIM_US); /* no pause in it */
    ck_assert_uint_eq(r->jobs[1].dir[0].ios, 300);
    ck_assert_uint_lt(r->jobs[1].dir[0].lat_m.max, 110 * SIM_US);
    ck_assert_uint_eq(r->jobs[2].dir[0].ios, 256);
    ck_assert_uint_eq(r->jobs[2].dir[1].ios, 256);
    ck_assert_uint_eq(r->jobs[3].dir[1].ios, 256);
    ck_assert_uint_eq(r->jobs[3].dir[HCI_DIR_TRIM].ios, 256);
    for (unsigned j = 0; j < r->njobs; j++)
        for (unsigned d = 0; d < 3; d++) {
            const struct hci_dir_result *x = &r->jobs[j].dir[d];
            if (x->ios)
                ck_assert_double_eq_tol(parts_of(r, x), mean_of(x), 1e-9 * mean_of(x));
        }
    hci_result_free(r);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, what_ends_first_is_taken_first_and_its_wait_is_booked);
    tcase_add_test(tc, only_a_thread_that_waits_for_several_holds_what_is_finished);
    tcase_add_test(tc, all_of_a_batch_end_when_it_is_taken);
    tcase_add_test(tc, a_thread_that_drains_its_queue_takes_each_as_it_ends);
}

TEST_MAIN("unit.reap")
