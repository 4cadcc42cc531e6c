/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_hdf5_read.c: a result file back into memory.
 */
#include "ana_hdf5.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <hdf5.h>

#include "ana_view.h"
#include "workload/hci_job.h"

enum { ROWS_MAX = 1 << 20, JOBS = 65536, NAME = 320 };

struct rd {      /* a file being read */
    int bad;     /* something that must be there is not, or does not fit */
    hid_t vtext; /* variable-length UTF-8 in memory */
};

#define FIELD(row, field) #field, offsetof(struct row, field)

struct member {
    const char *name;
    size_t offset;
    hid_t type;
};

struct many { /* rows read from a table */
    void *at;
    unsigned n;
};

static void attr(struct rd *rd, hid_t loc, const char *name, hid_t type, void *v)
{
    hid_t a = H5Aexists(loc, name) > 0 ? H5Aopen(loc, name, H5P_DEFAULT) : -1;
    hid_t space = a >= 0 ? H5Aget_space(a) : -1;
    if (space < 0 || H5Sget_simple_extent_npoints(space) != 1 || H5Aread(a, type, v) < 0)
        rd->bad = 1;
    if (space >= 0)
        H5Sclose(space);
    if (a >= 0)
        H5Aclose(a);
}

static uint64_t attr_u64(struct rd *rd, hid_t loc, const char *name)
{
    uint64_t v = 0;
    attr(rd, loc, name, H5T_NATIVE_UINT64, &v);
    return v;
}

static double attr_f64(struct rd *rd, hid_t loc, const char *name)
{
    double v = 0;
    attr(rd, loc, name, H5T_NATIVE_DOUBLE, &v);
    return isfinite(v) ? v : 0;
}

/* Attributes that files of earlier versions lack: 0. */
static uint64_t later_u64(struct rd *rd, hid_t loc, const char *name)
{
    return H5Aexists(loc, name) > 0 ? attr_u64(rd, loc, name) : 0;
}

static double later_f64(struct rd *rd, hid_t loc, const char *name)
{
    return H5Aexists(loc, name) > 0 ? attr_f64(rd, loc, name) : 0;
}

static void attr_str(struct rd *rd, hid_t loc, const char *name, char *out, size_t size)
{
    char *s = NULL;
    attr(rd, loc, name, rd->vtext, &s);
    snprintf(out, size, "%s", s ? s : "");
    if (s)
        H5free_memory(s);
}

/* A scalar text, in memory of malloc; "" when it is not there. */
static char *text(struct rd *rd, hid_t loc, const char *name)
{
    char *s = NULL;
    hid_t d = H5Lexists(loc, name, H5P_DEFAULT) > 0 ? H5Dopen2(loc, name, H5P_DEFAULT) : -1;
    hid_t space = d >= 0 ? H5Dget_space(d) : -1;
    if (space < 0 || H5Sget_simple_extent_npoints(space) != 1 ||
        H5Dread(d, rd->vtext, H5S_ALL, H5S_ALL, H5P_DEFAULT, &s) < 0)
        rd->bad = 1;
    char *copy = strdup(s ? s : "");
    if (s)
        H5free_memory(s);
    if (space >= 0)
        H5Sclose(space);
    if (d >= 0)
        H5Dclose(d);
    rd->bad |= !copy;
    return copy;
}

/* A one-dimensional dataset of `size` bytes a row; nothing when it is not there. */
static struct many vector(struct rd *rd, hid_t loc, const char *name, hid_t type, size_t size)
{
    struct many m = {NULL, 0};
    if (H5Lexists(loc, name, H5P_DEFAULT) <= 0)
        return m;
    hid_t d = H5Dopen2(loc, name, H5P_DEFAULT), space = d >= 0 ? H5Dget_space(d) : -1;
    hssize_t n = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    if (n >= 0 && n <= ROWS_MAX)
        m.at = calloc((size_t)n + 1, size);
    if (m.at && H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, m.at) >= 0)
        m.n = (unsigned)n;
    else
        rd->bad = 1;
    if (space >= 0)
        H5Sclose(space);
    if (d >= 0)
        H5Dclose(d);
    return m;
}

