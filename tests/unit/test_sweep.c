/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_sweep_answer.h"
#include "check_main.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct sim_arena *arena;
static struct sim_err err;

/* The values of "k=SPEC" joined by blanks, or the error's text. */
static const char *values(const char *spec)
{
    struct ana_axis x;
    arena = arena ? arena : sim_arena_create(4096);
    char *text = sim_arena_printf(arena, "k=%s", spec), *out = sim_arena_strdup(arena, "");
    if (ana_axis_parse(&x, text, "configs", arena, &err) != SIM_OK)
        return err.text;
    for (unsigned i = 0; i < x.n; i++)
        out = sim_arena_printf(arena, "%s%s%s", out, i ? " " : "", x.value[i]);
    return out;
}

START_TEST(ranges_step_add_and_multiply_and_keep_their_unit)
{
    ck_assert_str_eq(values("8..64:8"), "8 16 24 32 40 48 56 64");
    ck_assert_str_eq(values("1..4"), "1 2 3 4");
    ck_assert_str_eq(values("1k..1M:x4"), "1k 4k 16k 64k 256k 1M");
    ck_assert_str_eq(values("4k..12k:4"), "4k 8k 12k");
    ck_assert_str_eq(values("10..40 Gbit/s:x2"), "10 Gbit/s 20 Gbit/s 40 Gbit/s");
    ck_assert_str_eq(values("0.1..0.3:0.1"), "0.1 0.2 0.3");
    ck_assert_str_eq(values("1 ms..3 ms:1 ms"), "1 ms 2 ms 3 ms");
    ck_assert_str_eq(values("10..35:10"), "10 20 30");
}
END_TEST

START_TEST(commas_in_brackets_and_quotes_do_not_separate)
{
    ck_assert_str_eq(values("a,b , c"), "a b c");
    ck_assert_str_eq(values("({a=1,b=2},3),x"), "({a=1,b=2},3) x");
    ck_assert_str_eq(values("\"a,b\",c"), "\"a,b\" c");
    ck_assert_str_eq(values("../x.cfg,a..b"), "../x.cfg a..b");
    ck_assert_str_eq(values("1,4..6,@usb"), "1 4 5 6 usb-64g");
}
END_TEST

START_TEST(a_range_or_set_that_is_none_is_refused_with_the_reason)
{
    ck_assert_ptr_nonnull(strstr(values("8..4:1"), "never gets to its end"));
    ck_assert_ptr_nonnull(strstr(values("8..64:0"), "never gets to its end"));
    ck_assert_ptr_nonnull(strstr(values("8..64:x1"), "never gets to its end"));
    ck_assert_ptr_nonnull(strstr(values("1k..1M"), "needs a step"));
    ck_assert_ptr_nonnull(strstr(values("1 ms..1 GiB:1"), "one dimension"));
    ck_assert_ptr_nonnull(strstr(values("1..9:x"), "the step"));
    ck_assert_ptr_nonnull(strstr(values("1..999999999"), "more than 100000 values"));
    ck_assert_ptr_nonnull(strstr(values("1,,2"), "empty value"));
    ck_assert_ptr_nonnull(strstr(values("@flush"), "nearest: @flash"));
    ck_assert_ptr_nonnull(strstr(values("@sas"), "no device is in it"));
}
END_TEST

START_TEST(sets_name_catalogue_devices_and_leave_ideal_ones_to_at_ideal)
{
    ck_assert_ptr_nonnull(strstr(values("@nvme"), "optane-900p-280g"));
    ck_assert_ptr_null(strstr(values("@nvme"), "ideal"));
    ck_assert_ptr_null(strstr(values("@nvme"), "lk1600"));
    ck_assert_ptr_nonnull(strstr(values("@ideal"), "ideal-100us"));
    ck_assert_ptr_null(strstr(values("@flash+plp"), "990pro"));
    ck_assert_ptr_nonnull(strstr(values("@flash+plp"), "samsung-pm9a3-1.92t"));
}
END_TEST

