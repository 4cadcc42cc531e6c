/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_run.h"

#include "ana_cli.h"
#include "ana_file.h"
#include "ana_fio_logs.h"
#include "ana_hdf5.h"
#include "ana_inputs.h"
#include "ana_json.h"
#include "ana_output.h"
#include "ana_plot.h"
#include "ana_progress.h"
#include "ana_showcmd.h"
#include "ana_summary.h"
#include "ana_terse.h"
#include "hci_inert.h"
#include "hci_run.h"
#include "workload/hci_job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session { /* everything one call holds */
    struct ana_run_conf conf;
    struct hci_layout *layout;
    struct hci_jobfile *jobs;
    struct hci_result *result;
    struct ana_progress progress;
    FILE *report;  /* standard output, or a stream into text */
    char *text;
    size_t size;
};

#define REPORT_MAX (256 << 20) /* bytes of a report kept in memory */

/* An output that is also an input, or two outputs in one file, is a slip that
 * costs the user a file. Logs the jobs ask for may be none of the others. */
static int check_paths(const struct ana_run_conf *c, const struct hci_jobfile *jobs,
                       struct ana_inputs *in, struct sim_err *e)
{
    const char *paths[] = { c->h5, c->output };
    for (unsigned i = 0; i < 2; i++) {
        int rc = paths[i] ? ana_inputs_refuse(in, paths[i], e) : SIM_OK;
        if (rc == SIM_OK && paths[i])
            rc = ana_output_try(paths[i], e);
        if (rc != SIM_OK)
            return rc;
    }
    if (c->h5 && c->output && ana_output_same(c->h5, c->output))
        return sim_fail_at(e, SIM_E_INPUT, c->h5, 0, "-o and --output name the same file");
    for (unsigned i = 0; i < 2; i++)
        if (paths[i])
            ana_inputs_name(in, paths[i]);
    return ana_fio_logs_try(jobs, in->name, in->n, e);
}

static int check_outputs(const struct session *s, struct sim_err *e)
{
    struct ana_inputs in = { 0 };
    ana_inputs_add(&in, s->layout, s->jobs);
    int rc = check_paths(&s->conf, s->jobs, &in, e);
    ana_inputs_free(&in);
    return rc;
}

/* Prints the parser's own list of errors, one line each; false if it gave none. */
static bool print_list(const char *errors)
{
    struct sim_err line = { .code = SIM_E_INPUT };
    bool any = false;
    while (errors && *errors) {
        size_t n = strcspn(errors, "\n");
        if (n > 0) {
            snprintf(line.text, sizeof line.text, "%.*s", (int)(n < 700 ? n : 700), errors);
            ana_err_print(stderr, &line);
            any = true;
        }
        errors += n + (errors[n] == '\n');
    }
    return any;
}

/* Sets *said when the errors are already printed. */
static int load(struct session *s, bool *said, struct sim_err *e)
{
    const struct ana_run_conf *c = &s->conf;
    int rc = hci_layout_load(&s->layout, c->layout, c->sets, c->nsets, e);
    if (rc != SIM_OK)
        return rc;
    struct hci_jobfile_opts opts = { .lenient = c->lenient };
    if (c->nsections > 0)
        opts.sections = c->sections;
    char *errors = NULL;
    rc = hci_jobfile_load(&s->jobs, c->jobs, c->njobs, &opts, &errors, e);
    if (rc != SIM_OK)
        *said = print_list(errors);
    free(errors);
    for (unsigned i = 0; rc == SIM_OK && i < s->jobs->nnotes; i++)
        fprintf(stderr, "hcisim: note: %s\n", s->jobs->notes[i]);
    return rc;
}

static int print_formats(FILE *f, const struct ana_run_conf *c, const struct hci_result *r,
                         struct sim_err *e)
{
    int rc = SIM_OK;
    if (c->formats & ANA_TERSE) /* in fio's order */
        ana_terse_write(f, r, c->terse_version);
    if (c->formats & ANA_JSON)
        rc = ana_json_write(f, r, c->formats & ANA_JSON_BINS ? ANA_JSON_PLUS : 0, e);
    if (rc == SIM_OK && (c->formats & ANA_NORMAL))
        ana_summary_print(f, r);
    if (rc == SIM_OK && c->plot)
        ana_plot_print(f, r);
    if (rc == SIM_OK && (fflush(f) != 0 || ferror(f)))
        rc = sim_fail(e, SIM_E_IO, "standard output: %s", strerror(errno));
    return rc;
}

/* Where reports go: standard output, or memory until the file is replaced. */
static int open_report(struct session *s, struct sim_err *e)
{
    s->report = s->conf.output ? open_memstream(&s->text, &s->size) : stdout;
    return s->report ? SIM_OK : sim_fail(e, SIM_E_IO, "no memory for the report");
}

/* The report in memory goes to its file in one go. */
static int close_report(struct session *s, struct sim_err *e)
{
    int rc = SIM_OK;
    if (s->report == stdout || !s->report)
        return SIM_OK;
    if (fclose(s->report) != 0)
        rc = sim_fail(e, SIM_E_IO, "no memory for the report");
    s->report = NULL;
    if (rc == SIM_OK)
        rc = ana_file_replace(s->conf.output, s->text, s->size, e);
    return rc;
}

