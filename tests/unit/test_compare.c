/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparison: matching, merged clones, verdicts, distance, and results read
 * back from HDF5.
 */
#include "check_main.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ana_compare.h"
#include "ana_hdf5.h"
#include "ana_load.h"
#include "fake_result.h"

static struct ana_measured *read_text(const char *text)
{
    struct ana_measured *m;
    struct sim_err e;
    ck_assert_int_eq(ana_fio_read_text(&m, text, strlen(text), "text", &e), SIM_OK);
    ck_assert_int_eq(ana_merge_clones(m, &e), SIM_OK);
    return m;
}

static struct ana_measured *from_fake(void)
{
    struct ana_measured *m;
    struct hci_result *r = fake_result();
    ck_assert_int_eq(ana_load_result(&m, r, "fake", NULL), SIM_OK);
    fake_free(r);
    return m;
}

START_TEST(a_result_beside_itself_differs_in_nothing)
{
    struct ana_measured *m = from_fake();
    const struct ana_source src = {"fake", m};
    struct ana_comparison c;
    ck_assert_int_eq(ana_compare(&c, m, "fake", &src, 1, 0, NULL), SIM_OK);
    ck_assert_uint_eq(c.npairs, 3); /* mix reads and writes, log writes */
    for (unsigned i = 0; i < c.npairs; i++) {
        ck_assert(c.pairs[i].has_ks && c.pairs[i].ks == 0);
        for (int k = 0; k < ANA_METRICS; k++)
            ck_assert_double_eq(c.pairs[i].m[k].ratio, 1);
    }
    ck_assert_uint_eq(c.nout, 0);
    ana_comparison_free(&c);
    ana_measured_free(m);
}
END_TEST

#define JOB(name, options, iops, bins)                                                             \
    "{\"jobname\":\"" name "\",\"groupid\":0,\"error\":0,\"job options\":{" options "},"           \
    "\"read\":{\"io_kbytes\":1,\"bw_bytes\":4096000,\"iops\":" iops ",\"runtime\":60000,"          \
    "\"total_ios\":60000,\"clat_ns\":{\"min\":1,\"max\":9000,\"mean\":1000,\"N\":60000,"           \
    "\"percentile\":{\"50.000000\":1000},\"bins\":{" bins "}},\"lat_ns\":{\"min\":1,"              \
    "\"max\":9000,\"mean\":1000,\"N\":60000}}}"
#define DOC(jobs) "{\"fio version\":\"fio-3.33\",\"jobs\":[" jobs "]}"

START_TEST(clones_of_one_job_are_pooled_bin_by_bin)
{
    struct ana_measured *m = read_text(DOC(JOB("a", "", "1000", "\"1000\":3,\"2000\":1") "," JOB(
        "a", "", "500", "\"1000\":1,\"3000\":5")));
    ck_assert_uint_eq(m->njobs, 1);
    ck_assert_uint_eq(m->jobs[0].nentries, 2);
    ck_assert_double_eq(m->jobs[0].dir[0].iops, 1500);
    const struct ana_measured_lat *l = &m->jobs[0].dir[0].clat;
    ck_assert_uint_eq(l->nbins, 3);
    ck_assert_uint_eq(l->bins[0].count, 4);
    ck_assert_uint_eq(l->bins[2].count, 5);
    ck_assert(!m->jobs[0].worst_pct);
    ana_measured_free(m);
}
END_TEST

START_TEST(clones_without_bins_keep_the_worst_percentiles_and_say_so)
{
    struct ana_measured *m = read_text(DOC(JOB("a", "", "1000", "") "," JOB("a", "", "500", "")));
    ck_assert_uint_eq(m->njobs, 1);
    ck_assert(m->jobs[0].worst_pct);
    ck_assert_double_eq(m->jobs[0].dir[0].clat.pct_ns[0], 1000);
    ana_measured_free(m);
}
END_TEST

START_TEST(a_job_is_matched_by_name_first_and_by_options_then)
{
    struct ana_measured *sim = read_text(
        DOC(JOB("a", "\"rw\":\"randread\",\"iodepth\":\"1\"", "1", "") "," JOB(
            "b", "\"rw\":\"randread\",\"bs\":\"4096\",\"iodepth\":\"8\"", "1", "")));
    struct ana_measured *m = read_text(
        DOC(JOB("a", "\"rw\":\"write\"", "1", "") "," JOB(
            "x", "\"rw\":\"randread\",\"bs\":\"4kb\",\"iodepth\":\"8\",\"numjobs\":\"1\"", "1",
            "") "," JOB("y", "\"rw\":\"trim\"", "1", "") "," JOB("z", "", "1", "")));
    bool by_options;
    ck_assert_ptr_eq(ana_match(sim, &m->jobs[0], &by_options), &sim->jobs[0]);
    ck_assert(!by_options);
    ck_assert_ptr_eq(ana_match(sim, &m->jobs[1], &by_options), &sim->jobs[1]);
    ck_assert(by_options);
    ck_assert_ptr_null(ana_match(sim, &m->jobs[2], &by_options));
    ck_assert_ptr_null(ana_match(sim, &m->jobs[3], &by_options));
    ana_measured_free(m);
    ana_measured_free(sim);
}
END_TEST

