/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_verdict.h"

#include "hci_cluster.h"
#include "hci_drift.h"
#include "sim_assert.h"
#include "workload/hci_runner.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RESOURCES 40

static double share(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static void station_resource(const struct sim_station *st, const struct sim_station_books *from,
                             const struct sim_station_books *to, double ns, double ios,
                             struct hci_resource *out)
{
    double busy = (double)(to->busy - from->busy), served = (double)(to->served - from->served);
    double wait = (double)(to->wait - from->wait);
    *out = (struct hci_resource){.node = st->node, .servers = st->servers};
    snprintf(out->name, sizeof out->name, "%s", st->name);
    snprintf(out->kind, sizeof out->kind, "%s", st->what);
    out->served = to->served - from->served;
    out->utilisation = share(busy, ns * (double)st->servers);
    out->mean_queue = share(wait, ns);
    out->mean_wait_ns = share(wait, served);
    out->mean_service_ns = share(busy, served);
    out->cap_ios = busy > 0 ? (double)st->servers * ios / (busy * 1e-9) : 0;
}

static void gate_resource(const struct sim_gate *from, const struct sim_gate *to, double ns,
                          double ios, struct hci_resource *out)
{
    double used = (double)(to->used_area - from->used_area);
    double passed = (double)(to->passed - from->passed), wait = (double)(to->wait - from->wait);
    *out = (struct hci_resource){.node = to->node, .servers = to->capacity};
    snprintf(out->name, sizeof out->name, "%s", to->name);
    snprintf(out->kind, sizeof out->kind, "gate");
    out->served = to->passed - from->passed;
    out->utilisation = share(used, ns * (double)to->capacity);
    out->mean_queue = share((double)(to->area - from->area), ns);
    out->mean_wait_ns = share(wait, passed);
    /* Of a gate of bytes the books do not tell how long one byte is held. */
    out->mean_service_ns = to->capacity <= UINT16_MAX ? share(used, passed) : 0;
    out->cap_ios = used > 0 ? (double)to->capacity * ios / (used * 1e-9) : 0;
}

static int busier(const void *a, const void *b)
{
    const struct hci_resource *x = a, *y = b;
    if (x->utilisation != y->utilisation)
        return x->utilisation < y->utilisation ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* Tells a station of a device by its name, which begins with the device's. */
static void name_device(const struct hci_row *row, const struct hci_cluster *c,
                        struct hci_resource *out)
{
    for (unsigned i = 0; i < c->ndevices; i++) {
        size_t n = strlen(c->devices[i].name);
        if (strncmp(out->name, c->devices[i].name, n) != 0 || out->name[n] != ' ')
            continue;
        memcpy(out->device, c->devices[i].name, n + 1);
        out->read_ios = row->to.device[i].reads - row->from.device[i].reads;
        out->write_ios = row->to.device[i].writes - row->from.device[i].writes;
        return;
    }
}

/* The busiest, and every station of a device: reports sum those up. */
static unsigned keep_most(struct hci_resource *all, unsigned n)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < n; i++)
        if (i < MOST_RESOURCES || all[i].device[0])
            all[kept++] = all[i];
    return kept;
}

static void resources(const struct hci_row *row, const struct hci_cluster *c, double ios,
                      struct hci_job_result *out)
{
    const struct sim *s = c->sim;
    double ns = (double)(row->io_end - row->ramp_end + row->stats.skipped);
    struct hci_resource *all = calloc(s->nstations + s->ngates + 1, sizeof *all);
    unsigned n = 0;
    sim_assert(all != NULL);
    for (uint32_t i = 0; i < s->nstations; i++) {
        station_resource(&s->station[i], &row->from.station[i], &row->to.station[i], ns, ios,
                         &all[n]);
        name_device(row, c, &all[n]);
        n += all[n].served || all[n].utilisation > 0;
    }
    for (uint32_t i = 0; i < s->ngates; i++) {
        gate_resource(&row->from.gate[i], &row->to.gate[i], ns, ios, &all[n]);
        n += s->gate[i].name[0] && (all[n].served || all[n].utilisation > 0);
    }
    out->resources = all;
    out->nresources = n;
}

