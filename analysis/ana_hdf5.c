/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_hdf5.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hdf5.h>
#include <hdf5_hl.h>
#include "ana_file.h"
#include "ana_interval.h"
#include "ana_num.h"
#include "ana_provenance.h"
#include "ana_view.h"

enum { COLUMNS = 12, CHUNK = 4096, NAME = 320 };

struct h5 { /* one file being built */
    hid_t file;
    hid_t text;      /* variable-length UTF-8 */
    hid_t label;     /* char[64] in rows */
    hid_t once, sub; /* creation lists of datasets and groups: no times */
    int failed;      /* any call failed; checked once at the end */
};

#define FIELD(row, field) #field, offsetof(struct row, field)

struct column {
    const char *name;
    size_t offset;
    hid_t type;
    const char *unit;
};

static hid_t made(struct h5 *h, hid_t id)
{
    if (id < 0)
        h->failed = 1;
    return id;
}

static void did(struct h5 *h, herr_t status)
{
    if (status < 0)
        h->failed = 1;
}

static hid_t label_type(size_t size)
{
    hid_t t = H5Tcopy(H5T_C_S1);
    H5Tset_size(t, size);
    H5Tset_cset(t, H5T_CSET_UTF8);
    return t;
}

static void attr(struct h5 *h, hid_t loc, const char *name, hid_t type, const void *v)
{
    hid_t space = made(h, H5Screate(H5S_SCALAR));
    hid_t a = made(h, H5Acreate2(loc, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    did(h, H5Awrite(a, type, v));
    H5Aclose(a);
    H5Sclose(space);
}

static void attr_u64(struct h5 *h, hid_t loc, const char *name, uint64_t v)
{
    attr(h, loc, name, H5T_NATIVE_UINT64, &v);
}

static void attr_f64(struct h5 *h, hid_t loc, const char *name, double v)
{
    attr(h, loc, name, H5T_NATIVE_DOUBLE, &v);
}

static void attr_str(struct h5 *h, hid_t loc, const char *name, const char *v)
{
    attr(h, loc, name, h->text, v ? &v : &(const char *){""});
}

static void attr_units(struct h5 *h, hid_t loc, const struct column *c, hsize_t n)
{
    const char *unit[COLUMNS];
    for (hsize_t i = 0; i < n; i++)
        unit[i] = c[i].unit;
    hid_t space = made(h, H5Screate_simple(1, &n, NULL));
    hid_t a = made(h, H5Acreate2(loc, "units", h->text, space, H5P_DEFAULT, H5P_DEFAULT));
    did(h, H5Awrite(a, h->text, unit));
    H5Aclose(a);
    H5Sclose(space);
}

static hid_t group(struct h5 *h, hid_t loc, const char *name)
{
    return made(h, H5Gcreate2(loc, name, H5P_DEFAULT, h->sub, H5P_DEFAULT));
}

static void text(struct h5 *h, hid_t loc, const char *name, const char *v)
{
    const char *s = v ? v : "";
    hid_t space = made(h, H5Screate(H5S_SCALAR));
    hid_t d = made(h, H5Dcreate2(loc, name, h->text, space, H5P_DEFAULT, h->once, H5P_DEFAULT));
    did(h, H5Dwrite(d, h->text, H5S_ALL, H5S_ALL, H5P_DEFAULT, &s));
    H5Dclose(d);
    H5Sclose(space);
}

struct rows { /* of a table: n records of `size` bytes */
    const void *at;
    size_t size;
    hsize_t n;
};

/* n > 0 values; the caller closes the dataset. */
static hid_t vector(struct h5 *h, hid_t loc, const char *name, hid_t type, hsize_t n,
                    const void *rows, const char *units)
{
    hid_t space = made(h, H5Screate_simple(1, &n, NULL)), how = made(h, H5Pcopy(h->once));
    hsize_t chunk = n < CHUNK ? n : CHUNK;
    if (n >= 64) { /* histograms are mostly zeros */
        did(h, H5Pset_chunk(how, 1, &chunk));
        did(h, H5Pset_deflate(how, 6));
    }
    hid_t d = made(h, H5Dcreate2(loc, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT));
    did(h, H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows));
    attr_str(h, d, "units", units);
    H5Pclose(how);
    H5Sclose(space);
    return d;
}

/* Left out when empty: h5diff calls two empty datasets "not comparable". */
static void table(struct h5 *h, hid_t loc, const char *name, const struct column *c,
                  unsigned ncolumns, struct rows r)
{
    if (r.n == 0)
        return;
    hid_t type = made(h, H5Tcreate(H5T_COMPOUND, r.size));
    for (unsigned i = 0; i < ncolumns; i++)
        did(h, H5Tinsert(type, c[i].name, c[i].offset, c[i].type));
    hid_t packed = made(h, H5Tcopy(type));
    did(h, H5Tpack(packed)); /* no padding bytes in the file */
    hid_t space = made(h, H5Screate_simple(1, &r.n, NULL));
    hid_t d = made(h, H5Dcreate2(loc, name, packed, space, H5P_DEFAULT, h->once, H5P_DEFAULT));
    did(h, H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, r.at));
    attr_units(h, d, c, ncolumns);
    H5Dclose(d);
    H5Sclose(space);
    H5Tclose(packed);
    H5Tclose(type);
}

