/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_suspect.c: what makes a measurement doubtful, with the figure that shows it.
 *
 * The limits are wide: a sound measurement of a real device must pass in
 * silence. Each check says in its comment what it was seen on.
 */
#include "ana_compare.h"

#include <stdlib.h>
#include <string.h>

#define SHORT_S 10.0

struct look { /* one job under examination */
    struct ana_comparison *c;
    const struct ana_source *src;
    const struct ana_measured_job *j;
    double asked;     /* I/Os its options allow in flight; 0: unknown */
    double in_flight; /* Little's law */
    bool limited;     /* it limits its own rate */
};

#define FIND(l, code, ...) ana_find((l)->c, (l)->src->path, (l)->j->name, code, __VA_ARGS__)

static bool has(const struct ana_measured_job *j, const char *name)
{
    const char *v = ana_measured_option(j, name);
    return v && strcmp(v, "0") != 0;
}

static bool is_sync_engine(const struct ana_measured_job *j)
{
    static const char *const sync[] = {"psync", "sync", "vsync", "pvsync", "pvsync2", "mmap"};
    const char *engine = ana_measured_option(j, "ioengine");
    for (unsigned i = 0; engine && i < sizeof sync / sizeof *sync; i++)
        if (strcmp(engine, sync[i]) == 0)
            return true;
    return !engine && j->noptions > 0; /* fio's default is psync */
}

/* Engines whose I/O the kernel counts per disk. */
static bool is_kernel_engine(const struct ana_measured_job *j)
{
    const char *engine = ana_measured_option(j, "ioengine");
    return j->noptions > 0 && (is_sync_engine(j) || strncmp(engine, "libaio", 6) == 0 ||
                               strncmp(engine, "io_uring", 8) == 0);
}

static double dir_mean_ns(const struct ana_measured_dir *d)
{
    return d->lat.n > 0 ? d->lat.mean : d->clat.n > 0 ? d->clat.mean + d->slat.mean : 0;
}

static void measure(struct look *l)
{
    const struct ana_measured_job *j = l->j;
    double depth = is_sync_engine(j) ? 1 : ana_option_number(j, "iodepth", 1);
    double clones = ana_option_number(j, "numjobs", 1);
    clones = clones > j->nentries ? clones : j->nentries;
    l->asked = j->noptions > 0 ? depth * clones : 0;
    for (int dir = ANA_READ; dir <= ANA_TRIM; dir++)
        l->in_flight += j->dir[dir].iops * dir_mean_ns(&j->dir[dir]) / 1e9;
    l->in_flight += j->dir[ANA_MIXED].iops * dir_mean_ns(&j->dir[ANA_MIXED]) / 1e9;
    l->limited = has(j, "rate") || has(j, "rate_iops") || has(j, "thinktime") || has(j, "fsync") ||
                 has(j, "fdatasync") || has(j, "flow") || has(j, "end_fsync") ||
                 has(j, "latency_target");
}

/* Microseconds read as nanoseconds, KiB/s as bytes/s: off by 1000, never by 2. */
static void check_little(struct look *l)
{
    double n = l->in_flight, asked = l->asked;
    if (asked <= 0 || n <= 0)
        return;
    if (n > 1.3 * asked + 0.5)
        FIND(l, "units",
             "IOPS x mean latency = %.4g in flight, but iodepth and numjobs allow %.0f: a unit is "
             "wrong (Little's law)", n, asked);
    else if (n < asked / 50 && !l->limited)
        FIND(l, "units",
             "IOPS x mean latency = %.3g in flight where iodepth and numjobs keep %.0f: latency or "
             "rate is in a unit about %.0f times off (Little's law)", n, asked, asked / n);
    else if (n < asked / 2 && !l->limited)
        FIND(l, "depth",
             "IOPS x mean latency = %.3g in flight of %.0f asked for: the depth was not reached",
             n, asked);
}

