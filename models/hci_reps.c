/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Replications in threads.
 */
#include "hci_run.h"

#include "hci_verdict.h"
#include "sim_assert.h"
#include "workload/hci_job.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct rep {
    struct team *team;
    struct hci_result *result;
    struct sim_err err;
    double fraction;
    uint64_t ios;
    int status;
    bool done;
};

struct team { /* what the threads share; everything below lock only under it */
    const struct hci_layout *lay;
    const struct hci_jobfile *jobs;
    const struct hci_run_opts *opts;
    pthread_mutex_t lock;
    struct rep *rep;
    unsigned n, next; /* replications; first that nobody has taken */
    unsigned merged;  /* of them in result */
    struct hci_result *result;
    bool failed;
};

static void progress(void *ctx, const struct hci_progress *p)
{
    struct rep *me = ctx;
    struct team *t = me->team;
    struct hci_progress all = *p;
    pthread_mutex_lock(&t->lock);
    me->fraction = p->fraction;
    me->ios = p->ios;
    all.fraction = 0;
    all.ios = 0;
    for (unsigned i = 0; i < t->n; i++) {
        all.fraction += t->rep[i].fraction / t->n;
        all.ios += t->rep[i].ios;
    }
    t->opts->progress(t->opts->progress_ctx, &all);
    pthread_mutex_unlock(&t->lock);
}

/* Merges what is done from the front on, so the order never depends on threads. */
static void merge_ready(struct team *t)
{
    for (; t->merged < t->n && t->rep[t->merged].done; t->merged++) {
        struct rep *r = &t->rep[t->merged];
        if (r->status != SIM_OK)
            return;
        if (!t->result) {
            t->result = r->result;
        } else {
            hci_result_merge(t->result, r->result);
            hci_result_free(r->result);
        }
        r->result = NULL;
    }
}

static void run_one(struct team *t, unsigned i)
{
    struct rep *r = &t->rep[i];
    struct hci_run_opts opts = *t->opts;
    opts.replication += i;
    if (opts.progress) {
        opts.progress = progress;
        opts.progress_ctx = r;
    }
    r->status = hci_run_once(t->lay, t->jobs, &opts, &r->result, &r->err);
    pthread_mutex_lock(&t->lock);
    r->done = true;
    r->fraction = 1;
    t->failed |= r->status != SIM_OK;
    merge_ready(t);
    pthread_mutex_unlock(&t->lock);
}

static void *work(void *ctx)
{
    struct team *t = ctx;
    for (;;) {
        pthread_mutex_lock(&t->lock);
        unsigned i = t->failed ? t->n : t->next++;
        pthread_mutex_unlock(&t->lock);
        if (i >= t->n)
            return NULL;
        run_one(t, i);
    }
}

/* Threads that cannot be had are done without. */
static void run_team(struct team *t, unsigned threads)
{
    pthread_t *thread = calloc(threads, sizeof *thread);
    unsigned started = 0;
    sim_assert(thread != NULL);
    while (started + 1 < threads && pthread_create(&thread[started], NULL, work, t) == 0)
        started++;
    work(t);
    for (unsigned i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    free(thread);
}

/* The first replication that went wrong, in their order, speaks for all. An
 * interrupted run keeps the replications before it, or what there is of it. */
static int conclude(struct team *t, struct sim_err *e)
{
    int status = SIM_OK;
    for (unsigned i = 0; i < t->n && status == SIM_OK; i++) {
        struct rep *r = &t->rep[i];
        status = r->done ? r->status : SIM_OK;
        if (status == SIM_OK)
            continue;
        *e = r->err;
        if (status == SIM_E_INTERRUPTED && !t->result) {
            t->result = r->result;
            r->result = NULL;
        }
    }
    for (unsigned i = 0; i < t->n; i++)
        hci_result_free(t->rep[i].result);
    if (status != SIM_OK && status != SIM_E_INTERRUPTED) {
        hci_result_free(t->result);
        t->result = NULL;
    }
    return status;
}

/* The clock counts ns in 64 bits; half of them leave room for what I/Os take. */
static int check_span(const struct hci_jobfile *jobs, const struct hci_run_opts *opts,
                      struct sim_err *e)
{
    uint64_t passes = opts->repeat > 1 ? opts->repeat : 1;
    unsigned __int128 all = (unsigned __int128)opts->pause_ns * (passes - 1), pass = 0;
    for (unsigned i = 0; i < jobs->njobs; i++)
        pass += (unsigned __int128)jobs->jobs[i].startdelay_max + jobs->jobs[i].ramp_time +
                jobs->jobs[i].runtime;
    all += pass * passes;
    if (all <= INT64_MAX)
        return SIM_OK;
    return sim_fail(e, SIM_E_INPUT, "start delays, ramps, runtimes%s add up to more than the 292 "
                    "years the clock can count", passes > 1 ? ", passes and pauses" : "");
}

int hci_run(const struct hci_layout *lay, const struct hci_jobfile *jobs,
            const struct hci_run_opts *opts, struct hci_result **out, struct sim_err *e)
{
    struct team t = {.lay = lay, .jobs = jobs, .opts = opts, .n = opts->reps > 1 ? opts->reps : 1};
    unsigned threads = opts->threads > 1 ? opts->threads : 1;
    clock_t began = clock();
    *out = NULL;
    if (check_span(jobs, opts, e) != SIM_OK)
        return SIM_E_INPUT;
    t.rep = calloc(t.n, sizeof *t.rep);
    sim_assert(t.rep != NULL && pthread_mutex_init(&t.lock, NULL) == 0);
    for (unsigned i = 0; i < t.n; i++)
        t.rep[i].team = &t;
    run_team(&t, threads < t.n ? threads : t.n);
    int status = conclude(&t, e);
    pthread_mutex_destroy(&t.lock);
    free(t.rep);
    *out = t.result;
    for (unsigned i = 0; t.result && i < t.result->njobs; i++)
        hci_job_conclude(&t.result->jobs[i]);
    if (t.result)
        t.result->cpu_s = (double)(clock() - began) / CLOCKS_PER_SEC;
    return status;
}
