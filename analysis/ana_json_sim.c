/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_json_sim.h"

#include <inttypes.h>
#include <string.h>

#include "ana_hdf5.h"
#include "ana_interval.h"
#include "ana_num.h"
#include "ana_version.h"
#include "ana_view.h"

static void breakdown_rows(struct ana_emit *o, const struct hci_result *r,
                           const struct hci_dir_result *d)
{
    unsigned n = r->nparts < HCI_PARTS ? r->nparts : HCI_PARTS;
    for (unsigned i = 0; i < n; i++) {
        const struct hci_part_time *m = &d->mean[i], *t = &d->tail[i];
        if (m->wait_ns + m->service_ns + t->wait_ns + t->service_ns <= 0)
            continue;
        ana_emit_open(o, NULL, '{');
        ana_emit_str(o, "component", r->part_name[i]);
        ana_emit_f64(o, "wait_ns", m->wait_ns);
        ana_emit_f64(o, "service_ns", m->service_ns);
        ana_emit_f64(o, "slowest_wait_ns", t->wait_ns);
        ana_emit_f64(o, "slowest_service_ns", t->service_ns);
        ana_emit_close(o, '}');
    }
}

static void breakdown(struct ana_emit *o, const struct hci_result *r,
                      const struct hci_job_result *j)
{
    ana_emit_open(o, "breakdown", '{');
    for (int dir = 0; dir < HCI_DIRS; dir++) {
        if (j->dir[dir].ios == 0)
            continue;
        ana_emit_open(o, ana_dir_names[dir], '[');
        breakdown_rows(o, r, &j->dir[dir]);
        ana_emit_close(o, ']');
    }
    ana_emit_close(o, '}');
}

static void utilisation(struct ana_emit *o, const struct hci_job_result *j)
{
    ana_emit_open(o, "utilisation", '[');
    for (unsigned i = 0; i < j->nresources; i++) {
        const struct hci_resource *s = &j->resources[i];
        ana_emit_open(o, NULL, '{');
        ana_emit_str(o, "station", s->name);
        ana_emit_str(o, "kind", s->kind);
        ana_emit_i64(o, "node", s->node);
        ana_emit_u64(o, "servers", s->servers);
        ana_emit_u64(o, "served", s->served);
        ana_emit_f64(o, "utilisation", s->utilisation);
        ana_emit_f64(o, "mean_queue", s->mean_queue);
        ana_emit_f64(o, "mean_wait_ns", s->mean_wait_ns);
        ana_emit_f64(o, "mean_service_ns", s->mean_service_ns);
        ana_emit_f64(o, "cap_iops", s->cap_ios);
        ana_emit_close(o, '}');
    }
    ana_emit_close(o, ']');
}

/* Percentiles printed for fio's readers that too few samples carry. */
static void unresolved(struct ana_emit *o, const struct hci_job_result *j)
{
    double pct[HCI_PERCENTILES_MAX];
    unsigned n = ana_percentiles(j->job, pct);
    ana_emit_open(o, "unresolved_percentiles", '{');
    for (int dir = 0; dir < HCI_DIRS; dir++) {
        uint64_t ios = j->dir[dir].ios;
        if (ios == 0)
            continue;
        ana_emit_open(o, ana_dir_names[dir], '[');
        for (unsigned i = 0; i < n; i++)
            if (!ana_resolved(ios, pct[i]))
                ana_emit_f64(o, NULL, pct[i]);
        ana_emit_close(o, ']');
    }
    ana_emit_close(o, '}');
}

static void state(struct ana_emit *o, const struct hci_job_result *j)
{
    ana_emit_open(o, "counters", '[');
    for (unsigned i = 0; i < j->ncounters; i++) {
        ana_emit_open(o, NULL, '{');
        ana_emit_str(o, "name", j->counters[i].name);
        ana_emit_str(o, "unit", j->counters[i].unit);
        ana_emit_f64(o, "value", j->counters[i].value);
        ana_emit_close(o, '}');
    }
    ana_emit_close(o, ']');
    ana_emit_open(o, "state_at_end", '[');
    for (unsigned i = 0; i < j->nstates; i++) {
        const struct hci_state_series *s = &j->states[i];
        if (s->n == 0)
            continue;
        ana_emit_open(o, NULL, '{');
        ana_emit_str(o, "name", s->name);
        ana_emit_str(o, "unit", s->unit);
        ana_emit_f64(o, "value", s->value[s->n - 1]);
        ana_emit_close(o, '}');
    }
    ana_emit_close(o, ']');
}

static void one_job(struct ana_emit *o, const struct hci_result *r, const struct hci_job_result *j)
{
    ana_emit_open(o, NULL, '{');
    ana_emit_str(o, "jobname", j->name);
    ana_emit_u64(o, "groupid", j->groupid);
    ana_emit_u64(o, "clones", j->nclones);
    ana_emit_u64(o, "start_ns", j->start_ns);
    ana_emit_u64(o, "ramp_end_ns", j->ramp_end_ns);
    ana_emit_u64(o, "end_ns", j->end_ns);
    ana_emit_str(o, "bottleneck", j->bottleneck);
    ana_emit_str(o, "next", j->next_bottleneck);
    ana_emit_str(o, "verdict", j->verdict);
    ana_emit_f64(o, "iops", ana_job_iops(j));
    ana_emit_f64(o, "bound_iops", j->bound_iops);
    ana_emit_str(o, "bound_by", j->bound_by);
    ana_emit_f64(o, "mean_in_flight", j->mean_in_flight);
    ana_interval_json(o, j);
    breakdown(o, r, j);
    utilisation(o, j);
    unresolved(o, j);
    state(o, j);
    ana_emit_open(o, "warnings", '[');
    for (unsigned i = 0; i < j->nwarnings; i++)
        ana_emit_str(o, NULL, j->warnings[i]);
    ana_emit_close(o, ']');
    ana_emit_close(o, '}');
}

