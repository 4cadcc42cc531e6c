/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of a pass: made before it and freed after it.
 */
#include "workload/hci_runner.h"

#include "sim_assert.h"

#include <stdlib.h>

static bool same_row(const struct hci_job *a, const struct hci_job *b)
{
    return a->groupid == b->groupid && (a->group_reporting || a == b);
}

void hci_rows_assign(struct hci_runner *r)
{
    r->nrows = 0;
    r->log_room = HCI_LOG_ROOM;
    r->rows = calloc(r->nclones + 1, sizeof *r->rows);
    sim_assert(r->rows != NULL);
    for (unsigned i = 0; i < r->nclones; i++) {
        struct hci_clone *k = &r->clones[i];
        struct hci_row *row = r->rows;
        while (row < r->rows + r->nrows && !same_row(row->job, k->job))
            row++;
        if (row == r->rows + r->nrows) {
            *row = (struct hci_row){.runner = r, .job = k->job, .start = SIM_NEVER};
            row->stats.interval_ns = HCI_INTERVAL_NS;
            r->nrows++;
        }
        row->nclones++;
        row->running++;
        row->unmapped |= !k->mapped;
        k->row = row;
        k->logs = hci_logs_add(&row->logs, k->job, i + 1, &r->log_room);
    }
    for (unsigned i = 0; i < r->nclones; i++) {
        struct hci_clone *k = &r->clones[i];
        bool usual = k->job->bwavgtime == HCI_SAMPLE_NS && k->job->iopsavgtime == HCI_SAMPLE_NS;
        k->samplers = NULL;
        if (k->row->nclones > 1 || !usual)
            k->samplers = hci_samplers_add(&k->row->samplers, k->job);
    }
}

void hci_rows_free(struct hci_row *rows, unsigned n)
{
    for (unsigned i = 0; rows && i < n; i++) {
        hci_stats_fini(&rows[i].stats);
        hci_logs_free(rows[i].logs);
        hci_samplers_free(rows[i].samplers);
        hci_window_free(&rows[i].from);
        hci_window_free(&rows[i].to);
        hci_window_free(&rows[i].mark);
        free(rows[i].paused);
        free(rows[i].samples);
    }
    free(rows);
}
