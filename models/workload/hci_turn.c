/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/hci_turn.h"

#include "workload/hci_company.h"
#include "workload/hci_iolog.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

void hci_turn_begin(struct hci_clone *k)
{
    hci_pace_init(&k->pace, k->job, k->key, k->start, k->deadline);
    hci_depth_init(&k->depth, k->job);
    hci_backlog_init(&k->backlog, k->job);
    if (!k->written || k->job->verify_only)
        k->backlog.every = 0;
    k->reads_back = false;
    k->end_armed = false;
    k->verifying = k->written && k->job->verify_only;
    hci_goal_init(&k->goal, k->job, k->start, &k->depth.limit);
}

static void wake(struct sim *s, void *ctx)
{
    struct hci_clone *k = ctx;
    if (k->wake_at != s->now)
        return;
    k->wake_at = SIM_NEVER;
    hci_clone_advance(k);
}

void hci_turn_wake(struct hci_clone *k, sim_time ns)
{
    struct sim *s = k->runner->cluster->sim;
    k->wake_at = s->now + ns;
    sim_after(s, ns, wake, k);
}

void hci_turn_end(struct hci_clone *k)
{
    struct sim *s = k->runner->cluster->sim;
    k->told_to_end = true;
    if (k->state != HCI_RUNNING)
        return;
    if (k->start == SIM_NEVER) { /* startdelay ends now */
        k->start_at = s->now;
        sim_after(s, 0, hci_clone_start, k);
        return;
    }
    k->state = HCI_DRAINING;
    hci_turn_wake(k, 0);
}

/* Looks at the latency goal; true: the clone may go on. */
static bool on_target(struct hci_clone *k)
{
    sim_time now = k->runner->cluster->sim->now;
    int answer = k->measuring ? hci_goal_check(&k->goal, now, &k->depth.limit) : HCI_GOAL_OK;
    if (answer == HCI_GOAL_RESTART)
        hci_row_measure(k->row);
    if (answer == HCI_GOAL_DONE)
        k->state = HCI_DRAINING;
    k->quiescing |= answer == HCI_GOAL_QUIESCE && k->in_flight > 0;
    return answer != HCI_GOAL_DONE && !k->quiescing;
}

/* Who is ahead in its flow waits for the others, or sleeps, to its deadline at
 * the most. */
static bool in_flow(struct hci_clone *k)
{
    sim_time now = k->runner->cluster->sim->now;
    if (!k->flow || now >= k->deadline || hci_company_pass(k))
        return true;
    if (k->job->flow_sleep) {
        if (k->in_flight)
            k->quiescing = true;
        else
            hci_turn_wake(k, sim_min(k->job->flow_sleep, k->deadline - now));
    } else if (k->deadline != SIM_NEVER && k->end_armed) {
        k->wake_at = k->deadline;
    } else if (k->deadline != SIM_NEVER) {
        k->end_armed = true;
        hci_turn_wake(k, k->deadline - now);
    }
    return false;
}

/* Whatever the clone waited for by draining has come. */
static bool drained(struct hci_clone *k)
{
    if (k->quiescing && k->in_flight == 0) {
        hci_depth_drained(&k->depth);
        k->quiescing = false;
    }
    return !k->quiescing;
}

/* When the next I/O of the trace is due, from the job's start. */
static sim_time due(const struct hci_clone *k)
{
    const struct hci_job *job = k->job;
    if (job->replay_no_stall || k->replayed == job->iolog->n)
        return 0;
    unsigned __int128 at = (unsigned __int128)job->iolog->entries[k->replayed].at * 100 /
                           job->replay_time_scale;
    return at > INT64_MAX ? INT64_MAX : (sim_time)at;
}

/* A trace keeps its own time, whatever is in flight. */
static bool replay_ask(struct hci_clone *k)
{
    sim_time now = k->runner->cluster->sim->now;
    if (k->wake_at != SIM_NEVER || !hci_depth_room(&k->depth))
        return false;
    sim_time at = sim_min(k->start + due(k), k->deadline);
    if (at > now)
        hci_turn_wake(k, at - now);
    return at <= now;
}

static bool replay_take(struct hci_clone *k, struct hci_request *rq)
{
    const struct hci_iolog *log = k->job->iolog;
    if (k->replayed == log->n)
        return false;
    const struct hci_iolog_entry *e = &log->entries[k->replayed++];
    *rq = (struct hci_request){.op = e->op, .file = e->file, .offset = e->offset,
                               .bytes = e->bytes};
    if (e->op != HCI_FLUSH)
        hci_depth_issued(&k->depth);
    return true;
}

/* The oldest write not read back yet; false: there is none. */
static bool oldest_write(struct hci_clone *k, struct hci_request *rq)
{
    struct hci_backlog *b = &k->backlog;
    bool got = b->known;
    *rq = b->oldest;
    b->known = false;
    while (!got) {
        if (!hci_source_next(k->written, rq))
            return false;
        got = rq->op == HCI_WRITE;
    }
    return true;
}

/* Is the next I/O to read back what was written, between the writes? Kept apart
 * from the path of jobs without a backlog. */
