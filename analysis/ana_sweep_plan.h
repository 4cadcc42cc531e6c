/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_plan.h: everything the results of a sweep depend on.
 *
 * The space of points, the base layout and job file as text, options, seed,
 * program version, and a hash of every layout the axes lead to one by one. It
 * stands at the head of a journal: a journal is continued or merged only with
 * an equal plan, and the final files need nothing else.
 * Invariants: equal plans have equal bytes; threads, ranks and shards are no
 * part of it.
 */
#ifndef ANA_SWEEP_PLAN_H
#define ANA_SWEEP_PLAN_H

#include "ana_sweep_space.h"

struct ana_plan {
    struct ana_space space;
    const char *layout_name, *layout_text, *jobfile_text;
    const char *options; /* what else was asked, as words */
    const char *version, *revision;
    uint64_t seed, inputs_hash;
    double sensitivity;  /* share; 0: none */
};

/* The plan as bytes, malloc'd. */
unsigned char *ana_plan_pack(const struct ana_plan *p, size_t *n);

/* The reverse; everything lives in the arena. False when it is none. */
bool ana_plan_unpack(struct ana_plan *p, const unsigned char *bytes, size_t n,
                     struct sim_arena *a);

/* Text of the value of axis i at a point with these indices. */
const char *ana_plan_value(const struct ana_plan *p, const unsigned *index, unsigned i);

#endif
