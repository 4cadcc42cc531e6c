/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_subject.c: reads what all points share, and tries the values.
 */
#include "ana_sweep_work.h"

#include "ana_cli.h"
#include "ana_sweep_sens.h"
#include "ana_version.h"
#include "sim_rng.h"

#include <stdio.h>
#include <string.h>

#define TRIED_MAX 1000 /* values of an axis that are tried alone */

static int check_prices(struct ana_subject *s, struct sim_err *e)
{
    const struct ana_sweep_conf *c = s->conf;
    const char *const *names;
    unsigned n = 0;
    int rc = c->nprices ? hci_catalogue_list(&names, s->catalogue, s->arena, e) : SIM_OK;
    if (rc != SIM_OK || c->nprices == 0)
        return rc;
    while (names[n])
        n++;
    for (unsigned i = 0; i < c->nprices; i++) {
        const char *device = c->prices[i].device;
        unsigned k = 0;
        while (k < n && strcmp(names[k], device) != 0)
            k++;
        if (k < n || strcmp(device, "node") == 0)
            continue;
        const char *near = ana_nearest(device, names, n);
        return sim_fail(e, SIM_E_INPUT, "--price: no device '%.60s'%s%s", device,
                        near ? "; nearest: " : "", near ? near : "");
    }
    return SIM_OK;
}

static int make_space(struct ana_subject *s, const struct hci_layout *base, struct sim_err *e)
{
    const struct ana_sweep_conf *c = s->conf;
    struct ana_space *space = &s->plan.space;
    space->mode = c->zip ? ANA_ZIP : c->sample ? ANA_SAMPLE : ANA_GRID;
    space->naxes = c->nvary;
    for (unsigned i = 0; i < c->nvary; i++) {
        int rc = ana_axis_parse(&space->axis[i], c->vary[i], s->catalogue, s->arena, e);
        if (rc != SIM_OK)
            return rc;
    }
    if (c->sensitivity > 0) {
        space->naxes = 1;
        ana_sens_axis(&space->axis[0], base, c->sensitivity, s->arena);
    }
    if (c->until) {
        const struct ana_axis *x = &space->axis[0];
        for (unsigned k = 0; k < x->n; k++)
            if (!x->number || (k > 0 && x->number[k] <= x->number[k - 1]))
                return sim_fail(e, SIM_E_INPUT, "--until needs ascending numbers of %.60s, e.g. "
                                "1..64", x->key);
    }
    return ana_space_finish(space, c->sample, e);
}

/* One value by itself: SIM_OK, or what is wrong with it. Adds what it leads to
 * to the plan's hash. */
static int try_value(struct ana_subject *s, unsigned axis, unsigned k, struct sim_err *e)
{
    unsigned index[ANA_AXES_MAX] = { 0 };
    struct hci_layout *lay = NULL;
    struct hci_jobfile *jobs = NULL;
    struct ana_choice choice;
    index[axis] = k;
    ana_choice_init(&choice, s, index, (int)axis);
    int rc = s->plan.space.axis[axis].kind == ANA_AXIS_JOB
                 ? ana_choice_jobs(&choice, s, &jobs, e)
                 : ana_choice_layout(&choice, &lay, e);
    if (lay)
        s->plan.inputs_hash = sim_key(s->plan.inputs_hash, ana_hash(lay->text, strlen(lay->text)));
    hci_layout_free(lay);
    hci_jobfile_free(jobs);
    ana_choice_fini(&choice);
    return rc;
}

/* Tries the values of an axis; *bad of *tried do not work, the first is *which. */
static int try_values(struct ana_subject *s, unsigned axis, unsigned tried, unsigned *bad,
                      unsigned *which, struct sim_err *e)
{
    struct sim_err why;
    *bad = *which = 0;
    for (unsigned k = 0; k < tried; k++) {
        int rc = try_value(s, axis, k, &why);
        if (rc != SIM_OK && (rc != SIM_E_INPUT || *bad == 0)) {
            *e = why;
            *which = k;
        }
        if (rc != SIM_OK && rc != SIM_E_INPUT)
            return rc;
        *bad += rc != SIM_OK;
    }
    return SIM_OK;
}

