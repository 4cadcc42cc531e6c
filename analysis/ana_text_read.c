/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_text_read.c: fio's report for people, line by line.
 */
#include "ana_terse_read.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 512 };

struct report { /* where the walk is */
    struct ana_measured *m;
    struct ana_measured_job *job; /* NULL: before the first, or one that is left out */
    struct ana_measured_dir *dir;
    struct ana_measured_lat *pct; /* whose percentiles follow */
    double pct_unit;
    char host[64];
    bool full; /* no memory or too many jobs */
};

/* The number behind key, with its suffix: k and M count thousands. NAN: none. */
static double number_after(const char *s, const char *key)
{
    const char *p = strstr(s, key);
    char *end;
    if (!p)
        return NAN;
    double v = strtod(p + strlen(key), &end);
    if (end == p + strlen(key))
        return NAN;
    if (isalpha((unsigned char)end[0]) && isalpha((unsigned char)end[1])) /* "60083msec" */
        return v;
    switch (*end) {
    case 'k': case 'K': v *= 1e3; break;
    case 'm': case 'M': v *= 1e6; break;
    case 'g': case 'G': v *= 1e9; break;
    default: break;
    }
    return v;
}

/* Bytes behind key: "426MiB", "0.5GB/s"; KB of fio 2 are 1024 bytes. */
static double bytes_after(const char *s, const char *key, bool old)
{
    static const char steps[] = "KMGTP";
    const char *p = strstr(s, key);
    char *end;
    if (!p)
        return 0;
    double v = strtod(p + strlen(key), &end), base = 1000;
    const char *step = *end ? strchr(steps, toupper((unsigned char)*end)) : NULL;
    if (!step || !*step)
        return v > 0 ? v : 0;
    if (end[1] == 'i' || old)
        base = 1024;
    for (const char *k = steps; k <= step; k++)
        v *= base;
    return v > 0 ? v : 0;
}

static double unit_ns(const char *s)
{
    return strstr(s, "(msec)") ? 1e6 : strstr(s, "(usec)") ? 1e3 : strstr(s, "(sec)") ? 1e9 : 1;
}

static double at_least_0(double v)
{
    return v > 0 ? v : 0;
}

static uint64_t whole(double v)
{
    return v > 0 && v < 9e18 ? (uint64_t)(v + 0.5) : 0;
}

static void job_line(struct report *r, const char *s)
{
    const char *mark = strstr(s, ": (groupid=");
    double gid = number_after(s, "(groupid=");
    r->job = NULL;
    r->dir = NULL;
    r->pct = NULL;
    size_t n = (size_t)(mark - s);
    ana_measured_supersede(r->m);
    if (n == 11 && memcmp(s, "All clients", 11) == 0) /* a sum of the others */
        return;
    r->job = ana_measured_add(r->m, s, n, (int64_t)whole(gid), r->host);
    r->full = !r->job;
    if (r->job)
        r->job->error = (int)(whole(number_after(s, "err=")) & 0xffff);
}

static void dir_line(struct report *r, const char *s, int dir)
{
    struct ana_measured_dir *d = &r->job->dir[dir];
    bool old = strstr(s, "runt=") != NULL;
    const char *size = strrchr(s, '('); /* "(24.0GiB/60001msec)" */
    r->dir = d;
    r->pct = NULL;
    d->present = true;
    d->bw_Bps = bytes_after(s, old ? "bw=" : "BW=", old);
    d->iops = at_least_0(number_after(s, old ? "iops=" : "IOPS="));
    d->bytes = whole(bytes_after(old ? s : size ? size : s, old ? "io=" : "(", old));
    const char *slash = size ? strchr(size, '/') : NULL;
    double ms = old ? number_after(s, "runt=") : slash ? strtod(slash + 1, NULL) : 0;
    d->runtime_ns = whole(at_least_0(ms) * 1e6);
}

