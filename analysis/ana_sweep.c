/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_sweep.h"

#include "ana_cli.h"
#include "ana_output.h"
#include "ana_progress.h"
#include "ana_sweep_answer.h"
#ifdef HCISIM_MPI
#include "ana_mpi.h"
#endif

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct session { /* everything one call holds */
    struct ana_sweep_conf conf;
    struct ana_subject subject;
    struct ana_journal journal;
    struct ana_view_conf view;
    struct ana_condition until;
    struct ana_metric_ref moved; /* what --sensitivity looks at */
    struct sim_arena *arena;
    int rank, size; /* size 0: no MPI */
};

/* Whether path is one of the files --results writes. */
static bool is_result(const struct ana_sweep_conf *c, const char *path, uint64_t npoints)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    unsigned long long number;
    char name[64], full[4200];
    int end = 0;
    if (!c->results || sscanf(base, "point-%llu.h5%n", &number, &end) != 1 || end == 0 ||
        base[end] || number >= npoints)
        return false;
    snprintf(name, sizeof name, "point-%llu.h5", number);
    snprintf(full, sizeof full, "%.4000s/%s", c->results, name);
    return strcmp(name, base) == 0 && ana_output_same(full, path);
}

static int check_results(const struct ana_sweep_conf *c, uint64_t npoints, struct sim_err *e)
{
    if (c->results && mkdir(c->results, 0777) != 0 && errno != EEXIST)
        return sim_fail_at(e, SIM_E_IO, c->results, 0, "cannot create: %s", strerror(errno));
    if (c->h5 && is_result(c, c->h5, npoints))
        return sim_fail_at(e, SIM_E_INPUT, c->h5, 0, "is where --results puts a point");
    if (is_result(c, c->layout, npoints))
        return sim_fail_at(e, SIM_E_INPUT, c->layout, 0, "--results would overwrite the layout");
    for (unsigned i = 0; i < c->njobs; i++)
        if (is_result(c, c->jobs[i], npoints))
            return sim_fail_at(e, SIM_E_INPUT, c->jobs[i], 0,
                               "--results would overwrite the job file");
    return SIM_OK;
}

static int check_outputs(const struct ana_sweep_conf *c, uint64_t npoints, struct sim_err *e)
{
    int rc = check_results(c, npoints, e);
    if (rc != SIM_OK)
        return rc;
    if (!c->h5)
        return SIM_OK;
    if (ana_output_same(c->h5, c->layout))
        return sim_fail_at(e, SIM_E_INPUT, c->h5, 0, "would overwrite the layout file");
    for (unsigned i = 0; i < c->njobs; i++)
        if (ana_output_same(c->h5, c->jobs[i]))
            return sim_fail_at(e, SIM_E_INPUT, c->h5, 0, "would overwrite the job file");
    return ana_output_try(c->h5, e);
}

static int parse(struct session *s, int argc, char **argv, struct sim_err *e)
{
    const struct ana_sweep_conf *c = &s->conf;
    int rc = ana_sweep_parse(&s->conf, argc, argv, s->arena, e);
    if (rc == SIM_OK)
        rc = ana_view_parse(&s->view, c->sensitivity > 0 ? NULL : c->sort, c->pareto, e);
    if (rc == SIM_OK)
        rc = ana_metric_parse(&s->moved, c->sort ? c->sort : "p99", e);
    if (rc == SIM_OK && c->until)
        rc = ana_condition_parse(&s->until, c->until, e);
    s->view.top = c->top;
    s->view.csv = c->csv;
    return rc;
}

/* The jobs that metrics are asked of exist. */
static int check_metrics(const struct session *s, struct sim_err *e)
{
    const struct ana_metric_ref *asked[] = { &s->view.sort, &s->view.cost, &s->view.goal,
                                             &s->moved, s->conf.until ? &s->until.metric : NULL };
    int rc = SIM_OK;
    for (unsigned i = 0; rc == SIM_OK && i < 5; i++)
        if (asked[i])
            rc = ana_metric_check(asked[i], s->subject.job_name, s->subject.njobs, e);
    return rc;
}

/* The journal of a whole sweep lies beside its result; that of a shard is its
 * result. */
static int open_journal(struct session *s, struct sim_err *e)
{
    const struct ana_sweep_conf *c = &s->conf;
    struct stat st;
    size_t n;
    const char *path = c->h5;
    if (c->h5 && !c->nshards)
        path = stat(c->h5, &st) == 0 && !S_ISREG(st.st_mode)
                   ? NULL
                   : sim_arena_printf(s->arena, "%s.journal", c->h5);
    unsigned char *plan = ana_plan_pack(&s->subject.plan, &n);
    int rc = ana_journal_open(&s->journal, path,
                              c->resume ? ANA_JOURNAL_RESUME : ANA_JOURNAL_NEW, plan, n,
                              s->subject.plan.space.npoints, e);
    free(plan);
    if (rc == SIM_OK && c->resume && s->journal.ndone)
        fprintf(stderr, "hcisim: note: %llu points are done already\n",
                (unsigned long long)s->journal.ndone);
    return rc;
}

