/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_param.h"

#include "check_main.h"

#include <stdio.h>
#include <string.h>

struct sample {
    uint64_t count, bytes, time, rate, flag, choice, maybe;
    double number;
    char *text;
};

static const char *const names[] = { "red", "green", "blue", NULL };
#define AT(f) offsetof(struct sample, f)
static const struct hci_param rows[] = {
    { "count", HCI_COUNT, AT(count), "3", 1, 10, NULL, NULL, "A count." },
    { "bytes", HCI_BYTES, AT(bytes), "4 KiB", 1, 1e15, NULL, NULL, "A size." },
    { "time", HCI_TIME, AT(time), "30 us", 0, 1e12, NULL, NULL, "A time." },
    { "rate", HCI_RATE, AT(rate), "10 Gbit/s", 1, 1e15, NULL, NULL, "A rate." },
    { "flag", HCI_BOOL, AT(flag), "true", 0, 1, NULL, NULL, "A flag." },
    { "choice", HCI_ENUM, AT(choice), "green", 0, 0, names, NULL, "A choice." },
    { "maybe", HCI_BYTES, AT(maybe), "auto", 0, 1e15, NULL, NULL, "A size or auto." },
    { "number", HCI_NUMBER, AT(number), "0.25", 0, 1, NULL, NULL, "A share." },
    { "text", HCI_TEXT, AT(text), "hello", 0, 0, NULL, NULL, "A text." },
    HCI_PARAM_END
};

static struct sim_arena *arena;
static struct sample got;
static const struct hci_prov *prov;
static struct sim_err err;

static void setup(void)
{
    arena = sim_arena_create(4096);
    memset(&err, 0, sizeof err);
}

static void teardown(void)
{
    sim_arena_free(arena);
}

/* Loads the settings in text over the defaults. */
static int load(const char *text)
{
    struct hci_cfg *g;
    const struct hci_param *const tables[] = { rows, NULL };
    int rc = hci_config_parse(&g, arena, text, "sample.cfg", &err);
    if (rc == SIM_OK)
        rc = hci_param_check_keys(g, tables, NULL, "sample", &err);
    return rc == SIM_OK ? hci_param_load(rows, g, "sample", &got, &prov, arena, &err) : rc;
}

static uint64_t unit(int type, const char *text)
{
    uint64_t v = 0;
    char why[200] = "";
    ck_assert_msg(hci_unit_parse(type, text, &v, why, sizeof why) == 0, "%s: %s", text, why);
    return v;
}

static const char *refusal(int type, const char *text)
{
    static char why[200];
    uint64_t v;
    ck_assert_msg(hci_unit_parse(type, text, &v, why, sizeof why) != 0, "%s was taken", text);
    return why;
}

START_TEST(units_have_their_exact_meaning)
{
    ck_assert_uint_eq(unit(HCI_TIME, "4.5 us"), 4500);
    ck_assert_uint_eq(unit(HCI_TIME, "714ns"), 714);
    ck_assert_uint_eq(unit(HCI_TIME, "1.5 h"), 5400ULL * SIM_S);
    ck_assert_uint_eq(unit(HCI_BYTES, "16481369332 B"), 16481369332ULL);
    ck_assert_uint_eq(unit(HCI_BYTES, "1.5 GiB"), 1610612736);
    ck_assert_uint_eq(unit(HCI_BYTES, "1.5 GB"), 1500000000);
    ck_assert_uint_eq(unit(HCI_RATE, "10 Gbit/s"), 1250000000);
    ck_assert_uint_eq(unit(HCI_RATE, "10 GB/s"), 10000000000ULL);
    ck_assert_uint_eq(unit(HCI_RATE, "1 MiB/s"), 1048576);
    ck_assert_uint_eq(unit(HCI_RATE, "3 bit/s"), 0); /* 0.375 rounds down */
    ck_assert_uint_eq(unit(HCI_RATE, "4 bit/s"), 1);
}
END_TEST

