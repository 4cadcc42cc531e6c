/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_work.h: one point at a time, and many workers at it.
 *
 * A subject is what all points share, read-only once it is ready: command line,
 * plan, the parsed job file. A worker simulates points, one after another, and
 * holds nothing of one when it starts the next. A crew hands points out in
 * ascending order and puts what comes back into the journal; threads and the
 * ranks of MPI take from the same crew.
 * Invariants: what a point gives depends on its number and the plan alone; a
 * point is handed out once.
 */
#ifndef ANA_SWEEP_WORK_H
#define ANA_SWEEP_WORK_H

#include "ana_sweep.h"
#include "ana_sweep_journal.h"
#include "ana_sweep_plan.h"
#include "hci_tables.h"

#include <pthread.h>

struct ana_subject {
    const struct ana_sweep_conf *conf;
    struct ana_plan plan;
    struct sim_arena *arena;
    char catalogue[1024];     /* directory */
    struct hci_jobfile *jobs; /* shared by all points; NULL when an axis changes jobs */
    const char **job_name;    /* [njobs], in file order */
    unsigned njobs;
    struct hci_tables *tables; /* distributions all points share */
    pthread_mutex_t hdf5;     /* the library is no good with threads */
    const volatile int *interrupted;
};

/* Reads the layout and the job file, makes the plan and tries every value alone:
 * an axis none of whose values works is an error; single ones become notes on
 * stderr when `notes` is set. s->conf is set by the caller. (ana_sweep_subject.c) */
int ana_subject_init(struct ana_subject *s, bool notes, struct sim_err *e);
void ana_subject_fini(struct ana_subject *s);

struct ana_worker {
    struct ana_subject *subject;
    struct hci_jobfile *jobs; /* its own, for the values in index */
    unsigned index[ANA_AXES_MAX];
    bool has_jobs;
};

void ana_worker_fini(struct ana_worker *w);

/* Simulates p->number with p->index and fills the rest of *p. SIM_OK whatever
 * became of the point; SIM_E_INTERRUPTED; SIM_E_IO. (ana_sweep_point.c) */
int ana_worker_run(struct ana_worker *w, struct ana_point *p, struct sim_err *e);

/* The layout and job options of a point. sets and finals have room for
 * ANA_SWEEP_LIST_MAX + ANA_AXES_MAX; *path is the layout file. */
struct ana_choice {
    const char *path;
    struct hci_set sets[ANA_SWEEP_LIST_MAX + ANA_AXES_MAX];
    struct hci_job_final finals[ANA_SWEEP_LIST_MAX + ANA_AXES_MAX];
    unsigned nsets, nfinals;
    struct sim_arena *arena;
};
/* Only axis `only` counts unless it is -1. Free with ana_choice_fini. */
void ana_choice_init(struct ana_choice *c, const struct ana_subject *s, const unsigned *index,
                     int only);
void ana_choice_fini(struct ana_choice *c);
int ana_choice_layout(const struct ana_choice *c, struct hci_layout **out, struct sim_err *e);
int ana_choice_jobs(const struct ana_choice *c, const struct ana_subject *s,
                    struct hci_jobfile **out, struct sim_err *e);

struct ana_crew {
    struct ana_subject *subject;
    struct ana_journal *journal;
    struct ana_cursor cursor;
    pthread_mutex_t lock;
    uint64_t next, begun, todo, events; /* begun: done at the start; todo: to be done in all */
    bool stop;
    int status;                         /* first failure; SIM_OK: none */
    struct sim_err err;
    double started_s, shown_s;
    bool show, terminal;
    unsigned char *buf;                 /* for packing */
    size_t buf_bytes;
};

void ana_crew_init(struct ana_crew *c, struct ana_subject *s, struct ana_journal *j);
void ana_crew_fini(struct ana_crew *c);

/* The next point (number and index); false when there is none or it is time to
 * stop. Any thread. */
bool ana_crew_take(struct ana_crew *c, struct ana_point *p);
/* A finished one. */
void ana_crew_give(struct ana_crew *c, const struct ana_point *p);
/* A finished one of `number`, packed. */
void ana_crew_give_packed(struct ana_crew *c, uint64_t number, const void *bytes, size_t n);
/* The first failure stops the crew; it is kept. */
void ana_crew_fail(struct ana_crew *c, int status, const struct sim_err *e);

/* Starts `threads` workers; the second waits for them. Between the two the
 * caller may serve other ranks. */
pthread_t *ana_crew_start(struct ana_crew *c, unsigned threads);
void ana_crew_wait(struct ana_crew *c, pthread_t *threads, unsigned n);

/* After the work: the crew's status, SIM_E_INTERRUPTED with its line, or SIM_OK. */
int ana_crew_status(struct ana_crew *c, struct sim_err *e);

#endif