/* A name as one path component. */
static void component(char out[NAME], const char *name)
{
    size_t n = 0;
    for (; name[n] && n < NAME - 1; n++)
        out[n] = name[n] == '/' || (unsigned char)name[n] < 0x20 ? '_' : name[n];
    out[n] = '\0';
    if (n == 0 || strcmp(out, ".") == 0)
        memcpy(out, "_", 2);
}

static void moments(struct h5 *h, hid_t loc, const char *prefix, const struct hci_moments *m)
{
    static const char *const what[] = {"min", "max", "mean", "stddev"};
    char name[4][32];
    for (int i = 0; i < 4; i++)
        snprintf(name[i], sizeof name[i], "%s_%s_ns", prefix, what[i]);
    attr_u64(h, loc, name[0], m->n ? m->min : 0);
    attr_u64(h, loc, name[1], m->max);
    attr_f64(h, loc, name[2], ana_moments_mean(m));
    attr_f64(h, loc, name[3], ana_moments_stddev(m));
}

static void histogram(struct h5 *h, hid_t loc, const char *name, const struct sim_hist *hist,
                      hid_t edges)
{
    hid_t d = vector(h, loc, name, H5T_NATIVE_UINT64, SIM_HIST_BINS, hist->bin, "1");
    did(h, H5DSattach_scale(d, edges, 0));
    H5Dclose(d);
}

struct pct_row {
    double percent;
    uint64_t clat_ns, clat_lo_ns, clat_hi_ns, lat_ns, lat_lo_ns, lat_hi_ns;
    uint8_t resolved, reliable;
};

static void percentiles(struct h5 *h, hid_t loc, const struct hci_job *job,
                        const struct hci_dir_result *d)
{
    double pct[HCI_PERCENTILES_MAX];
    struct pct_row row[HCI_PERCENTILES_MAX];
    struct ana_limits c[HCI_PERCENTILES_MAX], l[HCI_PERCENTILES_MAX];
    unsigned n = ana_percentiles(job, pct);
    ana_interval_percentiles(d, HCI_CLAT, pct, n, c);
    ana_interval_percentiles(d, HCI_LAT, pct, n, l);
    for (unsigned i = 0; i < n; i++)
        row[i] = (struct pct_row){
            pct[i],     c[i].ns,    c[i].lo_ns, c[i].hi_ns,      l[i].ns,
            l[i].lo_ns, l[i].hi_ns, !(l[i].doubts & SIM_DOUBT_UNRESOLVED), !l[i].doubts};
    const struct column columns[] = {
        {FIELD(pct_row, percent), H5T_NATIVE_DOUBLE, "percent"},
        {FIELD(pct_row, clat_ns), H5T_NATIVE_UINT64, "ns"},
        {FIELD(pct_row, clat_lo_ns), H5T_NATIVE_UINT64, "ns"},
        {FIELD(pct_row, clat_hi_ns), H5T_NATIVE_UINT64, "ns"},
        {FIELD(pct_row, lat_ns), H5T_NATIVE_UINT64, "ns"},
        {FIELD(pct_row, lat_lo_ns), H5T_NATIVE_UINT64, "ns"},
        {FIELD(pct_row, lat_hi_ns), H5T_NATIVE_UINT64, "ns"},
        {FIELD(pct_row, resolved), H5T_NATIVE_UINT8, "1"},
        {FIELD(pct_row, reliable), H5T_NATIVE_UINT8, "1"},
    };
    table(h, loc, "percentiles", columns, 9, (struct rows){row, sizeof *row, n});
}

