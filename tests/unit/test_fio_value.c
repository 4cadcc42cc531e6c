/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of the job-file language: the tables of suffixes and traps.
 */
#include "workload/fio_value.h"

#include "check_main.h"

#include <string.h>

static const struct {
    const char *text;
    unsigned base;
    uint64_t value;
} good[] = {
    { "4096", 1024, 4096 },
    { "4k", 1024, 4096 },
    { "4K", 1024, 4096 },
    { "4kb", 1024, 4096 },
    { "4kB", 1024, 4096 },
    { "4Ki", 1024, 4096 },
    { "4KiB", 1024, 4000 },
    { "4kib", 1024, 4000 },
    { "1m", 1024, 1048576 },
    { "1MiB", 1024, 1000000 },
    { "1g", 1024, 1073741824 },
    { "1GiB", 1024, 1000000000 },
    { "1t", 1024, 1099511627776 },
    { "1TiB", 1024, 1000000000000 },
    { "1p", 1024, 1125899906842624 },
    { "1PiB", 1024, 1000000000000000 },
    { "4k", 1000, 4000 },
    { "4ki", 1000, 4000 },
    { "4KiB", 1000, 4096 },
    { "10MiB", 1000, 10485760 },
    { "512b", 1024, 512 },
    { "0x10", 1024, 16 },
    { "0XfF", 1024, 255 },
    { "+7", 1024, 7 },
    { "18446744073709551615", 1024, UINT64_MAX },
};

static const struct {
    const char *text;
    int fault;
} bad[] = {
    { "", HCI_FIO_EMPTY },
    { "-", HCI_FIO_EMPTY },
    { "k", HCI_FIO_NOT_A_NUMBER },
    { "foo", HCI_FIO_NOT_A_NUMBER },
    { "\"1m\"", HCI_FIO_NOT_A_NUMBER },
    { "1.5k", HCI_FIO_FRACTION },
    { "0.5g", HCI_FIO_FRACTION },
    { "1,048,576", HCI_FIO_LIST },
    { "70,30", HCI_FIO_LIST },
    { "1-4", HCI_FIO_LIST },
    { "1kfoo", HCI_FIO_JUNK },
    { "4kk", HCI_FIO_JUNK },
    { "4q", HCI_FIO_JUNK },
    { "0x1g", HCI_FIO_JUNK },
    { "2g // two", HCI_FIO_JUNK },
    { "4 k", HCI_FIO_BLANK },
    { "18446744073709551616", HCI_FIO_RANGE },
    { "16384p", HCI_FIO_RANGE },
};

START_TEST(bytes_follow_fios_inverted_suffixes)
{
    struct hci_fio_number n;
    ck_assert_int_eq(hci_fio_bytes(good[_i].text, good[_i].base, &n), HCI_FIO_OK);
    ck_assert_uint_eq(n.value, good[_i].value);
    ck_assert(!n.percent && !n.zones && !n.negative);
}
END_TEST

START_TEST(bytes_that_fio_would_misread_are_faults)
{
    struct hci_fio_number n;
    ck_assert_int_eq(hci_fio_bytes(bad[_i].text, 1024, &n), bad[_i].fault);
    ck_assert_uint_gt(strlen(hci_fio_fault_text(bad[_i].fault)), 5);
}
END_TEST

START_TEST(percent_zones_sign_and_binary_suffixes_are_told)
{
    struct hci_fio_number n;
    ck_assert_int_eq(hci_fio_bytes("50%", 1024, &n), HCI_FIO_OK);
    ck_assert(n.percent && n.value == 50);
    ck_assert_int_eq(hci_fio_bytes("100%%", 1024, &n), HCI_FIO_OK);
    ck_assert(n.percent && n.value == 100);
    ck_assert_int_eq(hci_fio_bytes("3z", 1024, &n), HCI_FIO_OK);
    ck_assert(n.zones && n.value == 3);
    ck_assert_int_eq(hci_fio_bytes("-8k", 1024, &n), HCI_FIO_OK);
    ck_assert(n.negative && n.value == 8192);
    ck_assert_int_eq(hci_fio_bytes("1MiB", 1024, &n), HCI_FIO_OK);
    ck_assert(n.binary_suffix);
    ck_assert_int_eq(hci_fio_bytes("1m", 1024, &n), HCI_FIO_OK);
    ck_assert(!n.binary_suffix);
}
END_TEST

