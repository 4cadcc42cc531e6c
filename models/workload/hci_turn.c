/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/hci_turn.h"

#include <errno.h>
#include <stdio.h>

void hci_turn_begin(struct hci_clone *k)
{
    hci_pace_init(&k->pace, k->job, k->key, k->start, k->deadline);
    hci_depth_init(&k->depth, k->job);
}

static void wake(struct sim *s, void *ctx)
{
    struct hci_clone *k = ctx;
    if (k->wake_at != s->now)
        return;
    k->wake_at = SIM_NEVER;
    hci_clone_advance(k);
}

bool hci_turn_ask(struct hci_clone *k, unsigned *op)
{
    struct sim *s = k->runner->cluster->sim;
    if (k->quiescing && k->in_flight == 0) {
        hci_depth_drained(&k->depth);
        k->quiescing = false;
    }
    if (k->wake_at != SIM_NEVER || !hci_depth_room(&k->depth))
        return false;
    *op = hci_source_next_op(k->source);
    bool either = (k->job->rw & (HCI_RW_READ | HCI_RW_WRITE | HCI_RW_TRIM)) ==
                  (HCI_RW_READ | HCI_RW_WRITE);
    int answer = hci_pace_ask(&k->pace, s->now, k->in_flight, either, op);
    k->quiescing = answer == HCI_PACE_DRAIN;
    if (answer == HCI_PACE_REST) {
        hci_depth_drained(&k->depth);
        k->wake_at = k->pace.until;
        sim_after(s, k->pace.until - s->now, wake, k);
    }
    return answer == HCI_PACE_GO;
}

bool hci_turn_take(struct hci_clone *k, unsigned op, struct hci_request *rq)
{
    bool got = op == hci_source_next_op(k->source) ? hci_source_next(k->source, rq)
                                                   : hci_source_next_dir(k->source, op, rq);
    if (got) {
        hci_pace_issued(&k->pace, rq->op, rq->bytes);
        hci_depth_issued(&k->depth);
    }
    return got;
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
    (void)io;
    char why[160];
    sim_time now = k->runner->cluster->sim->now;
    hci_depth_completed(&k->depth);
    if (!hci_pace_completed(&k->pace, now, rq->op, rq->bytes, why, sizeof why))
        hci_turn_fail(k, EIO, why);
}
