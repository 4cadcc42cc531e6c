/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_run_args.c: the command line of the verb run.
 */
#include "ana_run.h"

#include "ana_cli.h"
#include "ana_progress.h"
#include "ana_terse.h"
#include "hci_param.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REPEAT_MAX 1000
#define THREADS_MAX 1024

enum key {
    KEY_OUT = 'o',
    KEY_THREADS = 'j',
    KEY_SET = 256,
    KEY_SEED,
    KEY_REPEAT,
    KEY_PAUSE,
    KEY_FORCE,
    KEY_FORMAT,
    KEY_OUTPUT,
    KEY_ETA,
    KEY_LENIENT,
    KEY_SECTION,
    KEY_MINIMAL,
    KEY_TERSE_VERSION,
    KEY_PARSE_ONLY,
    KEY_SHOWCMD,
    KEY_STATUS,
    KEY_PLOT,
    KEY_REPS,
    KEY_PRECISION
};

static const struct argp_option options[] = {
    { "out", KEY_OUT, "FILE.h5", 0, "write the result as HDF5 (docs/output.md)", 0 },
    { "set", KEY_SET, "KEY=VALUE", 0,
      "change the layout before it is read, e.g. nodes.[*].nic.mtu=1500; repeatable", 0 },
    { "seed", KEY_SEED, "N", 0, "random seed (default 1); equal seeds give equal results", 0 },
    { "repeat", KEY_REPEAT, "N", 0, "run the job file N times and keep the best pass", 0 },
    { "reps", KEY_REPS, "N", 0,
      "simulate N replications with other luck and merge them; intervals come from them", 0 },
    { "jobs", KEY_THREADS, "K", 0, "threads for replications (default: one a processor)", 0 },
    { "precision", KEY_PRECISION, "PCT", 0,
      "simulate no more of a job than its mean and p99 within PCT % take; 0: all of it "
      "(docs/statistics.md)", 0 },
    { "pause", KEY_PAUSE, "TIME", 0, "simulated idle time between passes, e.g. 60s", 0 },
    { "force", KEY_FORCE, NULL, 0, "run a layout that check refuses", 0 },
    { "output-format", KEY_FORMAT, "LIST", 0,
      "normal, json, json+, terse, separated by commas (default normal)", 0 },
    { "minimal", KEY_MINIMAL, NULL, 0, "the same as --output-format=terse", 0 },
    { "terse-version", KEY_TERSE_VERSION, "N", 0, "2, 3 (default), 4 or 5", 0 },
    { "output", KEY_OUTPUT, "FILE", 0, "write the report to FILE instead of standard output", 0 },
    { "eta", KEY_ETA, "WHEN", 0, "progress on standard error: auto, always, never", 0 },
    { "lenient", KEY_LENIENT, NULL, 0, "job options that would be refused become notes", 0 },
    { "plot", KEY_PLOT, NULL, 0, "draw each job's latency distribution as text", 0 },
    { "section", KEY_SECTION, "NAME", 0, "run this section of the job file only; repeatable", 0 },
    { "status-interval", KEY_STATUS, "TIME", 0,
      "a whole report each TIME of simulated time, e.g. 10s; a bare number is seconds", 0 },
    { "parse-only", KEY_PARSE_ONLY, NULL, 0, "run every check, simulate nothing", 0 },
    { "showcmd", KEY_SHOWCMD, NULL, 0, "print the job files as a fio command line and stop", 0 },
    { 0 },
};

struct input {
    struct ana_run_conf *c;
    struct sim_err *e;
};

static int add(const char **list, unsigned *n, const char *what, const char *word,
               struct sim_err *e)
{
    if (*n == ANA_RUN_LIST_MAX)
        return sim_fail(e, SIM_E_INPUT, "more than %d %s", ANA_RUN_LIST_MAX, what);
    list[(*n)++] = word;
    return SIM_OK;
}

