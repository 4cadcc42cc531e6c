/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * knobs.h: on which layout and under which job each parameter is tried.
 */
#ifndef TESTS_META_KNOBS_H
#define TESTS_META_KNOBS_H

#include "simulate.h"

#include "hci_kind.h"

enum knob_where {
    KNOB_KIND,
    KNOB_COMMON,
    KNOB_PLATFORM,
    KNOB_NODE,
    KNOB_NIC,
    KNOB_DISK,
    KNOB_GUEST,
    KNOB_INITIAL
};

struct knob_table {
    const char *name, *prefix;    /* of --set */
    const struct hci_kind *kind;  /* whose rows they are */
    const struct hci_param *rows; /* of a table without a kind */
    enum knob_where where;
};

struct knob_scene { /* a layout, changed by sets, and a job; its last job is looked at */
    const char *name, *layout, *device, *sets, *job;
};

struct knob {
    const char *table, *key, *scene;
    const char *base;   /* value to start from; NULL: the layout's */
    const char *more;   /* further sets */
    const char *only;   /* what --set doubles, if not the table's place */
    const char *exempt; /* instead of a scene: why it is not tried */
};

extern const struct knob_table knob_tables[];
extern const struct knob_scene knob_scenes[];
extern const struct knob knobs[];

#include "knobs_data.h"

#endif
