/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * knobs_sets.h: a scene's layout with values of its parameters.
 */
#ifndef TESTS_META_KNOBS_SETS_H
#define TESTS_META_KNOBS_SETS_H

#include "knobs.h"

#include "hci_cluster.h"

#define KNOB_SETS 192

struct knob_sets {
    unsigned n;
    struct hci_set set[KNOB_SETS];
    char text[KNOB_SETS][2][512];
};

static inline void knob_add_set(struct knob_sets *s, const char *key, const char *value)
{
    ck_assert_uint_lt(s->n, KNOB_SETS);
    snprintf(s->text[s->n][0], sizeof s->text[0][0], "%s", key);
    snprintf(s->text[s->n][1], sizeof s->text[0][1], "%s", value);
    s->set[s->n] = (struct hci_set){s->text[s->n][0], s->text[s->n][1]};
    s->n++;
}

/* "key=value;key=value" */
static inline void knob_add_sets(struct knob_sets *s, const char *list)
{
    while (list && *list) {
        char key[128], value[128];
        ck_assert_int_eq(sscanf(list, "%127[^=]=%127[^;]", key, value), 2);
        knob_add_set(s, key, value);
        list += strcspn(list, ";");
        list += *list == ';';
    }
}

static inline struct hci_layout *knob_load(const struct knob_scene *sc, const struct knob_sets *s)
{
    struct hci_layout *lay;
    struct sim_err e = {0};
    int rc = hci_layout_load(&lay, sc->layout, s->set, s->n, &e);
    ck_assert_msg(rc == SIM_OK, "%s: %s:%d: %s", sc->name, e.file, e.line, e.text);
    return lay;
}

/* The row's value in a loaded layout. */
static inline const void *knob_conf(const struct hci_layout *lay, const struct knob_table *t,
                           const char *device)
{
    if (t->where == KNOB_PLATFORM)
        return lay->platform_conf;
    for (unsigned i = 0; i < lay->ndevices; i++)
        if (strcmp(lay->devices[i].name, device) == 0 && t->where == KNOB_KIND)
            return lay->devices[i].conf;
        else if (strcmp(lay->devices[i].name, device) == 0 && t->where == KNOB_COMMON)
            return &lay->devices[i].common;
    switch (t->where) {
    case KNOB_NODE:
        return &lay->nodes[0];
    case KNOB_NIC:
        return &lay->nodes[0].nic;
    case KNOB_DISK:
        return &lay->nodes[0].disks[lay->nodes[0].ndisks > 1];
    case KNOB_GUEST:
        return &lay->guests[0];
    case KNOB_INITIAL:
        return &lay->initial;
    default:
        break;
    }
    ck_abort_msg("%s: no %s in the layout", t->name, device);
    return NULL;
}

static inline const struct knob_scene *knob_scene_named(const char *name)
{
    for (const struct knob_scene *s = knob_scenes; s->name; s++)
        if (strcmp(s->name, name) == 0)
            return s;
    ck_abort_msg("no scene %s", name);
    return NULL;
}

static inline void knob_key(const struct knob_table *t, const struct knob_scene *sc, const char *key,
                   char *out, size_t size)
{
    if (t->where == KNOB_KIND || t->where == KNOB_COMMON)
        snprintf(out, size, "devices.[%s].%s", sc->device, key);
    else
        snprintf(out, size, "%s%s", t->prefix, key);
}

#endif
