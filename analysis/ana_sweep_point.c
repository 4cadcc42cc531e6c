/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_point.c: from a point's number to its row.
 */
#include "ana_sweep_work.h"

#include "ana_hdf5.h"
#include "hci_run.h"

#include <stdio.h>
#include <string.h>

static void choose(struct ana_choice *c, const struct ana_axis *axis, const char *value)
{
    const char *key = axis->key;
    if (axis->kind == ANA_AXIS_LAYOUT) {
        c->path = value;
        return;
    }
    if (axis->kind == ANA_AXIS_ASSIGN) {
        const char *eq = strchr(value, '=');
        if (!eq)
            return; /* the base */
        key = sim_arena_printf(c->arena, "%.*s", (int)(eq - value), value);
        value = eq + 1;
    }
    ana_sweep_assign(c->sets, &c->nsets, c->finals, &c->nfinals, key, value, c->arena);
}

void ana_choice_init(struct ana_choice *c, const struct ana_subject *s, const unsigned *index,
                     int only)
{
    const struct ana_sweep_conf *conf = s->conf;
    c->path = conf->layout;
    c->arena = sim_arena_create(4096);
    c->nsets = conf->nsets;
    c->nfinals = conf->nfinals;
    memcpy(c->sets, conf->sets, conf->nsets * sizeof *c->sets);
    memcpy(c->finals, conf->finals, conf->nfinals * sizeof *c->finals);
    for (unsigned i = 0; i < s->plan.space.naxes; i++)
        if (only < 0 || only == (int)i)
            choose(c, &s->plan.space.axis[i], ana_plan_value(&s->plan, index, i));
}

void ana_choice_fini(struct ana_choice *c)
{
    sim_arena_free(c->arena);
    c->arena = NULL;
}

int ana_choice_layout(const struct ana_choice *c, struct hci_layout **out, struct sim_err *e)
{
    return hci_layout_load(out, c->path, c->sets, c->nsets, e);
}

int ana_choice_jobs(const struct ana_choice *c, const struct ana_subject *s,
                    struct hci_jobfile **out, struct sim_err *e)
{
    const struct ana_sweep_conf *conf = s->conf;
    struct hci_jobfile_opts opts = { .lenient = conf->lenient, .finals = c->finals,
                                     .nfinals = c->nfinals };
    if (conf->nsections)
        opts.sections = conf->sections;
    return hci_jobfile_load(out, conf->jobs, conf->njobs, &opts, NULL, e);
}

void ana_worker_fini(struct ana_worker *w)
{
    hci_jobfile_free(w->jobs);
    w->jobs = NULL;
    w->has_jobs = false;
}

/* Whether the job file for index is the one the worker has. */
static bool same_jobs(const struct ana_worker *w, const unsigned *index)
{
    const struct ana_space *s = &w->subject->plan.space;
    for (unsigned i = 0; i < s->naxes; i++)
        if (s->axis[i].kind != ANA_AXIS_SET && s->axis[i].kind != ANA_AXIS_LAYOUT &&
            w->index[i] != index[i])
            return false;
    return w->has_jobs;
}

static int worker_jobs(struct ana_worker *w, const struct ana_choice *c, const unsigned *index,
                       const struct hci_jobfile **out, struct sim_err *e)
{
    if (w->subject->jobs) {
        *out = w->subject->jobs;
        return SIM_OK;
    }
    if (!same_jobs(w, index)) {
        ana_worker_fini(w);
        int rc = ana_choice_jobs(c, w->subject, &w->jobs, e);
        if (rc != SIM_OK)
            return rc;
        memcpy(w->index, index, sizeof w->index);
        w->has_jobs = true;
    }
    *out = w->jobs;
    return SIM_OK;
}

static double price_of(const struct ana_sweep_conf *c, const char *name, double otherwise)
{
    for (unsigned i = c->nprices; i-- > 0;)
        if (strcmp(c->prices[i].device, name) == 0)
            return c->prices[i].eur;
    return otherwise;
}

