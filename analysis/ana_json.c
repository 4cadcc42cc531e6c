/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "ana_emit.h"
#include "ana_json_sim.h"
#include "ana_num.h"
#include "ana_steady.h"
#include "ana_view.h"

static void stamp(struct ana_emit *o, unsigned flags)
{
    struct timeval tv = {0};
    struct tm tm;
    char text[64];
    if (flags & ANA_JSON_CLOCK)
        gettimeofday(&tv, NULL);
    if (!gmtime_r(&tv.tv_sec, &tm) || !strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &tm))
        text[0] = '\0';
    ana_emit_i64(o, "timestamp", tv.tv_sec);
    ana_emit_i64(o, "timestamp_ms", (int64_t)tv.tv_sec * 1000 + tv.tv_usec / 1000);
    ana_emit_str(o, "time", text);
}

/* fio leaves options without a value out. */
static bool option_list(struct ana_emit *o, const struct hci_option_text *opt, unsigned n,
                        const char *find)
{
    bool found = false;
    for (unsigned i = 0; i < n; i++) {
        if (find && strcmp(opt[i].name, find) == 0)
            found = true;
        if (!find && opt[i].value)
            ana_emit_str(o, opt[i].name, opt[i].value);
    }
    return found;
}

static void rw_text(char out[16], unsigned rw)
{
    unsigned dirs = rw & (HCI_RW_READ | HCI_RW_WRITE | HCI_RW_TRIM);
    const char *name = dirs == HCI_RW_READ                    ? "read"
                       : dirs == HCI_RW_WRITE                 ? "write"
                       : dirs == HCI_RW_TRIM                  ? "trim"
                       : dirs == (HCI_RW_WRITE | HCI_RW_TRIM) ? "trimwrite"
                                                              : "rw";
    snprintf(out, 16, "%s%s", rw & HCI_RW_RANDOM ? "rand" : "", name);
}

static void size_text(char out[32], uint64_t bytes)
{
    if (bytes && bytes % SIM_MIB == 0)
        snprintf(out, 32, "%" PRIu64 "m", (uint64_t)(bytes / SIM_MIB));
    else if (bytes && bytes % SIM_KIB == 0)
        snprintf(out, 32, "%" PRIu64 "k", (uint64_t)(bytes / SIM_KIB));
    else
        snprintf(out, 32, "%" PRIu64, bytes);
}

static void bs_text(char out[256], const struct hci_job *job)
{
    char lo[32], hi[32];
    size_t at = 0;
    bool same = true;
    for (int i = 1; i < HCI_DDIRS; i++)
        same &= job->bs_min[i] == job->bs_min[0] && job->bs_max[i] == job->bs_max[0];
    for (int i = 0; i < (same ? 1 : HCI_DDIRS); i++) {
        bool range = job->bs_max[i] > job->bs_min[i];
        size_text(lo, job->bs_min[i]);
        size_text(hi, job->bs_max[i]);
        at += (size_t)snprintf(out + at, 256 - at, "%s%s%s%s", i ? "," : "", lo, range ? "-" : "",
                               range ? hi : "");
    }
}

/* As written, then the four that tools look for wherever they were not. */
static void job_options(struct ana_emit *o, const struct hci_job *job)
{
    char text[256];
    if (!job)
        return;
    ana_emit_open(o, "job options", '{');
    option_list(o, job->options, job->noptions, NULL);
    if (!option_list(o, job->options, job->noptions, "rw")) {
        rw_text(text, job->rw);
        ana_emit_str(o, "rw", text);
    }
    if (!option_list(o, job->options, job->noptions, "bs")) {
        bs_text(text, job);
        ana_emit_str(o, "bs", text);
    }
    if (!option_list(o, job->options, job->noptions, "iodepth")) {
        snprintf(text, sizeof text, "%u", job->iodepth_asked);
        ana_emit_str(o, "iodepth", text);
    }
    if (!option_list(o, job->options, job->noptions, "numjobs")) {
        snprintf(text, sizeof text, "%u", job->numjobs);
        ana_emit_str(o, "numjobs", text);
    }
    ana_emit_close(o, '}');
}

