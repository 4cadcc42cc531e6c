/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/hci_runner.h"

#include "sim_assert.h"
#include "workload/hci_company.h"
#include "workload/hci_steady.h"
#include "workload/hci_turn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void start_ready_jobs(struct hci_runner *r);

void hci_row_measure(struct hci_row *row)
{
    sim_time now = row->runner->cluster->sim->now;
    row->ramp_end = now;
    row->nsamples = 0;
    for (struct hci_samplers *a = row->samplers; a; a = a->next)
        hci_samplers_begin(a, hci_cluster_clock(row->runner->cluster));
    hci_stats_reset(&row->stats, now);
    hci_window_free(&row->from);
    hci_window_take(row->runner, &row->from);
    hci_steady_begin(row);
}

static void begin_measuring(struct sim *s, void *ctx)
{
    struct hci_clone *k = ctx;
    struct hci_row *row = k->row;
    if (k->state == HCI_DONE)
        return;
    k->measuring = true;
    k->runner->skip.open = false;
    hci_pace_restart(&k->pace, s->now);
    hci_logs_begin(k->logs, s->now);
    hci_samplers_begin(k->samplers, hci_cluster_clock(k->runner->cluster));
    if (row->begun++ == 0)
        hci_row_measure(row);
}

static void issue(struct hci_clone *k, const struct hci_request *rq)
{
    struct hci_cluster *c = k->runner->cluster;
    struct sim *s = c->sim;
    struct sim_io *io = sim_io_new(s, &k->client, sim_key(k->key, k->issued++));
    struct hci_io *h = hci_io_of(io);
    *h = (struct hci_io){.rq = *rq, .cluster = c, .guest = (uint16_t)k->guest, .engine = k->engine,
                         .core = k->core,
                         .follows_reap = k->in_ack};
    h->rq.offset += k->runner->file_base[rq->file];
    k->in_flight++;
    c->guest_bytes[rq->op] += rq->bytes;
    c->leg_bytes[rq->op] += (uint64_t)rq->bytes * hci_guest_copies(&c->guests[k->guest], rq->op);
    hci_stats_issue(&k->row->stats, s->now, k->in_flight);
    c->platform->lower(c, io);
    sim_io_start(s, io);
}

static void issue_flush(struct hci_clone *k)
{
    struct hci_request rq = {.op = HCI_FLUSH, .file = (uint16_t)(k->job->nfiles ? k->job->files[0] : 0)};
    k->syncing = true;
    k->sync_due = false;
    k->unsynced = 0;
    issue(k, &rq);
}

/* One more I/O, if the job has one and time is left. */
static bool issue_next(struct hci_clone *k, unsigned op)
{
    struct hci_request rq;
    if (k->runner->cluster->sim->now >= k->deadline || !hci_turn_take(k, op, &rq)) {
        k->state = HCI_DRAINING;
        return false;
    }
    unsigned every = k->job->fsync ? k->job->fsync : k->job->fdatasync;
    if (rq.op == HCI_FLUSH) { /* of a trace */
        issue_flush(k);
        return true;
    }
    if (rq.op == HCI_WRITE) {
        k->wrote = true;
        k->unsynced++;
        rq.sync = k->job->sync_io;
    }
    k->syncing = rq.op == HCI_TRIM; /* fio's engines discard while they submit */
    issue(k, &rq);
    k->sync_due = every && k->unsynced >= every;
    return true;
}

static void end_row(struct hci_runner *r, struct hci_row *row)
{
    row->end = r->cluster->sim->now;
    hci_skip_explain(r, row);
    for (unsigned i = 0; i < r->nclones; i++)
        if (r->clones[i].state != HCI_DONE) {
            start_ready_jobs(r);
            return;
        }
    r->pass_done(r);
}

static void finish(struct hci_clone *k)
{
    struct hci_row *row = k->row;
    k->state = HCI_DONE;
    k->runner->skip.open = false;
    hci_source_free(k->source);
    hci_source_free(k->written);
    k->source = k->written = NULL;
    hci_company_left(k);
    if (--row->running == 0)
        end_row(k->runner, row);
    else
        start_ready_jobs(k->runner); /* one of its own group may have waited for it */
}

/* The read phase of verify, or the end. */
static void next_phase(struct hci_clone *k)
{
    if (hci_turn_verify(k))
        hci_clone_advance(k);
    else
        finish(k);
}

