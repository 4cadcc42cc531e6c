/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_showjobs.h"

#include "ana_cli.h"
#include "workload/hci_job.h"

#include <stdlib.h>

#define LIST_MAX 64

enum key { KEY_SECTION = 256, KEY_LENIENT, KEY_OPTION };

struct input {
    const char *paths[LIST_MAX], *sections[LIST_MAX + 1], *overrides[LIST_MAX + 1];
    unsigned npaths, nsections, noverrides;
    struct hci_jobfile_opts opts;
    struct sim_err *err;
};

static const struct argp_option options[] = {
    { "section", KEY_SECTION, "NAME", 0, "this section only; repeatable", 0 },
    { "option", KEY_OPTION, "NAME=VALUE", 0,
      "a job option in front of the files, as if in [global]; repeatable", 0 },
    { "lenient", KEY_LENIENT, NULL, 0, "job options that would be refused become notes", 0 },
    { 0 },
};

static int add(const char **list, unsigned *n, const char *what, const char *word,
               struct sim_err *e)
{
    if (*n == LIST_MAX)
        return sim_fail(e, SIM_E_INPUT, "more than %d %s", LIST_MAX, what);
    list[(*n)++] = word;
    return SIM_OK;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    int rc = SIM_OK;
    switch (key) {
    case KEY_SECTION:
        rc = add(in->sections, &in->nsections, "--section", arg, in->err);
        break;
    case KEY_OPTION:
        rc = add(in->overrides, &in->noverrides, "--option", arg, in->err);
        break;
    case KEY_LENIENT: in->opts.lenient = true; break;
    case ARGP_KEY_ARG:
        rc = add(in->paths, &in->npaths, "job files", arg, in->err);
        break;
    case ARGP_KEY_END:
        if (!in->npaths)
            rc = sim_fail(in->err, SIM_E_INPUT, "no job file given: hcisim jobs JOBS...");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return rc == SIM_OK ? 0 : EINVAL;
}

static int show(struct input *in, struct sim_err *e)
{
    struct hci_jobfile *jf;
    char *errors = NULL;
    in->opts.sections = in->sections;
    in->opts.overrides = in->overrides;
    int rc = hci_jobfile_load(&jf, in->paths, in->npaths, &in->opts, &errors, e);
    if (rc != SIM_OK) {
        for (char *line = errors, *end; line && *line; line = end) {
            for (end = line; *end && *end != '\n'; end++)
                ;
            fprintf(stderr, "hcisim: %.*s\n", (int)(end - line), line);
            end += *end == '\n';
        }
        free(errors);
        return rc;
    }
    for (unsigned i = 0; i < jf->nnotes; i++)
        fprintf(stderr, "hcisim: note: %s\n", jf->notes[i]);
    hci_jobfile_print(stdout, jf);
    hci_jobfile_free(jf);
    if (fflush(stdout) == 0)
        return SIM_OK;
    sim_fail(e, SIM_E_IO, "cannot write the jobs");
    return ana_err_print(stderr, e);
}

int ana_showjobs_main(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse, "JOBS...",
        "Reads fio job files (- is standard input) with all checks and prints the jobs they come "
        "to, one section a clone, as a job file. Nothing is simulated.",
        NULL, NULL, NULL
    };
    struct sim_err e = { 0 };
    struct input in = { .err = &e };
    int rc = ana_parse(&argp, argc, argv, &in, &e);
    if (rc != SIM_OK)
        return ana_err_print(stderr, &e);
    return show(&in, &e);
}