START_TEST(an_axis_is_numeric_when_all_its_values_share_a_dimension)
{
    struct ana_axis x;
    arena = arena ? arena : sim_arena_create(4096);
    ck_assert_int_eq(ana_axis_parse(&x, "k=1 ms,2 us", ".", arena, &err), SIM_OK);
    ck_assert_ptr_nonnull(x.number);
    ck_assert_double_eq(x.number[0], 1e6);
    ck_assert_str_eq(x.unit, "ns");
    ck_assert_int_eq(ana_axis_parse(&x, "k=4k,1M", ".", arena, &err), SIM_OK);
    ck_assert_double_eq(x.number[1], 1048576);
    ck_assert_int_eq(ana_axis_parse(&x, "k=1,2 ms", ".", arena, &err), SIM_OK);
    ck_assert_ptr_null(x.number);
    ck_assert_int_eq(ana_axis_parse(&x, "k=1,none", ".", arena, &err), SIM_OK);
    ck_assert_ptr_null(x.number);
}
END_TEST

static void make_space(struct ana_space *s, int mode, const char *a, const char *b)
{
    arena = arena ? arena : sim_arena_create(4096);
    *s = (struct ana_space){ .mode = mode, .naxes = 2 };
    ck_assert_int_eq(ana_axis_parse(&s->axis[0], a, ".", arena, &err), SIM_OK);
    ck_assert_int_eq(ana_axis_parse(&s->axis[1], b, ".", arena, &err), SIM_OK);
}

START_TEST(a_grid_has_every_combination_once_the_last_axis_fastest)
{
    struct ana_space s;
    struct ana_cursor c;
    unsigned index[ANA_AXES_MAX];
    make_space(&s, ANA_GRID, "a=1..3", "b=1..4");
    ck_assert_int_eq(ana_space_finish(&s, 0, &err), SIM_OK);
    ck_assert_uint_eq(s.npoints, 12);
    ana_cursor_init(&c, &s);
    for (unsigned i = 0; i < 12; i++) {
        ana_cursor_at(&c, i, index);
        ck_assert_uint_eq(index[0], i / 4);
        ck_assert_uint_eq(index[1], i % 4);
    }
    ana_cursor_fini(&c);
}
END_TEST

START_TEST(a_zip_needs_equal_lengths)
{
    struct ana_space s;
    make_space(&s, ANA_ZIP, "a=1..3", "b=1..4");
    ck_assert_int_eq(ana_space_finish(&s, 0, &err), SIM_E_INPUT);
    make_space(&s, ANA_ZIP, "a=1..3", "b=4..6");
    ck_assert_int_eq(ana_space_finish(&s, 0, &err), SIM_OK);
    ck_assert_uint_eq(s.npoints, 3);
    make_space(&s, ANA_GRID, "a=1..3", "a=4..6");
    ck_assert_int_eq(ana_space_finish(&s, 0, &err), SIM_E_INPUT);
}
END_TEST

START_TEST(a_sample_spreads_evenly_and_does_not_depend_on_the_order_of_asking)
{
    struct ana_space s;
    struct ana_cursor c;
    unsigned index[ANA_AXES_MAX], again[ANA_AXES_MAX], half = 0;
    make_space(&s, ANA_SAMPLE, "a=1..100", "b=1..100");
    ck_assert_int_eq(ana_space_finish(&s, 64, &err), SIM_OK);
    ck_assert_uint_eq(s.npoints, 64);
    ana_cursor_init(&c, &s);
    for (unsigned i = 0; i < 64; i++) {
        ana_cursor_at(&c, i, index);
        ck_assert_uint_lt(index[0], 100);
        ck_assert_uint_lt(index[1], 100);
        half += index[0] < 50;
    }
    ck_assert_uint_ge(half, 30);
    ck_assert_uint_le(half, 34);
    ana_cursor_at(&c, 20, again);
    ana_cursor_at(&c, 21, index);
    ana_cursor_at(&c, 20, index);
    ck_assert_uint_eq(again[0], index[0]);
    ck_assert_uint_eq(again[1], index[1]);
    ana_cursor_fini(&c);
    make_space(&s, ANA_SAMPLE, "a=1..3", "b=1..3");
    ck_assert_int_eq(ana_space_finish(&s, 64, &err), SIM_OK);
    ck_assert_int_eq(s.mode, ANA_GRID);
    ck_assert_uint_eq(s.npoints, 9);
}
END_TEST

