/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_hdf5_sweep_read.c: the table of a sweep back into memory.
 */
#include "ana_sweep_file.h"

#include "ana_hdf5.h"
#include "ana_sweep_answer.h"

#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 200000
#define ROW_BYTES_MAX 65536

struct rd {
    hid_t file, text; /* text: variable-length UTF-8 */
    struct sim_arena *arena;
    const char *bad;  /* the first thing that is missing or does not fit; NULL: none */
};

static void blame(struct rd *rd, const char *what)
{
    rd->bad = rd->bad ? rd->bad : what;
}

static void attr(struct rd *rd, const char *name, hid_t type, void *v)
{
    hid_t a = H5Aexists(rd->file, name) > 0 ? H5Aopen(rd->file, name, H5P_DEFAULT) : -1;
    hid_t space = a >= 0 ? H5Aget_space(a) : -1;
    if (space < 0 || H5Sget_simple_extent_npoints(space) != 1 || H5Aread(a, type, v) < 0)
        blame(rd, name);
    if (space >= 0)
        H5Sclose(space);
    if (a >= 0)
        H5Aclose(a);
}

static const char *attr_str(struct rd *rd, const char *name)
{
    char *s = NULL;
    attr(rd, name, rd->text, &s);
    const char *copy = sim_arena_strdup(rd->arena, s ? s : "");
    if (s)
        H5free_memory(s);
    return copy;
}

/* ---- tables, in the form they have in the file ---- */

struct table {
    hid_t type;
    size_t row_bytes, n;
    unsigned char *rows;
};

static void read_table(struct rd *rd, const char *name, struct table *t)
{
    *t = (struct table){.type = -1};
    hid_t d = H5Lexists(rd->file, name, H5P_DEFAULT) > 0 ? H5Dopen2(rd->file, name, H5P_DEFAULT)
                                                         : -1;
    hid_t stored = d >= 0 ? H5Dget_type(d) : -1, space = d >= 0 ? H5Dget_space(d) : -1;
    bool good = stored >= 0 && H5Tget_class(stored) == H5T_COMPOUND &&
                H5Tdetect_class(stored, H5T_VLEN) <= 0 && H5Tis_variable_str(stored) <= 0;
    t->type = good ? H5Tget_native_type(stored, H5T_DIR_ASCEND) : -1;
    hssize_t n = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    size_t bytes = t->type >= 0 ? H5Tget_size(t->type) : 0;
    if (bytes > 0 && bytes <= ROW_BYTES_MAX && n >= 0 && n <= ROWS_MAX)
        t->rows = calloc((size_t)n + 1, bytes);
    if (t->rows && H5Dread(d, t->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, t->rows) >= 0) {
        t->row_bytes = bytes;
        t->n = (size_t)n;
    } else {
        blame(rd, n > ROWS_MAX ? "fewer rows: they are too many" : name);
    }
    if (space >= 0)
        H5Sclose(space);
    if (stored >= 0)
        H5Tclose(stored);
    if (d >= 0)
        H5Dclose(d);
}

static void free_table(struct table *t)
{
    if (t->type >= 0)
        H5Tclose(t->type);
    free(t->rows);
}

struct column {
    size_t offset, size;
    H5T_class_t class;
};

static struct column find(struct rd *rd, const struct table *t, const char *name)
{
    struct column c = {0, 0, H5T_NO_CLASS};
    int i = t->type >= 0 ? H5Tget_member_index(t->type, name) : -1;
    if (i < 0) {
        blame(rd, name);
        return c;
    }
    hid_t member = H5Tget_member_type(t->type, (unsigned)i);
    c.offset = H5Tget_member_offset(t->type, (unsigned)i);
    c.size = H5Tget_size(member);
    c.class = H5Tget_class(member);
    bool text = c.class == H5T_STRING && H5Tis_variable_str(member) <= 0;
    if (!text && c.size != 8)
        blame(rd, name);
    H5Tclose(member);
    return c;
}

static double get_f64(struct rd *rd, const struct column *c, const unsigned char *row)
{
    double v = NAN;
    if (c->class == H5T_FLOAT)
        memcpy(&v, row + c->offset, sizeof v);
    else
        blame(rd, "a number");
    return v;
}

static uint64_t get_u64(struct rd *rd, const struct column *c, const unsigned char *row)
{
    uint64_t v = 0;
    if (c->class == H5T_INTEGER)
        memcpy(&v, row + c->offset, sizeof v);
    else
        blame(rd, "a whole number");
    return v;
}

