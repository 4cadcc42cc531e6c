/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_run.h"

#include "ana_cli.h"
#include "ana_file.h"
#include "ana_hdf5.h"
#include "ana_json.h"
#include "ana_output.h"
#include "ana_progress.h"
#include "ana_summary.h"
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
};

/* An output that is also an input, or two outputs in one file, is a slip that
 * costs the user a file. */
static int check_overlap(const struct ana_run_conf *c, const char *path, struct sim_err *e)
{
    if (ana_output_same(path, c->layout))
        return sim_fail_at(e, SIM_E_INPUT, path, 0, "would overwrite the layout file");
    for (unsigned i = 0; i < c->njobs; i++)
        if (ana_output_same(path, c->jobs[i]))
            return sim_fail_at(e, SIM_E_INPUT, path, 0, "would overwrite the job file");
    return SIM_OK;
}

static int check_outputs(const struct ana_run_conf *c, struct sim_err *e)
{
    const char *paths[] = { c->h5, c->output };
    for (unsigned i = 0; i < 2; i++) {
        int rc = paths[i] ? check_overlap(c, paths[i], e) : SIM_OK;
        if (rc == SIM_OK && paths[i])
            rc = ana_output_try(paths[i], e);
        if (rc != SIM_OK)
            return rc;
    }
    if (c->h5 && c->output && ana_output_same(c->h5, c->output))
        return sim_fail_at(e, SIM_E_INPUT, c->h5, 0, "-o and --output name the same file");
    return SIM_OK;
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

static int simulate(struct session *s, struct sim_err *e)
{
    struct ana_progress progress;
    struct hci_run_opts opts = {
        .seed = s->conf.seed,
        .repeat = s->conf.repeat,
        .pause_ns = s->conf.pause_ns,
        .force = s->conf.force,
        .reps = s->conf.reps,
        .threads = s->conf.threads,
        .precision = s->conf.precision,
        .progress = ana_progress_show,
        .progress_ctx = &progress,
        .interrupted = ana_interrupt_watch(),
    };
    ana_progress_init(&progress, stderr, s->conf.eta);
    int rc = hci_run(s->layout, s->jobs, &opts, &s->result, e);
    ana_progress_clear(&progress);
    return rc;
}

static int print_formats(FILE *f, const struct session *s, struct sim_err *e)
{
    int rc = SIM_OK;
    unsigned formats = s->conf.formats;
    if (formats & ANA_JSON) /* before the text, as fio orders them */
        rc = ana_json_write(f, s->result, formats & ANA_JSON_BINS ? ANA_JSON_PLUS : 0, e);
    if (rc == SIM_OK && (formats & ANA_NORMAL))
        ana_summary_print(f, s->result);
    if (rc == SIM_OK && (fflush(f) != 0 || ferror(f)))
        rc = sim_fail(e, SIM_E_IO, "standard output: %s", strerror(errno));
    return rc;
}

/* The report in memory, then in one go to its file. */
static int print_to_file(const struct session *s, struct sim_err *e)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return sim_fail(e, SIM_E_IO, "no memory for the report");
    int rc = print_formats(f, s, e);
    if (fclose(f) != 0 && rc == SIM_OK)
        rc = sim_fail(e, SIM_E_IO, "no memory for the report");
    if (rc == SIM_OK)
        rc = ana_file_replace(s->conf.output, text, size, e);
    free(text);
    return rc;
}

/* Writes every output, whatever becomes of the others; the first error counts. */
static int publish(const struct session *s, struct sim_err *e)
{
    struct sim_err other;
    int rc = s->conf.output ? print_to_file(s, e) : print_formats(stdout, s, e);
    if (!s->conf.h5)
        return rc;
    int rc_h5 = ana_hdf5_write(s->conf.h5, s->result, rc == SIM_OK ? e : &other);
    if (rc != SIM_OK && rc_h5 != SIM_OK)
        ana_err_print(stderr, &other);
    return rc != SIM_OK ? rc : rc_h5;
}

static int job_status(const struct hci_result *r, struct sim_err *e)
{
    for (unsigned i = 0; i < r->njobs; i++)
        if (r->jobs[i].error)
            return sim_fail(e, SIM_E_NO, "job '%.200s' ended in error: %s", r->jobs[i].name,
                            strerror(r->jobs[i].error));
    return SIM_OK;
}

static int session_run(struct session *s, int argc, char **argv, bool *said, struct sim_err *e)
{
    int rc = ana_run_parse(&s->conf, argc, argv, e);
    if (rc == SIM_OK)
        rc = load(s, said, e);
    if (rc == SIM_OK)
        rc = check_outputs(&s->conf, e);
    if (rc != SIM_OK)
        return rc;
    rc = simulate(s, e);
    if (!s->result || (rc != SIM_OK && rc != SIM_E_INTERRUPTED))
        return rc;
    struct sim_err late;
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
    hci_result_free(s->result);
    hci_jobfile_free(s->jobs);
    hci_layout_free(s->layout);
    free(s);
    return rc;
}