static void bins(struct ana_emit *o, const struct sim_hist *h)
{
    ana_emit_open(o, "bins", '{');
    for (unsigned i = 0; i < SIM_HIST_BINS; i++) {
        char key[24];
        if (h->bin[i] == 0)
            continue;
        snprintf(key, sizeof key, "%" PRIu64, sim_hist_value(i));
        ana_emit_u64(o, key, h->bin[i]);
    }
    ana_emit_close(o, '}');
}

static void percentiles(struct ana_emit *o, const struct hci_job *job, const struct sim_hist *h)
{
    double pct[HCI_PERCENTILES_MAX];
    unsigned n = ana_percentiles(job, pct);
    ana_emit_open(o, "percentile", '{');
    for (unsigned i = 0; i < n; i++) {
        char key[32];
        snprintf(key, sizeof key, "%f", pct[i]);
        ana_emit_u64(o, key, sim_hist_percentile(h, pct[i]));
    }
    ana_emit_close(o, '}');
}

struct latency { /* one of slat, clat, lat: h NULL where fio has no samples */
    const char *key;
    const struct hci_moments *m;
    const struct sim_hist *h;
    bool pct;
};

static void latency(struct ana_emit *o, const struct hci_job *job, const struct latency *l,
                    unsigned flags)
{
    static const struct hci_moments none = {0};
    const struct hci_moments *m = l->h ? l->m : &none;
    ana_emit_open(o, l->key, '{');
    ana_emit_u64(o, "min", m->n ? m->min : 0);
    ana_emit_u64(o, "max", m->max);
    ana_emit_f64(o, "mean", ana_moments_mean(m));
    ana_emit_f64(o, "stddev", ana_moments_stddev(m));
    ana_emit_u64(o, "N", m->n);
    if (l->pct && m->n) {
        percentiles(o, job, l->h);
        if (flags & ANA_JSON_PLUS)
            bins(o, l->h);
    }
    ana_emit_close(o, '}');
}

static void samples(struct ana_emit *o, const struct hci_dir_result *d, double share, bool show)
{
    static const struct hci_sampled none;
    const struct hci_sampled *b = show ? &d->bw_s : &none, *s = show ? &d->iops_s : &none;
    ana_emit_u64(o, "bw_min", ana_round(b->min / 1024));
    ana_emit_u64(o, "bw_max", ana_round(b->max / 1024));
    ana_emit_f64(o, "bw_agg", share);
    ana_emit_f64(o, "bw_mean", b->mean / 1024);
    ana_emit_f64(o, "bw_dev", b->stddev / 1024);
    ana_emit_u64(o, "bw_samples", b->samples);
    ana_emit_u64(o, "iops_min", ana_round(s->min));
    ana_emit_u64(o, "iops_max", ana_round(s->max));
    ana_emit_f64(o, "iops_mean", s->mean);
    ana_emit_f64(o, "iops_stddev", s->stddev);
    ana_emit_u64(o, "iops_samples", s->samples);
}

