/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_output.h"
#include "check_main.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[64];

static void setup(void)
{
    snprintf(dir, sizeof dir, "%s", "/tmp/hcisim-output-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
}

static unsigned entries(void)
{
    unsigned n = 0;
    DIR *d = opendir(dir);
    ck_assert_ptr_nonnull(d);
    for (struct dirent *e = readdir(d); e; e = readdir(d))
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static void teardown(void)
{
    char cmd[100];
    snprintf(cmd, sizeof cmd, "rm -r '%s'", dir);
    ck_assert_int_eq(system(cmd), 0);
}

static const char *in_dir(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

static void make(const char *name)
{
    FILE *f = fopen(in_dir(name), "w");
    ck_assert_ptr_nonnull(f);
    fputs("text", f);
    fclose(f);
}

START_TEST(trying_a_path_leaves_nothing_and_changes_nothing)
{
    struct sim_err e;
    ck_assert_int_eq(ana_output_try(in_dir("new"), &e), SIM_OK);
    ck_assert_uint_eq(entries(), 0);
    make("a");
    ck_assert_int_eq(ana_output_try(in_dir("a"), &e), SIM_OK);
    ck_assert_uint_eq(entries(), 1);
    struct stat st;
    ck_assert_int_eq(stat(in_dir("a"), &st), 0);
    ck_assert_int_eq(st.st_size, 4);
}
END_TEST

START_TEST(a_directory_and_a_missing_directory_are_refused_by_name)
{
    struct sim_err e;
    ck_assert_int_eq(ana_output_try(dir, &e), SIM_E_IO);
    ck_assert_str_eq(e.file, dir);
    ck_assert_str_eq(e.text, "cannot write: Is a directory");
    ck_assert_int_eq(ana_output_try(in_dir("no/such"), &e), SIM_E_IO);
    ck_assert_str_eq(e.text, "cannot write: No such file or directory");
    ck_assert_int_eq(ana_output_try(in_dir("a/"), &e), SIM_E_IO);
    ck_assert_int_eq(ana_output_try("", &e), SIM_E_IO);
    ck_assert_uint_eq(entries(), 0);
}
END_TEST

START_TEST(a_device_will_do_and_stays_a_device)
{
    struct sim_err e;
    struct stat st;
    ck_assert_int_eq(ana_output_try("/dev/full", &e), SIM_OK);
    ck_assert_int_eq(stat("/dev/full", &st), 0);
    ck_assert(S_ISCHR(st.st_mode));
}
END_TEST

START_TEST(a_link_is_tried_where_it_leads)
{
    struct sim_err e;
    make("a");
    ck_assert_int_eq(symlink("a", in_dir("link")), 0);
    ck_assert_int_eq(ana_output_try(in_dir("link"), &e), SIM_OK);
    ck_assert_int_eq(symlink("/proc/version", in_dir("readonly")), 0);
    ck_assert_int_eq(ana_output_try(in_dir("readonly"), &e), SIM_E_IO);
    ck_assert_uint_eq(entries(), 3);
}
END_TEST

START_TEST(two_names_of_one_file_are_the_same)
{
    char other[128];
    make("a");
    snprintf(other, sizeof other, "%s/./a", dir);
    ck_assert(ana_output_same(in_dir("a"), other));
    ck_assert(ana_output_same(in_dir("none"), in_dir("none")));
    ck_assert(!ana_output_same(other, dir));
    snprintf(other, sizeof other, "%s/./new", dir);
    ck_assert(ana_output_same(in_dir("new"), other));
    ck_assert(!ana_output_same(in_dir("newer"), other));
    ck_assert(!ana_output_same("new", other));
    ck_assert(ana_output_same("new", "./new"));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, trying_a_path_leaves_nothing_and_changes_nothing);
    tcase_add_test(tc, a_directory_and_a_missing_directory_are_refused_by_name);
    tcase_add_test(tc, a_device_will_do_and_stays_a_device);
    tcase_add_test(tc, a_link_is_tried_where_it_leads);
    tcase_add_test(tc, two_names_of_one_file_are_the_same);
}

TEST_MAIN("unit.output")