static void check_levels(struct look *l)
{
    static const double top[7] = {1, 3, 7, 15, 31, 63, 1e9};
    double depth = ana_option_number(l->j, "iodepth", 1), sum = 0, low = 0;
    if (depth > 1 && is_sync_engine(l->j)) {
        const char *engine = ana_measured_option(l->j, "ioengine");
        FIND(l, "depth", "engine %s does one I/O at a time: iodepth=%.0f has no effect",
             engine ? engine : "psync (the default)", depth);
        return;
    }
    for (int i = 0; i < 7; i++) {
        sum += l->j->depth[i];
        low += top[i] < depth / 2 ? l->j->depth[i] : 0;
    }
    if (sum > 0 && low > 50 && l->asked > 1 && !l->limited)
        FIND(l, "depth", "%.0f %% of the I/Os met less than half of iodepth=%.0f", low, depth);
}

/* What fio itself writes always fits together; edited and converted files do not. */
static void check_dir_sums(struct look *l, int dir, const char *name)
{
    const struct ana_measured_dir *d = &l->j->dir[dir];
    double bs = ana_option_number(l->j, "bs", 0), each = d->iops > 0 ? d->bw_Bps / d->iops : 0;
    const char *text = ana_measured_option(l->j, "bs");
    bool mixed = has(l->j, "bsrange") || has(l->j, "bssplit") || has(l->j, "bs_unaligned") ||
                 (text && strpbrk(text, ",-:/"));
    if (bs > 0 && !mixed && each > 0 && d->ios > 100 && (each > 1.1 * bs || each < 0.9 * bs))
        FIND(l, "units", "%s: bandwidth / IOPS = %.4g B where bs=%.0f B: a unit is wrong", name, each,
             bs);
    double rate = d->runtime_ns > 0 ? (double)d->ios * 1e9 / (double)d->runtime_ns : 0;
    if (l->j->nentries == 1 && d->runtime_ns > SIM_S && d->ios > 100 && d->iops > 0 &&
        (d->iops > 1.1 * rate || d->iops < 0.9 * rate))
        FIND(l, "units", "%s: %.6g IOPS, but %llu I/Os in %.3f s are %.6g", name, d->iops,
             (unsigned long long)d->ios, (double)d->runtime_ns / 1e9, rate);
}

static void check_dir_order(struct look *l, const struct ana_measured_lat *a, const char *name)
{
    if (a->n == 0 || a->max <= 0)
        return;
    if (a->mean > 1.01 * a->max + 1 || a->mean < 0.99 * a->min - 1) {
        FIND(l, "units", "%s: mean %.6g us is not between min %.6g and max %.6g us", name,
             a->mean / 1e3, a->min / 1e3, a->max / 1e3);
        return;
    }
    for (unsigned i = 0; i < a->npct; i++)
        if (a->pct_ns[i] > 1.03 * a->max + 1000 || a->pct_ns[i] < 0.97 * a->min - 1000) {
            FIND(l, "units", "%s: p%g = %.6g us is not between min %.6g and max %.6g us", name,
                 a->pct[i], a->pct_ns[i] / 1e3, a->min / 1e3, a->max / 1e3);
            return;
        }
}

/* rate_iops of a mixed job holds for each direction: the total doubles, the mix
 * becomes even. And no job is faster than its own limit. */
