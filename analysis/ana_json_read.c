/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_json_read.h"

#include <stdio.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

enum { OPTIONS = 1024 };

static double num(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key)); /* 0 for any other type */
}

static bool has_num(const json_t *o, const char *key)
{
    return json_is_number(json_object_get(o, key));
}

static uint64_t count(const json_t *o, const char *key)
{
    double v = num(o, key);
    return v > 0 && v < 1.8e19 ? (uint64_t)v : 0; /* no result of fio holds more */
}

static void copy(char *out, size_t size, const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    snprintf(out, size, "%s", s ? s : "");
}

static void percentiles(struct ana_measured_lat *l, json_t *o, double unit)
{
    void *it = json_object_iter(o);
    for (; it; it = json_object_iter_next(o, it)) {
        char *end;
        double pct = strtod(json_object_iter_key(it), &end);
        const json_t *v = json_object_iter_value(it);
        if (*end || !(pct > 0) || pct > 100 || !json_is_number(v)) /* "0.00" pads old files */
            continue;
        if (l->npct == ANA_MEASURED_PCT)
            return;
        unsigned at = l->npct++;
        for (; at > 0 && l->pct[at - 1] > pct; at--) {
            l->pct[at] = l->pct[at - 1];
            l->pct_ns[at] = l->pct_ns[at - 1];
        }
        l->pct[at] = pct;
        l->pct_ns[at] = json_number_value(v) * unit;
    }
}

static int by_ns(const void *a, const void *b)
{
    uint64_t x = ((const struct ana_measured_bin *)a)->ns;
    uint64_t y = ((const struct ana_measured_bin *)b)->ns;
    return (x > y) - (x < y);
}

static int bins(struct ana_measured_lat *l, json_t *o)
{
    size_t n = json_object_size(o);
    if (n == 0)
        return 0;
    l->bins = calloc(n, sizeof *l->bins);
    if (!l->bins)
        return -3;
    void *it = json_object_iter(o);
    for (; it; it = json_object_iter_next(o, it)) {
        const char *key = json_object_iter_key(it);
        char *end;
        errno = 0;
        uint64_t ns = strtoull(key, &end, 10);
        json_int_t c = json_integer_value(json_object_iter_value(it));
        if (isdigit((unsigned char)*key) && !*end && errno == 0 && c > 0)
            l->bins[l->nbins++] = (struct ana_measured_bin){ns, (uint64_t)c};
    }
    qsort(l->bins, l->nbins, sizeof *l->bins, by_ns);
    return 0;
}

/* fio 3 says NAME_ns, fio 2 NAME in microseconds. */
static int latency(struct ana_measured_lat *l, const json_t *dir, const char *name, uint64_t ios)
{
    char key[16];
    double unit = 1;
    snprintf(key, sizeof key, "%s_ns", name);
    const json_t *o = json_object_get(dir, key);
    if (!o) {
        o = json_object_get(dir, name);
        unit = 1000;
    }
    if (!json_is_object(o))
        return 0;
    l->min = num(o, "min") * unit;
    l->max = num(o, "max") * unit;
    l->mean = num(o, "mean") * unit;
    l->stddev = num(o, "stddev") * unit;
    l->n = has_num(o, "N") ? count(o, "N") : l->max > 0 ? ios : 0;
    percentiles(l, json_object_get(o, "percentile"), unit);
    return unit > 1 ? 0 : bins(l, json_object_get(o, "bins"));
}

static int direction(struct ana_measured_dir *d, const json_t *o)
{
    if (!json_is_object(o))
        return 0;
    d->present = true;
    d->ios = count(o, "total_ios");
    d->runtime_ns = count(o, "runtime") * SIM_MS;
    /* Before 2.21 there is no io_kbytes, and io_bytes counts KiB. */
    bool in_bytes = has_num(o, "io_kbytes") || has_num(o, "bw_bytes");
    d->bytes = count(o, "io_bytes") * (in_bytes ? 1 : 1024);
    d->bw_Bps = has_num(o, "bw_bytes") ? num(o, "bw_bytes") : num(o, "bw") * 1024;
    d->iops = num(o, "iops");
    if (d->iops <= 0 && d->runtime_ns > 0)
        d->iops = (double)d->ios * 1e9 / (double)d->runtime_ns;
    if (!has_num(o, "total_ios")) /* before 2.1.14; flushes have no runtime and always a count */
        d->ios = (uint64_t)(d->iops * (double)d->runtime_ns / 1e9 + 0.5);
    d->bw_mean_Bps = num(o, "bw_mean") * 1024;
    d->bw_dev_Bps = num(o, "bw_dev") * 1024;
    d->iops_stddev = num(o, "iops_stddev");
    int rc = latency(&d->slat, o, "slat", d->ios);
    rc = rc ? rc : latency(&d->clat, o, "clat", d->ios);
    return rc ? rc : latency(&d->lat, o, "lat", d->ios);
}

static int set_option(struct ana_measured_job *j, const char *name, const char *value)
{
    for (unsigned i = 0; i < j->noptions; i++) {
        if (strcmp(j->options[i].name, name) != 0)
            continue;
        char *v = strdup(value);
        if (!v)
            return -3;
        free(j->options[i].value);
        j->options[i].value = v;
        return 0;
    }
    if (j->noptions == OPTIONS) /* fio knows a quarter of that: the file is no result of it */
        return 0;
    struct ana_measured_option *more = realloc(j->options, (j->noptions + 1) * sizeof *more);
    if (!more)
        return -3;
    j->options = more;
    more += j->noptions++;
    more->name = strdup(name);
    more->value = strdup(value);
    return more->name && more->value ? 0 : -3;
}

