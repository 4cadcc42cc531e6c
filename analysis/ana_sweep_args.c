/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_args.c: the command line of the verb sweep.
 */
#include "ana_sweep.h"

#include "ana_cli.h"
#include "ana_progress.h"

#include <stdlib.h>
#include <string.h>

enum key {
    KEY_OUT = 'o', KEY_THREADS = 'j',
    KEY_VARY = 256, KEY_ZIP, KEY_SAMPLE, KEY_UNTIL, KEY_SET, KEY_SEED, KEY_CSV, KEY_RESUME,
    KEY_SHARD, KEY_SORT, KEY_TOP, KEY_PARETO, KEY_PRICE, KEY_SENSITIVITY, KEY_RESULTS, KEY_FORCE,
    KEY_LENIENT, KEY_SECTION, KEY_ETA, KEY_PRECISION, KEY_REPS
};

static const struct argp_option options[] = {
    { "vary", KEY_VARY, "KEY=V,V,...", 0,
      "vary a path or alias of the layout, job.OPTION, or layout (whole files); values are text, "
      "ranges (8..64:8, 1k..1M:x2) and device sets (@nvme, @flash+plp); repeatable", 0 },
    { "zip", KEY_ZIP, NULL, 0, "take the i-th values together instead of every combination", 0 },
    { "sample", KEY_SAMPLE, "N", 0, "simulate N points of the grid (Sobol sequence)", 0 },
    { "until", KEY_UNTIL, "COND", 0,
      "find the largest value of the one --vary key that meets COND, e.g. 'p99<5ms'", 0 },
    { "sensitivity", KEY_SENSITIVITY, "PCT", 0,
      "instead of --vary: every numeric input of the layout, PCT % down and up", 0 },
    { "set", KEY_SET, "KEY=VALUE", 0, "change the layout or, as job.OPTION, the jobs; repeatable",
      0 },
    { "seed", KEY_SEED, "N", 0, "random seed of every point (default 1)", 0 },
    { "precision", KEY_PRECISION, "PCT", 0,
      "simulate no more of a job than its mean and p99 within PCT % take (default 2; 0: all of it)",
      0 },
    { "reps", KEY_REPS, "N", 0, "replications of every point, merged (default 1)", 0 },
    { "jobs", KEY_THREADS, "N", 0, "points simulated at a time (default: every core)", 0 },
    { "out", KEY_OUT, "FILE.h5", 0,
      "write the table as HDF5; finished points wait in FILE.h5.journal", 0 },
    { "resume", KEY_RESUME, NULL, 0, "continue the journal of a sweep that was stopped", 0 },
    { "shard", KEY_SHARD, "I/N", 0,
      "simulate every N-th point from the I-th; -o names the part for hcisim merge", 0 },
    { "results", KEY_RESULTS, "DIR", 0, "also write each point's full result as DIR/point-N.h5",
      0 },
    { "csv", KEY_CSV, NULL, 0, "print the table as CSV, every point", 0 },
    { "sort", KEY_SORT, "METRIC", 0, "best first, e.g. p99 or iops@job", 0 },
    { "top", KEY_TOP, "N", 0, "points printed (default 40; 0: all)", 0 },
    { "pareto", KEY_PARETO, "COST,GOAL", 0, "print the Pareto front, e.g. price,p99", 0 },
    { "price", KEY_PRICE, "DEVICE=EUR", 0, "price of a device, or of a node; repeatable", 0 },
    { "force", KEY_FORCE, NULL, 0, "run layouts that check refuses", 0 },
    { "lenient", KEY_LENIENT, NULL, 0, "job options that would be refused are passed over", 0 },
    { "section", KEY_SECTION, "NAME", 0, "run this section of the job file only; repeatable", 0 },
    { "eta", KEY_ETA, "WHEN", 0, "progress on standard error: auto, always, never", 0 },
    { 0 },
};

struct input {
    struct ana_sweep_conf *c;
    struct sim_arena *arena;
    struct sim_err *e;
};

static int full(const char *what, struct sim_err *e)
{
    return sim_fail(e, SIM_E_INPUT, "more than %d %s", ANA_SWEEP_LIST_MAX, what);
}

int ana_sweep_assign(struct hci_set *sets, unsigned *nsets, struct hci_job_final *finals,
                     unsigned *nfinals, const char *key, const char *value, struct sim_arena *a)
{
    if (strncmp(key, "job.", 4) != 0) {
        sets[(*nsets)++] = (struct hci_set){ key, value };
        return SIM_OK;
    }
    const char *dot = strrchr(key + 4, '.'), *name = dot ? dot + 1 : key + 4;
    finals[(*nfinals)++] = (struct hci_job_final){
        .section = dot ? sim_arena_printf(a, "%.*s", (int)(dot - key - 4), key + 4) : NULL,
        .option = sim_arena_printf(a, "%s=%s", name, value),
    };
    return SIM_OK;
}

