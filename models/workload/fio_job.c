/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_job.h"
#include "fio_check.h"
#include "fio_files.h"
#include "fio_lex.h"
#include "fio_options.h"
#include "hci_param.h"
#include "sim_rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct first_clone { /* for wait_for: where the jobs of a name begin */
    uint64_t hash;
    unsigned job;
};

struct parser {
    const struct hci_jobfile_opts *opts;
    struct hci_fio_pool *pool;
    struct hci_fio_log log;
    struct hci_fio_lexer lexer;
    struct hci_fio_conf global, conf; /* conf: of the section being read */
    struct hci_fio_files files;
    struct hci_job *jobs;             /* malloc'd */
    unsigned njobs, njobs_max;
    struct first_clone *firsts;       /* malloc'd */
    unsigned nfirsts, nfirsts_max;
    struct hci_option_text *globals;  /* malloc'd */
    unsigned nglobals, nglobals_max;
    struct hci_fio_item *finals;      /* malloc'd: opts->finals, cut at "=" */
    bool *final_met;                  /* malloc'd: a section took it */
    unsigned section, group, group_jobs;
    bool next_file;                   /* the next job opens a further job file */
    const char *sections_unmet;       /* a --section nobody has */
};

/* Room for one more of `size` bytes in a doubling array. */
static bool room(struct parser *p, void **array, unsigned n, unsigned *max, size_t size)
{
    if (n < *max)
        return true;
    unsigned m = *max ? 2 * *max : 16;
    void *q = realloc(*array, m * size);
    if (!q) {
        p->pool->failed = true;
        return false;
    }
    *array = q;
    *max = m;
    return true;
}

static void unknown_option(struct parser *p, const struct hci_fio_item *it)
{
    char shown[64];
    const char *hint = hci_fio_option_hint(it->name), *nearest = hci_fio_option_nearest(it->name);
    const struct hci_fio_option *other = hci_fio_option_find(it->name, NULL);
    hci_fio_printable(it->name, shown);
    if (hint)
        hci_fio_error(&p->log, it->file, it->line, "unknown option %s: %s", shown, hint);
    else if (other)
        hci_fio_error(&p->log, it->file, it->line, "option %s belongs to ioengine %s, and this "
                      "job uses %s", shown, other->engines, p->conf.job.engine);
    else if (nearest)
        hci_fio_error(&p->log, it->file, it->line, "unknown option %s, did you mean %s?", shown,
                      nearest);
    else
        hci_fio_error(&p->log, it->file, it->line, "unknown option %s", shown);
}

static struct hci_fio_setting setting(struct parser *p, const struct hci_fio_item *it)
{
    return (struct hci_fio_setting){
        .pool = p->pool, .log = &p->log, .conf = &p->conf, .name = it->name, .value = it->value,
        .file = it->file, .line = it->line, .section = p->section,
        .lenient = p->opts->lenient,
    };
}

/* Options others depend on come first, wherever they stand in the section. */
static bool comes_first(const char *name)
{
    return strcmp(name, "kb_base") == 0 || strcmp(name, "ioengine") == 0;
}

static void apply_items(struct parser *p, const struct hci_fio_item *it, unsigned n)
{
    for (int pass = 0; pass < 2; pass++)
        for (unsigned i = 0; i < n && p->log.nerrors < HCI_FIO_MAX_ERRORS; i++) {
            struct hci_fio_setting s = setting(p, &it[i]);
            if (comes_first(it[i].name) != (pass == 0))
                continue;
            s.row = hci_fio_option_find(it[i].name, p->conf.job.engine);
            if (s.row)
                hci_fio_option_apply(&s);
            else
                unknown_option(p, &it[i]);
        }
}

static void keep_globals(struct parser *p, const struct hci_fio_item *it, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (!room(p, (void **)&p->globals, p->nglobals, &p->nglobals_max, sizeof *p->globals))
            return;
        p->globals[p->nglobals++] =
            (struct hci_option_text){ .name = it[i].name, .value = it[i].value };
    }
}

/* The earlier job wait_for names: its first clone's index, -1 after a complaint. */
static int waitee(struct parser *p, const struct hci_fio_item *head, const char *name)
{
    char shown[64];
    uint64_t hash = sim_role(name);
    for (unsigned i = p->nfirsts; i-- > 0;)
        if (p->firsts[i].hash == hash && strcmp(p->jobs[p->firsts[i].job].name, name) == 0)
            return (int)p->firsts[i].job;
    hci_fio_error(&p->log, head->file, head->line, "job %s: wait_for names no earlier job: %s",
                  p->conf.job.name, hci_fio_printable(name, shown));
    return -1;
}

static void number_group(struct parser *p, struct hci_job *job)
{
    if (job->clone == 0 && (job->stonewall || job->new_group) && p->group_jobs) {
        p->group++;
        p->group_jobs = 0;
    }
    p->group_jobs++;
    job->groupid = p->group;
}