static __attribute__((noinline)) bool backlog_due(struct hci_clone *k)
{
    struct hci_backlog *b = &k->backlog;
    k->reads_back = false;
    if (!hci_backlog_due(b, k->writes))
        return false;
    b->known = oldest_write(k, &b->oldest);
    k->reads_back =
        b->known && !hci_backlog_flies(b, b->oldest.offset + k->runner->file_base[b->oldest.file]);
    return k->reads_back;
}

bool hci_turn_ask(struct hci_clone *k, unsigned *op)
{
    struct sim *s = k->runner->cluster->sim;
    *op = HCI_READ;
    if (k->job->iolog)
        return replay_ask(k);
    if (k->verifying) /* at full speed, as fio does */
        return hci_depth_room(&k->depth);
    if (!drained(k) || k->wake_at != SIM_NEVER || !on_target(k) || !hci_depth_room(&k->depth) ||
        !in_flow(k))
        return false;
    *op = k->backlog.every && backlog_due(k) ? HCI_READ : hci_source_next_op(k->source);
    bool either = (k->job->rw & (HCI_RW_READ | HCI_RW_WRITE | HCI_RW_TRIM)) ==
                  (HCI_RW_READ | HCI_RW_WRITE);
    int answer = hci_pace_ask(&k->pace, s->now, k->in_flight, either, op);
    k->quiescing = answer == HCI_PACE_DRAIN;
    if (answer == HCI_PACE_REST) {
        if (k->pace.spin)
            sim_station_occupy(s, k->core, 0, k->pace.spin);
        k->pace.spin = 0;
        hci_depth_drained(&k->depth);
        hci_turn_wake(k, k->pace.until - s->now);
    }
    return answer == HCI_PACE_GO;
}

bool hci_turn_verifies(const struct hci_job *job)
{
    return job->verify && !job->iolog && !job->create_only && (job->rw & HCI_RW_WRITE) && (job->do_verify || job->verify_only);
}

bool hci_turn_verify(struct hci_clone *k)
{
    sim_time now = k->runner->cluster->sim->now;
    if (!k->written || k->verifying || k->broken || k->told_to_end || now >= k->deadline)
        return false;
    k->verifying = true;
    k->quiescing = false;
    k->state = HCI_RUNNING;
    hci_depth_drained(&k->depth);
    return true;
}

/* The next block to read back: the written ones again, in order. */
static bool read_back(struct hci_clone *k, struct hci_request *rq)
{
    if ((!k->writes && !k->job->verify_only) || !oldest_write(k, rq))
        return false;
    k->writes -= !k->job->verify_only;
    rq->op = HCI_READ;
    return true;
}

/* An I/O of a job that reads back goes out. */
static void remember(struct hci_clone *k, const struct hci_request *rq)
{
    k->backlog.left -= k->reads_back;
    k->reads_back = false;
    if (k->verifying || rq->op != HCI_WRITE)
        return;
    k->writes++;
    if (k->backlog.every)
        hci_backlog_issued(&k->backlog, rq->offset + k->runner->file_base[rq->file]);
}

bool hci_turn_take(struct hci_clone *k, unsigned op, struct hci_request *rq)
{
    bool got;
    if (k->job->iolog)
        return replay_take(k, rq);
    if (k->written && (k->verifying || k->reads_back))
        got = read_back(k, rq);
    else if (op == hci_source_next_op(k->source))
        got = hci_source_next(k->source, rq);
    else
        got = hci_source_next_dir(k->source, op, rq);
    k->flow_passed = false;
    if (!got)
        return false;
    if (k->written)
        remember(k, rq);
    hci_pace_issued(&k->pace, rq->op, rq->bytes);
    hci_depth_issued(&k->depth);
    return true;
}

void hci_turn_fail(struct hci_clone *k, int error, const char *why)
{
    struct hci_row *row = k->row;
    if (!row->error) {
        row->error = error;
        snprintf(row->why, sizeof row->why, "%s", why);
    }
    k->broken = true;
    if (k->state == HCI_RUNNING)
        k->state = HCI_DRAINING;
}

void hci_turn_completed(struct hci_clone *k, const struct sim_io *io, const struct hci_request *rq)
{
    char why[160];
    const struct hci_job *job = k->job;
    sim_time now = k->runner->cluster->sim->now, lat = now - io->issued;
    if (k->backlog.every)
        hci_backlog_completed(&k->backlog, rq->op, rq->offset);
    if (!hci_pace_completed(&k->pace, now, rq->op, rq->bytes, why, sizeof why))
        hci_turn_fail(k, EIO, why);
    int answer = hci_goal_completed(&k->goal, now, lat, &k->depth.limit);
    k->quiescing |= answer == HCI_GOAL_QUIESCE;
    if (answer != HCI_GOAL_MISSED)
        return;
    snprintf(why, sizeof why, "latency of %" PRIu64 " nsec exceeds specified max (%" PRIu64 " nsec)",
             lat, job->max_latency && lat > job->max_latency ? job->max_latency
                                                             : job->latency_target);
    hci_turn_fail(k, ETIMEDOUT, why);
}