static int add_set(struct ana_run_conf *c, char *word, struct sim_err *e)
{
    char *eq = strchr(word, '=');
    if (!eq || eq == word)
        return sim_fail(e, SIM_E_INPUT, "--set wants KEY=VALUE, not '%.200s'", word);
    if (c->nsets == ANA_RUN_LIST_MAX)
        return sim_fail(e, SIM_E_INPUT, "more than %d --set", ANA_RUN_LIST_MAX);
    *eq = '\0';
    c->sets[c->nsets++] = (struct hci_set){ word, eq + 1 };
    return SIM_OK;
}

static int set_count(unsigned *out, const char *option, const char *word, unsigned most,
                     struct sim_err *e)
{
    unsigned long long v;
    if (!ana_parse_u64(word, most, &v) || v == 0)
        return sim_fail(e, SIM_E_INPUT, "%s wants a number from 1 to %u, not '%.100s'", option,
                        most, word);
    *out = (unsigned)v;
    return SIM_OK;
}

static int set_seed(struct ana_run_conf *c, const char *word, struct sim_err *e)
{
    unsigned long long v;
    if (!ana_parse_u64(word, UINT64_MAX, &v))
        return sim_fail(e, SIM_E_INPUT, "--seed wants a number from 0 to 2^64 - 1, not '%.100s'",
                        word);
    c->seed = v;
    return SIM_OK;
}

static int set_pause(struct ana_run_conf *c, const char *word, struct sim_err *e)
{
    char why[256];
    if (hci_unit_parse(HCI_TIME, word, &c->pause_ns, why, sizeof why) != 0)
        return sim_fail(e, SIM_E_INPUT, "--pause '%.100s': %s", word, why);
    return SIM_OK;
}

/* The index of word[0..len) in names, or -1 with the nearest name in *e. */
static int choose(const char *option, const char *word, size_t len, const char *const *names,
                  unsigned n, struct sim_err *e)
{
    char given[64];
    for (unsigned i = 0; i < n; i++)
        if (strlen(names[i]) == len && strncmp(names[i], word, len) == 0)
            return (int)i;
    snprintf(given, sizeof given, "%.*s", (int)(len < 60 ? len : 60), word);
    const char *near = ana_nearest(given, names, n);
    sim_fail(e, SIM_E_INPUT, "no %s '%s'; nearest: %s", option, given, near ? near : names[0]);
    return -1;
}

static int set_formats(struct ana_run_conf *c, const char *word, struct sim_err *e)
{
    static const char *const names[] = { "normal", "json", "json+", "terse" };
    static const unsigned bits[] = { ANA_NORMAL, ANA_JSON, ANA_JSON | ANA_JSON_BINS, ANA_TERSE };
    c->formats = 0;
    for (;;) {
        size_t len = strcspn(word, ",");
        int i = choose("output format", word, len, names, 4, e);
        if (i < 0)
            return SIM_E_INPUT;
        c->formats |= bits[i];
        if (!word[len])
            return SIM_OK;
        word += len + 1;
    }
}

static int set_terse_version(struct ana_run_conf *c, const char *word, struct sim_err *e)
{
    unsigned long long v;
    if (!ana_parse_u64(word, 5, &v) || v < 2)
        return sim_fail(e, SIM_E_INPUT, "--terse-version wants 2, 3, 4 or 5, not '%.100s'", word);
    c->terse_version = (int)v;
    return SIM_OK;
}

static int set_status(struct ana_run_conf *c, const char *word, struct sim_err *e)
{
    char why[256];
    unsigned long long s;
    if (ana_parse_u64(word, 1000000000, &s)) /* as fio writes it */
        c->status_ns = s * SIM_S;
    else if (hci_unit_parse(HCI_TIME, word, &c->status_ns, why, sizeof why) != 0)
        return sim_fail(e, SIM_E_INPUT, "--status-interval '%.100s': %s", word, why);
    if (c->status_ns < SIM_MS)
        return sim_fail(e, SIM_E_INPUT, "--status-interval wants 1 ms or more, not '%.100s'", word);
    return SIM_OK;
}

static int set_eta(struct ana_run_conf *c, const char *word, struct sim_err *e)
{
    static const char *const names[] = { "auto", "always", "never" }; /* enum ana_eta */
    c->eta = choose("choice for --eta", word, strlen(word), names, 3, e);
    return c->eta < 0 ? SIM_E_INPUT : SIM_OK;
}

