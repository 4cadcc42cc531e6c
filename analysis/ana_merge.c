/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_merge.c: the verb merge: parts of one sweep become its result.
 */
#include "ana_sweep.h"

#include "ana_cli.h"
#include "ana_output.h"
#include "ana_sweep_answer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PARTS_MAX 65536

enum key { KEY_OUT = 'o', KEY_CSV = 256, KEY_SORT, KEY_TOP, KEY_PARETO, KEY_PARTIAL };

static const struct argp_option options[] = {
    { "out", KEY_OUT, "FILE.h5", 0, "write the table as HDF5", 0 },
    { "partial", KEY_PARTIAL, NULL, 0, "accept that points are missing", 0 },
    { "csv", KEY_CSV, NULL, 0, "print the table as CSV, every point", 0 },
    { "sort", KEY_SORT, "METRIC", 0, "best first, e.g. p99 or iops@job", 0 },
    { "top", KEY_TOP, "N", 0, "points printed (default 40; 0: all)", 0 },
    { "pareto", KEY_PARETO, "COST,GOAL", 0, "print the Pareto front, e.g. price,p99", 0 },
    { 0 },
};

struct session {
    const char **part, *h5, *sort, *pareto;
    unsigned nparts;
    bool csv, partial;
    unsigned long long top;
    struct ana_view_conf view;
    struct ana_plan plan;
    struct ana_journal all; /* of every part, in a temporary file */
    struct sim_arena *arena;
    struct sim_err *err;
};

