/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_progress.h"
#include "ana_run.h"
#include "check_main.h"

#include <stdio.h>
#include <string.h>

static struct ana_run_conf conf;
static struct sim_err err;

/* Parses "hcisim run" and the words of line, which blanks separate. */
static int parse(const char *line)
{
    static char text[512], name[] = "hcisim run";
    char *argv[32] = { name }, *save = NULL;
    int argc = 1;
    snprintf(text, sizeof text, "%s", line);
    for (char *w = strtok_r(text, " ", &save); w && argc < 31; w = strtok_r(NULL, " ", &save))
        argv[argc++] = w;
    return ana_run_parse(&conf, argc, argv, &err);
}

START_TEST(a_layout_and_job_files_are_enough)
{
    ck_assert_int_eq(parse("a.cfg b.fio c.fio"), SIM_OK);
    ck_assert_str_eq(conf.layout, "a.cfg");
    ck_assert_uint_eq(conf.njobs, 2);
    ck_assert_str_eq(conf.jobs[1], "c.fio");
    ck_assert_ptr_null(conf.jobs[2]);
    ck_assert_uint_eq(conf.seed, 1);
    ck_assert_uint_eq(conf.repeat, 1);
    ck_assert_uint_eq(conf.formats, ANA_NORMAL);
    ck_assert_int_eq(conf.eta, ANA_ETA_AUTO);
    ck_assert(!conf.force && !conf.lenient && !conf.h5 && !conf.output);
}
END_TEST

START_TEST(every_option_reaches_its_field)
{
    ck_assert_int_eq(parse("--seed 18446744073709551615 --repeat=2 --pause 60s --force --lenient "
                           "-o r.h5 --output f --eta=never --output-format=json+,normal "
                           "--section s1 --section=s2 --set a.[0].b=c=d --set e= a.cfg -"),
                     SIM_OK);
    ck_assert_uint_eq(conf.seed, UINT64_MAX);
    ck_assert_uint_eq(conf.repeat, 2);
    ck_assert_uint_eq(conf.pause_ns, 60 * SIM_S);
    ck_assert(conf.force && conf.lenient);
    ck_assert_str_eq(conf.h5, "r.h5");
    ck_assert_str_eq(conf.output, "f");
    ck_assert_int_eq(conf.eta, ANA_ETA_NEVER);
    ck_assert_uint_eq(conf.formats, ANA_NORMAL | ANA_JSON | ANA_JSON_BINS);
    ck_assert_uint_eq(conf.nsections, 2);
    ck_assert_str_eq(conf.sections[1], "s2");
    ck_assert_uint_eq(conf.nsets, 2);
    ck_assert_str_eq(conf.sets[0].key, "a.[0].b");
    ck_assert_str_eq(conf.sets[0].value, "c=d");
    ck_assert_str_eq(conf.sets[1].value, "");
    ck_assert_str_eq(conf.jobs[0], "-");
}
END_TEST

START_TEST(each_wrong_value_is_named)
{
    static const struct { const char *line, *text; } cases[] = {
        { "", "run needs a layout file and a job file" },
        { "a.cfg", "run needs a job file after the layout 'a.cfg'" },
        { "a b --seed -1", "--seed wants a number from 0 to 2^64 - 1, not '-1'" },
        { "a b --seed 18446744073709551616", "not '18446744073709551616'" },
        { "a b --repeat 0", "--repeat wants a number from 1 to 1000, not '0'" },
        { "a b --repeat 1001", "not '1001'" },
        { "a b --repeat 2 --pause 60", "--pause '60': " },
        { "a b --pause 60s", "needs --repeat 2 or more" },
        { "a b --output-format=jsom", "no output format 'jsom'; nearest: json" },
        { "a b --output-format=json,", "no output format ''" },
        { "a b --eta=nevr", "nearest: never" },
        { "a b --set x", "--set wants KEY=VALUE, not 'x'" },
        { "a b --set =x", "--set wants KEY=VALUE, not '=x'" },
        { "a b --sections=x", "no option --sections; nearest: --section" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_int_eq(parse(cases[i].line), SIM_E_INPUT);
        ck_assert_msg(strstr(err.text, cases[i].text) != NULL, "'%s' gives '%s'", cases[i].line,
                      err.text);
    }
}
END_TEST

START_TEST(too_many_job_files_are_an_error_and_not_an_overrun)
{
    static char *argv[ANA_RUN_LIST_MAX + 4];
    static char name[] = "hcisim run", word[] = "x";
    int n = ANA_RUN_LIST_MAX + 2; /* the layout and as many job files as there may be */
    argv[0] = name;
    for (int i = 1; i <= n; i++)
        argv[i] = word;
    ck_assert_int_eq(ana_run_parse(&conf, n, argv, &err), SIM_OK);
    ck_assert_ptr_null(conf.jobs[ANA_RUN_LIST_MAX]);
    ck_assert_int_eq(ana_run_parse(&conf, n + 1, argv, &err), SIM_E_INPUT);
    ck_assert_str_eq(err.text, "more than 256 job files");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_layout_and_job_files_are_enough);
    tcase_add_test(tc, every_option_reaches_its_field);
    tcase_add_test(tc, each_wrong_value_is_named);
    tcase_add_test(tc, too_many_job_files_are_an_error_and_not_an_overrun);
}

TEST_MAIN("unit.run_args")
