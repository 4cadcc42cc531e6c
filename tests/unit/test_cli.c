/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_cli.h"
#include "check_main.h"

#include <string.h>

static const char *const names[] = { "run", "check", "explain", "devices" };

START_TEST(a_swap_of_neighbours_is_one_step_away)
{
    ck_assert_str_eq(ana_nearest("rnu", names, 4), "run");
    ck_assert_str_eq(ana_nearest("chekc", names, 4), "check");
}
END_TEST

START_TEST(the_nearer_of_two_names_wins)
{
    ck_assert_str_eq(ana_nearest("device", names, 4), "devices");
    ck_assert_str_eq(ana_nearest("explian", names, 4), "explain");
}
END_TEST

START_TEST(a_word_like_none_has_no_nearest_name)
{
    char longword[200];
    memset(longword, 'x', sizeof longword - 1);
    longword[sizeof longword - 1] = '\0';
    ck_assert_ptr_null(ana_nearest("zzzzzzzz", names, 4));
    ck_assert_ptr_null(ana_nearest(longword, names, 4));
    ck_assert_ptr_null(ana_nearest("run", names, 0));
}
END_TEST

START_TEST(a_number_has_nothing_around_it_and_stays_below_its_limit)
{
    unsigned long long v = 0;
    ck_assert(ana_parse_u64("42", 100, &v) && v == 42);
    ck_assert(ana_parse_u64("0", 0, &v) && v == 0);
    ck_assert(ana_parse_u64("18446744073709551615", ~0ULL, &v) && v == ~0ULL);
    ck_assert(!ana_parse_u64("18446744073709551616", ~0ULL, &v));
    ck_assert(!ana_parse_u64("101", 100, &v));
    ck_assert(!ana_parse_u64("-1", 100, &v));
    ck_assert(!ana_parse_u64("1x", 100, &v));
    ck_assert(!ana_parse_u64(" 1", 100, &v));
    ck_assert(!ana_parse_u64("", 100, &v));
}
END_TEST

static void printed(const struct sim_err *e, char *line, size_t size)
{
    FILE *f = fmemopen(line, size, "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(ana_err_print(f, e), e->code);
    fclose(f);
}

START_TEST(an_error_is_one_printable_line_with_its_place)
{
    char line[1200];
    struct sim_err e;
    sim_fail_at(&e, SIM_E_INPUT, "a.cfg", 7, "unknown key 'x%cy'", '\n');
    printed(&e, line, sizeof line);
    ck_assert_str_eq(line, "hcisim: a.cfg:7: unknown key 'x?y'\n");
    sim_fail_at(&e, SIM_E_IO, "a.cfg", 0, "no such file");
    printed(&e, line, sizeof line);
    ck_assert_str_eq(line, "hcisim: a.cfg: no such file\n");
    sim_fail(&e, SIM_E_NO, "no");
    printed(&e, line, sizeof line);
    ck_assert_str_eq(line, "hcisim: no\n");
}
END_TEST

struct seen {
    int force, seed;
    unsigned words;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct seen *s = state->input;
    if (key == 'f')
        s->force = 1;
    else if (key == 's')
        s->seed = atoi(arg);
    else if (key == ARGP_KEY_ARG)
        s->words++;
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

static const struct argp_option options[] = {
    { "force", 'f', NULL, 0, "force", 0 },
    { "seed", 's', "N", 0, "seed", 0 },
    { 0 },
};
static const struct argp parser = { options, parse_option, "WORD...", "doc", NULL, NULL, NULL };

static int parse(struct seen *s, struct sim_err *e, unsigned n, const char *const *words)
{
    static char copy[8][64];
    char *argv[9] = { NULL };
    memset(s, 0, sizeof *s);
    for (unsigned i = 0; i < n; i++) {
        snprintf(copy[i], sizeof copy[i], "%s", words[i]);
        argv[i] = copy[i];
    }
    return ana_parse(&parser, (int)n, argv, s, e);
}

START_TEST(options_words_and_abbreviations_reach_the_parser)
{
    struct seen s;
    struct sim_err e;
    const char *const w[] = { "hcisim x", "one", "--se=7", "-f", "two", "--", "--three" };
    ck_assert_int_eq(parse(&s, &e, 7, w), SIM_OK);
    ck_assert(s.force == 1 && s.seed == 7 && s.words == 3);
    const char *const v[] = { "hcisim x", "-fs", "9", "--seed", "--force" };
    ck_assert_int_eq(parse(&s, &e, 4, v), SIM_E_INPUT);
    ck_assert_int_eq(parse(&s, &e, 3, v), SIM_OK);
    ck_assert(s.force == 1 && s.seed == 9 && s.words == 0);
}
END_TEST

START_TEST(each_mistake_on_the_command_line_is_named)
{
    struct seen s;
    struct sim_err e;
    static const struct { const char *word, *text; } cases[] = {
        { "--sede", "no option --sede; nearest: --seed" },
        { "--seed", "option --seed needs a value (N)" },
        { "--force=1", "option --force takes no value" },
        { "--zzzzzzzzzzzz", "no option --zzzzzzzzzzzz" },
        { "-q", "no option -q" },
        { "-s", "option -s needs a value (N)" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const w[] = { "hcisim x", cases[i].word };
        ck_assert_int_eq(parse(&s, &e, 2, w), SIM_E_INPUT);
        ck_assert_str_eq(e.text, cases[i].text);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_swap_of_neighbours_is_one_step_away);
    tcase_add_test(tc, the_nearer_of_two_names_wins);
    tcase_add_test(tc, a_word_like_none_has_no_nearest_name);
    tcase_add_test(tc, a_number_has_nothing_around_it_and_stays_below_its_limit);
    tcase_add_test(tc, an_error_is_one_printable_line_with_its_place);
    tcase_add_test(tc, options_words_and_abbreviations_reach_the_parser);
    tcase_add_test(tc, each_mistake_on_the_command_line_is_named);
}

TEST_MAIN("unit.cli")
