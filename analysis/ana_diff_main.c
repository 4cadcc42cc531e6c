/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The verb diff: command line and runs.
 */
#include "ana_diff.h"

#include "ana_cli.h"
#include "ana_progress.h"
#include "ana_verbs.h"
#include "hci_run.h"
#include "workload/hci_job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIST_MAX 256

enum key { KEY_SEED = 256, KEY_REPS, KEY_SET, KEY_JSON, KEY_FORCE, KEY_LENIENT, KEY_SECTION };

static const struct argp_option options[] = {
    {"reps", KEY_REPS, "N", 0, "pairs of replications, 2 to 64 (default 5)", 0},
    {"jobs", 'j', "K", 0, "threads (default: one a processor)", 0},
    {"seed", KEY_SEED, "N", 0, "random seed (default 1)", 0},
    {"set", KEY_SET, "KEY=VALUE", 0, "change both layouts before they are read; repeatable", 0},
    {"section", KEY_SECTION, "NAME", 0, "run this section of the job file only; repeatable", 0},
    {"force", KEY_FORCE, NULL, 0, "run layouts that check refuses", 0},
    {"lenient", KEY_LENIENT, NULL, 0, "job options that would be refused become notes", 0},
    {"json", KEY_JSON, NULL, 0, "print JSON instead of the table", 0},
    {"quiet", 'q', NULL, 0, "no progress on standard error", 0},
    {0},
};

struct input {
    const char *layout[2];
    const char *jobs[LIST_MAX + 1], *sections[LIST_MAX + 1];
    struct hci_set sets[LIST_MAX];
    unsigned nlayouts, njobs, nsections, nsets;
    unsigned reps, threads;
    uint64_t seed;
    bool json, force, lenient, quiet;
    struct sim_err *err;
};

static int count(struct input *in, const char *option, const char *word, unsigned least,
                 unsigned most, unsigned *out)
{
    unsigned long long v;
    if (!ana_parse_u64(word, most, &v) || v < least)
        return sim_fail(in->err, SIM_E_INPUT, "%s wants a number from %u to %u, not '%.100s'",
                        option, least, most, word);
    *out = (unsigned)v;
    return SIM_OK;
}

static int add_set(struct input *in, char *word)
{
    char *eq = strchr(word, '=');
    if (!eq || eq == word)
        return sim_fail(in->err, SIM_E_INPUT, "--set wants KEY=VALUE, not '%.200s'", word);
    if (in->nsets == LIST_MAX)
        return sim_fail(in->err, SIM_E_INPUT, "more than %d --set", LIST_MAX);
    *eq = '\0';
    in->sets[in->nsets++] = (struct hci_set){word, eq + 1};
    return SIM_OK;
}

static int add_word(struct input *in, const char **list, unsigned *n, const char *word)
{
    if (*n == LIST_MAX)
        return sim_fail(in->err, SIM_E_INPUT, "more than %d of a kind: '%.200s'", LIST_MAX, word);
    list[(*n)++] = word;
    return SIM_OK;
}

static int add_file(struct input *in, const char *word)
{
    if (in->nlayouts == 2)
        return add_word(in, in->jobs, &in->njobs, word);
    in->layout[in->nlayouts++] = word;
    return SIM_OK;
}

static int set_seed(struct input *in, const char *word)
{
    unsigned long long v;
    if (!ana_parse_u64(word, UINT64_MAX, &v))
        return sim_fail(in->err, SIM_E_INPUT,
                        "--seed wants a number from 0 to 2^64 - 1, not '%.100s'", word);
    in->seed = v;
    return SIM_OK;
}

