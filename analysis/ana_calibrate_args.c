/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_calibrate_args.c: the command line of the verb calibrate.
 */
#include "ana_calibrate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ana_cli.h"

enum { KEY_OUT = 'o', KEY_FIT = 256, KEY_ON, KEY_HOLD, KEY_SET, KEY_SEED, KEY_NOISE, KEY_METRIC };

static const struct argp_option options[] = {
    {"fit", KEY_FIT, "KEY[:MIN:MAX]", 0,
     "a parameter to fit, e.g. platform.io_uring_submit or devices.[NAME].read_unit; bounds "
     "default to a tenth and ten times its value; repeatable. Without any: those of the platform's "
     "times (CPU per hop, network per message, host) that the fitted jobs can tell apart", 0},
    {"on", KEY_ON, "JOB", 0, "fit to this job only, and hold out all others; repeatable", 0},
    {"hold-out", KEY_HOLD, "JOB", 0, "keep this job out of the fit and report its error; repeatable",
     0},
    {"metric", KEY_METRIC, "LIST", 0, "what is fitted: mean, p50, p95, p99, IOPS (default mean)", 0},
    {"noise", KEY_NOISE, "PCT", 0, "error of one observation, at least (default 1)", 0},
    {"set", KEY_SET, "KEY=VALUE", 0, "change the layout first; repeatable", 0},
    {"seed", KEY_SEED, "N", 0, "random seed (default 1), the same for every run of the fit", 0},
    {"out", KEY_OUT, "FILE.cfg", 0, "write the fitted values as an overlay to @include", 0},
    {0},
};

struct input {
    struct ana_calibrate_conf *c;
    struct sim_err *e;
};

static int add(const char **list, unsigned *n, const char *what, const char *word,
               struct sim_err *e)
{
    if (*n == ANA_CALIBRATE_LIST)
        return sim_fail(e, SIM_E_INPUT, "more than %d %s", ANA_CALIBRATE_LIST, what);
    list[(*n)++] = word;
    return SIM_OK;
}

static int add_fit(struct ana_calibrate_conf *c, char *word, struct sim_err *e)
{
    if (c->nknobs == ANA_FIT_MAX)
        return sim_fail(e, SIM_E_INPUT, "more than %d --fit", ANA_FIT_MAX);
    struct ana_knob *k = &c->knobs[c->nknobs++];
    k->key = word;
    char *first = strchr(word, ':'), *second = first ? strchr(first + 1, ':') : NULL;
    if (first && !second)
        return sim_fail(e, SIM_E_INPUT, "--fit wants KEY or KEY:MIN:MAX, not '%.200s'", word);
    if (first) {
        *first = *second = '\0';
        k->min = first[1] ? first + 1 : NULL;
        k->max = second[1] ? second + 1 : NULL;
    }
    for (unsigned i = 0; i + 1 < c->nknobs; i++)
        if (strcmp(c->knobs[i].key, word) == 0)
            return sim_fail(e, SIM_E_INPUT, "--fit %.200s is given twice", word);
    return *word ? SIM_OK : sim_fail(e, SIM_E_INPUT, "--fit wants a key");
}

static int add_set(struct ana_calibrate_conf *c, char *word, struct sim_err *e)
{
    char *eq = strchr(word, '=');
    if (!eq || eq == word)
        return sim_fail(e, SIM_E_INPUT, "--set wants KEY=VALUE, not '%.200s'", word);
    if (c->nsets + ANA_FIT_MAX >= ANA_CALIBRATE_LIST)
        return sim_fail(e, SIM_E_INPUT, "more than %d --set", ANA_CALIBRATE_LIST - ANA_FIT_MAX);
    *eq = '\0';
    c->sets[c->nsets++] = (struct hci_set){word, eq + 1};
    return SIM_OK;
}

