/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_layout.h"

#include "hci_kind.h"

#include <stdio.h>
#include <string.h>

struct loader { /* what every step of loading needs */
    struct hci_layout *lay;
    struct hci_cfg *root;
    struct sim_arena *arena;
    struct sim_err *err;
    char dir[1024]; /* the catalogue */
    struct hci_given **end; /* of the layout's list */
};

static int fail(struct loader *l, const struct hci_cfg *at, const char *text)
{
    return sim_fail_at(l->err, SIM_E_INPUT, at->file, at->line, "%s", text);
}

/* A member that must be of one type when it is there. */
static int member(struct loader *l, const struct hci_cfg *group, const char *name, int type,
                  struct hci_cfg **out)
{
    *out = hci_cfg_get(group, name);
    if (!*out || (*out)->type == type)
        return SIM_OK;
    return sim_fail_at(l->err, SIM_E_INPUT, (*out)->file, (*out)->line, "%s must be %s, not %s",
                       name, hci_cfg_type_name(&(struct hci_cfg){ .type = type }),
                       hci_cfg_type_name(*out));
}

/* `count` of a list element, 1 when it is not given. */
static int count_of(struct loader *l, const struct hci_cfg *g, const char *what, unsigned most,
                    unsigned *out)
{
    struct hci_cfg *c;
    *out = 1;
    if (g->type != HCI_CFG_GROUP)
        return sim_fail_at(l->err, SIM_E_INPUT, g->file, g->line, "%s must be a group { ... }, not %s",
                           what, hci_cfg_type_name(g));
    if (member(l, g, "count", HCI_CFG_INT, &c) != SIM_OK)
        return SIM_E_INPUT;
    if (!c)
        return SIM_OK;
    if (c->i < 0 || c->i > most)
        return sim_fail_at(l->err, SIM_E_INPUT, c->file, c->line, "%s: count must be 0 to %u", what,
                           most);
    *out = (unsigned)c->i;
    return SIM_OK;
}

/* Sum of the counts of a list's elements, checked against most. */
static int total_of(struct loader *l, const struct hci_cfg *list, const char *what, unsigned most,
                    unsigned *out)
{
    *out = 0;
    for (const struct hci_cfg *g = list ? list->first : NULL; g; g = g->next) {
        unsigned n;
        if (count_of(l, g, what, most, &n) != SIM_OK)
            return SIM_E_INPUT;
        *out += n;
        if (*out > most)
            return sim_fail_at(l->err, SIM_E_INPUT, g->file, g->line, "more than %u %ss", most, what);
    }
    return SIM_OK;
}

static void add_given(struct loader *l, const struct hci_given *like, const char *prefix,
                      const struct hci_param *row, const char *key)
{
    struct hci_given *n = sim_arena_alloc(l->arena, sizeof *n);
    *n = *like;
    n->next = NULL;
    n->row = row;
    n->key = sim_arena_printf(l->arena, "%s%s", prefix, key);
    *l->end = n;
    l->end = &n->next;
    l->lay->ngiven++;
}

/* Notes which rows the user's group states; prefix: its path. */
static void note_given(struct loader *l, const struct hci_param *rows, const struct hci_cfg *g,
                       const struct hci_given *like, const char *prefix)
{
    for (const struct hci_param *row = rows; row->key; row++)
        if (hci_cfg_get(g, row->key))
            add_given(l, like, prefix, row, row->key);
}

/* One table's worth of a group: keys checked, values stored. */
static int load_group(struct loader *l, const struct hci_param *rows, const struct hci_cfg *g,
                      const char *const *extra, const char *what, void *conf)
{
    const struct hci_param *const tables[] = { rows, NULL };
    if (hci_param_check_keys(g, tables, extra, what, l->err) != SIM_OK)
        return SIM_E_INPUT;
    return hci_param_load(rows, g, what, conf, NULL, l->arena, l->err);
}

