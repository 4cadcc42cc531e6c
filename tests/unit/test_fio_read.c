/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of real fio, written down here in the shapes its versions and its
 * users' scripts leave behind.
 */
#define _GNU_SOURCE
#include "check_main.h"

#include <stdio.h>
#include <string.h>

#include "ana_fio_read.h"
#include "ana_json.h"
#include "fake_result.h"

#define JOB(name, ios)                                                                             \
    "{\"jobname\" : \"" name "\", \"groupid\" : 3, \"error\" : 0, \"eta\" : 0,\n"                  \
    "\"job options\" : {\"rw\" : \"read\", \"bs\" : \"8k\"},\n"                                    \
    "\"read\" : {\"io_bytes\" : 8192, \"io_kbytes\" : 8, \"bw_bytes\" : 4096, \"bw\" : 4,\n"       \
    "\"iops\" : 0.5, \"runtime\" : 2000, \"total_ios\" : " ios ",\n"                               \
    "\"clat_ns\" : {\"min\" : 1, \"max\" : 9, \"mean\" : 5.5, \"stddev\" : 1.5, \"N\" : 2,\n"      \
    "\"percentile\" : {\"99.000000\" : 9, \"50.000000\" : 5},\n"                                   \
    "\"bins\" : {\"9\" : 1, \"5\" : 1}}},\n"                                                       \
    "\"iodepth_level\" : {\"1\" : 25.0, \">=64\" : 75.0}}"

#define DOC(jobs)                                                                                  \
    "{\n\"fio version\" : \"fio-3.33\",\n\"global options\" : {\"bs\" : \"4k\",\n"                 \
    "\"size\" : \"1m\"},\n\"jobs\" : [" jobs "],\n\"disk_util\" : [{\"name\" : \"sda\"}]\n}\n"

static struct ana_measured *read_ok(const char *text, size_t n)
{
    struct ana_measured *m;
    struct sim_err e = {0};
    ck_assert_msg(ana_fio_read_text(&m, text, n, "x.json", &e) == SIM_OK, "%s", e.text);
    ck_assert_ptr_nonnull(m);
    return m;
}

static struct ana_measured *read_str(const char *text)
{
    return read_ok(text, strlen(text));
}

static void refused(const char *text, const char *because)
{
    struct ana_measured *m;
    struct sim_err e = {0};
    ck_assert_int_eq(ana_fio_read_text(&m, text, strlen(text), "x.json", &e), SIM_E_INPUT);
    ck_assert_ptr_null(m);
    ck_assert_str_eq(e.file, "x.json");
    ck_assert_msg(strstr(e.text, because) != NULL, "%s", e.text);
}

START_TEST(a_document_of_fio_3_is_read_whole)
{
    struct ana_measured *m = read_str(DOC(JOB("a", "2")));
    struct ana_measured_job *j = m->jobs;
    struct ana_measured_dir *d = &j->dir[ANA_READ];
    ck_assert_str_eq(m->version, "fio-3.33");
    ck_assert_uint_eq(m->njobs, 1);
    ck_assert_uint_eq(m->nnotes, 0);
    ck_assert(!m->simulated && !m->cut_off && !j->interim);
    ck_assert_int_eq(j->groupid, 3);
    ck_assert(d->present && !j->dir[ANA_WRITE].present);
    ck_assert_uint_eq(d->bytes, 8192);
    ck_assert_uint_eq(d->runtime_ns, 2 * SIM_S);
    ck_assert_double_eq(d->bw_Bps, 4096);
    ck_assert_double_eq(d->clat.mean, 5.5);
    ck_assert_uint_eq(d->clat.npct, 2);
    ck_assert_double_eq(d->clat.pct[0], 50);
    ck_assert_double_eq(d->clat.pct_ns[1], 9);
    ck_assert_uint_eq(d->clat.nbins, 2);
    ck_assert_uint_eq(d->clat.bins[0].ns, 5);
    ck_assert_uint_eq(d->lat.n, 0);
    ck_assert_double_eq(j->depth[6], 75);
    ck_assert_str_eq(ana_measured_option(j, "bs"), "8k");
    ck_assert_str_eq(ana_measured_option(j, "size"), "1m");
    ck_assert_ptr_null(ana_measured_option(j, "iodepth"));
    ana_measured_free(m);
}
END_TEST

