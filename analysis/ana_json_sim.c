/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_json_sim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ana_disk.h"
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

static void unresolved_of(struct ana_emit *o, const char *name, const struct hci_job *job,
                          uint64_t ios)
{
    double pct[HCI_PERCENTILES_MAX];
    unsigned n = ana_percentiles(job, pct);
    if (ios == 0)
        return;
    ana_emit_open(o, name, '[');
    for (unsigned i = 0; i < n; i++)
        if (!ana_resolved(ios, pct[i]))
            ana_emit_f64(o, NULL, pct[i]);
    ana_emit_close(o, ']');
}

/* Percentiles printed for fio's readers that too few samples carry. */
static void unresolved(struct ana_emit *o, const struct hci_job_result *j)
{
    uint64_t mixed = 0;
    ana_emit_open(o, "unresolved_percentiles", '{');
    for (int dir = 0; dir < HCI_DIRS; dir++) {
        uint64_t ios = j->dir[dir].ios - j->dir[dir].skipped_ios;
        mixed += dir <= HCI_DIR_TRIM ? ios : 0;
        unresolved_of(o, ana_dir_names[dir], j->job, ios);
    }
    if (ana_unified(j->job))
        unresolved_of(o, "mixed", j->job, mixed);
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
    ana_emit_open(o, "state", '[');
    for (unsigned i = 0; i < j->nstates; i++) {
        const struct hci_state_series *s = &j->states[i];
        ana_emit_open(o, NULL, '{');
        ana_emit_str(o, "name", s->name);
        ana_emit_str(o, "unit", s->unit);
        ana_emit_f64(o, "start", s->first);
        ana_emit_f64(o, "end", s->last);
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
    ana_emit_u64(o, "cache_bytes", r->cache_bytes);
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
        if (ana_reported(r->jobs[i].job))
            one_job(o, r, &r->jobs[i]);
    ana_emit_close(o, ']');
    ana_emit_close(o, '}');
}

void ana_json_disk_util(struct ana_emit *o, const struct hci_result *r)
{
    unsigned n;
    struct ana_disk *list = ana_disk_list(r, &n);
    ana_emit_open(o, "disk_util", '[');
    for (const struct ana_disk *d = list; n-- > 0; d++) {
        ana_emit_open(o, NULL, '{');
        ana_emit_str(o, "name", d->name);
        ana_emit_u64(o, "read_ios", d->read_ios);
        ana_emit_u64(o, "write_ios", d->write_ios);
        ana_emit_u64(o, "read_merges", 0);
        ana_emit_u64(o, "write_merges", 0);
        ana_emit_u64(o, "read_ticks", d->read_ms);
        ana_emit_u64(o, "write_ticks", d->write_ms);
        ana_emit_u64(o, "in_queue", d->queue_ms);
        ana_emit_f64(o, "util", d->util_pct);
        ana_emit_close(o, '}');
    }
    ana_emit_close(o, ']');
    free(list);
}