static void states(const struct hci_row *row, const struct hci_cluster *c,
                   struct hci_job_result *out)
{
    unsigned i = 0;
    out->states = calloc(c->ngauges + 1, sizeof *out->states);
    out->counters = calloc(c->ngauges + 1, sizeof *out->counters);
    sim_assert(out->states && out->counters);
    for (const struct hci_gauge *g = c->gauges; g; g = g->next, i++) {
        if (g->counter) {
            struct hci_counter *k = &out->counters[out->ncounters++];
            memcpy(k->name, g->name, sizeof k->name);
            memcpy(k->unit, g->unit, sizeof k->unit);
            k->value = row->to.gauge[i] - row->from.gauge[i];
            continue;
        }
        struct hci_state_series *st = &out->states[out->nstates++];
        memcpy(st->name, g->name, sizeof st->name);
        memcpy(st->unit, g->unit, sizeof st->unit);
        st->n = row->nsamples;
        st->first = row->from.gauge[i];
        st->last = row->to.gauge[i];
        st->value = malloc((row->nsamples + 1) * sizeof *st->value);
        sim_assert(st->value != NULL);
        for (unsigned k = 0; k < row->nsamples; k++)
            st->value[k] = row->samples[k * c->ngauges + i];
    }
}

/* The part that takes most of the mean latency, and its share. */
static unsigned largest_part(const struct hci_job_result *j, double *of)
{
    double total = 0, each[HCI_PARTS] = {0};
    unsigned best = 0;
    for (unsigned d = HCI_DIR_READ; d <= HCI_DIR_TRIM; d++)
        for (unsigned p = 0; p < HCI_PART_COUNT; p++)
            each[p] += (double)j->dir[d].ios *
                       (j->dir[d].mean[p].wait_ns + j->dir[d].mean[p].service_ns);
    for (unsigned p = 0; p < HCI_PART_COUNT; p++) {
        total += each[p];
        best = each[p] > each[best] ? p : best;
    }
    *of = share(each[best], total);
    return best;
}

static double critical_service_ns(const struct hci_job_result *j, double ios)
{
    double sum = 0;
    for (unsigned d = HCI_DIR_READ; d <= HCI_DIR_TRIM; d++)
        for (unsigned p = 0; p < HCI_PART_COUNT; p++)
            sum += (double)j->dir[d].ios * j->dir[d].mean[p].service_ns;
    return share(sum, ios);
}

static void bound(struct hci_job_result *j, unsigned depth, double ios)
{
    double service = critical_service_ns(j, ios);
    j->bound_iops = service > 0 ? depth / (service * 1e-9) : 0;
    snprintf(j->bound_by, sizeof j->bound_by, "depth %u over unqueued latency", depth);
    for (unsigned i = 0; i < j->nresources; i++) {
        const struct hci_resource *r = &j->resources[i];
        if (r->cap_ios > 0 && (j->bound_iops == 0 || r->cap_ios < j->bound_iops)) {
            j->bound_iops = r->cap_ios;
            snprintf(j->bound_by, sizeof j->bound_by, "%s", r->name);
        }
    }
}

/* Do two names differ in their numbers alone ("vdisk0", "vdisk1")? */
static bool siblings(const char *a, const char *b)
{
    for (;;) {
        while (isdigit((unsigned char)*a))
            a++;
        while (isdigit((unsigned char)*b))
            b++;
        if (*a != *b)
            return false;
        if (!*a)
            return true;
        a++;
        b++;
    }
}

/* The busiest station of another sort than the first: what limits once all of
 * the first's siblings are faster. NULL: none. */
static const struct hci_resource *next_in_line(const struct hci_job_result *j)
{
    for (unsigned i = 1; i < j->nresources; i++)
        if (!siblings(j->resources[0].name, j->resources[i].name))
            return &j->resources[i];
    return NULL;
}

static void verdict(struct hci_job_result *j)
{
    const struct hci_resource *top = j->resources, *next = next_in_line(j);
    double of;
    unsigned part = largest_part(j, &of);
    if (j->nresources && top->utilisation >= HCI_SATURATED) {
        snprintf(j->bottleneck, sizeof j->bottleneck, "%s", top->name);
        if (next)
            snprintf(j->next_bottleneck, sizeof j->next_bottleneck, "%s", next->name);
        snprintf(j->verdict, sizeof j->verdict,
                 "%s is saturated (%.0f %% busy); next in line is %s (%.0f %%).", top->name,
                 100 * top->utilisation, next ? next->name : "nothing",
                 next ? 100 * next->utilisation : 0);
        return;
    }
    snprintf(j->bottleneck, sizeof j->bottleneck, "latency: %s", hci_part_name(part));
    if (j->nresources)
        snprintf(j->next_bottleneck, sizeof j->next_bottleneck, "%s", top->name);
    snprintf(j->verdict, sizeof j->verdict,
             "Nothing is saturated: the depth asked for waits on latency, %.0f %% of it in %s. "
             "Busiest is %s (%.0f %%).",
             100 * of, hci_part_name(part), j->nresources ? top->name : "nothing",
             j->nresources ? 100 * top->utilisation : 0);
}