/* A slip in a key spoils every value: an error. One bad value is a row of its own. */
static int try_axis(struct ana_subject *s, unsigned axis, bool notes, struct sim_err *e)
{
    const struct ana_axis *x = &s->plan.space.axis[axis];
    unsigned tried = x->n < TRIED_MAX ? x->n : TRIED_MAX, bad, which;
    struct sim_err why = { 0 };
    int rc = try_values(s, axis, tried, &bad, &which, &why);
    if (rc != SIM_OK) {
        *e = why;
        return rc;
    }
    if (bad == tried)
        return sim_fail(e, SIM_E_INPUT, "--vary %.100s=%.80s: %.500s", x->key, x->value[which],
                        why.text);
    if (bad && notes)
        fprintf(stderr, "hcisim: note: %u of %u values of %s do not work alone; %s: %s\n", bad,
                tried, x->key, x->value[which], why.text);
    return SIM_OK;
}

static void describe(struct ana_subject *s)
{
    const struct ana_sweep_conf *c = s->conf;
    struct sim_arena *a = s->arena;
    char *text = sim_arena_strdup(a, "");
    for (unsigned i = 0; i < c->nsets; i++)
        text = sim_arena_printf(a, "%s--set %s=%s ", text, c->sets[i].key, c->sets[i].value);
    for (unsigned i = 0; i < c->nfinals; i++)
        text = sim_arena_printf(a, "%s--set job.%s%s%s ", text,
                                c->finals[i].section ? c->finals[i].section : "",
                                c->finals[i].section ? "." : "", c->finals[i].option);
    for (unsigned i = 0; i < c->nsections; i++)
        text = sim_arena_printf(a, "%s--section %s ", text, c->sections[i]);
    for (unsigned i = 0; i < c->nprices; i++)
        text = sim_arena_printf(a, "%s--price %s=%.12g ", text, c->prices[i].device,
                                c->prices[i].eur);
    text = sim_arena_printf(a, "%s--precision %.12g --reps %u ", text, 100 * c->precision, c->reps);
    s->plan.options = sim_arena_printf(a, "%s%s%s%s%s", text, c->force ? "--force " : "",
                                       c->lenient ? "--lenient " : "",
                                       c->until ? "--until " : "", c->until ? c->until : "");
    s->plan.version = ana_version();
    s->plan.revision = ana_revision();
    s->plan.seed = c->seed;
    s->plan.sensitivity = c->sensitivity;
}

static int read_jobs(struct ana_subject *s, struct sim_err *e)
{
    static const unsigned index[ANA_AXES_MAX];
    struct ana_choice choice;
    bool varied = false;
    ana_choice_init(&choice, s, index, ANA_AXES_MAX); /* no axis */
    int rc = ana_choice_jobs(&choice, s, &s->jobs, e);
    ana_choice_fini(&choice);
    if (rc != SIM_OK)
        return rc;
    s->plan.jobfile_text = sim_arena_strdup(s->arena, s->jobs->text);
    s->job_name = sim_arena_array(s->arena, s->jobs->njobs + 1, sizeof *s->job_name);
    for (unsigned i = 0; i < s->jobs->njobs; i++)
        s->job_name[s->njobs++] = sim_arena_strdup(s->arena, s->jobs->jobs[i].name);
    for (unsigned i = 0; i < s->plan.space.naxes; i++)
        varied |= s->plan.space.axis[i].kind == ANA_AXIS_JOB;
    if (varied) { /* each worker keeps its own */
        hci_jobfile_free(s->jobs);
        s->jobs = NULL;
    }
    return SIM_OK;
}

int ana_subject_init(struct ana_subject *s, bool notes, struct sim_err *e)
{
    const struct ana_sweep_conf *c = s->conf;
    struct hci_layout *base;
    s->arena = sim_arena_create(64 << 10);
    s->tables = hci_tables_create();
    pthread_mutex_init(&s->hdf5, NULL);
    hci_catalogue_dir(c->layout, s->catalogue, sizeof s->catalogue);
    int rc = hci_layout_load(&base, c->layout, c->sets, c->nsets, e);
    if (rc != SIM_OK)
        return rc;
    s->plan.layout_name = sim_arena_strdup(s->arena, base->name);
    s->plan.layout_text = sim_arena_strdup(s->arena, base->text);
    rc = make_space(s, base, e);
    hci_layout_free(base);
    if (rc == SIM_OK)
        rc = check_prices(s, e);
    if (rc == SIM_OK)
        rc = read_jobs(s, e);
    for (unsigned i = 0; rc == SIM_OK && i < s->plan.space.naxes; i++)
        if (s->plan.space.axis[i].kind != ANA_AXIS_ASSIGN)
            rc = try_axis(s, i, notes, e);
    describe(s);
    return rc;
}

void ana_subject_fini(struct ana_subject *s)
{
    hci_jobfile_free(s->jobs);
    hci_tables_free(s->tables);
    if (s->arena) {
        pthread_mutex_destroy(&s->hdf5);
        sim_arena_free(s->arena);
    }
}
