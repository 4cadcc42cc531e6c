/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _POSIX_C_SOURCE 200809L
#include "fio_iolog.h"
#include "hci_iolog.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAME "255"
#define ENTRIES_MAX (1U << 28)

struct reader {
    struct hci_fio_files *all;
    struct hci_fio_setting *s;
    struct hci_iolog log;
    struct hci_iolog_entry *entries; /* malloc'd */
    uint64_t max;
    sim_time now;                    /* version 2: the sum of waits */
    bool timed;                      /* version 3 */
    unsigned *files;                 /* [HCI_FILES_MAX] */
    bool *seen;                      /* [HCI_FILES_MAX] */
};

static bool complain(struct reader *r, const char *path, int line, const char *why)
{
    hci_fio_error(r->s->log, path, line, "%s", why);
    return false;
}

/* The file's index; HCI_FILES_MAX: there are too many. */
static unsigned file_of(struct reader *r, const char *name)
{
    unsigned f = hci_fio_files_intern(r->all, r->s->pool, name);
    if (f < HCI_FILES_MAX && !r->seen[f]) {
        r->seen[f] = true;
        r->files[r->log.nfiles++] = f;
    }
    return f;
}

static bool append(struct reader *r, const struct hci_iolog_entry *e)
{
    if (r->log.n == r->max) {
        uint64_t max = r->max ? 2 * r->max : 1024;
        struct hci_iolog_entry *p =
            max > ENTRIES_MAX ? NULL : realloc(r->entries, max * sizeof *p);
        if (!p)
            return false;
        r->entries = p;
        r->max = max;
    }
    r->entries[r->log.n++] = *e;
    return true;
}

/* enum hci_op of an action; -1: it is none. */
static int op_of(const char *action)
{
    static const struct {
        const char *name;
        int op;
    } ops[] = { { "read", HCI_READ }, { "write", HCI_WRITE }, { "trim", HCI_TRIM },
                { "sync", HCI_FLUSH }, { "datasync", HCI_FLUSH } };
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        if (strcmp(ops[i].name, action) == 0)
            return ops[i].op;
    return -1;
}

static bool is_file_action(const char *action)
{
    return !strcmp(action, "add") || !strcmp(action, "open") || !strcmp(action, "close");
}

/* One line; 1: used, 0: skipped, -1: no room. */
static int take_line(struct reader *r, const char *line)
{
    char name[256], action[256];
    uint64_t us = 0, offset = 0, bytes = 0;
    int n = r->timed ? sscanf(line, "%" SCNu64 " %" NAME "s %" NAME "s %" SCNu64 " %" SCNu64, &us,
                              name, action, &offset, &bytes) - 1
                     : sscanf(line, "%" NAME "s %" NAME "s %" SCNu64 " %" SCNu64, name, action,
                              &offset, &bytes);
    if (n < 2 || us > INT64_MAX / SIM_US)
        return 0;
    if (is_file_action(action))
        return file_of(r, name) < HCI_FILES_MAX;
    if (n >= 3 && !r->timed && strcmp(action, "wait") == 0) {
        if (offset > (INT64_MAX - r->now) / SIM_US)
            return 0;
        r->now += offset * SIM_US;
        return 1;
    }
    int op = op_of(action);
    bool data = op != HCI_FLUSH;
    if (op < 0 || (data && (n < 4 || !bytes || bytes > UINT32_MAX || offset > INT64_MAX - bytes)))
        return 0;
    r->now = r->timed ? sim_max(r->now, us * SIM_US) : r->now;
    unsigned f = file_of(r, name);
    if (f == HCI_FILES_MAX)
        return 0;
    if (data)
        r->all->files[f].need = sim_max(r->all->files[f].need, offset + bytes);
    return append(r, &(struct hci_iolog_entry){ .at = r->now, .offset = data ? offset : 0,
                                                .bytes = data ? (uint32_t)bytes : 0,
                                                .file = (uint16_t)f, .op = (uint8_t)op })
               ? 1 : -1;
}

static bool read_lines(struct reader *r, FILE *in, const char *path)
{
    char *line = NULL;
    size_t size = 0;
    int used = 0;
    bool ok = getline(&line, &size, in) > 0;
    r->timed = ok && strncmp(line, "fio version 3 iolog", 19) == 0;
    if (!ok || (!r->timed && strncmp(line, "fio version 2 iolog", 19) != 0)) {
        free(line);
        return complain(r, path, 1, "is no trace: it must begin with \"fio version 2 iolog\" or "
                                    "\"fio version 3 iolog\"");
    }
    while (used >= 0 && getline(&line, &size, in) > 0) {
        used = take_line(r, line);
        r->log.lines++;
        r->log.skipped += used == 0;
    }
    free(line);
    if (used < 0)
        return complain(r, path, 0, "the trace has too many I/Os for memory");
    if (r->log.n == 0)
        return complain(r, path, 0, "the trace has no I/O that can be used");
    return true;
}

/* What was read, in the job file's own memory. */
static const struct hci_iolog *keep(struct reader *r)
{
    struct hci_iolog *log = hci_fio_alloc(r->s->pool, sizeof *log);
    struct hci_iolog_entry *entries = hci_fio_alloc(r->s->pool, r->log.n * sizeof *entries);
    unsigned *files = hci_fio_alloc(r->s->pool, r->log.nfiles * sizeof *files);
    if (!log || !entries || !files)
        return NULL;
    memcpy(entries, r->entries, r->log.n * sizeof *entries);
    memcpy(files, r->files, r->log.nfiles * sizeof *files);
    *log = r->log;
    log->entries = entries;
    log->files = files;
    return log;
}

static const struct hci_iolog *read_log(struct hci_fio_files *all, struct hci_fio_setting *s,
                                        const char *path)
{
    struct reader r = { .all = all, .s = s };
    const struct hci_iolog *log = NULL;
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        hci_fio_error(s->log, s->file, s->line, "read_iolog=%s: not a regular file", path);
        return NULL;
    }
    FILE *in = fopen(path, "r");
    if (!in) {
        hci_fio_error(s->log, s->file, s->line, "read_iolog=%s: %s", path, strerror(errno));
        return NULL;
    }
    r.files = calloc(HCI_FILES_MAX, sizeof *r.files);
    r.seen = calloc(HCI_FILES_MAX, sizeof *r.seen);
    if (!r.files || !r.seen)
        s->pool->failed = true;
    else if (read_lines(&r, in, path))
        log = keep(&r);
    if (log)
        hci_fio_note(s->log, NULL, 0, "read_iolog=%s: %" PRIu64 " lines read, %" PRIu64 " used, %"
                     PRIu64 " skipped; %" PRIu64 " I/Os", path, log->lines,
                     log->lines - log->skipped, log->skipped, log->n);
    free(r.entries);
    free(r.files);
    free(r.seen);
    fclose(in);
    return log;
}

bool hci_fio_iolog_assign(struct hci_fio_files *all, struct hci_fio_setting *s,
                          struct hci_job *job)
{
    if (!s->conf->job.iolog)
        s->conf->job.iolog = read_log(all, s, job->read_iolog);
    job->iolog = s->conf->job.iolog;
    if (!job->iolog)
        return false;
    job->nfiles = job->iolog->nfiles;
    job->files = job->iolog->files;
    return true;
}
