/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/hci_skip.h"

#include "sim_assert.h"
#include "workload/hci_runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRETCHES    60 /* a job is skipped in at least so many, unless it is steady */
#define AHEAD        16 /* requests drawn together */
#define STEPS        64 /* of state, in one skip */
#define SHARE        2  /* the most of a stretch that a window gets */
#define ALONE        5  /* times the precision, for one window of many */
#define LEAST_WINDOW (20 * SIM_MS)
#define LEAST_IOS    10000 /* simulated in a row: 100 beyond its p99 */
#define ROUNDS       8     /* of all I/Os in flight, in a window */
#define WINDOW_IOS   2500  /* in a window: a small job is not worth skipping */
#define ASTRAY       6     /* times as wide as it may be: sampling does not do */

static sim_time now_of(const struct hci_runner *r)
{
    return r->cluster->sim->now;
}

static bool active(const struct hci_row *row)
{
    return row->running > 0 && row->begun > 0;
}

/* ---- when ---- */

/* What the job does next follows from its requests and rate alone. */
static bool plain(const struct hci_clone *k)
{
    const struct hci_job *job = k->job;
    unsigned both = HCI_RW_READ | HCI_RW_WRITE;
    bool paced = false, watched = job->max_latency > 0;
    for (unsigned d = 0; d < HCI_DDIRS; d++) {
        paced |= job->rate_Bps[d] || job->rate_iops[d];
        watched |= job->rate_min_Bps[d] || job->rate_iops_min[d];
    }
    return !job->latency_target && !job->steadystate && !job->flow && !k->logs && !watched &&
           !job->iolog && !k->written && !(paced && (job->rw & both) == both);
}

/* Nobody is in a ramp, about to start or finishing. */
static bool may_skip(const struct hci_runner *r)
{
    bool any = false;
    for (unsigned i = 0; i < r->nclones; i++) {
        const struct hci_clone *k = &r->clones[i];
        if (k->state == HCI_DONE || k->state == HCI_WAITING)
            continue;
        if (k->state != HCI_RUNNING || !k->measuring || k->syncing || !plain(k))
            return false;
        any = true;
    }
    return any && r->cluster->platform->skip;
}

static uint64_t row_ios(const struct hci_row *row, bool window)
{
    uint64_t n = 0;
    for (unsigned d = HCI_DIR_READ; d <= HCI_DIR_TRIM; d++)
        n += window              ? hci_stats_window_ios(&row->stats, d)
             : row->stats.dir[d] ? row->stats.dir[d]->all.lat.n
                                 : 0;
    return n;
}

/* ---- how long ---- */

/* Until the first of the running jobs ends, at the window's rates. */
static sim_time time_left(const struct hci_runner *r)
{
    sim_time now = now_of(r), left = SIM_NEVER, window = now - r->skip.opened;
    for (unsigned i = 0; i < r->nclones; i++) {
        const struct hci_clone *k = &r->clones[i];
        if (k->state != HCI_RUNNING)
            continue;
        if (k->deadline != SIM_NEVER)
            left = sim_min(left, k->deadline > now ? k->deadline - now : 0);
        uint64_t bytes = k->done_bytes - k->window_done;
        if (k->expected_bytes > k->done_bytes && bytes) {
            double ns =
                (double)window * (double)(k->expected_bytes - k->done_bytes) / (double)bytes;
            left = sim_min(left, ns < 1e18 ? (sim_time)ns : SIM_NEVER);
        }
    }
    return left;
}

/* Whether the row will be precise at its end if it goes on as so far: half-widths
 * shrink with the root of what was seen. */
static bool on_track(struct hci_runner *r, struct hci_row *row, sim_time left)
{
    struct hci_skip *k = &r->skip;
    sim_time now = now_of(r), window = now - k->opened;
    double so_far = (double)(now - row->ramp_end + row->stats.skipped);
    double half = hci_stats_precision(&row->stats, (double)(k->chunk + window) / (double)window);
    double over = half * sqrt(so_far / (so_far + (double)left)) / k->precision;
    k->half = fmax(k->half, half);
    k->over = fmax(k->over, over);
    return over <= 1;
}