struct series_row {
    uint64_t end_ns, ios, bytes;
    double iops, bw_Bps, lat_mean_ns;
};

static void series(struct h5 *h, hid_t loc, const struct hci_job_result *j,
                   const struct hci_dir_result *d)
{
    struct series_row *row = calloc(d->nintervals ? d->nintervals : 1, sizeof *row);
    h->failed |= !row;
    if (!row)
        return;
    double seconds = j->interval_ns ? (double)j->interval_ns / 1e9 : 1;
    for (unsigned i = 0; i < d->nintervals; i++) {
        const struct hci_interval *v = &d->intervals[i];
        row[i] = (struct series_row){(i + 1) * j->interval_ns, v->ios, v->bytes,
                                     (double)v->ios / seconds,
                                     (double)v->bytes / seconds,
                                     v->ios ? (double)v->lat_sum_ns / (double)v->ios : 0};
    }
    const struct column columns[] = {
        {FIELD(series_row, end_ns), H5T_NATIVE_UINT64, "ns"},
        {FIELD(series_row, ios), H5T_NATIVE_UINT64, "1"},
        {FIELD(series_row, bytes), H5T_NATIVE_UINT64, "B"},
        {FIELD(series_row, iops), H5T_NATIVE_DOUBLE, "1/s"},
        {FIELD(series_row, bw_Bps), H5T_NATIVE_DOUBLE, "B/s"},
        {FIELD(series_row, lat_mean_ns), H5T_NATIVE_DOUBLE, "ns"},
    };
    table(h, loc, "series", columns, 6, (struct rows){row, sizeof *row, d->nintervals});
    free(row);
}

struct part_row {
    char component[64];
    struct hci_part_time all, slowest;
};

static void breakdown(struct h5 *h, hid_t loc, const struct hci_result *r,
                      const struct hci_dir_result *d)
{
    struct part_row row[HCI_PARTS];
    unsigned n = r->nparts < HCI_PARTS ? r->nparts : HCI_PARTS;
    memset(row, 0, sizeof row);
    for (unsigned i = 0; i < n; i++) {
        snprintf(row[i].component, sizeof row[i].component, "%s", r->part_name[i]);
        row[i].all = d->mean[i];
        row[i].slowest = d->tail[i];
    }
    const struct column columns[] = {
        {"component", offsetof(struct part_row, component), h->label, ""},
        {"wait_ns", offsetof(struct part_row, all.wait_ns), H5T_NATIVE_DOUBLE, "ns"},
        {"service_ns", offsetof(struct part_row, all.service_ns), H5T_NATIVE_DOUBLE, "ns"},
        {"slowest_wait_ns", offsetof(struct part_row, slowest.wait_ns), H5T_NATIVE_DOUBLE, "ns"},
        {"slowest_service_ns", offsetof(struct part_row, slowest.service_ns), H5T_NATIVE_DOUBLE,
         "ns"},
    };
    table(h, loc, "breakdown", columns, 5, (struct rows){row, sizeof *row, n});
}

