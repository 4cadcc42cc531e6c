/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_fio_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ana_num.h"
#include "ana_view.h"

void ana_text_safe(FILE *f, const char *s)
{
    for (; s && *s; s++)
        fputc((unsigned char)*s < 0x20 || *s == 0x7f ? '?' : *s, f);
}

struct style { /* how a job wants its amounts: kb_base, unit_base, significant_figures */
    unsigned digits, base, other; /* the other base stands in brackets */
    bool bits;                    /* rates; amounts are bytes always */
};

static struct style style_of(const struct hci_job *job)
{
    struct style st = {.digits = 4, .base = 1024, .other = 1000};
    if (!job)
        return st;
    st.digits = job->significant_figures < 9 ? job->significant_figures : 9;
    st.bits = job->unit_base == 1;
    if (job->kb_base == 1000)
        st = (struct style){st.digits, 1000, 1024, st.bits};
    return st;
}

static char *rate(char buf[ANA_NUM_LEN], double Bps, const struct style *st, unsigned base)
{
    return ana_num(buf, ana_round(st->bits ? 8 * Bps : Bps), st->digits, base,
                   st->bits ? "bit/s" : "B/s");
}

static void rate_pair(FILE *f, double Bps, const struct style *st)
{
    char a[ANA_NUM_LEN], b[ANA_NUM_LEN];
    fprintf(f, "%s (%s)", rate(a, Bps, st, st->base), rate(b, Bps, st, st->other));
}

/* "    clat (usec): min=23, max=7787, avg=169.67, stdev=480.38" */
static void lat_line(FILE *f, const char *name, const struct hci_moments *m)
{
    if (m->n == 0)
        return;
    double mean = ana_moments_mean(m), dev = ana_moments_stddev(m), div = 1;
    const char *unit = "nsec";
    if (m->min > 2 * SIM_MS && m->max >= 100 * SIM_MS && dev > 1e6) {
        div = 1e6;
        unit = "msec";
    } else if (m->min > 2 * SIM_US && m->max >= 100 * SIM_US && dev > 1e3) {
        div = 1e3;
        unit = "usec";
    }
    char lo[ANA_NUM_LEN], hi[ANA_NUM_LEN];
    uint64_t step = (uint64_t)div;
    fprintf(f, "    %s (%s): min=%s, max=%s, avg=%5.02f, stdev=%5.02f\n", name, unit,
            ana_num(lo, m->min / step, 6, 1000, ""), ana_num(hi, m->max / step, 6, 1000, ""),
            mean / div, dev / div);
}

static unsigned pick_scale(const uint64_t *v, unsigned n, const char **unit)
{
    uint64_t lo = v[0], hi = v[0];
    for (unsigned i = 1; i < n; i++) {
        lo = sim_min(lo, v[i]);
        hi = sim_max(hi, v[i]);
    }
    if (lo > 2 * SIM_MS && hi >= 100 * SIM_MS) {
        *unit = "msec";
        return 2;
    }
    if (lo > 2 * SIM_US && hi >= 100 * SIM_US) {
        *unit = "usec";
        return 1;
    }
    *unit = "nsec";
    return 0;
}

static void one_percentile(FILE *f, double pct, uint64_t v, int width, bool resolved)
{
    if (resolved)
        fprintf(f, " %5.2fth=[%*" PRIu64 "]", pct, width, v);
    else
        fprintf(f, " %5.2fth=[unresolved]", pct);
}

/* simulated: samples behind h, which may also hold scaled ones. */
static void percentile_block(FILE *f, const char *name, const struct hci_job *job,
                             const struct sim_hist *h, uint64_t simulated)
{
    double pct[HCI_PERCENTILES_MAX];
    uint64_t v[HCI_PERCENTILES_MAX];
    unsigned n = ana_percentiles(job, pct), open = 0;
    if (h->n == 0 || n == 0)
        return;
    uint64_t hi = 0;
    for (unsigned i = 0; i < n; i++) {
        v[i] = sim_hist_percentile(h, pct[i]);
        hi = sim_max(hi, v[i]);
    }
    const char *unit;
    unsigned scale = pick_scale(v, n, &unit);
    char longest[ANA_NUM_LEN];
    int width = 5;
    for (unsigned s = 0; s < scale; s++)
        hi = (hi + 999) / 1000;
    int digits = snprintf(longest, sizeof longest, "%" PRIu64, hi);
    width = digits > width ? digits : width;
    unsigned cols = (80 - 7) / (2 + 10 + (unsigned)width);
    fprintf(f, "    %s percentiles (%s):\n     |", name, unit);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned s = 0; s < scale; s++)
            v[i] = (v[i] + 999) / 1000;
        bool known = ana_resolved(simulated, pct[i]);
        open += !known;
        one_percentile(f, pct[i], v[i], width, known);
        bool row_ends = i % cols == cols - 1 && i + 1 < n;
        fputs(i + 1 == n ? "\n" : row_ends ? ",\n     |" : ",", f);
    }
    if (open)
        fprintf(f, "     | unresolved: fewer than %d of %" PRIu64 " samples lie beyond\n",
                ANA_RESOLVE_MIN, simulated);
}