static bool alone(const struct hci_runner *r)
{
    for (unsigned i = 0; i < r->nrows; i++)
        if (active(&r->rows[i]) &&
            hci_stats_window_precision(&r->rows[i].stats) > ALONE * r->skip.precision)
            return false;
    return true;
}

/* The window says enough: every row is on the way to its precision, or this
 * window is precise enough by itself for sixty of them and only more of them can
 * help, or it has had its share of time. While figures vary so much that sampling
 * does not do, windows follow each other without a gap. */
static bool enough(struct hci_runner *r, sim_time left)
{
    struct hci_skip *k = &r->skip;
    sim_time window = now_of(r) - k->opened;
    bool good = true;
    if (window < LEAST_WINDOW)
        return false;
    for (unsigned i = 0; i < r->nrows; i++) {
        const struct hci_row *row = &r->rows[i];
        uint64_t least = sim_max(ROUNDS * row->stats.in_flight, WINDOW_IOS);
        if (active(row) && (row_ios(row, true) < least || row_ios(row, false) < LEAST_IOS))
            return false;
    }
    if (k->base == 0)
        k->base = k->chunk = (left + window) / STRETCHES;
    k->half = k->over = 0;
    for (unsigned i = 0; i < r->nrows && good; i++)
        good = !active(&r->rows[i]) || on_track(r, &r->rows[i], left);
    if (k->over > ASTRAY && isfinite(k->half))
        return window >= k->base;
    return good || (isfinite(k->half) && (window >= k->base / SHARE || alone(r)));
}

/* Moves evenly: as fast as before the last skip, or as good as not at all. */
static bool gauges_steady(struct hci_runner *r)
{
    struct hci_skip *k = &r->skip;
    sim_time clock = hci_cluster_clock(r->cluster);
    double ns = (double)(clock - k->level_at);
    bool steady = ns > 0;
    unsigned i = 0;
    for (const struct hci_gauge *g = r->cluster->gauges; g; g = g->next, i++) {
        if (g->counter)
            continue;
        double v = g->read(g->obj), rate = ns > 0 ? (v - k->level[i]) / ns : 0;
        double least = fmax(fabs(v), fabs(k->level[i])) / 100;
        steady &= fabs(rate - k->rate[i]) * ns <= fmax(least, fabs(k->rate[i]) * ns / 5);
        k->level[i] = v;
        k->rate[i] = rate;
    }
    k->level_at = clock;
    return steady;
}

static bool latencies_steady(struct hci_runner *r)
{
    bool steady = true;
    for (unsigned d = HCI_DIR_READ; d <= HCI_DIR_TRIM; d++) {
        double sum = 0, n = 0;
        for (unsigned i = 0; i < r->nrows; i++) {
            const struct hci_dir_stats *x = r->rows[i].stats.dir[d];
            if (!active(&r->rows[i]) || !x)
                continue;
            sum += (double)(x->all.lat_m.sum - (x->mark ? x->mark->lat_m.sum : 0));
            n += (double)hci_stats_window_ios(&r->rows[i].stats, d);
        }
        double mean = n > 0 ? sum / n : 0;
        steady &= fabs(mean - r->skip.mean[d]) <= r->skip.precision * mean;
        r->skip.mean[d] = mean;
    }
    return steady;
}

/* Longer skips where nothing changes and enough is known, shorter ones where
 * windows differ so much that more of them are needed. */
static void choose_chunk(struct hci_runner *r)
{
    struct hci_skip *k = &r->skip;
    bool steady = gauges_steady(r);
    steady &= latencies_steady(r);
    if (steady && k->half <= k->precision)
        k->chunk *= 2;
    else
        k->chunk = (sim_time)((double)k->base / fmin(fmax(k->over, 1), 4));
}

/* ---- skipping ---- */

struct tally { /* of one row during a skip */
    uint64_t ios[HCI_DIRS], bytes[HCI_DIRS];
};

struct stretch {
    sim_time ns, window;              /* so far; simulated before it */
    uint64_t reads_left, reads_later; /* bytes: in the skip, behind it */
    struct tally *tally;              /* [nrows] */
    enum hci_course course;
    bool ended; /* by its course, or a job is out of requests */
};

static void turn(struct stretch *x, enum hci_course course)
{
    x->course = course > x->course ? course : x->course;
    x->ended |= course != HCI_STRAIGHT;
}

