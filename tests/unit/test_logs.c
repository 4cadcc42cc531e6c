/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "check_main.h"

#include "hci_result.h"
#include "workload/hci_logs.h"

#include <string.h>

/* An I/O with the payload a cluster's carry. */
union fake_io {
    struct sim_io io;
    char room[sizeof(struct sim_io) + sizeof(struct hci_io) + 64];
};

static uint32_t room;
static const uint64_t base[] = {1000000};

static void record(struct hci_logs *l, unsigned dir, uint64_t at_us, uint64_t lat_us)
{
    static union fake_io fake;
    memset(&fake, 0, sizeof fake);
    sim_time now = 5 * SIM_S + at_us * SIM_US;
    fake.io.issued = now - lat_us * SIM_US;
    fake.io.submitted = fake.io.issued + 1 * SIM_US;
    hci_io_of(&fake.io)->rq = (struct hci_request){.offset = base[0] + 8192, .bytes = 4096};
    hci_logs_record(l, dir, &fake.io, base, now);
}

static struct hci_logs *begun(struct hci_logs **list, struct hci_job *job)
{
    *list = NULL;
    room = HCI_LOG_ROOM;
    job->write_lat_log = "x";
    job->bs_max[HCI_DIR_READ] = job->bs_max[HCI_DIR_WRITE] = 4096;
    job->engine_class = HCI_ENGINE_ASYNC;
    struct hci_logs *l = hci_logs_add(list, job, 1, &room);
    ck_assert_ptr_nonnull(l);
    hci_logs_begin(l, 5 * SIM_S);
    return l;
}

START_TEST(a_job_that_asks_for_no_log_has_none)
{
    struct hci_job job = {0};
    struct hci_logs *list = NULL;
    ck_assert_ptr_null(hci_logs_add(&list, &job, 1, &room));
    ck_assert_ptr_null(list);
    hci_logs_begin(NULL, 0);
    hci_logs_record(NULL, HCI_DIR_READ, NULL, base, 0);
    hci_logs_close(NULL);
    hci_logs_free(NULL);
}
END_TEST

START_TEST(without_a_window_every_io_is_kept_as_it_was)
{
    struct hci_job job = {0};
    struct hci_logs *list, *l = begun(&list, &job);
    record(l, HCI_DIR_READ, 100, 50);
    record(l, HCI_DIR_SYNC, 150, 50);
    record(l, HCI_DIR_WRITE, 200, 80);
    hci_logs_close(list);
    ck_assert_uint_eq(l->nentries, 2);
    ck_assert_uint_eq(l->entries[1].when_ns, 200 * SIM_US);
    ck_assert_uint_eq(l->entries[1].lat_ns, 80 * SIM_US);
    ck_assert_uint_eq(l->entries[1].clat_ns, 79 * SIM_US);
    ck_assert_uint_eq(l->entries[1].slat_ns, 1 * SIM_US);
    ck_assert_uint_eq(l->entries[1].offset, 8192);
    ck_assert_uint_eq(l->entries[1].dir, HCI_DIR_WRITE);
    hci_logs_free(list);
}
END_TEST

START_TEST(windows_end_at_multiples_and_the_last_one_with_the_job)
{
    struct hci_job job = {.log_avg_ns = SIM_MS};
    struct hci_logs *list, *l = begun(&list, &job);
    record(l, HCI_DIR_READ, 100, 40);
    record(l, HCI_DIR_WRITE, 300, 10);
    record(l, HCI_DIR_READ, 1000, 60); /* the edge belongs to the window that ends there */
    record(l, HCI_DIR_READ, 3500, 30);
    hci_logs_close(list);
    ck_assert_uint_eq(l->nentries, 3);
    ck_assert_uint_eq(l->entries[0].when_ns, SIM_MS);
    ck_assert_uint_eq(l->entries[0].ios, 2);
    ck_assert_uint_eq(l->entries[0].bytes, 8192);
    ck_assert_uint_eq(l->entries[0].lat_ns, 50 * SIM_US);
    ck_assert_uint_eq(l->entries[1].dir, HCI_DIR_WRITE);
    ck_assert_uint_eq(l->entries[2].when_ns, 3500 * SIM_US);
    hci_logs_free(list);
}
END_TEST

START_TEST(log_max_value_keeps_the_largest)
{
    struct hci_job job = {.log_avg_ns = SIM_MS, .log_max = true};
    struct hci_logs *list, *l = begun(&list, &job);
    record(l, HCI_DIR_READ, 100, 40);
    record(l, HCI_DIR_READ, 200, 90);
    record(l, HCI_DIR_READ, 300, 20);
    hci_logs_close(list);
    ck_assert_uint_eq(l->nentries, 1);
    ck_assert_uint_eq(l->entries[0].lat_ns, 90 * SIM_US);
    ck_assert_uint_eq(l->entries[0].ios, 3);
    hci_logs_free(list);
}
END_TEST

START_TEST(histograms_hold_full_windows_alone)
{
    struct hci_job job = {.log_hist_ns = SIM_MS, .write_hist_log = "x"};
    struct hci_logs *list, *l = begun(&list, &job);
    record(l, HCI_DIR_READ, 100, 40);
    record(l, HCI_DIR_READ, 900, 40);
    record(l, HCI_DIR_READ, 950, 41);
    record(l, HCI_DIR_READ, 1500, 40);
    hci_logs_close(list);
    ck_assert_uint_eq(l->nhists, 1);
    ck_assert_uint_eq(l->hists[0].when_ns, SIM_MS);
    ck_assert_uint_eq(l->hists[0].nbins, 2);
    ck_assert_uint_eq(l->hists[0].bins[0].bin, sim_hist_index(39 * SIM_US));
    ck_assert_uint_eq(l->hists[0].bins[0].count, 2);
    hci_logs_free(list);
}
END_TEST

START_TEST(a_log_without_room_says_so_and_keeps_what_it_has)
{
    struct hci_job job = {0};
    struct hci_logs *list, *l = begun(&list, &job);
    room = 3;
    for (unsigned i = 1; i < 10; i++)
        record(l, HCI_DIR_READ, 100 * i, 40);
    hci_logs_close(list);
    ck_assert_uint_eq(l->nentries, 3);
    ck_assert(l->full);
    hci_logs_free(list);
}
END_TEST

START_TEST(nothing_is_kept_before_the_window_begins)
{
    struct hci_job job = {.write_bw_log = ""};
    struct hci_logs *list = NULL;
    room = HCI_LOG_ROOM;
    struct hci_logs *l = hci_logs_add(&list, &job, 7, &room);
    record(l, HCI_DIR_READ, 100, 40);
    hci_logs_begin(l, 5 * SIM_S);
    record(l, HCI_DIR_READ, 200, 40);
    hci_logs_close(list);
    ck_assert_uint_eq(l->nentries, 1);
    ck_assert_uint_eq(l->number, 7);
    hci_logs_free(list);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_job_that_asks_for_no_log_has_none);
    tcase_add_test(tc, without_a_window_every_io_is_kept_as_it_was);
    tcase_add_test(tc, windows_end_at_multiples_and_the_last_one_with_the_job);
    tcase_add_test(tc, log_max_value_keeps_the_largest);
    tcase_add_test(tc, histograms_hold_full_windows_alone);
    tcase_add_test(tc, a_log_without_room_says_so_and_keeps_what_it_has);
    tcase_add_test(tc, nothing_is_kept_before_the_window_begins);
}

TEST_MAIN("unit.logs")
