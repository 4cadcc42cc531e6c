/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ana_cli.h"
#include "ana_file.h"
#include "ana_hdf5.h"
#include "ana_load.h"
#include "ana_output.h"
#include "ana_report_sweep.h"
#include "ana_verbs.h"
#include "ana_whatif.h"
#include "hci_param.h"

enum { KEY_OUT = 'o', KEY_SORT = 256, KEY_PARETO, KEY_WHATIF };

static const struct argp_option options[] = {
    {"out", KEY_OUT, "FILE.html", 0, "write the page to FILE.html instead of standard output", 0},
    {"sort", KEY_SORT, "METRIC", 0, "of a sweep: best first, e.g. p99 or iops@job (default iops)", 0},
    {"pareto", KEY_PARETO, "COST,GOAL", 0,
     "of a sweep: the front (default price and the metric of --sort)", 0},
    {"what-if", KEY_WHATIF, "TIME", OPTION_ARG_OPTIONAL,
     "simulate the first run's layout again with one change at a time (faster ports, drives, "
     "controllers...), each job for TIME (default 2s), and say what helps", 0},
    {"jobs", 'j', "K", 0, "threads for --what-if (default: one a processor)", 0},
    {0},
};

struct input {
    struct ana_report_view view;
    const char *whatif; /* time a job; NULL: not asked for */
    unsigned threads;
    const char *paths[2 * ANA_REPORT_RUNS], *out;
    unsigned n;
    struct sim_err *e;
};

static int set_whatif(struct input *in, const char *word)
{
    uint64_t ns;
    char why[128];
    in->whatif = word ? word : "2s";
    if (strlen(in->whatif) < 24 && hci_unit_parse(HCI_TIME, in->whatif, &ns, why, sizeof why) == 0 &&
        ns >= 10 * SIM_MS)
        return SIM_OK;
    return sim_fail(in->e, SIM_E_INPUT, "--what-if wants a time of 10 ms or more, e.g. "
                                        "--what-if=5s, not '%.60s'", in->whatif);
}