static void get_text(struct rd *rd, const struct column *c, const unsigned char *row, char *out,
                     size_t size)
{
    if (c->class != H5T_STRING)
        blame(rd, "a text");
    int n = c->class == H5T_STRING ? (int)(c->size < size - 1 ? c->size : size - 1) : 0;
    snprintf(out, size, "%.*s", n, (const char *)row + c->offset);
}

/* ---- the space ---- */

static void end_axis(struct rd *rd, struct ana_axis *x, const char *const *value, unsigned n)
{
    x->n = n;
    x->value = sim_arena_array(rd->arena, n, sizeof *x->value);
    memcpy(x->value, value, n * sizeof *value);
    ana_axis_numbers(x, rd->arena);
}

/* The number of points said must be the number the axes give. */
static void finish_space(struct rd *rd, struct ana_space *s)
{
    struct sim_err ignored;
    uint64_t said = s->npoints;
    if (ana_space_finish(s, s->mode == ANA_SAMPLE ? said : 0, &ignored) != SIM_OK ||
        s->npoints != said)
        blame(rd, "points");
}

/* Rows of "axes" come in the order of axes and values. */
static void read_axes(struct rd *rd, struct ana_space *s)
{
    struct table t;
    char text[4096];
    uint64_t last = 0;
    unsigned n = 0;
    read_table(rd, "axes", &t);
    struct column axis = find(rd, &t, "axis"), kind = find(rd, &t, "kind"),
                  key = find(rd, &t, "key"), value = find(rd, &t, "value");
    const char **values = calloc(t.n + 1, sizeof *values);
    if (!values)
        sim_out_of_memory(t.n * sizeof *values);
    for (size_t i = 0; i < t.n && !rd->bad; i++) {
        const unsigned char *row = t.rows + i * t.row_bytes;
        uint64_t a = get_u64(rd, &axis, row);
        if (a >= ANA_AXES_MAX || a != (i ? last + (a != last) : 0)) {
            blame(rd, "axes in order");
            break;
        }
        if (i && a != last) {
            end_axis(rd, &s->axis[last], values, n);
            n = 0;
        }
        get_text(rd, &key, row, text, sizeof text);
        s->axis[a].key = sim_arena_strdup(rd->arena, text);
        s->axis[a].kind = (int)(get_u64(rd, &kind, row) & 7);
        get_text(rd, &value, row, text, sizeof text);
        values[n++] = sim_arena_strdup(rd->arena, text);
        last = a;
    }
    if (n && !rd->bad) {
        end_axis(rd, &s->axis[last], values, n);
        s->naxes = (unsigned)last + 1;
        finish_space(rd, s);
    } else {
        blame(rd, "axes");
    }
    free(values);
    free_table(&t);
}

/* ---- the points ---- */

struct columns {
    struct column point, status, job, bottleneck, next, reason, metric[ANA_NMETRICS];
};

static void find_columns(struct rd *rd, const struct table *t, struct columns *c)
{
    c->point = find(rd, t, "point");
    c->status = find(rd, t, "status");
    c->job = find(rd, t, "job");
    c->bottleneck = find(rd, t, "bottleneck");
    c->next = find(rd, t, "next_bottleneck");
    c->reason = find(rd, t, "reason");
    for (int m = 0; m < ANA_NMETRICS; m++)
        c->metric[m] = find(rd, t, ana_metrics[m].column);
}

static int status_named(const char *text)
{
    for (int i = 0; i < ANA_POINT_STATUSES; i++)
        if (strcmp(text, ana_point_statuses[i]) == 0)
            return i;
    return -1;
}

/* The values of a point follow from its number. */
static void begin_point(struct rd *rd, struct ana_point *p, const struct columns *c,
                        struct ana_cursor *at, const unsigned char *row)
{
    char text[16];
    memset(p, 0, sizeof *p);
    p->number = get_u64(rd, &c->point, row);
    get_text(rd, &c->status, row, text, sizeof text);
    p->status = status_named(text);
    if (p->status < 0) {
        p->status = ANA_POINT_INVALID;
        blame(rd, "status");
    }
    if (p->number < at->space->npoints)
        ana_cursor_at(at, p->number, p->index);
    else
        blame(rd, "a point of the space");
    p->price_eur = get_f64(rd, &c->metric[ANA_M_PRICE], row);
    p->watts = get_f64(rd, &c->metric[ANA_M_WATTS], row);
    p->usable_bytes = get_f64(rd, &c->metric[ANA_M_USABLE], row);
    get_text(rd, &c->reason, row, p->reason, sizeof p->reason);
}

