/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "platforms/nutanix_layout.h"

#include "hci_check.h"
#include "hci_kind.h"

#include <stdio.h>
#include <string.h>

#define BIBLE "Nutanix Bible, Book of AOS"
#define GUIDE "Nutanix CE installation guide"
#define STORY "story 1, author's notes"
#define LOG "story 1, controller VM log"

#define GB 1000000000ULL

struct rules { /* what every rule looks at */
    const struct hci_layout *lay;
    const struct nutanix_conf *conf;
    struct hci_check *out;
    const struct hci_node_conf *node; /* of the node rules */
    const struct nutanix_space *space;
    char where[32]; /* "nodes 0-2: " */
};

static const char *name_of(const struct hci_disk_conf *d)
{
    return d->device->name;
}

static uint64_t raw(const struct hci_disk_conf *d)
{
    return d->device->common.raw_bytes;
}

static void rule_boot_smallest(struct rules *r)
{
    const struct hci_node_conf *n = r->node;
    const struct hci_disk_conf *boot = NULL, *small = NULL;
    unsigned data = 0;
    for (unsigned k = 0; k < n->ndisks; k++) {
        const struct hci_disk_conf *d = &n->disks[k];
        data += d->role == HCI_ROLE_DATA;
        if (d->role == HCI_ROLE_BOOT)
            boot = boot ? boot : d;
        else if (!small || raw(d) < raw(small))
            small = d;
    }
    if (!boot || !small || raw(boot) <= raw(small))
        return;
    if (data)
        hci_check_find(r->out, HCI_ERROR, "CE1", STORY,
                       "%sthe boot disk %s is not the smallest, %s is, and a disk has the role "
                       "data: the installer crashes",
                       r->where, name_of(boot), name_of(small));
    else
        hci_check_find(r->out, HCI_NOTE, "CE1", STORY,
                       "%sthe boot disk %s is not the smallest, %s is; without a disk in the role "
                       "data this installs",
                       r->where, name_of(boot), name_of(small));
}

static void too_small(struct rules *r, const struct hci_disk_conf *d, uint64_t least, int severity,
                      const char *role)
{
    if (raw(d) < least * GB)
        hci_check_find(r->out, severity, "CE2", GUIDE, "%s%s disk %s has %.1f GB, below %llu GB",
                       r->where, role, name_of(d), (double)raw(d) / (double)GB,
                       (unsigned long long)least);
}

static void rule_minima(struct rules *r)
{
    for (unsigned k = 0; k < r->node->ndisks; k++) {
        const struct hci_disk_conf *d = &r->node->disks[k];
        if (d->role == HCI_ROLE_BOOT)
            too_small(r, d, 64, HCI_ERROR, "boot");
        else if (d->role == HCI_ROLE_CVM)
            too_small(r, d, 200, HCI_ERROR, "CVM");
        else
            too_small(r, d, 500, HCI_WARN, "data");
    }
    if (r->node->memory_bytes < 32 * GB)
        hci_check_find(r->out, HCI_WARN, "CE2", GUIDE, "%s%.1f GB of memory, below 32 GB", r->where,
                       (double)r->node->memory_bytes / (double)GB);
    if (r->node->cvm_vcpus > r->node->cores)
        hci_check_find(r->out, HCI_WARN, "CE6", GUIDE,
                       "%s%llu vCPUs of the controller VM on %llu cores: it waits for the host",
                       r->where, (unsigned long long)r->node->cvm_vcpus,
                       (unsigned long long)r->node->cores);
}

