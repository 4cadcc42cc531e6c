/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_cluster.h"

#include "sim_mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *hci_part_name(unsigned part)
{
    static const char *const names[] = {
#define X(id, text) text,
        HCI_PART_LIST(X)
#undef X
    };
    return part < HCI_PART_COUNT ? names[part] : "?";
}

static double spent(const void *obj)
{
    const struct hci_device *d = obj;
    return (double)d->conf->ops->spent(d);
}

static double written(const void *obj)
{
    return (double)((const struct hci_device *)obj)->bytes_written;
}

static double read_bytes(const void *obj)
{
    return (double)((const struct hci_device *)obj)->bytes_read;
}

static void device_gauges(struct hci_cluster *c, struct hci_device *d)
{
    char name[64];
    snprintf(name, sizeof name, "node%d disk%u SLC in use", d->node, d->index);
    if (d->conf->ops->spent)
        hci_cluster_gauge(c, name, "bytes", false, spent, d);
    snprintf(name, sizeof name, "node%d disk%u written", d->node, d->index);
    hci_cluster_gauge(c, name, "bytes", true, written, d);
    snprintf(name, sizeof name, "node%d disk%u read", d->node, d->index);
    hci_cluster_gauge(c, name, "bytes", true, read_bytes, d);
}

static int build_device(struct hci_cluster *c, struct hci_device *d, unsigned node, unsigned index,
                        const struct hci_disk_conf *conf, struct sim_err *e)
{
    const struct hci_device_ops *ops = conf->device->ops;
    d->conf = conf->device;
    d->cluster = c;
    d->node = (int)node;
    d->index = index;
    d->role = conf->role;
    d->salt = sim_key(sim_role("disk"), (uint64_t)node << 16 | index);
    snprintf(d->name, sizeof d->name, "node%u disk%u %.28s", node, index, conf->device->name);
    d->state = sim_arena_alloc(c->arena, ops->k.state_size);
    hci_disk_init(d);
    int status = ops->k.init ? ops->k.init(d, e) : SIM_OK;
    if (status == SIM_OK && conf->slc_used_bytes && ops->set_spent)
        ops->set_spent(d, conf->slc_used_bytes, 0);
    if (status == SIM_OK)
        device_gauges(c, d);
    return status;
}

static void build_links(struct hci_cluster *c, struct hci_node *n)
{
    char name[64];
    n->nlinks = (unsigned)n->conf->nic.links;
    if (n->nlinks > HCI_MAX_LINKS)
        n->nlinks = HCI_MAX_LINKS;
    for (unsigned l = 0; l < n->nlinks; l++) {
        snprintf(name, sizeof name, "node%u link%u tx", n->index, l);
        n->tx[l] = sim_add_pipe(c->sim, name, (int)n->index);
        snprintf(name, sizeof name, "node%u link%u rx", n->index, l);
        n->rx[l] = sim_add_pipe(c->sim, name, (int)n->index);
    }
}

static int build_node(struct hci_cluster *c, struct hci_node *n, unsigned index,
                      struct hci_device **next, struct sim_err *e)
{
    const struct hci_node_conf *conf = &c->layout->nodes[index];
    char name[64];
    n->index = index;
    n->conf = conf;
    n->ndisks = conf->ndisks;
    n->disks = sim_arena_alloc(c->arena, (conf->ndisks + 1) * sizeof *n->disks);
    build_links(c, n);
    snprintf(name, sizeof name, "node%u CVM CPU", index);
    n->cvm_cpu = sim_add_fifo(c->sim, name, (int)index,
                              (uint32_t)(conf->cvm_vcpus ? conf->cvm_vcpus : 1));
    for (unsigned i = 0; i < conf->ndisks; i++) {
        n->disks[i] = (*next)++;
        int status = build_device(c, n->disks[i], index, i, &conf->disks[i], e);
        if (status != SIM_OK)
            return status;
    }
    return SIM_OK;
}

