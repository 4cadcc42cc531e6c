/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_options.h"
#include "fio_table.h"
#include "hci_param.h"

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

const char *hci_fio_option_nearest(const char *name)
{
    const struct hci_fio_option *row;
    struct hci_nearest near;
    hci_nearest_begin(&near, name);
    for (unsigned i = 0; (row = hci_fio_option_row(i)); i++) {
        hci_nearest_offer(&near, row->name);
        /* Every list of aliases in the table holds a single name. */
        if (row->aliases)
            hci_nearest_offer(&near, row->aliases);
    }
    return hci_nearest_name(&near);
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