/* All I/O of the phase is done: the window closes, a final fsync may follow. */
static void drained(struct hci_clone *k)
{
    struct hci_row *row = k->row;
    sim_time now = k->runner->cluster->sim->now;
    if (!k->measuring) /* shorter than its ramp: then fio reports all of it */
        row->ramp_end = row->begun ? row->ramp_end : row->start;
    row->io_end = now;
    if (row->running == 1) {
        hci_window_free(&row->to); /* of before a read phase */
        hci_window_take(k->runner, &row->to);
    }
    bool flushes = k->job->end_fsync || k->job->fsync_on_close; /* each of its files */
    if (flushes && k->wrote && !k->broken && !k->verifying) {
        k->state = HCI_SYNCING;
        k->unflushed = k->job->nfiles - 1;
        issue_flush(k);
    } else {
        next_phase(k);
    }
}

static const uint8_t dir_of_op[] = {[HCI_READ] = HCI_DIR_READ, [HCI_WRITE] = HCI_DIR_WRITE,
                                    [HCI_TRIM] = HCI_DIR_TRIM, [HCI_FLUSH] = HCI_DIR_SYNC};

/* The thread has io: its clock stops here. */
static inline void complete(struct hci_clone *k, struct sim_io *io, const struct sim_token *t,
                            sim_time now)
{
    const struct hci_io *h = hci_io_of(io);
    struct hci_stats *st = &k->row->stats;
    k->in_flight--;
    k->done_bytes += h->rq.bytes;
    if (k->job->engine_class == HCI_ENGINE_SYNC)
        io->submitted = io->issued;
    /* Before the row's first ramp ends all is recorded: it is forgotten there, or
     * it is all there is of a job shorter than its ramp. */
    if (k->state != HCI_SYNCING && (k->measuring || !k->row->begun))
        hci_stats_record(st, dir_of_op[h->rq.op], io, t, h->rq.bytes, now);
    else
        hci_stats_leave(st, io->issued, now);
    if (k->logs)
        hci_logs_record(k->logs, dir_of_op[h->rq.op], io, k->runner->file_base, now);
    if (k->samplers)
        hci_samplers_record(k->samplers, dir_of_op[h->rq.op], h->rq.bytes,
                            now - (io->submitted == SIM_NEVER ? io->issued : io->submitted),
                            hci_cluster_clock(k->runner->cluster));
    if (h->rq.op == HCI_FLUSH || h->rq.op == HCI_TRIM)
        k->syncing = false;
    if (h->rq.op != HCI_FLUSH)
        hci_turn_completed(k, io, &h->rq);
}

/* Completes what the depth no longer counts as waiting to be taken. */
static __attribute__((noinline)) void take_back(struct hci_clone *k)
{
    sim_time now = k->runner->cluster->sim->now;
    while (k->reap->n > k->depth.ready) {
        struct hci_finished *f = hci_reap_take(k->reap, now);
        complete(k, &f->io, &f->token, now);
    }
}

/* A thread that lets its queue run empty takes each I/O as it ends; one that has
 * nothing left to submit waits for all of them. True: some were taken. */
static __attribute__((noinline)) bool take_rest(struct hci_clone *k)
{
    unsigned before = k->in_flight;
    bool last = k->state == HCI_DRAINING && k->reap->n == k->in_flight;
    if (last || k->quiescing || k->flow_held)
        hci_depth_take(&k->depth);
    take_back(k);
    return k->in_flight < before;
}

static inline void issue_all(struct hci_clone *k)
{
    unsigned op;
    while (k->state == HCI_RUNNING && !k->syncing) {
        if (k->sync_due) { /* takes a slot like any I/O, and later ones wait for it */
            if (k->in_flight >= k->job->iodepth)
                break;
            issue_flush(k);
        } else if (!hci_turn_ask(k, &op) || !issue_next(k, op)) {
            break;
        }
    }
}

void hci_clone_advance(struct hci_clone *k)
{
    do {
        issue_all(k);
    } while (k->reap && take_rest(k));
    if (k->state == HCI_DRAINING && k->in_flight == 0)
        drained(k);
}

