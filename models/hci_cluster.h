/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_cluster.h: the live cluster: a layout's nodes, disks, links, CPUs and
 * virtual disks as stations of one simulation.
 *
 * Modelled: devices (by their kind), NIC links of each node, CVM and host
 * cores, guests with virtual disks and md RAID. Placement is a pure function
 * of virtual disk and extent. Not modelled: rack topology, switch buffers.
 * Invariants: built once per run from a checked layout and never changed; all
 * handles are valid for the simulation it was built in.
 */
#ifndef HCI_CLUSTER_H
#define HCI_CLUSTER_H

#include "hci_kind.h"
#include "hci_layout.h"
#include "hci_result.h"
#include "sim_sim.h"

/* Components a latency breaks down into. Part 0 is nobody's. */
#define HCI_PART_LIST(X)                      \
    X(OTHER, "other")                         \
    X(HOST_SUBMIT, "host submit")             \
    X(HOST_REAP, "host reap")                 \
    X(HOST_IRQ, "host interrupt")             \
    X(DEVICE, "device")                       \
    X(GUEST, "guest and hypervisor")          \
    X(FRODO, "hypervisor thread")             \
    X(CONTROLLER, "vdisk controller")         \
    X(CVM_CPU, "CVM CPU")                     \
    X(CVM_HANDOFF, "CVM hand-off")            \
    X(CACHE, "read cache")                    \
    X(LOG_SPACE, "log space")                 \
    X(LOG_LOCAL, "log device local")          \
    X(LOG_REMOTE, "log device remote")        \
    X(STORE_LOCAL, "extent store local")      \
    X(STORE_REMOTE, "extent store remote")    \
    X(NETWORK, "network")                     \
    X(REMOTE_CPU, "remote CVM CPU")           \
    X(FETCH, "fetch under way")               \
    X(ACK, "acknowledgement")

enum hci_part {
#define X(id, text) HCI_PART_##id,
    HCI_PART_LIST(X)
#undef X
        HCI_PART_COUNT
};
_Static_assert(HCI_PART_COUNT <= HCI_PARTS, "more parts than a result holds");

const char *hci_part_name(unsigned part);

struct hci_device {
    const struct hci_device_conf *conf;
    struct hci_cluster *cluster;
    void *state;            /* of the kind: conf->ops->k.state_size bytes */
    int node;
    unsigned index;         /* among the node's disks */
    char name[64];          /* "node0 nvme1 samsung-990pro-2tb" */
    uint64_t role;          /* enum hci_role */
    uint64_t salt;          /* of address hashing: by place, not by pointer */
    uint64_t bytes_read, bytes_written; /* commands carried, for wear and checks */
    uint64_t reads, writes; /* commands of at most mdts_bytes */
    uint64_t append_offset; /* next log append, device bytes */
    uint64_t spent_before;  /* of the fast write cache, as the layout states */
    uint32_t queue;         /* gate of its queue depth; SIM_NONE: deeper than matters */
    uint32_t flush;         /* station of its flushes */
    sim_time flush_end;     /* of the last flush under way or waiting */
};

#define HCI_MAX_LINKS 16

struct hci_net_conf { /* software and switch, from the platform */
    sim_time message_tcp_ns, message_rdma_ns; /* half a round trip without the wire */
    sim_time switch_ns;
};

#define HCI_WIRES_LOG2 6 /* remembered message sizes, by hash */

struct hci_wire { /* one message size on one NIC */
    uint64_t bytes;
    sim_time all_ns, frame_ns; /* the whole message; its first frame */
};

struct hci_node {
    unsigned index, ndisks, nlinks;
    struct hci_device **disks;
    uint32_t tx[HCI_MAX_LINKS], rx[HCI_MAX_LINKS]; /* pipes, one per link and direction */
    uint32_t cvm_cpu;       /* FIFO with one server per vCPU */
    const struct hci_node_conf *conf;
    struct hci_net_conf net;
    struct hci_wire wire[1 << HCI_WIRES_LOG2];
};

/* A quantity watched over time: a gauge is sampled, a counter differenced. */
typedef double hci_gauge_fn(const void *obj);

struct hci_gauge {
    struct hci_gauge *next;
    char name[64], unit[16];
    hci_gauge_fn *read;
    const void *obj;
    bool counter;
};

struct hci_vdisk {
    uint32_t index;         /* in the cluster; also its cache and log space */
    unsigned guest, leg;
    unsigned node;          /* home */
    uint32_t frodo;         /* hypervisor threads */
    uint32_t controller;    /* gate: its serialised part */
    uint32_t pending;       /* requests now inside, for md's read balance */
    uint64_t next_read;     /* where the last sequential read ended */
    struct hci_device *raw; /* native platform: the disk itself */
};

struct hci_guest {
    unsigned index, node, nlegs;
    uint64_t raid, chunk_bytes;
    struct hci_vdisk *legs;
};

struct hci_dist; /* one distribution and what it was made from */

struct hci_cluster {
    struct sim *sim;
    const struct hci_layout *layout;
    unsigned nnodes, nguests, nvdisks, ndevices;
    struct hci_node *nodes;
    struct hci_guest *guests;
    struct hci_device *devices;
    struct hci_check check;        /* space and shares per disk */
    void *state;                   /* of the platform */
    const struct hci_platform_ops *platform;
    struct hci_dist *dists;        /* list, owned; handed to sim */
    struct sim_arena *arena;
    struct hci_gauge *gauges;      /* list, in order of registration */
    unsigned ngauges;
    struct hci_vdisk **vdisks;     /* by index */
    uint64_t prepared_bytes;       /* files written before the run, on every guest's volume */
    sim_time skipped_ns;           /* so far: not simulated but counted (hci_skip.h) */
    uint64_t guest_bytes[4];       /* by enum hci_op: issued by guests */
    uint64_t leg_bytes[4];         /* the same after RAID: what virtual disks are to carry */
};