static void direction(struct h5 *h, hid_t loc, const struct hci_result *r,
                      const struct hci_job_result *j, int dir, hid_t edges)
{
    const struct hci_dir_result *d = &j->dir[dir];
    hid_t g = group(h, loc, ana_dir_names[dir]);
    attr_u64(h, g, "ios", d->ios);
    attr_u64(h, g, "bytes", d->bytes);
    attr_u64(h, g, "skipped_ios", d->skipped_ios);
    attr_u64(h, g, "runtime_ns", d->runtime_ns);
    attr_f64(h, g, "iops", d->iops);
    attr_f64(h, g, "bw_Bps", d->bw_Bps);
    attr_u64(h, g, "batches", d->mean_i[HCI_LAT].batches);
    attr_f64(h, g, "iops_half", ana_interval_half(&d->iops_i));
    attr_f64(h, g, "clat_mean_half_ns", ana_interval_half(&d->mean_i[HCI_CLAT]));
    attr_f64(h, g, "lat_mean_half_ns", ana_interval_half(&d->mean_i[HCI_LAT]));
    attr_f64(h, g, "lag1", d->mean_i[HCI_LAT].lag1);
    attr_u64(h, g, "doubts", d->mean_i[HCI_LAT].doubts);
    moments(h, g, "slat", &d->slat_m);
    moments(h, g, "clat", &d->clat_m);
    moments(h, g, "lat", &d->lat_m);
    histogram(h, g, "slat", &d->slat, edges);
    histogram(h, g, "clat", &d->clat, edges);
    histogram(h, g, "lat", &d->lat, edges);
    percentiles(h, g, j->job, d);
    series(h, g, j, d);
    breakdown(h, g, r, d);
    H5Gclose(g);
}

static void resources(struct h5 *h, hid_t loc, const struct hci_job_result *j)
{
    hid_t kind = made(h, label_type(sizeof j->resources->kind));
    const struct column columns[] = {
        {"station", offsetof(struct hci_resource, name), h->label, ""},
        {"kind", offsetof(struct hci_resource, kind), kind, ""},
        {FIELD(hci_resource, node), H5T_NATIVE_INT, "1"},
        {FIELD(hci_resource, servers), H5T_NATIVE_UINT64, "1"},
        {FIELD(hci_resource, served), H5T_NATIVE_UINT64, "1"},
        {FIELD(hci_resource, utilisation), H5T_NATIVE_DOUBLE, "1"},
        {FIELD(hci_resource, mean_queue), H5T_NATIVE_DOUBLE, "1"},
        {FIELD(hci_resource, mean_wait_ns), H5T_NATIVE_DOUBLE, "ns"},
        {FIELD(hci_resource, mean_service_ns), H5T_NATIVE_DOUBLE, "ns"},
        {"cap_iops", offsetof(struct hci_resource, cap_ios), H5T_NATIVE_DOUBLE, "1/s"},
        {FIELD(hci_resource, read_ios), H5T_NATIVE_UINT64, "1"},
        {FIELD(hci_resource, write_ios), H5T_NATIVE_UINT64, "1"},
    };
    table(h, loc, "resources", columns, 12,
          (struct rows){j->resources, sizeof *j->resources, j->nresources});
    H5Tclose(kind);
}

static void state(struct h5 *h, hid_t loc, const struct hci_job_result *j)
{
    hid_t unit = made(h, label_type(sizeof j->counters->unit)), g = group(h, loc, "state");
    const struct column columns[] = {
        {"name", offsetof(struct hci_counter, name), h->label, ""},
        {"unit", offsetof(struct hci_counter, unit), unit, ""},
        {"value", offsetof(struct hci_counter, value), H5T_NATIVE_DOUBLE, "see unit"},
    };
    table(h, g, "counters", columns, 3,
          (struct rows){j->counters, sizeof *j->counters, j->ncounters});
    hid_t all = group(h, g, "series");
    for (unsigned i = 0; i < j->nstates; i++) {
        char name[NAME];
        if (j->states[i].n == 0)
            continue;
        component(name, j->states[i].name);
        size_t at = strlen(name);
        if (H5Lexists(all, name, H5P_DEFAULT) > 0) /* two quantities of one name */
            snprintf(name + at, NAME - at, " #%u", i);
        hid_t d = vector(h, all, name, H5T_NATIVE_DOUBLE, j->states[i].n, j->states[i].value,
                         j->states[i].unit);
        attr_u64(h, d, "interval_ns", j->interval_ns);
        H5Dclose(d);
    }
    H5Gclose(all);
    H5Gclose(g);
    H5Tclose(unit);
}