static struct ana_point point_of(uint64_t number, double p99)
{
    static struct ana_row row[2];
    struct ana_point p = { .number = number, .nrows = 2, .max_rows = 2, .row = row,
                           .price_eur = 100, .watts = 7, .usable_bytes = 1e12 };
    memset(row, 0, sizeof row);
    p.index[0] = (unsigned)number;
    snprintf(row[0].job, sizeof row[0].job, "fast");
    snprintf(row[1].job, sizeof row[1].job, "slow");
    for (int m = 0; m < ANA_M_FIRST_OF_POINT; m++)
        row[0].m[m] = row[1].m[m] = NAN;
    row[0].m[ANA_M_P99] = p99 / 2;
    row[1].m[ANA_M_P99] = p99;
    row[0].m[ANA_M_IOPS] = 2000;
    row[1].m[ANA_M_IOPS] = 1000;
    row[0].m[ANA_M_WRITE_P99] = 5;
    return p;
}

START_TEST(a_packed_point_comes_back_as_it_was_and_damage_is_seen)
{
    struct ana_point p = point_of(3, 5e6), q = { 0 };
    unsigned char *buf = NULL;
    size_t size = 0, n = ana_point_pack(&p, 1, &buf, &size);
    ck_assert(ana_point_unpack(&q, 1, buf, n));
    ck_assert_uint_eq(q.number, 3);
    ck_assert_uint_eq(q.index[0], 3);
    ck_assert_uint_eq(q.nrows, 2);
    ck_assert_str_eq(q.row[1].job, "slow");
    ck_assert_double_eq(q.row[1].m[ANA_M_P99], 5e6);
    ck_assert(isnan(q.row[1].m[ANA_M_WRITE_P99]));
    ck_assert_double_eq(q.usable_bytes, 1e12);
    for (size_t cut = 0; cut < n; cut++)
        ck_assert(!ana_point_unpack(&q, 1, buf, cut));
    ana_point_fini(&q);
    free(buf);
}
END_TEST

START_TEST(a_metric_without_a_job_is_that_of_the_worst_job)
{
    struct ana_point p = point_of(0, 5e6);
    struct ana_metric_ref m;
    ck_assert_int_eq(ana_metric_parse(&m, "p99", &err), SIM_OK);
    ck_assert_double_eq(ana_metric_of(&m, &p), 5e6);
    ck_assert_int_eq(ana_metric_parse(&m, "p99@fast", &err), SIM_OK);
    ck_assert_double_eq(ana_metric_of(&m, &p), 2.5e6);
    ck_assert_int_eq(ana_metric_parse(&m, "iops", &err), SIM_OK);
    ck_assert_double_eq(ana_metric_of(&m, &p), 1000);
    ck_assert_int_eq(ana_metric_parse(&m, "write_p99", &err), SIM_OK);
    ck_assert_double_eq(ana_metric_of(&m, &p), 5);
    ck_assert_int_eq(ana_metric_parse(&m, "price", &err), SIM_OK);
    ck_assert_double_eq(ana_metric_of(&m, &p), 100);
    ck_assert_int_eq(ana_metric_parse(&m, "p99@nobody", &err), SIM_OK);
    ck_assert(isnan(ana_metric_of(&m, &p)));
    ck_assert_int_eq(ana_metric_parse(&m, "p9", &err), SIM_E_INPUT);
}
END_TEST

static bool holds(const char *condition, const struct ana_point *p)
{
    struct ana_condition c;
    ck_assert_int_eq(ana_condition_parse(&c, condition, &err), SIM_OK);
    return ana_condition_holds(&c, p);
}

START_TEST(conditions_know_units_and_a_refused_point_meets_none)
{
    struct ana_point p = point_of(0, 5e6);
    struct ana_condition c;
    ck_assert(!holds("p99<5ms", &p));
    ck_assert(holds("p99<=5ms", &p));
    ck_assert(holds("p99 < 5001 us", &p));
    ck_assert(holds("p99>4.9ms", &p));
    ck_assert(holds("iops>=1000", &p));
    ck_assert(!holds("iops>1k", &p));
    ck_assert(holds("usable>=1 TB", &p));
    p.status = ANA_POINT_REFUSED;
    ck_assert(!holds("iops>=1", &p));
    ck_assert(!holds("usable>=1 TB", &p));
    ck_assert_int_eq(ana_condition_parse(&c, "p99<5", &err), SIM_E_INPUT);
    ck_assert_int_eq(ana_condition_parse(&c, "p99<5 GiB", &err), SIM_E_INPUT);
    ck_assert_int_eq(ana_condition_parse(&c, "iops<5ms", &err), SIM_E_INPUT);
    ck_assert_int_eq(ana_condition_parse(&c, "p99=5ms", &err), SIM_E_INPUT);
    ck_assert_int_eq(ana_condition_parse(&c, "<5ms", &err), SIM_E_INPUT);
}
END_TEST