static int set_threads(struct input *in, const char *word)
{
    unsigned long long n;
    if (!ana_parse_u64(word, 64, &n) || n == 0)
        return sim_fail(in->e, SIM_E_INPUT, "-j wants a number from 1 to 64, not '%.60s'", word);
    in->threads = (unsigned)n;
    return SIM_OK;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    int rc = SIM_OK;
    switch (key) {
    case KEY_OUT: in->out = arg; break;
    case KEY_SORT: in->view.sort = arg; break;
    case KEY_PARETO: in->view.pareto = arg; break;
    case KEY_WHATIF: rc = set_whatif(in, arg); break;
    case 'j': rc = set_threads(in, arg); break;
    case ARGP_KEY_ARG:
        if (in->n == 2 * ANA_REPORT_RUNS)
            rc = sim_fail(in->e, SIM_E_INPUT, "more than %d files", 2 * ANA_REPORT_RUNS);
        else
            in->paths[in->n++] = arg;
        break;
    case ARGP_KEY_END:
        if (in->n == 0)
            rc = sim_fail(in->e, SIM_E_INPUT,
                          "report needs a result file (run -o FILE.h5, sweep -o FILE.h5)");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return rc == SIM_OK ? 0 : EINVAL;
}

/* Runs of one layout are told apart by their files. */
static void label_runs(struct ana_report *r)
{
    for (unsigned i = 0; i < r->nruns; i++) {
        bool twice = false;
        for (unsigned k = 0; k < r->nruns; k++)
            twice |= k != i && strcmp(r->runs[k]->layout_name, r->runs[i]->layout_name) == 0;
        const char *base = strrchr(r->paths[i], '/');
        const char *name = r->runs[i]->layout_name;
        if (twice || !name[0])
            snprintf(r->label[i], sizeof r->label[i], "%.50s%s%.40s", name, name[0] ? ", " : "",
                     base ? base + 1 : r->paths[i]);
        else
            snprintf(r->label[i], sizeof r->label[i], "%.95s", name);
    }
}

static int load_hdf5(struct ana_report *r, const char *path, struct sim_err *e)
{
    bool sweep = ana_report_is_sweep(path);
    if ((sweep ? r->nsweeps : r->nruns) == ANA_REPORT_RUNS)
        return sim_fail(e, SIM_E_INPUT, "more than %d %s", ANA_REPORT_RUNS,
                        sweep ? "sweeps" : "runs");
    if (sweep) {
        r->sweeps[r->nsweeps++] = path; /* read when its part is written */
        return SIM_OK;
    }
    r->paths[r->nruns] = path;
    int rc = ana_hdf5_read(&r->runs[r->nruns], path, e);
    if (rc == SIM_OK && r->runs[r->nruns++]->njobs == 0)
        rc = sim_fail_at(e, SIM_E_INPUT, path, 0, "holds no finished job");
    return rc;
}

static int load_one(struct ana_report *r, const char *path, struct sim_err *e)
{
    if (ana_hdf5_is(path))
        return load_hdf5(r, path, e);
    struct ana_measured *m;
    int rc = ana_load(&m, path, e);
    if (rc != SIM_OK || m->simulated || r->nmeasured == ANA_REPORT_RUNS) {
        if (rc == SIM_OK)
            rc = sim_fail_at(e, SIM_E_INPUT, path, 0,
                             m->simulated ? "report reads the HDF5 file of a run (run -o FILE.h5), "
                                            "which holds more than its JSON"
                                          : "too many measured files");
        ana_measured_free(m);
        return rc;
    }
    r->measured[r->nmeasured++] = (struct ana_source){path, m};
    return SIM_OK;
}

static int load_all(struct ana_report *r, const struct input *in, struct sim_err *e)
{
    int rc = SIM_OK;
    for (unsigned i = 0; rc == SIM_OK && i < in->n; i++)
        rc = load_one(r, in->paths[i], e);
    if (rc == SIM_OK && r->nruns == 0 && (r->nmeasured > 0 || r->nsweeps == 0))
        rc = sim_fail(e, SIM_E_INPUT, "report needs the HDF5 file of a run besides measured files");
    if (rc == SIM_OK)
        label_runs(r);
    return rc;
}

static void one_run(struct ana_report *r, unsigned k)
{
    fputs("<h2>", r->page.html);
    ana_page_text(&r->page, r->label[k]);
    fputs("</h2>\n", r->page.html);
    ana_report_layout(r, k);
    ana_report_jobs(r, k);
    ana_report_percentiles(r, k);
    fputs("<h3>Where the time goes</h3>\n", r->page.html);
    ana_chart_breakdown(r, k);
    if (k == 0 && r->whatif)
        ana_report_whatif(r);
    else
        ana_report_relief(r, k);
    ana_report_utilisation(r, k);
    ana_report_counters(r, k);
    fputs("<h3>Over time</h3>\n", r->page.html);
    ana_chart_series(r, k);
}

static int write_runs(struct ana_report *r, struct sim_err *e)
{
    int rc = SIM_OK;
    ana_report_head(r);
    ana_report_verdict(r);
    ana_report_assumed(r);
    ana_report_whatif_lead(r);
    ana_report_words(r);
    if (r->nruns > 1)
        ana_report_side_by_side(r);
    fputs("<h2>Latency distributions</h2>\n", r->page.html);
    ana_chart_cdfs(r);
    if (r->nmeasured > 0)
        rc = ana_report_compare(r, e);
    for (unsigned k = 0; k < r->nruns; k++)
        one_run(r, k);
    return rc;
}

static int write_page(struct ana_report *r, const struct ana_report_view *view, struct sim_err *e)
{
    int rc = SIM_OK;
    if (r->nruns > 0) {
        rc = write_runs(r, e);
    } else {
        const char *slash = strrchr(r->sweeps[0], '/');
        ana_page_open(&r->page, slash ? slash + 1 : r->sweeps[0]);
        fputs("<h1>", r->page.html);
        ana_page_text(&r->page, slash ? slash + 1 : r->sweeps[0]);
        fputs("</h1>\n", r->page.html);
    }
    for (unsigned i = 0; rc == SIM_OK && i < r->nsweeps; i++)
        rc = ana_report_sweep(&r->page, r->sweeps[i], view, e);
    ana_report_not_modelled(r);
    if (r->nruns > 0)
        ana_report_appendix(r);
    ana_page_close(&r->page);
    return rc;
}

static int publish(struct ana_report *r, const char *out, struct sim_err *e)
{
    char *text;
    size_t size;
    int rc = ana_page_finish(&r->page, &text, &size, e);
    if (rc == SIM_OK && out)
        rc = ana_file_replace(out, text, size, e);
    else if (rc == SIM_OK && (fwrite(text, 1, size, stdout) != size || fflush(stdout) != 0))
        rc = sim_fail(e, SIM_E_IO, "standard output: %s", strerror(errno));
    free(text);
    return rc;
}

static int ask_whatif(struct ana_report *r, const struct input *in, struct sim_err *e)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned threads = in->threads ? in->threads : cores < 1 ? 1 : cores > 64 ? 64 : (unsigned)cores;
    if (!in->whatif)
        return SIM_OK;
    if (r->nruns == 0)
        return sim_fail(e, SIM_E_INPUT, "--what-if needs the file of a run");
    r->whatif = calloc(1, sizeof *r->whatif);
    if (!r->whatif)
        return sim_fail(e, SIM_E_IO, "not enough memory");
    return ana_whatif_run(r->whatif, r->runs[0], in->whatif, threads, e);
}