static void rule_curator(struct rules *r)
{
    const struct hci_disk_conf *best = NULL;
    uint64_t most = 0;
    char have[32], need[32];
    for (unsigned k = 0; k < r->node->ndisks; k++)
        if (r->node->disks[k].role == HCI_ROLE_CVM && (!best || r->space[k].usable_bytes > most)) {
            best = &r->node->disks[k];
            most = r->space[k].usable_bytes;
        }
    if (!best || most >= r->conf->curator_bytes)
        return;
    hci_check_find(r->out, HCI_ERROR, "CE3", LOG,
                   "%sCurator needs %s on one CVM disk, the largest, %s, has %s usable: no "
                   "Curator primary can be chosen and upgrades are blocked, even where it installs",
                   r->where, hci_check_gib(r->conf->curator_bytes, need, sizeof need),
                   name_of(best), hci_check_gib(most, have, sizeof have));
}

static void rule_usb_boot(struct rules *r)
{
    for (unsigned k = 0; k < r->node->ndisks; k++) {
        const struct hci_disk_conf *d = &r->node->disks[k];
        if (d->role == HCI_ROLE_BOOT && d->device->common.iface == HCI_IF_USB)
            hci_check_find(r->out, HCI_WARN, "CE4", STORY,
                           "%sboots from USB (%s): it installs; look at the upgrade checks before "
                           "relying on it",
                           r->where, name_of(d));
    }
}

static int is_fast(const struct hci_disk_conf *d)
{
    return strcmp(d->device->ops->k.name, "xpoint") == 0;
}

/* One tier holds all NVMe drives, whatever their speed. */
static void rule_shared_tier(struct rules *r)
{
    uint64_t all = 0, fast = 0;
    unsigned slower = 0;
    const struct hci_disk_conf *first = NULL;
    for (unsigned k = 0; k < r->node->ndisks; k++) {
        const struct hci_disk_conf *d = &r->node->disks[k];
        if (!r->space[k].in_log)
            continue;
        all += r->space[k].log_bytes;
        if (is_fast(d)) {
            fast += r->space[k].log_bytes;
            first = first ? first : d;
        } else {
            slower += d->device->common.iface == HCI_IF_NVME;
        }
    }
    if (!first || !slower || !all)
        return;
    double share = (double)fast / (double)all, none_slow = 1;
    for (uint64_t k = 0; k < r->conf->redundancy; k++)
        none_slow *= share;
    hci_check_find(r->out, share < 0.5 ? HCI_WARN : HCI_NOTE, "NX1", LOG,
                   "%s%s shares the tier SSD-PCIe with slower drives and holds %.1f %% of the "
                   "node's OpLog: with %u copies, %.1f %% of acknowledged writes wait for a slower "
                   "drive",
                   r->where, name_of(first), 100 * share, (unsigned)r->conf->redundancy,
                   100 * (1 - none_slow));
}

static void rule_log_disks(struct rules *r)
{
    unsigned could = 0, seen = 0;
    for (unsigned k = 0; k < r->node->ndisks; k++) {
        const struct hci_disk_conf *d = &r->node->disks[k];
        could += (unsigned)nutanix_takes_log(d);
        if (!r->space[k].in_log || !r->space[k].log_bytes || d->device->common.plp || is_fast(d) ||
            seen++)
            continue;
        hci_check_find(r->out, HCI_WARN, "CE-S", "Vitastor documentation, consumer drive tests",
                       "%s%s holds OpLog and has no power-loss protection: a flushed write takes "
                       "%.1f ms on it (see log_flush)",
                       r->where, name_of(d), (double)d->device->common.flush_ns / 1e6);
    }
    if (could > r->conf->oplog_max_ssds)
        hci_check_find(r->out, HCI_NOTE, "NX10", BIBLE,
                       "%s%u flash disks, only %u of them take part in the OpLog", r->where, could,
                       (unsigned)r->conf->oplog_max_ssds);
}

static void rule_hot_set(struct rules *r)
{
    uint64_t cache = nutanix_cache_bytes(r->conf, r->node), hot = r->lay->initial.hot_set_bytes;
    char a[32], b[32];
    if (hot > cache)
        hci_check_find(r->out, HCI_NOTE, "NX7", BIBLE,
                       "%sthe hot set of %s exceeds the Unified Cache of %s: at most %.1f %% of "
                       "uniform reads can hit",
                       r->where, hci_check_gib(hot, a, sizeof a),
                       hci_check_gib(cache, b, sizeof b), 100 * (double)cache / (double)hot);
}