START_TEST(the_pareto_front_is_what_nothing_beats_in_both)
{
    const double cost[] = { 1, 2, 3, 2, 1, NAN, 0.5 }, goal[] = { 9, 5, 6, 5, 9, 1, NAN };
    bool front[7];
    ck_assert_uint_eq(ana_pareto(cost, goal, 7, false, front), 2);
    ck_assert(front[0] && front[1]);
    ck_assert(!front[2] && !front[3] && !front[4] && !front[5] && !front[6]);
    ck_assert_uint_eq(ana_pareto(cost, goal, 7, true, front), 1);
    ck_assert(front[0] && !front[1] && !front[2]);
}
END_TEST

struct ramp {
    uint64_t first_bad;
    unsigned asked;
};

static int below(void *ctx, uint64_t i)
{
    struct ramp *r = ctx;
    r->asked++;
    return i < r->first_bad;
}

START_TEST(bisection_finds_every_knee_of_a_thousand_values_in_ten_questions)
{
    int status;
    for (uint64_t knee = 0; knee <= 1023; knee++) {
        struct ramp r = { .first_bad = knee };
        ck_assert_int_eq(ana_bisect(1023, below, &r, &status), (int64_t)knee - 1);
        ck_assert_uint_le(r.asked, 10);
    }
}
END_TEST

static char path[64];

static void fresh_path(void)
{
    snprintf(path, sizeof path, "/tmp/test-sweep-%ld", (long)getpid());
    unlink(path);
}

static void append(struct ana_journal *j, uint64_t point, const char *text)
{
    ck_assert_int_eq(ana_journal_append(j, point, text, strlen(text) + 1, &err), SIM_OK);
}

static const char *record(struct ana_journal *j, uint64_t point)
{
    const unsigned char *data;
    size_t n;
    ck_assert_int_eq(ana_journal_get(j, point, &data, &n, &err), SIM_OK);
    return (const char *)data;
}

START_TEST(a_journal_keeps_points_over_a_close_and_takes_each_once)
{
    struct ana_journal j;
    fresh_path();
    ck_assert_int_eq(ana_journal_open(&j, path, ANA_JOURNAL_NEW, "plan", 5, 10, &err), SIM_OK);
    append(&j, 7, "seven");
    append(&j, 2, "two");
    append(&j, 7, "another");
    ck_assert_uint_eq(j.ndone, 2);
    ck_assert_str_eq(record(&j, 7), "seven");
    ana_journal_close(&j, false);
    ck_assert_int_eq(ana_journal_open(&j, path, ANA_JOURNAL_NEW, "plan", 5, 10, &err), SIM_E_INPUT);
    ana_journal_close(&j, false);
    ck_assert_int_eq(ana_journal_open(&j, path, ANA_JOURNAL_RESUME, "plam", 5, 10, &err),
                     SIM_E_INPUT);
    ana_journal_close(&j, false);
    ck_assert_int_eq(ana_journal_open(&j, path, ANA_JOURNAL_RESUME, "plan", 5, 10, &err), SIM_OK);
    ck_assert_uint_eq(j.ndone, 2);
    ck_assert(ana_journal_has(&j, 2) && ana_journal_has(&j, 7) && !ana_journal_has(&j, 3));
    ck_assert_str_eq(record(&j, 2), "two");
    ana_journal_close(&j, true);
    ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

START_TEST(wherever_a_journal_is_cut_the_whole_records_before_the_cut_remain)
{
    struct ana_journal j;
    struct stat st;
    fresh_path();
    ck_assert_int_eq(ana_journal_open(&j, path, ANA_JOURNAL_NEW, "plan", 5, 10, &err), SIM_OK);
    uint64_t head = j.end;
    append(&j, 0, "zero");
    uint64_t one = j.end;
    append(&j, 1, "one");
    ana_journal_close(&j, false);
    ck_assert_int_eq(stat(path, &st), 0);
    for (off_t cut = st.st_size; cut >= 0; cut--) {
        ck_assert_int_eq(truncate(path, cut), 0);
        ck_assert_int_eq(ana_journal_open(&j, path, ANA_JOURNAL_RESUME, "plan", 5, 10, &err),
                         SIM_OK);
        ck_assert_uint_eq(j.ndone, cut == st.st_size ? 2 : (uint64_t)cut >= one ? 1 : 0);
        ck_assert_uint_ge(j.end, head);
        ana_journal_close(&j, false);
    }
    unlink(path);
}
END_TEST

START_TEST(a_flipped_byte_in_a_record_ends_the_journal_before_it)
{
    struct ana_journal j;
    fresh_path();
    ck_assert_int_eq(ana_journal_open(&j, path, ANA_JOURNAL_NEW, "plan", 5, 10, &err), SIM_OK);
    append(&j, 0, "zero");
    append(&j, 1, "one");
    ck_assert_int_eq(pwrite(j.fd, "?", 1, (off_t)j.end - 2), 1);
    ana_journal_close(&j, false);
    ck_assert_int_eq(ana_journal_open(&j, path, ANA_JOURNAL_RESUME, "plan", 5, 10, &err), SIM_OK);
    ck_assert_uint_eq(j.ndone, 1);
    ck_assert_uint_gt(j.dropped, 0);
    append(&j, 1, "one");
    ck_assert_str_eq(record(&j, 1), "one");
    ana_journal_close(&j, true);
}
END_TEST

START_TEST(two_sweeps_do_not_write_one_journal)
{
    struct ana_journal a, b;
    fresh_path();
    ck_assert_int_eq(ana_journal_open(&a, path, ANA_JOURNAL_NEW, "plan", 5, 10, &err), SIM_OK);
    ck_assert_int_eq(ana_journal_open(&b, path, ANA_JOURNAL_RESUME, "plan", 5, 10, &err),
                     SIM_E_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "another sweep is writing"));
    ana_journal_close(&b, false);
    ana_journal_close(&a, true);
}
END_TEST