/* What travels in every I/O's payload. */
struct hci_io {
    struct hci_request rq;   /* as the guest issued it (background: as the platform did) */
    struct hci_cluster *cluster;
    uint64_t read_legs;      /* legs of mirrors that serve a piece of this read, as bits */
    uint64_t data;           /* the platform's own */
    uint32_t user;           /* the same */
    uint32_t core;           /* station of the submitting core; SIM_NONE: none */
    uint16_t guest;
    uint8_t engine;          /* enum hci_host_engine */
    uint8_t follows_reap;    /* issued by the completion before it, not by a timer */
};

enum hci_host_engine { HCI_HOST_LIBAIO, HCI_HOST_IO_URING, HCI_HOST_PSYNC, HCI_HOST_SPDK };

/* Builds the cluster in s. Returns SIM_OK or SIM_E_INPUT. */
int hci_cluster_create(struct hci_cluster **out, struct sim *s, const struct hci_layout *lay,
                       struct sim_err *e);
void hci_cluster_free(struct hci_cluster *c);

/* Distributions of the cluster's own, handed to the simulation; equal ones are
 * made once. Return the handle. role enters the key of the draws. */
uint16_t hci_cluster_mixture(struct hci_cluster *c, const char *role, double median_ns,
                             double sigma, double tail_weight, double tail_median_ns,
                             double tail_sigma);
uint16_t hci_cluster_exponential(struct hci_cluster *c, const char *role, double mean_ns);

/* Registers a quantity to be reported with every job. */
void hci_cluster_gauge(struct hci_cluster *c, const char *name, const char *unit, bool counter,
                       hci_gauge_fn *read, const void *obj);

/* Payload bytes/s one link carries at its MTU. */
uint64_t hci_net_payload_Bps(const struct hci_nic_conf *nic);

/* Gives d its queue and flush stations. */
void hci_disk_init(struct hci_device *d);

/* Steps of the calling I/O's path through a device: splits at the largest
 * command, holds the device's queue depth, follows a sync write by a flush. */
void hci_disk_io(struct sim_plan *p, struct hci_device *d, const struct hci_request *rq,
                 uint8_t part);

/* bytes were written to d in one go before the run, then it settled: what its
 * fast write cache still holds or has lost to a full drive, on top of what the
 * layout states. */
void hci_disk_prepared(struct hci_device *d, uint64_t bytes, const struct hci_initial *initial);

/* Makes all data written to d so far durable. Flushes serialise; those that
 * wait together share one. An idle device waits batch_ns for company first. */
void hci_disk_flush(struct sim_plan *p, struct hci_device *d, sim_time batch_ns, uint8_t part);

/* One message of `bytes` payload between two nodes: wire, switch and the
 * receiver's software. flow numbers the connection between the two. */
void hci_net(struct sim_plan *p, struct hci_node *from, struct hci_node *to, uint64_t bytes,
             uint32_t flow, uint8_t part);

/* A message without payload: too small to load the sender's port, where it
 * overtakes bulk data (fair queueing), but it queues at the receiver's. */
#define HCI_NET_HEADER 128 /* bytes of a message besides its payload */
void hci_net_ack(struct sim_plan *p, struct hci_node *from, struct hci_node *to, uint32_t flow,
                 uint8_t part);

/* Which virtual disks and offsets serve a guest request: every leg of a mirror
 * for a write, every column it touches of a stripe. Returns how many (<= max). */
struct hci_piece {
    struct hci_vdisk *vdisk;
    struct hci_request rq; /* offset on the virtual disk */
};
#define HCI_MAX_PIECES 64
unsigned hci_guest_map(struct hci_guest *g, struct hci_io *h, struct hci_piece *out, unsigned max);

/* The virtual disk and request behind leg number `leg`: a decision made later
 * knows a piece by it. */
struct hci_vdisk *hci_guest_piece(struct hci_guest *g, const struct hci_io *h, uint32_t leg,
                                  struct hci_request *rq);

/* By hci_vdisk.index. */
struct hci_vdisk *hci_cluster_vdisk(struct hci_cluster *c, unsigned index);

/* How often the guest's RAID carries a byte of this operation. */
unsigned hci_guest_copies(const struct hci_guest *g, unsigned op);

/* A request of the guest has completed: md's books. */
void hci_guest_done(const struct hci_io *h);

/* The point at which the guest's submit call returns: fio's slat ends here. */
void hci_submitted(struct sim_plan *p);

/* The time by which state ages: simulated and skipped. */
static inline sim_time hci_cluster_clock(const struct hci_cluster *c)
{
    return c->sim->now + c->skipped_ns;
}

/* bytes were written to d in skipped time; hci_device_ops.absorb. */
bool hci_disk_absorb(struct hci_device *d, uint64_t bytes);

/* hci_guest_map for skipped time: a mirror's read that continues no other takes
 * the leg that `draw` chooses, and nothing is pending afterwards. */
unsigned hci_guest_map_skipped(struct hci_guest *g, const struct hci_request *rq, uint64_t draw,
                               struct hci_piece *out, unsigned max);

/* The payload of an I/O. */
static inline struct hci_io *hci_io_of(struct sim_io *io) { return sim_io_payload(io, struct hci_io); }

#endif