static void rule_node_count(struct rules *r)
{
    unsigned n = r->lay->nnodes, rf = (unsigned)r->conf->redundancy;
    if (n == 2)
        hci_check_find(r->out, HCI_ERROR, "CE5", BIBLE "; " GUIDE,
                       "a cluster has 1 or at least 3 nodes, not 2");
    if (rf == 3 && n < 5)
        hci_check_find(r->out, HCI_ERROR, "NX2", BIBLE,
                       "redundancy factor 3 needs at least 5 nodes, the layout has %u", n);
    if (rf == 2 && n < 3)
        hci_check_find(r->out, HCI_ERROR, "NX2", BIBLE,
                       "redundancy factor 2 needs at least 3 nodes, the layout has %u", n);
}

static void rule_erasure_coding(struct rules *r)
{
    static const unsigned least[] = { [NUTANIX_EC_NONE] = 0, [NUTANIX_EC_2_1] = 4,
                                      [NUTANIX_EC_3_1] = 5, [NUTANIX_EC_4_1] = 6 };
    static const char *const strip[] = { "", "2/1", "3/1", "4/1" };
    uint64_t ec = r->conf->erasure_coding;
    if (r->lay->nnodes < least[ec])
        hci_check_find(r->out, HCI_WARN, "NX3", BIBLE,
                       "erasure coding %s needs %u nodes to rebuild a strip, the layout has %u",
                       strip[ec], least[ec], r->lay->nnodes);
}

static void rule_blocks(struct rules *r)
{
    unsigned blocks = 0;
    if (!r->conf->block_awareness)
        return;
    for (unsigned i = 0; i < r->lay->nnodes; i++) {
        unsigned k = 0;
        while (k < i && r->lay->nodes[k].block != r->lay->nodes[i].block)
            k++;
        blocks += k == i;
    }
    if (blocks < 3)
        hci_check_find(r->out, HCI_ERROR, "NX6", BIBLE,
                       "block awareness needs at least 3 blocks, the layout has %u", blocks);
}

/* left: usable bytes without the nodes whose loss must be survived. */
static void rule_fill(struct rules *r, uint64_t left)
{
    const struct hci_initial *in = &r->lay->initial;
    double share = in->planned_use > in->fullness ? in->planned_use : in->fullness;
    double use = share * (double)r->out->usable_bytes;
    char a[32], b[32];
    if (share <= 0)
        return;
    hci_check_gib((uint64_t)use, a, sizeof a);
    if (use > 0.9 * (double)left)
        hci_check_find(r->out, HCI_WARN, "NX4", BIBLE,
                       "%s in use exceed 90 %% of the %s that stay after losing %u node%s", a,
                       hci_check_gib(left, b, sizeof b), (unsigned)r->conf->redundancy - 1,
                       r->conf->redundancy == 2 ? "" : "s");
    if (share > r->conf->readonly_share)
        hci_check_find(r->out, HCI_ERROR, "NX5", BIBLE,
                       "%.1f %% full: above %.0f %% the storage turns read-only", 100 * share,
                       100 * r->conf->readonly_share);
    else if (share > r->conf->alert_share)
        hci_check_find(r->out, HCI_WARN, "NX5", BIBLE,
                       "%.1f %% full: above %.0f %% the cluster alerts", 100 * share,
                       100 * r->conf->alert_share);
}