/* An interim report of --status-interval. One that cannot be written shows at
 * the end as well, which stops with an error then. */
static void print_status(void *ctx, const struct hci_result *so_far)
{
    struct session *s = ctx;
    struct sim_err e;
    if (s->report != stdout && ftell(s->report) > REPORT_MAX)
        return; /* a file keeps the first interim reports and the final one */
    ana_progress_clear(&s->progress);
    print_formats(s->report, &s->conf, so_far, &e);
}

static int simulate(struct session *s, struct sim_err *e)
{
    struct hci_run_opts opts = {
        .seed = s->conf.seed,
        .repeat = s->conf.repeat,
        .pause_ns = s->conf.pause_ns,
        .force = s->conf.force,
        .reps = s->conf.reps,
        .threads = s->conf.threads,
        .precision = s->conf.precision,
        .progress = ana_progress_show,
        .progress_ctx = &s->progress,
        .status_ns = s->conf.status_ns,
        .status = print_status,
        .status_ctx = s,
        .interrupted = ana_interrupt_watch(),
    };
    ana_progress_init(&s->progress, stderr, s->conf.eta);
    int rc = hci_run(s->layout, s->jobs, &opts, &s->result, e);
    ana_progress_clear(&s->progress);
    return rc;
}

/* Writes every output, whatever becomes of the others; the first error counts. */
static int publish(struct session *s, struct sim_err *e)
{
    struct sim_err other;
    int rc = print_formats(s->report, &s->conf, s->result, e);
    if (rc == SIM_OK)
        rc = close_report(s, e);
    for (unsigned i = 0; i < 2; i++) {
        struct sim_err *to = rc == SIM_OK ? e : &other;
        int more = i == 0 ? ana_fio_logs_write(s->result, to)
                   : s->conf.h5 ? ana_hdf5_write(s->conf.h5, s->result, to) : SIM_OK;
        if (rc != SIM_OK && more != SIM_OK)
            ana_err_print(stderr, &other);
        rc = rc != SIM_OK ? rc : more;
    }
    return rc;
}

/* Values the user stated that this run did not use. */
static void note_inert(const struct session *s)
{
    char *text = hci_inert_text(s->layout, s->result);
    if (text)
        fprintf(stderr, "hcisim: note: no effect in this run: %s\n", text);
    free(text);
}

static int job_status(const struct hci_result *r, struct sim_err *e)
{
    for (unsigned i = 0; i < r->njobs; i++)
        if (r->jobs[i].error)
            return sim_fail(e, SIM_E_NO, "job '%.200s' ended in error: %s", r->jobs[i].name,
                            strerror(r->jobs[i].error));
    return SIM_OK;
}

/* All checks of a run, nothing of its time: a run that is interrupted before its
 * first event has passed them. */
static int check_only(struct session *s, struct sim_err *e)
{
    static const volatile int at_once = 1;
    struct hci_run_opts opts = { .seed = s->conf.seed, .force = s->conf.force,
                                 .interrupted = &at_once };
    int rc = hci_run(s->layout, s->jobs, &opts, &s->result, e);
    return rc == SIM_E_INTERRUPTED ? SIM_OK : rc;
}

static int session_run(struct session *s, int argc, char **argv, bool *said, struct sim_err *e)
{
    int rc = ana_run_parse(&s->conf, argc, argv, e);
    if (rc == SIM_OK)
        rc = load(s, said, e);
    if (rc == SIM_OK)
        rc = check_outputs(s, e);
    if (rc == SIM_OK && s->conf.parse_only)
        return check_only(s, e);
    if (rc == SIM_OK && s->conf.showcmd) {
        ana_showcmd_print(stdout, s->jobs);
        return SIM_OK;
    }
    if (rc == SIM_OK)
        rc = open_report(s, e);
    if (rc != SIM_OK)
        return rc;
    rc = simulate(s, e);
    if (!s->result || (rc != SIM_OK && rc != SIM_E_INTERRUPTED))
        return rc;
    struct sim_err late;
    if (rc == SIM_OK)
        note_inert(s);
    int rc_out = publish(s, &late);
    if (rc_out == SIM_OK && rc == SIM_OK)
        rc_out = job_status(s->result, &late);
    if (rc_out != SIM_OK) { /* results that did not reach their file outweigh the interrupt */
        *e = late;
        return rc_out;
    }
    return rc;
}

int ana_run_main(int argc, char **argv)
{
    struct sim_err e = { 0 };
    struct session *s = calloc(1, sizeof *s);
    bool said = false;
    if (!s) {
        sim_fail(&e, SIM_E_IO, "out of memory");
        return ana_err_print(stderr, &e);
    }
    int rc = session_run(s, argc, argv, &said, &e);
    if (rc != SIM_OK && !said && e.text[0])
        ana_err_print(stderr, &e);
    if (s->report && s->report != stdout)
        fclose(s->report);
    free(s->text);
    hci_result_free(s->result);
    hci_jobfile_free(s->jobs);
    hci_layout_free(s->layout);
    free(s);
    return rc;
}
