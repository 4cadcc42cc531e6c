/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hcisim_bench [--table] [SECTION...]: measures the engine, prints JSON (or a
 * table) on standard output. Sections: hold, path, model, profile, scale, threads;
 * all when none is named. Starts in the source tree.
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool table;
static unsigned figures;

static double read_clock(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

double bench_now(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double bench_thread_now(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_run(struct bench_case *cases, unsigned n)
{
    double *sample = calloc((size_t)n * BENCH_REPS, sizeof *sample);
    bench_check(sample != NULL, "memory");
    for (unsigned r = 0; r < BENCH_REPS; r++)
        for (unsigned i = 0; i < n; i++)
            sample[i * BENCH_REPS + r] = cases[i].run(cases[i].arg);
    for (unsigned i = 0; i < n; i++) {
        qsort(sample + i * BENCH_REPS, BENCH_REPS, sizeof *sample, by_value);
        cases[i].median = sample[i * BENCH_REPS + BENCH_REPS / 2];
    }
    free(sample);
}

void bench_report(const char *name, double value, const char *unit, const char *limit)
{
    if (table) {
        printf("%-52s %10.3f  %-12s %s\n", name, value, unit, limit);
    } else {
        printf("%s\n  {\"name\": \"%s\", \"value\": %.4f, \"unit\": \"%s\"", figures ? "," : "",
               name, value, unit);
        if (*limit)
            printf(", \"limit\": \"%s\"", limit);
        printf("}");
    }
    figures++;
    fflush(stdout);
}

void bench_check(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "hcisim_bench: wrong result: %s\n", what);
    exit(1);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } sections[] = {{"hold", bench_hold},
                  {"path", bench_path},
                  {"model", bench_model},     /* their peak memory is the process's */
                  {"profile", bench_profile},
                  {"scale", bench_path_scale},
                  {"threads", bench_threads}};
    const unsigned n = sizeof sections / sizeof *sections;
    int first = 1;
    if (argc > 1 && strcmp(argv[1], "--table") == 0) {
        table = true;
        first = 2;
    }
    for (int a = first; a < argc; a++) {
        unsigned i = 0;
        while (i < n && strcmp(argv[a], sections[i].name) != 0)
            i++;
        if (i == n) {
            fprintf(stderr, "hcisim_bench: no section '%s'; there are hold, path, model, profile, scale, "
                            "threads\n",
                    argv[a]);
            return 2;
        }
    }
    if (!table)
        printf("{\"benchmarks\": [");
    for (unsigned i = 0; i < n; i++) {
        bool wanted = first == argc;
        for (int a = first; a < argc; a++)
            wanted = wanted || strcmp(argv[a], sections[i].name) == 0;
        if (wanted)
            sections[i].run();
    }
    if (!table)
        printf("\n]}\n");
    return 0;
}
