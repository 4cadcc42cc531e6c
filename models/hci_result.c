/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_result.h"

#include "workload/hci_logs.h"

#include <stdlib.h>

void hci_moments_add(struct hci_moments *into, const struct hci_moments *from)
{
    if (from->n == 0)
        return;
    if (from->max) { /* a scaled record has no extremes of its own */
        into->min = into->n ? sim_min(into->min, from->min) : from->min;
        into->max = sim_max(into->max, from->max);
    }
    into->n += from->n;
    into->sum += from->sum;
    into->sum2 += from->sum2;
}

void hci_dir_estimate(struct hci_dir_result *d)
{
    if (d->batches.n == 0)
        return;
    d->iops_i = hci_batches_iops(&d->batches);
    for (unsigned k = 0; k < HCI_LATS; k++)
        d->mean_i[k] = hci_batches_mean(&d->batches, k);
}

static void free_job(struct hci_job_result *j)
{
    for (unsigned d = 0; d < HCI_DIRS; d++) {
        free(j->dir[d].intervals);
        hci_batches_clear(&j->dir[d].batches);
    }
    for (unsigned k = 0; k < j->nstates; k++)
        free(j->states[k].value);
    free(j->resources);
    free(j->states);
    free(j->counters);
    free(j->warnings);
    hci_logs_free(j->logs);
}

void hci_result_free(struct hci_result *r)
{
    if (!r)
        return;
    for (unsigned i = 0; i < r->njobs; i++)
        free_job(&r->jobs[i]);
    free(r->jobs);
    free(r->layout_name);
    free(r->layout_text);
    free(r->jobfile_text);
    free(r->inert);
    free(r);
}
