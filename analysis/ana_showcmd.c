/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_showcmd.h"

#include <string.h>

/* Quoted for a shell where it has to be. */
static void word(FILE *f, const char *s)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-./:,%+=@";
    if (*s && s[strspn(s, plain)] == '\0') {
        fputs(s, f);
        return;
    }
    fputc('\'', f);
    for (; *s; s++)
        if (*s == '\'')
            fputs("'\\''", f);
        else
            fputc((unsigned char)*s < 0x20 || *s == 0x7f ? '?' : *s, f);
    fputc('\'', f);
}

static void options(FILE *f, const struct hci_option_text *option, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        fprintf(f, " --%s", option[i].name);
        if (!option[i].value)
            continue;
        fputc('=', f);
        word(f, option[i].value);
    }
}

void ana_showcmd_print(FILE *f, const struct hci_jobfile *jobs)
{
    fputs("fio", f);
    options(f, jobs->globals, jobs->nglobals);
    for (unsigned i = 0; i < jobs->njobs; i++) {
        const struct hci_job *job = &jobs->jobs[i];
        if (job->clone > 0) /* numjobs says so already */
            continue;
        fputs(" --name=", f);
        word(f, job->name);
        options(f, job->options, job->noptions);
    }
    fputc('\n', f);
}