/* io is back; a thread that waits for several leaves it at that. */
static __attribute__((noinline)) void finished(struct hci_clone *k, struct sim_io *io,
                                               const struct sim_token *t, sim_time now)
{
    if (hci_io_of(io)->rq.op == HCI_TRIM) {
        hci_depth_returned(&k->depth);
        complete(k, io, t, now);
        return;
    }
    hci_reap_hold(k->reap, io, t, now);
    hci_depth_completed(&k->depth);
    take_back(k);
}

static void acked(struct sim_client *client, struct sim *s, struct sim_io *io, struct sim_token *t)
{
    struct hci_clone *k = (struct hci_clone *)(void *)client;
    const struct hci_io *h = hci_io_of(io);
    struct hci_stats *st = &k->row->stats;
    bool last_sync = k->state == HCI_SYNCING, flush = h->rq.op == HCI_FLUSH;
    hci_guest_done(h);
    if (__builtin_expect(k->reap && !flush, 0)) {
        finished(k, io, t, s->now);
    } else {
        if (!flush)
            hci_depth_completed(&k->depth);
        complete(k, io, t, s->now);
    }
    if (st->fresh && k->runner->skip.precision > 0) {
        st->fresh = false;
        hci_skip_consider(k->runner);
    }
    k->in_ack = true;
    if (last_sync && k->unflushed) {
        k->unflushed--;
        issue_flush(k);
    } else if (last_sync) {
        next_phase(k);
    } else {
        hci_clone_advance(k);
    }
    k->in_ack = false;
}

void hci_clone_start(struct sim *s, void *ctx)
{
    struct hci_clone *k = ctx;
    const struct hci_job *job = k->job;
    if (k->start != SIM_NEVER || k->start_at != s->now)
        return;
    k->start = s->now;
    k->deadline = job->runtime ? s->now + job->ramp_time + job->runtime : SIM_NEVER;
    hci_turn_begin(k);
    hci_samplers_begin(k->samplers, hci_cluster_clock(k->runner->cluster));
    if (k->row->start == SIM_NEVER) {
        k->row->start = k->row->ramp_end = s->now;
        hci_stats_reset(&k->row->stats, s->now);
        k->row->skipped_before = k->runner->cluster->skipped_ns;
        k->row->next_sample = hci_cluster_clock(k->runner->cluster);
        hci_window_take(k->runner, &k->row->from);
        hci_row_sample(s, k->row);
    }
    if (job->ramp_time)
        sim_after(s, job->ramp_time, begin_measuring, k);
    else
        begin_measuring(s, k);
    hci_company_join(k);
    if (job->engine_class == HCI_ENGINE_IDLE || job->create_only || k->told_to_end)
        k->state = HCI_DRAINING;
    hci_clone_advance(k);
}

static bool may_start(const struct hci_runner *r, unsigned i)
{
    const struct hci_job *job = r->clones[i].job;
    for (unsigned j = 0; j < r->nclones; j++) {
        const struct hci_clone *other = &r->clones[j];
        bool earlier = other->job < job && other->job->line != job->line;
        bool waited = job->wait_for >= 0 && other->job == &r->jobs->jobs[job->wait_for];
        if (((job->stonewall && earlier) || waited) && other->state != HCI_DONE)
            return false;
    }
    return true;
}

/* Starts every job whose barriers are down. Later jobs wait for a barrier
 * before them as well. */
static void start_ready_jobs(struct hci_runner *r)
{
    struct sim *s = r->cluster->sim;
    for (unsigned i = 0; i < r->nclones; i++) {
        struct hci_clone *k = &r->clones[i];
        if (k->state != HCI_WAITING)
            continue;
        if (!may_start(r, i)) {
            if (k->job->stonewall)
                return;
            continue;
        }
        k->state = HCI_RUNNING;
        sim_time spread = k->job->startdelay_max - k->job->startdelay_min;
        sim_time delay = k->told_to_end ? 0 : k->job->startdelay_min +
                         (spread ? sim_below(sim_key(k->key, sim_role("startdelay")), spread) : 0);
        k->start_at = s->now + delay;
        if (delay)
            sim_after(s, delay, hci_clone_start, k);
        else
            hci_clone_start(s, k);
    }
}

static uint8_t engine_of(const struct hci_job *job)
{
    if (job->engine_class == HCI_ENGINE_SYNC)
        return HCI_HOST_PSYNC;
    if (strncmp(job->engine, "io_uring", 8) == 0)
        return HCI_HOST_IO_URING;
    return HCI_HOST_LIBAIO;
}