static void sample_lines(FILE *f, const struct hci_dir_result *d, double share,
                         const struct style *st)
{
    static const char *const units[2][2][2] = {{{"KiB", "MiB"}, {"Kibit", "Mibit"}},
                                               {{"kB", "MB"}, {"kbit", "Mbit"}}};
    const struct hci_sampled *b = &d->bw_s, *o = &d->iops_s;
    if (b->samples) {
        double base = st->base, of_unit = st->bits ? 8 : 1;
        bool mega = b->mean * of_unit > base * base * base;
        double unit = (mega ? base * base : base) / of_unit;
        fprintf(f,
                "   bw (%5s/s): min=%5" PRIu64 ", max=%5" PRIu64
                ", per=%3.2f%%, avg=%5.02f, stdev=%5.02f, samples=%" PRIu64 "\n",
                units[st->base == 1000][st->bits][mega], ana_round(b->min / unit), ana_round(b->max / unit),
                share, b->mean / unit, b->stddev / unit, b->samples);
    }
    if (o->samples)
        fprintf(f,
                "   iops        : min=%5" PRIu64 ", max=%5" PRIu64
                ", avg=%5.02f, stdev=%5.02f, samples=%" PRIu64 "\n",
                ana_round(o->min), ana_round(o->max), o->mean, o->stddev, o->samples);
}

static void dir_block(FILE *f, const char *name, const struct hci_job *job,
                      const struct hci_dir_result *d, double share)
{
    char iops[ANA_NUM_LEN], io[ANA_NUM_LEN];
    uint64_t n = d->ios - d->skipped_ios;
    struct style st = style_of(job);
    fprintf(f, "  %s: IOPS=%s, BW=", name,
            ana_num(iops, ana_round(d->iops), st.digits, 1000, ""));
    rate_pair(f, d->bw_Bps, &st);
    fprintf(f, "(%s/%" PRIu64 "msec)\n", ana_num(io, d->bytes, st.digits, st.base, "B"),
            ana_ms(d->runtime_ns));
    if (ana_has_slat(job, d))
        lat_line(f, "slat", &d->slat_m);
    if (ana_shows_clat(job))
        lat_line(f, "clat", &d->clat_m);
    if (ana_shows_lat(job))
        lat_line(f, " lat", &d->lat_m);
    if (ana_wants_slat_pct(job) && ana_has_slat(job, d))
        percentile_block(f, "slat", job, &d->slat, n);
    if (ana_wants_clat_pct(job))
        percentile_block(f, "clat", job, &d->clat, n);
    if (ana_wants_lat_pct(job))
        percentile_block(f, "lat", job, &d->lat, n);
    if (ana_shows_samples(job))
        sample_lines(f, d, share, &st);
}

static void mixed_block(FILE *f, const struct hci_job_result *j)
{
    struct hci_dir_result *all = malloc(sizeof *all);
    if (!all) { /* say so rather than leave a silent gap */
        fputs("  mixed: not enough memory to merge the directions\n", f);
        return;
    }
    ana_dir_merge(j, all);
    dir_block(f, "mixed", j->job, all, 100.0);
    free(all);
}

static void bucket_lines(FILE *f, const char *unit, const double *share, unsigned n)
{
    unsigned col = 0;
    for (unsigned i = 0; i < n; i++) {
        if (share[i] <= 0)
            continue;
        if (col % 5 == 0)
            fprintf(f, "%s  lat (%s)   : ", col ? "\n" : "", unit);
        fprintf(f, "%s%s=%3.2f%%", col % 5 ? ", " : "", ana_lat_names[i], share[i]);
        col++;
    }
    if (col)
        fputc('\n', f);
}

