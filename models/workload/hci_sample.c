/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What happens at every interval of a row: gauges, progress, and whether
 * anything still moves.
 */
#include "workload/hci_runner.h"

#include "sim_assert.h"

#include <stdlib.h>

static double job_fraction(const struct hci_clone *k, sim_time now)
{
    if (k->state == HCI_DONE)
        return 1;
    if (k->state == HCI_WAITING)
        return 0;
    double by_bytes = k->expected_bytes ? (double)k->done_bytes / (double)k->expected_bytes : 0;
    double by_time = k->deadline == SIM_NEVER
                         ? 0
                         : (double)(now - k->start) / (double)(k->deadline - k->start + 1);
    double f = by_bytes > by_time ? by_bytes : by_time;
    return f < 1 ? f : 1;
}

double hci_row_eta_s(const struct hci_row *row)
{
    const struct hci_runner *r = row->runner;
    sim_time now = r->cluster->sim->now;
    double most = row->running ? 1 : 0;
    for (unsigned i = 0; i < r->nclones; i++) {
        const struct hci_clone *k = &r->clones[i];
        if (k->row != row || k->state == HCI_DONE || k->state == HCI_WAITING)
            continue;
        double f = job_fraction(k, now), left = (double)(now - k->start) * (1 - f) / f * 1e-9;
        if (f > 0 && left > most)
            most = left;
    }
    return most;
}

static void report_progress(struct hci_runner *r, const struct hci_row *row)
{
    const struct hci_run_opts *o = r->opts;
    struct sim *s = r->cluster->sim;
    if (o->interrupted && *o->interrupted) {
        r->interrupted = true;
        s->stop = true;
    }
    if (!o->progress)
        return;
    double sum = 0;
    for (unsigned i = 0; i < r->nclones; i++)
        sum += job_fraction(&r->clones[i], s->now);
    unsigned passes = o->repeat > 1 ? o->repeat : 1;
    o->progress(o->progress_ctx,
                &(struct hci_progress){.fraction = (r->pass + sum / r->nclones) / passes,
                                       .now_ns = s->now,
                                       .job = row->job->name,
                                       .ios = s->acked});
}

/* Of a row: a day of simulated time. What comes later is not kept. */
#define SAMPLES_MAX (1u << 18)

static void sample_row(struct hci_row *row)
{
    const struct hci_cluster *c = row->runner->cluster;
    unsigned n = c->ngauges, i = 0;
    report_progress(row->runner, row);
    row->next_sample += HCI_INTERVAL_NS;
    if (!row->begun || row->nsamples == SAMPLES_MAX)
        return;
    if (row->nsamples == row->cap_samples) {
        row->cap_samples = row->cap_samples ? 2 * row->cap_samples : 256;
        row->samples = realloc(row->samples, row->cap_samples * (n + 1) * sizeof *row->samples);
        sim_assert(row->samples != NULL);
    }
    for (const struct hci_gauge *g = c->gauges; g; g = g->next)
        row->samples[row->nsamples * n + i++] = g->read(g->obj);
    row->nsamples++;
}

void hci_runner_sample(struct hci_runner *r)
{
    for (unsigned i = 0; i < r->nrows; i++)
        while (r->rows[i].running && r->rows[i].start != SIM_NEVER &&
               r->rows[i].next_sample <= hci_cluster_clock(r->cluster))
            sample_row(&r->rows[i]);
}

void hci_row_sample(struct sim *s, void *ctx)
{
    struct hci_row *row = ctx;
    sim_time clock = hci_cluster_clock(row->runner->cluster);
    if (row->running == 0) {
        report_progress(row->runner, row);
        return;
    }
    row->quiet = row->last_acked == s->acked && row->stats.in_flight ? row->quiet + 1 : 0;
    row->last_acked = s->acked;
    if (row->quiet * HCI_INTERVAL_NS >= HCI_STUCK_NS) {
        row->runner->stuck = true;
        s->stop = true;
        return;
    }
    if (row->next_sample <= clock)
        sample_row(row);
    sim_after(s, row->next_sample > clock ? row->next_sample - clock : 0, hci_row_sample, row);
}