/* The maps the clone's sources must keep; both or none: they go the same way. */
static bool make_maps(struct hci_runner *r, struct hci_clone *k)
{
    uint64_t half = r->map_room / 2;
    if (!k->source || !k->written)
        return !k->source || hci_source_map(k->source, &r->map_room);
    if (!hci_source_map(k->source, &half))
        return false;
    r->map_room = 2 * half;
    return hci_source_map(k->written, &(uint64_t){UINT64_MAX});
}

static int reset_clone(struct hci_runner *r, struct hci_clone *k, struct sim_err *e)
{
    const struct hci_job *job = k->job;
    uint64_t *sizes = calloc(job->nfiles + 1, sizeof *sizes);
    sim_assert(sizes != NULL);
    for (unsigned f = 0; f < job->nfiles; f++)
        sizes[f] = r->file_bytes[job->files[f]];
    uint64_t seed = sim_key(r->cluster->sim->seed, k->guest);
    int status = job->iolog ? SIM_OK : hci_source_create(&k->source, job, sizes, seed, e);
    if (status == SIM_OK && hci_turn_verifies(job))
        status = hci_source_create(&k->written, job, sizes, seed, e);
    free(sizes);
    k->mapped = make_maps(r, k);
    if (status != SIM_OK)
        return status;
    k->state = HCI_WAITING;
    k->measuring = k->wrote = k->syncing = k->sync_due = false;
    k->in_flight = k->unsynced = 0;
    k->quiescing = k->broken = k->told_to_end = k->verifying = false;
    k->writes = k->replayed = 0;
    k->start = SIM_NEVER;
    k->wake_at = SIM_NEVER;
    k->done_bytes = k->issued = 0;
    k->expected_bytes = job->time_based ? 0 : job->io_size ? job->io_size : job->size;
    k->key = sim_key(sim_key(sim_key(seed, (uint64_t)(job - r->jobs->jobs)), r->pass), job->clone);
    return SIM_OK;
}

int hci_runner_init(struct hci_runner *r, struct hci_cluster *c, const struct hci_jobfile *jobs,
                    const struct hci_run_opts *opts, struct sim_err *e)
{
    char name[64];
    r->cluster = c;
    r->jobs = jobs;
    r->opts = opts;
    int status = hci_files_place(r, e);
    if (status != SIM_OK)
        return status;
    r->nclones = jobs->njobs * c->nguests;
    r->clones = calloc(r->nclones + 1, sizeof *r->clones);
    sim_assert(r->clones != NULL);
    for (unsigned i = 0; i < r->nclones; i++) {
        struct hci_clone *k = &r->clones[i];
        k->client.ack = acked;
        k->runner = r;
        k->job = &jobs->jobs[i / c->nguests];
        k->guest = i % c->nguests;
        k->engine = engine_of(k->job);
        snprintf(name, sizeof name, "guest%u job core %u", k->guest, i / c->nguests);
        k->reap = hci_reap_create(k->job);
        k->core = sim_add_fifo(c->sim, name, (int)c->guests[k->guest].node, 1);
    }
    hci_skip_init(r);
    return SIM_OK;
}

static void stop_at_once(struct sim *s, void *ctx)
{
    (void)ctx;
    s->stop = true;
}

int hci_runner_start(struct hci_runner *r, struct sim_err *e)
{
    r->map_room = HCI_MAP_ROOM;
    for (unsigned i = 0; i < r->nclones; i++) {
        int status = reset_clone(r, &r->clones[i], e);
        if (status != SIM_OK)
            return status;
    }
    hci_rows_assign(r);
    hci_company_init(r);
    if (r->opts->interrupted && *r->opts->interrupted) { /* before the first I/O */
        r->interrupted = true;
        sim_after(r->cluster->sim, 0, stop_at_once, r);
    } else {
        start_ready_jobs(r);
    }
    return SIM_OK;
}

void hci_runner_fini(struct hci_runner *r)
{
    for (unsigned i = 0; i < r->nclones && r->clones; i++) {
        hci_source_free(r->clones[i].source);
        hci_source_free(r->clones[i].written);
        hci_backlog_fini(&r->clones[i].backlog);
        hci_reap_free(r->clones[i].reap);
    }
    hci_rows_free(r->rows, r->nrows);
    hci_skip_fini(r);
    free(r->clones);
    free(r->flows);
    free(r->file_bytes);
    free(r->file_base);
}