static int whole(const struct input *in)
{
    if (in->nlayouts == 2 && in->njobs > 0)
        return SIM_OK;
    return sim_fail(in->err, SIM_E_INPUT, "diff needs two layouts and a job file");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    int rc = SIM_OK;
    switch (key) {
    case KEY_REPS:
        rc = count(in, "--reps", arg, 2, ANA_DIFF_REPS_MAX, &in->reps);
        break;
    case 'j':
        rc = count(in, "-j", arg, 1, 1024, &in->threads);
        break;
    case KEY_SEED:
        rc = set_seed(in, arg);
        break;
    case KEY_SET:
        rc = add_set(in, arg);
        break;
    case KEY_SECTION:
        rc = add_word(in, in->sections, &in->nsections, arg);
        break;
    case KEY_FORCE:
        in->force = true;
        break;
    case KEY_LENIENT:
        in->lenient = true;
        break;
    case KEY_JSON:
        in->json = true;
        break;
    case 'q':
        in->quiet = true;
        break;
    case ARGP_KEY_ARG:
        rc = add_file(in, arg);
        break;
    case ARGP_KEY_END:
        rc = whole(in);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return rc == SIM_OK ? 0 : EINVAL;
}

/* One layout; its result outlives it. */
static int simulate(const struct input *in, unsigned which, const struct hci_jobfile *jobs,
                    struct hci_result **out, struct sim_err *e)
{
    struct ana_progress progress;
    struct hci_layout *lay;
    struct hci_run_opts opts = {
        .seed = in->seed,
        .reps = in->reps,
        .threads = in->threads,
        .force = in->force,
        .progress = ana_progress_show,
        .progress_ctx = &progress,
        .interrupted = ana_interrupt_watch(),
    };
    int rc = hci_layout_load(&lay, in->layout[which], in->sets, in->nsets, e);
    if (rc != SIM_OK)
        return rc;
    ana_progress_init(&progress, stderr, in->quiet ? ANA_ETA_NEVER : ANA_ETA_AUTO);
    rc = hci_run(lay, jobs, &opts, out, e);
    ana_progress_clear(&progress);
    hci_layout_free(lay);
    return rc;
}

static int load_jobs(const struct input *in, struct hci_jobfile **jobs, struct sim_err *e)
{
    struct hci_jobfile_opts opts = {.lenient = in->lenient};
    if (in->nsections)
        opts.sections = in->sections;
    int rc = hci_jobfile_load(jobs, in->jobs, in->njobs, &opts, NULL, e);
    for (unsigned i = 0; rc == SIM_OK && i < (*jobs)->nnotes; i++)
        fprintf(stderr, "hcisim: note: %s\n", (*jobs)->notes[i]);
    return rc;
}

static int diff(const struct input *in, struct sim_err *e)
{
    struct hci_jobfile *jobs = NULL;
    struct hci_result *r[2] = {NULL, NULL};
    int rc = load_jobs(in, &jobs, e);
    for (unsigned i = 0; i < 2 && rc == SIM_OK; i++)
        rc = simulate(in, i, jobs, &r[i], e);
    if (rc == SIM_OK)
        (in->json ? ana_diff_json : ana_diff_print)(stdout, r[0], r[1]);
    if (rc == SIM_OK && fflush(stdout) != 0)
        rc = sim_fail(e, SIM_E_IO, "standard output: %s", strerror(errno));
    hci_result_free(r[0]);
    hci_result_free(r[1]);
    hci_jobfile_free(jobs);
    return rc;
}

int ana_diff_main(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "A.cfg B.cfg JOBS...",
        "Simulates the job files JOBS on two layouts under common random numbers and prints, per "
        "job, the difference of IOPS, mean and p99 with its own 95 % interval from the pairs of "
        "replications. Where common numbers help and where not: docs/statistics.md.",
        NULL,
        NULL,
        NULL};
    struct sim_err e = {0};
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct input *in = calloc(1, sizeof *in);
    if (!in) {
        sim_fail(&e, SIM_E_IO, "out of memory");
        return ana_err_print(stderr, &e);
    }
    in->err = &e;
    in->reps = 5;
    in->seed = 1;
    in->threads = processors > 0 && processors < 1024 ? (unsigned)processors : 1;
    int rc = ana_parse(&argp, argc, argv, in, &e);
    if (rc == SIM_OK)
        rc = diff(in, &e);
    free(in);
    return rc != SIM_OK ? ana_err_print(stderr, &e) : rc;
}