START_TEST(the_distance_is_the_largest_gap_of_the_two_distributions)
{
    struct ana_measured *a = read_text(DOC(JOB("a", "", "1000", "\"1000\":50,\"2000\":50")));
    struct ana_measured *b = read_text(DOC(JOB("a", "", "1250", "\"1000\":20,\"2000\":80")));
    const struct ana_source src = {"b", b};
    struct ana_comparison c;
    ck_assert_int_eq(ana_compare(&c, a, "a", &src, 1, 10, NULL), SIM_OK);
    ck_assert_double_eq_tol(c.pairs[0].ks, 0.3, 1e-12);
    ck_assert_double_eq(c.pairs[0].ks_us, 1);
    ck_assert_int_eq(c.pairs[0].m[ANA_M_IOPS].verdict, ANA_V_LOW);
    ck_assert_int_eq(c.pairs[0].m[ANA_M_MBPS].verdict, ANA_V_SAME);
    ck_assert_double_eq(c.pairs[0].m[ANA_M_P50].ratio, 0.5); /* 1000 of 100 samples, 2000 */
    ck_assert_uint_eq(c.nout, 2);
    ana_comparison_free(&c);
    ana_measured_free(a);
    ana_measured_free(b);
}
END_TEST

START_TEST(a_result_comes_back_from_its_file_as_it_went_in)
{
    char path[] = "/tmp/hcisim-test-XXXXXX";
    struct hci_result *r = fake_result(), *back;
    struct sim_err e;
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    ck_assert_int_eq(ana_hdf5_write(path, r, &e), SIM_OK);
    ck_assert(ana_hdf5_is(path));
    ck_assert_int_eq(ana_hdf5_read(&back, path, &e), SIM_OK);
    unlink(path);
    ck_assert_uint_eq(back->njobs, 2);
    ck_assert_uint_eq(back->hash, r->hash);
    ck_assert_str_eq(back->layout_text, r->layout_text);
    ck_assert_str_eq(back->part_name[1], "device");
    const struct hci_job_result *x = &r->jobs[0], *y = &back->jobs[0];
    ck_assert_str_eq(y->verdict, x->verdict);
    ck_assert_mem_eq(&y->dir[0].lat, &x->dir[0].lat, sizeof y->dir[0].lat);
    ck_assert(y->dir[0].lat_m.sum == x->dir[0].lat_m.sum);
    ck_assert_double_eq(y->dir[1].mean[1].wait_ns, x->dir[1].mean[1].wait_ns);
    ck_assert_uint_eq(y->dir[0].nintervals, 2);
    ck_assert_str_eq(y->resources[1].name, x->resources[1].name);
    ck_assert_double_eq(y->states[0].value[1], 4096);
    ck_assert_str_eq(y->warnings[0], x->warnings[0]);
    ck_assert_uint_eq(y->job->rw, HCI_RW_READ | HCI_RW_WRITE | HCI_RW_RANDOM);
    ana_hdf5_free(back);
    fake_free(r);
}
END_TEST

START_TEST(a_file_that_is_no_result_is_refused)
{
    struct hci_result *r;
    struct sim_err e;
    ck_assert_int_eq(ana_hdf5_read(&r, "tests/check_main.h", &e), SIM_E_INPUT);
    ck_assert_ptr_null(r);
    ck_assert(!ana_hdf5_is("tests/check_main.h"));
    ck_assert_int_eq(ana_hdf5_read(&r, "no/such.h5", &e), SIM_E_IO);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_result_beside_itself_differs_in_nothing);
    tcase_add_test(tc, clones_of_one_job_are_pooled_bin_by_bin);
    tcase_add_test(tc, clones_without_bins_keep_the_worst_percentiles_and_say_so);
    tcase_add_test(tc, a_job_is_matched_by_name_first_and_by_options_then);
    tcase_add_test(tc, the_distance_is_the_largest_gap_of_the_two_distributions);
    tcase_add_test(tc, a_result_comes_back_from_its_file_as_it_went_in);
    tcase_add_test(tc, a_file_that_is_no_result_is_refused);
}
TEST_MAIN("unit.compare")