static void direction(struct ana_emit *o, const char *key, const struct hci_job *job,
                      const struct hci_dir_result *d, double share, unsigned flags)
{
    uint64_t Bps = (uint64_t)(d->bw_Bps > 0 ? d->bw_Bps : 0);
    struct latency slat = {"slat_ns", &d->slat_m, ana_has_slat(job, d) ? &d->slat : NULL,
                           ana_wants_slat_pct(job)};
    struct latency clat = {"clat_ns", &d->clat_m, ana_shows_clat(job) ? &d->clat : NULL,
                           ana_wants_clat_pct(job)};
    struct latency lat = {"lat_ns", &d->lat_m, ana_shows_lat(job) ? &d->lat : NULL,
                          ana_wants_lat_pct(job)};
    ana_emit_open(o, key, '{');
    ana_emit_u64(o, "io_bytes", d->bytes);
    ana_emit_u64(o, "io_kbytes", d->bytes / 1024);
    ana_emit_u64(o, "bw_bytes", Bps);
    ana_emit_u64(o, "bw", Bps / 1024);
    ana_emit_f64(o, "iops", d->iops);
    ana_emit_u64(o, "runtime", d->ios ? ana_ms(d->runtime_ns) : 0);
    ana_emit_u64(o, "total_ios", d->ios);
    ana_emit_u64(o, "short_ios", 0);
    ana_emit_u64(o, "drop_ios", 0);
    latency(o, job, &slat, flags);
    latency(o, job, &clat, flags);
    latency(o, job, &lat, flags);
    samples(o, d, share, ana_shows_samples(job));
    ana_emit_close(o, '}');
}

static void sync_object(struct ana_emit *o, const struct hci_job_result *j, unsigned flags)
{
    const struct hci_dir_result *d = &j->dir[HCI_DIR_SYNC];
    struct latency lat = {"lat_ns", &d->lat_m, &d->lat, true};
    ana_emit_open(o, "sync", '{');
    ana_emit_u64(o, "total_ios", d->ios);
    latency(o, j->job, &lat, flags);
    ana_emit_close(o, '}');
}

static int directions(struct ana_emit *o, const struct hci_result *r,
                      const struct hci_job_result *j, unsigned flags)
{
    int unified = ana_unified(j->job);
    for (int dir = HCI_DIR_READ; dir <= HCI_DIR_TRIM && unified != 1; dir++)
        direction(o, ana_dir_names[dir], j->job, &j->dir[dir], ana_bw_share(r, j, dir), flags);
    if (unified != 1)
        sync_object(o, j, flags);
    if (unified == 0)
        return 0;
    struct hci_dir_result *all = malloc(sizeof *all);
    if (!all)
        return -1;
    ana_dir_merge(j, all);
    direction(o, "mixed", j->job, all, all->bw_s.samples ? 100.0 : 0.0, flags);
    free(all);
    return 0;
}

static void shares(struct ana_emit *o, const char *key, const char *const *names, const double *v,
                   unsigned n)
{
    ana_emit_open(o, key, '{');
    for (unsigned i = 0; i < n; i++)
        ana_emit_f64(o, names[i], v[i]);
    ana_emit_close(o, '}');
}

static void distributions(struct ana_emit *o, const struct hci_job_result *j)
{
    struct ana_lat_shares s;
    double depth[7], batch[7];
    ana_depth_shares(j, depth);
    ana_lat_shares(j, &s);
    ana_batch_shares(j, batch);
    shares(o, "iodepth_level", ana_depth_names, depth, 7);
    shares(o, "iodepth_submit", ana_batch_names, batch, 7);
    shares(o, "iodepth_complete", ana_batch_names, batch, 7);
    shares(o, "latency_ns", ana_lat_names, s.ns, 10);
    shares(o, "latency_us", ana_lat_names, s.us, 10);
    shares(o, "latency_ms", ana_lat_names, s.ms, 12);
}

static void latency_goal(struct ana_emit *o, const struct hci_job *job)
{
    ana_emit_u64(o, "latency_depth", job ? job->iodepth : 1);
    ana_emit_u64(o, "latency_target", job ? job->latency_target / SIM_US : 0);
    ana_emit_f64(o, "latency_percentile", job ? job->latency_percentile : 100.0);
    ana_emit_u64(o, "latency_window", job ? job->latency_window / SIM_US : 0);
}

