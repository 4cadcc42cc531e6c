/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_effect.h: the inputs of a sensitivity by how far each moves a metric.
 *
 * Point 0 is the layout as it is; every other changes one input. Changes are
 * shares of the base's value. Invariant: largest first, of equals the earlier.
 */
#ifndef ANA_SWEEP_EFFECT_H
#define ANA_SWEEP_EFFECT_H

#include "ana_sweep_axis.h"

struct ana_effect { /* of one input */
    char key[160];
    double low, high; /* NaN: that side was not run or did not work */
    double most;      /* the larger of both, absolute */
    unsigned order;
};

struct ana_effects {
    const struct ana_axis *axis;
    struct ana_effect *list;
    unsigned n, still; /* still: inputs without effect, set by ana_effects_sort */
    double base;       /* the metric of point 0; NaN: it has none */
};

/* Room for the inputs of an axis of kind ANA_AXIS_ASSIGN. Free with fini. */
void ana_effects_init(struct ana_effects *x, const struct ana_axis *axis);
void ana_effects_fini(struct ana_effects *x);

/* The metric at point k; points in ascending order, 0 first. */
void ana_effects_add(struct ana_effects *x, unsigned k, double value);
void ana_effects_sort(struct ana_effects *x);

#endif