static int set_metrics(struct ana_calibrate_conf *c, char *list, struct sim_err *e)
{
    static const char *const names[] = {"mean", "p50", "p95", "p99", "IOPS"};
    static const int ids[] = {ANA_M_MEAN, ANA_M_P50, ANA_M_P95, ANA_M_P99, ANA_M_IOPS};
    bool mean = false, iops = false;
    c->nmetrics = 0;
    for (char *word = strtok(list, ","); word; word = strtok(NULL, ",")) {
        int at = 0;
        while (at < 5 && strcmp(names[at], word) != 0)
            at++;
        if (at == 5) {
            const char *near = ana_nearest(word, names, 5);
            return sim_fail(e, SIM_E_INPUT, "no metric '%.60s'; nearest: %s", word,
                            near ? near : names[0]);
        }
        mean |= ids[at] == ANA_M_MEAN;
        iops |= ids[at] == ANA_M_IOPS;
        for (unsigned i = 0; i < c->nmetrics; i++)
            if (c->metrics[i] == ids[at])
                return sim_fail(e, SIM_E_INPUT, "metric %s is given twice", word);
        c->metrics[c->nmetrics++] = ids[at];
    }
    if (mean && iops)
        return sim_fail(e, SIM_E_INPUT, "mean and IOPS of a closed loop are one observation: "
                                        "choose one of them");
    return c->nmetrics ? SIM_OK : sim_fail(e, SIM_E_INPUT, "--metric wants a list");
}

static int set_noise(struct ana_calibrate_conf *c, const char *word, struct sim_err *e)
{
    char *end;
    c->noise = strtod(word, &end) / 100;
    if (end == word || *end || !(c->noise > 0) || c->noise > 1)
        return sim_fail(e, SIM_E_INPUT, "--noise wants a percentage from 0 to 100, not '%.100s'",
                        word);
    return SIM_OK;
}

static int set_seed(struct ana_calibrate_conf *c, const char *word, struct sim_err *e)
{
    unsigned long long v;
    if (!ana_parse_u64(word, UINT64_MAX, &v))
        return sim_fail(e, SIM_E_INPUT, "--seed wants a number from 0 to 2^64 - 1, not '%.100s'",
                        word);
    c->seed = v;
    return SIM_OK;
}

static int add_word(struct ana_calibrate_conf *c, const char *word, struct sim_err *e)
{
    if (!c->layout)
        c->layout = word;
    else if (!c->jobs)
        c->jobs = word;
    else
        return add(c->measured, &c->nmeasured, "measured files", word, e);
    return SIM_OK;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    struct ana_calibrate_conf *c = in->c;
    int rc = SIM_OK;
    switch (key) {
    case KEY_OUT: c->out = arg; break;
    case KEY_FIT: rc = add_fit(c, arg, in->e); break;
    case KEY_ON: rc = add(c->on, &c->non, "--on", arg, in->e); break;
    case KEY_HOLD: rc = add(c->hold, &c->nhold, "--hold-out", arg, in->e); break;
    case KEY_SET: rc = add_set(c, arg, in->e); break;
    case KEY_SEED: rc = set_seed(c, arg, in->e); break;
    case KEY_NOISE: rc = set_noise(c, arg, in->e); break;
    case KEY_METRIC: rc = set_metrics(c, arg, in->e); break;
    case ARGP_KEY_ARG: rc = add_word(c, arg, in->e); break;
    case ARGP_KEY_END:
        if (c->nmeasured == 0)
            rc = sim_fail(in->e, SIM_E_INPUT,
                          "calibrate needs a layout, a job file and at least one measured file");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return rc == SIM_OK ? 0 : EINVAL;
}

int ana_calibrate_parse(struct ana_calibrate_conf *c, int argc, char **argv, struct sim_err *e)
{
    static const struct argp parser = {
        options, parse, "LAYOUT JOBS MEASURED...",
        "Fits parameters of LAYOUT so that the jobs of JOBS take as long as in the measured fio "
        "JSON files, and reports the error on jobs left out.\v"
        "Exit status: 0 done; 1 the fit did not settle; 2 bad usage or input; 3 could not read or "
        "write; 130 interrupted.", NULL, NULL, NULL};
    struct input in = {c, e};
    c->seed = 1;
    c->noise = 0.01;
    c->nmetrics = 1;
    c->metrics[0] = ANA_M_MEAN;
    return ana_parse(&parser, argc, argv, &in, e);
}