START_TEST(microseconds_and_kibibytes_of_fio_2_are_converted)
{
    struct ana_measured *m = read_str(
        "{ \"fio version\" : \"fio-2.1.4\", \"jobs\" : [ {\"jobname\" : \"old\", \"read\" : {\n"
        "\"io_bytes\" : 40, \"bw\" : 20, \"iops\" : 5, \"runtime\" : 2000,\n"
        "\"lat\" : {\"min\" : 7, \"max\" : 90, \"mean\" : 12.34, \"stddev\" : 1.00},\n"
        "\"clat\" : {\"min\" : 6, \"max\" : 80, \"mean\" : 11, \"stddev\" : 1, \"percentile\" :\n"
        "{\"50.00\" : 10, \"99.00\" : 70, \"0.00\" : 0, \"0.00\" : 0}}}} ] }");
    struct ana_measured_dir *d = &m->jobs[0].dir[ANA_READ];
    ck_assert_uint_eq(d->bytes, 40 * 1024);
    ck_assert_double_eq(d->bw_Bps, 20 * 1024);
    ck_assert_uint_eq(d->ios, 10);
    ck_assert_uint_eq(d->lat.n, 10);
    ck_assert_double_eq(d->lat.mean, 12340);
    ck_assert_uint_eq(d->clat.npct, 2);
    ck_assert_double_eq(d->clat.pct_ns[1], 70000);
    ana_measured_free(m);
}
END_TEST

START_TEST(text_around_a_document_is_kept_as_notes)
{
    struct ana_measured *m = read_str(
        "fio: time_based requires a runtime/timeout setting\n"
        "CONFIG {\"pods\":1}\n"
        "Jobs: 1 (f=1): [R(1)][eta 00m:01s]\r" DOC(JOB("a", "2")) "\nDisk stats (read/write):\n");
    ck_assert_uint_eq(m->njobs, 1);
    ck_assert_uint_eq(m->nnotes, 4);
    ck_assert_str_eq(m->notes[0], "fio: time_based requires a runtime/timeout setting");
    ck_assert_str_eq(m->notes[1], "CONFIG {\"pods\":1}");
    ck_assert_str_eq(m->notes[3], "Disk stats (read/write):");
    ana_measured_free(m);
}
END_TEST

START_TEST(of_several_documents_the_last_complete_one_counts)
{
    static const char two[] = DOC(JOB("a", "2")) DOC(JOB("a", "7") "," JOB("b", "1"));
    struct ana_measured *m = read_str(two);
    ck_assert_uint_eq(m->ndocuments, 2);
    ck_assert_uint_eq(m->njobs, 2);
    ck_assert_uint_eq(m->jobs[0].dir[ANA_READ].ios, 7);
    ana_measured_free(m);
    m = read_ok(two, sizeof two - 30);
    ck_assert_uint_eq(m->ndocuments, 1);
    ck_assert_uint_eq(m->jobs[0].dir[ANA_READ].ios, 2);
    ck_assert_str_eq(m->notes[0], "the last document is cut off; the one before it is used");
    ana_measured_free(m);
}
END_TEST