static void add_clones(struct parser *p, const struct hci_fio_item *head)
{
    struct hci_fio_setting s = setting(p, head);
    const unsigned *shared = NULL;
    unsigned n = p->conf.job.numjobs;
    if (n > HCI_JOBS_MAX - p->njobs) {
        hci_fio_error(&p->log, head->file, head->line, "job %s: more than %d jobs in all",
                      p->conf.job.name, HCI_JOBS_MAX);
        return;
    }
    if (!room(p, (void **)&p->firsts, p->nfirsts, &p->nfirsts_max, sizeof *p->firsts))
        return;
    p->firsts[p->nfirsts++] = (struct first_clone){ sim_role(p->conf.job.name), p->njobs };
    for (unsigned clone = 0; clone < n; clone++) {
        if (!room(p, (void **)&p->jobs, p->njobs, &p->njobs_max, sizeof *p->jobs))
            return;
        struct hci_job *job = &p->jobs[p->njobs];
        *job = p->conf.job;
        job->clone = clone;
        job->number = p->njobs;
        job->stonewall &= clone == 0;
        job->new_group &= clone == 0;
        if (!hci_fio_files_assign(&p->files, &s, job, head->name, &shared))
            return;
        number_group(p, job);
        p->njobs++;
    }
}

static bool final_for(const struct parser *p, unsigned i, const char *section)
{
    const char *only = p->opts->finals[i].section;
    return !only || strcmp(only, section) == 0;
}

static void apply_finals(struct parser *p, const char *section)
{
    for (unsigned i = 0; p->finals && i < p->opts->nfinals; i++)
        if (final_for(p, i, section)) {
            p->final_met[i] = true;
            apply_items(p, &p->finals[i], 1);
        }
}

static void finish_job(struct parser *p, const struct hci_fio_item *head, unsigned n)
{
    struct hci_job *job = &p->conf.job;
    struct hci_fio_setting s = setting(p, head);
    unsigned more = p->finals ? p->opts->nfinals : 0;
    struct hci_option_text *texts = hci_fio_alloc(p->pool, (n + more) * sizeof *texts + 1);
    if (!p->conf.named)
        memcpy(job->name, head->name, sim_min(strlen(head->name) + 1, sizeof job->name - 1));
    if (!texts)
        return;
    for (unsigned i = 0; i < n; i++)
        texts[i] = (struct hci_option_text){ head[i + 1].name, head[i + 1].value };
    for (unsigned i = 0; i < more; i++)
        if (final_for(p, i, head->name))
            texts[n++] = (struct hci_option_text){ p->finals[i].name, p->finals[i].value };
    job->options = texts;
    job->noptions = n;
    job->source_file = head->file;
    job->line = head->line;
    job->kb_base = (unsigned)p->conf.kb_base;
    if (p->next_file)
        job->stonewall = true;
    p->next_file = false;
    hci_fio_check(&s);
    if (p->conf.wait_for)
        job->wait_for = waitee(p, head, p->conf.wait_for);
    add_clones(p, head);
}

static bool chosen(struct parser *p, const char *name)
{
    const char *const *want = p->opts->sections;
    if (!want || !want[0])
        return true;
    for (; *want; want++)
        if (strcmp(*want, name) == 0)
            return true;
    return false;
}

/* Reads the section whose header is items[i]; returns where the next begins. */
static unsigned read_section(struct parser *p, unsigned i, unsigned nitems)
{
    const struct hci_fio_item *head = &p->lexer.items[i];
    unsigned n = 0, errors = p->log.nerrors;
    while (i + 1 + n < nitems && head[n + 1].kind == HCI_FIO_SETTING)
        n++;
    bool global = strncmp(head->name, "global", 6) == 0;
    if (!global && !chosen(p, head->name))
        return i + 1 + n;
    p->section++;
    p->conf = p->global;
    apply_items(p, head + 1, n);
    if (global) {
        p->global = p->conf;
        keep_globals(p, head + 1, n);
        return i + 1 + n;
    }
    apply_finals(p, head->name);
    if (p->log.nerrors == errors)
        finish_job(p, head, n);
    return i + 1 + n;
}

static void read_overrides(struct parser *p)
{
    const char *const *o = p->opts->overrides;
    for (int n = 1; o && *o; o++, n++)
        hci_fio_lex_setting(&p->lexer, "command line", n, *o);
    p->conf = p->global;
    apply_items(p, p->lexer.items, p->lexer.nitems);
    keep_globals(p, p->lexer.items, p->lexer.nitems);
    p->global = p->conf;
    p->lexer.nitems = 0;
}

/* Cuts opts->finals into items; they wait for the sections they end. */
static void read_finals(struct parser *p)
{
    unsigned n = p->opts->nfinals;
    if (n == 0)
        return;
    p->finals = calloc(n, sizeof *p->finals);
    p->final_met = calloc(n, sizeof *p->final_met);
    for (unsigned i = 0; i < n; i++) {
        hci_fio_lex_setting(&p->lexer, "command line", (int)i + 1, p->opts->finals[i].option);
        if (!p->finals || !p->final_met || p->lexer.nitems != 1) {
            p->pool->failed |= p->log.nerrors == 0;
            free(p->finals);
            p->finals = NULL;
            return;
        }
        p->finals[i] = p->lexer.items[0];
        p->lexer.nitems = 0;
    }
}

