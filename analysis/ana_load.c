/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_load.h"

#include "ana_hdf5.h"
#include "ana_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a += b of two ascending lists; false without memory. */
static bool merge_bins(struct ana_measured_lat *a, const struct ana_measured_lat *b)
{
    struct ana_measured_bin *all = calloc(a->nbins + b->nbins + 1, sizeof *all);
    unsigned n = 0, i = 0, k = 0;
    if (!all)
        return false;
    while (i < a->nbins || k < b->nbins) {
        bool from_a = k == b->nbins || (i < a->nbins && a->bins[i].ns <= b->bins[k].ns);
        const struct ana_measured_bin *next = from_a ? &a->bins[i++] : &b->bins[k++];
        if (n > 0 && all[n - 1].ns == next->ns)
            all[n - 1].count += next->count;
        else
            all[n++] = *next;
    }
    free(a->bins);
    a->bins = all;
    a->nbins = n;
    return true;
}

static void worst_percentiles(struct ana_measured_lat *a, const struct ana_measured_lat *b)
{
    for (unsigned i = 0; i < a->npct; i++)
        for (unsigned k = 0; k < b->npct; k++)
            if (a->pct[i] == b->pct[k] && b->pct_ns[k] > a->pct_ns[i])
                a->pct_ns[i] = b->pct_ns[k];
}

static void take_percentiles(struct ana_measured_lat *a, const struct ana_measured_lat *b)
{
    a->npct = b->npct;
    memcpy(a->pct, b->pct, sizeof a->pct);
    memcpy(a->pct_ns, b->pct_ns, sizeof a->pct_ns);
}

static bool merge_lat(struct ana_measured_lat *a, const struct ana_measured_lat *b, bool *worst)
{
    double n = (double)a->n, k = (double)b->n;
    if (b->n == 0)
        return true;
    bool first = a->n == 0, pooled = (first || a->nbins > 0) && b->nbins > 0;
    if (first)
        take_percentiles(a, b);
    else
        worst_percentiles(a, b);
    if (!first && !pooled && a->npct > 0)
        *worst = true;
    a->min = first || b->min < a->min ? b->min : a->min;
    a->max = b->max > a->max ? b->max : a->max;
    a->mean = (a->mean * n + b->mean * k) / (n + k);
    a->n += b->n;
    if (pooled)
        return merge_bins(a, b);
    free(a->bins); /* bins of one part are not the whole */
    a->bins = NULL;
    a->nbins = 0;
    return true;
}

static bool merge_dir(struct ana_measured_dir *a, const struct ana_measured_dir *b, bool *worst)
{
    a->present |= b->present;
    a->ios += b->ios;
    a->bytes += b->bytes;
    a->iops += b->iops;
    a->bw_Bps += b->bw_Bps;
    a->runtime_ns = sim_max(a->runtime_ns, b->runtime_ns);
    return merge_lat(&a->slat, &b->slat, worst) && merge_lat(&a->clat, &b->clat, worst) &&
           merge_lat(&a->lat, &b->lat, worst);
}

static bool merge_job(struct ana_measured_job *a, struct ana_measured_job *b)
{
    bool ok = true;
    for (int i = 0; i < 7; i++)
        a->depth[i] = (a->depth[i] * a->nentries + b->depth[i] * b->nentries) /
                      (a->nentries + b->nentries);
    for (int dir = 0; dir < ANA_DIRS && ok; dir++)
        ok = merge_dir(&a->dir[dir], &b->dir[dir], &a->worst_pct);
    a->nentries += b->nentries;
    a->error = a->error ? a->error : b->error;
    a->interim |= b->interim;
    return ok;
}

static void drop_job(struct ana_measured_job *j)
{
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

int ana_merge_clones(struct ana_measured *m, struct sim_err *e)
{
    unsigned kept = 0;
    bool ok = true;
    for (unsigned i = 0; i < m->njobs; i++) {
        unsigned k = 0;
        while (k < kept && (m->jobs[k].groupid != m->jobs[i].groupid ||
                            strcmp(m->jobs[k].name, m->jobs[i].name) != 0))
            k++;
        if (k < kept) {
            ok = merge_job(&m->jobs[k], &m->jobs[i]) && ok;
            drop_job(&m->jobs[i]);
        } else if (kept++ != i) {
            m->jobs[kept - 1] = m->jobs[i];
        }
    }
    m->njobs = kept;
    return ok ? SIM_OK : sim_fail(e, SIM_E_IO, "not enough memory");
}

int ana_load_result(struct ana_measured **out, const struct hci_result *r, const char *name,
                    struct sim_err *e)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    *out = NULL;
    if (!f)
        return sim_fail(e, SIM_E_IO, "not enough memory");
    int rc = ana_json_write(f, r, ANA_JSON_PLUS, e);
    if (fclose(f) != 0 && rc == SIM_OK)
        rc = sim_fail(e, SIM_E_IO, "not enough memory");
    if (rc == SIM_OK)
        rc = ana_fio_read_text(out, text, n, name, e);
    free(text);
    return rc == SIM_OK ? ana_merge_clones(*out, e) : rc;
}

int ana_load(struct ana_measured **out, const char *path, struct sim_err *e)
{
    struct hci_result *r;
    struct sim_err late;
    *out = NULL;
    if (ana_hdf5_is(path)) {
        int rc = ana_hdf5_read(&r, path, e);
        if (rc != SIM_OK)
            return rc;
        rc = ana_load_result(out, r, path, e);
        ana_hdf5_free(r);
        return rc;
    }
    int rc = ana_fio_read(out, path, e);
    if (*out && ana_merge_clones(*out, &late) != SIM_OK) {
        *e = late;
        return late.code;
    }
    return rc;
}
