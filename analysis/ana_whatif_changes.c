/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_whatif_changes.c: which changes a layout allows.
 */
#include "ana_whatif.h"

#include "ana_sweep_axis.h"
#include "hci_kind.h"
#include "hci_param.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* NULL when there are too many: set() leaves that alone. */
static struct ana_change *add(struct ana_whatif *w, int kind, const char *title, ...)
{
    if (w->nchanges == ANA_CHANGES_MAX)
        return NULL;
    struct ana_change *c = &w->change[w->nchanges++];
    va_list args;
    va_start(args, title);
    vsnprintf(c->title, sizeof c->title, title, args);
    va_end(args);
    c->kind = kind;
    c->sets = sim_arena_array(w->arena, ANA_CHANGE_SETS, sizeof *c->sets);
    return c;
}

static void set(struct ana_change *c, const char *key, const char *value)
{
    if (c && c->nsets < ANA_CHANGE_SETS)
        c->sets[c->nsets++] = (struct hci_set){key, value};
}

/* ---- rows of a table, made faster ---- */

static bool listed(const char *key, const char *const *list)
{
    while (*list && strcmp(*list, key) != 0)
        list++;
    return *list != NULL;
}

/* Text of the row's value when it is twice as fast: half a time, twice a rate or a
 * number of I/Os per second. NULL: says nothing of speed, or cannot move. */
static const char *faster(struct sim_arena *a, const struct hci_param *row, const void *conf)
{
    const void *at = (const char *)conf + row->offset;
    uint64_t v = 0;
    if (row->type == HCI_NUMBER) {
        double x;
        memcpy(&x, at, sizeof x);
        x = 2 * x < row->max ? 2 * x : row->max;
        return strstr(row->key, "iops") && x > 0 ? sim_arena_printf(a, "%.17g", x) : NULL;
    }
    if (row->type == HCI_TIME || row->type == HCI_RATE || row->type == HCI_COUNT)
        memcpy(&v, at, sizeof v);
    if (v == 0 || v == HCI_AUTO || v > UINT64_MAX / 4)
        return NULL;
    if (row->type == HCI_TIME)
        return (double)(v / 2) < row->min ? NULL : sim_arena_printf(a, "%" PRIu64 " ns", v / 2);
    double twice = 2 * (double)v < row->max ? 2 * (double)v : row->max;
    if (row->type == HCI_RATE)
        return sim_arena_printf(a, "%.0f B/s", twice);
    return strstr(row->key, "iops") ? sim_arena_printf(a, "%.0f", twice) : NULL;
}

static void faster_rows(struct ana_whatif *w, struct ana_change *c, const char *prefix,
                        const struct hci_param *row, const void *conf, const char *const *but)
{
    for (; row->key; row++) {
        const char *value = listed(row->key, but) ? NULL : faster(w->arena, row, conf);
        if (value)
            set(c, sim_arena_printf(w->arena, "%s.%s", prefix, row->key), value);
    }
}

/* ---- the changes ---- */

static void network(struct ana_whatif *w, const struct hci_layout *lay)
{
    const struct hci_nic_conf *nic = &lay->nodes[0].nic;
    if (lay->nnodes < 2)
        return;
    set(add(w, ANA_CHANGE_OTHER, "network ports twice as fast (%.3g Gbit/s)",
            16 * (double)nic->speed_Bps / 1e9),
        "nodes.[*].nic.speed", sim_arena_printf(w->arena, "%" PRIu64 " B/s", 2 * nic->speed_Bps));
    if (nic->links > 1 && nic->flows != HCI_FLOWS_SPREAD)
        set(add(w, ANA_CHANGE_OTHER, "replica flows spread over the ports of the bond"),
            "nodes.[*].nic.flows", "spread");
}

static bool meets(const struct hci_result *x, const char *word)
{
    for (unsigned i = 0; i < x->njobs; i++)
        for (unsigned k = 0; k < x->jobs[i].nresources; k++)
            if (strstr(x->jobs[i].resources[k].name, word))
                return true;
    return false;
}

static void processors(struct ana_whatif *w, const struct hci_layout *lay,
                       const struct hci_result *x)
{
    uint64_t n = lay->nodes[0].cvm_vcpus;
    if (meets(x, "CVM") && n > 0)
        set(add(w, ANA_CHANGE_OTHER, "controller VMs with %" PRIu64 " vCPUs", 2 * n),
            "nodes.[*].cvm.vcpus", sim_arena_printf(w->arena, "%" PRIu64, 2 * n));
}

static void virtual_disks(struct ana_whatif *w, const struct hci_layout *lay)
{
    const struct hci_guest_conf *g = lay->nguests ? &lay->guests[0] : NULL;
    if (!g || strcmp(lay->platform->k.name, "native") == 0)
        return;
    bool mirrored = g->raid == HCI_RAID1 || g->raid == HCI_RAID10;
    struct ana_change *c = add(w, ANA_CHANGE_OTHER, "%" PRIu64 " virtual disks a guest (RAID %s)",
                               2 * g->vdisks, mirrored ? "10" : "0");
    set(c, "guests.[*].vdisks", sim_arena_printf(w->arena, "%" PRIu64, 2 * g->vdisks));
    set(c, "guests.[*].raid", mirrored ? "raid10" : "raid0");
}