START_TEST(bits_bytes_and_amounts_are_never_mixed_up)
{
    ck_assert_ptr_nonnull(strstr(refusal(HCI_RATE, "10Gb"), "\"10 Gbit/s\""));
    ck_assert_ptr_nonnull(strstr(refusal(HCI_RATE, "10GB"), "\"10 GB/s\""));
    ck_assert_ptr_nonnull(strstr(refusal(HCI_RATE, "10 Gbps"), "\"10 Gbit/s\""));
    ck_assert_ptr_nonnull(strstr(refusal(HCI_BYTES, "24 Gb"), "\"24 GB\""));
    ck_assert_ptr_nonnull(strstr(refusal(HCI_BYTES, "64k"), "1000 or 1024"));
    ck_assert_ptr_nonnull(strstr(refusal(HCI_BYTES, "24 GiBs"), "GiB"));
    ck_assert_ptr_nonnull(strstr(refusal(HCI_TIME, "30"), "no unit"));
    ck_assert_ptr_nonnull(strstr(refusal(HCI_TIME, "30 usec"), "us"));
    refusal(HCI_TIME, "-3 us");
    refusal(HCI_TIME, "");
    refusal(HCI_TIME, ". us");
    refusal(HCI_TIME, "1e3 us");
    refusal(HCI_BYTES, "99999999999999999999 TiB");
    refusal(HCI_BYTES, "999999999999999999999999 B");
}
END_TEST

START_TEST(printing_a_quantity_and_reading_it_back_gives_the_same_bits)
{
    char text[64];
    static const int types[] = { HCI_BYTES, HCI_TIME, HCI_RATE };
    for (int t = 0; t < 3; t++)
        for (uint64_t v = 0, k = 0; k < 400; k++, v = v * 5 / 4 + k) {
            hci_unit_format(types[t], v, text, sizeof text);
            ck_assert_uint_eq(unit(types[t], text), v);
        }
    ck_assert_str_eq(hci_unit_format(HCI_TIME, 4500, text, sizeof text), "4.5 us");
    ck_assert_str_eq(hci_unit_format(HCI_TIME, 0, text, sizeof text), "0 ns");
    ck_assert_str_eq(hci_unit_format(HCI_BYTES, 24 * SIM_GIB, text, sizeof text), "24 GiB");
    ck_assert_str_eq(hci_unit_format(HCI_BYTES, 16481369332, text, sizeof text), "16481369332 B");
    ck_assert_str_eq(hci_unit_format(HCI_RATE, 1250000000, text, sizeof text), "1.25 GB/s");
}
END_TEST

START_TEST(defaults_fill_what_a_file_leaves_out)
{
    ck_assert_int_eq(load("count = 7;"), SIM_OK);
    ck_assert_uint_eq(got.count, 7);
    ck_assert_uint_eq(got.bytes, 4096);
    ck_assert_uint_eq(got.time, 30000);
    ck_assert_uint_eq(got.rate, 1250000000);
    ck_assert_uint_eq(got.flag, 1);
    ck_assert_uint_eq(got.choice, 1);
    ck_assert_uint_eq(got.maybe, HCI_AUTO);
    ck_assert_double_eq(got.number, 0.25);
    ck_assert_str_eq(got.text, "hello");
    ck_assert_str_eq(prov[0].file, "sample.cfg");
    ck_assert_ptr_null(prov[1].file);
}
END_TEST

START_TEST(a_value_keeps_its_source_confidence_and_range)
{
    ck_assert_int_eq(load("count = 1;\ntime = { value = \"5 us\"; source = \"a log\"; "
                          "confidence = \"estimated\"; range = [\"3 us\", \"6 us\"]; };"),
                     SIM_OK);
    ck_assert_uint_eq(got.time, 5000);
    ck_assert_str_eq(prov[2].source, "a log");
    ck_assert_int_eq(prov[2].confidence, HCI_CONF_ESTIMATED);
    ck_assert_str_eq(prov[2].low, "3 us");
    ck_assert_str_eq(prov[2].high, "6 us");
    ck_assert_int_eq(prov[2].line, 2);
    ck_assert_int_eq(prov[0].confidence, HCI_CONF_NONE);
}
END_TEST