static int add_part(struct session *s, const char *path)
{
    if (s->nparts == PARTS_MAX)
        return sim_fail(s->err, SIM_E_INPUT, "more than %d parts", PARTS_MAX);
    if ((s->nparts & (s->nparts - 1)) == 0) {
        const char **more = realloc(s->part, 2 * (s->nparts + 1) * sizeof *more);
        if (!more)
            sim_out_of_memory(s->nparts * sizeof *more);
        s->part = more;
    }
    s->part[s->nparts++] = path;
    return SIM_OK;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct session *s = state->input;
    int code = SIM_OK;
    switch (key) {
    case KEY_OUT: s->h5 = arg; break;
    case KEY_CSV: s->csv = true; break;
    case KEY_PARTIAL: s->partial = true; break;
    case KEY_SORT: s->sort = arg; break;
    case KEY_PARETO: s->pareto = arg; break;
    case KEY_TOP:
        if (!ana_parse_u64(arg, ANA_POINTS_MAX, &s->top))
            code = sim_fail(s->err, SIM_E_INPUT, "--top wants a number, not '%.100s'", arg);
        break;
    case ARGP_KEY_ARG: code = add_part(s, arg); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return code == SIM_OK ? 0 : EINVAL;
}

static int parse(struct session *s, int argc, char **argv)
{
    static const struct argp parser = {
        options, parse_option, "PART...",
        "Puts together the parts of one sweep: what --shard wrote, or journals of sweeps that "
        "were stopped.\v"
        "The result is that of the same sweep run in one go. Exit status: 0 done; 1 points are "
        "missing; 2 bad usage or input; 3 could not read or write.",
        NULL, NULL, NULL
    };
    s->top = ANA_SWEEP_TOP;
    int rc = ana_parse(&parser, argc, argv, s, s->err);
    if (rc == SIM_OK && s->nparts == 0)
        rc = sim_fail(s->err, SIM_E_INPUT, "merge needs the parts of a sweep");
    for (unsigned i = 0; rc == SIM_OK && s->h5 && i < s->nparts; i++)
        if (ana_output_same(s->h5, s->part[i]))
            rc = sim_fail_at(s->err, SIM_E_INPUT, s->h5, 0, "would overwrite a part");
    if (rc == SIM_OK)
        rc = ana_view_parse(&s->view, s->sort, s->pareto, s->err);
    s->view.top = s->top;
    s->view.csv = s->csv;
    if (rc == SIM_OK && s->h5)
        rc = ana_output_try(s->h5, s->err);
    return rc;
}

/* The first part says what sweep it is. */
static int begin(struct session *s, const struct ana_journal *first, const char *path)
{
    if (!ana_plan_unpack(&s->plan, first->plan, first->plan_bytes, s->arena))
        return sim_fail_at(s->err, SIM_E_INPUT, path, 0, "is a part of another version");
    return ana_journal_open(&s->all, NULL, ANA_JOURNAL_NEW, first->plan, first->plan_bytes,
                            s->plan.space.npoints, s->err);
}

static int copy_points(struct session *s, struct ana_journal *part)
{
    int rc = ana_journal_scan(part, s->plan.space.npoints, s->err);
    for (uint64_t i = 0; rc == SIM_OK && i < part->npoints; i++) {
        const unsigned char *bytes;
        size_t n;
        if (!ana_journal_has(part, i))
            continue;
        rc = ana_journal_get(part, i, &bytes, &n, s->err);
        if (rc == SIM_OK)
            rc = ana_journal_append(&s->all, i, bytes, n, s->err);
    }
    return rc;
}

static int add_journal(struct session *s, const char *path)
{
    struct ana_journal part;
    int rc = ana_journal_open(&part, path, ANA_JOURNAL_READ, NULL, 0, 0, s->err);
    if (rc == SIM_OK && s->all.fd < 0)
        rc = begin(s, &part, path);
    if (rc == SIM_OK && (part.plan_bytes != s->all.plan_bytes ||
                         memcmp(part.plan, s->all.plan, part.plan_bytes) != 0))
        rc = sim_fail_at(s->err, SIM_E_INPUT, path, 0, "is a part of another sweep than %.200s",
                         s->part[0]);
    if (rc == SIM_OK)
        rc = copy_points(s, &part);
    ana_journal_close(&part, false);
    return rc;
}

static int check_missing(const struct session *s)
{
    uint64_t i = 0;
    if (s->partial || s->all.ndone == s->all.npoints || strstr(s->plan.options, "--until"))
        return SIM_OK;
    while (ana_journal_has(&s->all, i))
        i++;
    return sim_fail(s->err, SIM_E_NO, "%llu of %llu points are missing, the first is %llu "
                    "(--partial goes on)",
                    (unsigned long long)(s->all.npoints - s->all.ndone),
                    (unsigned long long)s->all.npoints, (unsigned long long)i);
}

/* The jobs that metrics are asked of exist: in the first point that ran. */
static int check_metrics(struct session *s)
{
    const struct ana_metric_ref *asked[] = { &s->view.sort, &s->view.cost, &s->view.goal };
    struct ana_point p = { 0 };
    int rc = SIM_OK;
    for (uint64_t i = 0; rc == SIM_OK && i < s->all.npoints && p.nrows == 0; i++)
        if (ana_journal_has(&s->all, i))
            rc = ana_journal_point(&s->all, &s->plan, i, &p, s->err);
    const char **name = calloc(p.nrows + 1, sizeof *name);
    if (!name)
        sim_out_of_memory(p.nrows * sizeof *name);
    for (unsigned i = 0; i < p.nrows; i++)
        name[i] = p.row[i].job;
    for (unsigned i = 0; rc == SIM_OK && p.nrows && i < 3; i++)
        rc = ana_metric_check(asked[i], name, p.nrows, s->err);
    free(name);
    ana_point_fini(&p);
    return rc;
}

static int merge(struct session *s, int argc, char **argv)
{
    int rc = parse(s, argc, argv);
    for (unsigned i = 0; rc == SIM_OK && i < s->nparts; i++)
        rc = add_journal(s, s->part[i]);
    if (rc == SIM_OK)
        rc = check_missing(s);
    if (rc == SIM_OK)
        rc = check_metrics(s);
    if (rc == SIM_OK && s->h5)
        rc = ana_hdf5_sweep(s->h5, &s->plan, &s->all, s->err);
    if (rc == SIM_OK && s->plan.sensitivity > 0 && !s->csv) {
        struct ana_metric_ref p99 = { .metric = ANA_M_P99 };
        rc = ana_sens_print(stdout, &s->plan, &s->all, s->sort ? &s->view.sort : &p99, s->top,
                            s->err);
    } else if (rc == SIM_OK) {
        rc = ana_sweep_print(stdout, &s->plan, &s->all, &s->view, s->err);
    }
    if (rc == SIM_OK && (fflush(stdout) != 0 || ferror(stdout)))
        rc = sim_fail(s->err, SIM_E_IO, "standard output: %s", strerror(errno));
    return rc;
}

int ana_merge_main(int argc, char **argv)
{
    struct sim_err e = { 0 };
    struct session s = { .all = { .fd = -1 }, .arena = sim_arena_create(4096), .err = &e };
    int rc = merge(&s, argc, argv);
    if (rc != SIM_OK && e.text[0])
        ana_err_print(stderr, &e);
    ana_journal_close(&s.all, false);
    sim_arena_free(s.arena);
    free(s.part);
    return rc;
}
