/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/hci_backlog.h"

#include "sim_assert.h"

#include <stdlib.h>

void hci_backlog_init(struct hci_backlog *b, const struct hci_job *job)
{
    hci_backlog_fini(b);
    *b = (struct hci_backlog){.every = job->verify_backlog, .batch = job->verify_backlog_batch};
    b->batch = b->batch ? b->batch : b->every;
}

void hci_backlog_fini(struct hci_backlog *b) { free(b->flying); }

void hci_backlog_issued(struct hci_backlog *b, uint64_t at)
{
    if (b->n == b->cap) {
        b->cap = b->cap ? 2 * b->cap : 16;
        b->flying = realloc(b->flying, b->cap * sizeof *b->flying);
        sim_assert(b->flying != NULL);
    }
    b->flying[b->n++] = at;
}

static unsigned find(const struct hci_backlog *b, uint64_t at)
{
    unsigned i = 0;
    while (i < b->n && b->flying[i] != at)
        i++;
    return i;
}

void hci_backlog_completed(struct hci_backlog *b, unsigned op, uint64_t at)
{
    b->read_last = op == HCI_READ;
    if (op != HCI_WRITE)
        return;
    unsigned i = find(b, at);
    if (i < b->n)
        b->flying[i] = b->flying[--b->n];
}

bool hci_backlog_due(struct hci_backlog *b, uint64_t writes)
{
    if (!b->left && writes && writes % b->every == 0 && !b->read_last)
        b->left = b->batch;
    return b->left && writes;
}

bool hci_backlog_flies(const struct hci_backlog *b, uint64_t at) { return find(b, at) < b->n; }
