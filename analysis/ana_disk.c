/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_disk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ana_num.h"

/* Is any station of the device among the first n of the job's? */
static bool used(const struct hci_job_result *j, unsigned n, const char *device)
{
    for (unsigned i = 0; i < n; i++)
        if (strcmp(j->resources[i].device, device) == 0)
            return true;
    return false;
}

static bool seen_before(const struct hci_result *r, unsigned job, unsigned resource,
                        const char *device)
{
    for (unsigned i = 0; i < job; i++)
        if (used(&r->jobs[i], r->jobs[i].nresources, device))
            return true;
    return used(&r->jobs[job], resource, device);
}

struct sums {
    sim_time covered; /* until here earlier jobs' windows reach */
    double window_ns, busy_ns, queue_ns, read_ns, write_ns, reads, writes;
};

static void add_job(struct sums *sum, const struct hci_job_result *j, const char *device)
{
    sim_time from = sim_max(j->ramp_end_ns, sum->covered);
    double inside_ns = 0, utilisation = 0;
    if (j->end_ns <= from)
        return;
    double window = (double)(j->end_ns - from);
    double part = window / (double)(j->end_ns - j->ramp_end_ns);
    uint64_t reads = 0, writes = 0;
    for (unsigned i = 0; i < j->nresources; i++) {
        const struct hci_resource *s = &j->resources[i];
        if (strcmp(s->device, device) != 0)
            continue;
        inside_ns += (double)s->served * (s->mean_wait_ns + s->mean_service_ns);
        utilisation = fmax(utilisation, s->utilisation);
        reads = s->read_ios; /* every station of a device says the same */
        writes = s->write_ios;
    }
    double all = (double)(reads + writes);
    inside_ns *= part;
    sum->covered = j->end_ns;
    sum->window_ns += window;
    sum->busy_ns += window * utilisation;
    sum->queue_ns += inside_ns;
    sum->read_ns += all > 0 ? inside_ns * (double)reads / all : 0;
    sum->write_ns += all > 0 ? inside_ns * (double)writes / all : 0;
    sum->reads += part * (double)reads;
    sum->writes += part * (double)writes;
}

static void sum_device(const struct hci_result *r, struct ana_disk *out)
{
    struct sums sum = {0};
    for (unsigned i = 0; i < r->njobs; i++)
        add_job(&sum, &r->jobs[i], out->name);
    out->read_ios = ana_round(sum.reads);
    out->write_ios = ana_round(sum.writes);
    out->read_ms = ana_round(sum.read_ns / 1e6);
    out->write_ms = ana_round(sum.write_ns / 1e6);
    out->queue_ms = ana_round(sum.queue_ns / 1e6);
    out->util_pct = sum.window_ns > 0 ? 100 * sum.busy_ns / sum.window_ns : 0.0;
}

bool ana_disk_next(const struct hci_result *r, struct ana_disk_walk *w, struct ana_disk *out)
{
    for (; w->job < r->njobs; w->job++, w->resource = 0) {
        const struct hci_job_result *j = &r->jobs[w->job];
        while (w->resource < j->nresources) {
            unsigned k = w->resource++;
            const char *device = j->resources[k].device;
            if (!device[0] || seen_before(r, w->job, k, device))
                continue;
            *out = (struct ana_disk){0};
            snprintf(out->name, sizeof out->name, "%s", device);
            sum_device(r, out);
            return true;
        }
    }
    return false;
}