static int load_platform(struct loader *l)
{
    static const char *const extra[] = { "kind", NULL };
    struct hci_cfg *g, *kind, *base;
    struct hci_nearest near;
    char hint[96];
    if (member(l, l->root, "platform", HCI_CFG_GROUP, &g) != SIM_OK)
        return SIM_E_INPUT;
    if (!g)
        return fail(l, l->root, "platform is missing, write e.g. platform: { kind = \"nutanix\"; };");
    if (member(l, g, "kind", HCI_CFG_STRING, &kind) != SIM_OK)
        return SIM_E_INPUT;
    if (!kind)
        return fail(l, g, "platform: kind is missing, write e.g. kind = \"nutanix\"");
    const struct hci_platform_ops *ops = hci_platform_kind(kind->s);
    hci_nearest_begin(&near, kind->s);
#define X(n) hci_nearest_offer(&near, #n);
    HCI_PLATFORMS(X)
#undef X
    if (!ops)
        return sim_fail_at(l->err, SIM_E_INPUT, kind->file, kind->line,
                           "unknown platform \"%.40s\"%s", kind->s,
                           hci_nearest_hint(&near, hint, sizeof hint));
    const struct hci_param *const tables[] = { ops->k.params, NULL };
    int rc = hci_catalogue_platform(&base, l->dir, ops->k.name, &l->lay->files, l->arena, l->err);
    if (rc != SIM_OK)
        return rc;
    hci_cfg_overlay(l->arena, base, g);
    l->lay->platform = ops;
    l->lay->platform_conf = sim_arena_alloc(l->arena, ops->k.conf_size);
    if (hci_param_check_keys(base, tables, extra, "platform", l->err) != SIM_OK)
        return SIM_E_INPUT;
    note_given(l, ops->k.params, g, &(struct hci_given){ .place = HCI_AT_PLATFORM }, "platform.");
    return hci_param_load(ops->k.params, base, "platform", l->lay->platform_conf,
                          &l->lay->platform_prov, l->arena, l->err);
}

/* The layout's own `devices` entry for a product, NULL when there is none. */
static const struct hci_cfg *own_device(struct loader *l, const char *name)
{
    const struct hci_cfg *list = hci_cfg_get(l->root, "devices");
    for (const struct hci_cfg *g = list ? list->first : NULL; g; g = g->next) {
        const struct hci_cfg *n = hci_cfg_get(g, "name");
        if (n && n->type == HCI_CFG_STRING && strcmp(n->s, name) == 0)
            return g;
    }
    return NULL;
}

static int check_own_devices(struct loader *l)
{
    struct hci_cfg *list;
    if (member(l, l->root, "devices", HCI_CFG_LIST, &list) != SIM_OK)
        return SIM_E_INPUT;
    for (const struct hci_cfg *g = list ? list->first : NULL; g; g = g->next) {
        const struct hci_cfg *n = hci_cfg_get(g, "name");
        if (!n || n->type != HCI_CFG_STRING)
            return fail(l, g, "an entry of devices needs a name");
        if (own_device(l, n->s) != g)
            return sim_fail_at(l->err, SIM_E_INPUT, g->file, g->line, "device %.60s stands twice", n->s);
    }
    return SIM_OK;
}

static int find_device(struct loader *l, const struct hci_cfg *at, const struct hci_device_conf **out)
{
    struct hci_layout *lay = l->lay;
    for (unsigned i = 0; i < lay->ndevices; i++)
        if (strcmp(lay->devices[i].name, at->s) == 0) {
            *out = &lay->devices[i];
            return SIM_OK;
        }
    struct hci_device_conf *d = &lay->devices[lay->ndevices];
    const struct hci_cfg *own = own_device(l, at->s);
    int rc = hci_catalogue_device(d, l->dir, at->s, own, at, l->arena, l->err);
    if (rc != SIM_OK)
        return rc;
    lay->ndevices++;
    const struct hci_given like = { .place = HCI_AT_DEVICE, .device = d };
    const char *prefix = sim_arena_printf(l->arena, "devices.[%s].", d->name);
    note_given(l, hci_device_common_params, own, &like, prefix);
    note_given(l, d->ops->k.params, own, &like, prefix);
    *out = d;
    return SIM_OK;
}

