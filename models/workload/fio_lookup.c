/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_options.h"
#include "fio_table.h"

#include <string.h>

const struct hci_fio_option *hci_fio_option_row(unsigned i)
{
    if (i < hci_fio_table_nmain)
        return &hci_fio_table_main[i];
    i -= hci_fio_table_nmain;
    return i < hci_fio_table_ninert ? &hci_fio_table_inert[i] : NULL;
}

/* Is word in a blank-separated list? */
static bool listed(const char *list, const char *word)
{
    size_t n = strlen(word);
    while (list && *list) {
        size_t len = strcspn(list, " ");
        if (len == n && memcmp(list, word, n) == 0)
            return true;
        list += len + (list[len] == ' ');
    }
    return false;
}

const struct hci_fio_option *hci_fio_option_find(const char *name, const char *engine)
{
    const struct hci_fio_option *row;
    for (unsigned i = 0; (row = hci_fio_option_row(i)); i++) {
        if (strcmp(row->name, name) != 0 && !listed(row->aliases, name))
            continue;
        if (!row->engines || !engine || listed(row->engines, engine))
            return row;
    }
    return NULL;
}

unsigned hci_fio_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    unsigned row[64];
    if (n > 63 || m > 63)
        return 64;
    for (unsigned j = 0; j <= m; j++)
        row[j] = j;
    for (unsigned i = 1; i <= n; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= m; j++) {
            unsigned best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
        }
    }
    return row[m];
}

static void closer(const char *name, const char *known, unsigned *best, const char **found)
{
    unsigned d = hci_fio_distance(name, known);
    if (d < *best) {
        *best = d;
        *found = known;
    }
}

const char *hci_fio_option_nearest(const char *name)
{
    const struct hci_fio_option *row;
    const char *found = NULL;
    unsigned best = (unsigned)sim_min(strlen(name), 63) / 2 + 1;
    for (unsigned i = 0; (row = hci_fio_option_row(i)); i++) {
        closer(name, row->name, &best, &found);
        /* Every list of aliases in the table holds a single name. */
        if (row->aliases)
            closer(name, row->aliases, &best, &found);
    }
    return found;
}

const char *hci_fio_option_hint(const char *name)
{
    static const char *const command_line[] = {
        "append-terse", "alloc-size", "aux-path", "bandwidth-log", "client", "cmdhelp",
        "crctest", "cpuclock-test", "daemonize", "debug", "enghelp", "eta", "eta-interval",
        "eta-newline", "help", "idle-prof", "inflate-log", "latency-log", "max-jobs",
        "merge-blktrace-only", "minimal", "output", "output-format", "parse-only", "readonly",
        "remote-config", "section", "server", "showcmd", "status-interval", "terse-version",
        "trigger", "trigger-file", "trigger-remote", "trigger-timeout", "version",
        "warnings-fatal",
    };
    if (strncmp(name, "//", 2) == 0)
        return "comments start with # or ;";
    for (size_t i = 0; i < sizeof command_line / sizeof command_line[0]; i++)
        if (strcmp(name, command_line[i]) == 0)
            return "it is an option of fio's command line, not of a job";
    return NULL;
}
