/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "platforms/nutanix_layout.h"

#include "hci_kind.h"

#include <string.h>

typedef unsigned __int128 u128;

#define PPM 1000000ULL

/* Shares are given as decimals such as 0.05; whole millionths keep the
 * arithmetic on bytes exact. */
static uint64_t ppm(double share)
{
    return (uint64_t)(share * (double)PPM + 0.5);
}

/* What the reservation leaves of a file system, in millionths of a byte. */
static u128 kept(const struct nutanix_conf *c, const struct nutanix_space *d)
{
    return (u128)d->statfs_bytes * (PPM - ppm(c->reserved_share));
}

/* A disk with metadata counts with what is left of it, any other with its
 * whole file system: the only weights that reproduce the logged reservations
 * to the byte. */
static u128 weight(const struct nutanix_conf *c, const struct nutanix_space *d)
{
    if (!d->in_log || d->explicit_log != UINT64_MAX)
        return 0;
    if (d->metadata_bytes == 0)
        return (u128)d->statfs_bytes * PPM;
    u128 k = kept(c, d), m = (u128)d->metadata_bytes * PPM;
    return k > m ? k - m : 0;
}

static void usable(const struct nutanix_conf *c, struct nutanix_space *d)
{
    u128 k = kept(c, d), whole = k / PPM, frac = k % PPM;
    if (d->blockstore) {
        whole -= whole % 4096;
        frac = 0;
    }
    u128 taken = (u128)d->metadata_bytes + d->log_bytes;
    if (whole < taken) {
        d->usable_bytes = 0;
        d->usable_exact = 0;
        return;
    }
    d->usable_bytes = (uint64_t)(whole - taken);
    d->usable_exact = (double)d->usable_bytes + (double)frac / (double)PPM;
}

void nutanix_space_split(const struct nutanix_conf *c, struct nutanix_space *d, unsigned n)
{
    u128 sum = 0;
    uint64_t budget = c->oplog_budget_bytes;
    for (unsigned i = 0; i < n; i++) {
        sum += weight(c, &d[i]);
        if (d[i].in_log && d[i].explicit_log != UINT64_MAX)
            budget -= sim_min(budget, d[i].explicit_log);
    }
    u128 most = sum / PPM * ppm(c->oplog_share_max) / PPM;
    if (most < budget)
        budget = (uint64_t)most;
    for (unsigned i = 0; i < n; i++) {
        if (!d[i].in_log)
            d[i].log_bytes = 0;
        else if (d[i].explicit_log != UINT64_MAX)
            d[i].log_bytes = d[i].explicit_log;
        else
            d[i].log_bytes = sum ? (uint64_t)(weight(c, &d[i]) * budget / sum) : 0;
        usable(c, &d[i]);
    }
}

uint64_t nutanix_statfs(const struct nutanix_conf *c, uint64_t raw_bytes, int first_cvm, int nvme)
{
    uint64_t off = nvme ? c->blockstore_overhead_bytes
                        : (uint64_t)((u128)raw_bytes * ppm(c->ext4_share) / PPM);
    if (first_cvm)
        off = c->home_bytes;
    return raw_bytes > off ? raw_bytes - off : 0;
}

int nutanix_takes_log(const struct hci_disk_conf *d)
{
    return d->role != HCI_ROLE_BOOT && d->device->common.iface != HCI_IF_USB;
}

/* NVMe drives before others, up to the limit, in the order of the layout. */
static void choose_log_disks(const struct nutanix_conf *c, const struct hci_node_conf *n,
                             struct nutanix_space *s)
{
    uint64_t left = c->oplog_max_ssds;
    for (int nvme = 1; nvme >= 0; nvme--)
        for (unsigned k = 0; k < n->ndisks && left; k++) {
            const struct hci_disk_conf *d = &n->disks[k];
            if (!nutanix_takes_log(d) || (d->device->common.iface == HCI_IF_NVME) != nvme)
                continue;
            s[k].in_log = 1;
            left--;
        }
}