static hid_t bin_edges(struct h5 *h, hid_t loc)
{
    uint64_t lower[SIM_HIST_BINS], upper[SIM_HIST_BINS];
    for (unsigned i = 0; i < SIM_HIST_BINS; i++) {
        lower[i] = sim_hist_lower(i);
        upper[i] = sim_hist_upper(i);
    }
    hid_t d = vector(h, loc, "bin_upper_ns", H5T_NATIVE_UINT64, SIM_HIST_BINS, upper, "ns");
    H5Dclose(d);
    d = vector(h, loc, "bin_lower_ns", H5T_NATIVE_UINT64, SIM_HIST_BINS, lower, "ns");
    did(h, H5DSset_scale(d, "lower edge of the bin"));
    return d;
}

static void one_job(struct h5 *h, hid_t jobs, const struct hci_result *r, unsigned index)
{
    const struct hci_job_result *j = &r->jobs[index];
    char name[NAME], number[NAME];
    snprintf(number, sizeof number, "%u-%s", index, j->name);
    component(name, number);
    hid_t g = group(h, jobs, name);
    attr_str(h, g, "name", j->name);
    attr_u64(h, g, "groupid", j->groupid);
    attr_u64(h, g, "clones", j->nclones);
    attr_u64(h, g, "start_ns", j->start_ns);
    attr_u64(h, g, "ramp_end_ns", j->ramp_end_ns);
    attr_u64(h, g, "end_ns", j->end_ns);
    attr_u64(h, g, "interval_ns", j->interval_ns);
    attr(h, g, "error", H5T_NATIVE_INT, &j->error);
    attr_f64(h, g, "iops", ana_job_iops(j));
    attr_f64(h, g, "bw_Bps", ana_job_bw_Bps(j));
    attr_f64(h, g, "mean_in_flight", j->mean_in_flight);
    attr_u64(h, g, "skipped_ns", j->skipped_ns);
    attr_u64(h, g, "windows", j->windows);
    attr_u64(h, g, "strata", j->strata);
    attr_str(h, g, "stopped", j->stopped);
    attr_str(h, g, "bottleneck", j->bottleneck);
    attr_str(h, g, "next_bottleneck", j->next_bottleneck);
    attr_str(h, g, "verdict", j->verdict);
    attr_f64(h, g, "bound_iops", j->bound_iops);
    attr_str(h, g, "bound_by", j->bound_by);
    const struct column warning[] = {{"text", 0, made(h, label_type(sizeof *j->warnings)), ""}};
    table(h, g, "warnings", warning, 1,
          (struct rows){j->warnings, sizeof *j->warnings, j->nwarnings});
    H5Tclose(warning[0].type);
    hid_t d = vector(h, g, "iodepth_level", H5T_NATIVE_UINT64, 7, j->depth_hist, "1");
    attr_str(h, d, "levels", "1 2 4 8 16 32 >=64");
    H5Dclose(d);
    hid_t edges = bin_edges(h, g);
    for (int dir = 0; dir < HCI_DIRS; dir++)
        if (j->dir[dir].ios)
            direction(h, g, r, j, dir, edges);
    H5Dclose(edges);
    resources(h, g, j);
    state(h, g, j);
    H5Gclose(g);
}

static void provenance(struct h5 *h, const struct hci_result *r)
{
    struct ana_provenance p;
    ana_provenance_get(&p);
    hid_t g = group(h, h->file, "provenance");
    attr_str(h, g, "version", p.version);
    attr_str(h, g, "revision", p.revision);
    attr_str(h, g, "command_line", p.command_line);
    attr_str(h, g, "date", p.date);
    attr_str(h, g, "host", p.host);
    attr_f64(h, g, "cpu_s", r->cpu_s);
    H5Gclose(g);
}

