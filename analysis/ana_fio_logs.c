/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_fio_logs.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ana_file.h"
#include "ana_output.h"
#include "workload/hci_logs.h"

enum log_kind { LOG_BW, LOG_IOPS, LOG_SLAT, LOG_CLAT, LOG_LAT, LOG_HIST, LOG_KINDS };

static const char *const kind_names[LOG_KINDS] = {"bw", "iops", "slat", "clat", "lat",
                                                  "clat_hist"};

/* The prefix the job gives this kind of log; NULL: not asked for. */
static const char *prefix_of(const struct hci_job *job, int kind)
{
    const char *given = kind == LOG_BW     ? job->write_bw_log
                        : kind == LOG_IOPS ? job->write_iops_log
                        : kind == LOG_HIST ? job->write_hist_log
                                           : job->write_lat_log;
    bool off = (kind == LOG_SLAT && (job->disable_slat || job->gtod_reduce)) ||
               (kind == LOG_CLAT && (job->disable_clat || job->gtod_reduce)) ||
               (kind == LOG_LAT && (job->disable_lat || job->gtod_reduce)) ||
               (kind == LOG_BW && (job->disable_bw || job->gtod_reduce));
    if (!given || off)
        return NULL;
    return *given ? given : job->name;
}

/* Does the log hold what this kind of file is made from? */
static bool holds(const struct hci_logs *l, int kind)
{
    unsigned need = kind == LOG_BW ? HCI_LOG_BW : kind == LOG_IOPS ? HCI_LOG_IOPS : HCI_LOG_REST;
    return l->kinds & need;
}

/* The file's name; false when the job wants none or it is too long for one. */
static bool file_name(char out[PATH_MAX], const struct hci_job *job, unsigned number, int kind)
{
    const char *prefix = prefix_of(job, kind);
    if (!prefix)
        return false;
    int n = job->per_job_logs
                ? snprintf(out, PATH_MAX, "%s_%s.%u.log", prefix, kind_names[kind], number)
                : snprintf(out, PATH_MAX, "%s_%s.log", prefix, kind_names[kind]);
    for (char *p = out; prefix == job->name && *p; p++)
        if (*p == '/')
            *p = '_'; /* a job's name is no path */
    return n > 0 && n < PATH_MAX;
}

static uint64_t entry_value(const struct hci_log_entry *x, sim_time window_ns, int kind)
{
    uint64_t ms = window_ns / SIM_MS;
    switch (kind) {
    case LOG_SLAT: return x->slat_ns;
    case LOG_CLAT: return x->clat_ns;
    case LOG_LAT: return x->lat_ns;
    case LOG_IOPS: return ms ? x->ios * 1000ull / ms : 1;
    default: break;
    }
    if (ms)
        return x->bytes * 1000 / ms / 1024;
    return x->clat_ns ? x->bytes * 1000000 / x->clat_ns : 0; /* fio's rate of one I/O */
}

static void entry_lines(FILE *f, const struct hci_logs *l, int kind)
{
    const struct hci_job *job = l->job;
    uint64_t window = l->window_ns;
    bool rate = kind == LOG_BW || kind == LOG_IOPS;
    for (unsigned i = 0; i < l->nentries; i++) {
        const struct hci_log_entry *x = &l->entries[i];
        if (rate && window && x->when_ns % window) /* cut short by the job's end */
            continue;
        fprintf(f, "%" PRIu64 ", %" PRIu64 ", %u, %" PRIu64, (uint64_t)(x->when_ns / SIM_MS),
                entry_value(x, window, kind), (unsigned)x->dir, window ? 0 : x->bytes);
        if (job->log_offset)
            fprintf(f, ", %" PRIu64, x->offset);
        fputs(", 0\n", f);
    }
}

static void hist_line(FILE *f, const struct hci_log_hist *h, unsigned coarseness)
{
    unsigned next = 0, step = 1u << coarseness;
    fprintf(f, "%" PRIu64 ", %u, %" PRIu64, (uint64_t)(h->when_ns / SIM_MS), h->dir, h->bytes);
    for (unsigned from = 0; from < SIM_HIST_BINS; from += step) {
        uint64_t sum = 0;
        for (; next < h->nbins && h->bins[next].bin < from + step; next++)
            sum += h->bins[next].count;
        fprintf(f, ", %" PRIu64, sum);
    }
    fputc('\n', f);
}

