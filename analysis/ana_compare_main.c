/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_compare_main.c: the verb compare.
 */
#include "ana_verbs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ana_cli.h"
#include "ana_compare.h"
#include "ana_load.h"

enum { FILES = 1024, KEY_TOLERANCE = 256, KEY_JSON };

static const struct argp_option options[] = {
    {"tolerance", KEY_TOLERANCE, "PCT", 0,
     "exit with 1 when a figure is further off than PCT percent, or a measurement is suspect", 0},
    {"json", KEY_JSON, NULL, 0, "print JSON (schema hcisim-compare/1, docs/compare.md)", 0},
    {0},
};

struct input {
    const char *paths[FILES];
    unsigned n;
    double tolerance_pct;
    bool json;
    struct sim_err *e;
};

static int set_tolerance(struct input *in, const char *word)
{
    char *end;
    in->tolerance_pct = strtod(word, &end);
    end += *end == '%' && end > word;
    if (end == word || *end || !(in->tolerance_pct > 0) || in->tolerance_pct > 10000)
        return sim_fail(in->e, SIM_E_INPUT,
                        "--tolerance wants a percentage above 0, at most 10000, not '%.100s'", word);
    return SIM_OK;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    int rc = SIM_OK;
    switch (key) {
    case KEY_TOLERANCE: rc = set_tolerance(in, arg); break;
    case KEY_JSON: in->json = true; break;
    case ARGP_KEY_ARG:
        if (in->n == FILES)
            rc = sim_fail(in->e, SIM_E_INPUT, "more than %d files", FILES);
        else
            in->paths[in->n++] = arg;
        break;
    case ARGP_KEY_END:
        if (in->n < 2)
            rc = sim_fail(in->e, SIM_E_INPUT,
                          "compare needs a simulated result and at least one measured file");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return rc == SIM_OK ? 0 : EINVAL;
}

/* A measured file that is cut off is used as far as it goes, and the error kept. */
static int load_all(const struct input *in, struct ana_measured **sim, struct ana_source *src,
                    struct sim_err *cut, struct sim_err *e)
{
    int rc = ana_load(sim, in->paths[0], e);
    for (unsigned i = 1; rc == SIM_OK && i < in->n; i++) {
        struct ana_measured *m;
        rc = ana_load(&m, in->paths[i], e);
        src[i - 1] = (struct ana_source){in->paths[i], m};
        if (rc == SIM_E_INPUT && m && m->njobs > 0) {
            *cut = *e;
            rc = SIM_OK;
        }
    }
    if (rc == SIM_OK && !(*sim)->simulated)
        rc = sim_fail_at(e, SIM_E_INPUT, in->paths[0], 0,
                         "the first file must be a result of hcisim; this one was measured");
    return rc;
}

static int print(const struct input *in, const struct ana_comparison *c, struct sim_err *e)
{
    if (in->json)
        ana_compare_json(stdout, c);
    else
        ana_compare_text(stdout, c);
    if (fflush(stdout) != 0 || ferror(stdout))
        return sim_fail(e, SIM_E_IO, "standard output: %s", strerror(errno));
    if (in->tolerance_pct > 0 && c->njudged == 0)
        return sim_fail(e, SIM_E_INPUT, "the files have no figure in common to compare");
    if (in->tolerance_pct > 0 && c->nout > 0)
        return sim_fail(e, SIM_E_NO, "%u figures are more than %g %% off", c->nout,
                        in->tolerance_pct);
    if (in->tolerance_pct > 0 && c->nfindings > 0)
        return sim_fail(e, SIM_E_NO, "the measurement is suspect (%u findings)", c->nfindings);
    return SIM_OK;
}

int ana_compare_main(int argc, char **argv)
{
    static const struct argp parser = {
        options, parse, "SIM MEASURED...",
        "Compares a simulated result (JSON, json+ or HDF5) with fio's JSON, job by job, and says "
        "what makes a measurement suspect.\v"
        "Exit status: 0 done; 1 out of tolerance (with --tolerance); 2 bad usage or input, a file "
        "cut off in the middle included; 3 could not read or write.", NULL, NULL, NULL};
    struct sim_err e = {0}, cut = {0};
    static const struct ana_comparison none;
    struct input in = {.e = &e};
    struct ana_comparison c = none;
    struct ana_measured *sim = NULL;
    int rc = ana_parse(&parser, argc, argv, &in, &e);
    struct ana_source *src = calloc(in.n + 1, sizeof *src);
    if (rc == SIM_OK && !src)
        rc = sim_fail(&e, SIM_E_IO, "not enough memory");
    if (rc == SIM_OK)
        rc = load_all(&in, &sim, src, &cut, &e);
    if (rc == SIM_OK)
        rc = ana_compare(&c, sim, in.paths[0], src, in.n - 1, in.tolerance_pct, &e);
    if (rc == SIM_OK)
        rc = print(&in, &c, &e);
    if (rc == SIM_OK && cut.code)
        rc = (e = cut).code;
    if (rc != SIM_OK)
        ana_err_print(stderr, &e);
    ana_comparison_free(&c);
    for (unsigned i = 0; src && i + 1 < in.n; i++)
        ana_measured_free((struct ana_measured *)(uintptr_t)src[i].m);
    free(src);
    ana_measured_free(sim);
    return rc;
}
