/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_crew.c: hands out points, collects what comes back.
 */
#include "ana_sweep_work.h"

#include "ana_progress.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SHOW_GAP_S 0.5

static double monotonic_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Whether this process is to simulate the point at all. */
static bool mine(const struct ana_crew *c, uint64_t point)
{
    const struct ana_sweep_conf *conf = c->subject->conf;
    return !conf->nshards || point % conf->nshards == conf->shard - 1;
}

void ana_crew_init(struct ana_crew *c, struct ana_subject *s, struct ana_journal *j)
{
    memset(c, 0, sizeof *c);
    c->subject = s;
    c->journal = j;
    c->begun = j->ndone;
    ana_cursor_init(&c->cursor, &s->plan.space);
    pthread_mutex_init(&c->lock, NULL);
    for (uint64_t i = 0; i < s->plan.space.npoints; i++)
        c->todo += mine(c, i);
    c->terminal = isatty(STDERR_FILENO) != 0;
    c->show = s->conf->eta == ANA_ETA_ALWAYS || (s->conf->eta == ANA_ETA_AUTO && c->terminal);
    c->started_s = c->shown_s = monotonic_s();
}

void ana_crew_fini(struct ana_crew *c)
{
    if (c->show && c->terminal)
        fprintf(stderr, "\r%-79s\r", "");
    ana_cursor_fini(&c->cursor);
    pthread_mutex_destroy(&c->lock);
    free(c->buf);
}

bool ana_crew_take(struct ana_crew *c, struct ana_point *p)
{
    bool found = false;
    pthread_mutex_lock(&c->lock);
    uint64_t n = c->subject->plan.space.npoints;
    c->stop |= c->subject->interrupted && *c->subject->interrupted;
    while (c->next < n && (!mine(c, c->next) || ana_journal_has(c->journal, c->next)))
        c->next++;
    if (!c->stop && c->next < n) {
        p->number = c->next++;
        ana_cursor_at(&c->cursor, p->number, p->index);
        found = true;
    }
    pthread_mutex_unlock(&c->lock);
    return found;
}

/* Under the lock. */
static void show(struct ana_crew *c)
{
    double now = monotonic_s();
    if (!c->show || now - c->shown_s < SHOW_GAP_S)
        return;
    uint64_t done = c->journal->ndone, new = done - c->begun;
    double rate = (double)new / (now - c->started_s);
    double left = rate > 0 ? (double)(c->todo - done) / rate : 0;
    c->shown_s = now;
    fprintf(stderr, "%s%llu of %llu points  %.3g points/s  eta %.0f:%02.0f%s",
            c->terminal ? "\r" : "", (unsigned long long)done, (unsigned long long)c->todo, rate,
            (double)((uint64_t)left / 60), (double)((uint64_t)left % 60),
            c->terminal ? "   " : "\n");
    fflush(stderr);
}

/* Under the lock. */
static void store(struct ana_crew *c, uint64_t number, const void *bytes, size_t n)
{
    struct sim_err e;
    int rc = ana_journal_append(c->journal, number, bytes, n, &e);
    if (rc != SIM_OK && c->status == SIM_OK) {
        c->status = rc;
        c->err = e;
        c->stop = true;
    }
    show(c);
}

void ana_crew_give(struct ana_crew *c, const struct ana_point *p)
{
    pthread_mutex_lock(&c->lock);
    size_t n = ana_point_pack(p, c->subject->plan.space.naxes, &c->buf, &c->buf_bytes);
    c->events += p->events;
    store(c, p->number, c->buf, n);
    pthread_mutex_unlock(&c->lock);
}

void ana_crew_give_packed(struct ana_crew *c, uint64_t number, const void *bytes, size_t n)
{
    pthread_mutex_lock(&c->lock);
    store(c, number, bytes, n);
    pthread_mutex_unlock(&c->lock);
}

void ana_crew_fail(struct ana_crew *c, int status, const struct sim_err *e)
{
    pthread_mutex_lock(&c->lock);
    c->stop = true;
    if (c->status == SIM_OK) {
        c->status = status;
        c->err = *e;
    }
    pthread_mutex_unlock(&c->lock);
}

static void *work(void *ctx)
{
    struct ana_crew *c = ctx;
    struct ana_worker w = { .subject = c->subject };
    struct ana_point p = { 0 };
    while (ana_crew_take(c, &p)) {
        struct sim_err e = { 0 };
        int rc = ana_worker_run(&w, &p, &e);
        if (rc == SIM_OK)
            ana_crew_give(c, &p);
        else
            ana_crew_fail(c, rc, &e);
    }
    ana_point_fini(&p);
    ana_worker_fini(&w);
    return NULL;
}

pthread_t *ana_crew_start(struct ana_crew *c, unsigned threads)
{
    pthread_t *t = calloc(threads + 1, sizeof *t);
    sigset_t mask, old;
    if (!t)
        sim_out_of_memory(threads * sizeof *t);
    sigemptyset(&mask); /* Ctrl-C goes to the main thread */
    sigaddset(&mask, SIGINT);
    pthread_sigmask(SIG_BLOCK, &mask, &old);
    for (unsigned i = 0; i < threads; i++) {
        int why = pthread_create(&t[i], NULL, work, c);
        if (why) {
            struct sim_err e;
            sim_fail(&e, SIM_E_IO, "cannot start a thread: %s", strerror(why));
            ana_crew_fail(c, SIM_E_IO, &e);
            t[i] = pthread_self(); /* marks the end */
            break;
        }
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return t;
}

void ana_crew_wait(struct ana_crew *c, pthread_t *threads, unsigned n)
{
    (void)c;
    for (unsigned i = 0; i < n && !pthread_equal(threads[i], pthread_self()); i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

int ana_crew_status(struct ana_crew *c, struct sim_err *e)
{
    bool interrupted = c->subject->interrupted && *c->subject->interrupted;
    if (c->status != SIM_OK && c->status != SIM_E_INTERRUPTED) {
        *e = c->err;
        return c->status;
    }
    if (!interrupted && c->status == SIM_OK)
        return SIM_OK;
    return sim_fail(e, SIM_E_INTERRUPTED, "interrupted, %llu of %llu points are done%s",
                    (unsigned long long)c->journal->ndone, (unsigned long long)c->todo,
                    c->journal->path ? "; --resume continues" : "");
}