static void build_guest(struct hci_cluster *c, struct hci_guest *g, unsigned index)
{
    const struct hci_guest_conf *conf = &c->layout->guests[index];
    g->index = index;
    g->node = (unsigned)conf->node;
    g->nlegs = (unsigned)conf->vdisks;
    g->raid = conf->raid;
    g->chunk_bytes = conf->chunk_bytes;
    g->legs = sim_arena_alloc(c->arena, g->nlegs * sizeof *g->legs);
    for (unsigned l = 0; l < g->nlegs; l++) {
        struct hci_vdisk *v = &g->legs[l];
        v->index = c->nvdisks++;
        v->guest = index;
        v->leg = l;
        v->node = g->node;
        v->frodo = v->controller = SIM_NONE;
    }
}

static void index_vdisks(struct hci_cluster *c)
{
    c->vdisks = sim_arena_alloc(c->arena, (c->nvdisks + 1) * sizeof *c->vdisks);
    for (unsigned g = 0; g < c->nguests; g++)
        for (unsigned l = 0; l < c->guests[g].nlegs; l++)
            c->vdisks[c->guests[g].legs[l].index] = &c->guests[g].legs[l];
}

static int build(struct hci_cluster *c, struct sim_err *e)
{
    const struct hci_layout *lay = c->layout;
    c->nnodes = lay->nnodes;
    c->nguests = lay->nguests;
    c->nodes = sim_arena_alloc(c->arena, lay->nnodes * sizeof *c->nodes);
    c->guests = sim_arena_alloc(c->arena, lay->nguests * sizeof *c->guests);
    for (unsigned i = 0; i < lay->nnodes; i++)
        c->ndevices += lay->nodes[i].ndisks;
    c->devices = sim_arena_alloc(c->arena, (c->ndevices + 1) * sizeof *c->devices);
    struct hci_device *next = c->devices;
    for (unsigned i = 0; i < lay->nnodes; i++) {
        int status = build_node(c, &c->nodes[i], i, &next, e);
        if (status != SIM_OK)
            return status;
    }
    for (unsigned i = 0; i < lay->nguests; i++)
        if (lay->guests[i].vdisks > HCI_MAX_PIECES && lay->guests[i].raid != HCI_RAID_NONE)
            return sim_fail_at(e, SIM_E_INPUT, lay->path, lay->guests[i].line,
                               "RAID over more than %d virtual disks is not supported",
                               HCI_MAX_PIECES);
    for (unsigned i = 0; i < lay->nguests; i++)
        build_guest(c, &c->guests[i], i);
    index_vdisks(c);
    int status = hci_layout_check(lay, &c->check, e);
    if (status == SIM_OK && c->platform->k.state_size)
        c->state = sim_arena_alloc(c->arena, c->platform->k.state_size);
    if (status == SIM_OK && c->platform->k.init)
        status = c->platform->k.init(c, e);
    return status;
}

int hci_cluster_create(struct hci_cluster **out, struct sim *s, const struct hci_layout *lay,
                       struct sim_err *e)
{
    struct sim_arena *arena = sim_arena_create(64 * 1024);
    struct hci_cluster *c = sim_arena_alloc(arena, sizeof *c);
    c->arena = arena;
    c->sim = s;
    c->layout = lay;
    c->platform = lay->platform;
    s->model = c;
    int status = build(c, e);
    if (status != SIM_OK) {
        hci_cluster_free(c);
        c = NULL;
    }
    *out = c;
    return status;
}

void hci_cluster_free(struct hci_cluster *c)
{
    if (!c)
        return;
    if (c->state && c->platform->k.fini)
        c->platform->k.fini(c);
    for (unsigned i = 0; i < c->ndevices; i++)
        if (c->devices[i].state && c->devices[i].conf->ops->k.fini)
            c->devices[i].conf->ops->k.fini(&c->devices[i]);
    hci_check_free(&c->check);
    sim_arena_free(c->arena);
}

void hci_cluster_gauge(struct hci_cluster *c, const char *name, const char *unit, bool counter,
                       hci_gauge_fn *read, const void *obj)
{
    struct hci_gauge *g = sim_arena_alloc(c->arena, sizeof *g);
    *g = (struct hci_gauge){.read = read, .obj = obj, .counter = counter};
    snprintf(g->name, sizeof g->name, "%.63s", name);
    snprintf(g->unit, sizeof g->unit, "%.15s", unit);
    struct hci_gauge **at = &c->gauges;
    while (*at)
        at = &(*at)->next;
    *at = g;
    c->ngauges++;
}