static void latency_line(struct ana_measured_lat *l, const char *s)
{
    double unit = unit_ns(s);
    l->min = at_least_0(number_after(s, "min=") * unit);
    l->max = at_least_0(number_after(s, "max=") * unit);
    l->mean = at_least_0(number_after(s, "avg=") * unit);
    l->stddev = at_least_0(number_after(s, "stdev=") * unit);
    l->n = 1; /* the count stands further down */
}

/* "| 50.00th=[  118], 60.00th=[  135]," */
static void percentile_line(struct report *r, const char *s)
{
    struct ana_measured_lat *l = r->pct;
    for (const char *p = strchr(s, '|'); p;) {
        char *end;
        double pct = strtod(p + 1, &end);
        if (strncmp(end, "th=[", 4) != 0)
            return;
        double v = strtod(end + 4, &end);
        bool rises = !l->npct || pct > l->pct[l->npct - 1];
        if (*end == ']' && pct > 0 && pct <= 100 && rises && l->npct < ANA_MEASURED_PCT) {
            l->pct[l->npct] = pct;
            l->pct_ns[l->npct++] = v * r->pct_unit;
        }
        p = strchr(end, ',');
    }
}

static void depth_line(struct ana_measured_job *j, const char *s)
{
    static const char *const keys[7] = {" 1=", " 2=", " 4=", " 8=", "16=", "32=", ">=64="};
    for (int i = 0; i < 7; i++)
        j->depth[i] = at_least_0(number_after(s, keys[i]));
}

static void set_count(struct ana_measured_dir *d, double ios)
{
    struct ana_measured_lat *l[] = {&d->slat, &d->clat, &d->lat};
    d->ios = whole(ios);
    for (int i = 0; i < 3; i++)
        l[i]->n = l[i]->n ? d->ios : 0;
    double exact = d->runtime_ns ? ios * 1e9 / (double)d->runtime_ns : 0;
    if (fabs(exact - d->iops) < 0.01 * d->iops) /* else a ramp's I/Os are counted too */
        d->iops = exact;
}

/* "issued rwts: total=1,2,3,4 ..." or "issued    : total=r=1/w=2/d=3, ..." */
static void issued_line(struct ana_measured_job *j, const char *s)
{
    const char *p = strstr(s, "total=");
    for (int d = 0; p && d < 4; d++) {
        while (*p && !isdigit((unsigned char)*p) && *p != ' ')
            p++;
        if (!isdigit((unsigned char)*p))
            break;
        char *end;
        double ios = strtod(p, &end);
        if (j->dir[d].present)
            set_count(&j->dir[d], ios);
        p = end;
    }
    if (j->dir[ANA_MIXED].present) /* its count is the sum, which fio does not print */
        set_count(&j->dir[ANA_MIXED],
                  j->dir[ANA_MIXED].iops * (double)j->dir[ANA_MIXED].runtime_ns / 1e9);
}

/* Is s the name of a direction, blanks and a colon? -1: no. */
static int direction_of(const char *s)
{
    static const struct {
        const char *name;
        int dir;
    } names[] = {{"read", ANA_READ}, {"write", ANA_WRITE}, {"trim", ANA_TRIM},
                 {"mixed", ANA_MIXED}};
    for (int i = 0; i < 4; i++) {
        size_t n = strlen(names[i].name);
        if (strncmp(s, names[i].name, n) == 0 && s[n + strspn(s + n, " ")] == ':')
            return names[i].dir;
    }
    return -1;
}

static struct ana_measured_lat *latency_of(struct report *r, const char *s)
{
    if (!r->dir)
        return NULL;
    if (strncmp(s, "slat ", 5) == 0)
        return &r->dir->slat;
    if (strncmp(s, "clat ", 5) == 0)
        return &r->dir->clat;
    bool lat = strncmp(s, "lat ", 4) == 0 && (strstr(s, "min=") || strstr(s, "percentiles"));
    return lat ? &r->dir->lat : NULL;
}

