/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Result files, read back by h5py (Debian: python3-h5py) and h5dump and
 * compared by h5diff (hdf5-tools). A missing tool is a failure.
 */
#define _GNU_SOURCE
#include "check_main.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ana_hdf5.h"
#include "fake_result.h"

static char dir[64];

static void set_up(void)
{
    snprintf(dir, sizeof dir, "/tmp/hcisim-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
}

static void tear_down(void)
{
    char cmd[128];
    snprintf(cmd, sizeof cmd, "rm -r %s", dir);
    ck_assert_int_eq(system(cmd), 0);
}

static char *in_dir(const char *name)
{
    char *path;
    ck_assert_int_gt(asprintf(&path, "%s/%s", dir, name), 0);
    return path;
}

static unsigned files_in_dir(void)
{
    char cmd[128];
    unsigned n = 0;
    snprintf(cmd, sizeof cmd, "ls -A %s | wc -l", dir);
    FILE *p = popen(cmd, "r");
    ck_assert_ptr_nonnull(p);
    ck_assert_int_eq(fscanf(p, "%u", &n), 1);
    pclose(p);
    return n;
}

/* Output and exit status of a command with path appended. */
static int run(const char *cmd, const char *path, char *out, size_t size)
{
    char line[512];
    snprintf(line, sizeof line, "%s %s 2>&1", cmd, path);
    FILE *p = popen(line, "r");
    ck_assert_ptr_nonnull(p);
    size_t n = fread(out, 1, size - 1, p);
    out[n] = '\0';
    for (char rest[4096]; fread(rest, 1, sizeof rest, p) > 0;) /* or it dies of SIGPIPE */
        ;
    int status = pclose(p);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static char *write_fake(const char *name, struct hci_result *r)
{
    struct sim_err e = {0};
    char *path = in_dir(name);
    ck_assert_msg(ana_hdf5_write(path, r, &e) == SIM_OK, "%s", e.text);
    return path;
}

static const char *const facts[] = {
    "seed 42 hash 0123456789abcdef\n",
    "layout name = \"a fake layout\";\n",
    "jobfile [mix]\n",
    "assumed log.flush = none\n",
    "/jobs/0-mix bottleneck node0/nvme1 fake-1tb units\n",
    "/jobs/0-mix read ios 21000 bytes 86016000 mean 227170.731 resolved 14 of 17 rows 2\n",
    "/jobs/0-mix write ios 9000 bytes 36864000 ",
    "/jobs/0-mix node0/nvme1 fake-1tb units 0.93\n",
    "/jobs/0-mix node0_log fill bytes [0.0, 4096.0]\n",
    "/jobs/0-mix cache hits 1234.0 1\n",
    "/jobs/1-log bottleneck -\n",
    "/jobs/1-log sync ios 100 bytes 0 mean 1049.500 resolved 0 of 3 rows 0\n",
};

START_TEST(h5py_reads_what_was_written)
{
    char out[8192];
    struct hci_result *r = fake_result();
    char *path = write_fake("a.h5", r);
    int status = run("/usr/bin/python3 tests/cli/read_h5.py", path, out, sizeof out);
    ck_assert_msg(status == 0, "read_h5.py: %s", out);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        ck_assert_msg(strstr(out, facts[i]) != NULL, "%s not in:\n%s", facts[i], out);
    free(path);
    fake_free(r);
}
END_TEST

START_TEST(samples_of_skipped_time_are_known_again)
{
    struct hci_result *r = fake_result(), *back;
    struct sim_err e = {0};
    r->jobs[0].dir[HCI_DIR_READ].skipped_ios = 12000;
    char *path = write_fake("a.h5", r);
    ck_assert_msg(ana_hdf5_read(&back, path, &e) == SIM_OK, "%s", e.text);
    ck_assert_uint_eq(back->jobs[0].dir[HCI_DIR_READ].skipped_ios, 12000);
    ck_assert_uint_eq(back->jobs[0].dir[HCI_DIR_WRITE].skipped_ios, 0);
    ana_hdf5_free(back);
    free(path);
    fake_free(r);
}
END_TEST

START_TEST(h5dump_shows_every_table)
{
    static char out[1 << 20];
    struct hci_result *r = fake_result();
    char *path = write_fake("a.h5", r);
    ck_assert_int_eq(run("h5dump -n 1", path, out, sizeof out), 0);
    static const char *const names[] = {
        "/jobs/0-mix/read/clat", "/jobs/0-mix/resources", "/jobs/0-mix/write/breakdown",
        "/jobs/1-log/sync/lat",  "/provenance/host",      "/layout",
        "/jobs/0-mix/warnings"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ck_assert_msg(strstr(out, names[i]) != NULL, "no %s in:\n%s", names[i], out);
    ck_assert_ptr_null(strstr(out, "/jobs/1-log/read"));
    free(path);
    fake_free(r);
}
END_TEST

START_TEST(equal_results_differ_in_provenance_alone)
{
    char out[4096];
    struct hci_result *r = fake_result(), *s = fake_result();
    char *a = write_fake("a.h5", r), *pair;
    s->cpu_s = 99;
    char *b = write_fake("b.h5", s);
    ck_assert_int_gt(asprintf(&pair, "%s %s", a, b), 0);
    ck_assert_int_eq(run("h5diff --exclude-path /provenance", pair, out, sizeof out), 0);
    ck_assert_str_eq(out, "");
    ck_assert_msg(run("h5diff", pair, out, sizeof out) == 1, "cpu_s is not compared: %s", out);
    s->jobs[0].dir[HCI_DIR_READ].clat.bin[1000]++;
    free(write_fake("b.h5", s));
    ck_assert_int_eq(run("h5diff --exclude-path /provenance", pair, out, sizeof out), 1);
    free(a);
    free(b);
    free(pair);
    fake_free(r);
    fake_free(s);
}
END_TEST

START_TEST(a_full_device_is_an_error_and_stays_a_device)
{
    struct hci_result *r = fake_result();
    struct sim_err e = {0};
    struct stat st;
    ck_assert_int_eq(ana_hdf5_write("/dev/full", r, &e), SIM_E_IO);
    ck_assert_str_eq(e.file, "/dev/full");
    ck_assert_ptr_nonnull(strstr(e.text, strerror(ENOSPC)));
    ck_assert_int_eq(stat("/dev/full", &st), 0);
    ck_assert(S_ISCHR(st.st_mode));
    ck_assert_int_eq(ana_hdf5_write("/dev/null", r, &e), SIM_OK);
    fake_free(r);
}
END_TEST

START_TEST(a_failed_write_leaves_nothing_behind)
{
    struct hci_result *r = fake_result();
    struct sim_err e = {0};
    char *missing = in_dir("no/such/dir.h5");
    ck_assert_int_eq(ana_hdf5_write(missing, r, &e), SIM_E_IO);
    ck_assert_int_eq(ana_hdf5_write(dir, r, &e), SIM_E_IO);
    ck_assert_ptr_nonnull(strstr(e.text, strerror(EISDIR)));
    ck_assert_uint_eq(files_in_dir(), 0);
    free(missing);
    fake_free(r);
}
END_TEST

START_TEST(an_old_file_is_replaced_through_a_link_and_no_temporary_stays)
{
    char out[256];
    struct stat st;
    struct hci_result *r = fake_result();
    char *path = in_dir("old.h5"), *link = in_dir("link.h5");
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs("old", f);
    fclose(f);
    ck_assert_int_eq(symlink("old.h5", link), 0);
    free(write_fake("link.h5", r));
    ck_assert_int_eq(lstat(link, &st), 0);
    ck_assert(S_ISLNK(st.st_mode));
    ck_assert_int_eq(run("h5dump -H -A", path, out, sizeof out), 0);
    ck_assert_uint_eq(files_in_dir(), 2);
    free(path);
    free(link);
    fake_free(r);
}
END_TEST

START_TEST(odd_names_make_a_readable_file)
{
    char out[8192];
    struct hci_result *r = fake_result();
    snprintf(r->jobs[0].name, sizeof r->jobs[0].name, "../a\nb/c");
    memset(r->jobs[1].name, 'x', sizeof r->jobs[1].name - 1);
    r->layout_name = r->jobfile_text = NULL;
    r->jobs[0].states[0].name[0] = '\0';
    char *path = write_fake("odd.h5", r);
    ck_assert_int_eq(run("h5dump -n", path, out, sizeof out), 0);
    ck_assert_msg(strstr(out, "/jobs/0-.._a_b_c/read") != NULL, "%s", out);
    ck_assert_msg(strstr(out, "/state/series/_") != NULL, "%s", out);
    free(path);
    fake_free(r);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, set_up, tear_down);
    tcase_add_test(tc, h5py_reads_what_was_written);
    tcase_add_test(tc, samples_of_skipped_time_are_known_again);
    tcase_add_test(tc, h5dump_shows_every_table);
    tcase_add_test(tc, equal_results_differ_in_provenance_alone);
    tcase_add_test(tc, a_full_device_is_an_error_and_stays_a_device);
    tcase_add_test(tc, a_failed_write_leaves_nothing_behind);
    tcase_add_test(tc, an_old_file_is_replaced_through_a_link_and_no_temporary_stays);
    tcase_add_test(tc, odd_names_make_a_readable_file);
}

TEST_MAIN("unit.hdf5")
