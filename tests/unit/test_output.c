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

START_TEST(a_file_is_replaced_whole_with_the_usual_mode_and_nothing_else_stays)
{
    struct sim_err e;
    struct stat st;
    char text[16] = "";
    umask(022);
    ck_assert_int_eq(ana_output_write(in_dir("a"), "old text", 8, &e), SIM_OK);
    ck_assert_int_eq(ana_output_write(in_dir("a"), "new", 3, &e), SIM_OK);
    FILE *f = fopen(in_dir("a"), "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fread(text, 1, sizeof text, f), 3);
    fclose(f);
    ck_assert_str_eq(text, "new");
    ck_assert_int_eq(stat(in_dir("a"), &st), 0);
    ck_assert_uint_eq(st.st_mode & 0777, 0644);
    ck_assert_uint_eq(entries(), 1);
}
END_TEST

START_TEST(trying_a_path_leaves_nothing_and_changes_nothing)
{
    struct sim_err e;
    ck_assert_int_eq(ana_output_try(in_dir("new"), &e), SIM_OK);
    ck_assert_uint_eq(entries(), 0);
    ck_assert_int_eq(ana_output_write(in_dir("a"), "text", 4, &e), SIM_OK);
    ck_assert_int_eq(ana_output_try(in_dir("a"), &e), SIM_OK);
    ck_assert_uint_eq(entries(), 1);
}
END_TEST

START_TEST(a_directory_and_a_missing_directory_are_refused_by_name)
{
    struct sim_err e;
    ck_assert_int_eq(ana_output_try(dir, &e), SIM_E_IO);
    ck_assert_str_eq(e.file, dir);
    ck_assert_str_eq(e.text, "cannot write: is a directory");
    ck_assert_int_eq(ana_output_try(in_dir("no/such"), &e), SIM_E_IO);
    ck_assert_str_eq(e.text, "cannot write: No such file or directory");
    ck_assert_int_eq(ana_output_try(in_dir("a/"), &e), SIM_E_IO);
    ck_assert_int_eq(ana_output_try("", &e), SIM_E_IO);
    ck_assert_int_eq(ana_output_write(in_dir("no/such"), "x", 1, &e), SIM_E_IO);
    ck_assert_uint_eq(entries(), 0);
}
END_TEST

START_TEST(a_full_device_is_an_error_and_stays_a_device)
{
    struct sim_err e;
    struct stat st;
    ck_assert_int_eq(ana_output_try("/dev/full", &e), SIM_OK);
    ck_assert_int_eq(ana_output_write("/dev/full", "x", 1, &e), SIM_E_IO);
    ck_assert_str_eq(e.text, "cannot write: No space left on device");
    ck_assert_int_eq(stat("/dev/full", &st), 0);
    ck_assert(S_ISCHR(st.st_mode));
}
END_TEST

START_TEST(two_names_of_one_file_are_the_same)
{
    struct sim_err e;
    char other[128];
    ck_assert_int_eq(ana_output_write(in_dir("a"), "x", 1, &e), SIM_OK);
    snprintf(other, sizeof other, "%s/./a", dir);
    ck_assert(ana_output_same(in_dir("a"), other));
    ck_assert(ana_output_same(in_dir("none"), in_dir("none")));
    ck_assert(!ana_output_same(other, dir));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, a_file_is_replaced_whole_with_the_usual_mode_and_nothing_else_stays);
    tcase_add_test(tc, trying_a_path_leaves_nothing_and_changes_nothing);
    tcase_add_test(tc, a_directory_and_a_missing_directory_are_refused_by_name);
    tcase_add_test(tc, a_full_device_is_an_error_and_stays_a_device);
    tcase_add_test(tc, two_names_of_one_file_are_the_same);
}

TEST_MAIN("unit.output")
