/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Configuration files as a tree: whole numbers of any size, includes by
 * absolute and relative paths, and where everything came from.
 */
#define _GNU_SOURCE
#include "check_main.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hci_config.h"
#include "hci_config_text.h"

static char dir[64];
static struct sim_arena *arena;
static struct sim_err err;

static void setup(void)
{
    snprintf(dir, sizeof dir, "/tmp/config-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    arena = sim_arena_create(4096);
    err = (struct sim_err){0};
}

static void teardown(void)
{
    char cmd[96];
    snprintf(cmd, sizeof cmd, "rm -r %s", dir);
    ck_assert_int_eq(system(cmd), 0);
    sim_arena_free(arena);
}

static char *write_file(const char *name, const char *text)
{
    char *path = sim_arena_printf(arena, "%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
    return path;
}

static const struct hci_cfg *read_ok(const char *path, struct hci_config_file **files)
{
    struct hci_cfg *root;
    int rc = hci_config_read(&root, arena, path, files, &err);
    ck_assert_msg(rc == SIM_OK, "%s:%d: %s", err.file, err.line, err.text);
    return root;
}

static void is_int(const struct hci_cfg *g, const char *name, int64_t value)
{
    const struct hci_cfg *c = hci_cfg_get(g, name);
    ck_assert_msg(c != NULL && c->type == HCI_CFG_INT, "%s", name);
    ck_assert_msg(c->i == value, "%s is %lld", name, (long long)c->i);
}

START_TEST(whole_numbers_keep_all_their_bits)
{
    const struct hci_cfg *g = read_ok(
        write_file("a.cfg", "a = 3000000000;\nb = -3000000000;\nc = 2147483647;\nd = 2147483648;\n"
                            "e = 0xB2D05E00;\nf = 3000000000L;\ng = 9223372036854775807;\n"
                            "h = 4294967296LL;\nk = -2147483648;\nl2147483649 = 1;\n"
                            "m = 3000000000.5;\nn = 3e10;\no = .3000000000;\n"
                            "p = \"3000000000\"; # 3000000000\n/* 3000000000 */ q = 5;\n"
                            "r = [ 3000000000, 4000000000 ];\n"),
        NULL);
    is_int(g, "a", 3000000000);
    is_int(g, "b", -3000000000);
    is_int(g, "c", INT32_MAX);
    is_int(g, "d", 2147483648);
    is_int(g, "e", 3000000000);
    is_int(g, "f", 3000000000);
    is_int(g, "g", INT64_MAX);
    is_int(g, "h", 4294967296);
    is_int(g, "k", INT32_MIN);
    is_int(g, "l2147483649", 1);
    ck_assert_double_eq(hci_cfg_get(g, "m")->f, 3000000000.5);
    ck_assert_double_eq(hci_cfg_get(g, "n")->f, 3e10);
    ck_assert_double_eq(hci_cfg_get(g, "o")->f, 0.3);
    ck_assert_str_eq(hci_cfg_get(g, "p")->s, "3000000000");
    is_int(g, "q", 5);
    ck_assert_int_eq(hci_cfg_get(g, "r")->last->i, 4000000000);
}
END_TEST

START_TEST(a_number_beyond_64_bits_is_refused_where_it_stands)
{
    struct hci_cfg *root;
    static const char *const bad[] = {"9223372036854775808", "99999999999999999999999",
                                      "0xFFFFFFFFFFFFFFFF", "18446744073709551616L"};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *path = write_file("a.cfg", sim_arena_printf(arena, "a = 1;\nb = %s;\n", bad[i]));
        ck_assert_int_eq(hci_config_read(&root, arena, path, NULL, &err), SIM_E_INPUT);
        ck_assert_int_eq(err.line, 2);
        ck_assert_ptr_nonnull(strstr(err.text, "does not fit 64 bits"));
    }
}
END_TEST

START_TEST(a_value_on_the_command_line_keeps_its_bits_too)
{
    struct hci_cfg *v;
    ck_assert_int_eq(hci_config_value(&v, arena, "3000000000", &err), SIM_OK);
    ck_assert_int_eq(v->type, HCI_CFG_INT);
    ck_assert_int_eq(v->i, 3000000000);
}
END_TEST

START_TEST(includes_may_be_absolute_relative_and_nested_and_lines_stay_true)
{
    struct hci_config_file *files = NULL;
    struct hci_cfg *root;
    char *inner = write_file("inner.inc", "x = 1;\n\ny = 3000000000;");
    char *outer = write_file("outer.inc", sim_arena_printf(arena, "# first\n@include \"%s\"\nz = 3;\n",
                                                            inner));
    char *top = write_file("top.cfg", "a = 1;\n\"@include\";\n");
    ck_assert_int_eq(hci_config_read(&root, arena, top, NULL, &err), SIM_E_INPUT);
    ck_assert_int_eq(err.line, 2);
    top = write_file("top.cfg", "a = 1;\n/* \n@include \"none.inc\"\n*/\n@include \"outer.inc\" b = 2;\n"
                                "c = \"@include\";\n");
    const struct hci_cfg *g = read_ok(top, &files);
    is_int(g, "y", 3000000000);
    ck_assert_str_eq(hci_cfg_get(g, "y")->file, inner);
    ck_assert_int_eq(hci_cfg_get(g, "y")->line, 3);
    ck_assert_str_eq(hci_cfg_get(g, "z")->file, outer);
    ck_assert_int_eq(hci_cfg_get(g, "z")->line, 3);
    ck_assert_str_eq(hci_cfg_get(g, "b")->file, top);
    ck_assert_int_eq(hci_cfg_get(g, "b")->line, 5);
    ck_assert_int_eq(hci_cfg_get(g, "c")->line, 6);
    unsigned n = 0;
    for (; files; files = files->next)
        n++;
    ck_assert_uint_eq(n, 3);
}
END_TEST

START_TEST(a_slip_in_an_included_file_is_blamed_on_it)
{
    struct hci_cfg *root;
    char *inner = write_file("inner.inc", "x = 1;\ny = = 2;\n");
    char *top = write_file("top.cfg", sim_arena_printf(arena, "\n@include \"%s\"\n", inner));
    ck_assert_int_eq(hci_config_read(&root, arena, top, NULL, &err), SIM_E_INPUT);
    ck_assert_str_eq(err.file, inner);
    ck_assert_int_eq(err.line, 2);
    ck_assert_ptr_nonnull(strstr(err.text, "y = = 2;"));
}
END_TEST

START_TEST(what_is_included_is_bounded)
{
    struct hci_cfg *root;
    static char big[1000001];
    memset(big, ' ', sizeof big - 1);
    write_file("big.inc", big);
    char text[1200] = "";
    for (unsigned i = 0; i < 40; i++)
        strcat(text, "@include \"big.inc\"\n");
    char *top = write_file("top.cfg", text);
    ck_assert_int_eq(hci_config_read(&root, arena, top, NULL, &err), SIM_E_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "larger than"));
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, whole_numbers_keep_all_their_bits);
    tcase_add_test(tc, a_number_beyond_64_bits_is_refused_where_it_stands);
    tcase_add_test(tc, a_value_on_the_command_line_keeps_its_bits_too);
    tcase_add_test(tc, includes_may_be_absolute_relative_and_nested_and_lines_stay_true);
    tcase_add_test(tc, a_slip_in_an_included_file_is_blamed_on_it);
    tcase_add_test(tc, what_is_included_is_bounded);
}

TEST_MAIN("unit.config")