void nutanix_node_space(const struct nutanix_conf *c, const struct hci_node_conf *n,
                        struct nutanix_space *s)
{
    int first = 1;
    memset(s, 0, n->ndisks * sizeof *s);
    for (unsigned k = 0; k < n->ndisks; k++) {
        const struct hci_disk_conf *d = &n->disks[k];
        int nvme = d->device->common.iface == HCI_IF_NVME;
        int home = d->role == HCI_ROLE_CVM && first;
        s[k].explicit_log = d->log_bytes;
        if (d->role == HCI_ROLE_BOOT)
            continue;
        s[k].statfs_bytes = d->statfs_bytes
                                ? d->statfs_bytes
                                : nutanix_statfs(c, d->device->common.raw_bytes, home, nvme);
        s[k].metadata_bytes = home ? c->metadata_bytes : 0;
        s[k].blockstore = nvme && !home;
        first = first && !home;
    }
    choose_log_disks(c, n, s);
    nutanix_space_split(c, s, n->ndisks);
}

uint64_t nutanix_cache_bytes(const struct nutanix_conf *c, const struct hci_node_conf *n)
{
    if (n->cvm_memory_bytes <= c->cache_base_bytes)
        return 0;
    return (uint64_t)((u128)(n->cvm_memory_bytes - c->cache_base_bytes) * ppm(c->cache_share) / PPM);
}

static int validate_node(const struct hci_layout *lay, unsigned i, struct sim_err *e)
{
    const struct hci_node_conf *n = &lay->nodes[i];
    unsigned cvm = 0;
    for (unsigned k = 0; k < n->ndisks; k++) {
        const struct hci_disk_conf *d = &n->disks[k];
        cvm += d->role == HCI_ROLE_CVM;
        if (d->role == HCI_ROLE_CACHE || d->role == HCI_ROLE_CAPACITY)
            return sim_fail_at(e, SIM_E_INPUT, lay->path, d->line,
                               "disk: platform nutanix knows the roles boot, cvm and data only");
        if (d->role == HCI_ROLE_BOOT && d->log_bytes != HCI_AUTO && d->log_bytes)
            return sim_fail_at(e, SIM_E_INPUT, lay->path, d->line,
                               "disk: a boot disk cannot hold a share of the log");
        if (d->log_bytes != HCI_AUTO && d->log_bytes > d->device->common.raw_bytes)
            return sim_fail_at(e, SIM_E_INPUT, lay->path, d->line,
                               "disk: log_bytes is larger than %s", d->device->name);
    }
    if (!cvm)
        return sim_fail_at(e, SIM_E_INPUT, lay->path, n->line,
                           "node %u has no disk with the role cvm", i);
    if (n->cvm_memory_bytes > n->memory_bytes)
        return sim_fail_at(e, SIM_E_INPUT, lay->path, n->line,
                           "node %u: the cvm's memory is larger than the node's", i);
    return SIM_OK;
}

int nutanix_layout_validate(const struct hci_layout *lay, struct sim_err *e)
{
    const struct nutanix_conf *c = lay->platform_conf;
    if (c->redundancy > lay->nnodes) {
        const struct hci_prov *pv = &lay->platform_prov[0]; /* the first row */
        return sim_fail_at(e, SIM_E_INPUT, pv->file ? pv->file : lay->path,
                           pv->file ? pv->line : lay->nodes_line,
                           "redundancy %u needs %u nodes, the layout has %u",
                           (unsigned)c->redundancy, (unsigned)c->redundancy, lay->nnodes);
    }
    if (c->drain_stop > c->drain_start)
        return sim_fail_at(e, SIM_E_INPUT, lay->path, 0,
                           "platform: drain_stop is larger than drain_start");
    if (c->extent_bytes % c->cache_granule_bytes || c->extent_bytes / c->cache_granule_bytes > 1 << 21)
        return sim_fail_at(e, SIM_E_INPUT, lay->path, 0,
                           "platform: extent must be a multiple of cache_granule, at most 2^21 of it");
    for (unsigned i = 0; i < lay->nnodes; i++)
        if (validate_node(lay, i, e) != SIM_OK)
            return SIM_E_INPUT;
    return SIM_OK;
}
