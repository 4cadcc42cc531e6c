/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_sweep_plan.h"

#include "ana_sweep_pack.h"

#include <stdlib.h>

static void put_plan(struct ana_writer *w, const struct ana_plan *p)
{
    ana_put_text(w, p->version);
    ana_put_text(w, p->revision);
    ana_put_text(w, p->options);
    ana_put_text(w, p->layout_name);
    ana_put_text(w, p->layout_text);
    ana_put_text(w, p->jobfile_text);
    ana_put_u64(w, p->seed);
    ana_put_u64(w, p->inputs_hash);
    ana_put_f64(w, p->sensitivity);
    ana_put_u64(w, (uint64_t)p->space.mode);
    ana_put_u64(w, p->space.npoints);
    ana_put_u64(w, p->space.naxes);
    for (unsigned i = 0; i < p->space.naxes; i++) {
        const struct ana_axis *axis = &p->space.axis[i];
        ana_put_u64(w, (uint64_t)axis->kind);
        ana_put_text(w, axis->key);
        ana_put_u64(w, axis->n);
        for (unsigned k = 0; k < axis->n; k++)
            ana_put_text(w, axis->value[k]);
    }
}

unsigned char *ana_plan_pack(const struct ana_plan *p, size_t *n)
{
    struct ana_writer count = { 0 };
    put_plan(&count, p);
    struct ana_writer w = { .at = malloc(count.n) };
    if (!w.at)
        sim_out_of_memory(count.n);
    put_plan(&w, p);
    *n = w.n;
    return w.at;
}

static const char *keep(struct ana_reader *r, struct sim_arena *a)
{
    return sim_arena_strdup(a, ana_get_string(r));
}

static bool get_axis(struct ana_axis *axis, struct ana_reader *r, struct sim_arena *a)
{
    axis->kind = (int)ana_get_u64(r);
    axis->key = keep(r, a);
    axis->n = (unsigned)ana_get_u64(r);
    if (r->bad || axis->n == 0 || axis->n > ANA_AXIS_MAX)
        return false;
    axis->value = sim_arena_array(a, axis->n, sizeof *axis->value);
    for (unsigned k = 0; k < axis->n; k++)
        axis->value[k] = keep(r, a);
    ana_axis_numbers(axis, a);
    return !r->bad;
}

bool ana_plan_unpack(struct ana_plan *p, const unsigned char *bytes, size_t n,
                     struct sim_arena *a)
{
    struct ana_reader r = { bytes, n, false };
    *p = (struct ana_plan){ 0 };
    p->version = keep(&r, a);
    p->revision = keep(&r, a);
    p->options = keep(&r, a);
    p->layout_name = keep(&r, a);
    p->layout_text = keep(&r, a);
    p->jobfile_text = keep(&r, a);
    p->seed = ana_get_u64(&r);
    p->inputs_hash = ana_get_u64(&r);
    p->sensitivity = ana_get_f64(&r);
    p->space.mode = (int)ana_get_u64(&r);
    p->space.npoints = ana_get_u64(&r);
    p->space.naxes = (unsigned)ana_get_u64(&r);
    if (r.bad || p->space.naxes > ANA_AXES_MAX || p->space.npoints > ANA_POINTS_MAX ||
        p->space.mode > ANA_SAMPLE)
        return false;
    for (unsigned i = 0; i < p->space.naxes; i++)
        if (!get_axis(&p->space.axis[i], &r, a))
            return false;
    return !r.bad && r.left == 0;
}

const char *ana_plan_value(const struct ana_plan *p, const unsigned *index, unsigned i)
{
    const struct ana_axis *axis = &p->space.axis[i];
    return index[i] < axis->n ? axis->value[index[i]] : "";
}