static void check_rates(struct look *l)
{
    const struct ana_measured_dir *r = &l->j->dir[ANA_READ], *w = &l->j->dir[ANA_WRITE];
    const char *text = ana_measured_option(l->j, "rate_iops");
    double clones = ana_option_number(l->j, "numjobs", 1);
    clones = clones > l->j->nentries ? clones : l->j->nentries;
    double cap = ana_option_number(l->j, "rate_iops", 0) * clones;
    if (cap > 0 && text && !strchr(text, ',')) {
        if (r->iops > 0 && w->iops > 0 && r->iops + w->iops > 1.2 * cap && r->iops < 1.05 * cap &&
            w->iops < 1.05 * cap)
            FIND(l, "rate",
                 "rate_iops=%s holds for each direction: %.0f read + %.0f write = %.0f IOPS, and "
                 "the mix is %.0f/%.0f", text, r->iops, w->iops, r->iops + w->iops,
                 100 * r->iops / (r->iops + w->iops), 100 * w->iops / (r->iops + w->iops));
        else if (r->iops > 1.05 * cap || w->iops > 1.05 * cap)
            FIND(l, "rate", "%.0f IOPS where rate_iops allows %.0f",
                 r->iops > w->iops ? r->iops : w->iops, cap);
    }
    double bytes = ana_option_number(l->j, "rate", 0) * clones;
    if (bytes > 0 && (r->bw_Bps > 1.05 * bytes || w->bw_Bps > 1.05 * bytes))
        FIND(l, "rate", "%.4g MB/s where rate allows %.4g",
             (r->bw_Bps > w->bw_Bps ? r->bw_Bps : w->bw_Bps) / 1e6, bytes / 1e6);
}

static void check_time(struct look *l)
{
    double ran = 0;
    for (int dir = ANA_READ; dir < ANA_DIRS; dir++) {
        double s = dir == ANA_SYNC ? 0 : (double)l->j->dir[dir].runtime_ns / 1e9;
        ran = s > ran ? s : ran;
    }
    const char *text = ana_measured_option(l->j, "runtime");
    char *end = NULL;
    double asked_s = text ? strtod(text, &end) : 0;
    if (end && strcmp(end, "m") == 0)
        asked_s *= 60;
    else if (end && strcmp(end, "h") == 0)
        asked_s *= 3600;
    else if (end && *end && strcmp(end, "s") != 0)
        asked_s = 0;
    bool sized = !has(l->j, "time_based");
    if (ran > 0 && ran < SHORT_S && !l->src->m->simulated)
        FIND(l, "short", "ran %.1f s: caches, buffers and clocks settle in more than %.0f s", ran,
             SHORT_S);
    else if (asked_s > 0 && !sized && ran > 0 && ran < 0.9 * asked_s && ran < 1e6)
        FIND(l, "short", "ran %.1f s of the %.0f s asked for", ran, asked_s);
    if (l->j->interim)
        FIND(l, "short", "an interim report: the job was still running");
    if (l->j->error)
        FIND(l, "error", "the job ended in error %d", l->j->error);
}

/* 14.6 us "NVMe" reads were RAM; 1 to 5 GB files sit in the cache of most home labs. */
static void check_cache(struct look *l, const struct ana_measured *sim)
{
    const struct ana_measured_dir *r = &l->j->dir[ANA_READ];
    const char *direct = ana_measured_option(l->j, "direct");
    double size = ana_option_number(l->j, "size", 0);
    if (r->iops <= 0 || l->j->noptions == 0)
        return;
    if (is_kernel_engine(l->j) && (!direct || strcmp(direct, "0") == 0) && !l->src->m->simulated)
        FIND(l, "cache", "direct=1 is not set: %.0f reads/s may come from the guest's memory",
             r->iops);
    if (size > 0 && sim->cache_bytes > 0 && size <= (double)sim->cache_bytes &&
        !l->src->m->simulated)
        FIND(l, "cache", "size=%.2f GiB fits the read cache of %.2f GiB", size / (double)SIM_GIB,
             (double)sim->cache_bytes / (double)SIM_GIB);
}

static double median_ns(const struct ana_measured_lat *l)
{
    for (unsigned i = 0; i < l->npct; i++)
        if (l->pct[i] > 49.99 && l->pct[i] < 50.01)
            return l->pct_ns[i];
    return l->mean;
}