START_TEST(every_mistake_names_file_line_key_and_remedy)
{
    static const struct {
        const char *text, *says;
        int line;
    } t[] = {
        { "bytes = 4096;", "bare number without a unit", 1 },
        { "\ntime = 30;", "\"30 us\"", 2 },
        { "time = \"30\";", "has no unit", 1 },
        { "count = \"3\";", "expected a whole number", 1 },
        { "count = 2.5;", "fraction", 1 },
        { "count = -1;", "negative", 1 },
        { "count = 11;", "out of range (1 to 10)", 1 },
        { "bytes = \"1 PB\";", "unknown unit", 1 },
        { "time = \"1 h\";", "out of range (0 ns to 1000 s)", 1 },
        { "number = 1.5;", "out of range (0 to 1)", 1 },
        { "flag = 1;", "true or false", 1 },
        { "choice = \"grene\";", "did you mean green?", 1 },
        { "choice = 1;", "a name in quotes", 1 },
        { "\n\nbites = \"1 B\";", "unknown key bites, did you mean bytes?", 3 },
        { "time = { source = \"x\"; };", "has no value", 1 },
        { "time = { value = \"1 us\"; confidence = \"sure\"; };", "confidence must be", 1 },
        { "time = { value = \"1 us\"; confidence = \"estimated\"; };", "needs a range", 1 },
        { "time = { value = \"9 us\"; range = [\"1 us\", \"2 us\"]; };", "outside its own range", 1 },
        { "time = { value = \"9 us\"; sauce = \"x\"; };", "did you mean source?", 1 },
        { "time = ( 1, 2 );", "found a list", 1 },
        { "maybe = \"automatic\";", "is no decimal number", 1 },
    };
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        ck_assert_msg(load(t[i].text) == SIM_E_INPUT, "%s was taken", t[i].text);
        ck_assert_msg(strstr(err.text, t[i].says) != NULL, "%s: %s", t[i].text, err.text);
        ck_assert_str_eq(err.file, "sample.cfg");
        ck_assert_int_eq(err.line, t[i].line);
        ck_assert_ptr_null(strchr(err.text, '\n'));
    }
}
END_TEST

START_TEST(printing_a_value_and_loading_it_gives_the_same_struct)
{
    char text[4096] = "", value[512];
    ck_assert_int_eq(load("count = 9; bytes = \"123457 B\"; time = \"1.5 ms\"; number = 0.1; "
                          "rate = \"7 Mbit/s\"; flag = false; choice = \"blue\"; maybe = \"2 MiB\"; "
                          "text = \"a \\\"quoted\\\" \\\\ word\";"),
                     SIM_OK);
    struct sample first = got;
    for (const struct hci_param *row = rows; row->key; row++) {
        size_t n = strlen(text);
        snprintf(text + n, sizeof text - n, "%s = %s;\n", row->key,
                 hci_param_format(row, &got, value, sizeof value));
    }
    ck_assert_int_eq(load(text), SIM_OK);
    ck_assert_mem_eq(&got, &first, offsetof(struct sample, text));
    ck_assert_str_eq(got.text, "a \"quoted\" \\ word");
}
END_TEST

START_TEST(the_nearest_name_is_offered_only_when_it_is_near)
{
    struct hci_nearest n;
    char hint[96];
    hci_nearest_begin(&n, "optane-900p");
    hci_nearest_offer(&n, "samsung-990pro-2tb");
    ck_assert_str_eq(hci_nearest_hint(&n, hint, sizeof hint), "");
    hci_nearest_offer(&n, "optane-900p-280g");
    ck_assert_str_eq(hci_nearest_hint(&n, hint, sizeof hint), ", did you mean optane-900p-280g?");
    char monster[3000];
    memset(monster, 'x', sizeof monster - 1);
    monster[sizeof monster - 1] = 0;
    hci_nearest_begin(&n, monster);
    hci_nearest_offer(&n, monster);
    ck_assert_ptr_null(n.best);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, units_have_their_exact_meaning);
    tcase_add_test(tc, bits_bytes_and_amounts_are_never_mixed_up);
    tcase_add_test(tc, printing_a_quantity_and_reading_it_back_gives_the_same_bits);
    tcase_add_test(tc, defaults_fill_what_a_file_leaves_out);
    tcase_add_test(tc, a_value_keeps_its_source_confidence_and_range);
    tcase_add_test(tc, every_mistake_names_file_line_key_and_remedy);
    tcase_add_test(tc, printing_a_value_and_loading_it_gives_the_same_struct);
    tcase_add_test(tc, the_nearest_name_is_offered_only_when_it_is_near);
}

TEST_MAIN("unit.param")
