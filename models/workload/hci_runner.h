/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_runner.h: the jobs of a job file in time, as fio runs them.
 *
 * Modelled: start order (stonewall, wait_for, startdelay), queue depth, ramp,
 * runtime, draining, fsync while running and at the end, reporting groups,
 * passes over the file with a pause between. Each guest of the layout runs the
 * whole file. A trim
 * goes out alone, as fio's engines submit it. Which I/O comes next is the source's business (hci_source.h).
 * Invariants: a job's I/Os in flight never exceed its depth; I/Os issued =
 * recorded + ramp + in flight; the measured window starts at the ramp's end and
 * ends with the last completion.
 */
#ifndef HCI_RUNNER_H
#define HCI_RUNNER_H

#include "hci_run.h"
#include "workload/hci_backlog.h"
#include "workload/hci_depth.h"
#include "workload/hci_goal.h"
#include "workload/hci_job.h"
#include "workload/hci_logs.h"
#include "workload/hci_pace.h"
#include "workload/hci_reap.h"
#include "workload/hci_sampler.h"
#include "workload/hci_skip.h"
#include "workload/hci_source.h"
#include "workload/hci_stats.h"

enum hci_clone_state { HCI_WAITING, HCI_RUNNING, HCI_DRAINING, HCI_SYNCING, HCI_DONE };

struct hci_clone { /* one process of a job on one guest */
    struct sim_client client; /* first: the engine knows the clone by it */
    struct hci_runner *runner;
    const struct hci_job *job;
    struct hci_row *row;
    struct hci_source *source;
    struct hci_source *written; /* goes over what source wrote again; NULL: no read phase */
    uint64_t writes;          /* of source so far */
    struct hci_backlog backlog; /* of writes to be read back */
    bool reads_back;          /* the next I/O is one of them */
    unsigned unflushed;       /* files still to be flushed at the end */
    uint64_t replayed;        /* I/Os of the job's trace so far */
    bool verifying;           /* the read phase is on */
    bool mapped;              /* its random map, if it must keep one, is there */
    struct hci_logs *logs;    /* of the row; NULL: none asked for */
    struct hci_samplers *samplers; /* the same; NULL: the row's series tells */
    unsigned guest;
    uint32_t core;            /* station of the core that submits and reaps */
    uint8_t engine;           /* enum hci_host_engine */
    uint8_t state;            /* enum hci_clone_state */
    bool measuring, wrote, syncing;
    bool sync_due;            /* an fsync goes out with the next free slot */
    bool in_ack;              /* the completion being handled issues the next I/O */
    unsigned in_flight;
    unsigned unsynced;        /* writes since the last fsync */
    uint64_t key, issued;
    uint64_t expected_bytes, done_bytes; /* for progress */
    sim_time start, deadline; /* deadline: SIM_NEVER without a runtime */
    struct hci_pace pace;
    struct hci_depth depth;
    struct hci_reap *reap;    /* NULL: each I/O is taken as it ends */
    struct hci_goal goal;
    sim_time wake_at;         /* it rests until then; SIM_NEVER: it does not */
    bool quiescing;           /* its queue drains before it rests */
    bool broken;              /* it ends in error */
    bool told_to_end;         /* by another; it ends without more I/O */
    sim_time start_at;        /* startdelay: when it starts */
    unsigned flow;            /* 1 + index in hci_runner.flows; 0: none */
    uint64_t flow_count;      /* I/Os its flow let through */
    bool flow_held, flow_passed; /* it waits for the others; the next may go */
    bool end_armed;           /* a timer wakes it at its deadline, should it be held then */
    uint64_t window_issued, window_done; /* issued, done_bytes when the window opened */
    uint64_t skipped;         /* I/Os of the present skip */
};

struct hci_window { /* all books at one moment */
    struct sim_station_books *station;
    struct sim_gate *gate;
    double *gauge;
    struct hci_commands {
        uint64_t reads, writes;
    } * device; /* [ndevices] */
};