static struct many table(struct rd *rd, hid_t loc, const char *name, const struct member *c,
                         unsigned nc, size_t size)
{
    hid_t type = H5Tcreate(H5T_COMPOUND, size);
    for (unsigned i = 0; i < nc; i++)
        if (H5Tinsert(type, c[i].name, c[i].offset, c[i].type) < 0)
            rd->bad = 1;
    struct many m = vector(rd, loc, name, type, size);
    H5Tclose(type);
    return m;
}

static hid_t label(size_t size)
{
    hid_t t = H5Tcopy(H5T_C_S1);
    H5Tset_size(t, size);
    H5Tset_cset(t, H5T_CSET_UTF8);
    return t;
}

static void histogram(struct rd *rd, hid_t loc, const char *name, struct sim_hist *h)
{
    struct many m = vector(rd, loc, name, H5T_NATIVE_UINT64, sizeof(uint64_t));
    rd->bad |= m.n != SIM_HIST_BINS;
    for (unsigned i = 0; i < SIM_HIST_BINS && !rd->bad; i++) {
        h->bin[i] = ((uint64_t *)m.at)[i];
        h->n += h->bin[i];
    }
    free(m.at);
}

static void moments(struct rd *rd, hid_t loc, const char *prefix, uint64_t n,
                    struct hci_moments *m)
{
    static const char *const what[] = {"min", "max", "mean", "stddev"};
    char name[4][32];
    for (int i = 0; i < 4; i++)
        snprintf(name[i], sizeof name[i], "%s_%s_ns", prefix, what[i]);
    double mean = attr_f64(rd, loc, name[2]), dev = attr_f64(rd, loc, name[3]);
    double sum = round(mean * (double)n);
    m->n = n;
    m->min = attr_u64(rd, loc, name[0]);
    m->max = attr_u64(rd, loc, name[1]);
    if (n == 0 || !(sum >= 0) || sum > 1e30)
        return;
    m->sum = (unsigned __int128)sum;
    double sum2 = n > 1 ? dev * dev * (double)(n - 1) + sum * sum / (double)n : sum * sum;
    m->sum2 = sum2 < 1e38 ? (unsigned __int128)sum2 : 0;
}

struct series_row {
    uint64_t ios, bytes;
    double lat_mean_ns;
};

static void series(struct rd *rd, hid_t loc, struct hci_dir_result *d)
{
    const struct member c[] = {{FIELD(series_row, ios), H5T_NATIVE_UINT64},
                               {FIELD(series_row, bytes), H5T_NATIVE_UINT64},
                               {FIELD(series_row, lat_mean_ns), H5T_NATIVE_DOUBLE}};
    struct many m = table(rd, loc, "series", c, 3, sizeof(struct series_row));
    const struct series_row *row = m.at;
    d->intervals = calloc(m.n + 1, sizeof *d->intervals);
    d->nintervals = d->intervals ? m.n : 0;
    for (unsigned i = 0; i < d->nintervals; i++) {
        double sum = row[i].lat_mean_ns * (double)row[i].ios;
        d->intervals[i].ios = row[i].ios;
        d->intervals[i].bytes = row[i].bytes;
        d->intervals[i].lat_sum_ns = sum > 0 && sum < 1.8e19 ? (uint64_t)round(sum) : 0;
    }
    free(m.at);
}

struct part_row {
    char component[64];
    struct hci_part_time all, slowest;
};

static void breakdown(struct rd *rd, hid_t loc, struct hci_result *r, struct hci_dir_result *d)
{
    hid_t name = label(sizeof(((struct part_row *)0)->component));
    const struct member c[] = {
        {"component", offsetof(struct part_row, component), name},
        {"wait_ns", offsetof(struct part_row, all.wait_ns), H5T_NATIVE_DOUBLE},
        {"service_ns", offsetof(struct part_row, all.service_ns), H5T_NATIVE_DOUBLE},
        {"slowest_wait_ns", offsetof(struct part_row, slowest.wait_ns), H5T_NATIVE_DOUBLE},
        {"slowest_service_ns", offsetof(struct part_row, slowest.service_ns), H5T_NATIVE_DOUBLE}};
    struct many m = table(rd, loc, "breakdown", c, 5, sizeof(struct part_row));
    const struct part_row *row = m.at;
    rd->bad |= m.n > HCI_PARTS;
    for (unsigned i = 0; i < m.n && !rd->bad; i++) {
        snprintf(r->part_name[i], sizeof r->part_name[i], "%.31s", row[i].component);
        d->mean[i] = row[i].all;
        d->tail[i] = row[i].slowest;
        r->nparts = m.n;
    }
    free(m.at);
    H5Tclose(name);
}