static void rule_guests(struct rules *r)
{
    char limit[32];
    hci_unit_format(HCI_BYTES, r->conf->oplog_bypass_bytes, limit, sizeof limit);
    hci_check_find(r->out, HCI_NOTE, "NX8", BIBLE,
                   "writes with more than %s outstanding on one virtual disk (1 MiB at depth 2, 4 "
                   "KiB at depth %llu) bypass the OpLog: such a job says nothing about its disks",
                   limit, (unsigned long long)(r->conf->oplog_bypass_bytes / 4096 + 1));
    for (unsigned i = 0; i < r->lay->nguests; i++)
        if (r->lay->guests[i].vdisks == 1) {
            hci_check_find(r->out, HCI_NOTE, "NX9", "Nutanix developer blog, vDisk sharding",
                           "guest %u has a single virtual disk, served by %u controller thread%s: "
                           "spread a high-IOPS job over several",
                           i, (unsigned)r->conf->vdisk_shards,
                           r->conf->vdisk_shards == 1 ? "" : "s");
            return;
        }
}

/* Nodes from one entry of the layout are alike and are judged once. */
static unsigned same_entry(const struct hci_layout *lay, unsigned i)
{
    unsigned k = i;
    while (k + 1 < lay->nnodes && lay->nodes[k + 1].disks == lay->nodes[i].disks)
        k++;
    return k;
}

static void judge_node(struct rules *r)
{
    rule_boot_smallest(r);
    rule_minima(r);
    rule_curator(r);
    rule_usb_boot(r);
    rule_shared_tier(r);
    rule_log_disks(r);
    rule_hot_set(r);
}

/* Books the space of node i and returns what is usable on it. */
static uint64_t book_node(struct rules *r, unsigned i)
{
    const struct hci_node_conf *n = &r->lay->nodes[i];
    uint64_t usable = 0, log = 0, cache = nutanix_cache_bytes(r->conf, n);
    for (unsigned k = 0; k < n->ndisks; k++)
        log += r->space[k].log_bytes;
    for (unsigned k = 0; k < n->ndisks; k++) {
        const struct nutanix_space *s = &r->space[k];
        struct hci_disk_space *d = hci_check_disk(r->out, i, k);
        d->statfs_bytes = s->statfs_bytes;
        d->log_bytes = s->log_bytes;
        d->metadata_bytes = s->metadata_bytes;
        d->usable_bytes = s->usable_bytes;
        d->usable_exact = s->usable_exact;
        d->log_share = log ? (double)s->log_bytes / (double)log : 0;
        usable += s->usable_bytes;
        r->out->raw_bytes += raw(&n->disks[k]);
    }
    r->out->usable_bytes += usable;
    if (i == 0 || cache < r->out->cache_bytes_per_node)
        r->out->cache_bytes_per_node = cache;
    return usable;
}

int nutanix_layout_check(const struct hci_layout *lay, struct hci_check *out, struct sim_err *e)
{
    struct rules r = { .lay = lay, .conf = lay->platform_conf, .out = out };
    struct nutanix_space space[HCI_DISKS_MAX];
    uint64_t largest[2] = { 0, 0 }; /* nodes, by usable bytes */
    (void)e;
    r.space = space;
    for (unsigned i = 0, last; i < lay->nnodes; i = last + 1) {
        last = same_entry(lay, i);
        r.node = &lay->nodes[i];
        nutanix_node_space(r.conf, r.node, space);
        if (last > i)
            snprintf(r.where, sizeof r.where, "nodes %u-%u: ", i, last);
        else
            snprintf(r.where, sizeof r.where, "node %u: ", i);
        judge_node(&r);
        for (unsigned k = i; k <= last; k++) {
            uint64_t usable = book_node(&r, k);
            largest[1] = sim_max(largest[1], sim_min(largest[0], usable));
            largest[0] = sim_max(largest[0], usable);
        }
    }
    uint64_t lost = (r.conf->redundancy > 1 ? largest[0] : 0) +
                    (r.conf->redundancy > 2 ? largest[1] : 0);
    uint64_t left = out->usable_bytes - lost;
    out->resilient_bytes = (uint64_t)((double)left * r.conf->readonly_share);
    rule_node_count(&r);
    rule_erasure_coding(&r);
    rule_blocks(&r);
    rule_fill(&r, left);
    rule_guests(&r);
    return SIM_OK;
}
