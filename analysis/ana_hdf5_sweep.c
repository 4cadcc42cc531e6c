/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_hdf5_sweep.c: the table of a sweep as HDF5.
 */
#include "ana_sweep_answer.h"

#include "ana_file.h"

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 256 /* rows written at a time */
#define COLUMNS (ANA_AXES_MAX + ANA_NMETRICS + 8)
#define REASON 256

struct h5 {
    hid_t file, table, memory, text;
    const struct ana_plan *plan;
    unsigned ncols;
    const char *unit[COLUMNS];
    size_t offset[COLUMNS], row_bytes;
    unsigned char *block; /* BLOCK rows */
    hsize_t rows, pending;
    int failed;           /* any call failed; checked once at the end */
};

static hid_t made(struct h5 *h, hid_t id)
{
    h->failed |= id < 0;
    return id;
}

static void did(struct h5 *h, herr_t status)
{
    h->failed |= status < 0;
}

static hid_t string_type(size_t size)
{
    hid_t t = H5Tcopy(H5T_C_S1);
    H5Tset_size(t, size);
    H5Tset_cset(t, H5T_CSET_UTF8);
    return t;
}

static hid_t creation(struct h5 *h)
{
    hid_t how = made(h, H5Pcreate(H5P_DATASET_CREATE));
    did(h, H5Pset_obj_track_times(how, 0));
    return how;
}