static int add_set(struct input *in, char *word)
{
    struct ana_sweep_conf *c = in->c;
    char *eq = strchr(word, '=');
    if (!eq || eq == word)
        return sim_fail(in->e, SIM_E_INPUT, "--set wants KEY=VALUE, not '%.200s'", word);
    if (c->nsets == ANA_SWEEP_LIST_MAX || c->nfinals == ANA_SWEEP_LIST_MAX)
        return full("--set", in->e);
    *eq = '\0';
    return ana_sweep_assign(c->sets, &c->nsets, c->finals, &c->nfinals, word, eq + 1, in->arena);
}

static int add_price(struct input *in, char *word)
{
    struct ana_sweep_conf *c = in->c;
    char *eq = strchr(word, '='), *end;
    double eur = eq ? strtod(eq + 1, &end) : -1;
    if (!eq || eq == word || end == eq + 1 || *end || !(eur >= 0 && eur <= 1e9))
        return sim_fail(in->e, SIM_E_INPUT, "--price wants DEVICE=EUR, not '%.200s'", word);
    if (c->nprices == ANA_SWEEP_LIST_MAX)
        return full("--price", in->e);
    *eq = '\0';
    c->prices[c->nprices++] = (struct ana_price){ word, eur };
    return SIM_OK;
}

static int add(const char **list, unsigned *n, unsigned most, const char *what, const char *word,
               struct sim_err *e)
{
    if (*n == most)
        return sim_fail(e, SIM_E_INPUT, "more than %u %s", most, what);
    list[(*n)++] = word;
    return SIM_OK;
}

static int number(uint64_t *out, const char *option, const char *word, uint64_t least,
                  uint64_t most, struct sim_err *e)
{
    unsigned long long v;
    if (!ana_parse_u64(word, most, &v) || v < least)
        return sim_fail(e, SIM_E_INPUT, "--%s wants a number from %llu to %llu, not '%.100s'",
                        option, (unsigned long long)least, (unsigned long long)most, word);
    *out = v;
    return SIM_OK;
}

static int set_shard(struct ana_sweep_conf *c, const char *word, struct sim_err *e)
{
    char left[16];
    const char *slash = strchr(word, '/');
    unsigned long long i = 0, n = 0;
    if (slash && slash - word < 16) {
        memcpy(left, word, (size_t)(slash - word));
        left[slash - word] = 0;
    }
    if (!slash || slash - word >= 16 || !ana_parse_u64(left, 100000, &i) ||
        !ana_parse_u64(slash + 1, 100000, &n) || i < 1 || i > n)
        return sim_fail(e, SIM_E_INPUT, "--shard wants I/N with I from 1 to N, not '%.100s'", word);
    c->shard = (unsigned)i;
    c->nshards = (unsigned)n;
    return SIM_OK;
}

static int set_share(struct ana_sweep_conf *c, const char *word, struct sim_err *e)
{
    char *end;
    double v = strtod(word, &end);
    if (end == word || (*end && strcmp(end, "%") != 0) || !(v > 0 && v < 100))
        return sim_fail(e, SIM_E_INPUT, "--sensitivity wants percent between 0 and 100, not "
                        "'%.100s'", word);
    c->sensitivity = v / 100;
    return SIM_OK;
}

static int set_eta(struct ana_sweep_conf *c, const char *word, struct sim_err *e)
{
    static const char *const names[] = { "auto", "always", "never" }; /* enum ana_eta */
    for (c->eta = 0; c->eta < 3; c->eta++)
        if (strcmp(names[c->eta], word) == 0)
            return SIM_OK;
    return sim_fail(e, SIM_E_INPUT, "--eta wants auto, always or never, not '%.100s'", word);
}

static int add_word(struct ana_sweep_conf *c, const char *word, struct sim_err *e)
{
    if (!c->layout) {
        c->layout = word;
        return SIM_OK;
    }
    return add(c->jobs, &c->njobs, ANA_SWEEP_LIST_MAX, "job files", word, e);
}