static void print_log(FILE *f, const struct hci_logs *l, int kind)
{
    if (kind != LOG_HIST) {
        if (kind != LOG_SLAT || l->submits)
            entry_lines(f, l, kind);
        return;
    }
    for (unsigned i = 0; i < l->nhists; i++)
        hist_line(f, &l->hists[i], l->job->log_hist_coarseness);
}

struct log_set { /* all logs of a result in a row */
    const struct hci_logs **log;
    bool *done; /* of the kind in hand */
    unsigned n;
};

static int collect(struct log_set *s, const struct hci_result *r)
{
    for (unsigned j = 0; j < r->njobs; j++)
        for (const struct hci_logs *l = r->jobs[j].logs; l; l = l->next)
            s->n++;
    s->log = calloc(s->n + 1, sizeof *s->log);
    s->done = calloc(s->n + 1, sizeof *s->done);
    if (!s->log || !s->done)
        return -1;
    s->n = 0;
    for (unsigned j = 0; j < r->njobs; j++)
        for (const struct hci_logs *l = r->jobs[j].logs; l; l = l->next)
            s->log[s->n++] = l;
    return 0;
}

/* Log i and all behind it that share its file. */
static int write_file(struct log_set *s, unsigned i, int kind, const char *name, struct sim_err *e)
{
    char other[PATH_MAX], *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return sim_fail(e, SIM_E_IO, "no memory for the log %.200s", name);
    print_log(f, s->log[i], kind);
    for (unsigned k = i + 1; !s->log[i]->job->per_job_logs && k < s->n; k++) {
        const struct hci_logs *l = s->log[k];
        if (l->job->per_job_logs || s->done[k] || !holds(l, kind) || !file_name(other, l->job, l->number, kind) ||
            strcmp(other, name) != 0)
            continue;
        print_log(f, l, kind);
        s->done[k] = true;
    }
    int rc = fclose(f) == 0 ? ana_file_replace(name, text, size, e)
                            : sim_fail(e, SIM_E_IO, "no memory for the log %.200s", name);
    free(text);
    return rc;
}

int ana_fio_logs_write(const struct hci_result *r, struct sim_err *e)
{
    struct log_set s = {0};
    struct sim_err local;
    char name[PATH_MAX];
    int rc = SIM_OK;
    if (collect(&s, r)) {
        rc = sim_fail(e, SIM_E_IO, "no memory for the logs");
        s.n = 0;
    }
    for (int kind = 0; s.n && kind < LOG_KINDS; kind++) {
        memset(s.done, 0, s.n);
        for (unsigned i = 0; i < s.n; i++) {
            const struct hci_logs *l = s.log[i];
            if (s.done[i] || !holds(l, kind) || !file_name(name, l->job, l->number, kind))
                continue;
            int one = write_file(&s, i, kind, name, rc == SIM_OK ? e : &local);
            rc = rc == SIM_OK ? one : rc;
        }
    }
    free(s.log);
    free(s.done);
    return rc;
}

static int try_job(const struct hci_job *job, const char *const *keep, unsigned n,
                   struct sim_err *e)
{
    char name[PATH_MAX];
    for (int kind = 0; kind < LOG_KINDS; kind++) {
        if (!prefix_of(job, kind))
            continue;
        if (!file_name(name, job, job->number + 1, kind))
            return sim_fail_at(e, SIM_E_INPUT, job->source_file, job->line,
                               "job %s: the name of its %s log is too long", job->name,
                               kind_names[kind]);
        for (unsigned i = 0; i < n; i++)
            if (ana_output_same(name, keep[i]))
                return sim_fail_at(e, SIM_E_INPUT, job->source_file, job->line,
                                   "job %s: its %s log would overwrite %.200s", job->name,
                                   kind_names[kind], keep[i]);
        int rc = ana_output_try(name, e);
        if (rc != SIM_OK)
            return rc;
    }
    return SIM_OK;
}

int ana_fio_logs_try(const struct hci_jobfile *jobs, const char *const *keep, unsigned n,
                     struct sim_err *e)
{
    for (unsigned i = 0; i < jobs->njobs; i++) {
        const struct hci_job *job = &jobs->jobs[i];
        if (job->clone > 0 || !hci_logs_wanted(job)) /* clones differ in a number only */
            continue;
        int rc = try_job(job, keep, n, e);
        if (rc != SIM_OK)
            return rc;
    }
    return SIM_OK;
}
