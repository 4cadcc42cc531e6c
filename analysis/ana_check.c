/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_check.h"

#include "ana_cli.h"

#include <string.h>

#define SETS_MAX 256

enum key { KEY_JSON = 256, KEY_SET, KEY_EFFECTIVE };

struct input {
    const char *path;
    int json, effective;
    unsigned nsets;
    struct hci_set sets[SETS_MAX];
    struct sim_err *err;
};

static const struct argp_option options[] = {
    { "json", KEY_JSON, NULL, 0, "print JSON instead of text", 0 },
    { "set", KEY_SET, "KEY=VALUE", 0,
      "change the layout before it is checked, e.g. nodes.[*].nic.mtu=1500; repeatable", 0 },
    { "effective", KEY_EFFECTIVE, NULL, 0,
      "print the effective configuration, every default included, and stop", 0 },
    { 0 },
};

static int add_set(struct input *in, char *word)
{
    char *eq = strchr(word, '=');
    if (!eq || eq == word)
        return sim_fail(in->err, SIM_E_INPUT, "--set wants KEY=VALUE, not '%.200s'", word);
    if (in->nsets == SETS_MAX)
        return sim_fail(in->err, SIM_E_INPUT, "more than %d --set", SETS_MAX);
    *eq = '\0';
    in->sets[in->nsets++] = (struct hci_set){ word, eq + 1 };
    return SIM_OK;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    int rc = SIM_OK;
    switch (key) {
    case KEY_JSON: in->json = 1; break;
    case KEY_EFFECTIVE: in->effective = 1; break;
    case KEY_SET: rc = add_set(in, arg); break;
    case ARGP_KEY_ARG:
        if (in->path)
            rc = sim_fail(in->err, SIM_E_INPUT, "check takes one layout, '%.200s' is one too many",
                          arg);
        in->path = arg;
        break;
    case ARGP_KEY_END:
        if (!in->path)
            rc = sim_fail(in->err, SIM_E_INPUT, "no layout given: hcisim check LAYOUT");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return rc == SIM_OK ? 0 : EINVAL;
}

static int judge(const struct input *in, const struct hci_layout *lay, struct sim_err *e)
{
    struct hci_check c;
    if (in->effective) {
        fputs(lay->text, stdout);
        return SIM_OK;
    }
    int rc = hci_layout_check(lay, &c, e);
    if (rc != SIM_OK)
        return rc;
    if (in->json)
        ana_check_json(stdout, lay, &c);
    else
        ana_check_text(stdout, lay, &c);
    rc = c.nerrors ? SIM_E_NO : SIM_OK;
    hci_check_free(&c);
    return rc;
}

int ana_check_main(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse, "LAYOUT",
        "Applies a layout's rules: what will not install, what will disappoint, and what becomes "
        "of every disk. Nothing is simulated. Exit status 1: a rule refuses the layout.",
        NULL, NULL, NULL
    };
    struct sim_err e = { 0 };
    struct input in = { .err = &e };
    struct hci_layout *lay;
    int rc = ana_parse(&argp, argc, argv, &in, &e);
    if (rc == SIM_OK)
        rc = hci_layout_load(&lay, in.path, in.sets, in.nsets, &e);
    if (rc != SIM_OK)
        return ana_err_print(stderr, &e);
    rc = judge(&in, lay, &e);
    hci_layout_free(lay);
    return e.code ? ana_err_print(stderr, &e) : rc;
}
