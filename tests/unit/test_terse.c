/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Terse output, and reading it and the report for people back.
 */
#define _GNU_SOURCE
#include "check_main.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ana_fio_read.h"
#include "ana_json.h"
#include "ana_num.h"
#include "ana_summary.h"
#include "ana_terse.h"
#include "ana_view.h"
#include "fake_result.h"

__attribute__((noinline)) static char *terse(const struct hci_result *r, int version)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    ck_assert_ptr_nonnull(f);
    ana_terse_write(f, r, version);
    fclose(f);
    return text;
}

static struct ana_measured *read_back(const char *text)
{
    struct ana_measured *m;
    struct sim_err e = {0};
    ck_assert_msg(ana_fio_read_text(&m, text, strlen(text), "x", &e) == SIM_OK, "%s", e.text);
    return m;
}

static unsigned fields(const char *line)
{
    unsigned n = 1;
    for (; *line && *line != '\n'; line++)
        n += *line == ';';
    return n;
}

START_TEST(each_version_has_as_many_fields_as_fios)
{
    /* fio 3.33: version 3 121 fields without disks, one description more here */
    static const unsigned want[] = {[2] = 161, [3] = 121, [4] = 162, [5] = 180};
    struct hci_result *r = fake_result();
    for (int v = 2; v <= 5; v++) {
        char *text = terse(r, v);
        unsigned disk = v > 2 ? 9 : 0;
        ck_assert_uint_eq(fields(text), want[v] + disk + 1);
        ck_assert_uint_eq(fields(strchr(text, '\n') + 1), want[v] + disk);
        free(text);
    }
    fake_free(r);
}
END_TEST

START_TEST(terse_output_is_read_back_to_its_own_precision)
{
    struct hci_result *r = fake_result();
    for (int v = 2; v <= 5; v++) {
        char *text = terse(r, v);
        struct ana_measured *m = read_back(text);
        const struct hci_dir_result *d = &r->jobs[0].dir[HCI_DIR_WRITE];
        const struct ana_measured_dir *b = &m->jobs[0].dir[ANA_WRITE];
        ck_assert_uint_eq(m->njobs, 2);
        ck_assert_str_eq(m->jobs[1].name, "log");
        ck_assert_int_eq(m->jobs[1].groupid, 1);
        ck_assert_int_eq(m->simulated, v > 2);
        ck_assert_uint_eq(b->ios, d->ios);
        ck_assert_uint_eq(b->bytes, d->bytes);
        ck_assert_double_eq_tol(b->clat.mean, ana_moments_mean(&d->clat_m), 1e-3);
        ck_assert_double_eq_tol(b->lat.stddev, ana_moments_stddev(&d->lat_m), 1e-3);
        ck_assert_uint_eq(b->clat.npct, 11); /* 5 % to 95 %: the others are unresolved */
        ck_assert_double_eq(b->clat.pct_ns[5],
                            (double)(sim_hist_percentile(&d->clat, 50) / 1000 * 1000));
        ck_assert_double_eq_tol(m->jobs[0].depth[5], 99.9, 1e-9);
        free(text);
        ana_measured_free(m);
    }
    fake_free(r);
}
END_TEST

START_TEST(the_report_for_people_is_read_back_to_its_own_precision)
{
    struct hci_result *r = fake_result();
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    ana_summary_print(f, r);
    fclose(f);
    struct ana_measured *m = read_back(text);
    const struct hci_dir_result *d = &r->jobs[0].dir[HCI_DIR_READ];
    const struct ana_measured_dir *b = &m->jobs[0].dir[ANA_READ];
    ck_assert_uint_eq(m->njobs, 2);
    ck_assert_str_eq(m->jobs[0].name, "mix");
    ck_assert_uint_eq(b->ios, d->ios);
    ck_assert_uint_eq(b->runtime_ns, d->runtime_ns);
    ck_assert_double_eq_tol(b->iops, d->iops, 1e-6 * d->iops);
    ck_assert_double_eq_tol(b->bw_Bps, d->bw_Bps, 0.001 * d->bw_Bps);
    ck_assert_double_eq_tol(b->clat.mean, ana_moments_mean(&d->clat_m), 10);
    ck_assert_uint_eq(b->clat.npct, 14); /* unresolved ones are no figures */
    ck_assert_double_eq(b->clat.pct_ns[13], 359000);
    ck_assert_uint_eq(m->jobs[1].dir[ANA_WRITE].lat.npct, 1);
    ck_assert(!m->jobs[1].dir[ANA_READ].present);
    free(text);
    fake_free(r);
    ana_measured_free(m);
}
END_TEST