static void check_finals(struct parser *p)
{
    for (unsigned i = 0; p->finals && p->njobs && i < p->opts->nfinals; i++)
        if (!p->final_met[i])
            hci_fio_error(&p->log, "command line", 0, "no section \"%.60s\" for option %.60s",
                          p->opts->finals[i].section, p->opts->finals[i].option);
}

static void read_items(struct parser *p)
{
    unsigned n = (unsigned)sim_min(p->lexer.nitems, HCI_FIO_MAX_ITEMS), nfiles = 0;
    for (unsigned i = 0; i < n;) {
        switch (p->lexer.items[i].kind) {
        case HCI_FIO_FILE:
            p->next_file = nfiles++ > 0;
            i++;
            break;
        case HCI_FIO_SECTION:
            i = read_section(p, i, n);
            break;
        default: /* stands before any section: complained about already */
            i++;
            break;
        }
    }
}

/* Nobody answered to a chosen section: name the nearest there is. */
static void check_sections(struct parser *p, const char *path)
{
    const char *const *want = p->opts->sections;
    const struct hci_fio_item *it = p->lexer.items;
    unsigned n = (unsigned)sim_min(p->lexer.nitems, HCI_FIO_MAX_ITEMS);
    for (; want && *want; want++) {
        struct hci_nearest near;
        char hint[300];
        bool found = false;
        hci_nearest_begin(&near, *want);
        for (unsigned i = 0; i < n && !found; i++)
            if (it[i].kind == HCI_FIO_SECTION) {
                hci_nearest_offer(&near, it[i].name);
                found = strcmp(*want, it[i].name) == 0;
            }
        if (!found)
            hci_fio_error(&p->log, path, 0, "no section \"%.60s\"%s", *want,
                          hci_nearest_hint(&near, hint, sizeof hint));
    }
}

static void hand_over(struct parser *p, struct hci_jobfile *jf)
{
    jf->text = p->lexer.text;
    jf->read = p->lexer.read;
    jf->jobs = p->jobs;
    jf->njobs = p->njobs;
    jf->files = p->files.files;
    jf->nfiles = p->files.nfiles;
    jf->notes = p->log.notes;
    jf->nnotes = p->log.nnotes;
    jf->globals = p->globals;
    jf->nglobals = p->nglobals;
    jf->pool = p->pool;
    p->lexer.text = NULL;
    p->jobs = NULL;
    p->files.files = NULL;
    p->log.notes = NULL;
    p->globals = NULL;
    p->pool = NULL;
}

static void clean_up(struct parser *p)
{
    free(p->jobs);
    free(p->firsts);
    free(p->globals);
    free(p->finals);
    free(p->final_met);
    hci_fio_files_free(&p->files);
    hci_fio_lexer_free(&p->lexer);
    hci_fio_log_free(&p->log);
    if (p->pool)
        hci_fio_pool_free(p->pool);
    free(p->pool);
    free(p);
}

static void parse(struct parser *p, const char *const *paths, unsigned npaths)
{
    hci_fio_conf_init(&p->global);
    p->lexer.pool = p->pool;
    p->lexer.log = &p->log;
    read_overrides(p);
    read_finals(p);
    for (unsigned i = 0; i < npaths; i++)
        hci_fio_lex_file(&p->lexer, paths[i]);
    read_items(p);
    check_sections(p, npaths ? paths[0] : "command line");
    check_finals(p);
    if (!p->njobs && !p->log.nerrors)
        hci_fio_error(&p->log, npaths ? paths[0] : "command line", 0, "no job defined: a job file "
                      "needs at least one [section] besides [global]");
    if (p->pool->failed)
        hci_fio_error(&p->log, npaths ? paths[0] : "command line", 0, "out of memory");
}

int hci_jobfile_load(struct hci_jobfile **out, const char *const *paths, unsigned npaths,
                     const struct hci_jobfile_opts *opts, char **errors, struct sim_err *e)
{
    static const struct hci_jobfile_opts none = { 0 };
    struct parser *p = calloc(1, sizeof *p);
    struct hci_jobfile *jf = calloc(1, sizeof *jf);
    int code = SIM_OK;
    *out = NULL;
    if (errors)
        *errors = NULL;
    if (p)
        p->pool = calloc(1, sizeof *p->pool);
    if (!p || !jf || !p->pool) {
        free(p);
        free(jf);
        return sim_fail(e, SIM_E_INPUT, "out of memory");
    }
    p->opts = opts ? opts : &none;
    parse(p, paths, npaths);
    if (p->log.nerrors) {
        code = p->log.first.code;
        if (e)
            *e = p->log.first;
        if (errors) {
            *errors = p->log.errors;
            p->log.errors = NULL;
        }
        free(jf);
    } else {
        hand_over(p, jf);
        *out = jf;
    }
    clean_up(p);
    return code;
}

void hci_jobfile_free(struct hci_jobfile *jf)
{
    if (!jf)
        return;
    hci_fio_pool_free(jf->pool);
    free(jf->pool);
    free((void *)jf->globals);
    free(jf->files);
    free(jf->jobs);
    free(jf->notes);
    free(jf->text);
    free(jf);
}