static int load_disk(struct loader *l, const struct hci_cfg *g, struct hci_disk_conf *d)
{
    static const char *const extra[] = { "device", "count", NULL };
    struct hci_cfg *device;
    if (load_group(l, hci_disk_params, g, extra, "disk", d) != SIM_OK ||
        member(l, g, "device", HCI_CFG_STRING, &device) != SIM_OK)
        return SIM_E_INPUT;
    if (!device)
        return fail(l, g, "disk: device is missing, write e.g. device = \"optane-900p-280g\"");
    d->line = g->line;
    int rc = find_device(l, device, &d->device);
    if (rc != SIM_OK)
        return rc;
    if (d->statfs_bytes > d->device->common.raw_bytes)
        return sim_fail_at(l->err, SIM_E_INPUT, g->file, g->line,
                           "disk: statfs is larger than the raw size of %s", d->device->name);
    return SIM_OK;
}

/* like: the nodes they are of; prefix: the node's path. */
static int load_disks(struct loader *l, const struct hci_cfg *g, struct hci_node_conf *n,
                      struct hci_given like, const char *prefix)
{
    struct hci_cfg *list;
    unsigned total, count, number = 0;
    if (member(l, g, "disks", HCI_CFG_LIST, &list) != SIM_OK ||
        total_of(l, list, "disk", HCI_DISKS_MAX, &total) != SIM_OK)
        return SIM_E_INPUT;
    if (total == 0)
        return fail(l, list ? list : g, "node: has no disks");
    n->disks = sim_arena_alloc(l->arena, total * sizeof *n->disks);
    like.place = HCI_AT_DISK;
    for (const struct hci_cfg *k = list->first; k; k = k->next) {
        struct hci_disk_conf d = { 0 };
        int rc = load_disk(l, k, &d);
        if (rc != SIM_OK || (rc = count_of(l, k, "disk", HCI_DISKS_MAX, &count)) != SIM_OK)
            return rc;
        like.disk = n->ndisks;
        like.ndisks = count;
        like.device = d.device;
        note_given(l, hci_disk_params, k, &like,
                   sim_arena_printf(l->arena, "%sdisks.[%u].", prefix, number++));
        while (count--)
            n->disks[n->ndisks++] = d;
    }
    return SIM_OK;
}

/* number: of the entry g; it is written out count times. */
static int load_node(struct loader *l, const struct hci_cfg *g, unsigned number, unsigned count,
                     struct hci_node_conf *n)
{
    static const char *const extra[] = { "name", "count", "cvm", "nic", "disks", NULL };
    struct hci_cfg *cvm, *nic;
    struct hci_given like = { .place = HCI_AT_NODE, .first = l->lay->nnodes, .count = count };
    const char *prefix = sim_arena_printf(l->arena, "nodes.[%u].", number);
    n->line = g->line;
    if (load_group(l, hci_node_params, g, extra, "node", n) != SIM_OK ||
        member(l, g, "cvm", HCI_CFG_GROUP, &cvm) != SIM_OK ||
        member(l, g, "nic", HCI_CFG_GROUP, &nic) != SIM_OK ||
        load_group(l, hci_cvm_params, cvm, NULL, "cvm", n) != SIM_OK ||
        load_group(l, hci_nic_params, nic, NULL, "nic", &n->nic) != SIM_OK)
        return SIM_E_INPUT;
    note_given(l, hci_node_params, g, &like, prefix);
    like.place = HCI_AT_CVM;
    note_given(l, hci_cvm_params, cvm, &like, sim_arena_printf(l->arena, "%scvm.", prefix));
    like.place = HCI_AT_NIC;
    note_given(l, hci_nic_params, nic, &like, sim_arena_printf(l->arena, "%snic.", prefix));
    return load_disks(l, g, n, like, prefix);
}

static int load_nodes(struct loader *l)
{
    struct hci_cfg *list;
    struct hci_layout *lay = l->lay;
    unsigned total, count, distinct = 0, number = 0;
    if (member(l, l->root, "nodes", HCI_CFG_LIST, &list) != SIM_OK ||
        total_of(l, list, "node", HCI_NODES_MAX, &total) != SIM_OK)
        return SIM_E_INPUT;
    if (total == 0)
        return fail(l, list ? list : l->root, "no nodes: a layout needs at least one");
    lay->nodes_line = list->line;
    for (const struct hci_cfg *g = list->first; g; g = g->next)
        distinct += hci_cfg_get(g, "disks") ? hci_cfg_get(g, "disks")->n : 0;
    lay->devices = sim_arena_alloc(l->arena, (distinct + 1) * sizeof *lay->devices);
    lay->nodes = sim_arena_alloc(l->arena, total * sizeof *lay->nodes);
    for (const struct hci_cfg *g = list->first; g; g = g->next) {
        struct hci_node_conf n = { 0 };
        int rc = count_of(l, g, "node", HCI_NODES_MAX, &count);
        if (rc != SIM_OK || (rc = load_node(l, g, number++, count, &n)) != SIM_OK)
            return rc;
        while (count--)
            lay->nodes[lay->nnodes++] = n;
    }
    return SIM_OK;
}