START_TEST(a_report_of_fio_2_is_read_with_its_units)
{
    struct ana_measured *m = read_back(
        "fio-2.16\nStarting 1 process\n\n"
        "old: (groupid=0, jobs=4): err= 0: pid=1: Thu Mar  1 14:19:00 2018\n"
        "  read : io=2857.0MB, bw=48692KB/s, iops=47, runt= 60083msec\n"
        "    slat (msec): min=22, max=391, avg=84.08, stdev=58.80\n"
        "    clat (usec): min=13, max=3733.6K, avg=2546981.88, stdev=483146.63\n"
        "    clat percentiles (msec):\n"
        "     |  1.00th=[  586],  5.00th=[ 1958], 99.99th=[ 3720]\n"
        "    bw (KB  /s): min= 2639, max=19217, per=16.66%, avg=8112.84, stdev=3412.87\n"
        "     issued    : total=r=2857/w=0/d=0, short=r=0/w=0/d=0, drop=r=0/w=0/d=0\n");
    const struct ana_measured_dir *d = &m->jobs[0].dir[ANA_READ];
    ck_assert_str_eq(m->version, "fio-2.16");
    ck_assert_uint_eq(d->bytes, 2857 * SIM_MIB);
    ck_assert_uint_eq(d->runtime_ns, 60083 * SIM_MS);
    ck_assert_double_eq(d->bw_Bps, 48692 * 1024.);
    ck_assert_uint_eq(d->ios, 2857);
    ck_assert_double_eq(d->slat.max, 391e6);
    ck_assert_double_eq_tol(d->clat.max, 3733.6e6, 1);
    ck_assert_double_eq(d->clat.pct_ns[2], 3720e6);
    ck_assert_uint_eq(d->clat.n, 2857);
    ck_assert_uint_eq(d->lat.n, 0);
    ana_measured_free(m);
}
END_TEST

/* One terse line of version 3 that wrote kib in ms. */
static void status_line(char *out, size_t room, const char *name, unsigned kib, unsigned ms)
{
    struct hci_result *r = fake_result();
    struct hci_job_result *j = &r->jobs[1];
    snprintf(j->name, sizeof j->name, "%s", name);
    j->dir[HCI_DIR_WRITE].bytes = kib * SIM_KIB;
    j->dir[HCI_DIR_WRITE].runtime_ns = ms * SIM_MS;
    char *text = terse(r, 3), *line = strchr(text, '\n') + 1;
    snprintf(out + strlen(out), room - strlen(out), "%s", line);
    free(text);
    fake_free(r);
}

START_TEST(clones_stay_and_interim_lines_give_way_to_the_last)
{
    static char text[16384];
    status_line(text, sizeof text, "clone", 100, 1000);
    status_line(text, sizeof text, "clone", 100, 2000);
    status_line(text, sizeof text, "clone", 120, 2003);
    status_line(text, sizeof text, "status", 100, 1000);
    status_line(text, sizeof text, "status", 200, 2000);
    status_line(text, sizeof text, "status", 300, 3000);
    struct ana_measured *m = read_back(text);
    ck_assert_uint_eq(m->njobs, 3);
    ck_assert_str_eq(m->jobs[0].name, "clone");
    ck_assert_str_eq(m->jobs[1].name, "clone");
    ck_assert_uint_eq(m->jobs[2].dir[ANA_WRITE].bytes, 300 * SIM_KIB);
    ana_measured_free(m);
}
END_TEST

START_TEST(a_line_cut_short_is_no_job)
{
    struct hci_result *r = fake_result();
    char *text = terse(r, 3);
    size_t whole = strlen(text);
    for (size_t n = 0; n < whole - 120; n += 7) {
        struct ana_measured *m;
        struct sim_err e = {0};
        int rc = ana_fio_read_text(&m, text, n, "x", &e);
        unsigned jobs = m ? m->njobs : 0;
        ck_assert_uint_le(jobs, 1);
        if (rc == SIM_OK) /* cut between lines */
            ck_assert_uint_eq(jobs, 1);
        else
            ck_assert(e.text[0] && (jobs == 0 || strstr(e.text, "complete jobs: ")));
        ana_measured_free(m);
    }
    free(text);
    fake_free(r);
}
END_TEST