/* A line inside a job's block, without its blanks in front. */
static void block_line(struct report *r, const char *s)
{
    int dir = direction_of(s);
    struct ana_measured_lat *l = latency_of(r, s);
    if (dir >= 0) {
        dir_line(r, s, dir);
    } else if (l && strstr(s, "percentiles")) {
        r->pct = l;
        r->pct_unit = unit_ns(s);
    } else if (l && strstr(s, "min=")) {
        latency_line(l, s);
    } else if (*s == '|' && r->pct) {
        percentile_line(r, s);
    } else if (strncmp(s, "bw (", 4) == 0 && r->dir) {
        double unit = strstr(s, "GiB") ? 1073741824. : strstr(s, "MiB") ? 1048576. : 1024;
        r->dir->bw_mean_Bps = at_least_0(number_after(s, "avg=")) * unit;
        r->dir->bw_dev_Bps = at_least_0(number_after(s, "stdev=")) * unit;
    } else if (strncmp(s, "iops ", 5) == 0 && r->dir) {
        r->dir->iops_stddev = at_least_0(number_after(s, "stdev="));
    } else if (strncmp(s, "cpu ", 4) == 0) {
        r->job->usr_cpu = at_least_0(number_after(s, "usr="));
        r->job->sys_cpu = at_least_0(number_after(s, "sys="));
    } else if (strncmp(s, "IO depths", 9) == 0) {
        depth_line(r->job, s);
    } else if (strncmp(s, "issued", 6) == 0) {
        issued_line(r->job, s);
    } else if (strncmp(s, "fsync/", 6) == 0) {
        r->dir = NULL;
    }
}

static void one_line(struct report *r, char *s)
{
    char *close = *s == '<' ? strchr(s, '>') : NULL; /* "<host> " of client/server runs */
    if (close) {
        snprintf(r->host, sizeof r->host, "%.*s", (int)(close - s - 1), s + 1);
        s = close + 1 + (close[1] == ' ');
    }
    const char *hello = strncmp(s, "hostname=", 9) == 0 ? strstr(s, "fio=fio-") : NULL;
    if (hello)
        snprintf(r->m->version, sizeof r->m->version, "%.*s", (int)strcspn(hello + 4, ", "),
                 hello + 4);
    if (strncmp(s, "fio-", 4) == 0 && isdigit((unsigned char)s[4]) && !strchr(s, ' '))
        snprintf(r->m->version, sizeof r->m->version, "%.60s", s);
    if (strstr(s, ": (groupid=") && strstr(s, "jobs="))
        job_line(r, s);
    else if (strncmp(s, "Run status group", 16) == 0)
        r->job = NULL;
    else if (r->job)
        block_line(r, s + strspn(s, " \t"));
}

/* A heading alone is no report. */
static bool any_figures(const struct ana_measured *m)
{
    for (unsigned i = 0; i < m->njobs; i++)
        for (int d = 0; d < ANA_DIRS; d++)
            if (m->jobs[i].dir[d].present)
                return true;
    return false;
}

int ana_text_read(struct ana_measured *m, const char *text, size_t n)
{
    struct report r = {.m = m};
    char line[LINE];
    while (n > 0 && !r.full) {
        const char *nl = memchr(text, '\n', n);
        size_t len = nl ? (size_t)(nl - text) : n;
        size_t use = len < LINE - 1 ? len : LINE - 1;
        memcpy(line, text, use);
        line[use] = '\0';
        line[strcspn(line, "\r")] = '\0';
        one_line(&r, line);
        len += nl != NULL;
        text += len;
        n -= len;
    }
    ana_measured_supersede(m);
    if (!any_figures(m))
        m->njobs = 0;
    if (m->njobs && !m->version[0])
        snprintf(m->version, sizeof m->version, "fio (report)");
    return r.full ? -3 : 0;
}
