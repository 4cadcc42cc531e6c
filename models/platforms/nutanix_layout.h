/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * nutanix_layout.h: what Nutanix makes of a node's disks, without simulating.
 *
 * Modelled: space per disk (file system, reservation, metadata, log share),
 * the rules of what installs, upgrades and survives a failure.
 * Not modelled: growth of metadata, wear, firmware compatibility lists.
 * Invariants: integer arithmetic on bytes; the log shares of a node never
 * exceed its budget; usable = reserved-adjusted file system - metadata - log.
 */
#ifndef HCI_PLATFORMS_NUTANIX_LAYOUT_H
#define HCI_PLATFORMS_NUTANIX_LAYOUT_H

#include "hci_layout.h"
#include "platforms/nutanix.h"

/* One disk as the space rules see it. In: all but the three marked out. */
struct nutanix_space {
    uint64_t statfs_bytes;
    uint64_t metadata_bytes;  /* 0: none on this disk */
    uint64_t blockstore;      /* 1: usable space is a multiple of 4096 before the log */
    uint64_t in_log;          /* 1: takes part in the log */
    uint64_t explicit_log;    /* UINT64_MAX: by weight; else bytes */
    uint64_t log_bytes;       /* out */
    uint64_t usable_bytes;    /* out */
    double usable_exact;      /* out: before rounding, bytes */
};

/* Splits the node's log budget over d[0..n) by weight and computes what stays
 * usable. A disk that cannot hold its reservations has usable 0. */
void nutanix_space_split(const struct nutanix_conf *c, struct nutanix_space *d, unsigned n);

/* Size of the data file system of a raw disk: first CVM disk, NVMe, other. */
uint64_t nutanix_statfs(const struct nutanix_conf *c, uint64_t raw_bytes, int first_cvm, int nvme);

/* The space of every disk of a node, s[0..n->ndisks), by the rules above. A
 * boot disk gets zeroes. */
void nutanix_node_space(const struct nutanix_conf *c, const struct hci_node_conf *n,
                        struct nutanix_space *s);

/* Whether a disk may hold a share of the log (there is a limit on how many). */
int nutanix_takes_log(const struct hci_disk_conf *d);

/* Unified Cache of one node, bytes. */
uint64_t nutanix_cache_bytes(const struct nutanix_conf *c, const struct hci_node_conf *n);

/* Space of every disk and the findings; hci_platform_ops.check.
 * (nutanix_rules.c) */
int nutanix_layout_check(const struct hci_layout *lay, struct hci_check *out, struct sim_err *e);

/* Contradictions that make a layout meaningless; hci_platform_ops.validate. */
int nutanix_layout_validate(const struct hci_layout *lay, struct sim_err *e);

#endif