void ana_json_simulator(struct ana_emit *o, const struct hci_result *r)
{
    char text[32];
    ana_emit_open(o, "simulator", '{');
    ana_emit_u64(o, "simulated", 1);
    ana_emit_str(o, "name", "hcisim");
    ana_emit_str(o, "version", ana_version());
    ana_emit_str(o, "schema", ANA_HDF5_SCHEMA);
    ana_emit_str(o, "layout", r->layout_name);
    snprintf(text, sizeof text, "%" PRIu64, r->seed);
    if (r->seed > INT64_MAX) /* many readers know no larger integers */
        ana_emit_str(o, "seed", text);
    else
        ana_emit_u64(o, "seed", r->seed);
    ana_emit_u64(o, "simulated_ns", r->sim_ns);
    ana_emit_u64(o, "events", r->events);
    ana_emit_u64(o, "draws", r->draws);
    ana_emit_u64(o, "ties", r->ties);
    snprintf(text, sizeof text, "%016" PRIx64, r->hash);
    ana_emit_str(o, "hash", text);
    ana_emit_u64(o, "replications", r->reps > 1 ? r->reps : 1);
    ana_emit_f64(o, "precision_percent", 100 * r->precision);
    ana_emit_u64(o, "pass", r->pass);
    ana_emit_u64(o, "passes", r->passes);
    ana_emit_open(o, "assumptions", '[');
    for (unsigned i = 0; i < 32 && r->assumptions[i][0]; i++)
        ana_emit_str(o, NULL, r->assumptions[i]);
    ana_emit_close(o, ']');
    ana_emit_str(o, "not_modelled", "docs/model.md");
    ana_emit_open(o, "jobs", '[');
    for (unsigned i = 0; i < r->njobs; i++)
        one_job(o, r, &r->jobs[i]);
    ana_emit_close(o, ']');
    ana_emit_close(o, '}');
}

static const struct hci_resource *device_in(const struct hci_job_result *j, const char *name)
{
    for (unsigned i = 0; i < j->nresources; i++)
        if (strcmp(j->resources[i].kind, "units") == 0 && strcmp(j->resources[i].name, name) == 0)
            return &j->resources[i];
    return NULL;
}

struct disk_sum {
    double window_ns, busy_ns, queue_ms, read_ms, write_ms;
    uint64_t read_ios, write_ios;
};

static struct disk_sum sum_device(const struct hci_result *r, const char *name)
{
    struct disk_sum sum = {0};
    for (unsigned i = 0; i < r->njobs; i++) {
        const struct hci_job_result *j = &r->jobs[i];
        const struct hci_resource *s = device_in(j, name);
        if (!s || j->end_ns < j->ramp_end_ns)
            continue;
        double window = (double)(j->end_ns - j->ramp_end_ns);
        double each_ms = (s->mean_wait_ns + s->mean_service_ns) / 1e6;
        sum.window_ns += window;
        sum.busy_ns += window * s->utilisation;
        sum.queue_ms += (double)s->served * each_ms;
        sum.read_ms += (double)s->read_ios * each_ms;
        sum.write_ms += (double)s->write_ios * each_ms;
        sum.read_ios += s->read_ios;
        sum.write_ios += s->write_ios;
    }
    return sum;
}

static void one_device(struct ana_emit *o, const struct hci_result *r, const char *station)
{
    static const char tail[] = " units";
    char name[sizeof((struct hci_resource *)0)->name];
    struct disk_sum sum = sum_device(r, station);
    snprintf(name, sizeof name, "%s", station);
    size_t n = strlen(name), cut = sizeof tail - 1;
    if (n > cut && strcmp(name + n - cut, tail) == 0)
        name[n - cut] = '\0';
    ana_emit_open(o, NULL, '{');
    ana_emit_str(o, "name", name);
    ana_emit_u64(o, "read_ios", sum.read_ios);
    ana_emit_u64(o, "write_ios", sum.write_ios);
    ana_emit_u64(o, "read_merges", 0);
    ana_emit_u64(o, "write_merges", 0);
    ana_emit_u64(o, "read_ticks", ana_round(sum.read_ms));
    ana_emit_u64(o, "write_ticks", ana_round(sum.write_ms));
    ana_emit_u64(o, "in_queue", ana_round(sum.queue_ms));
    ana_emit_f64(o, "util", sum.window_ns > 0 ? 100 * sum.busy_ns / sum.window_ns : 0.0);
    ana_emit_close(o, '}');
}

static bool seen_before(const struct hci_result *r, unsigned job, const char *name)
{
    for (unsigned i = 0; i < job; i++)
        if (device_in(&r->jobs[i], name))
            return true;
    return false;
}

void ana_json_disk_util(struct ana_emit *o, const struct hci_result *r)
{
    ana_emit_open(o, "disk_util", '[');
    for (unsigned i = 0; i < r->njobs; i++) {
        const struct hci_job_result *j = &r->jobs[i];
        for (unsigned k = 0; k < j->nresources; k++)
            if (strcmp(j->resources[k].kind, "units") == 0 &&
                !seen_before(r, i, j->resources[k].name))
                one_device(o, r, j->resources[k].name);
    }
    ana_emit_close(o, ']');
}
