/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "ana_whatif.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ana_num.h"
#include "ana_progress.h"
#include "ana_view.h"
#include "hci_run.h"
#include "workload/hci_job.h"

#define PRECISION 0.05
#define PATH_LEN 1024

/* The stored texts as files, for the readers that want files. */
struct texts {
    char layout[PATH_LEN], jobs[PATH_LEN];
};

struct crew {
    struct ana_whatif *w;
    const struct texts *t;
    const char **sections;
    uint64_t seed;
    int force;
    const volatile int *interrupted;
    pthread_mutex_t lock;
    unsigned next;
};

static int put(char path[PATH_LEN], const char *text, struct sim_err *e)
{
    const char *dir = getenv("TMPDIR");
    snprintf(path, PATH_LEN, "%.900s/hcisim-XXXXXX", dir && dir[0] ? dir : P_tmpdir);
    int fd = mkstemp(path);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    int bad = !f || fputs(text, f) < 0;
    if (f)
        bad |= fclose(f) != 0;
    else if (fd >= 0)
        close(fd);
    if (fd < 0)
        path[0] = '\0';
    return bad ? sim_fail(e, SIM_E_IO, "no temporary file: %s", strerror(errno)) : SIM_OK;
}

static void take_back(const struct texts *t)
{
    if (t->layout[0])
        unlink(t->layout);
    if (t->jobs[0])
        unlink(t->jobs);
}

/* ---- one run ---- */

static void keep(struct ana_whatif *w, struct ana_change *c, const struct hci_result *r)
{
    struct hci_dir_result *all = malloc(sizeof *all);
    if (!all)
        sim_out_of_memory(sizeof *all);
    for (unsigned i = 0; i < w->njobs; i++)
        for (unsigned k = 0; k < r->njobs; k++)
            if (strcmp(r->jobs[k].name, w->job[i]) == 0) {
                ana_dir_merge(&r->jobs[k], all);
                c->iops[i] = ana_job_iops(&r->jobs[k]);
                c->mean_ns[i] = ana_moments_mean(&all->lat_m);
                break;
            }
    free(all);
}

static int simulate(const struct crew *c, struct ana_change *ch, struct sim_err *e)
{
    const char *paths[] = {c->t->jobs};
    char runtime[64];
    snprintf(runtime, sizeof runtime, "runtime=%.31s", c->w->runtime);
    const struct hci_job_final finals[] = {
        {NULL, runtime}, {NULL, "time_based=1"}, {NULL, "ramp_time=500ms"}};
    const struct hci_jobfile_opts how = {
        .lenient = true, .sections = c->sections, .finals = finals, .nfinals = 3};
    const struct hci_run_opts opts = {.seed = c->seed, .force = c->force,
                                      .precision = c->w->precision, .interrupted = c->interrupted};
    struct hci_layout *lay = NULL;
    struct hci_jobfile *jobs = NULL;
    struct hci_result *r = NULL;
    int rc = hci_layout_load(&lay, c->t->layout, ch->sets, ch->nsets, e);
    if (rc == SIM_OK)
        rc = hci_jobfile_load(&jobs, paths, 1, &how, NULL, e);
    if (rc == SIM_OK)
        rc = hci_run(lay, jobs, &opts, &r, e);
    if (rc == SIM_OK)
        keep(c->w, ch, r);
    hci_result_free(r);
    hci_jobfile_free(jobs);
    hci_layout_free(lay);
    return rc;
}

static void attempt(const struct crew *c, struct ana_change *ch)
{
    struct sim_err e = {0};
    ch->status = simulate(c, ch, &e);
    if (ch->status != SIM_OK)
        snprintf(ch->reason, sizeof ch->reason, "%.255s", e.text);
}

/* ---- all of them ---- */

static void *work(void *ctx)
{
    struct crew *c = ctx;
    for (;;) {
        pthread_mutex_lock(&c->lock);
        unsigned i = c->next++;
        pthread_mutex_unlock(&c->lock);
        if (i >= c->w->nchanges || *c->interrupted)
            return NULL;
        attempt(c, &c->w->change[i]);
    }
}