/* A product named only by an override is a slip of the pen. */
static int check_overrides(struct loader *l)
{
    const struct hci_cfg *list = hci_cfg_get(l->root, "devices");
    for (const struct hci_cfg *g = list ? list->first : NULL; g; g = g->next) {
        const char *name = hci_cfg_get(g, "name")->s;
        struct hci_nearest near;
        char hint[96];
        unsigned i = 0;
        hci_nearest_begin(&near, name);
        for (; i < l->lay->ndevices && strcmp(l->lay->devices[i].name, name) != 0; i++)
            hci_nearest_offer(&near, l->lay->devices[i].name);
        if (i == l->lay->ndevices && g->line == 0)
            return sim_fail_at(l->err, SIM_E_INPUT, g->file, 0, "no disk uses device %.60s%s", name,
                               hci_nearest_hint(&near, hint, sizeof hint));
        if (i == l->lay->ndevices)
            add_given(l, &(struct hci_given){ .place = HCI_AT_DEVICE }, "devices.",  NULL,
                      sim_arena_printf(l->arena, "[%s]", name));
    }
    return SIM_OK;
}

static int load_guests(struct loader *l)
{
    static const char *const extra[] = { "name", "count", NULL };
    static const struct hci_cfg none = { .type = HCI_CFG_GROUP, .file = "default" };
    struct hci_cfg *list;
    struct hci_layout *lay = l->lay;
    unsigned total, count, number = 0;
    if (member(l, l->root, "guests", HCI_CFG_LIST, &list) != SIM_OK ||
        total_of(l, list, "guest", HCI_GUESTS_MAX, &total) != SIM_OK)
        return SIM_E_INPUT;
    lay->guests = sim_arena_alloc(l->arena, (total + 1) * sizeof *lay->guests);
    for (const struct hci_cfg *g = list ? list->first : &none; g; g = g->next) {
        struct hci_guest_conf c = { 0 };
        if (load_group(l, hci_guest_params, g, extra, "guest", &c) != SIM_OK ||
            count_of(l, g, "guest", HCI_GUESTS_MAX, &count) != SIM_OK)
            return SIM_E_INPUT;
        c.line = g->line;
        if (c.node >= lay->nnodes)
            return sim_fail_at(l->err, SIM_E_INPUT, g->file, g->line,
                               "guest: node %llu does not exist, the last is %u",
                               (unsigned long long)c.node, lay->nnodes - 1);
        if ((c.raid == HCI_RAID1 && c.vdisks < 2) ||
            (c.raid == HCI_RAID10 && (c.vdisks < 4 || c.vdisks % 2)))
            return fail(l, g, c.raid == HCI_RAID1 ? "guest: raid1 needs at least 2 vdisks"
                                                  : "guest: raid10 needs an even number of "
                                                    "vdisks, at least 4");
        const struct hci_given like = { .place = HCI_AT_GUEST, .first = lay->nguests, .count = count };
        note_given(l, hci_guest_params, g, &like,
                   sim_arena_printf(l->arena, "guests.[%u].", number++));
        while (count--)
            lay->guests[lay->nguests++] = c;
    }
    return lay->nguests ? SIM_OK : fail(l, list, "no guests: a layout needs at least one");
}