START_TEST(gtod_reduce_and_disabled_latencies_print_zeros)
{
    struct hci_result *r = fake_result();
    struct hci_job *job = (struct hci_job *)(uintptr_t)r->jobs[1].job;
    job->gtod_reduce = true;
    char *text = terse(r, 3);
    struct ana_measured *m = read_back(text);
    const struct ana_measured_dir *d = &m->jobs[1].dir[ANA_WRITE];
    ck_assert(d->ios > 0 && d->iops > 0);
    ck_assert_uint_eq(d->clat.n + d->lat.n + d->slat.n, 0);
    ck_assert_double_eq(d->bw_mean_Bps, 0);
    ck_assert_uint_gt(m->jobs[0].dir[ANA_WRITE].clat.n, 0);
    free(text);
    ana_measured_free(m);
    job->gtod_reduce = false;
    job->stats = false;
    text = terse(r, 3);
    m = read_back(text);
    ck_assert_uint_eq(m->njobs, 1);
    free(text);
    ana_measured_free(m);
    fake_free(r);
}
END_TEST

static void put(const char *dir, const char *name, const struct hci_result *r, int copies)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    for (int i = 0; i < copies; i++)
        ana_json_write(f, r, 0, NULL);
    if (!r)
        fputs("{\"cluster\" : {\"cpu\" : 3}}\n", f);
    fclose(f);
}

START_TEST(a_folder_of_guests_is_one_result)
{
    char dir[] = "/tmp/hcisim-folder-XXXXXX", path[256];
    struct hci_result *r = fake_result();
    struct ana_measured *m;
    struct sim_err e = {0};
    ck_assert_ptr_nonnull(mkdtemp(dir));
    ck_assert_int_eq(ana_fio_read(&m, dir, &e), SIM_E_INPUT);
    ck_assert_ptr_nonnull(strstr(e.text, "no file of this folder"));
    put(dir, "vm-2.json", r, 3);
    put(dir, "vm-1.json", r, 1);
    put(dir, "resources.json", NULL, 0);
    snprintf(path, sizeof path, "%s/fio-8vmdk-res.txt", dir);
    FILE *f = fopen(path, "w");
    fputs("Datastore = vsanDatastore\nIOPS = 74600.00 IO/S\n", f);
    fclose(f);
    ck_assert_int_eq(ana_fio_read(&m, dir, &e), SIM_OK);
    ck_assert_uint_eq(m->njobs, 4);
    ck_assert_uint_eq(m->ndocuments, 4);
    ck_assert_str_eq(m->jobs[0].host, "vm-1");
    ck_assert_str_eq(m->jobs[2].host, "vm-2");
    ck_assert_str_eq(m->jobs[3].name, "log");
    ck_assert_uint_eq(m->nnotes, 3);
    ck_assert_str_eq(m->notes[1], "IOPS = 74600.00 IO/S");
    ck_assert_ptr_nonnull(strstr(m->notes[2], "resources.json"));
    ana_measured_free(m);
    fake_free(r);
    for (int i = 0; i < 4; i++) {
        static const char *const names[] = {"vm-1.json", "vm-2.json", "resources.json",
                                            "fio-8vmdk-res.txt"};
        snprintf(path, sizeof path, "%s/%s", dir, names[i]);
        unlink(path);
    }
    rmdir(dir);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, each_version_has_as_many_fields_as_fios);
    tcase_add_test(tc, terse_output_is_read_back_to_its_own_precision);
    tcase_add_test(tc, the_report_for_people_is_read_back_to_its_own_precision);
    tcase_add_test(tc, a_report_of_fio_2_is_read_with_its_units);
    tcase_add_test(tc, clones_stay_and_interim_lines_give_way_to_the_last);
    tcase_add_test(tc, a_line_cut_short_is_no_job);
    tcase_add_test(tc, gtod_reduce_and_disabled_latencies_print_zeros);
    tcase_add_test(tc, a_folder_of_guests_is_one_result);
}

TEST_MAIN("unit.terse")
