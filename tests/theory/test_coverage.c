/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How often the printed 95 % intervals hold the truth, over 400 runs each.
 */
#include "simulate.h"

#include <math.h>

#include "workload/hci_stats.h"

#define RUNS 400

struct run { /* one run's figures, ns */
    struct sim_interval mean, p99;
};

struct hits { /* percent of the runs */
    double mean, p99;
};

static struct run one(struct hci_result *r, int dir, struct sim_hist *all, double *sum)
{
    const double pct = 99;
    const struct hci_dir_result *d = &r->jobs[0].dir[dir];
    struct run x = {.mean = d->mean_i[HCI_LAT]};
    hci_batches_percentiles(&d->batches, HCI_LAT, &d->lat, &pct, 1, &x.p99);
    ck_assert_uint_ge(x.mean.batches, 20);
    ck_assert_uint_le(x.mean.batches, 30);
    sim_hist_merge(all, &d->lat);
    *sum += (double)d->lat_m.sum;
    hci_result_free(r);
    return x;
}

static bool inside(const struct sim_interval *i, double truth)
{
    return fabs(i->estimate - truth) <= i->half;
}

static struct hits count(const struct run *run, double mean, double p99)
{
    struct hits h = {0, 0};
    for (unsigned i = 0; i < RUNS; i++) {
        h.mean += inside(&run[i].mean, mean) * 100.0 / RUNS;
        h.p99 += inside(&run[i].p99, p99) * 100.0 / RUNS;
    }
    return h;
}

static void assert_honest(const char *what, struct hits h)
{
    ck_assert_msg(h.mean >= 90 && h.mean <= 98, "%s: mean covered by %.1f %%", what, h.mean);
    ck_assert_msg(h.p99 >= 90 && h.p99 <= 98, "%s: p99 covered by %.1f %%", what, h.p99);
}

/* ---- M/M/1: one server with exponential times of 100 us, 5,000 arrivals a second ---- */

#define SERVICE_NS 100000
#define WARM_NS    (50 * SIM_MS)
#define WINDOW_NS  (4 * SIM_S)

struct queue {
    struct sim_client client; /* first */
    struct sim *s;
    struct hci_stats st;
    struct sim_dist service, between;
    uint64_t arrivals;
};

static void served(struct sim_client *c, struct sim *s, struct sim_io *io, struct sim_token *t)
{
    struct queue *q = (struct queue *)c;
    (void)t;
    hci_stats_record(&q->st, HCI_DIR_READ, io, NULL, 4096, s->now);
}

static void arrive(struct sim *s, void *ctx)
{
    struct queue *q = ctx;
    uint64_t key = sim_key(s->seed, ++q->arrivals);
    struct sim_io *io = sim_io_new(s, &q->client, key);
    sim_visit(&io->plan, 0, 0, 1, 1);
    sim_ack(&io->plan);
    hci_stats_issue(&q->st, s->now, 1);
    sim_io_start(s, io);
    sim_after(s, sim_dist_draw(&q->between, sim_key(key, 1)), arrive, q);
}

/* Its arrivals are open, which no job option gives: pacing drains the queue. */
static struct run queue_run(uint64_t replication, struct sim_hist *all, double *sum)
{
    static struct queue q;
    struct hci_result *r = calloc(1, sizeof *r);
    q = (struct queue){
        .client = {served, NULL}, .s = sim_create(5, replication), .st = {.interval_ns = SIM_S}};
    ck_assert_int_eq(sim_dist_exponential(&q.service, "service", SERVICE_NS), SIM_OK);
    ck_assert_int_eq(sim_dist_exponential(&q.between, "between", 2 * SERVICE_NS), SIM_OK);
    sim_add_fifo(q.s, "server", -1, 1);
    sim_add_dist(q.s, &q.service);
    hci_stats_reset(&q.st, 0);
    sim_after(q.s, 1, arrive, &q);
    sim_run(q.s, WARM_NS);
    hci_stats_reset(&q.st, q.s->now);
    sim_run(q.s, WARM_NS + WINDOW_NS);
    ck_assert(hci_stats_balance(&q.st, q.s->now));
    r->njobs = 1;
    r->jobs = calloc(1, sizeof *r->jobs);
    hci_stats_result(&q.st, HCI_DIR_READ, WINDOW_NS, &r->jobs[0].dir[HCI_DIR_READ]);
    hci_stats_fini(&q.st);
    sim_free(q.s);
    return one(r, HCI_DIR_READ, all, sum);
}

START_TEST(intervals_of_m_m_1_at_one_half_hold_the_truth_as_often_as_they_say)
{
    struct run *run = calloc(RUNS, sizeof *run);
    struct sim_hist *all = calloc(1, sizeof *all);
    const double mean = 2 * SERVICE_NS, p99 = mean * log(100);
    double sum = 0;
    for (unsigned i = 0; i < RUNS; i++)
        run[i] = queue_run(i, all, &sum);
    ck_assert_double_eq_tol(sum / (double)all->n, mean, 0.01 * mean);
    ck_assert_double_eq_tol(sim_stat_percentile(all, 99), p99, 0.02 * p99);
    assert_honest("M/M/1", count(run, mean, p99));
    free(all);
    free(run);
}
END_TEST

/* ---- writes at depth 32; the truth is that of all runs together ---- */

START_TEST(intervals_of_writes_at_depth_32_hold_the_truth_as_often_as_they_say)
{
    static const char job[] = "[w]\nrw=randwrite\nbs=4k\niodepth=32\nsize=1g\ntime_based\n"
                              "ramp_time=20ms\nruntime=200ms\n";
    struct run *run = calloc(RUNS, sizeof *run);
    struct sim_hist *all = calloc(1, sizeof *all);
    double sum = 0;
    for (unsigned i = 0; i < RUNS; i++) {
        struct hci_run_opts opts = {.seed = 5, .replication = i};
        run[i] = one(simulate("configs/layouts/story1-optane.cfg", job, &opts), HCI_DIR_WRITE, all,
                     &sum);
    }
    assert_honest("writes", count(run, sum / (double)all->n, sim_stat_percentile(all, 99)));
    free(all);
    free(run);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, intervals_of_m_m_1_at_one_half_hold_the_truth_as_often_as_they_say);
    tcase_add_test(tc, intervals_of_writes_at_depth_32_hold_the_truth_as_often_as_they_say);
}

TEST_MAIN("theory.coverage")