static int load_aliases(struct loader *l)
{
    struct hci_cfg *g;
    struct hci_layout *lay = l->lay;
    if (member(l, l->root, "aliases", HCI_CFG_GROUP, &g) != SIM_OK)
        return SIM_E_INPUT;
    lay->aliases = sim_arena_alloc(l->arena, ((g ? g->n : 0) + 1) * sizeof *lay->aliases);
    for (struct hci_cfg *k = g ? g->first : NULL; k; k = k->next) {
        if (k->type != HCI_CFG_STRING)
            return fail(l, k, "an alias is a path in quotes");
        lay->aliases[lay->naliases].name = sim_arena_strdup(l->arena, k->name);
        lay->aliases[lay->naliases++].path = sim_arena_strdup(l->arena, k->s);
    }
    return SIM_OK;
}

static int apply_sets(struct loader *l, const struct hci_set *sets, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const char *path = sets[i].key;
        struct hci_cfg *v;
        if (strncmp(path, "aliases", 7) == 0 && strchr(".[", path[7])) /* read already */
            return sim_fail_at(l->err, SIM_E_INPUT, "--set", 0,
                               "%.100s: aliases are the layout file's", path);
        for (unsigned k = 0; k < l->lay->naliases; k++)
            if (strcmp(l->lay->aliases[k].name, path) == 0)
                path = l->lay->aliases[k].path;
        if (hci_config_value(&v, l->arena, sets[i].value, l->err) != SIM_OK ||
            hci_cfg_set(l->arena, l->root, path, v, l->err) != SIM_OK)
            return SIM_E_INPUT;
    }
    return SIM_OK;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int load_texts(struct loader *l)
{
    static const char *const keys[] = { "name",    "description", "platform", "nodes", "guests",
                                        "initial", "aliases",     "devices",  NULL };
    struct hci_cfg *name, *text, *initial;
    if (hci_param_check_keys(l->root, NULL, keys, "layout", l->err) != SIM_OK ||
        member(l, l->root, "name", HCI_CFG_STRING, &name) != SIM_OK ||
        member(l, l->root, "description", HCI_CFG_STRING, &text) != SIM_OK ||
        member(l, l->root, "initial", HCI_CFG_GROUP, &initial) != SIM_OK)
        return SIM_E_INPUT;
    l->lay->name = sim_arena_strdup(l->arena, name ? name->s : base_name(l->lay->path));
    l->lay->description = sim_arena_strdup(l->arena, text ? text->s : "");
    note_given(l, hci_initial_params, initial, &(struct hci_given){ .place = HCI_AT_INITIAL },
               "initial.");
    return load_group(l, hci_initial_params, initial, NULL, "initial", &l->lay->initial);
}

static int load(struct loader *l, const char *path, const struct hci_set *sets, unsigned nsets)
{
    int rc = hci_config_read(&l->root, l->arena, path, &l->lay->files, l->err);
    if (rc != SIM_OK)
        return rc;
    hci_catalogue_dir(path, l->dir, sizeof l->dir);
    l->lay->path = sim_arena_strdup(l->arena, path);
    l->root->line = 1; /* to blame the file for what is missing */
    if ((rc = load_aliases(l)) != SIM_OK || (rc = apply_sets(l, sets, nsets)) != SIM_OK ||
        (rc = load_texts(l)) != SIM_OK || (rc = load_platform(l)) != SIM_OK ||
        (rc = check_own_devices(l)) != SIM_OK || (rc = load_nodes(l)) != SIM_OK ||
        (rc = check_overrides(l)) != SIM_OK || (rc = load_guests(l)) != SIM_OK)
        return rc;
    if (l->lay->platform->validate)
        rc = l->lay->platform->validate(l->lay, l->err);
    if (rc == SIM_OK)
        l->lay->text = hci_layout_print(l->lay, l->arena);
    return rc;
}

int hci_layout_load(struct hci_layout **out, const char *path, const struct hci_set *sets,
                    unsigned nsets, struct sim_err *e)
{
    struct loader l = { .arena = sim_arena_create(64 << 10), .err = e };
    *out = NULL;
    l.lay = sim_arena_alloc(l.arena, sizeof *l.lay);
    l.lay->arena = l.arena;
    l.end = &l.lay->given;
    int rc = load(&l, path, sets, nsets);
    if (rc == SIM_OK)
        *out = l.lay;
    else
        sim_arena_free(l.arena);
    return rc;
}

void hci_layout_free(struct hci_layout *lay)
{
    if (lay)
        sim_arena_free(lay->arena);
}
