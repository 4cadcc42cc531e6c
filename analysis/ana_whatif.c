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
#define SHORT "50ms" /* a job, when numbers are tried only to see which matter */
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
    const char *runtime, *ramp;
    double precision;
    struct ana_change *list; /* what the threads take from */
    pthread_mutex_t lock;
    unsigned next, n;
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
    char runtime[64], ramp[64];
    snprintf(runtime, sizeof runtime, "runtime=%.31s", c->runtime);
    snprintf(ramp, sizeof ramp, "ramp_time=%.31s", c->ramp);
    const struct hci_job_final finals[] = {
        {NULL, runtime}, {NULL, "time_based=1"}, {NULL, ramp}};
    const struct hci_jobfile_opts how = {
        .lenient = true, .sections = c->sections, .finals = finals, .nfinals = 3};
    const struct hci_run_opts opts = {.seed = c->seed, .force = c->force,
                                      .precision = c->precision, .interrupted = c->interrupted};
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
        if (i >= c->n || *c->interrupted)
            return NULL;
        attempt(c, &c->list[i]);
    }
}

static void run_list(struct crew *c, struct ana_change *list, unsigned count, unsigned threads)
{
    pthread_t t[64];
    unsigned n = 0;
    sigset_t mask, old;
    c->list = list;
    c->n = count;
    c->next = 0;
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

/* Tries every estimated number in short; keeps those that matter. */
static void run_ranges(struct crew *c, const struct hci_layout *lay, unsigned threads)
{
    struct ana_whatif *w = c->w;
    struct crew quick = *c;
    struct sim_err ignored;
    struct ana_change base = {0};
    unsigned n;
    struct ana_change *ends = ana_whatif_ranges(w, lay, &n);
    quick.runtime = SHORT;
    quick.ramp = "10ms";
    quick.precision = 0;
    room(w, &base);
    for (unsigned i = 0; i < n; i++)
        room(w, &ends[i]);
    if (n == 0 || simulate(&quick, &base, &ignored) != SIM_OK)
        return;
    run_list(&quick, ends, n, threads);
    ana_whatif_choose(w, &base, ends, n);
}

static int run_all(struct crew *c, const struct hci_layout *lay, const struct hci_result *x,
                   unsigned threads, struct sim_err *e)
{
    struct ana_whatif *w = c->w;
    ana_whatif_changes(w, lay, x);
    room(w, &w->base);
    int rc = run_base(c, e);
    if (rc != SIM_OK)
        return rc;
    pthread_mutex_init(&c->lock, NULL);
    run_ranges(c, lay, threads);
    for (unsigned i = 0; i < w->nchanges; i++)
        room(w, &w->change[i]);
    run_list(c, w->change, w->nchanges, threads);
    pthread_mutex_destroy(&c->lock);
    return *c->interrupted ? sim_fail(e, SIM_E_INTERRUPTED, "interrupted") : SIM_OK;
}

static int load_and_run(struct ana_whatif *w, const struct hci_result *x, const struct texts *t,
                        unsigned threads, struct sim_err *e)
{
    struct hci_layout *lay = NULL;
    struct crew c = {.w = w, .t = t, .seed = x->seed, .interrupted = ana_interrupt_watch(),
                     .runtime = w->runtime, .ramp = "500ms", .precision = w->precision};
    c.sections = sim_arena_array(w->arena, w->njobs + 1, sizeof *c.sections);
    memcpy(c.sections, w->job, w->njobs * sizeof *c.sections);
    int rc = hci_layout_load(&lay, t->layout, NULL, 0, e);
    if (rc == SIM_OK)
        rc = run_all(&c, lay, x, threads, e);
    hci_layout_free(lay);
    return rc;
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
        rc = load_and_run(w, x, &t, threads, e);
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
