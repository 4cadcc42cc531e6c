/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Replications side by side: what one costs while others run, over what it costs
 * alone. They share nothing but what nobody writes, so a ratio above 1 is the
 * machine's (shared caches, memory, two threads on a core), or a fault: false
 * sharing, the allocator, a lock. Two loops that touch no shared line tell the
 * machine's part: one in registers, one over 512 KiB of the thread's own.
 *
 * CPU time of the thread, so a busy machine disturbs little; alone and together
 * run in turn.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "hci_run.h"
#include "sim_rng.h"
#include "workload/hci_job.h"

#define THREADS_MAX 8
#define PATH_IOS 400000
#define OWN_WORDS (64 << 10) /* 512 KiB */

/* ---- what is repeated ---- */

static double in_registers(const void *arg)
{
    const unsigned n = *(const unsigned *)arg;
    uint64_t x = 1;
    double start = bench_thread_now();
    for (unsigned i = 0; i < n; i++)
        x = sim_mix(x + i);
    double ns = (bench_thread_now() - start) / n;
    bench_check(x != 0, "a mix of 0");
    return ns;
}

static double in_own_memory(const void *arg)
{
    const unsigned n = *(const unsigned *)arg;
    uint64_t *own = calloc(OWN_WORDS, sizeof *own), x = 1;
    bench_check(own != NULL, "memory");
    double start = bench_thread_now();
    for (unsigned i = 0; i < n; i++) {
        x = sim_mix(x + i);
        own[x % OWN_WORDS] += x;
    }
    double ns = (bench_thread_now() - start) / n;
    free(own);
    return ns;
}

struct story { /* loaded once, as hci_run's threads share it */
    struct hci_layout *layout;
    struct hci_jobfile *jobs;
};

/* ns of the calling thread per guest I/O. */
static double story_once(const void *arg)
{
    const struct story *s = arg;
    struct sim_err e = {0};
    struct hci_result *r = NULL;
    const struct hci_run_opts opts = {.seed = 1};
    double start = bench_thread_now();
    bench_check(hci_run_once(s->layout, s->jobs, &opts, &r, &e) == 0, e.text);
    double ns = (bench_thread_now() - start) / (double)r->jobs[0].dir[HCI_DIR_WRITE].ios;
    hci_result_free(r);
    return ns;
}

/* ---- side by side ---- */

struct team {
    pthread_barrier_t begin;
    bench_fn *run;
    const void *arg;
};

struct member {
    struct team *team;
    double ns;
};

static void *take_part(void *ctx)
{
    struct member *m = ctx;
    pthread_barrier_wait(&m->team->begin);
    m->ns = m->team->run(m->team->arg);
    return NULL;
}

/* Mean cost of a run while n of them run. */
static double together(bench_fn *run, const void *arg, unsigned n)
{
    pthread_t thread[THREADS_MAX];
    struct member m[THREADS_MAX];
    struct team team = {.run = run, .arg = arg};
    double sum = 0;
    bench_check(pthread_barrier_init(&team.begin, NULL, n) == 0, "a barrier");
    for (unsigned i = 0; i < n; i++) {
        m[i].team = &team;
        bench_check(pthread_create(&thread[i], NULL, take_part, &m[i]) == 0, "a thread");
    }
    for (unsigned i = 0; i < n; i++) {
        pthread_join(thread[i], NULL);
        sum += m[i].ns;
    }
    pthread_barrier_destroy(&team.begin);
    return sum / n;
}

struct side { /* a case of bench_run */
    bench_fn *run;
    const void *arg;
    unsigned n;
};

static double run_side(const void *arg)
{
    const struct side *s = arg;
    return together(s->run, s->arg, s->n);
}

/* Two at once over one alone. */
static void compare(const char *name, bench_fn *run, const void *arg, const char *limit)
{
    const struct side alone = {run, arg, 1}, both = {run, arg, 2};
    struct bench_case c[2] = {{"", run_side, &alone, 0}, {"", run_side, &both, 0}};
    char text[96];
    bench_run(c, 2);
    snprintf(text, sizeof text, "two at once, each / one alone: %s", name);
    bench_report(text, c[1].median / c[0].median, "ratio", limit);
}

/* ---- replications of hci_run, by wall clock ---- */

static double wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

struct reps {
    const struct story *story;
    unsigned threads;
};

#define REPS 4

static double run_reps(const void *arg)
{
    const struct reps *x = arg;
    struct sim_err e = {0};
    struct hci_result *r = NULL;
    const struct hci_run_opts opts = {.seed = 1, .reps = REPS, .threads = x->threads};
    double start = wall();
    bench_check(hci_run(x->story->layout, x->story->jobs, &opts, &r, &e) == 0, e.text);
    double ns = wall() - start;
    hci_result_free(r);
    return ns;
}

static void scale_threads(const struct story *story)
{
    const struct reps x[] = {{story, 1}, {story, 2}, {story, 4}};
    struct bench_case c[3] = {{"", run_reps, &x[0], 0}, {"", run_reps, &x[1], 0},
                              {"", run_reps, &x[2], 0}};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    char text[96];
    bench_run(c, 3);
    bench_report("processors", (double)processors, "", "");
    for (unsigned i = 1; i < 3; i++) {
        snprintf(text, sizeof text, "%d replications, %u threads: faster by wall clock", REPS,
                 x[i].threads);
        bench_report(text, c[0].median / c[i].median, "times", "");
    }
}

void bench_threads(void)
{
    static const unsigned steps = 30000000;
    static const uint64_t ios = PATH_IOS;
    const char *path = "tests/bench/story1.fio", *sections[] = {"write", NULL};
    const struct hci_job_final brief = {NULL, "runtime=1"};
    const struct hci_jobfile_opts opts = {.sections = sections, .finals = &brief, .nfinals = 1};
    struct story s = {0};
    struct sim_err e = {0};
    bench_check(hci_layout_load(&s.layout, "configs/layouts/story1-baseline.cfg", NULL, 0, &e) == 0,
                e.text);
    bench_check(hci_jobfile_load(&s.jobs, &path, 1, &opts, NULL, &e) == 0, e.text);
    bench_path_ready();
    compare("a loop in registers", in_registers, &steps, "");
    compare("a loop over 512 KiB of its own", in_own_memory, &steps, "");
    compare("bare write path", bench_path_once, &ios, "<= 1.1");
    compare("story 1 random write", story_once, &s, "<= 1.3");
    scale_threads(&s);
    hci_jobfile_free(s.jobs);
    hci_layout_free(s.layout);
}
