/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_terse_read.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAIL = 34, FIELDS = 1024, PLACES = 20 };

struct line { /* one line cut at its semicolons */
    const char *field[FIELDS];
    size_t length[FIELDS];
    unsigned n;
};

struct ana_measured_job *ana_measured_add(struct ana_measured *m, const char *name, size_t length,
                                          int64_t groupid, const char *host)
{
    char cut[sizeof m->jobs->name];
    snprintf(cut, sizeof cut, "%.*s", (int)(length < 255 ? length : 255), name);
    if (m->njobs == ANA_TERSE_JOBS)
        return NULL;
    if ((m->njobs & (m->njobs - 1)) == 0) { /* room doubles at powers of two */
        struct ana_measured_job *more =
            realloc(m->jobs, (m->njobs ? 2 * m->njobs : 1) * sizeof *more);
        if (!more)
            return NULL;
        m->jobs = more;
    }
    struct ana_measured_job *j = &m->jobs[m->njobs++];
    memset(j, 0, sizeof *j);
    snprintf(j->name, sizeof j->name, "%s", cut);
    snprintf(j->host, sizeof j->host, "%s", host);
    j->groupid = groupid;
    return j;
}

static bool went_on(const struct ana_measured_job *from, const struct ana_measured_job *to)
{
    uint64_t bytes[2] = {0}, runtime[2] = {0};
    const struct ana_measured_job *job[2] = {from, to};
    if (strcmp(from->name, to->name) != 0 || from->groupid != to->groupid ||
        strcmp(from->host, to->host) != 0)
        return false;
    for (int i = 0; i < 2; i++)
        for (int d = 0; d < ANA_DIRS; d++) {
            bytes[i] += job[i]->dir[d].bytes;
            runtime[i] = sim_max(runtime[i], job[i]->dir[d].runtime_ns);
        }
    return bytes[1] > bytes[0] && runtime[1] >= runtime[0] + SIM_S / 2;
}

void ana_measured_supersede(struct ana_measured *m)
{
    if (m->njobs < 2)
        return;
    struct ana_measured_job *last = m->jobs + m->njobs - 1;
    for (struct ana_measured_job *j = m->jobs; j < last; j++)
        if (went_on(j, last)) {
            memmove(j, j + 1, (size_t)(last - j) * sizeof *j);
            m->njobs--;
            return;
        }
}

static void cut_line(struct line *l, const char *s, size_t n)
{
    l->n = 0;
    while (l->n < FIELDS) {
        const char *semi = memchr(s, ';', n);
        size_t len = semi ? (size_t)(semi - s) : n;
        l->field[l->n] = s;
        l->length[l->n++] = len;
        if (!semi)
            return;
        s += len + 1;
        n -= len + 1;
    }
}

/* The number a field begins with; rest: what must follow it. */
static bool number(const struct line *l, unsigned i, const char *rest, double *out)
{
    char text[64], *end;
    if (i >= l->n || l->length[i] >= sizeof text)
        return false;
    memcpy(text, l->field[i], l->length[i]);
    text[l->length[i]] = '\0';
    if (!isdigit((unsigned char)text[0]) && text[0] != '-')
        return false;
    *out = strtod(text, &end);
    return strcmp(end, rest) == 0;
}

static double value(const struct line *l, unsigned i)
{
    double v;
    return number(l, i, "", &v) && v > 0 ? v : 0;
}

/* As an integer; 0 for what no result holds. */
static uint64_t whole(double v)
{
    return v > 0 && v < 9e18 ? (uint64_t)(v + 0.5) : 0;
}

static void latency(struct ana_measured_lat *out, const struct line *l, unsigned at, uint64_t n)
{
    out->min = value(l, at) * 1e3;
    out->max = value(l, at + 1) * 1e3;
    out->mean = value(l, at + 2) * 1e3;
    out->stddev = value(l, at + 3) * 1e3;
    out->n = out->mean > 0 ? n : 0;
}

/* "99.000000%=4947"; "0%=0" fills unused places. */
static void percentiles(struct ana_measured_lat *out, const struct line *l, unsigned at)
{
    for (unsigned i = at; i < at + PLACES && i < l->n; i++) {
        char text[64], *end;
        if (l->length[i] >= sizeof text)
            continue;
        memcpy(text, l->field[i], l->length[i]);
        text[l->length[i]] = '\0';
        double pct = strtod(text, &end);
        if (strncmp(end, "%=", 2) != 0 || !(pct > 0) || pct > 100 ||
            (out->npct && pct <= out->pct[out->npct - 1]))
            continue;
        out->pct[out->npct] = pct;
        out->pct_ns[out->npct++] = strtod(end + 2, NULL) * 1e3;
    }
}