/* Decides what chance decides about a skipped request, so many bytes into its clone. */
static uint64_t luck(const struct hci_request *rq, uint64_t done_bytes)
{
    return sim_mix(rq->offset ^ done_bytes);
}

/* The next requests of a clone, at most n; fewer when it has no more. */
static unsigned draw(struct hci_runner *r, struct hci_clone *k, struct hci_request *rq, unsigned n)
{
    const struct hci_skip_ops *ops = r->cluster->platform->skip;
    unsigned i = 0;
    for (; i < n && hci_source_next(k->source, &rq[i]); i++)
        rq[i].offset += r->file_base[rq[i].file];
    for (unsigned stage = 0; ops->ahead && stage < 2; stage++) {
        uint64_t done = k->done_bytes;
        for (unsigned a = 0; a < i; a++) {
            done += rq[a].bytes;
            ops->ahead(r->cluster, k->guest, &rq[a], luck(&rq[a], done), stage);
        }
    }
    return i;
}

static void carry_out(struct hci_runner *r, struct hci_clone *k, const struct hci_request *rq,
                      struct stretch *x)
{
    struct hci_cluster *c = r->cluster;
    struct tally *t = &x->tally[k->row - r->rows];
    k->skipped++;
    k->done_bytes += rq->bytes;
    k->wrote |= rq->op == HCI_WRITE;
    t->ios[rq->op]++;
    t->bytes[rq->op] += rq->bytes;
    if (rq->op == HCI_READ)
        x->reads_left -= sim_min(x->reads_left, rq->bytes);
    turn(x, c->platform->skip->io(c, k->guest, rq, luck(rq, k->done_bytes), x->reads_left,
                                  x->reads_later));
}

/* One clone's requests up to x->ns; the last few go on through a turn. */
static void skip_clone(struct hci_runner *r, struct hci_clone *k, struct stretch *x)
{
    uint64_t target =
        (uint64_t)((unsigned __int128)(k->issued - k->window_issued) * x->ns / x->window);
    struct hci_request rq[AHEAD];
    while (k->skipped < target && !x->ended) {
        unsigned want = (unsigned)sim_min(target - k->skipped, AHEAD);
        unsigned n = draw(r, k, rq, want);
        for (unsigned i = 0; i < n; i++)
            carry_out(r, k, &rq[i], x);
        x->ended |= n < want;
    }
}

static uint64_t reads_ahead(const struct hci_runner *r, sim_time chunk, sim_time window)
{
    double bytes = 0;
    for (unsigned i = 0; i < r->nrows; i++) {
        const struct hci_dir_stats *d = r->rows[i].stats.dir[HCI_DIR_READ];
        if (active(&r->rows[i]) && d)
            bytes += (double)(d->all.bytes - (d->mark ? d->mark->bytes : 0));
    }
    return (uint64_t)(bytes * (double)chunk / (double)window);
}

/* Carries the requests out; returns how much time that took. */
static sim_time move_on(struct hci_runner *r, sim_time chunk, struct stretch *x)
{
    struct hci_cluster *c = r->cluster;
    sim_time step = sim_min(sim_max(chunk / STEPS, SIM_MS), 250 * SIM_MS);
    for (unsigned i = 0; i < r->nclones; i++)
        r->clones[i].skipped = 0;
    while (x->ns < chunk && !x->ended) {
        sim_time ns = sim_min(step, chunk - x->ns);
        x->ns += ns;
        for (unsigned i = 0; i < r->nclones && !x->ended; i++)
            if (r->clones[i].state == HCI_RUNNING)
                skip_clone(r, &r->clones[i], x);
        c->skipped_ns += ns;
        turn(x, c->platform->skip->pass(c, ns));
        hci_runner_sample(r);
    }
    return x->ns;
}