static unsigned thread_count(const struct session *s)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (s->conf.threads)
        return s->conf.threads;
    return s->size > 0 || cores < 1 ? 1 : cores > 1024 ? 1024 : (unsigned)cores;
}

static int simulate(struct session *s, struct sim_err *e)
{
    struct ana_crew crew;
    unsigned n = thread_count(s);
    ana_crew_init(&crew, &s->subject, &s->journal);
    pthread_t *threads = ana_crew_start(&crew, n);
#ifdef HCISIM_MPI
    if (s->size > 0)
        ana_mpi_lead(&crew, s->size);
#endif
    ana_crew_wait(&crew, threads, n);
    int rc = ana_crew_status(&crew, e);
    ana_crew_fini(&crew);
    return rc;
}

static int answer(struct session *s, FILE *f, int64_t knee, struct sim_err *e)
{
    const struct ana_plan *plan = &s->subject.plan;
    int rc = SIM_OK, rc_knee = SIM_OK;
    if (s->conf.sensitivity > 0 && !s->conf.csv)
        return ana_sens_print(f, plan, &s->journal, &s->moved, s->conf.top, e);
    rc = ana_sweep_print(f, plan, &s->journal, &s->view, e);
    if (rc == SIM_OK && s->conf.until && !s->conf.csv)
        rc = ana_until_print(f, plan, &s->journal, &s->until, knee, e);
    if (s->conf.until && knee < 0)
        rc_knee = sim_fail(e, SIM_E_NO, "no value meets %s", s->conf.until);
    return rc != SIM_OK ? rc : rc_knee;
}

static int publish(struct session *s, int64_t knee, struct sim_err *e)
{
    int rc = SIM_OK;
    if (s->conf.nshards)
        return SIM_OK; /* the part is the journal itself */
    if (s->conf.h5)
        rc = ana_hdf5_sweep(s->conf.h5, &s->subject.plan, &s->journal, e);
    if (rc != SIM_OK)
        return rc;
    rc = answer(s, stdout, knee, e);
    if ((rc == SIM_OK || rc == SIM_E_NO) && (fflush(stdout) != 0 || ferror(stdout)))
        rc = sim_fail(e, SIM_E_IO, "standard output: %s", strerror(errno));
    return rc;
}

/* Rank 0, or the only process. */
static int lead(struct session *s, struct sim_err *e)
{
    int64_t knee = -1;
    int rc;
    if (s->conf.until)
        rc = ana_until_search(&s->subject, &s->journal, &s->until, &knee, e);
    else
        rc = simulate(s, e);
    if (rc == SIM_OK)
        rc = publish(s, knee, e);
    bool whole = rc == SIM_OK || rc == SIM_E_NO;
    ana_journal_close(&s->journal, whole && !s->conf.nshards);
    return rc;
}

static int session_run(struct session *s, int argc, char **argv, struct sim_err *e)
{
    int rc = parse(s, argc, argv, e);
    if (rc == SIM_OK) {
        s->subject.conf = &s->conf;
        s->subject.interrupted = ana_interrupt_watch();
        rc = ana_subject_init(&s->subject, s->rank == 0, e);
    }
    if (rc == SIM_OK)
        rc = check_metrics(s, e);
    if (rc == SIM_OK && s->rank == 0)
        rc = check_outputs(&s->conf, s->subject.plan.space.npoints, e);
    if (rc == SIM_OK && s->rank == 0)
        rc = open_journal(s, e);
#ifdef HCISIM_MPI
    if (s->size > 0) {
        int worst = ana_mpi_worst(rc);
        if (worst != SIM_OK)
            return rc != SIM_OK || s->rank == 0 ? worst : SIM_OK;
        if (s->rank > 0)
            return s->conf.until ? SIM_OK : ana_mpi_follow(&s->subject);
    }
#endif
    return rc == SIM_OK ? lead(s, e) : rc;
}

int ana_sweep_main(int argc, char **argv)
{
    struct sim_err e = { 0 };
    struct session *s = calloc(1, sizeof *s);
    int rc = SIM_OK;
    if (!s)
        sim_out_of_memory(sizeof *s);
    s->journal.fd = -1;
    s->arena = sim_arena_create(4096);
#ifdef HCISIM_MPI
    if (ana_mpi_wanted())
        rc = ana_mpi_start(&s->rank, &s->size, &e);
#endif
    if (rc == SIM_OK)
        rc = session_run(s, argc, argv, &e);
    if (rc != SIM_OK && s->rank == 0 && e.text[0])
        ana_err_print(stderr, &e);
    ana_journal_close(&s->journal, false);
    ana_subject_fini(&s->subject);
    sim_arena_free(s->arena);
#ifdef HCISIM_MPI
    if (s->size > 0)
        ana_mpi_stop();
#endif
    free(s);
    return rc;
}
