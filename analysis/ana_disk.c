/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* strverscmp */
#include "ana_disk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ana_num.h"

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

static bool listed(const struct ana_disk *list, unsigned n, const char *device)
{
    for (unsigned i = 0; i < n; i++)
        if (strcmp(list[i].name, device) == 0)
            return true;
    return false;
}

static int by_name(const void *a, const void *b)
{
    return strverscmp(((const struct ana_disk *)a)->name, ((const struct ana_disk *)b)->name);
}

/* Adds the devices of one job that are not listed yet. */
static struct ana_disk *add_devices(struct ana_disk *list, unsigned *n,
                                    const struct hci_job_result *j)
{
    for (unsigned i = 0; i < j->nresources; i++) {
        const char *device = j->resources[i].device;
        if (!device[0] || listed(list, *n, device))
            continue;
        struct ana_disk *more = realloc(list, (*n + 1) * sizeof *more);
        if (!more)
            return list;
        list = more;
        list[*n] = (struct ana_disk){0};
        snprintf(list[(*n)++].name, sizeof list->name, "%s", device);
    }
    return list;
}

struct ana_disk *ana_disk_list(const struct hci_result *r, unsigned *n)
{
    struct ana_disk *list = NULL;
    *n = 0;
    for (unsigned i = 0; i < r->njobs; i++)
        list = add_devices(list, n, &r->jobs[i]);
    if (list)
        qsort(list, *n, sizeof *list, by_name);
    for (unsigned i = 0; i < *n; i++)
        sum_device(r, &list[i]);
    return list;
}