static void faster_drives(struct ana_whatif *w, const struct hci_layout *lay)
{
    static const char *const but[] = {"slc_idle", "iface", NULL};
    struct ana_change *c = add(w, ANA_CHANGE_DRIVES, "every drive twice as fast");
    for (unsigned i = 0; i < lay->ndevices; i++) {
        const struct hci_device_conf *d = &lay->devices[i];
        const char *prefix = sim_arena_printf(w->arena, "devices.[%s]", d->name);
        faster_rows(w, c, prefix, hci_device_common_params, &d->common, but);
        faster_rows(w, c, prefix, d->ops->k.params, d->conf, but);
    }
}

static bool flushes(const struct hci_result *x)
{
    for (unsigned i = 0; i < x->njobs; i++)
        for (unsigned k = 0; k < x->jobs[i].nresources; k++)
            if (strstr(x->jobs[i].resources[k].name, " flush") &&
                x->jobs[i].resources[k].utilisation > 0)
                return true;
    return false;
}

/* What the assumption of a log that is never flushed is worth. */
static void flushed_log(struct ana_whatif *w, const struct hci_layout *lay)
{
    const struct hci_param *row = lay->platform->k.params;
    char now[32] = "";
    while (row->key && strcmp(row->key, "log_flush") != 0)
        row++;
    if (row->key && strstr(hci_param_format(row, lay->platform_conf, now, sizeof now), "none"))
        set(add(w, ANA_CHANGE_ASSUMED, "the log flushed with every write (log_flush = per_write)"),
            "platform.log_flush", "per_write");
}

static void free_flushes(struct ana_whatif *w, const struct hci_layout *lay,
                         const struct hci_result *x)
{
    struct ana_change *c = NULL;
    if (!flushes(x)) {
        flushed_log(w, lay);
        return;
    }
    for (unsigned i = 0; i < lay->ndevices; i++) {
        const struct hci_device_conf *d = &lay->devices[i];
        if (d->common.plp || d->common.flush_ns == 0)
            continue;
        c = c ? c : add(w, ANA_CHANGE_DRIVES, "flushes that cost nothing (power-loss protection)");
        set(c, sim_arena_printf(w->arena, "devices.[%s].flush", d->name), "0 ns");
    }
}

static bool used(const struct hci_layout *lay, const char *name)
{
    const struct hci_node_conf *n = &lay->nodes[0];
    for (unsigned i = 0; i < n->ndisks; i++)
        if (n->disks[i].role != HCI_ROLE_BOOT && strcmp(n->disks[i].device->name, name) != 0)
            return false;
    return true;
}

static double price(const char *name, const char *dir, struct sim_arena *a)
{
    struct hci_device_conf d;
    struct sim_err ignored;
    return hci_catalogue_device(&d, dir, name, NULL, NULL, a, &ignored) == SIM_OK
               ? d.common.price_eur : 0;
}

/* Every drive of a set of the catalogue in the place of all that hold data. */
static void other_drives(struct ana_whatif *w, const struct hci_layout *lay, const char *set_name)
{
    char dir[1024];
    const char *const *names;
    unsigned n = 0;
    struct sim_err ignored;
    hci_catalogue_dir(NULL, dir, sizeof dir);
    if (ana_device_set(&names, &n, set_name, dir, w->arena, &ignored) != SIM_OK)
        return;
    for (unsigned k = 0; k < n; k++) {
        const struct hci_node_conf *node = &lay->nodes[0];
        if (used(lay, names[k]))
            continue;
        struct ana_change *c = add(w, ANA_CHANGE_DRIVES, "all data on %.80s", names[k]);
        for (unsigned i = 0; i < node->ndisks; i++)
            if (node->disks[i].role != HCI_ROLE_BOOT)
                set(c, sim_arena_printf(w->arena, "nodes.[*].disks.[%u].device", i), names[k]);
        if (c)
            c->price_eur = lay->nnodes * c->nsets * price(names[k], dir, w->arena);
    }
}

static void faster_software(struct ana_whatif *w, const struct hci_layout *lay)
{
    static const char *const but[] = {"drain_age", "log_flush_batch", "switch", NULL};
    faster_rows(w, add(w, ANA_CHANGE_SOFTWARE, "software of the path twice as fast"), "platform",
                lay->platform->k.params, lay->platform_conf, but);
}

void ana_whatif_changes(struct ana_whatif *w, const struct hci_layout *lay,
                        const struct hci_result *x)
{
    network(w, lay);
    processors(w, lay, x);
    virtual_disks(w, lay);
    faster_drives(w, lay);
    free_flushes(w, lay, x);
    other_drives(w, lay, "xpoint");
    other_drives(w, lay, "nvme+flash+plp");
    faster_software(w, lay);
}
