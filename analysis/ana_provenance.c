/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "ana_provenance.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ana_version.h"

static void command_line(char *out, size_t size)
{
    FILE *f = fopen("/proc/self/cmdline", "re");
    size_t n = f ? fread(out, 1, size - 1, f) : 0;
    if (f)
        fclose(f);
    while (n > 0 && out[n - 1] == '\0')
        n--;
    for (size_t i = 0; i < n; i++)
        if (out[i] == '\0')
            out[i] = ' ';
    out[n] = '\0';
}

void ana_provenance_get(struct ana_provenance *p)
{
    struct tm tm;
    time_t now = time(NULL);
    memset(p, 0, sizeof *p);
    p->version = ana_version();
    p->revision = ana_revision();
    command_line(p->command_line, sizeof p->command_line);
    if (gmtime_r(&now, &tm))
        strftime(p->date, sizeof p->date, "%Y-%m-%dT%H:%M:%SZ", &tm);
    if (gethostname(p->host, sizeof p->host - 1) != 0)
        p->host[0] = '\0';
}