static void check_floor(struct look *l, const struct ana_measured_job *s)
{
    static const char *const names[] = {"read", "write"};
    for (int dir = ANA_READ; s && dir <= ANA_WRITE; dir++) {
        const struct ana_measured_dir *d = &l->j->dir[dir], *sd = &s->dir[dir];
        double mean = dir_mean_ns(d), median = median_ns(d->clat.n ? &d->clat : &d->lat);
        if (mean <= 0 || sd->lat.n == 0)
            continue;
        if (s->net_ns[dir] > 0 && mean < s->net_ns[dir])
            FIND(l, "floor", "mean %s of %.1f us is below the %.1f us the wire alone takes",
                 names[dir], mean / 1e3, s->net_ns[dir] / 1e3);
        else if (dir == ANA_READ && median > 0 && median < sd->lat.min / 2)
            FIND(l, "floor",
                 "median read of %.1f us; the fastest path of this layout takes %.1f us: a cache "
                 "or holes answered", median / 1e3, sd->lat.min / 1e3);
    }
}

static void check_options(struct look *l, const struct ana_measured_job *s)
{
    static const char *const names[] = {"rw",        "bs",   "iodepth",   "numjobs",
                                        "rwmixread", "size", "rate_iops", "rate"};
    char x[128], y[128];
    for (unsigned i = 0; s && l->j->noptions > 0 && i < sizeof names / sizeof *names; i++) {
        bool identity = i < 4;
        if (!identity && (!ana_measured_option(l->j, names[i]) || !ana_measured_option(s, names[i])))
            continue;
        ana_option_canonical(s, names[i], x, sizeof x);
        ana_option_canonical(l->j, names[i], y, sizeof y);
        if (strcmp(x, y) != 0 && !strchr(x, '%') && !strchr(y, '%'))
            FIND(l, "options", "another job: %s is %s here and %s in the simulation", names[i], y, x);
    }
}

void ana_suspect_job(struct ana_comparison *c, const struct ana_source *src,
                     const struct ana_measured_job *j, const struct ana_measured *sim,
                     const struct ana_measured_job *sim_job)
{
    static const char *const names[] = {"read", "write", "trim"};
    struct look l = {.c = c, .src = src, .j = j};
    unsigned before = c->nfindings;
    measure(&l);
    check_options(&l, sim_job);
    for (int dir = ANA_READ; dir <= ANA_TRIM; dir++) {
        check_dir_sums(&l, dir, names[dir]);
        check_dir_order(&l, &j->dir[dir].lat, names[dir]);
        check_dir_order(&l, &j->dir[dir].clat, names[dir]);
    }
    check_little(&l);
    check_levels(&l);
    check_rates(&l);
    check_time(&l);
    check_cache(&l, sim);
    bool units = false; /* a wrong unit explains a low latency */
    for (unsigned i = before; i < c->nfindings; i++)
        units |= strcmp(c->findings[i].code, "units") == 0;
    if (!units)
        check_floor(&l, sim_job);
}

/* Reads of holes and of the page cache never reach a disk. */
void ana_suspect_file(struct ana_comparison *c, const struct ana_source *src)
{
    const struct ana_measured *m = src->m;
    double asked = 0, served = 0;
    for (unsigned i = 0; i < m->njobs; i++) {
        if (!is_kernel_engine(&m->jobs[i]))
            return;
        asked += (double)m->jobs[i].dir[ANA_READ].ios;
    }
    for (unsigned i = 0; i < m->ndisks; i++)
        served += (double)m->disks[i].reads;
    if (m->ndisks > 0 && !m->simulated && asked > 1000 && served < asked / 2)
        ana_find(c, src->path, NULL, "holes",
                 "fio read %.0f blocks, the disks served %.0f: holes or a cache answered the rest",
                 asked, served);
    if (m->cut_off)
        ana_find(c, src->path, NULL, "cut off", "the file ends in the middle; %u complete job%s used",
                 m->njobs, m->njobs == 1 ? "" : "s");
}
