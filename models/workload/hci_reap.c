/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/hci_reap.h"

#include "sim_assert.h"

#include <stdlib.h>
#include <string.h>

struct hci_reap *hci_reap_create(const struct hci_job *job)
{
    unsigned min = job->iodepth_batch_complete_min, max = job->iodepth_batch_complete_max;
    if (job->iodepth < 2 || job->engine_class == HCI_ENGINE_SYNC || job->iolog ||
        !(min > 1 || (min == 0 && max > 0)))
        return NULL;
    struct hci_reap *r = calloc(1, sizeof *r);
    sim_assert(r != NULL);
    return r;
}

void hci_reap_free(struct hci_reap *r)
{
    if (r)
        free(r->held);
    free(r);
}

static void grow(struct hci_reap *r)
{
    unsigned cap = r->cap ? 2 * r->cap : 16;
    struct hci_finished *held = aligned_alloc(_Alignof(struct hci_finished), cap * sizeof *held);
    sim_assert(held != NULL);
    for (unsigned i = 0; i < r->n; i++)
        held[i] = r->held[(r->first + i) % r->cap];
    free(r->held);
    r->held = held;
    r->cap = cap;
    r->first = 0;
}

/* One leg for each part. The host's reap is always there: the wait goes to it. */
static void sum_legs(struct hci_finished *f, const struct sim_token *t)
{
    for (unsigned p = 0; p < HCI_PART_COUNT; p++)
        f->leg[p] = (struct sim_leg){.service_part = (uint64_t)p << 56};
    for (const struct sim_leg *l = t->leg; l; l = l->before) {
        f->leg[sim_leg_part(l)].wait += l->wait;
        f->leg[sim_leg_part(l)].service_part += sim_leg_service(l);
    }
}

void hci_reap_hold(struct hci_reap *r, const struct sim_io *io, const struct sim_token *t,
                   sim_time now)
{
    if (r->n == r->cap)
        grow(r);
    struct hci_finished *f = &r->held[(r->first + r->n++) % r->cap];
    f->io = *io;
    f->io.acked = now;
    sum_legs(f, t);
}

struct hci_finished *hci_reap_take(struct hci_reap *r, sim_time now)
{
    struct hci_finished *f = &r->held[r->first];
    sim_assert(r->n > 0);
    r->first = (r->first + 1) % r->cap;
    r->n--;
    for (unsigned p = 1; p < HCI_PART_COUNT; p++)
        f->leg[p].before = &f->leg[p - 1];
    f->leg[HCI_PART_HOST_REAP].wait += now - f->io.acked;
    f->token = (struct sim_token){.leg = &f->leg[HCI_PART_COUNT - 1]};
    return f;
}
