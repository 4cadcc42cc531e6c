/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_sweep_space.h"

#include <gsl/gsl_qrng.h>
#include <string.h>

const char *const ana_space_modes[] = { "grid", "zip", "sample" };

static int count_grid(struct ana_space *s, struct sim_err *e)
{
    s->npoints = 1;
    for (unsigned i = 0; i < s->naxes; i++) {
        s->npoints *= s->axis[i].n; /* both below 1e7: no overflow */
        if (s->npoints > ANA_POINTS_MAX && s->mode == ANA_GRID)
            return sim_fail(e, SIM_E_INPUT, "more than %d points; --sample N takes N of them",
                            ANA_POINTS_MAX);
        if (s->npoints > ANA_POINTS_MAX)
            s->npoints = ANA_POINTS_MAX;
    }
    return SIM_OK;
}

int ana_space_finish(struct ana_space *s, uint64_t sample, struct sim_err *e)
{
    for (unsigned i = 0; i < s->naxes; i++)
        for (unsigned k = 0; k < i; k++)
            if (strcmp(s->axis[i].key, s->axis[k].key) == 0)
                return sim_fail(e, SIM_E_INPUT, "--vary %.60s stands twice", s->axis[i].key);
    if (s->mode != ANA_ZIP) {
        int rc = count_grid(s, e);
        if (rc == SIM_OK && s->mode == ANA_SAMPLE && sample < s->npoints)
            s->npoints = sample;
        else
            s->mode = ANA_GRID;
        return rc;
    }
    for (unsigned i = 1; i < s->naxes; i++)
        if (s->axis[i].n != s->axis[0].n)
            return sim_fail(e, SIM_E_INPUT, "--zip: %.60s has %u values and %.60s has %u",
                            s->axis[0].key, s->axis[0].n, s->axis[i].key, s->axis[i].n);
    s->npoints = s->naxes ? s->axis[0].n : 1;
    return SIM_OK;
}

void ana_cursor_init(struct ana_cursor *c, const struct ana_space *s)
{
    *c = (struct ana_cursor){ .space = s };
    if (s->mode == ANA_SAMPLE && !(c->sobol = gsl_qrng_alloc(gsl_qrng_sobol, s->naxes)))
        sim_out_of_memory(sizeof(gsl_qrng));
}

void ana_cursor_fini(struct ana_cursor *c)
{
    if (c->sobol)
        gsl_qrng_free(c->sobol);
    c->sobol = NULL;
}

static void at_sample(struct ana_cursor *c, uint64_t point, unsigned index[ANA_AXES_MAX])
{
    double x[ANA_AXES_MAX] = { 0 };
    if (point < c->drawn) {
        gsl_qrng_init(c->sobol);
        c->drawn = 0;
    }
    for (; c->drawn <= point; c->drawn++)
        gsl_qrng_get(c->sobol, x);
    for (unsigned i = 0; i < c->space->naxes; i++)
        index[i] = (unsigned)(x[i] * c->space->axis[i].n);
}

void ana_cursor_at(struct ana_cursor *c, uint64_t point, unsigned index[ANA_AXES_MAX])
{
    const struct ana_space *s = c->space;
    if (s->mode == ANA_SAMPLE) {
        at_sample(c, point, index);
        return;
    }
    for (unsigned i = s->naxes; i-- > 0;) {
        index[i] = (unsigned)(s->mode == ANA_ZIP ? point : point % s->axis[i].n);
        if (s->mode == ANA_GRID)
            point /= s->axis[i].n;
    }
}