/* Options with a number or a list. */
static int apply_more(struct input *in, int key, char *arg)
{
    struct ana_sweep_conf *c = in->c;
    struct sim_err *e = in->e;
    uint64_t v = 0;
    int rc;
    switch (key) {
    case KEY_SAMPLE: return number(&c->sample, "sample", arg, 1, ANA_POINTS_MAX, e);
    case KEY_SEED: return number(&c->seed, "seed", arg, 0, UINT64_MAX, e);
    case KEY_TOP: return number(&c->top, "top", arg, 0, ANA_POINTS_MAX, e);
    case KEY_THREADS:
        rc = number(&v, "jobs", arg, 1, 1024, e);
        c->threads = (unsigned)v;
        return rc;
    case KEY_PRECISION: return ana_parse_precision(arg, &c->precision, e);
    case KEY_REPS:
        rc = number(&v, "reps", arg, 1, ANA_SWEEP_REPS_MAX, e);
        c->reps = (unsigned)v;
        return rc;
    case KEY_VARY: return add(c->vary, &c->nvary, ANA_AXES_MAX, "--vary", arg, e);
    case KEY_SECTION:
        return add(c->sections, &c->nsections, ANA_SWEEP_LIST_MAX, "--section", arg, e);
    case KEY_SET: return add_set(in, arg);
    case KEY_PRICE: return add_price(in, arg);
    case KEY_SHARD: return set_shard(c, arg, e);
    case KEY_SENSITIVITY: return set_share(c, arg, e);
    case KEY_ETA: return set_eta(c, arg, e);
    case ARGP_KEY_ARG: return add_word(c, arg, e);
    default: return -1;
    }
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    struct ana_sweep_conf *c = in->c;
    int code = SIM_OK;
    switch (key) {
    case KEY_ZIP: c->zip = true; break;
    case KEY_UNTIL: c->until = arg; break;
    case KEY_OUT: c->h5 = arg; break;
    case KEY_RESUME: c->resume = true; break;
    case KEY_RESULTS: c->results = arg; break;
    case KEY_CSV: c->csv = true; break;
    case KEY_SORT: c->sort = arg; break;
    case KEY_PARETO: c->pareto = arg; break;
    case KEY_FORCE: c->force = true; break;
    case KEY_LENIENT: c->lenient = true; break;
    default: code = apply_more(in, key, arg); break;
    }
    if (code < 0)
        return ARGP_ERR_UNKNOWN;
    return code == SIM_OK ? 0 : EINVAL; /* the reason is in *in->e */
}

static int check_whole(const struct ana_sweep_conf *c, struct sim_err *e)
{
    const char *wrong = NULL;
    if (!c->layout || c->njobs == 0)
        wrong = "sweep needs a layout file and a job file";
    else if (c->nvary == 0 && c->sensitivity <= 0)
        wrong = "nothing to vary: give --vary KEY=V,V,... or --sensitivity PCT";
    else if (c->sensitivity > 0 && (c->nvary || c->until))
        wrong = "--sensitivity varies every input by itself: leave out --vary and --until";
    else if (c->zip && c->sample)
        wrong = "--zip and --sample exclude each other";
    else if (c->until && (c->nvary != 1 || c->sample || c->nshards))
        wrong = "--until searches along one --vary, without --sample and --shard";
    else if (c->resume && !c->h5)
        wrong = "--resume continues the journal of -o FILE.h5: say which";
    else if (c->nshards && !c->h5)
        wrong = "--shard writes its part to -o FILE: say which";
    else if (c->nshards && (c->csv || c->sort || c->pareto))
        wrong = "a shard is one part: ask hcisim merge for --csv, --sort and --pareto";
    for (unsigned i = 0; !wrong && i < c->njobs; i++)
        if (strcmp(c->jobs[i], "-") == 0)
            wrong = "a sweep reads its job file again and again: it cannot be standard input";
    return wrong ? sim_fail(e, SIM_E_INPUT, "%s", wrong) : SIM_OK;
}

int ana_sweep_parse(struct ana_sweep_conf *c, int argc, char **argv, struct sim_arena *a,
                    struct sim_err *e)
{
    static const struct argp parser = {
        options, parse_option, "LAYOUT JOBS...",
        "Simulates the fio job files JOBS on every variant of LAYOUT, under the same random "
        "numbers, and prints a table: parameters, metrics, bottleneck.\v"
        "A layout that check refuses is a row with its reason. Many machines: start it with "
        "mpirun, or run --shard I/N anywhere and hcisim merge the parts. Exit status: 0 done; "
        "1 no value meets --until; 2 bad usage or input; 3 could not read or write; 130 "
        "interrupted, finished points kept for --resume. More: docs/sweep.md.",
        NULL, NULL, NULL
    };
    struct input in = { c, a, e };
    memset(c, 0, sizeof *c);
    c->seed = 1;
    c->precision = ANA_SWEEP_PRECISION;
    c->reps = 1;
    c->top = ANA_SWEEP_TOP;
    c->eta = ANA_ETA_AUTO;
    int rc = ana_parse(&parser, argc, argv, &in, e);
    return rc == SIM_OK ? check_whole(c, e) : rc;
}