static void steady_state(struct ana_emit *o, const struct hci_job_result *j)
{
    static const char *const metrics[] = {"iops", "bw", "lat"};
    struct ana_steady s;
    char text[80];
    if (!ana_steady_judge(j, &s))
        return;
    const char *unit = s.in_percent ? "%" : "";
    ana_emit_open(o, "steadystate", '{');
    snprintf(text, sizeof text, "%s%s:%f%s", metrics[j->job->ss_metric],
             j->job->ss_slope ? "_slope" : "", j->job->ss_limit, unit);
    ana_emit_str(o, "ss", text);
    ana_emit_u64(o, "duration", j->job->ss_dur / SIM_S);
    ana_emit_u64(o, "attained", s.attained);
    snprintf(text, sizeof text, "%f%s", s.criterion, unit);
    ana_emit_str(o, "criterion", text);
    ana_emit_f64(o, "max_deviation", s.max_deviation);
    ana_emit_f64(o, "slope", s.slope);
    ana_emit_open(o, "data", '{');
    ana_emit_u64(o, "bw_mean", ana_round(s.bw_mean_Bps));
    ana_emit_u64(o, "iops_mean", ana_round(s.iops_mean));
    for (int bytes = 0; bytes < 2; bytes++) {
        ana_emit_open(o, bytes ? "bw" : "iops", '[');
        for (unsigned i = 0; i < s.seconds; i++)
            ana_emit_u64(o, NULL, ana_round(ana_steady_second(j, s.first + i, bytes)));
        ana_emit_close(o, ']');
    }
    ana_emit_close(o, '}');
    ana_emit_close(o, '}');
}

static int one_job(struct ana_emit *o, const struct hci_result *r, const struct hci_job_result *j,
                   unsigned flags)
{
    uint64_t run_ns = 0;
    for (int dir = HCI_DIR_READ; dir <= HCI_DIR_TRIM; dir++)
        run_ns = sim_max(run_ns, j->dir[dir].runtime_ns);
    ana_emit_open(o, NULL, '{');
    ana_emit_str(o, "jobname", j->name);
    ana_emit_u64(o, "groupid", j->groupid);
    ana_emit_i64(o, "error", j->error);
    ana_emit_u64(o, "eta", ana_round(j->eta_s));
    ana_emit_u64(o, "elapsed", (j->end_ns + SIM_S - 1) / SIM_S);
    job_options(o, j->job);
    if (directions(o, r, j, flags))
        return -1;
    ana_emit_u64(o, "job_runtime", ana_ms(run_ns) * (j->nclones ? j->nclones : 1));
    ana_emit_f64(o, "usr_cpu", 0);
    ana_emit_f64(o, "sys_cpu", 0);
    ana_emit_u64(o, "ctx", 0);
    ana_emit_u64(o, "majf", 0);
    ana_emit_u64(o, "minf", 0);
    distributions(o, j);
    latency_goal(o, j->job);
    steady_state(o, j);
    if (j->job && j->job->description)
        ana_emit_str(o, "desc", j->job->description);
    ana_emit_close(o, '}');
    return 0;
}

int ana_json_write(FILE *f, const struct hci_result *r, unsigned flags, struct sim_err *e)
{
    struct ana_emit o = {.f = f};
    ana_emit_open(&o, NULL, '{');
    ana_emit_str(&o, "fio version", ANA_FIO_VERSION);
    stamp(&o, flags);
    ana_emit_open(&o, "global options", '{');
    if (r->jobfile)
        option_list(&o, r->jobfile->globals, r->jobfile->nglobals, NULL);
    ana_emit_close(&o, '}');
    ana_emit_open(&o, "jobs", '[');
    for (unsigned i = 0; i < r->njobs; i++)
        if (ana_reported(r->jobs[i].job) && one_job(&o, r, &r->jobs[i], flags))
            return sim_fail(e, SIM_E_IO, "not enough memory to write the result of job %s",
                            r->jobs[i].name);
    ana_emit_close(&o, ']');
    ana_json_disk_util(&o, r);
    ana_json_simulator(&o, r);
    ana_emit_close(&o, '}');
    fputc('\n', f);
    if (fflush(f) != 0 || ferror(f))
        return sim_fail(e, SIM_E_IO, "cannot write JSON: %s", strerror(errno ? errno : EIO));
    return SIM_OK;
}
