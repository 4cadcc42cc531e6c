/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_match.c: which simulated job a measured one is.
 */
#include "ana_compare.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "workload/fio_value.h"

static const struct {
    const char *name, *def;
} identity[] = {{"rw", "read"}, {"bs", "4096"}, {"iodepth", "1"}, {"numjobs", "1"}};

static const char *option_or_alias(const struct ana_measured_job *j, const char *name)
{
    static const char *const alias[][2] = {
        {"rw", "readwrite"}, {"bs", "blocksize"}, {"io_size", "io_limit"}};
    const char *v = ana_measured_option(j, name);
    for (unsigned i = 0; !v && i < sizeof alias / sizeof *alias; i++)
        if (strcmp(name, alias[i][0]) == 0)
            v = ana_measured_option(j, alias[i][1]);
    return v;
}

double ana_option_number(const struct ana_measured_job *j, const char *name, double fallback)
{
    struct hci_fio_number v;
    const char *text = option_or_alias(j, name);
    if (!text || hci_fio_bytes(text, 1024, &v) != HCI_FIO_OK || v.negative || v.percent || v.zones)
        return fallback;
    return (double)v.value;
}

char *ana_option_canonical(const struct ana_measured_job *j, const char *name, char *buf,
                           size_t size)
{
    struct hci_fio_number v;
    const char *text = option_or_alias(j, name), *def = "";
    for (unsigned i = 0; i < sizeof identity / sizeof *identity; i++)
        if (strcmp(name, identity[i].name) == 0)
            def = identity[i].def;
    text = text ? text : def;
    if (strcmp(name, "rw") == 0) /* "randread:8" is randread in steps */
        snprintf(buf, size, "%.*s", (int)strcspn(text, ":"), strcmp(text, "readwrite") ? text : "rw");
    else if (hci_fio_bytes(text, 1024, &v) == HCI_FIO_OK && !v.percent && !v.zones)
        snprintf(buf, size, "%llu", (unsigned long long)v.value);
    else
        snprintf(buf, size, "%s", text);
    return buf;
}

static bool same_options(const struct ana_measured_job *a, const struct ana_measured_job *b)
{
    char x[128], y[128];
    for (unsigned i = 0; i < sizeof identity / sizeof *identity; i++)
        if (strcmp(ana_option_canonical(a, identity[i].name, x, sizeof x),
                   ana_option_canonical(b, identity[i].name, y, sizeof y)) != 0)
            return false;
    return true;
}

const struct ana_measured_job *ana_match(const struct ana_measured *sim,
                                         const struct ana_measured_job *j, bool *by_options)
{
    const struct ana_measured_job *named = NULL, *alike = NULL;
    for (unsigned i = 0; i < sim->njobs; i++) {
        const struct ana_measured_job *s = &sim->jobs[i];
        bool name = strcmp(s->name, j->name) == 0, same = same_options(s, j);
        if (name && same) {
            named = s;
            break;
        }
        named = name && !named ? s : named;
        alike = same && !alike ? s : alike;
    }
    /* A file without options cannot be told by them. */
    *by_options = !named && j->noptions > 0;
    return named ? named : *by_options ? alike : NULL;
}