static const struct {
    const char *text;
    uint64_t unit, ns;
    int fault;
} times[] = {
    { "10", SIM_S, 10 * SIM_S, HCI_FIO_OK },
    { "10", SIM_US, 10 * SIM_US, HCI_FIO_OK },
    { "5us", SIM_S, 5 * SIM_US, HCI_FIO_OK },
    { "5usec", SIM_S, 5 * SIM_US, HCI_FIO_OK },
    { "8ms", SIM_US, 8 * SIM_MS, HCI_FIO_OK },
    { "8msec", SIM_US, 8 * SIM_MS, HCI_FIO_OK },
    { "60s", SIM_S, 60 * SIM_S, HCI_FIO_OK },
    { "2m", SIM_S, 120 * SIM_S, HCI_FIO_OK },
    { "1h", SIM_S, 3600 * SIM_S, HCI_FIO_OK },
    { "1D", SIM_S, 86400 * SIM_S, HCI_FIO_OK },
    { "60sec", SIM_S, 0, HCI_FIO_UNIT },
    { "2min", SIM_S, 0, HCI_FIO_UNIT },
    { "2k", SIM_S, 0, HCI_FIO_UNIT },
    { "1.5s", SIM_S, 0, HCI_FIO_FRACTION },
    { "2 m", SIM_S, 0, HCI_FIO_BLANK },
    { "0:02", SIM_S, 0, HCI_FIO_LIST },
    { "", SIM_S, 0, HCI_FIO_EMPTY },
    { "run_time", SIM_S, 0, HCI_FIO_NOT_A_NUMBER },
    { "99999999999999d", SIM_S, 0, HCI_FIO_RANGE },
};

START_TEST(times_have_fios_units_and_no_others)
{
    struct hci_fio_number n;
    ck_assert_int_eq(hci_fio_time(times[_i].text, times[_i].unit, &n), times[_i].fault);
    if (times[_i].fault == HCI_FIO_OK)
        ck_assert_uint_eq(n.value, times[_i].ns);
}
END_TEST

START_TEST(decimals_are_plain)
{
    double v = 0;
    ck_assert_int_eq(hci_fio_decimal("99.95", &v), HCI_FIO_OK);
    ck_assert(v > 99.9499 && v < 99.9501);
    ck_assert_int_eq(hci_fio_decimal("nan", &v), HCI_FIO_NOT_A_NUMBER);
    ck_assert_int_eq(hci_fio_decimal("1e3", &v), HCI_FIO_JUNK);
    ck_assert_int_eq(hci_fio_decimal("1.2.3", &v), HCI_FIO_NOT_A_NUMBER);
    ck_assert_int_eq(hci_fio_decimal(".", &v), HCI_FIO_NOT_A_NUMBER);
}
END_TEST

START_TEST(parts_are_cut_at_separators_and_never_overrun)
{
    const char *s = "abcdefgh,,x";
    char buf[4];
    ck_assert_int_eq(hci_fio_part(&s, ",", buf, sizeof buf), ',');
    ck_assert_str_eq(buf, "abc");
    ck_assert_int_eq(hci_fio_part(&s, ",", buf, sizeof buf), ',');
    ck_assert_str_eq(buf, "");
    ck_assert_int_eq(hci_fio_part(&s, ",", buf, sizeof buf), '\0');
    ck_assert_str_eq(buf, "x");
    ck_assert_ptr_null(s);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, bytes_follow_fios_inverted_suffixes, 0, sizeof good / sizeof good[0]);
    tcase_add_loop_test(tc, bytes_that_fio_would_misread_are_faults, 0, sizeof bad / sizeof bad[0]);
    tcase_add_test(tc, percent_zones_sign_and_binary_suffixes_are_told);
    tcase_add_loop_test(tc, times_have_fios_units_and_no_others, 0, sizeof times / sizeof times[0]);
    tcase_add_test(tc, decimals_are_plain);
    tcase_add_test(tc, parts_are_cut_at_separators_and_never_overrun);
}

TEST_MAIN("unit.fio_value")
