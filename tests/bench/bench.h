/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench.h: CPU time, medians of interleaved repetitions, and figures out.
 *
 * Time is CPU time of this process, so a busy machine disturbs little; variants
 * that are compared run in turn, so that what disturbs hits all. Figures that
 * carry a limit are ratios where possible: machines differ, ratios less.
 */
#ifndef TESTS_BENCH_H
#define TESTS_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#define BENCH_REPS 7

/* CPU time of this process in ns. */
double bench_now(void);

/* CPU time of the calling thread in ns. */
double bench_thread_now(void);

/* One repetition: returns what is measured, usually ns per operation. */
typedef double bench_fn(const void *arg);

struct bench_case {
    const char *name;
    bench_fn *run;
    const void *arg;
    double median; /* filled in */
};

/* Runs all cases BENCH_REPS times in turn and fills in their medians. */
void bench_run(struct bench_case *cases, unsigned n);

/* One figure. limit: "", or a bound such as "<= 0.5". */
void bench_report(const char *name, double value, const char *unit, const char *limit);

/* Ends the program when a benchmark has computed nonsense. */
void bench_check(bool ok, const char *what);

/* bench_path.c: ns of the calling thread per I/O of the bare path, plan verbs, 96
 * in flight; arg: how many I/Os, uint64_t. Any number of threads at a time, once
 * bench_path_ready has been called. */
void bench_path_ready(void);
double bench_path_once(const void *arg);

void bench_hold(void);
void bench_path(void);
void bench_path_scale(void);
void bench_model(void);
void bench_profile(void);
void bench_threads(void);

#endif