static void direction(struct ana_measured_dir *d, const struct line *l, unsigned at, bool v5)
{
    d->present = true;
    d->bytes = whole(value(l, at) * 1024);
    d->bw_Bps = value(l, at + 1) * 1024;
    d->iops = value(l, at + 2);
    d->runtime_ns = whole(value(l, at + 3) * 1e6);
    d->ios = whole(d->iops * (double)d->runtime_ns / 1e9);
    latency(&d->slat, l, at + 4, d->ios);
    latency(&d->clat, l, at + 8, d->ios);
    if (d->clat.n)
        percentiles(&d->clat, l, at + 12);
    latency(&d->lat, l, at + 12 + PLACES, d->ios);
    d->bw_mean_Bps = value(l, at + 12 + PLACES + 7) * 1024;
    d->bw_dev_Bps = value(l, at + 12 + PLACES + 8) * 1024;
    d->iops_stddev = v5 ? value(l, at + 12 + PLACES + 13) : 0;
}

/* Where the processor fields stand, behind `blocks` directions; 0: not there. */
static unsigned tail_of(const struct line *l, unsigned at, unsigned blocks, unsigned width)
{
    double v;
    unsigned cpu = at + blocks * width;
    bool fits = cpu + TAIL <= l->n && number(l, cpu, "%", &v) && number(l, cpu + 1, "%", &v) &&
                number(l, cpu + 5, "%", &v) && number(l, cpu + TAIL - 1, "%", &v);
    return fits ? cpu : 0;
}

/* 1: the line is a job's; 0: it is not; -3 without memory. */
static int one_line(struct ana_measured *m, const struct line *l)
{
    double version = value(l, 0), v;
    bool v5 = version == 5;
    unsigned name = version == 2 ? 1 : 2, at = name + 3, width = v5 ? 47 : 41, blocks = 3;
    if (version < 2 || version > 5 || l->length[0] != 1)
        return 0;
    unsigned cpu = tail_of(l, at, blocks, width);
    if (!cpu)
        cpu = tail_of(l, at, blocks = 2, width);
    if (!cpu || !number(l, name + 1, "", &v) || !number(l, name + 2, "", &v))
        return 0;
    struct ana_measured_job *j = ana_measured_add(m, l->field[name], l->length[name],
                                                  (int64_t)whole(value(l, name + 1)), "");
    if (!j)
        return -3;
    j->error = (int)(whole(value(l, name + 2)) & 0xffff);
    for (unsigned d = 0; d < blocks; d++)
        direction(&j->dir[d], l, at + d * width, v5);
    number(l, cpu, "%", &j->usr_cpu);
    number(l, cpu + 1, "%", &j->sys_cpu);
    for (unsigned i = 0; i < 7; i++)
        number(l, cpu + 5 + i, "%", &j->depth[i]);
    if (version == 2)
        snprintf(m->version, sizeof m->version, "fio (terse 2)");
    else
        snprintf(m->version, sizeof m->version, "%.*s",
                 (int)sim_min(l->length[1], sizeof m->version - 1), l->field[1]);
    ana_measured_supersede(m);
    m->simulated = strstr(m->version, "simulated") != NULL;
    return 1;
}

int ana_terse_read(struct ana_measured *m, const char *text, size_t n, unsigned *left_out,
                   bool *cut)
{
    struct line *l = malloc(sizeof *l);
    int rc = l ? 0 : -3;
    *left_out = 0;
    *cut = false;
    while (n > 0 && rc >= 0) {
        const char *nl = memchr(text, '\n', n);
        size_t len = nl ? (size_t)(nl - text) : n, use = len;
        if (use > 0 && text[use - 1] == '\r')
            use--;
        if (use > 2 && isdigit((unsigned char)text[0]) && text[1] == ';') {
            cut_line(l, text, use);
            rc = one_line(m, l);
            *left_out += rc == 0;
            *cut = rc == 0 && !nl;
        }
        len += nl != NULL;
        text += len;
        n -= len;
    }
    free(l);
    return rc < 0 ? rc : 0;
}