static void whole(struct h5 *h, const struct hci_result *r)
{
    attr_str(h, h->file, "schema", ANA_HDF5_SCHEMA);
    attr_str(h, h->file, "layout_name", r->layout_name);
    attr_u64(h, h->file, "seed", r->seed);
    attr_u64(h, h->file, "simulated_ns", r->sim_ns);
    attr_u64(h, h->file, "cache_bytes", r->cache_bytes);
    attr_u64(h, h->file, "events", r->events);
    attr_u64(h, h->file, "draws", r->draws);
    attr_u64(h, h->file, "ties", r->ties);
    attr_u64(h, h->file, "hash", r->hash);
    attr_u64(h, h->file, "replications", r->reps > 1 ? r->reps : 1);
    attr_f64(h, h->file, "precision_percent", 100 * r->precision);
    attr_u64(h, h->file, "pass", r->pass);
    attr_u64(h, h->file, "passes", r->passes);
    text(h, h->file, "layout", r->layout_text);
    text(h, h->file, "jobfile", r->jobfile_text);
    unsigned n = 0;
    for (; n < 32 && r->assumptions[n][0]; n++) {}
    const struct column line[] = {{"text", 0, made(h, label_type(sizeof *r->assumptions)), ""}};
    table(h, h->file, "assumptions", line, 1,
          (struct rows){r->assumptions, sizeof *r->assumptions, n});
    H5Tclose(line[0].type);
    hid_t jobs = group(h, h->file, "jobs");
    for (unsigned i = 0; i < r->njobs; i++)
        one_job(h, jobs, r, i);
    H5Gclose(jobs);
    provenance(h, r);
}

/* Builds the file in memory; *size 0 on failure. The caller frees. */
static void *image(const struct hci_result *r, size_t *size)
{
    struct h5 h = {0};
    void *bytes = NULL;
    hid_t access = made(&h, H5Pcreate(H5P_FILE_ACCESS)), create = made(&h, H5Pcreate(H5P_FILE_CREATE));
    did(&h, H5Pset_fapl_core(access, 1 << 20, 0));
    /* The oldest format: images of newer ones carry a wrong superblock checksum (1.10.8). */
    did(&h, H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST));
    did(&h, H5Pset_obj_track_times(create, 0));
    h.once = made(&h, H5Pcreate(H5P_DATASET_CREATE));
    h.sub = made(&h, H5Pcreate(H5P_GROUP_CREATE));
    did(&h, H5Pset_obj_track_times(h.once, 0));
    did(&h, H5Pset_obj_track_times(h.sub, 0));
    h.text = made(&h, label_type(H5T_VARIABLE));
    h.label = made(&h, label_type(64));
    h.file = made(&h, H5Fcreate("hcisim-result-in-memory", H5F_ACC_TRUNC, create, access));
    if (h.file >= 0)
        whole(&h, r);
    did(&h, H5Fflush(h.file, H5F_SCOPE_LOCAL));
    ssize_t n = H5Fget_file_image(h.file, NULL, 0);
    if (!h.failed && n > 0 && (bytes = malloc((size_t)n)))
        *size = H5Fget_file_image(h.file, bytes, (size_t)n) == n ? (size_t)n : 0;
    H5Fclose(h.file);
    H5Tclose(h.label);
    H5Tclose(h.text);
    H5Pclose(h.sub);
    H5Pclose(h.once);
    H5Pclose(create);
    H5Pclose(access);
    return bytes;
}

int ana_hdf5_write(const char *path, const struct hci_result *r, struct sim_err *e)
{
    size_t n = 0;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    void *bytes = image(r, &n);
    int status = n ? ana_file_replace(path, bytes, n, e)
                   : sim_fail_at(e, SIM_E_IO, path, 0, "no memory to build the HDF5 result");
    free(bytes);
    return status;
}