static int run(struct ana_report *r, const struct input *in, struct sim_err *e)
{
    int rc = SIM_OK;
    for (unsigned i = 0; in->out && rc == SIM_OK && i < in->n; i++)
        if (ana_output_same(in->out, in->paths[i]))
            rc = sim_fail_at(e, SIM_E_INPUT, in->out, 0, "would overwrite a file it reads");
    if (rc == SIM_OK && in->out)
        rc = ana_output_try(in->out, e);
    if (rc == SIM_OK)
        rc = load_all(r, in, e);
    if (rc == SIM_OK)
        rc = ask_whatif(r, in, e);
    if (rc == SIM_OK)
        rc = ana_page_init(&r->page, e);
    if (rc == SIM_OK)
        rc = write_page(r, &in->view, e);
    return rc == SIM_OK ? publish(r, in->out, e) : rc;
}

int ana_report_main(int argc, char **argv)
{
    static const struct argp parser = {
        options, parse, "RUN.h5|SWEEP.h5... [MEASURED.json...]",
        "Writes one self-contained HTML page about a run, several runs beside each other, fio's "
        "JSON measurements beside the first run, and sweeps.\v"
        "Exit status: 0 done; 2 bad usage or input; 3 could not read or write, or gnuplot, which "
        "draws the charts, is missing.", NULL, NULL, NULL};
    struct sim_err e = {0};
    struct input in = {.e = &e};
    int rc = ana_parse(&parser, argc, argv, &in, &e);
    struct ana_report *r = calloc(1, sizeof *r);
    if (rc == SIM_OK && !r)
        rc = sim_fail(&e, SIM_E_IO, "not enough memory");
    if (rc == SIM_OK)
        rc = run(r, &in, &e);
    if (rc != SIM_OK)
        ana_err_print(stderr, &e);
    for (unsigned i = 0; r && i < ANA_REPORT_RUNS; i++) {
        ana_hdf5_free(r->runs[i]);
        ana_measured_free((struct ana_measured *)(uintptr_t)r->measured[i].m);
    }
    if (r && r->whatif)
        ana_whatif_fini(r->whatif);
    if (r) {
        free(r->whatif);
        ana_page_fini(&r->page);
    }
    free(r);
    return rc;
}