START_TEST(a_file_cut_at_any_byte_gives_its_complete_jobs_or_an_error)
{
    static const char whole[] = DOC(JOB("first", "2") "," JOB("second", "1"));
    size_t first = (size_t)(strstr(whole, "second") - whole), seen[3] = {0};
    for (size_t n = 0; n < sizeof whole - 3; n++) {
        struct ana_measured *m;
        struct sim_err e = {0};
        ck_assert_int_eq(ana_fio_read_text(&m, whole, n, "x", &e), SIM_E_INPUT);
        unsigned jobs = m ? m->njobs : 0;
        ck_assert(!m || m->cut_off);
        ck_assert(jobs == 0 || strstr(e.text, "complete jobs: first") != NULL);
        ck_assert_msg(n < first ? jobs <= 1 : jobs >= 1, "%u jobs of %zu bytes", jobs, n);
        seen[jobs]++;
        ana_measured_free(m);
    }
    ck_assert(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}
END_TEST

START_TEST(clients_are_jobs_and_their_sum_is_left_out)
{
    struct ana_measured *m =
        read_str("{\n\"fio version\" : \"fio-3.7\", \"client_stats\" : [\n"
                 "{\"jobname\" : \"a\", \"read\" : {\"total_ios\" : 1}, \"hostname\" : \"h1\"},\n"
                 "{\"jobname\" : \"a\", \"read\" : {\"total_ios\" : 2}, \"hostname\" : \"h2\"},\n"
                 "{\"jobname\" : \"All clients\", \"read\" : {\"total_ios\" : 3}}]}\n");
    ck_assert_uint_eq(m->njobs, 2);
    ck_assert_str_eq(m->jobs[1].host, "h2");
    ana_measured_free(m);
}
END_TEST

START_TEST(what_is_no_json_is_repaired_and_noted)
{
    struct ana_measured *m = read_str(
        "{\"fio version\" : \"fio-2.0\", \"jobs\" : [{\"jobname\" : \"a\xff\tb \\\"nan\\\"\",\n"
        "\"read\" : {\"iops\" : -nan, \"bw\" : inf, \"total_ios\" : 4}}]}");
    ck_assert_str_eq(m->jobs[0].name, "a? b \"nan\"");
    ck_assert_uint_eq(m->jobs[0].dir[ANA_READ].ios, 4);
    ck_assert_double_eq(m->jobs[0].dir[ANA_READ].iops, 0);
    ck_assert_ptr_nonnull(strstr(m->notes[0], "4 places"));
    ana_measured_free(m);
}
END_TEST

START_TEST(keys_of_another_type_count_as_absent_and_duplicates_as_their_last)
{
    struct ana_measured *m =
        read_str("{\"fio version\" : \"fio-3.1\", \"jobs\" : [{\"jobname\" : \"a\", \"read\" : 7,\n"
                 "\"write\" : {\"total_ios\" : \"9\", \"clat_ns\" : []}, \"job options\" :\n"
                 "{\"filename\" : \"x\", \"filename\" : \"y\"}}, {\"no name\" : 1}, 5]}");
    ck_assert_uint_eq(m->njobs, 1);
    ck_assert(!m->jobs[0].dir[ANA_READ].present);
    ck_assert_uint_eq(m->jobs[0].dir[ANA_WRITE].ios, 0);
    ck_assert_str_eq(ana_measured_option(m->jobs, "filename"), "y");
    ana_measured_free(m);
}
END_TEST

START_TEST(what_is_no_result_is_refused_with_the_reason)
{
    refused("", "empty");
    refused(" \n\t\n", "empty");
    refused("3;fio-3.33;a;0;0;1;2", "terse");
    refused("a: (groupid=0, jobs=1): err= 0\n", "no result of fio");
    refused("{\n \"some\" : \"other\"\n}\n", "no result of fio");
    refused("500, 183344, 0, 0, 0\n500, 80672, 1, 0, 0\n", "log of fio");
    refused("{\n \"fio version\" : \"fio-3.33\", \"jobs\" : [,]\n}\n", "no JSON result of fio");
    struct ana_measured *m;
    struct sim_err e = {0};
    ck_assert_int_eq(ana_fio_read(&m, "/no/such/file", &e), SIM_E_IO);
    ck_assert_int_eq(ana_fio_read(&m, "/dev", &e), SIM_E_INPUT);
    ck_assert_ptr_nonnull(strstr(e.text, "no file of this folder"));
    ck_assert_int_eq(ana_fio_read(&m, "/dev/zero", &e), SIM_E_IO);
    ck_assert_ptr_nonnull(strstr(e.text, "larger than 256 MiB"));
}
END_TEST

START_TEST(half_open_brackets_do_not_make_it_slow)
{
    const size_t n = 8 << 20;
    char *text = malloc(n);
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < n; i += 4)
        memcpy(text + i, "{\"\"\n", 4);
    struct ana_measured *m;
    struct sim_err e = {0};
    ck_assert_int_eq(ana_fio_read_text(&m, text, n, "x", &e), SIM_E_INPUT);
    memset(text, '{', n);
    ck_assert_int_eq(ana_fio_read_text(&m, text, n, "x", &e), SIM_E_INPUT);
    free(text);
}
END_TEST

START_TEST(our_own_json_is_read_back)
{
    struct hci_result *r = fake_result();
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(ana_json_write(f, r, ANA_JSON_PLUS, NULL), SIM_OK);
    fclose(f);
    struct ana_measured *m = read_ok(text, n);
    struct ana_measured_dir *d = &m->jobs[0].dir[ANA_WRITE];
    ck_assert(m->simulated);
    ck_assert_uint_eq(m->njobs, 2);
    ck_assert_uint_eq(d->ios, 9000);
    ck_assert_uint_eq(d->clat.n, 9000);
    ck_assert_double_eq(d->clat.max, (double)r->jobs[0].dir[HCI_DIR_WRITE].clat_m.max);
    ck_assert_uint_eq(m->jobs[1].dir[ANA_SYNC].lat.n, 100);
    ck_assert_str_eq(ana_measured_option(m->jobs, "iodepth"), "32");
    free(text);
    ana_measured_free(m);
    fake_free(r);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_document_of_fio_3_is_read_whole);
    tcase_add_test(tc, microseconds_and_kibibytes_of_fio_2_are_converted);
    tcase_add_test(tc, text_around_a_document_is_kept_as_notes);
    tcase_add_test(tc, of_several_documents_the_last_complete_one_counts);
    tcase_add_test(tc, a_file_cut_at_any_byte_gives_its_complete_jobs_or_an_error);
    tcase_add_test(tc, clients_are_jobs_and_their_sum_is_left_out);
    tcase_add_test(tc, what_is_no_json_is_repaired_and_noted);
    tcase_add_test(tc, keys_of_another_type_count_as_absent_and_duplicates_as_their_last);
    tcase_add_test(tc, what_is_no_result_is_refused_with_the_reason);
    tcase_add_test(tc, half_open_brackets_do_not_make_it_slow);
    tcase_add_test(tc, our_own_json_is_read_back);
}

TEST_MAIN("unit.fio_read")
