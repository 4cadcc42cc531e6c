/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_run.h"

#include "hci_cluster.h"
#include "hci_inert.h"
#include "hci_verdict.h"
#include "sim_assert.h"
#include "workload/hci_runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
    struct sim *sim;
    struct hci_cluster *cluster;
    struct hci_runner runner;
    struct hci_row **pass_rows; /* kept, by pass */
    unsigned *pass_nrows;
    struct sim_err *err;
    int status;
};

static void next_pass(struct sim *s, void *ctx)
{
    struct run *run = ctx;
    run->status = hci_runner_start(&run->runner, run->err);
    if (run->status != SIM_OK)
        s->stop = true;
}

static void pass_done(struct hci_runner *r)
{
    struct run *run = r->ctx;
    unsigned passes = r->opts->repeat > 1 ? r->opts->repeat : 1;
    run->pass_rows[r->pass] = r->rows;
    run->pass_nrows[r->pass] = r->nrows;
    r->rows = NULL;
    r->nrows = 0;
    if (++r->pass < passes)
        sim_after(r->cluster->sim, r->opts->pause_ns, next_pass, run);
    else
        r->cluster->sim->stop = true;
}

static double row_iops(const struct hci_row *row)
{
    uint64_t ios = 0;
    for (unsigned d = HCI_DIR_READ; d <= HCI_DIR_TRIM; d++)
        ios += row->stats.dir[d] ? row->stats.dir[d]->all.lat.n : 0;
    sim_time ns = row->end - row->ramp_end; /* of what was simulated, both */
    return ns ? (double)ios / (double)ns : 0;
}

/* The story's rule, for any number of jobs: a later pass replaces the kept one
 * when it has the better IOPS in at least two thirds of the jobs. */
static unsigned best_pass(const struct run *run, unsigned passes)
{
    unsigned best = 0;
    for (unsigned p = 1; p < passes; p++) {
        unsigned better = 0, n = run->pass_nrows[p];
        for (unsigned i = 0; i < n; i++)
            better += row_iops(&run->pass_rows[p][i]) > row_iops(&run->pass_rows[best][i]);
        if (3 * better >= 2 * n)
            best = p;
    }
    return best;
}

static int refuse(const struct hci_check *check, const struct hci_layout *lay, struct sim_err *e)
{
    for (unsigned i = 0; i < check->nfindings; i++)
        if (check->findings[i].severity == HCI_ERROR)
            return sim_fail_at(e, SIM_E_NO, lay->path, 0, "refused by rule %s: %s (--force runs it)",
                               check->findings[i].rule, check->findings[i].text);
    return SIM_OK;
}

/* What must hold whatever was simulated. */
static void check_books(const struct sim *s, const struct hci_cluster *c, bool idle)
{
    struct sim_station_books *books = malloc((s->nstations + 1) * sizeof *books);
    sim_assert(books != NULL);
    sim_station_snapshot(s, books);
    for (uint32_t i = 0; i < s->nstations; i++)
        sim_assert(books[i].area == books[i].sojourn); /* Little's law */
    free(books);
    sim_assert(s->started == s->finished + sim_ios_in_flight(s));
    sim_assert(!c->platform->balanced || c->platform->balanced(c, idle));
}

static char *copy(const char *text)
{
    char *c = strdup(text ? text : "");
    sim_assert(c != NULL);
    return c;
}

/* What a result says besides its jobs; room for nrows of them. */
static struct hci_result *frame(const struct run *run, const struct hci_layout *lay,
                                unsigned nrows)
{
    const struct sim *s = run->sim;
    struct hci_result *r = calloc(1, sizeof *r);
    sim_assert(r != NULL);
    r->layout_name = copy(lay->name);
    r->layout_text = copy(lay->text);
    r->jobfile_text = copy(run->runner.jobs->text);
    r->jobfile = run->runner.jobs;
    r->seed = run->runner.opts->seed;
    r->nparts = HCI_PART_COUNT;
    for (unsigned p = 0; p < HCI_PART_COUNT; p++)
        snprintf(r->part_name[p], sizeof r->part_name[p], "%s", hci_part_name(p));
    r->jobs = calloc(nrows + 1, sizeof *r->jobs);
    sim_assert(r->jobs != NULL);
    r->events = s->events;
    r->draws = s->draws;
    r->ties = s->ties;
    r->hash = s->hash;
    r->sim_ns = s->now;
    r->cache_bytes = run->cluster->check.cache_bytes_per_node;
    r->reps = 1;
    r->precision = run->runner.opts->precision;
    hci_assumptions(lay, r);
    return r;
}

