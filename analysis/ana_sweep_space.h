/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_space.h: the points of a sweep, by number.
 *
 * A grid (every value with every other, the last axis fastest), a zip (the
 * i-th values together) or a Sobol sample of the grid (GSL).
 * Invariants: a point's values depend on its number alone; no list of points
 * is ever held.
 */
#ifndef ANA_SWEEP_SPACE_H
#define ANA_SWEEP_SPACE_H

#include "ana_sweep_axis.h"

#define ANA_AXES_MAX 16
#define ANA_POINTS_MAX 10000000

enum ana_space_mode { ANA_GRID, ANA_ZIP, ANA_SAMPLE };

struct ana_space {
    int mode; /* enum ana_space_mode */
    unsigned naxes;
    struct ana_axis axis[ANA_AXES_MAX];
    uint64_t npoints; /* set by ana_space_finish */
};

/* Names by enum ana_space_mode. */
extern const char *const ana_space_modes[];

/* Counts the points. sample: how many of the grid; 0 for the other modes. A
 * sample as large as the grid becomes the grid. SIM_OK or SIM_E_INPUT. */
int ana_space_finish(struct ana_space *s, uint64_t sample, struct sim_err *e);

/* Walks points in ascending order (going back starts over); one per user. */
struct ana_cursor {
    const struct ana_space *space;
    void *sobol;
    uint64_t drawn; /* points taken from sobol */
};

void ana_cursor_init(struct ana_cursor *c, const struct ana_space *s);
void ana_cursor_fini(struct ana_cursor *c);

/* Index of the value on each axis at point number `point` (< npoints). */
void ana_cursor_at(struct ana_cursor *c, uint64_t point, unsigned index[ANA_AXES_MAX]);

#endif