static void attr(struct h5 *h, hid_t loc, const char *name, hid_t type, const void *v)
{
    hid_t space = made(h, H5Screate(H5S_SCALAR));
    hid_t a = made(h, H5Acreate2(loc, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
    did(h, H5Awrite(a, type, v));
    H5Aclose(a);
    H5Sclose(space);
}

static void attr_str(struct h5 *h, hid_t loc, const char *name, const char *v)
{
    attr(h, loc, name, h->text, &v);
}

static void attr_u64(struct h5 *h, hid_t loc, const char *name, uint64_t v)
{
    attr(h, loc, name, H5T_NATIVE_UINT64, &v);
}

static void put_text(struct h5 *h, const char *name, const char *v)
{
    hid_t space = made(h, H5Screate(H5S_SCALAR)), how = creation(h);
    hid_t d = made(h, H5Dcreate2(h->file, name, h->text, space, H5P_DEFAULT, how, H5P_DEFAULT));
    did(h, H5Dwrite(d, h->text, H5S_ALL, H5S_ALL, H5P_DEFAULT, &v));
    H5Dclose(d);
    H5Pclose(how);
    H5Sclose(space);
}

/* Columns are packed: the layout in memory is that of the file. */
static void column(struct h5 *h, hid_t *type, const char *name, hid_t kind, const char *unit)
{
    size_t size = H5Tget_size(kind);
    hid_t wider = made(h, H5Tcreate(H5T_COMPOUND, h->row_bytes + size));
    for (unsigned i = 0; i < h->ncols; i++) {
        char *old = H5Tget_member_name(*type, i);
        hid_t member = H5Tget_member_type(*type, i);
        did(h, H5Tinsert(wider, old, h->offset[i], member));
        H5Tclose(member);
        H5free_memory(old);
    }
    did(h, H5Tinsert(wider, name, h->row_bytes, kind));
    if (h->ncols)
        H5Tclose(*type);
    *type = wider;
    h->offset[h->ncols] = h->row_bytes;
    h->unit[h->ncols++] = unit;
    h->row_bytes += size;
}

static void text_column(struct h5 *h, hid_t *type, const char *name, size_t size)
{
    hid_t t = made(h, string_type(size));
    column(h, type, name, t, "");
    H5Tclose(t);
}

static size_t longest(const struct ana_axis *x)
{
    size_t n = 1;
    for (unsigned i = 0; i < x->n; i++)
        n = strlen(x->value[i]) > n ? strlen(x->value[i]) : n;
    return n;
}

static hid_t row_type(struct h5 *h)
{
    const struct ana_space *s = &h->plan->space;
    hid_t type = -1;
    column(h, &type, "point", H5T_NATIVE_UINT64, "1");
    text_column(h, &type, "status", 8);
    for (unsigned i = 0; i < s->naxes; i++) {
        if (s->axis[i].number)
            column(h, &type, s->axis[i].key, H5T_NATIVE_DOUBLE, s->axis[i].unit);
        else
            text_column(h, &type, s->axis[i].key, longest(&s->axis[i]));
    }
    for (int m = ANA_M_FIRST_OF_POINT; m < ANA_NMETRICS; m++)
        column(h, &type, ana_metrics[m].column, H5T_NATIVE_DOUBLE, ana_metrics[m].unit);
    text_column(h, &type, "job", sizeof((struct ana_row *)0)->job);
    for (int m = 0; m < ANA_M_FIRST_OF_POINT; m++)
        column(h, &type, ana_metrics[m].column, H5T_NATIVE_DOUBLE, ana_metrics[m].unit);
    text_column(h, &type, "bottleneck", sizeof((struct ana_row *)0)->bottleneck);
    text_column(h, &type, "next_bottleneck", sizeof((struct ana_row *)0)->next);
    text_column(h, &type, "reason", REASON);
    return type;
}

static void attr_units(struct h5 *h)
{
    hsize_t n = h->ncols;
    hid_t space = made(h, H5Screate_simple(1, &n, NULL));
    hid_t a = made(h, H5Acreate2(h->table, "units", h->text, space, H5P_DEFAULT, H5P_DEFAULT));
    did(h, H5Awrite(a, h->text, h->unit));
    H5Aclose(a);
    H5Sclose(space);
}

static void create_table(struct h5 *h)
{
    hsize_t none = 0, forever = H5S_UNLIMITED, chunk = BLOCK;
    h->memory = made(h, row_type(h));
    hid_t space = made(h, H5Screate_simple(1, &none, &forever)), how = creation(h);
    did(h, H5Pset_chunk(how, 1, &chunk));
    did(h, H5Pset_deflate(how, 4));
    h->table = made(h, H5Dcreate2(h->file, "table", h->memory, space, H5P_DEFAULT, how,
                                  H5P_DEFAULT));
    attr_units(h);
    H5Pclose(how);
    H5Sclose(space);
    h->block = calloc(BLOCK, h->row_bytes);
    h->failed |= !h->block;
}

static void flush(struct h5 *h)
{
    hsize_t end = h->rows + h->pending, start = h->rows, count = h->pending;
    if (count == 0 || h->failed)
        return;
    did(h, H5Dset_extent(h->table, &end));
    hid_t file = made(h, H5Dget_space(h->table)), mem = made(h, H5Screate_simple(1, &count, NULL));
    did(h, H5Sselect_hyperslab(file, H5S_SELECT_SET, &start, NULL, &count, NULL));
    did(h, H5Dwrite(h->table, h->memory, mem, file, H5P_DEFAULT, h->block));
    H5Sclose(mem);
    H5Sclose(file);
    h->rows = end;
    h->pending = 0;
    memset(h->block, 0, BLOCK * h->row_bytes);
}

struct cells { /* fills one row, column after column */
    struct h5 *h;
    unsigned char *row;
    unsigned col;
};

static void put_f64(struct cells *c, double v)
{
    memcpy(c->row + c->h->offset[c->col++], &v, sizeof v);
}

static void put_str(struct cells *c, const char *s)
{
    struct h5 *h = c->h;
    size_t end = c->col + 1 < h->ncols ? h->offset[c->col + 1] : h->row_bytes;
    size_t room = end - h->offset[c->col], n = strlen(s);
    memcpy(c->row + h->offset[c->col++], s, n < room ? n : room);
}

/* row NULL: a point without results. */
static void put_row(struct h5 *h, const struct ana_point *p, const struct ana_row *row)
{
    static const struct ana_row none;
    const struct ana_space *s = &h->plan->space;
    struct cells c = { h, h->block + h->pending * h->row_bytes, 1 };
    double nan;
    static const uint64_t nan_bits = 0x7ff8000000000000ULL;
    memcpy(&nan, &nan_bits, sizeof nan);
    memcpy(c.row, &p->number, sizeof p->number);
    put_str(&c, ana_point_statuses[p->status]);
    for (unsigned i = 0; i < s->naxes; i++) {
        if (s->axis[i].number)
            put_f64(&c, s->axis[i].number[p->index[i] < s->axis[i].n ? p->index[i] : 0]);
        else
            put_str(&c, ana_plan_value(h->plan, p->index, i));
    }
    put_f64(&c, p->price_eur);
    put_f64(&c, p->watts);
    put_f64(&c, p->usable_bytes);
    put_str(&c, row ? row->job : "");
    for (int m = 0; m < ANA_M_FIRST_OF_POINT; m++)
        put_f64(&c, row ? row->m[m] : nan);
    row = row ? row : &none;
    put_str(&c, row->bottleneck);
    put_str(&c, row->next);
    put_str(&c, p->reason);
    if (++h->pending == BLOCK)
        flush(h);
}

static void put_head(struct h5 *h)
{
    const struct ana_plan *p = h->plan;
    attr_str(h, h->file, "schema", ANA_SWEEP_SCHEMA);
    attr_str(h, h->file, "layout_name", p->layout_name);
    attr_str(h, h->file, "options", p->options);
    attr_str(h, h->file, "mode", ana_space_modes[p->space.mode]);
    attr_u64(h, h->file, "points", p->space.npoints);
    attr_u64(h, h->file, "seed", p->seed);
    attr(h, h->file, "sensitivity", H5T_NATIVE_DOUBLE, &p->sensitivity);
    put_text(h, "layout", p->layout_text);
    put_text(h, "jobfile", p->jobfile_text);
    hid_t how = made(h, H5Pcreate(H5P_GROUP_CREATE));
    did(h, H5Pset_obj_track_times(how, 0));
    hid_t g = made(h, H5Gcreate2(h->file, "provenance", H5P_DEFAULT, how, H5P_DEFAULT));
    attr_str(h, g, "version", p->version);
    attr_str(h, g, "revision", p->revision);
    H5Gclose(g);
    H5Pclose(how);
}

static int put_points(struct h5 *h, struct ana_journal *j, struct sim_err *e)
{
    struct ana_point p = { 0 };
    int rc = SIM_OK;
    for (uint64_t i = 0; rc == SIM_OK && i < j->npoints && !h->failed; i++) {
        if (!ana_journal_has(j, i))
            continue;
        rc = ana_journal_point(j, h->plan, i, &p, e);
        for (unsigned r = 0; rc == SIM_OK && r < p.nrows; r++)
            put_row(h, &p, &p.row[r]);
        if (rc == SIM_OK && p.nrows == 0)
            put_row(h, &p, NULL);
    }
    flush(h);
    ana_point_fini(&p);
    return rc;
}

/* Every value of every axis as it was written, which the table's numbers are not. */
static void put_axes(struct h5 *h)
{
    const struct ana_space *s = &h->plan->space;
    size_t key = 1, value = 1;
    hsize_t n = 0;
    for (unsigned i = 0; i < s->naxes; i++) {
        key = strlen(s->axis[i].key) > key ? strlen(s->axis[i].key) : key;
        value = longest(&s->axis[i]) > value ? longest(&s->axis[i]) : value;
        n += s->axis[i].n;
    }
    size_t bytes = 16 + key + value;
    hid_t type = made(h, H5Tcreate(H5T_COMPOUND, bytes)), k = string_type(key),
          v = string_type(value);
    did(h, H5Tinsert(type, "axis", 0, H5T_NATIVE_UINT64));
    did(h, H5Tinsert(type, "kind", 8, H5T_NATIVE_UINT64));
    did(h, H5Tinsert(type, "key", 16, k));
    did(h, H5Tinsert(type, "value", 16 + key, v));
    unsigned char *rows = calloc((size_t)n + 1, bytes), *row = rows;
    h->failed |= !rows;
    for (unsigned i = 0; rows && i < s->naxes; i++)
        for (unsigned j = 0; j < s->axis[i].n; j++, row += bytes) {
            memcpy(row, &(uint64_t){i}, 8);
            memcpy(row + 8, &(uint64_t){(uint64_t)s->axis[i].kind}, 8);
            memcpy(row + 16, s->axis[i].key, strlen(s->axis[i].key));
            memcpy(row + 16 + key, s->axis[i].value[j], strlen(s->axis[i].value[j]));
        }
    hid_t space = made(h, H5Screate_simple(1, &n, NULL)), how = creation(h);
    did(h, H5Pset_chunk(how, 1, &(hsize_t){n < BLOCK && n > 0 ? n : BLOCK}));
    did(h, H5Pset_deflate(how, 4));
    hid_t d = made(h, H5Dcreate2(h->file, "axes", type, space, H5P_DEFAULT, how, H5P_DEFAULT));
    if (rows)
        did(h, H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows));
    free(rows);
    H5Dclose(d);
    H5Pclose(how);
    H5Sclose(space);
    H5Tclose(v);
    H5Tclose(k);
    H5Tclose(type);
}

/* The file at path, which exists and is empty. */
static int build(const char *path, const struct ana_plan *plan, struct ana_journal *j,
                 struct sim_err *e)
{
    struct h5 h = { .plan = plan };
    int rc = SIM_OK;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t create = made(&h, H5Pcreate(H5P_FILE_CREATE));
    did(&h, H5Pset_obj_track_times(create, 0));
    h.text = made(&h, string_type(H5T_VARIABLE));
    h.file = made(&h, H5Fcreate(path, H5F_ACC_TRUNC, create, H5P_DEFAULT));
    if (!h.failed) {
        put_head(&h);
        put_axes(&h);
        create_table(&h);
        if (!h.failed)
            rc = put_points(&h, j, e);
        H5Dclose(h.table);
        H5Tclose(h.memory);
        did(&h, H5Fflush(h.file, H5F_SCOPE_LOCAL));
        did(&h, H5Fclose(h.file));
    }
    H5Tclose(h.text);
    H5Pclose(create);
    free(h.block);
    if (rc == SIM_OK && h.failed)
        rc = sim_fail_at(e, SIM_E_IO, path, 0, "cannot write the HDF5 table");
    return rc;
}

int ana_hdf5_sweep(const char *path, const struct ana_plan *plan, struct ana_journal *j,
                   struct sim_err *e)
{
    char *tmp = NULL;
    int rc = ana_file_begin(path, &tmp, e);
    if (rc != SIM_OK)
        return rc;
    rc = build(tmp, plan, j, e);
    if (rc == SIM_OK)
        rc = ana_file_commit(path, tmp, e);
    else
        ana_file_abandon(tmp);
    free(tmp);
    return rc;
}
