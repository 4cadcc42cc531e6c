/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_axis.h: what `--vary KEY=V1,V2,...` means.
 *
 * KEY is a libconfig path or alias of the layout, `job.OPTION` or
 * `job.SECTION.OPTION` for the job file, or `layout` for whole layout files.
 * A value is text, a range (8..64:8, 1k..1M:x2, 10..100 Gbit/s:x2) or a named
 * set of catalogue devices (@nvme, @flash, @nvme+plp). Commas inside brackets
 * or quotes do not separate.
 * Not here: whether a key or value exists (the layout says so).
 * Invariants: an axis has 1 to ANA_AXIS_MAX values; number is set when every
 * value is a number of one dimension, then in base units.
 */
#ifndef ANA_SWEEP_AXIS_H
#define ANA_SWEEP_AXIS_H

#include "sim_err.h"
#include "sim_mem.h"

#define ANA_AXIS_MAX 100000

enum ana_axis_kind {
    ANA_AXIS_SET,    /* a path or alias of the layout */
    ANA_AXIS_JOB,    /* an option of the job file */
    ANA_AXIS_LAYOUT, /* the layout file itself */
    ANA_AXIS_ASSIGN  /* each value is KEY=VALUE of its own ("" changes nothing) */
};

struct ana_axis {
    int kind;          /* enum ana_axis_kind */
    const char *key;   /* as written; the column's name */
    unsigned n;
    const char **value;
    double *number;    /* NULL: not all numbers */
    const char *unit;  /* of number: "", "ns", "B", "B/s" */
};

/* Parses "KEY=VALUES". dir is the device catalogue for named sets. Everything
 * comes from the arena. SIM_OK or SIM_E_INPUT. */
int ana_axis_parse(struct ana_axis *axis, const char *text, const char *dir, struct sim_arena *a,
                   struct sim_err *e);

/* Number and dimension of one value: a bare number (unit ""), fio's 4k 1M
 * (1024, "B") or a quantity of a layout file. False when it is none. */
bool ana_quantity(const char *text, double *number, const char **unit);

/* Fills number and unit from value. */
void ana_axis_numbers(struct ana_axis *axis, struct sim_arena *a);

/* ana_sweep_set.c: names of the devices of dir a set ("nvme+plp") selects,
 * sorted. Ideal test devices are in @ideal and @all only. SIM_OK or SIM_E_INPUT. */
int ana_device_set(const char *const **names, unsigned *n, const char *set, const char *dir,
                   struct sim_arena *a, struct sim_err *e);

#endif
