/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every published point of configs/curves.csv, simulated, within its tolerance.
 * Points something was fitted to and points nothing was fitted to are told apart.
 */
#include "ana_curve.h"
#include "check_main.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static struct sim_err err;

struct tally {
    unsigned n, outside;
    double worst, sum2;
};

static void judge(const struct ana_point *p, const struct ana_simulated *s, struct tally *t)
{
    double iops = ana_curve_error(s->kiops, p->kiops),
           mean = ana_curve_error(s->mean_us, p->mean_us);
    double worst = fmax(fabs(iops), p->mean_us > 0 ? fabs(mean) : 0);
    t->n++;
    t->sum2 += worst * worst;
    t->worst = fmax(t->worst, worst);
    if ((worst <= p->tolerance) == (p->use != ANA_USE_NOT_MET))
        return;
    t->outside++;
    printf("configs/curves.csv:%d: %s %s %s depth %d x %d jobs: %.1f k/s against %.1f (%+.1f %%), "
           "mean %.1f us against %.1f (%+.1f %%), %s %.0f %%\n",
           p->line, p->device, p->rw, p->engine, (int)p->depth, (int)p->jobs, s->kiops, p->kiops,
           iops, s->mean_us, p->mean_us, p->mean_us > 0 ? mean : 0,
           p->use == ANA_USE_NOT_MET ? "said to miss" : "allowed", p->tolerance);
}

/* Simulates the points of one use on a device (NULL: all) and engine (likewise). */
static void hold(int use, const char *device, const char *engine, unsigned at_least)
{
    struct tally t = {0, 0, 0, 0};
    struct ana_point *p;
    unsigned n;
    ck_assert_msg(ana_curve_read(&p, &n, "configs", &err) == SIM_OK, "%s", err.text);
    for (unsigned i = 0; i < n; i++) {
        struct ana_simulated s;
        if (p[i].use != use || (device && strcmp(p[i].device, device) != 0) ||
            (engine && strcmp(p[i].engine, engine) != 0))
            continue;
        ck_assert_msg(ana_curve_simulate(&p[i], "configs", &s, &err) == SIM_OK, "line %d: %s",
                      p[i].line, err.text);
        judge(&p[i], &s, &t);
    }
    free(p);
    ck_assert_uint_ge(t.n, at_least);
    printf("%s, %s, %s: %u points, rms %.1f %%, worst %.1f %%\n", ana_use_name(use),
           device ? device : "all devices", engine ? engine : "all engines", t.n,
           sqrt(t.sum2 / t.n), t.worst);
    fflush(stdout);
    ck_assert_msg(t.outside == 0, "%u of %u points are not where curves.csv says", t.outside, t.n);
}

START_TEST(the_980_pro_meets_the_points_it_was_fitted_to)
{
    hold(ANA_USE_FIT, "samsung-980pro-1tb", "spdk", 5);
}
END_TEST

START_TEST(the_980_pro_meets_the_points_left_out_of_its_fit)
{
    hold(ANA_USE_HELD_OUT, "samsung-980pro-1tb", "spdk", 4);
}
END_TEST

START_TEST(one_core_of_io_uring_has_the_ceiling_it_was_given)
{
    hold(ANA_USE_FIT, "samsung-980pro-1tb", "io_uring", 3);
}
END_TEST

START_TEST(the_980_pro_behind_one_four_and_eight_io_uring_jobs_is_predicted)
{
    hold(ANA_USE_HELD_OUT, "samsung-980pro-1tb", "io_uring", 24);
}
END_TEST

START_TEST(optanes_meet_the_points_they_were_fitted_to)
{
    hold(ANA_USE_FIT, "optane-900p-280g", NULL, 5);
    hold(ANA_USE_FIT, "optane-p4800x-375g", NULL, 3);
}
END_TEST

START_TEST(optanes_meet_points_left_out)
{
    hold(ANA_USE_HELD_OUT, "optane-900p-280g", NULL, 1);
    hold(ANA_USE_HELD_OUT, "optane-p4800x-375g", NULL, 4);
}
END_TEST

START_TEST(the_pm9a3_meets_its_points)
{
    hold(ANA_USE_FIT, "samsung-pm9a3-1.92t", NULL, 2);
}
END_TEST

START_TEST(drives_reach_what_their_labels_say)
{
    hold(ANA_USE_LABEL, NULL, NULL, 8);
}
END_TEST

START_TEST(points_said_not_to_be_met_are_still_not_met)
{
    hold(ANA_USE_NOT_MET, NULL, NULL, 1);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, the_980_pro_meets_the_points_it_was_fitted_to);
    tcase_add_test(tc, the_980_pro_meets_the_points_left_out_of_its_fit);
    tcase_add_test(tc, one_core_of_io_uring_has_the_ceiling_it_was_given);
    tcase_add_test(tc, the_980_pro_behind_one_four_and_eight_io_uring_jobs_is_predicted);
    tcase_add_test(tc, optanes_meet_the_points_they_were_fitted_to);
    tcase_add_test(tc, optanes_meet_points_left_out);
    tcase_add_test(tc, the_pm9a3_meets_its_points);
    tcase_add_test(tc, points_said_not_to_be_met_are_still_not_met);
    tcase_add_test(tc, drives_reach_what_their_labels_say);
}

TEST_MAIN("validation.curves")
