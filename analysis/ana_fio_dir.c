/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_fio_dir.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ends_in(const char *name, const char *tail)
{
    size_t n = strlen(name), t = strlen(tail);
    return n > t && strcmp(name + n - t, tail) == 0;
}

static int wanted(const struct dirent *d)
{
    return d->d_name[0] != '.' && (ends_in(d->d_name, ".json") || ends_in(d->d_name, "-res.txt"));
}

__attribute__((format(printf, 2, 3))) static void note(struct ana_measured *m, const char *fmt, ...)
{
    if (m->nnotes == ANA_MEASURED_NOTES)
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(m->notes[m->nnotes], sizeof *m->notes, fmt, ap);
    va_end(ap);
    for (char *p = m->notes[m->nnotes++]; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            *p = ' ';
}

/* Moves the jobs of one guest over. */
static int adopt(struct ana_measured *all, struct ana_measured *one, const char *file)
{
    struct ana_measured_job *more =
        realloc(all->jobs, (all->njobs + one->njobs + 1) * sizeof *more);
    if (!more)
        return -1;
    all->jobs = more;
    for (unsigned i = 0; i < one->njobs; i++) {
        struct ana_measured_job *j = &all->jobs[all->njobs++];
        *j = one->jobs[i];
        if (!j->host[0])
            snprintf(j->host, sizeof j->host, "%.*s", (int)sim_min(strlen(file) - 5, 250), file);
    }
    one->njobs = 0; /* what they point to has moved as well */
    memcpy(all->version, one->version, sizeof all->version);
    all->simulated |= one->simulated;
    all->ndocuments += one->ndocuments;
    return 0;
}

static int read_guest(struct ana_measured *all, const char *path, const char *file,
                      struct sim_err *e)
{
    struct ana_measured *one;
    struct sim_err why = {0};
    int rc = ana_fio_read(&one, path, &why);
    if (rc == SIM_E_IO) {
        *e = why;
        return rc;
    }
    if (rc != SIM_OK)
        note(all, "%.100s: %.140s", file, why.text);
    if (one && adopt(all, one, file))
        rc = sim_fail_at(e, SIM_E_IO, path, 0, "not enough memory");
    ana_measured_free(one);
    return rc == SIM_E_IO ? rc : SIM_OK;
}

static void read_summary(struct ana_measured *all, const char *path)
{
    char line[200];
    FILE *f = fopen(path, "re");
    while (f && all->nnotes < ANA_MEASURED_NOTES && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (strchr(line, '='))
            note(all, "%s", line);
    }
    if (f)
        fclose(f);
}

static int read_files(struct ana_measured *all, const char *dir, struct dirent **list, int n,
                      struct sim_err *e)
{
    char path[PATH_MAX];
    int rc = SIM_OK;
    for (int i = 0; i < n && rc == SIM_OK; i++) {
        int len = snprintf(path, sizeof path, "%s/%s", dir, list[i]->d_name);
        if (len < 0 || (size_t)len >= sizeof path)
            return sim_fail_at(e, SIM_E_IO, dir, 0, "cannot read: %s", strerror(ENAMETOOLONG));
        if (ends_in(list[i]->d_name, ".json"))
            rc = read_guest(all, path, list[i]->d_name, e);
        else
            read_summary(all, path);
    }
    if (rc == SIM_OK && all->njobs == 0)
        rc = sim_fail_at(e, SIM_E_INPUT, dir, 0, "no file of this folder is a result of fio "
                         "(one .json file a guest is read)%s%.200s", all->nnotes ? "; " : "",
                         all->nnotes ? all->notes[0] : "");
    return rc;
}

int ana_fio_read_dir(struct ana_measured **out, const char *path, struct sim_err *e)
{
    struct dirent **list = NULL;
    struct ana_measured *all = calloc(1, sizeof *all);
    int n = scandir(path, &list, wanted, alphasort), rc;
    *out = NULL;
    if (all)
        all->notes = calloc(ANA_MEASURED_NOTES, sizeof *all->notes);
    if (n < 0)
        rc = sim_fail_at(e, SIM_E_IO, path, 0, "cannot read: %s", strerror(errno));
    else if (!all || !all->notes)
        rc = sim_fail_at(e, SIM_E_IO, path, 0, "not enough memory");
    else if (n > ANA_FIO_DIR_FILES)
        rc = sim_fail_at(e, SIM_E_INPUT, path, 0, "more than %d results in one folder",
                         ANA_FIO_DIR_FILES);
    else
        rc = read_files(all, path, list, n, e);
    for (int i = 0; i < n; i++)
        free(list[i]);
    free(list);
    if (rc == SIM_OK)
        *out = all;
    else
        ana_measured_free(all);
    return rc;
}
