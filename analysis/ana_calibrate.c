/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_calibrate.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ana_cli.h"
#include "ana_load.h"
#include "ana_output.h"
#include "ana_progress.h"
#include "ana_verbs.h"
#include "hci_run.h"
#include "workload/hci_job.h"

static bool listed(const char *const *list, unsigned n, const char *name)
{
    for (unsigned i = 0; i < n; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

static int load_layout(const struct ana_calibration *c, const double *value,
                       struct hci_layout **lay, struct sim_err *e)
{
    const struct ana_calibrate_conf *conf = &c->conf;
    struct hci_set sets[ANA_CALIBRATE_LIST];
    char text[ANA_FIT_MAX][ANA_VALUE_LEN];
    unsigned n = conf->nsets;
    memcpy(sets, conf->sets, n * sizeof *sets);
    for (unsigned i = 0; value && i < conf->nknobs; i++)
        sets[n++] = (struct hci_set){conf->knobs[i].key,
                                     ana_knob_text(&conf->knobs[i], value[i], text[i])};
    return hci_layout_load(lay, conf->layout, sets, n, e);
}

/* Simulates with these values (NULL: as the layout says); all jobs, or those fitted. */
static int simulate(const struct ana_calibration *c, const double *value, bool fitted_only,
                    struct ana_measured **out, struct sim_err *e)
{
    const char **sections = calloc(c->nobserved + 1, sizeof *sections);
    const char *paths[] = {c->conf.jobs};
    struct hci_jobfile_opts opts = {.sections = fitted_only ? sections : NULL};
    struct hci_run_opts how = {.seed = c->conf.seed, .interrupted = ana_interrupt_watch()};
    struct hci_layout *lay = NULL;
    struct hci_jobfile *jobs = NULL;
    struct hci_result *r = NULL;
    unsigned n = 0;
    *out = NULL;
    for (unsigned i = 0; sections && fitted_only && i < c->nobserved; i++)
        if (c->observed[i].fitted && !listed(sections, n, c->observed[i].section))
            sections[n++] = c->observed[i].section;
    int rc = sections ? load_layout(c, value, &lay, e) : sim_fail(e, SIM_E_IO, "not enough memory");
    if (rc == SIM_OK)
        rc = hci_jobfile_load(&jobs, paths, 1, &opts, NULL, e);
    if (rc == SIM_OK)
        rc = hci_run(lay, jobs, &how, &r, e);
    if (r)
        r->jobfile = jobs;
    if (rc == SIM_OK)
        rc = ana_load_result(out, r, "simulated", e);
    hci_result_free(r);
    hci_jobfile_free(jobs);
    hci_layout_free(lay);
    free(sections);
    return rc;
}

static const struct ana_measured_job *job_named(const struct ana_measured *m, const char *name)
{
    for (unsigned i = 0; i < m->njobs; i++)
        if (strcmp(m->jobs[i].name, name) == 0)
            return &m->jobs[i];
    return NULL;
}

/* The metrics of one observation in a simulated set that holds its job. */
static void metrics(const struct ana_observed *o, const struct ana_measured *sim,
                    struct ana_metric m[ANA_METRICS])
{
    struct ana_pair p = {
        .sim = job_named(sim, o->section), .measured = o->measured, .file = o->file, .dir = o->dir};
    memset(m, 0, ANA_METRICS * sizeof *m);
    if (!p.sim)
        return;
    ana_pair_fill(&p, 0);
    memcpy(m, p.m, sizeof p.m);
}

static int evaluate(void *ctx, const double *value, double *residual, struct sim_err *e)
{
    const struct ana_calibration *c = ctx;
    struct ana_measured *sim;
    unsigned n = 0;
    int rc = simulate(c, value, true, &sim, e);
    for (unsigned i = 0; rc == SIM_OK && i < c->nobserved; i++) {
        struct ana_metric m[ANA_METRICS];
        if (!c->observed[i].fitted)
            continue;
        metrics(&c->observed[i], sim, m);
        for (unsigned k = 0; k < c->conf.nmetrics; k++) {
            double ratio = m[c->conf.metrics[k]].ratio;
            residual[n++] = ratio > 0 ? log(ratio) : 0;
        }
    }
    ana_measured_free(sim);
    return rc;
}

/* Every measured job that stands in the job file, in the order of the files. */
static int observe(struct ana_calibration *c, const struct ana_measured *sim,
                   const struct ana_comparison *all, struct sim_err *e)
{
    const struct ana_calibrate_conf *conf = &c->conf;
    c->observed = calloc(all->npairs + 1, sizeof *c->observed);
    if (!c->observed)
        return sim_fail(e, SIM_E_IO, "not enough memory");
    for (unsigned i = 0; i < all->npairs; i++) {
        struct ana_observed *o = &c->observed[c->nobserved++];
        const struct ana_pair *p = &all->pairs[i];
        snprintf(o->section, sizeof o->section, "%s", p->sim->name);
        o->measured = p->measured;
        o->file = p->file;
        o->dir = p->dir;
        o->fitted = (conf->non == 0 || listed(conf->on, conf->non, o->section)) &&
                    !listed(conf->hold, conf->nhold, o->section);
        c->nfitted += o->fitted;
        memcpy(o->before, p->m, sizeof o->before);
        for (unsigned k = 0; o->fitted && k < conf->nmetrics; k++)
            if (o->before[conf->metrics[k]].verdict == ANA_V_ABSENT)
                return sim_fail_at(e, SIM_E_INPUT, o->file, 0, "job '%.100s' does not tell %s",
                                   o->measured->name, ana_metric_names[conf->metrics[k]]);
    }
    for (unsigned i = 0; i < conf->non + conf->nhold; i++) {
        const char *name = i < conf->non ? conf->on[i] : conf->hold[i - conf->non];
        if (!job_named(sim, name))
            return sim_fail(e, SIM_E_INPUT, "no job '%.200s' in %s (--on, --hold-out)", name,
                            conf->jobs);
    }
    return SIM_OK;
}

/* Simulates everything once as it is, and pairs it with what was measured. */
static int begin(struct ana_calibration *c, struct sim_err *e)
{
    struct ana_source src[ANA_CALIBRATE_LIST];
    struct ana_measured *sim = NULL;
    struct ana_comparison all = {0};
    int rc = simulate(c, NULL, false, &sim, e);
    for (unsigned i = 0; i < c->conf.nmeasured; i++)
        src[i] = (struct ana_source){c->conf.measured[i], c->files[i]};
    if (rc == SIM_OK)
        rc = ana_compare(&all, sim, c->conf.jobs, src, c->conf.nmeasured, 0, e);
    for (unsigned i = 0; rc == SIM_OK && i < all.nfindings; i++)
        fprintf(stderr, "hcisim: note: suspect: %s: %s: %s\n", all.findings[i].file,
                all.findings[i].job, all.findings[i].text);
    if (rc == SIM_OK)
        rc = observe(c, sim, &all, e);
    ana_comparison_free(&all);
    ana_measured_free(sim);
    return rc;
}

static int read_knobs(struct ana_calibration *c, struct sim_err *e)
{
    struct hci_layout *lay;
    int rc = load_layout(c, NULL, &lay, e);
    if (rc == SIM_OK && c->conf.nknobs == 0)
        ana_calibrate_offer(c, lay);
    for (unsigned i = 0; rc == SIM_OK && i < c->conf.nknobs; i++)
        rc = ana_knob_read(&c->conf.knobs[i], &c->fit.p[i], lay, e);
    hci_layout_free(lay);
    return rc;
}

static int end(struct ana_calibration *c, struct sim_err *e)
{
    double value[ANA_FIT_MAX];
    struct ana_measured *sim = NULL;
    for (unsigned i = 0; i < c->conf.nknobs; i++)
        value[i] = c->fit.p[i].value;
    int rc = simulate(c, value, false, &sim, e);
    for (unsigned i = 0; rc == SIM_OK && i < c->nobserved; i++)
        metrics(&c->observed[i], sim, c->observed[i].after);
    ana_measured_free(sim);
    return rc;
}

static int check_output(const struct ana_calibrate_conf *c, struct sim_err *e)
{
    if (!c->out)
        return SIM_OK;
    bool same = ana_output_same(c->out, c->layout) || ana_output_same(c->out, c->jobs);
    for (unsigned i = 0; i < c->nmeasured; i++)
        same |= ana_output_same(c->out, c->measured[i]) != 0;
    if (same)
        return sim_fail_at(e, SIM_E_INPUT, c->out, 0, "would overwrite a file it reads");
    int rc = ana_overlay_check(c, e);
    return rc == SIM_OK ? ana_output_try(c->out, e) : rc;
}

static int calibrate(struct ana_calibration *c, struct sim_err *e)
{
    struct ana_calibrate_conf *conf = &c->conf;
    int rc = check_output(conf, e);
    for (unsigned i = 0; rc == SIM_OK && i < conf->nmeasured; i++)
        rc = ana_load(&c->files[i], conf->measured[i], e);
    if (rc == SIM_OK)
        rc = read_knobs(c, e);
    if (rc == SIM_OK)
        rc = begin(c, e);
    c->fit.n = conf->nknobs;
    c->fit.m = c->nfitted * conf->nmetrics;
    c->fit.noise = conf->noise;
    c->fit.eval = evaluate;
    c->fit.ctx = c;
    if (rc == SIM_OK && c->chosen)
        rc = ana_calibrate_choose(c, e);
    if (rc == SIM_OK)
        rc = ana_fit_run(&c->fit, e);
    if (rc == SIM_OK)
        rc = end(c, e);
    if (rc != SIM_OK)
        return rc;
    ana_calibrate_text(stdout, c);
    if (fflush(stdout) != 0 || ferror(stdout))
        return sim_fail(e, SIM_E_IO, "standard output: %s", strerror(errno));
    if (!c->fit.converged)
        return sim_fail(e, SIM_E_NO, "the fit did not settle in %u runs", c->fit.evals);
    return conf->out ? ana_overlay_write(c, e) : SIM_OK;
}

int ana_calibrate_main(int argc, char **argv)
{
    struct sim_err e = {0};
    struct ana_calibration *c = calloc(1, sizeof *c);
    int rc = c ? SIM_OK : sim_fail(&e, SIM_E_IO, "not enough memory");
    if (rc == SIM_OK)
        rc = ana_calibrate_parse(&c->conf, argc, argv, &e);
    if (rc == SIM_OK)
        rc = calibrate(c, &e);
    if (rc != SIM_OK)
        ana_err_print(stderr, &e);
    for (unsigned i = 0; c && i < ANA_CALIBRATE_LIST; i++)
        ana_measured_free(c->files[i]);
    if (c)
        free(c->observed);
    free(c);
    return rc;
}
