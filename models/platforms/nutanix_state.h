/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * nutanix_state.h: the live state of the Nutanix platform, shared by its write
 * and read paths (nutanix_io.c) and its background drain (nutanix_drain.c).
 *
 * Modelled: one write log per node, its space held by a gate; one read cache
 * per node; placement of log and extent data over a node's disks by size.
 * Not modelled: the log's own index, Cassandra, Curator, egroup allocation.
 * Invariants: log space is reserved before a write goes to any device and given
 * back when its extent has drained; a granule in the log is not in the cache.
 */
#ifndef HCI_PLATFORMS_NUTANIX_STATE_H
#define HCI_PLATFORMS_NUTANIX_STATE_H

#include "hci_cache.h"
#include "hci_cluster.h"
#include "hci_log.h"
#include "platforms/nutanix.h"

#define NUTANIX_MAX_COPIES 3
#define NUTANIX_FETCHES 1024     /* slots for granules being fetched, per node */
#define NUTANIX_FETCH_GATES 64   /* of them shared at a time */

struct nutanix_disks { /* a node's disks of one use, drawn by size */
    unsigned n;
    struct hci_device **disk;
    uint64_t *upto; /* cumulative bytes */
};

struct nutanix_episode { /* log data with the same peers, oldest first */
    uint64_t bytes;
    uint16_t peers[NUTANIX_MAX_COPIES - 1];
};

struct nutanix_vdisk {
    struct nutanix_episode *episode; /* ring */
    unsigned first, n, cap;
    uint64_t written;        /* bytes logged so far: numbers the episodes */
    uint64_t undrained;      /* logged bytes not yet given back */
    uint64_t episode_end;    /* of written: where the next begins */
    uint64_t log_key, place_key, copy_key; /* of where log data, extents and copies lie */
    uint64_t outstanding;    /* write bytes now between issue and acknowledgement */
};

struct nutanix_fetch {
    const struct sim_io *owner;
    uint64_t granule, count; /* first granule, how many */
    uint32_t space, gate;
    bool used;
};

struct nutanix_skip { /* of one node while time is skipped: nutanix_skip.c */
    uint64_t area, extents;      /* drains_area, extents_drained at the stratum's start */
    uint64_t window_area, window_extents; /* the same at the window's start */
    sim_time window_at;
    double extent_ns;            /* how long a drain takes; 0: unknown */
    double budget;               /* extents that may be drained now */
    uint64_t log_bytes, store_bytes; /* not yet given to the disks */
    unsigned idle, busy;         /* steps without a drain; unlike the window in being full */
    uint64_t hits, misses;       /* of the cache at the window's start */
    bool looked;                 /* at the window; the next three are what it showed */
    bool cold;                   /* next to nothing found in the cache */
    bool passed_by;              /* what is read need not enter the cache */
    bool active, full;           /* in the window: drains under way; all the time as many as may be */
};

struct nutanix_node {
    struct hci_cluster *cluster;
    struct hci_node *node;
    struct hci_cache *cache;
    struct hci_log *log;     /* of the virtual disks at home here */
    uint32_t space;          /* gate: bytes of its log; SIM_NONE: no log */
    uint64_t log_bytes;
    uint64_t start_level, stop_level; /* free log space: at most, at least: to drain or not */
    struct nutanix_disks log_disks, store_disks;
    unsigned drains;         /* extents under way */
    uint64_t extents_drained, drains_area; /* so far; integral of drains, ns */
    sim_time drains_since;   /* when drains last changed */
    struct nutanix_skip skip;
    bool draining, timer;
    uint64_t drained, bypassed; /* bytes */
    struct nutanix_fetch fetch[NUTANIX_FETCHES];
    uint32_t free_gate[NUTANIX_FETCH_GATES], nfree_gates;
    uint64_t *device_log_bytes; /* [log_disks.n] appended */
};

struct nutanix_state {
    const struct nutanix_conf *conf;
    struct nutanix_node *nodes;
    struct nutanix_vdisk *vdisks;
    unsigned copies;
    uint64_t logged, stored, coalesced; /* bytes of virtual disks: to the log, past it, drained */
    uint64_t most_logged;    /* bytes of the largest write that can be logged; 0: too few logs */
    struct sim_divisor granule, extent;
    struct sim_transfer frodo_copy, controller_copy, cvm_copy;
    bool *taken;             /* [nodes] scratch of the choice of peers */
    /* distributions of software times; [0] reads, [1] writes */
    uint16_t frodo, controller[2], cpu[2], peer_cpu[2], handoff, peer_handoff, hypervisor, ack;
};

static inline struct nutanix_state *nutanix_of(struct hci_cluster *c) { return c->state; }

/* First granule of a request, and how many it touches. */
static inline uint64_t nutanix_granule(const struct nutanix_state *st, const struct hci_request *rq)
{
    return sim_divide(rq->offset, st->granule);
}

static inline uint64_t nutanix_granules(const struct nutanix_state *st, const struct hci_request *rq)
{
    return sim_divide(rq->offset + rq->bytes - 1, st->granule) - nutanix_granule(st, rq) + 1;
}

/* Disk number of a set that `key` draws, by size. */
unsigned nutanix_draw(const struct nutanix_disks *d, uint64_t key);

/* Node of the r-th copy of an extent: the first is the home node's with
 * locality on; the rest follow from the extent's number. */
unsigned nutanix_copy(const struct hci_cluster *c, const struct hci_vdisk *v, uint64_t extent,
                      unsigned r);

/* Does the virtual disk's node hold a copy of the extent? */
bool nutanix_has_copy(const struct hci_cluster *c, const struct hci_vdisk *v, uint64_t extent);

/* Reads data of a virtual disk back from the log of node n. */
void nutanix_log_read(struct sim_plan *p, struct nutanix_node *n, const struct hci_vdisk *v,
                      const struct hci_request *rq);

/* A read or write of part of an extent on a node that holds a copy. */
void nutanix_store_io(struct sim_plan *p, struct nutanix_node *n, const struct hci_vdisk *v,
                      const struct hci_request *rq, uint8_t part);

/* Whether a write of the virtual disk is logged, with so many bytes outstanding. */
bool nutanix_to_log(struct hci_cluster *c, const struct hci_vdisk *v, const struct hci_request *rq,
                    uint64_t outstanding);

/* Whether the node has something to drain now; starts and stops draining by fill. */
bool nutanix_drain_due(struct nutanix_node *n);

/* bytes of the virtual disk's log are drained: their space is free again. */
void nutanix_give_back(struct hci_cluster *c, const struct hci_vdisk *v, uint64_t bytes);

/* Moves the state on while time is skipped. */
extern const struct hci_skip_ops nutanix_skip;

/* The virtual disk's data grew or time passed: drain if it is time to. */
void nutanix_drain_check(struct nutanix_node *n);

/* Peers for the log data written now; starts an episode when the last is full. */
const struct nutanix_episode *nutanix_episode(struct hci_cluster *c, const struct hci_vdisk *v,
                                              uint64_t bytes);

/* Can a write of this size from the node be logged: it and enough peers have a
 * log, and the smallest log of all could hold it. */
bool nutanix_can_log(const struct hci_cluster *c, const struct nutanix_node *n, uint64_t bytes);

/* The drain of one extent; hci_platform_ops.background. */
const char *nutanix_background(struct hci_cluster *c, struct sim_io *io, unsigned i);

/* The whole path of one guest I/O; hci_platform_ops.lower. */
void nutanix_lower(struct hci_cluster *c, struct sim_io *io);

#endif
