/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/hci_sampler.h"

#include "sim_assert.h"
#include "workload/hci_stats.h"

#include <math.h>
#include <stdlib.h>

struct hci_samplers *hci_samplers_add(struct hci_samplers **list, const struct hci_job *job)
{
    struct hci_samplers *s = calloc(1, sizeof *s);
    sim_assert(s != NULL);
    s->job = job;
    while (*list)
        list = &(*list)->next;
    *list = s;
    return s;
}

void hci_samplers_begin(struct hci_samplers *s, sim_time now)
{
    const struct hci_sampler fresh = {.m.min = UINT64_MAX};
    if (!s)
        return;
    s->start = now;
    for (unsigned d = 0; d < HCI_DDIRS; d++)
        s->bw[d] = s->iops[d] = fresh;
}

/* v more, in the window `since` ns after the start. */
static void count(struct hci_sampler *s, sim_time every, uint64_t v, sim_time since)
{
    uint64_t window = since / every;
    if (window != s->window) {
        if (s->sum)
            hci_moments_record(&s->m, s->sum);
        s->sum = 0;
        s->window = window;
    }
    s->sum += v;
}

void hci_samplers_record(struct hci_samplers *s, unsigned dir, uint64_t bytes, sim_time clat_ns,
                         sim_time now)
{
    sim_time since = now - s->start, bw = s->job->bwavgtime, iops = s->job->iopsavgtime;
    if (dir >= HCI_DDIRS)
        return;
    if (bw)
        count(&s->bw[dir], bw, bytes, since);
    else /* fio's rate of one I/O, in what it prints as KiB/s */
        hci_moments_record(&s->bw[dir].m, clat_ns ? bytes * 1000000 / clat_ns : 0);
    if (iops)
        count(&s->iops[dir], iops, 1, since);
    else
        hci_moments_record(&s->iops[dir].m, 1);
}

/* Spreads `total` over ns from `since` on. */
static void spread(struct hci_sampler *s, sim_time every, uint64_t total, sim_time since,
                   sim_time ns)
{
    uint64_t given = 0;
    for (sim_time at = 0; every && at < ns;) {
        sim_time step = sim_min(ns - at, every - (since + at) % every);
        uint64_t upto = (uint64_t)((unsigned __int128)total * (at + step) / ns);
        count(s, every, upto - given, since + at);
        given = upto;
        at += step;
    }
}

void hci_samplers_skip(struct hci_samplers *list, unsigned dir, uint64_t ios, uint64_t bytes,
                       sim_time now, sim_time ns)
{
    uint64_t n = 0, i = 0;
    for (const struct hci_samplers *s = list; s; s = s->next)
        n++;
    for (struct hci_samplers *s = list; s; s = s->next, i++) {
        uint64_t some = ios * (i + 1) / n - ios * i / n;
        uint64_t part = (uint64_t)((unsigned __int128)bytes * (i + 1) / n) -
                        (uint64_t)((unsigned __int128)bytes * i / n);
        spread(&s->bw[dir], s->job->bwavgtime, part, now - s->start, ns);
        spread(&s->iops[dir], s->job->iopsavgtime, some, now - s->start, ns);
    }
}

struct hci_sampled hci_sampled_of(const struct hci_moments *m, double unit)
{
    if (m->n == 0)
        return (struct hci_sampled){0};
    double n = (double)m->n, mean = (double)m->sum / n;
    /* n^2 times the variance is a whole number, and exact */
    double var = m->n > 1 ? (double)(m->n * m->sum2 - m->sum * m->sum) / n / (n - 1) : 0;
    return (struct hci_sampled){.min = (double)m->min * unit, .max = (double)m->max * unit,
                                .mean = mean * unit, .stddev = sqrt(var) * unit,
                                .samples = m->n};
}

/* What fio's group report does with its clones' samples. */
static void add(struct hci_sampled *to, const struct hci_moments *m, double unit)
{
    struct hci_sampled x = hci_sampled_of(m, unit);
    if (x.samples == 0)
        return;
    double had = to->samples ? (double)(to->samples - 1) : 0, more = (double)(x.samples - 1);
    double squares = to->stddev * to->stddev * had + x.stddev * x.stddev * more;
    to->min += x.min;
    to->max += x.max;
    to->mean += x.mean;
    to->samples += x.samples;
    to->stddev = to->samples > 1 ? sqrt(squares / (double)(to->samples - 1)) : 0;
}

static double unit_of(sim_time every, double per_io)
{
    return every ? 1e9 / (double)every : per_io;
}

void hci_samplers_result(const struct hci_samplers *list, unsigned dir, struct hci_dir_result *out)
{
    if (!list || dir >= HCI_DDIRS)
        return;
    out->bw_s = out->iops_s = (struct hci_sampled){0};
    for (const struct hci_samplers *s = list; s; s = s->next) {
        add(&out->bw_s, &s->bw[dir].m, unit_of(s->job->bwavgtime, 1024));
        add(&out->iops_s, &s->iops[dir].m, unit_of(s->job->iopsavgtime, 1));
    }
}

void hci_samplers_free(struct hci_samplers *list)
{
    while (list) {
        struct hci_samplers *next = list->next;
        free(list);
        list = next;
    }
}