static void sync_block(FILE *f, const struct hci_job_result *j)
{
    const struct hci_dir_result *d = &j->dir[HCI_DIR_SYNC];
    if (d->lat_m.n == 0)
        return;
    fputs("  fsync/fdatasync/sync_file_range:\n", f);
    lat_line(f, "sync", &d->lat_m);
    percentile_block(f, "sync", j->job, &d->lat, d->ios - d->skipped_ios);
}

static void depth_lines(FILE *f, const struct hci_job_result *j)
{
    double depth[7];
    ana_depth_shares(j, depth);
    fputs("  IO depths    : ", f);
    for (unsigned i = 0; i < 7; i++)
        fprintf(f, "%s%s=%3.1f%%", i ? ", " : "", ana_depth_names[i], depth[i]);
    fprintf(f,
            "\n     issued rwts: total=%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
            " short=0,0,0,0 dropped=0,0,0,0\n",
            j->dir[HCI_DIR_READ].ios, j->dir[HCI_DIR_WRITE].ios, j->dir[HCI_DIR_TRIM].ios,
            j->dir[HCI_DIR_SYNC].ios);
    if (j->job && j->job->latency_target)
        fprintf(f,
                "     latency   : target=%" PRIu64 ", window=%" PRIu64
                ", percentile=%.2f%%, depth=%u\n",
                (uint64_t)(j->job->latency_target / SIM_US),
                (uint64_t)(j->job->latency_window / SIM_US), j->job->latency_percentile,
                j->job->iodepth);
}

void ana_fio_text_job(FILE *f, const struct hci_result *r, const struct hci_job_result *j)
{
    ana_text_safe(f, j->name);
    fprintf(f, ": (groupid=%u, jobs=%u): err=%2d", j->groupid, j->nclones, j->error);
    if (j->error)
        fprintf(f, " (%s)", strerror(j->error));
    fprintf(f, ": simulated time %.3fs to %.3fs%s\n", (double)j->start_ns / 1e9,
            (double)j->end_ns / 1e9, j->eta_s > 0 ? ", still running" : "");
    if (j->job && j->job->description) {
        fputs("  Description  : [", f);
        ana_text_safe(f, j->job->description);
        fputs("]\n", f);
    }
    int unified = ana_unified(j->job);
    for (int dir = HCI_DIR_READ; dir <= HCI_DIR_TRIM && unified != 1; dir++)
        if (j->dir[dir].ios)
            dir_block(f, ana_dir_names[dir], j->job, &j->dir[dir], ana_bw_share(r, j, dir));
    if (unified)
        mixed_block(f, j);
    struct ana_lat_shares s;
    ana_lat_shares(j, &s);
    bucket_lines(f, "nsec", s.ns, 10);
    bucket_lines(f, "usec", s.us, 10);
    bucket_lines(f, "msec", s.ms, 12);
    sync_block(f, j);
    depth_lines(f, j);
}

static void group_line(FILE *f, const char *name, const struct ana_group *g,
                       const struct style *st)
{
    char a[ANA_NUM_LEN], b[ANA_NUM_LEN];
    fprintf(f, "%7s: bw=", name);
    rate_pair(f, g->agg_Bps, st);
    fprintf(f, ", %s-%s", rate(a, g->min_Bps, st, st->base), rate(b, g->max_Bps, st, st->base));
    fprintf(f, " (%s-%s)", rate(a, g->min_Bps, st, st->other), rate(b, g->max_Bps, st, st->other));
    fprintf(f, ", io=%s (%s)", ana_num(a, g->bytes, st->digits, st->base, "B"),
            ana_num(b, g->bytes, st->digits, st->other, "B"));
    fprintf(f, ", run=%" PRIu64 "-%" PRIu64 "msec\n", ana_ms(g->min_runtime_ns),
            ana_ms(g->max_runtime_ns));
}

void ana_fio_text_groups(FILE *f, const struct hci_result *r)
{
    static const char *const upper[] = {"READ", "WRITE", "TRIM"};
    for (unsigned i = 0; i < r->njobs; i++) {
        unsigned gid = r->jobs[i].groupid, first = 0;
        while (r->jobs[first].groupid != gid)
            first++;
        if (first < i)
            continue;
        fprintf(f, "\nRun status group %u (all jobs):\n", gid);
        struct style st = style_of(r->jobs[i].job); /* the group's first, as fio's */
        for (int dir = HCI_DIR_READ; dir <= HCI_DIR_TRIM; dir++) {
            struct ana_group g;
            if (ana_group_sum(r, gid, dir, &g))
                group_line(f, upper[dir], &g, &st);
        }
    }
}