void hci_job_warn(struct hci_job_result *j, const char *text)
{
    for (unsigned i = 0; i < j->nwarnings; i++)
        if (strcmp(j->warnings[i], text) == 0)
            return;
    j->warnings = realloc(j->warnings, (j->nwarnings + 1) * sizeof *j->warnings);
    sim_assert(j->warnings != NULL);
    snprintf(j->warnings[j->nwarnings++], sizeof *j->warnings, "%s", text);
}

void hci_job_conclude(struct hci_job_result *j)
{
    double ios = 0;
    for (unsigned d = HCI_DIR_READ; d <= HCI_DIR_TRIM; d++)
        ios += (double)j->dir[d].ios;
    if (j->nclones && ios <= 0)
        hci_job_warn(j, "no I/O completed in the measured window");
    if (j->nresources)
        qsort(j->resources, j->nresources, sizeof *j->resources, busier);
    j->nresources = keep_most(j->resources, j->nresources);
    bound(j, j->job->iodepth * j->nclones, ios);
    verdict(j);
    hci_drift_check(j);
}

void hci_row_result(struct hci_row *row, const struct hci_cluster *c, struct hci_job_result *out)
{
    sim_time ns = row->end - row->ramp_end + row->stats.skipped;
    sim_time lead = row->skipped_before;
    double ios = 0;
    *out = (struct hci_job_result){.job = row->job, .groupid = row->job->groupid,
                                   .nclones = row->nclones, .start_ns = row->start + lead,
                                   .ramp_end_ns = row->ramp_end + lead,
                                   .end_ns = row->end + lead + row->stats.skipped,
                                   .interval_ns = row->stats.interval_ns,
                                   .skipped_ns = row->stats.skipped,
                                   .windows = row->windows, .strata = row->strata};
    snprintf(out->stopped, sizeof out->stopped, "%s", row->stopped);
    snprintf(out->name, sizeof out->name, "%s", row->job->name);
    sim_assert(hci_stats_balance(&row->stats, row->end)); /* IOPS x mean latency = in flight */
    for (unsigned d = 0; d < HCI_DIRS; d++) {
        hci_stats_result(&row->stats, d, ns ? ns : 1, &out->dir[d]);
        hci_samplers_result(row->samplers, d, &out->dir[d]);
    }
    for (unsigned d = HCI_DIR_READ; d <= HCI_DIR_TRIM; d++)
        ios += (double)out->dir[d].ios;
    memcpy(out->depth_hist, row->stats.depth_hist, sizeof out->depth_hist);
    out->mean_in_flight =
        share((double)(row->stats.in_flight_area + row->stats.extra_area), (double)ns);
    out->error = row->error;
    if (row->error)
        hci_job_warn(out, row->why);
    if (row->unmapped)
        hci_job_warn(out, "a random map of several block sizes is too large to keep: offsets are "
                          "drawn as with norandommap");
    resources(row, c, ios, out);
    states(row, c, out);
    hci_logs_close(row->logs);
    for (const struct hci_logs *l = row->logs; l; l = l->next)
        if (l->full) {
            hci_job_warn(out, "a log is cut: too many I/Os for memory; log_avg_msec keeps it short");
            break;
        }
    out->logs = row->logs;
    row->logs = NULL;
}

static void assume(struct hci_result *r, const char *text)
{
    for (unsigned i = 0; i < sizeof r->assumptions / sizeof *r->assumptions; i++)
        if (!r->assumptions[i][0]) {
            snprintf(r->assumptions[i], sizeof r->assumptions[i], "%s", text);
            return;
        }
}

void hci_assumptions(const struct hci_layout *lay, struct hci_result *r)
{
    char text[256];
    if (lay->platform->assume)
        for (unsigned i = 0; lay->platform->assume(lay, i, text, sizeof text); i++)
            assume(r, text);
    if (lay->initial.prepared)
        assume(r, "files are fully written before the first job; reads never meet holes");
}