START_TEST(a_plan_comes_back_as_it_was_and_damage_is_seen)
{
    struct ana_plan p = { .layout_name = "n", .layout_text = "t", .jobfile_text = "j",
                          .options = "o", .version = "v", .revision = "r", .seed = 7 }, q;
    size_t n;
    make_space(&p.space, ANA_GRID, "a=4k,8k", "layout=x.cfg");
    ck_assert_int_eq(ana_space_finish(&p.space, 0, &err), SIM_OK);
    unsigned char *bytes = ana_plan_pack(&p, &n);
    ck_assert(ana_plan_unpack(&q, bytes, n, arena));
    ck_assert_str_eq(q.space.axis[0].value[1], "8k");
    ck_assert_double_eq(q.space.axis[0].number[1], 8192);
    ck_assert_int_eq(q.space.axis[1].kind, ANA_AXIS_LAYOUT);
    ck_assert_uint_eq(q.seed, 7);
    for (size_t cut = 0; cut < n; cut++)
        ck_assert(!ana_plan_unpack(&q, bytes, cut, arena));
    free(bytes);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, ranges_step_add_and_multiply_and_keep_their_unit);
    tcase_add_test(tc, commas_in_brackets_and_quotes_do_not_separate);
    tcase_add_test(tc, a_range_or_set_that_is_none_is_refused_with_the_reason);
    tcase_add_test(tc, sets_name_catalogue_devices_and_leave_ideal_ones_to_at_ideal);
    tcase_add_test(tc, an_axis_is_numeric_when_all_its_values_share_a_dimension);
    tcase_add_test(tc, a_grid_has_every_combination_once_the_last_axis_fastest);
    tcase_add_test(tc, a_zip_needs_equal_lengths);
    tcase_add_test(tc, a_sample_spreads_evenly_and_does_not_depend_on_the_order_of_asking);
    tcase_add_test(tc, a_packed_point_comes_back_as_it_was_and_damage_is_seen);
    tcase_add_test(tc, a_metric_without_a_job_is_that_of_the_worst_job);
    tcase_add_test(tc, conditions_know_units_and_a_refused_point_meets_none);
    tcase_add_test(tc, the_pareto_front_is_what_nothing_beats_in_both);
    tcase_add_test(tc, bisection_finds_every_knee_of_a_thousand_values_in_ten_questions);
    tcase_add_test(tc, a_journal_keeps_points_over_a_close_and_takes_each_once);
    tcase_add_test(tc, wherever_a_journal_is_cut_the_whole_records_before_the_cut_remain);
    tcase_add_test(tc, a_flipped_byte_in_a_record_ends_the_journal_before_it);
    tcase_add_test(tc, two_sweeps_do_not_write_one_journal);
    tcase_add_test(tc, a_plan_comes_back_as_it_was_and_damage_is_seen);
}

TEST_MAIN("unit.sweep")