static void credit(struct hci_runner *r, const struct stretch *x)
{
    sim_time now = now_of(r);
    for (unsigned i = 0; i < r->nrows; i++) {
        struct hci_row *row = &r->rows[i];
        struct tally *t = &x->tally[i];
        if (!active(row))
            continue;
        uint64_t syncs = hci_stats_window_ios(&row->stats, HCI_DIR_SYNC);
        t->ios[HCI_DIR_SYNC] = (uint64_t)((unsigned __int128)syncs * x->ns / x->window);
        hci_stats_skip(&row->stats, now, x->ns, t->ios, t->bytes);
        for (unsigned d = 0; d < HCI_DDIRS; d++)
            hci_samplers_skip(row->samplers, d, t->ios[d], t->bytes[d],
                              hci_cluster_clock(r->cluster) - x->ns, x->ns);
        hci_window_scale(r, row, x->ns, x->window);
    }
    for (unsigned i = 0; i < r->nclones; i++)
        if (r->clones[i].state == HCI_RUNNING && r->clones[i].deadline != SIM_NEVER)
            r->clones[i].deadline -= sim_min(x->ns, r->clones[i].deadline - now);
}

static void open_window(struct hci_runner *r, bool first)
{
    sim_time now = now_of(r);
    for (unsigned i = 0; i < r->nrows; i++) {
        struct hci_row *row = &r->rows[i];
        if (!active(row))
            continue;
        hci_stats_window(&row->stats, now, first);
        hci_window_mark(r, row);
        row->windows++;
        row->strata += first;
    }
    for (unsigned i = 0; i < r->nclones; i++) {
        r->clones[i].window_issued = r->clones[i].issued;
        r->clones[i].window_done = r->clones[i].done_bytes;
    }
    r->cluster->platform->skip->mark(r->cluster, first);
    r->skip.open = true;
    r->skip.opened = now;
}

static void skip(struct hci_runner *r, sim_time left)
{
    struct hci_skip *k = &r->skip;
    struct stretch x = {.window = now_of(r) - k->opened};
    choose_chunk(r);
    if (k->over > ASTRAY) { /* on without a gap */
        open_window(r, false);
        return;
    }
    sim_time chunk = sim_min(k->chunk, left);
    if (left - chunk < k->base / 2) /* no stub at the end */
        chunk = left;
    if (chunk == 0 || chunk == SIM_NEVER)
        return;
    x.tally = calloc(r->nrows + 1, sizeof *x.tally);
    sim_assert(x.tally != NULL);
    x.reads_left = reads_ahead(r, chunk, x.window);
    x.reads_later = reads_ahead(r, left, x.window) - x.reads_left;
    hci_window_pause(r);
    move_on(r, chunk, &x);
    r->cluster->platform->skip->resume(r->cluster);
    credit(r, &x);
    hci_window_resume(r);
    free(x.tally);
    open_window(r, x.course == HCI_TURN);
    if (x.ended)
        k->chunk = k->base;
}

/* ---- from outside ---- */

void hci_skip_init(struct hci_runner *r)
{
    unsigned n = r->cluster->ngauges + 1;
    r->skip.precision = r->opts->precision;
    if (r->skip.precision <= 0)
        return;
    r->skip.level = calloc(n, sizeof *r->skip.level);
    r->skip.rate = calloc(n, sizeof *r->skip.rate);
    sim_assert(r->skip.level && r->skip.rate);
}

void hci_skip_fini(struct hci_runner *r)
{
    free(r->skip.level);
    free(r->skip.rate);
}

void hci_skip_consider(struct hci_runner *r)
{
    struct hci_skip *k = &r->skip;
    if (!may_skip(r)) {
        k->open = false;
        return;
    }
    if (!k->open) {
        k->base = k->chunk = 0;
        memset(k->mean, 0, sizeof k->mean);
        open_window(r, true);
        return;
    }
    sim_time left = time_left(r);
    if (enough(r, left))
        skip(r, left);
}

void hci_skip_explain(const struct hci_runner *r, struct hci_row *row)
{
    double pct = 100 * r->skip.precision;
    if (r->skip.precision <= 0)
        return;
    row->stats.next_look = 0;
    double half = 100 * hci_stats_precision(&row->stats, 1);
    if (row->stats.skipped == 0)
        snprintf(
            row->stopped, sizeof row->stopped, "%s",
            r->cluster->platform->skip
                ? "all: too short, not precise before its end, or a job that adapts or keeps logs"
                : "all: state cannot be moved on on this platform");
    else
        snprintf(row->stopped, sizeof row->stopped,
                 "mean and p99 are within %.2g %% (%.3g %% asked); state moved on in between", half,
                 pct);
}