static void add_row(struct rd *rd, struct ana_point *p, const struct columns *c,
                    const unsigned char *row)
{
    if (p->nrows == p->max_rows) {
        p->max_rows = p->max_rows ? 2 * p->max_rows : 1;
        p->row = realloc(p->row, p->max_rows * sizeof *p->row);
        if (!p->row)
            sim_out_of_memory(p->max_rows * sizeof *p->row);
    }
    struct ana_row *r = &p->row[p->nrows++];
    get_text(rd, &c->job, row, r->job, sizeof r->job);
    get_text(rd, &c->bottleneck, row, r->bottleneck, sizeof r->bottleneck);
    get_text(rd, &c->next, row, r->next, sizeof r->next);
    for (int m = 0; m < ANA_M_FIRST_OF_POINT; m++)
        r->m[m] = get_f64(rd, &c->metric[m], row);
}

static void read_points(struct rd *rd, struct ana_sweep_file *s)
{
    struct table t;
    struct columns c;
    struct ana_cursor at;
    read_table(rd, "table", &t);
    find_columns(rd, &t, &c);
    ana_cursor_init(&at, &s->plan.space);
    s->point = calloc(t.n + 1, sizeof *s->point);
    if (!s->point)
        sim_out_of_memory(t.n * sizeof *s->point);
    for (size_t i = 0; i < t.n && !rd->bad; i++) {
        const unsigned char *row = t.rows + i * t.row_bytes;
        uint64_t number = get_u64(rd, &c.point, row);
        struct ana_point *p = s->npoints ? &s->point[s->npoints - 1] : NULL;
        if (p && number < p->number)
            blame(rd, "points in order");
        if (!p || number != p->number) {
            p = &s->point[s->npoints++];
            begin_point(rd, p, &c, &at, row);
            s->status[p->status]++;
        }
        if (p->status == ANA_POINT_DONE)
            add_row(rd, p, &c, row);
    }
    ana_cursor_fini(&at);
    free_table(&t);
}

static void read_head(struct rd *rd, struct ana_plan *p)
{
    const char *mode = attr_str(rd, "mode");
    p->layout_name = attr_str(rd, "layout_name");
    p->options = attr_str(rd, "options");
    attr(rd, "points", H5T_NATIVE_UINT64, &p->space.npoints);
    attr(rd, "seed", H5T_NATIVE_UINT64, &p->seed);
    attr(rd, "sensitivity", H5T_NATIVE_DOUBLE, &p->sensitivity);
    for (int i = ANA_GRID; i <= ANA_SAMPLE; i++)
        if (strcmp(mode, ana_space_modes[i]) == 0)
            p->space.mode = i;
}

static bool open_file(struct rd *rd, const char *path)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    rd->file = ana_hdf5_is(path) ? H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
    rd->text = H5Tcopy(H5T_C_S1);
    H5Tset_size(rd->text, H5T_VARIABLE);
    H5Tset_cset(rd->text, H5T_CSET_UTF8);
    return rd->file >= 0;
}

static void close_file(struct rd *rd)
{
    H5Tclose(rd->text);
    if (rd->file >= 0)
        H5Fclose(rd->file);
}

bool ana_sweep_file_is(const char *path)
{
    struct rd rd = {.arena = sim_arena_create(1024)};
    bool is = open_file(&rd, path) && H5Aexists(rd.file, "schema") > 0 &&
              strcmp(attr_str(&rd, "schema"), ANA_SWEEP_SCHEMA) == 0;
    close_file(&rd);
    sim_arena_free(rd.arena);
    return is;
}

int ana_sweep_file_read(struct ana_sweep_file *s, const char *path, struct sim_err *e)
{
    memset(s, 0, sizeof *s);
    s->arena = sim_arena_create(1 << 16);
    struct rd rd = {.arena = s->arena};
    if (!open_file(&rd, path)) {
        close_file(&rd);
        return sim_fail_at(e, SIM_E_IO, path, 0, "cannot be read as HDF5");
    }
    read_head(&rd, &s->plan);
    if (!rd.bad)
        read_axes(&rd, &s->plan.space);
    if (!rd.bad)
        read_points(&rd, s);
    close_file(&rd);
    if (!rd.bad && s->npoints == 0)
        return sim_fail_at(e, SIM_E_INPUT, path, 0, "holds no finished point");
    return rd.bad ? sim_fail_at(e, SIM_E_INPUT, path, 0, "a damaged sweep: wants %s", rd.bad)
                  : SIM_OK;
}

void ana_sweep_file_fini(struct ana_sweep_file *s)
{
    for (uint64_t i = 0; s->point && i < s->npoints; i++)
        ana_point_fini(&s->point[i]);
    free(s->point);
    if (s->arena)
        sim_arena_free(s->arena);
    memset(s, 0, sizeof *s);
}