struct hci_row { /* one block of the report */
    struct hci_runner *runner;
    const struct hci_job *job; /* first of the group */
    unsigned nclones, running, begun;
    bool unmapped;             /* some clone's random map was too large to keep */
    struct hci_stats stats;
    struct hci_logs *logs;     /* of all its clones */
    struct hci_samplers *samplers; /* the same */
    sim_time start, ramp_end, io_end, end;
    struct hci_window from, to;
    struct hci_window mark;    /* where the present window opened; all NULL: none */
    double *paused;            /* counters before a skip */
    uint64_t last_acked, quiet; /* samples in which nothing completed */
    int error;                 /* errno-like, of the first clone that failed; 0: none */
    char why[160];             /* what went wrong */
    sim_time skipped_before;   /* by the cluster, before this row */
    sim_time next_sample;      /* by the cluster's clock */
    unsigned windows, strata;
    char stopped[160];
    unsigned nsamples, cap_samples;
    double *samples;           /* [nsamples x gauges] at interval ends */
};

struct hci_runner {
    struct hci_cluster *cluster;
    const struct hci_jobfile *jobs;
    const struct hci_run_opts *opts;
    uint64_t *file_bytes, *file_base; /* [nfiles] on the guest's volume */
    uint64_t volume_bytes;     /* all files of one guest */
    unsigned nclones, nrows, pass;
    struct hci_clone *clones;
    struct hci_row *rows;      /* of this pass */
    void (*pass_done)(struct hci_runner *r); /* keeps or frees the rows */
    void *ctx;
    struct hci_flow *flows;    /* [nflows] hci_company.h */
    unsigned nflows;
    bool exitall, all_told;    /* some job says exitall; everybody was told to end */
    bool interrupted;
    bool stuck;                /* I/Os under way and none completes */
    uint32_t log_room;         /* entries logs may still keep */
    uint64_t map_room;         /* blocks random maps may still count */
    struct hci_skip skip;
};

#define HCI_MAP_ROOM (1ULL << 31) /* blocks of all random maps kept: 256 MiB */
#define HCI_INTERVAL_NS HCI_SAMPLE_NS
#define HCI_STUCK_NS (600 * SIM_S) /* no completion for so long: no device is that slow */

/* Sizes and places the files, creates the clones. SIM_OK or SIM_E_INPUT. */
int hci_runner_init(struct hci_runner *r, struct hci_cluster *c, const struct hci_jobfile *jobs,
                    const struct hci_run_opts *opts, struct sim_err *e);
/* The row's books start now. */
void hci_row_measure(struct hci_row *row);

/* Simulated seconds until the row is done, if all goes on as it went; at least
 * 1 while it runs, else 0. */
double hci_row_eta_s(const struct hci_row *row);

/* Starts a pass now; hci_runner.pass_done is called at its end, inside the run. */
int hci_runner_start(struct hci_runner *r, struct sim_err *e);
void hci_runner_fini(struct hci_runner *r);
/* hci_rows.c: rows of this pass, which clone reports where, and who logs. */
void hci_rows_assign(struct hci_runner *r);
void hci_rows_free(struct hci_row *rows, unsigned n);

/* hci_sample.c: the row's (ctx) gauges and progress, now and at every interval
 * until it is done. */
void hci_row_sample(struct sim *s, void *ctx);
/* Samples the gauges of every running row whose time has come. */
void hci_runner_sample(struct hci_runner *r);

/* hci_window.c: all books now; what it allocates hci_window_free frees. */
void hci_window_take(const struct hci_runner *r, struct hci_window *w);
void hci_window_free(struct hci_window *w);
/* A window of the row opens; one of `window` ns stands for `ns` more; the
 * counters' motion between pause and resume is not the row's. */
void hci_window_mark(const struct hci_runner *r, struct hci_row *row);
void hci_window_scale(const struct hci_runner *r, struct hci_row *row, sim_time ns,
                      sim_time window);
void hci_window_pause(struct hci_runner *r);
void hci_window_resume(struct hci_runner *r);

/* hci_files.c: sizes every file from the jobs that use it and lays them out one
 * behind the other; allocates the two arrays. */
int hci_files_place(struct hci_runner *r, struct sim_err *e);

#endif