static void direction(struct rd *rd, hid_t job, struct hci_result *r, const char *name,
                      struct hci_dir_result *d)
{
    if (H5Lexists(job, name, H5P_DEFAULT) <= 0)
        return;
    hid_t g = H5Gopen2(job, name, H5P_DEFAULT);
    if (g < 0) {
        rd->bad = 1;
        return;
    }
    d->ios = attr_u64(rd, g, "ios");
    d->bytes = attr_u64(rd, g, "bytes");
    d->skipped_ios = later_u64(rd, g, "skipped_ios");
    d->runtime_ns = attr_u64(rd, g, "runtime_ns");
    d->iops = attr_f64(rd, g, "iops");
    d->bw_Bps = attr_f64(rd, g, "bw_Bps");
    d->iops_i = (struct sim_interval){.estimate = d->iops, .half = later_f64(rd, g, "iops_half"),
                                      .batches = (unsigned)later_u64(rd, g, "batches")};
    histogram(rd, g, "slat", &d->slat);
    histogram(rd, g, "clat", &d->clat);
    histogram(rd, g, "lat", &d->lat);
    moments(rd, g, "slat", d->slat.n, &d->slat_m);
    moments(rd, g, "clat", d->clat.n, &d->clat_m);
    moments(rd, g, "lat", d->lat.n, &d->lat_m);
    series(rd, g, d);
    breakdown(rd, g, r, d);
    H5Gclose(g);
}

static void resources(struct rd *rd, hid_t job, struct hci_job_result *j)
{
    hid_t name = label(sizeof j->resources->name), kind = label(sizeof j->resources->kind);
    const struct member c[] = {{"station", offsetof(struct hci_resource, name), name},
                               {FIELD(hci_resource, kind), kind},
                               {FIELD(hci_resource, node), H5T_NATIVE_INT},
                               {FIELD(hci_resource, servers), H5T_NATIVE_UINT64},
                               {FIELD(hci_resource, served), H5T_NATIVE_UINT64},
                               {FIELD(hci_resource, utilisation), H5T_NATIVE_DOUBLE},
                               {FIELD(hci_resource, mean_queue), H5T_NATIVE_DOUBLE},
                               {FIELD(hci_resource, mean_wait_ns), H5T_NATIVE_DOUBLE},
                               {FIELD(hci_resource, mean_service_ns), H5T_NATIVE_DOUBLE},
                               {"cap_iops", offsetof(struct hci_resource, cap_ios),
                                H5T_NATIVE_DOUBLE},
                               {FIELD(hci_resource, read_ios), H5T_NATIVE_UINT64},
                               {FIELD(hci_resource, write_ios), H5T_NATIVE_UINT64}};
    struct many m = table(rd, job, "resources", c, 12, sizeof(struct hci_resource));
    j->resources = m.at;
    j->nresources = m.n;
    H5Tclose(name);
    H5Tclose(kind);
}

static herr_t one_state(hid_t all, const char *name, const H5L_info_t *info, void *arg)
{
    (void)info;
    void **both = arg;
    struct rd *rd = both[0];
    struct hci_job_result *j = both[1];
    struct hci_state_series *more = realloc(j->states, (j->nstates + 1) * sizeof *more);
    if (!more || j->nstates > 4096) {
        rd->bad = 1;
        return -1;
    }
    j->states = more;
    struct hci_state_series *s = memset(&more[j->nstates++], 0, sizeof *more);
    snprintf(s->name, sizeof s->name, "%s", name);
    struct many m = vector(rd, all, name, H5T_NATIVE_DOUBLE, sizeof(double));
    s->value = m.at;
    s->n = m.n;
    hid_t d = H5Dopen2(all, name, H5P_DEFAULT);
    if (d < 0)
        return 0;
    attr_str(rd, d, "units", s->unit, sizeof s->unit);
    H5Dclose(d);
    return 0;
}

