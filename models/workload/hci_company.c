/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/hci_company.h"

#include "sim_assert.h"
#include "workload/hci_turn.h"

#include <stdlib.h>

enum { EXIT_GROUP, EXIT_STONEWALL, EXIT_ALL }; /* hci_job.exit_what */

static struct hci_flow *flow_of(const struct hci_clone *k)
{
    return k->flow ? &k->runner->flows[k->flow - 1] : NULL;
}

static unsigned find_flow(struct hci_runner *r, const struct hci_clone *k)
{
    unsigned i = 0;
    while (i < r->nflows &&
           (r->flows[i].id != k->job->flow_id || r->flows[i].guest != k->guest))
        i++;
    if (i == r->nflows)
        r->flows[r->nflows++] = (struct hci_flow){.id = k->job->flow_id, .guest = k->guest};
    return i + 1;
}

void hci_company_init(struct hci_runner *r)
{
    if (!r->flows)
        r->flows = calloc(r->nclones + 1, sizeof *r->flows);
    sim_assert(r->flows != NULL);
    r->nflows = 0;
    r->exitall = r->all_told = false;
    for (unsigned i = 0; i < r->nclones; i++) {
        struct hci_clone *k = &r->clones[i];
        r->exitall |= k->job->exitall;
        k->flow = k->job->flow > 0 ? find_flow(r, k) : 0;
        k->flow_count = 0;
        k->flow_held = k->flow_passed = false;
    }
    for (unsigned i = 0; i < r->nflows; i++)
        r->flows[i].count = 1;
}

/* The ratio has moved: who waits may look again. */
static void release(struct hci_runner *r, struct hci_flow *f)
{
    if (!f->held)
        return;
    for (unsigned i = 0; i < r->nclones; i++) {
        struct hci_clone *k = &r->clones[i];
        if (!k->flow_held || flow_of(k) != f)
            continue;
        k->flow_held = false;
        f->held--;
        hci_turn_wake(k, 0);
    }
}

void hci_company_join(struct hci_clone *k)
{
    struct hci_flow *f = flow_of(k);
    if (f)
        f->weight += (uint64_t)k->job->flow;
}

bool hci_company_pass(struct hci_clone *k)
{
    struct hci_flow *f = flow_of(k);
    if (!f || k->flow_passed)
        return true;
    if ((unsigned __int128)k->flow_count * f->weight >
        (unsigned __int128)f->count * (uint64_t)k->job->flow) {
        f->held += !k->flow_held;
        k->flow_held = true;
        return false;
    }
    f->held -= k->flow_held;
    k->flow_held = false;
    k->flow_passed = true;
    k->flow_count++;
    f->count++;
    release(k->runner, f);
    return true;
}

static void leave_flow(struct hci_clone *k)
{
    struct hci_flow *f = flow_of(k);
    if (!f)
        return;
    f->held -= k->flow_held;
    k->flow_held = false;
    f->count -= k->flow_count;
    f->weight -= (uint64_t)k->job->flow;
    release(k->runner, f);
}

static bool concerns(const struct hci_clone *k, const struct hci_clone *other)
{
    if (other->guest != k->guest || other->state == HCI_DONE)
        return false;
    if (k->job->exit_what == EXIT_STONEWALL)
        return other->state != HCI_WAITING;
    return k->job->exit_what == EXIT_ALL || other->job->groupid == k->job->groupid;
}

void hci_company_left(struct hci_clone *k)
{
    struct hci_runner *r = k->runner;
    leave_flow(k);
    bool told = k->told_to_end && (k->job->exit_what != EXIT_ALL || r->all_told);
    if (!r->exitall || told || k->job->engine_class == HCI_ENGINE_IDLE)
        return;
    r->all_told = k->job->exit_what == EXIT_ALL && r->cluster->nguests == 1;
    for (unsigned i = 0; i < r->nclones; i++)
        if (concerns(k, &r->clones[i]))
            hci_turn_end(&r->clones[i]);
}