static int options(struct ana_measured_job *j, json_t *o)
{
    void *it = json_object_iter(o);
    for (; it; it = json_object_iter_next(o, it)) {
        const char *v = json_string_value(json_object_iter_value(it));
        if (v && set_option(j, json_object_iter_key(it), v))
            return -3;
    }
    return 0;
}

static int one_job(struct ana_measured_job *j, const json_t *o, json_t *globals)
{
    static const char *const dirs[ANA_DIRS] = {"read", "write", "trim", "sync", "mixed"};
    static const char *const level[7] = {"1", "2", "4", "8", "16", "32", ">=64"};
    const json_t *depth = json_object_get(o, "iodepth_level");
    copy(j->name, sizeof j->name, o, "jobname");
    copy(j->host, sizeof j->host, o, "hostname");
    j->nentries = 1;
    j->groupid = json_integer_value(json_object_get(o, "groupid"));
    j->error = (int)json_integer_value(json_object_get(o, "error"));
    j->elapsed_s = num(o, "elapsed");
    j->usr_cpu = num(o, "usr_cpu");
    j->sys_cpu = num(o, "sys_cpu");
    double eta = num(o, "eta"); /* 2^31-1 and 2^32-2 stand for "not known", at the end too */
    j->interim = eta > 0 && eta < 2147483647.0;
    for (int i = 0; i < 7; i++)
        j->depth[i] = num(depth, level[i]);
    int rc = options(j, globals);
    rc = rc ? rc : options(j, json_object_get(o, "job options"));
    for (int i = 0; i < ANA_DIRS && !rc; i++)
        rc = direction(&j->dir[i], json_object_get(o, dirs[i]));
    return rc;
}

static int disks(struct ana_measured *m, const json_t *list)
{
    size_t n = json_array_size(list);
    m->disks = calloc(n + 1, sizeof *m->disks);
    if (!m->disks)
        return -3;
    for (size_t i = 0; i < n; i++) {
        const json_t *o = json_array_get(list, i);
        struct ana_measured_disk *d = &m->disks[m->ndisks++];
        copy(d->name, sizeof d->name, o, "name");
        d->reads = count(o, "read_ios") + count(o, "read_merges");
        d->writes = count(o, "write_ios") + count(o, "write_merges");
    }
    return 0;
}

static double network_ns(const json_t *parts)
{
    double ns = 0;
    for (size_t i = 0; i < json_array_size(parts); i++) {
        const json_t *o = json_array_get(parts, i);
        const char *name = json_string_value(json_object_get(o, "component"));
        if (name && strcmp(name, "network") == 0)
            ns += num(o, "service_ns");
    }
    return ns;
}

/* What only a simulation knows; its jobs stand in the order of fio's. */
static void simulator(struct ana_measured *m, const json_t *o)
{
    const json_t *list = json_object_get(o, "jobs");
    m->simulated = json_is_object(o);
    copy(m->layout, sizeof m->layout, o, "layout");
    m->cache_bytes = count(o, "cache_bytes");
    for (unsigned i = 0; i < m->njobs && i < json_array_size(list); i++) {
        const json_t *parts = json_object_get(json_array_get(list, i), "breakdown");
        m->jobs[i].net_ns[ANA_READ] = network_ns(json_object_get(parts, "read"));
        m->jobs[i].net_ns[ANA_WRITE] = network_ns(json_object_get(parts, "write"));
    }
}

static int all_jobs(struct ana_measured *m, const json_t *doc)
{
    const json_t *list = json_object_get(doc, "jobs");
    if (!json_is_array(list))
        list = json_object_get(doc, "client_stats");
    const char *version = json_string_value(json_object_get(doc, "fio version"));
    if (!json_is_array(list) || !version)
        return -2;
    size_t n = json_array_size(list);
    ana_json_drop_jobs(m);
    m->jobs = calloc(n ? n : 1, sizeof *m->jobs);
    if (!m->jobs)
        return -3;
    snprintf(m->version, sizeof m->version, "%s", version);
    for (size_t i = 0; i < n; i++) {
        const json_t *o = json_array_get(list, i);
        const char *name = json_string_value(json_object_get(o, "jobname"));
        /* The sum over clients, unless nothing else was kept. */
        if (!name || (n > 1 && strcmp(name, "All clients") == 0))
            continue;
        if (one_job(&m->jobs[m->njobs++], o, json_object_get(doc, "global options")))
            return -3;
    }
    simulator(m, json_object_get(doc, "simulator"));
    return disks(m, json_object_get(doc, "disk_util"));
}

int ana_json_read(struct ana_measured *m, const char *text, size_t n, char why[200])
{
    json_error_t err;
    json_t *doc = json_loadb(text, n, 0, &err); /* of duplicate keys the last wins */
    if (!doc) {
        snprintf(why, 200, "%s", err.text);
        return -1;
    }
    int rc = all_jobs(m, doc);
    json_decref(doc);
    return rc;
}

void ana_json_drop_jobs(struct ana_measured *m)
{
    for (unsigned i = 0; i < m->njobs; i++) {
        struct ana_measured_job *j = &m->jobs[i];
        for (unsigned k = 0; k < j->noptions; k++) {
            free(j->options[k].name);
            free(j->options[k].value);
        }
        free(j->options);
        for (int dir = 0; dir < ANA_DIRS; dir++) {
            free(j->dir[dir].slat.bins);
            free(j->dir[dir].clat.bins);
            free(j->dir[dir].lat.bins);
        }
    }
    free(m->jobs);
    free(m->disks);
    m->jobs = NULL;
    m->disks = NULL;
    m->njobs = m->ndisks = 0;
}