static void state(struct rd *rd, hid_t job, struct hci_job_result *j)
{
    hid_t g = H5Lexists(job, "state", H5P_DEFAULT) > 0 ? H5Gopen2(job, "state", H5P_DEFAULT) : -1;
    if (g < 0)
        return;
    hid_t name = label(sizeof j->counters->name), unit = label(sizeof j->counters->unit);
    const struct member c[] = {{FIELD(hci_counter, name), name},
                               {FIELD(hci_counter, unit), unit},
                               {FIELD(hci_counter, value), H5T_NATIVE_DOUBLE}};
    struct many m = table(rd, g, "counters", c, 3, sizeof(struct hci_counter));
    j->counters = m.at;
    j->ncounters = m.n;
    hid_t all = H5Lexists(g, "series", H5P_DEFAULT) > 0 ? H5Gopen2(g, "series", H5P_DEFAULT) : -1;
    if (all >= 0) {
        void *both[] = {rd, j};
        H5Literate(all, H5_INDEX_NAME, H5_ITER_INC, NULL, one_state, both);
        H5Gclose(all);
    }
    H5Tclose(name);
    H5Tclose(unit);
    H5Gclose(g);
}

static void depths(struct rd *rd, hid_t job, struct hci_job_result *j)
{
    struct many m = vector(rd, job, "iodepth_level", H5T_NATIVE_UINT64, sizeof(uint64_t));
    if (m.n == 7)
        memcpy(j->depth_hist, m.at, sizeof j->depth_hist);
    free(m.at);
    hid_t line = label(sizeof *j->warnings);
    const struct member c[] = {{"text", 0, line}};
    m = table(rd, job, "warnings", c, 1, sizeof *j->warnings);
    if (m.n == 0) {
        free(m.at);
        m.at = NULL;
    }
    j->warnings = m.at;
    j->nwarnings = m.n;
    H5Tclose(line);
}

static void one_job(struct rd *rd, hid_t job, struct hci_result *r, struct hci_job_result *j)
{
    attr_str(rd, job, "name", j->name, sizeof j->name);
    j->groupid = (unsigned)attr_u64(rd, job, "groupid");
    j->nclones = (unsigned)attr_u64(rd, job, "clones");
    j->start_ns = attr_u64(rd, job, "start_ns");
    j->ramp_end_ns = attr_u64(rd, job, "ramp_end_ns");
    j->end_ns = attr_u64(rd, job, "end_ns");
    j->interval_ns = attr_u64(rd, job, "interval_ns");
    j->skipped_ns = later_u64(rd, job, "skipped_ns");
    attr(rd, job, "error", H5T_NATIVE_INT, &j->error);
    j->mean_in_flight = attr_f64(rd, job, "mean_in_flight");
    attr_str(rd, job, "bottleneck", j->bottleneck, sizeof j->bottleneck);
    attr_str(rd, job, "next_bottleneck", j->next_bottleneck, sizeof j->next_bottleneck);
    attr_str(rd, job, "verdict", j->verdict, sizeof j->verdict);
    j->bound_iops = attr_f64(rd, job, "bound_iops");
    attr_str(rd, job, "bound_by", j->bound_by, sizeof j->bound_by);
    depths(rd, job, j);
    for (int dir = 0; dir < HCI_DIRS; dir++)
        direction(rd, job, r, ana_dir_names[dir], &j->dir[dir]);
    resources(rd, job, j);
    state(rd, job, j);
}

/* The group N-NAME whose N is index, -1 when there is none. */
static hid_t open_job(hid_t jobs, unsigned index, hsize_t n)
{
    char name[NAME], want[16];
    size_t len = (size_t)snprintf(want, sizeof want, "%u-", index);
    for (hsize_t i = 0; i < n; i++) {
        ssize_t got = H5Lget_name_by_idx(jobs, ".", H5_INDEX_NAME, H5_ITER_INC, i, name,
                                         sizeof name, H5P_DEFAULT);
        if (got > 0 && strncmp(name, want, len) == 0)
            return H5Gopen2(jobs, name, H5P_DEFAULT);
    }
    return -1;
}

static void all_jobs(struct rd *rd, hid_t file, struct hci_result *r)
{
    H5G_info_t info;
    hid_t jobs =
        H5Lexists(file, "jobs", H5P_DEFAULT) > 0 ? H5Gopen2(file, "jobs", H5P_DEFAULT) : -1;
    if (jobs < 0 || H5Gget_info(jobs, &info) < 0 || info.nlinks > JOBS) {
        rd->bad = 1;
        return;
    }
    r->jobs = calloc((size_t)info.nlinks + 1, sizeof *r->jobs);
    rd->bad |= !r->jobs;
    for (unsigned i = 0; i < info.nlinks && !rd->bad; i++) {
        hid_t job = open_job(jobs, i, info.nlinks);
        if (job < 0) {
            rd->bad = 1;
            break;
        }
        one_job(rd, job, r, &r->jobs[r->njobs++]);
        H5Gclose(job);
    }
    H5Gclose(jobs);
}

