/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Slices of a run, joining them, and the intervals made from them.
 */
#include "check_main.h"

#include <math.h>
#include <string.h>

#include "sim_rng.h"
#include "workload/hci_batch.h"

struct feed { /* cuts slices out of a growing record */
    struct sim_hist hist[HCI_LATS], cut[HCI_LATS];
    uint64_t sum;
};

static void feed_one(struct feed *f, uint64_t ns)
{
    for (unsigned k = 0; k < HCI_LATS; k++)
        sim_hist_record(&f->hist[k], ns);
    f->sum += ns;
}

static struct hci_slice feed_cut(struct feed *f, uint64_t ns)
{
    struct hci_slice s = {.weight = 1};
    struct sim_hist *before[HCI_LATS] = {&f->cut[0], &f->cut[1]};
    const struct sim_hist *now[HCI_LATS] = {&f->hist[0], &f->hist[1]};
    const uint64_t sum[HCI_LATS] = {f->sum, f->sum};
    hci_slice_cut(&s, ns, before, now, sum);
    f->sum = 0;
    return s;
}

/* n slices of `each` exponential latencies of 100 us plus shift x (slice / n). */
static struct hci_batches batches(struct feed *f, int kind, unsigned n, unsigned each,
                                  uint64_t seed)
{
    struct hci_batches b = {kind, n, calloc(n, sizeof *b.slice)};
    for (unsigned i = 0; i < n; i++) {
        for (unsigned k = 0; k < each; k++) {
            double u = sim_unit(sim_key(sim_key(seed, i), k));
            feed_one(f, (uint64_t)(-1e5 * log(1 - u)));
        }
        b.slice[i] = feed_cut(f, SIM_MS);
    }
    return b;
}

START_TEST(a_slice_holds_what_was_recorded_since_the_last_one)
{
    struct feed f = {0};
    feed_one(&f, 5);
    feed_one(&f, 1000000);
    struct hci_slice a = feed_cut(&f, 10), b;
    feed_one(&f, 5);
    b = feed_cut(&f, 20);
    ck_assert_uint_eq(a.ios, 2);
    ck_assert_uint_eq(a.nbins[HCI_LAT], 2);
    ck_assert_uint_eq(b.ios, 1);
    ck_assert_uint_eq(b.nbins[HCI_CLAT], 1);
    ck_assert_uint_eq(b.bins[HCI_CLAT][0].bin, 5);
    hci_slice_join(&a, &b);
    ck_assert_uint_eq(a.ios, 3);
    ck_assert_uint_eq(a.ns, 30);
    ck_assert_uint_eq(a.sum[HCI_LAT], 1000010);
    ck_assert_uint_eq(a.nbins[HCI_LAT], 2);
    ck_assert_uint_eq(a.bins[HCI_LAT][0].n, 2);
    ck_assert_ptr_null(b.bins[HCI_LAT]);
    hci_slice_clear(&a);
}
END_TEST

START_TEST(slices_of_a_whole_run_become_20_to_30_batches)
{
    for (unsigned n = 45; n <= 90; n++) {
        struct feed *f = calloc(1, sizeof *f);
        struct hci_batches b = batches(f, HCI_BATCH_TIME, n, 10, 1);
        struct sim_interval i = hci_batches_mean(&b, HCI_LAT);
        ck_assert_uint_ge(i.batches, 20);
        ck_assert_uint_le(i.batches, 30);
        hci_batches_clear(&b);
        free(f);
    }
}
END_TEST

START_TEST(the_mean_is_the_ratio_of_sums_however_the_io_fall_on_slices)
{
    struct feed f = {0};
    struct hci_slice s[2];
    for (unsigned i = 0; i < 99; i++)
        feed_one(&f, 100);
    s[0] = feed_cut(&f, 1000);
    feed_one(&f, 1100);
    s[1] = feed_cut(&f, 1000);
    struct hci_batches b = {HCI_BATCH_TIME, 2, s};
    struct sim_interval mean = hci_batches_mean(&b, HCI_LAT), iops = hci_batches_iops(&b);
    ck_assert_double_eq_tol(mean.estimate, 110, 1e-9);
    ck_assert_double_eq_tol(iops.estimate, 100 / 2e-6, 1);
    hci_slice_clear(&s[0]);
    hci_slice_clear(&s[1]);
}
END_TEST

/* How often 95 % intervals of mean and p99 hold the truth, in percent. */
static void cover(int kind, unsigned slices, double *mean, double *p99)
{
    const double pct = 99, truth99 = 1e5 * log(100);
    unsigned in_mean = 0, in_p99 = 0, runs = 400;
    for (unsigned r = 0; r < runs; r++) {
        struct feed *f = calloc(1, sizeof *f);
        struct hci_batches b = batches(f, kind, slices, 400, 1000 + r);
        struct sim_interval m = hci_batches_mean(&b, HCI_LAT), q;
        hci_batches_percentiles(&b, HCI_LAT, &f->hist[HCI_LAT], &pct, 1, &q);
        in_mean += fabs(m.estimate - 1e5) <= m.half;
        in_p99 += fabs(q.estimate - truth99) <= q.half;
        hci_batches_clear(&b);
        free(f);
    }
    *mean = 100.0 * in_mean / runs;
    *p99 = 100.0 * in_p99 / runs;
}

