/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of replications into one.
 */
#include "hci_run.h"

#include "hci_verdict.h"
#include "sim_assert.h"
#include "sim_rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double weighted(double a, double wa, double b, double wb)
{
    return wa + wb > 0 ? (a * wa + b * wb) / (wa + wb) : 0;
}

/* The whole replication as one batch. */
static void add_batch(struct hci_batches *b, const struct hci_dir_result *d)
{
    static const struct sim_hist nothing;
    struct sim_hist before[HCI_LATS];
    const uint64_t sum[HCI_LATS] = {(uint64_t)d->clat_m.sum, (uint64_t)d->lat_m.sum};
    const struct sim_hist *now[HCI_LATS] = {&d->clat, &d->lat};
    struct sim_hist *was[HCI_LATS] = {&before[0], &before[1]};
    before[0] = before[1] = nothing;
    b->kind = HCI_BATCH_REPS;
    b->slice = realloc(b->slice, (b->n + 1) * sizeof *b->slice);
    sim_assert(b->slice != NULL);
    b->slice[b->n] = (struct hci_slice){.weight = 1};
    hci_slice_cut(&b->slice[b->n++], d->runtime_ns, was, now, sum);
}

static void merge_sampled(struct hci_sampled *a, const struct hci_sampled *b)
{
    double n = (double)a->samples, m = (double)b->samples, mean = weighted(a->mean, n, b->mean, m);
    if (b->samples == 0)
        return;
    double squares = n * (a->stddev * a->stddev + a->mean * a->mean) +
                     m * (b->stddev * b->stddev + b->mean * b->mean);
    a->min = a->samples ? fmin(a->min, b->min) : b->min;
    a->max = fmax(a->max, b->max);
    a->stddev = sqrt(fmax(0, squares / (n + m) - mean * mean));
    a->mean = mean;
    a->samples += b->samples;
}

static void merge_parts(struct hci_part_time *a, double na, const struct hci_part_time *b,
                        double nb)
{
    for (unsigned p = 0; p < HCI_PARTS; p++) {
        a[p].wait_ns = weighted(a[p].wait_ns, na, b[p].wait_ns, nb);
        a[p].service_ns = weighted(a[p].service_ns, na, b[p].service_ns, nb);
    }
}

static void merge_dir(struct hci_dir_result *a, const struct hci_dir_result *b)
{
    if (a->batches.kind != HCI_BATCH_REPS) {
        hci_batches_clear(&a->batches);
        add_batch(&a->batches, a);
    }
    add_batch(&a->batches, b);
    merge_parts(a->mean, (double)a->ios, b->mean, (double)b->ios);
    merge_parts(a->tail, (double)a->ios, b->tail, (double)b->ios);
    a->ios += b->ios;
    a->skipped_ios += b->skipped_ios;
    a->bytes += b->bytes;
    a->runtime_ns += b->runtime_ns;
    a->iops = a->runtime_ns ? (double)a->ios / ((double)a->runtime_ns * 1e-9) : 0;
    a->bw_Bps = a->runtime_ns ? (double)a->bytes / ((double)a->runtime_ns * 1e-9) : 0;
    sim_hist_merge(&a->clat, &b->clat);
    sim_hist_merge(&a->slat, &b->slat);
    sim_hist_merge(&a->lat, &b->lat);
    hci_moments_add(&a->clat_m, &b->clat_m);
    hci_moments_add(&a->slat_m, &b->slat_m);
    hci_moments_add(&a->lat_m, &b->lat_m);
    merge_sampled(&a->bw_s, &b->bw_s);
    merge_sampled(&a->iops_s, &b->iops_s);
    hci_dir_estimate(a);
}

static struct hci_resource *find(struct hci_job_result *j, const struct hci_resource *like)
{
    for (unsigned i = 0; i < j->nresources; i++)
        if (strcmp(j->resources[i].name, like->name) == 0 &&
            strcmp(j->resources[i].kind, like->kind) == 0)
            return &j->resources[i];
    struct hci_resource *all = realloc(j->resources, (j->nresources + 1) * sizeof *j->resources);
    sim_assert(all != NULL);
    j->resources = all;
    struct hci_resource *r = &j->resources[j->nresources++];
    *r = *like;
    r->served = r->read_ios = r->write_ios = 0;
    r->utilisation = r->mean_queue = r->mean_wait_ns = r->mean_service_ns = r->cap_ios = 0;
    return r;
}

static void merge_resource(struct hci_resource *a, const struct hci_resource *b, double before)
{
    double na = (double)a->served, nb = (double)b->served;
    a->utilisation = weighted(a->utilisation, before, b->utilisation, 1);
    a->mean_queue = weighted(a->mean_queue, before, b->mean_queue, 1);
    a->mean_wait_ns = weighted(a->mean_wait_ns, na, b->mean_wait_ns, nb);
    a->mean_service_ns = weighted(a->mean_service_ns, na, b->mean_service_ns, nb);
    a->cap_ios = a->cap_ios > 0 && b->cap_ios > 0 ? weighted(a->cap_ios, before, b->cap_ios, 1)
                                                  : fmax(a->cap_ios, b->cap_ios);
    a->served += b->served;
    a->read_ios += b->read_ios;
    a->write_ios += b->write_ios;
}

/* before: replications merged into a so far. A station a replication never used
 * was idle in it. */
static void merge_resources(struct hci_job_result *a, const struct hci_job_result *b, double before)
{
    static const struct hci_resource idle;
    unsigned had = a->nresources;
    bool *seen = calloc(had + b->nresources + 1, sizeof *seen);
    sim_assert(seen != NULL);
    for (unsigned i = 0; i < b->nresources; i++) {
        struct hci_resource *r = find(a, &b->resources[i]);
        merge_resource(r, &b->resources[i], before);
        seen[r - a->resources] = true;
    }
    for (unsigned i = 0; i < had; i++)
        if (!seen[i])
            merge_resource(&a->resources[i], &idle, before);
    free(seen);
}

static void merge_job(struct hci_job_result *a, const struct hci_job_result *b, double before)
{
    for (unsigned d = 0; d < HCI_DIRS; d++)
        if (a->dir[d].ios || b->dir[d].ios)
            merge_dir(&a->dir[d], &b->dir[d]);
    for (unsigned i = 0; i < 7; i++)
        a->depth_hist[i] += b->depth_hist[i];
    a->mean_in_flight = weighted(a->mean_in_flight, before, b->mean_in_flight, 1);
    merge_resources(a, b, before);
    for (unsigned i = 0; i < a->ncounters && i < b->ncounters; i++)
        a->counters[i].value += b->counters[i].value;
    for (unsigned i = 0; i < b->nwarnings; i++)
        hci_job_warn(a, b->warnings[i]);
    a->skipped_ns += b->skipped_ns;
    a->windows += b->windows;
    a->strata += b->strata;
    a->error = a->error ? a->error : b->error;
}

void hci_result_merge(struct hci_result *into, struct hci_result *from)
{
    for (unsigned i = 0; i < into->njobs && i < from->njobs; i++)
        merge_job(&into->jobs[i], &from->jobs[i], into->reps);
    for (unsigned i = 0; i < into->ngiven && i < from->ngiven; i++)
        if (!from->inert[i])
            into->inert[i] = 0;
    into->events += from->events;
    into->draws += from->draws;
    into->ties += from->ties;
    into->hash = sim_key(into->hash, from->hash);
    into->sim_ns += from->sim_ns;
    into->reps += from->reps;
}