/* The jobs' options from the stored text; what cannot be parsed stays NULL. */
static void options(struct hci_result *r)
{
    char path[64];
    struct sim_err ignored;
    struct hci_jobfile *jf = NULL;
    const struct hci_jobfile_opts opts = {.lenient = true};
    FILE *f = tmpfile();
    if (!f)
        return;
    fputs(r->jobfile_text, f);
    fflush(f);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(f));
    const char *paths[] = {path};
    if (hci_jobfile_load(&jf, paths, 1, &opts, NULL, &ignored) != SIM_OK)
        jf = NULL;
    fclose(f);
    r->jobfile = jf;
    for (unsigned i = 0; jf && i < r->njobs; i++)
        for (unsigned k = 0; k < jf->njobs && !r->jobs[i].job; k++)
            if (strcmp(jf->jobs[k].name, r->jobs[i].name) == 0)
                r->jobs[i].job = &jf->jobs[k];
}

static void whole(struct rd *rd, hid_t file, struct hci_result *r)
{
    char name[256];
    attr_str(rd, file, "layout_name", name, sizeof name);
    r->layout_name = strdup(name);
    r->seed = attr_u64(rd, file, "seed");
    r->sim_ns = attr_u64(rd, file, "simulated_ns");
    r->cache_bytes = later_u64(rd, file, "cache_bytes");
    r->precision = later_f64(rd, file, "precision_percent") / 100;
    r->events = attr_u64(rd, file, "events");
    r->draws = attr_u64(rd, file, "draws");
    r->ties = attr_u64(rd, file, "ties");
    r->hash = attr_u64(rd, file, "hash");
    r->pass = (unsigned)attr_u64(rd, file, "pass");
    r->passes = (unsigned)attr_u64(rd, file, "passes");
    r->layout_text = text(rd, file, "layout");
    r->jobfile_text = text(rd, file, "jobfile");
    hid_t line = label(sizeof *r->assumptions);
    const struct member c[] = {{"text", 0, line}};
    struct many m = table(rd, file, "assumptions", c, 1, sizeof *r->assumptions);
    if (m.n > 0)
        memcpy(r->assumptions, m.at, (m.n < 31 ? m.n : 31) * sizeof *r->assumptions);
    free(m.at);
    H5Tclose(line);
    all_jobs(rd, file, r);
}

int ana_hdf5_read(struct hci_result **out, const char *path, struct sim_err *e)
{
    char schema[64] = "";
    struct rd rd = {0};
    *out = NULL;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0 && access(path, R_OK) != 0)
        return sim_fail_at(e, SIM_E_IO, path, 0, "cannot read: %s", strerror(errno));
    if (file < 0)
        return sim_fail_at(e, SIM_E_INPUT, path, 0, "is no HDF5 file, or damaged or cut off");
    rd.vtext = label(H5T_VARIABLE);
    attr_str(&rd, file, "schema", schema, sizeof schema);
    struct hci_result *r = strcmp(schema, ANA_HDF5_SCHEMA) == 0 ? calloc(1, sizeof *r) : NULL;
    if (r)
        whole(&rd, file, r);
    H5Tclose(rd.vtext);
    H5Fclose(file);
    if (!r)
        return sim_fail_at(e, SIM_E_INPUT, path, 0, "no result of hcisim: schema '%s', not '%s'",
                           schema, ANA_HDF5_SCHEMA);
    if (rd.bad) {
        hci_result_free(r);
        return sim_fail_at(e, SIM_E_INPUT, path, 0, "damaged: a part of " ANA_HDF5_SCHEMA
                                                    " is missing or does not fit");
    }
    options(r);
    *out = r;
    return SIM_OK;
}

void ana_hdf5_free(struct hci_result *r)
{
    if (!r)
        return;
    hci_jobfile_free((struct hci_jobfile *)(uintptr_t)r->jobfile);
    hci_result_free(r);
}