/* What can be said without simulating. */
static void appraise(struct ana_point *p, const struct ana_sweep_conf *c,
                     const struct hci_layout *lay)
{
    struct hci_check check;
    struct sim_err e;
    for (unsigned n = 0; n < lay->nnodes; n++) {
        p->price_eur += price_of(c, "node", 0);
        for (unsigned d = 0; d < lay->nodes[n].ndisks; d++) {
            const struct hci_device_conf *dev = lay->nodes[n].disks[d].device;
            p->price_eur += price_of(c, dev->name, dev->common.price_eur);
            p->watts += dev->common.active_w;
        }
    }
    if (hci_layout_check(lay, &check, &e) != SIM_OK)
        return;
    p->usable_bytes = (double)check.usable_bytes;
    hci_check_free(&check);
}

static int keep_result(struct ana_worker *w, const struct ana_point *p,
                       const struct hci_result *r, struct sim_err *e)
{
    char path[4200];
    if (!w->subject->conf->results)
        return SIM_OK;
    snprintf(path, sizeof path, "%.4000s/point-%llu.h5", w->subject->conf->results,
             (unsigned long long)p->number);
    pthread_mutex_lock(&w->subject->hdf5);
    int rc = ana_hdf5_write(path, r, e);
    pthread_mutex_unlock(&w->subject->hdf5);
    return rc;
}

/* The status says "refused" already, and --force is in the help. */
static void blame(struct ana_point *p, int status, const char *text)
{
    static const char lead[] = "refused by ", *hint = " (--force runs it)";
    size_t n = strlen(text), m = strlen(hint);
    if (strncmp(text, lead, sizeof lead - 1) == 0) {
        text += sizeof lead - 1;
        n -= sizeof lead - 1;
    }
    if (n > m && strcmp(text + n - m, hint) == 0)
        n -= m;
    p->status = status;
    snprintf(p->reason, sizeof p->reason, "%.*s", (int)sim_min(n, sizeof p->reason - 1), text);
}

static int simulate(struct ana_worker *w, struct ana_point *p, const struct hci_layout *lay,
                    const struct hci_jobfile *jobs, struct sim_err *e)
{
    const struct ana_sweep_conf *conf = w->subject->conf;
    struct hci_run_opts opts = { .seed = conf->seed, .force = conf->force, .reps = conf->reps,
                                 .precision = conf->precision,
                                 .interrupted = w->subject->interrupted };
    struct hci_result *r = NULL;
    int rc = hci_run(lay, jobs, &opts, &r, e);
    if (rc == SIM_OK) {
        ana_point_fill(p, r);
        for (unsigned i = 0; i < r->njobs && p->status == ANA_POINT_DONE; i++)
            if (r->jobs[i].error)
                blame(p, ANA_POINT_FAILED, strerror(r->jobs[i].error));
        rc = keep_result(w, p, r, e);
    } else if (rc == SIM_E_NO || rc == SIM_E_INPUT) {
        blame(p, rc == SIM_E_NO ? ANA_POINT_REFUSED : ANA_POINT_INVALID, e->text);
        rc = SIM_OK;
    }
    hci_result_free(r);
    return rc;
}

int ana_worker_run(struct ana_worker *w, struct ana_point *p, struct sim_err *e)
{
    const struct hci_jobfile *jobs = NULL;
    struct hci_layout *lay = NULL;
    struct ana_choice choice;
    p->status = ANA_POINT_DONE;
    p->reason[0] = 0;
    p->price_eur = p->watts = p->usable_bytes = 0;
    p->events = 0;
    p->nrows = 0;
    ana_choice_init(&choice, w->subject, p->index, -1);
    int rc = ana_choice_layout(&choice, &lay, e);
    if (rc == SIM_OK) {
        lay->tables = w->subject->tables;
        appraise(p, w->subject->conf, lay);
        rc = worker_jobs(w, &choice, p->index, &jobs, e);
    }
    if (rc == SIM_OK)
        rc = simulate(w, p, lay, jobs, e);
    else if (rc == SIM_E_INPUT)
        blame(p, ANA_POINT_INVALID, e->text);
    hci_layout_free(lay);
    ana_choice_fini(&choice);
    return rc == SIM_E_INPUT ? SIM_OK : rc;
}
