/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_cli.h"

#include "hci_param.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 64     /* bytes of a wrong name that are shown */
#define OPTIONS_MAX 128 /* options of one verb */

int ana_err_print(FILE *f, const struct sim_err *e)
{
    fputs("hcisim: ", f);
    if (e->file[0] && e->line > 0)
        fprintf(f, "%s:%d: ", e->file, e->line);
    else if (e->file[0])
        fprintf(f, "%s: ", e->file);
    for (const char *p = e->text; *p; p++) /* whatever a file contained: one line, printable */
        fputc((unsigned char)*p < ' ' || *p == 127 ? '?' : *p, f);
    fputc('\n', f);
    return e->code;
}

const char *ana_nearest(const char *word, const char *const *names, unsigned n)
{
    struct hci_nearest near;
    hci_nearest_begin(&near, word);
    for (unsigned i = 0; i < n; i++)
        hci_nearest_offer(&near, names[i]);
    return hci_nearest_name(&near);
}

/* Collects the long names a verb knows; returns their number. */
static unsigned long_names(const struct argp_option *o, const char **names)
{
    unsigned n = 0;
    for (; o && (o->name || o->key || o->doc); o++)
        if (o->name && n < OPTIONS_MAX - 3)
            names[n++] = o->name;
    names[n++] = "help";
    names[n++] = "usage";
    names[n++] = "version";
    return n;
}

/* The option called exactly name[0..len), or of which this is the only prefix. */
static const char *match_long(const char *name, size_t len, const char **names, unsigned n)
{
    const char *only = NULL;
    for (unsigned i = 0; i < n; i++) {
        if (strncmp(names[i], name, len) != 0)
            continue;
        if (names[i][len] == '\0')
            return names[i];
        if (only)
            return NULL;
        only = names[i];
    }
    return only;
}

static const struct argp_option *option_row(const struct argp_option *o, const char *name, int key)
{
    for (; o && (o->name || o->key || o->doc); o++) {
        if (name && o->name && strcmp(o->name, name) == 0)
            return o;
        if (!name && o->key == key)
            return o;
    }
    return NULL;
}

static int takes_next(const struct argp_option *o)
{
    return o && o->arg && !(o->flags & OPTION_ARG_OPTIONAL);
}

/* Checks one "--name[=value]"; *skip is set when the next word is its value. */
static int check_long(const struct argp *a, const char *word, int last, int *skip,
                      struct sim_err *e)
{
    const char *names[OPTIONS_MAX];
    unsigned n = long_names(a->options, names);
    size_t len = strcspn(word + 2, "=");
    const char *value = word[2 + len] == '=' ? word + 3 + len : NULL;
    const char *name = match_long(word + 2, len, names, n);
    if (!name) {
        char given[WORD_MAX + 1];
        snprintf(given, sizeof given, "%.*s", (int)(len < WORD_MAX ? len : WORD_MAX), word + 2);
        const char *near = ana_nearest(given, names, n);
        return sim_fail(e, SIM_E_INPUT, "no option --%s%s%s", given, near ? "; nearest: --" : "",
                        near ? near : "");
    }
    const struct argp_option *row = option_row(a->options, name, 0);
    if (value && (!row || !row->arg))
        return sim_fail(e, SIM_E_INPUT, "option --%s takes no value", name);
    *skip = !value && takes_next(row);
    if (*skip && last)
        return sim_fail(e, SIM_E_INPUT, "option --%s needs a value (%s)", name, row->arg);
    return SIM_OK;
}

/* Checks one "-abc" of short options. */
static int check_short(const struct argp *a, const char *word, int last, int *skip,
                       struct sim_err *e)
{
    for (const char *p = word + 1; *p; p++) {
        const struct argp_option *row = option_row(a->options, NULL, *p);
        if (!row && (*p == '?' || *p == 'V'))
            continue;
        if (!row)
            return sim_fail(e, SIM_E_INPUT, "no option -%c", *p);
        if (!row->arg)
            continue;
        *skip = takes_next(row) && p[1] == '\0';
        if (*skip && last)
            return sim_fail(e, SIM_E_INPUT, "option -%c needs a value (%s)", *p, row->arg);
        return SIM_OK;
    }
    return SIM_OK;
}

/* argp and getopt print two lines of their own; so look first. */
static int check_words(const struct argp *a, int argc, char **argv, struct sim_err *e)
{
    for (int i = 1; i < argc; i++) {
        int skip = 0, rc = SIM_OK;
        if (strcmp(argv[i], "--") == 0)
            return SIM_OK;
        if (!argv[i][0])
            return sim_fail(e, SIM_E_INPUT, "argument %d is empty where a name is expected", i);
        if (strncmp(argv[i], "--", 2) == 0)
            rc = check_long(a, argv[i], i + 1 == argc, &skip, e);
        else if (argv[i][0] == '-' && argv[i][1])
            rc = check_short(a, argv[i], i + 1 == argc, &skip, e);
        if (rc != SIM_OK)
            return rc;
        i += skip;
    }
    return SIM_OK;
}

int ana_parse(const struct argp *a, int argc, char **argv, void *input, struct sim_err *e)
{
    int rc = check_words(a, argc, argv, e);
    if (rc != SIM_OK)
        return rc;
    e->code = SIM_OK;
    error_t err = argp_parse(a, argc, argv, 0, NULL, input);
    if (err && e->code == SIM_OK)
        return sim_fail(e, SIM_E_INPUT, "%s: bad command line: %s", argv[0], strerror(err));
    return e->code;
}

int ana_parse_u64(const char *text, unsigned long long max, unsigned long long *out)
{
    if (*text < '0' || *text > '9')
        return 0;
    char *end;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (errno || *end || v > max)
        return 0;
    *out = v;
    return 1;
}

int ana_parse_precision(const char *word, double *share, struct sim_err *e)
{
    char *end;
    double v = strtod(word, &end);
    bool number = end != word && strspn(word, "0123456789.%") == strlen(word);
    if (!number || (*end && strcmp(end, "%") != 0) || (v > 0 && v < 0.1) || v > 50)
        return sim_fail(e, SIM_E_INPUT,
                        "--precision wants percent from 0.1 to 50, or 0, not '%.100s'", word);
    *share = v / 100;
    return SIM_OK;
}