/* A row as it stands: one that runs gets its books up to now. */
static void interim_row(struct run *run, const struct hci_row *row, struct hci_job_result *out)
{
    struct hci_row now = *row;
    now.logs = NULL; /* they go with the final result */
    now.stats.interim = true;
    if (row->running) {
        now.end = now.io_end = run->sim->now;
        hci_window_take(&run->runner, &now.to);
    }
    hci_row_result(&now, run->cluster, out);
    out->eta_s = hci_row_eta_s(row);
    if (row->running)
        hci_window_free(&now.to);
}

static void interim(struct sim *s, void *ctx)
{
    struct run *run = ctx;
    const struct hci_runner *runner = &run->runner;
    struct hci_result *r = frame(run, run->cluster->layout, runner->nrows);
    for (unsigned i = 0; i < runner->nrows; i++)
        if (runner->rows[i].begun && runner->rows[i].ramp_end < s->now)
            interim_row(run, &runner->rows[i], &r->jobs[r->njobs++]);
    r->pass = runner->pass + 1;
    r->passes = runner->opts->repeat > 1 ? runner->opts->repeat : 1;
    if (r->njobs)
        runner->opts->status(runner->opts->status_ctx, r);
    hci_result_free(r);
    sim_after(s, runner->opts->status_ns, interim, run);
}

static struct hci_result *assemble(struct run *run, const struct hci_layout *lay)
{
    unsigned passes = run->runner.pass ? run->runner.pass : 1;
    unsigned best = run->runner.pass ? best_pass(run, passes) : 0;
    struct hci_row *rows = run->runner.pass ? run->pass_rows[best] : run->runner.rows;
    unsigned nrows = run->runner.pass ? run->pass_nrows[best] : run->runner.nrows;
    struct hci_result *r = frame(run, lay, nrows);
    for (unsigned i = 0; i < nrows; i++)
        if (rows[i].running == 0 && rows[i].to.station)
            hci_row_result(&rows[i], run->cluster, &r->jobs[r->njobs++]);
    r->pass = best + 1;
    r->passes = passes;
    r->ngiven = lay->ngiven;
    r->inert = hci_inert_find(run->cluster, &run->runner);
    return r;
}

static int simulate(struct run *run, const struct hci_layout *lay, const struct hci_jobfile *jobs,
                    const struct hci_run_opts *opts, struct sim_err *e)
{
    int status = hci_cluster_create(&run->cluster, run->sim, lay, e);
    if (status != SIM_OK)
        return status;
    if (!opts->force && (status = refuse(&run->cluster->check, lay, e)) != SIM_OK)
        return status;
    status = hci_runner_init(&run->runner, run->cluster, jobs, opts, e);
    if (status != SIM_OK)
        return status;
    run->runner.pass_done = pass_done;
    run->runner.ctx = run;
    run->err = e;
    run->cluster->prepared_bytes = run->runner.volume_bytes;
    if (lay->platform->start)
        lay->platform->start(run->cluster);
    status = hci_runner_start(&run->runner, e);
    if (status != SIM_OK)
        return status;
    if (opts->status && opts->status_ns)
        sim_after(run->sim, opts->status_ns, interim, run);
    sim_run(run->sim, SIM_NEVER);
    if (run->status != SIM_OK)
        return run->status;
    if (run->runner.stuck)
        return sim_fail_at(e, SIM_E_INPUT, lay->path, 0,
                           "no I/O has completed for 600 s of simulated time though some are under "
                           "way: the layout blocks itself");
    check_books(run->sim, run->cluster, !run->runner.interrupted);
    return run->runner.interrupted ? sim_fail(e, SIM_E_INTERRUPTED, "interrupted") : SIM_OK;
}

int hci_run_once(const struct hci_layout *lay, const struct hci_jobfile *jobs,
                 const struct hci_run_opts *opts, struct hci_result **out, struct sim_err *e)
{
    unsigned passes = opts->repeat > 1 ? opts->repeat : 1;
    struct run run = {.status = SIM_OK};
    *out = NULL;
    run.sim = sim_create(opts->seed, opts->replication);
    run.pass_rows = calloc(passes, sizeof(struct hci_row *));
    run.pass_nrows = calloc(passes, sizeof *run.pass_nrows);
    sim_assert(run.sim && run.pass_rows && run.pass_nrows);
    int status = simulate(&run, lay, jobs, opts, e);
    if (status == SIM_OK || status == SIM_E_INTERRUPTED)
        *out = assemble(&run, lay);
    for (unsigned p = 0; p < passes; p++)
        hci_rows_free(run.pass_rows[p], run.pass_nrows[p]);
    free(run.pass_rows);
    free(run.pass_nrows);
    hci_runner_fini(&run.runner);
    hci_cluster_free(run.cluster);
    sim_free(run.sim);
    return status;
}