static int add_word(struct ana_run_conf *c, const char *word, struct sim_err *e)
{
    if (!c->layout) {
        c->layout = word;
        return SIM_OK;
    }
    return add(c->jobs, &c->njobs, "job files", word, e);
}

static int apply(struct ana_run_conf *c, int key, char *arg, struct sim_err *e)
{
    switch (key) {
    case KEY_OUT: c->h5 = arg; return SIM_OK;
    case KEY_OUTPUT: c->output = arg; return SIM_OK;
    case KEY_FORCE: c->force = true; return SIM_OK;
    case KEY_LENIENT: c->lenient = true; return SIM_OK;
    case KEY_PLOT: c->plot = true; return SIM_OK;
    case KEY_SET: return add_set(c, arg, e);
    case KEY_SEED: return set_seed(c, arg, e);
    case KEY_REPEAT: return set_count(&c->repeat, "--repeat", arg, REPEAT_MAX, e);
    case KEY_REPS: return set_count(&c->reps, "--reps", arg, REPEAT_MAX, e);
    case KEY_THREADS: return set_count(&c->threads, "-j", arg, THREADS_MAX, e);
    case KEY_PRECISION: return ana_parse_precision(arg, &c->precision, e);
    case KEY_PAUSE: return set_pause(c, arg, e);
    case KEY_FORMAT: return set_formats(c, arg, e);
    case KEY_ETA: return set_eta(c, arg, e);
    case KEY_MINIMAL: c->formats = ANA_TERSE; return SIM_OK;
    case KEY_TERSE_VERSION: return set_terse_version(c, arg, e);
    case KEY_PARSE_ONLY: c->parse_only = true; return SIM_OK;
    case KEY_SHOWCMD: c->showcmd = true; return SIM_OK;
    case KEY_STATUS: return set_status(c, arg, e);
    case KEY_SECTION: return add(c->sections, &c->nsections, "--section", arg, e);
    case ARGP_KEY_ARG: return add_word(c, arg, e);
    default: return -1;
    }
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    int code = apply(in->c, key, arg, in->e);
    if (code < 0)
        return ARGP_ERR_UNKNOWN;
    return code == SIM_OK ? 0 : EINVAL; /* the reason is in *in->e */
}

static int check_whole(const struct ana_run_conf *c, struct sim_err *e)
{
    if (!c->layout)
        return sim_fail(e, SIM_E_INPUT, "run needs a layout file and a job file");
    if (c->njobs == 0)
        return sim_fail(e, SIM_E_INPUT, "run needs a job file after the layout '%.200s'",
                        c->layout);
    if (c->plot && !(c->formats & ANA_NORMAL))
        return sim_fail(e, SIM_E_INPUT, "--plot is text: it needs 'normal' in --output-format");
    if (c->pause_ns && c->repeat < 2)
        return sim_fail(e, SIM_E_INPUT, "--pause lies between passes: it needs --repeat 2 or more");
    return SIM_OK;
}

int ana_run_parse(struct ana_run_conf *c, int argc, char **argv, struct sim_err *e)
{
    static const struct argp parser = {
        options, parse_option, "LAYOUT JOBS...",
        "Simulates the fio job files JOBS (- is standard input) on LAYOUT and prints, per job, "
        "fio's report, where the time goes and the bottleneck.\v"
        "Exit status: 0 done; 1 the layout is refused or a job ended in error; 2 bad usage or "
        "input; 3 could not read or write; 130 interrupted, with finished jobs printed and "
        "saved. What is not modelled: docs/model.md.",
        NULL, NULL, NULL
    };
    struct input in = { c, e };
    memset(c, 0, sizeof *c);
    c->seed = 1;
    c->repeat = c->reps = 1;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    c->threads = processors > 0 && processors < THREADS_MAX ? (unsigned)processors : 1;
    c->formats = ANA_NORMAL;
    c->terse_version = ANA_TERSE_VERSION;
    c->eta = ANA_ETA_AUTO;
    int rc = ana_parse(&parser, argc, argv, &in, e);
    return rc == SIM_OK ? check_whole(c, e) : rc;
}