static void run_changes(struct crew *c, unsigned threads)
{
    pthread_t t[64];
    unsigned n = 0;
    sigset_t mask, old;
    sigemptyset(&mask); /* Ctrl-C goes to the main thread */
    sigaddset(&mask, SIGINT);
    pthread_sigmask(SIG_BLOCK, &mask, &old);
    while (n + 1 < threads && n < 64 && pthread_create(&t[n], NULL, work, c) == 0)
        n++;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    work(c);
    while (n > 0)
        pthread_join(t[--n], NULL);
}

static void room(struct ana_whatif *w, struct ana_change *c)
{
    c->iops = sim_arena_array(w->arena, w->njobs, sizeof *c->iops);
    c->mean_ns = sim_arena_array(w->arena, w->njobs, sizeof *c->mean_ns);
}

static void name_jobs(struct ana_whatif *w, const struct hci_result *x)
{
    w->job = sim_arena_array(w->arena, x->njobs + 1, sizeof *w->job);
    for (unsigned i = 0; i < x->njobs; i++) {
        unsigned k = 0;
        while (k < w->njobs && strcmp(w->job[k], x->jobs[i].name) != 0)
            k++;
        if (k == w->njobs)
            w->job[w->njobs++] = sim_arena_strdup(w->arena, x->jobs[i].name);
    }
}

/* The base first: it says whether the stored texts run at all. */
static int run_base(struct crew *c, struct sim_err *e)
{
    struct ana_whatif *w = c->w;
    w->base.status = simulate(c, &w->base, e);
    if (w->base.status == SIM_E_NO) { /* it was forced before */
        c->force = 1;
        w->base.status = simulate(c, &w->base, e);
    }
    if (w->base.status == SIM_OK || w->base.status == SIM_E_INTERRUPTED)
        return w->base.status;
    return sim_fail(e, SIM_E_INPUT, "--what-if: the stored layout or job file does not run again: "
                                    "%.200s", sim_arena_strdup(w->arena, e->text));
}

static int run_all(struct ana_whatif *w, const struct hci_result *x, const struct texts *t,
                   unsigned threads, struct sim_err *e)
{
    struct hci_layout *lay = NULL;
    struct crew c = {.w = w, .t = t, .seed = x->seed, .interrupted = ana_interrupt_watch()};
    c.sections = sim_arena_array(w->arena, w->njobs + 1, sizeof *c.sections);
    memcpy(c.sections, w->job, w->njobs * sizeof *c.sections);
    int rc = hci_layout_load(&lay, t->layout, NULL, 0, e);
    if (rc == SIM_OK)
        ana_whatif_changes(w, lay, x);
    hci_layout_free(lay);
    room(w, &w->base);
    for (unsigned i = 0; i < w->nchanges; i++)
        room(w, &w->change[i]);
    if (rc == SIM_OK)
        rc = run_base(&c, e);
    if (rc != SIM_OK)
        return rc;
    pthread_mutex_init(&c.lock, NULL);
    run_changes(&c, threads);
    pthread_mutex_destroy(&c.lock);
    return *c.interrupted ? sim_fail(e, SIM_E_INTERRUPTED, "interrupted") : SIM_OK;
}

int ana_whatif_run(struct ana_whatif *w, const struct hci_result *x, const char *runtime,
                   unsigned threads, struct sim_err *e)
{
    struct texts t = {"", ""};
    memset(w, 0, sizeof *w);
    w->arena = sim_arena_create(1 << 16);
    w->layout_name = x->layout_name;
    w->precision = PRECISION;
    snprintf(w->runtime, sizeof w->runtime, "%.31s", runtime);
    name_jobs(w, x);
    int rc = put(t.layout, x->layout_text, e);
    if (rc == SIM_OK)
        rc = put(t.jobs, x->jobfile_text, e);
    if (rc == SIM_OK)
        rc = run_all(w, x, &t, threads, e);
    take_back(&t);
    return rc;
}

void ana_whatif_fini(struct ana_whatif *w)
{
    if (w->arena)
        sim_arena_free(w->arena);
    memset(w, 0, sizeof *w);
}

double ana_change_gain(const struct ana_whatif *w, const struct ana_change *c, unsigned job)
{
    return w->base.iops[job] > 0 && c->status == SIM_OK ? c->iops[job] / w->base.iops[job] - 1 : 0;
}
