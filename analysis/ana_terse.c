/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_terse.h"

#include <inttypes.h>
#include <stdlib.h>

#include "ana_disk.h"
#include "ana_num.h"
#include "ana_view.h"

static void word(FILE *f, const char *s)
{
    for (; *s; s++)
        fputc((unsigned char)*s < 0x20 || *s == 0x7f || *s == ';' ? '_' : *s, f);
}

/* min;max;mean;deviation in usec; zeros when it is not to be shown. */
static void latency(FILE *f, const struct hci_moments *m, bool show)
{
    if (!show || m->n == 0) {
        fputs(";0;0;0.000000;0.000000", f);
        return;
    }
    fprintf(f, ";%" PRIu64 ";%" PRIu64 ";%f;%f", (uint64_t)(m->min / SIM_US),
            (uint64_t)(m->max / SIM_US), ana_moments_mean(m) / 1e3, ana_moments_stddev(m) / 1e3);
}

static void percentiles(FILE *f, const struct hci_job *job, const struct hci_dir_result *d)
{
    const struct sim_hist *h = ana_wants_clat_pct(job) ? &d->clat : &d->lat;
    double pct[HCI_PERCENTILES_MAX];
    unsigned n = ana_wants_clat_pct(job) || ana_wants_lat_pct(job) ? ana_percentiles(job, pct) : 0;
    uint64_t simulated = ana_dir_simulated(d, h);
    for (unsigned i = 0; i < HCI_PERCENTILES_MAX; i++)
        if (i < n && ana_resolved(simulated, pct[i])) /* else what fio puts for none */
            fprintf(f, ";%f%%=%" PRIu64, pct[i],
                    (uint64_t)(sim_hist_percentile(h, pct[i]) / SIM_US));
        else
            fputs(";0%=0", f);
}

static void direction(FILE *f, const struct hci_job *job, const struct hci_dir_result *d,
                      double share, int version)
{
    static const struct hci_sampled none;
    bool show = ana_shows_samples(job);
    const struct hci_sampled *b = show ? &d->bw_s : &none, *s = show ? &d->iops_s : &none;
    uint64_t Bps = d->bw_Bps > 0 ? (uint64_t)d->bw_Bps : 0;
    fprintf(f, ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%" PRIu64, d->bytes / 1024, Bps / 1024,
            (uint64_t)d->iops, d->ios ? ana_ms(d->runtime_ns) : 0);
    latency(f, &d->slat_m, ana_has_slat(job, d));
    latency(f, &d->clat_m, ana_shows_clat(job));
    percentiles(f, job, d);
    latency(f, &d->lat_m, ana_shows_lat(job));
    if (b->samples)
        fprintf(f, ";%" PRIu64 ";%" PRIu64 ";%f%%;%f;%f", ana_round(b->min / 1024),
                ana_round(b->max / 1024), share, b->mean / 1024, b->stddev / 1024);
    else
        fputs(";0;0;0.000000%;0.000000;0.000000", f);
    if (version == 5)
        fprintf(f, ";%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%f;%f;%" PRIu64, b->samples,
                ana_round(s->min), ana_round(s->max), s->mean, s->stddev, s->samples);
}

static void directions(FILE *f, const struct hci_result *r, const struct hci_job_result *j,
                       int version)
{
    static const struct hci_dir_result none;
    int last = version == 3 ? HCI_DIR_WRITE : HCI_DIR_TRIM;
    struct hci_dir_result *all = ana_unified(j->job) == 1 ? malloc(sizeof *all) : NULL;
    if (all) /* fio puts the merged figures where reads stand */
        ana_dir_merge(j, all);
    for (int dir = HCI_DIR_READ; dir <= last; dir++) {
        const struct hci_dir_result *d = !all ? &j->dir[dir] : dir == HCI_DIR_READ ? all : &none;
        double share = !all ? ana_bw_share(r, j, dir) : d->bw_s.samples ? 100.0 : 0.0;
        direction(f, j->job, d, share, version);
    }
    free(all);
}

static void shares(FILE *f, const struct hci_job_result *j)
{
    struct ana_lat_shares s;
    double depth[7], below_2us = 0;
    ana_depth_shares(j, depth);
    ana_lat_shares(j, &s);
    for (unsigned i = 0; i < 7; i++)
        fprintf(f, ";%3.1f%%", depth[i]);
    for (unsigned i = 0; i < 10; i++) /* the format has no place for nanoseconds */
        below_2us += s.ns[i];
    s.us[0] += below_2us;
    for (unsigned i = 0; i < 10; i++)
        fprintf(f, ";%3.2f%%", s.us[i]);
    for (unsigned i = 0; i < 12; i++)
        fprintf(f, ";%3.2f%%", s.ms[i]);
}

static void disks(FILE *f, const struct hci_result *r)
{
    unsigned n;
    struct ana_disk *list = ana_disk_list(r, &n);
    for (const struct ana_disk *d = list; n-- > 0; d++) {
        fputc(';', f);
        word(f, d->name);
        fprintf(f, ";%" PRIu64 ";%" PRIu64 ";0;0;%" PRIu64 ";%" PRIu64 ";%" PRIu64 ";%3.2f%%",
                d->read_ios, d->write_ios, d->read_ms, d->write_ms, d->queue_ms, d->util_pct);
    }
    free(list);
}

void ana_terse_write(FILE *f, const struct hci_result *r, int version)
{
    for (unsigned i = 0; i < r->njobs; i++) {
        const struct hci_job_result *j = &r->jobs[i];
        if (!ana_reported(j->job))
            continue;
        fprintf(f, version == 2 ? "%d;" : "%d;" ANA_FIO_VERSION ";", version);
        word(f, j->name);
        fprintf(f, ";%u;%d", j->groupid, j->error);
        directions(f, r, j, version);
        fputs(";0.000000%;0.000000%;0;0;0", f);
        shares(f, j);
        if (version >= 3 && (!j->job || j->job->disk_util))
            disks(f, r);
        if (j->job && j->job->description) {
            fputc(';', f);
            word(f, j->job->description);
        }
        fputc('\n', f);
    }
}