START_TEST(intervals_of_independent_latencies_hold_the_truth_as_often_as_they_say)
{
    static const int kinds[] = {HCI_BATCH_TIME, HCI_BATCH_REPS, HCI_BATCH_SAMPLED};
    for (unsigned k = 0; k < 3; k++) {
        double mean, p99;
        cover(kinds[k], 25, &mean, &p99);
        ck_assert_msg(mean >= 91 && mean <= 98, "kind %u: mean %.1f %%", k, mean);
        ck_assert_msg(p99 >= 91 && p99 <= 99, "kind %u: p99 %.1f %%", k, p99);
    }
}
END_TEST

START_TEST(a_jump_between_strata_does_not_widen_the_interval_but_one_inside_does)
{
    struct feed *f = calloc(1, sizeof *f);
    struct hci_batches b = {HCI_BATCH_SAMPLED, 40, calloc(40, sizeof *b.slice)};
    for (unsigned i = 0; i < 40; i++) {
        for (unsigned k = 0; k < 100; k++)
            feed_one(f, (i < 20 ? 100000 : 900000) + sim_key(i, k) % 1000);
        b.slice[i] = feed_cut(f, SIM_MS);
        b.slice[i].stratum = i >= 20;
    }
    struct sim_interval apart = hci_batches_mean(&b, HCI_LAT);
    ck_assert_double_eq_tol(apart.estimate, 500500, 100);
    ck_assert_double_lt(apart.half, 100);
    for (unsigned i = 0; i < 40; i++)
        b.slice[i].stratum = 0;
    struct sim_interval together = hci_batches_mean(&b, HCI_LAT);
    ck_assert_double_gt(together.half, 100000);
    ck_assert_uint_ne(together.doubts & SIM_DOUBT_CORRELATED, 0);
    for (unsigned i = 0; i < 20; i++)
        b.slice[i].weight = 3;
    ck_assert_double_eq_tol(hci_batches_mean(&b, HCI_LAT).estimate, 300500, 100);
    hci_batches_clear(&b);
    free(f);
}
END_TEST

/* Two directions of one run, and the run without telling them apart. */
START_TEST(directions_laid_over_each_other_are_the_run_without_directions)
{
    enum { SLICES = 25, EACH = 200 };
    struct feed *f = calloc(3, sizeof *f);
    struct hci_slice s[3][SLICES];
    struct hci_batches all = {0}, none = {HCI_BATCH_TIME, SLICES - 1, s[0]};
    for (unsigned i = 0; i < SLICES; i++) {
        for (unsigned k = 0; k < EACH; k++) {
            uint64_t draw = sim_key(sim_key(7, i), k), ns = 1000 + (draw >> 32) % 100000;
            feed_one(&f[2], ns);
            feed_one(&f[draw % 3 == 0], ns);
        }
        for (unsigned d = 0; d < 3; d++) {
            s[d][i] = feed_cut(&f[d], SIM_MS);
            s[d][i].window = i;
        }
    }
    hci_batches_overlay(&all, &(struct hci_batches){HCI_BATCH_TIME, SLICES, s[0]});
    hci_batches_overlay(&all, &(struct hci_batches){HCI_BATCH_TIME, SLICES, s[1]});
    struct hci_batches whole = {HCI_BATCH_TIME, SLICES, s[2]};
    const double pct = 99;
    struct sim_interval a = hci_batches_mean(&all, HCI_LAT), b = hci_batches_mean(&whole, HCI_LAT);
    struct sim_interval pa, pb;
    hci_batches_percentiles(&all, HCI_LAT, &f[2].hist[HCI_LAT], &pct, 1, &pa);
    hci_batches_percentiles(&whole, HCI_LAT, &f[2].hist[HCI_LAT], &pct, 1, &pb);
    ck_assert_double_eq(a.estimate, b.estimate);
    ck_assert_double_eq(a.half, b.half);
    ck_assert_double_eq(pa.half, pb.half);
    ck_assert_double_eq(hci_batches_iops(&all).estimate, hci_batches_iops(&whole).estimate);
    ck_assert_uint_eq(s[0][0].ios + s[1][0].ios, EACH); /* copied, not moved */
    hci_batches_overlay(&all, &none);
    ck_assert_uint_eq(all.n, 0);
    hci_batches_clear(&all);
    for (unsigned i = 0; i < 3 * SLICES; i++)
        hci_slice_clear(&s[i / SLICES][i % SLICES]);
    free(f);
}
END_TEST

START_TEST(without_samples_there_is_no_interval_and_the_doubts_say_why)
{
    struct hci_batches none = {0};
    char text[128];
    struct sim_interval i = hci_batches_mean(&none, HCI_CLAT);
    ck_assert(!isfinite(i.half));
    ck_assert(!isfinite(hci_relative(&i)));
    ck_assert_str_eq(hci_doubts(i.doubts, text, sizeof text), "no samples");
    ck_assert_str_eq(hci_doubts(SIM_DOUBT_FEW | SIM_DOUBT_DRIFT, text, sizeof text),
                     "few batches, drift");
    ck_assert_str_eq(hci_doubts(0, text, sizeof text), "");
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_slice_holds_what_was_recorded_since_the_last_one);
    tcase_add_test(tc, slices_of_a_whole_run_become_20_to_30_batches);
    tcase_add_test(tc, the_mean_is_the_ratio_of_sums_however_the_io_fall_on_slices);
    tcase_add_test(tc, intervals_of_independent_latencies_hold_the_truth_as_often_as_they_say);
    tcase_add_test(tc, a_jump_between_strata_does_not_widen_the_interval_but_one_inside_does);
    tcase_add_test(tc, directions_laid_over_each_other_are_the_run_without_directions);
    tcase_add_test(tc, without_samples_there_is_no_interval_and_the_doubts_say_why);
}

TEST_MAIN("unit.batch")
