/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_config.h: configuration files as a plain tree.
 *
 * The one place that knows libconfig. A file becomes a tree of struct hci_cfg
 * in the caller's arena; overlays, `--set` and printing work on the tree.
 * Not here: what a key means (hci_param.h, hci_layout.h).
 * Invariants: every node knows the file and line it came from; group members
 * have distinct names; a file is at most 1 MiB and never read past its end.
 */
#ifndef HCI_CONFIG_H
#define HCI_CONFIG_H

#include "sim_err.h"
#include "sim_mem.h"
#include "sim_types.h"

enum hci_cfg_type {
    HCI_CFG_GROUP,
    HCI_CFG_LIST, /* lists and arrays alike */
    HCI_CFG_INT,
    HCI_CFG_FLOAT,
    HCI_CFG_BOOL,
    HCI_CFG_STRING
};

struct hci_cfg {
    int type;                       /* enum hci_cfg_type */
    const char *name;               /* NULL in a list and for the root */
    int64_t i;                      /* INT, BOOL */
    double f;                       /* FLOAT */
    const char *s;                  /* STRING */
    unsigned n;                     /* children of GROUP and LIST */
    struct hci_cfg *first, *last, *next;
    const char *file;               /* as the user named it; "--set" for an override */
    int line;                       /* 0: none */
};

struct hci_config_file { /* one that was read */
    const char *name;
    struct hci_config_file *next;
};

/* Reads a file (@include works, of absolute paths and of those relative to the
 * file's directory). Anything that is no configuration, a missing file and a
 * directory are SIM_E_INPUT; a failing read is SIM_E_IO. What was read is added
 * to *files unless that is NULL. */
int hci_config_read(struct hci_cfg **out, struct sim_arena *a, const char *path,
                    struct hci_config_file **files, struct sim_err *e);

/* The same from memory; name stands for the file in messages. */
int hci_config_parse(struct hci_cfg **out, struct sim_arena *a, const char *text,
                     const char *name, struct sim_err *e);

/* One value in file syntax; anything that does not parse is taken as a string,
 * so that `device=optane-900p-280g` and `ack=30 us` need no quotes. */
int hci_config_value(struct hci_cfg **out, struct sim_arena *a, const char *text,
                     struct sim_err *e);

/* hci_cfg.c: the tree. */
struct hci_cfg *hci_cfg_new(struct sim_arena *a, int type, const char *name, const char *file,
                            int line);
void hci_cfg_append(struct hci_cfg *parent, struct hci_cfg *child);
struct hci_cfg *hci_cfg_copy(struct sim_arena *a, const struct hci_cfg *c);
/* Member of a group, NULL when there is none (or c is NULL or no group). */
struct hci_cfg *hci_cfg_get(const struct hci_cfg *c, const char *name);
/* "a string", "a group", ... for messages. */
const char *hci_cfg_type_name(const struct hci_cfg *c);
/* Overlays the members of top over those of base (both groups), key by key. */
void hci_cfg_overlay(struct sim_arena *a, struct hci_cfg *base, const struct hci_cfg *top);
/* Puts a copy of value at path below root: names joined by dots, `[i]` for the
 * i-th list element, `[*]` for all, `[name]` for the list element whose name
 * entry says so. Missing groups on the way are created. */
int hci_cfg_set(struct sim_arena *a, struct hci_cfg *root, const char *path,
                const struct hci_cfg *value, struct sim_err *e);

#endif
