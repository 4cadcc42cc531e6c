/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * nutanix.h: the numbers of the Nutanix I/O path and of its layout rules.
 *
 * Modelled: guest and hypervisor, controller VM, write log (OpLog) with
 * replicas, background drain, extent store, Unified Cache, locality, space
 * per disk. Not modelled: compression, deduplication, erasure coding (only its
 * layout rule), Curator scans, snapshots.
 * Invariant: shares lie in 0..1; drain_stop <= drain_start.
 */
#ifndef HCI_PLATFORMS_NUTANIX_H
#define HCI_PLATFORMS_NUTANIX_H

#include <stdint.h>

enum nutanix_flush { NUTANIX_FLUSH_NONE, NUTANIX_FLUSH_PER_WRITE, NUTANIX_FLUSH_BATCHED };
enum nutanix_ec { NUTANIX_EC_NONE, NUTANIX_EC_2_1, NUTANIX_EC_3_1, NUTANIX_EC_4_1 };

struct nutanix_conf {
    uint64_t redundancy;          /* copies: 2 or 3 (1: single node) */
    uint64_t erasure_coding;      /* enum nutanix_ec; layout rule only */
    uint64_t block_awareness;     /* layout rule only */
    /* hypervisor */
    uint64_t frodo_ns;            /* busy time of a frodo thread per I/O */
    uint64_t frodo_threads;       /* per virtual disk, with two or more guest vCPUs */
    uint64_t frodo_Bps;           /* one thread's copy rate */
    uint64_t hypervisor_delay_ns; /* the rest: guest, virtio, iSCSI; occupies nothing */
    /* controller VM */
    uint64_t stargate_cpu_read_ns, stargate_cpu_write_ns; /* CPU per op and hop */
    uint64_t stargate_handoff_ns; /* latency per hop that is not CPU */
    double cpu_cv;                /* spread of every software time, sd / mean */
    uint64_t controller_ns;       /* part serialised per virtual disk (and shard) */
    uint64_t controller_Bps;      /* bytes/s that part passes on */
    uint64_t vdisk_shards;
    uint64_t cvm_Bps;             /* checksum and copy rate of one vCPU */
    uint64_t ack_ns;              /* the acknowledgement's way back */
    /* network software */
    uint64_t message_tcp_ns, message_rdma_ns; /* half a round trip without the wire */
    uint64_t switch_ns;
    /* write log */
    uint64_t oplog_budget_bytes;  /* per node */
    double oplog_share_max;       /* of the node's weighted space; small nodes get less */
    uint64_t oplog_bypass_bytes;  /* outstanding on one virtual disk: above it, extent store */
    uint64_t oplog_max_ssds;
    uint64_t oplog_episode_bytes; /* data between two choices of the peer */
    uint64_t log_flush;           /* enum nutanix_flush */
    uint64_t log_flush_batch_ns;  /* batched: one flush for the writes of this time */
    uint64_t sustained_random_bypass;
    uint64_t sustained_random_bytes; /* undrained bytes of one virtual disk that trigger it */
    uint64_t extent_bytes;
    double drain_start, drain_stop; /* fill of the log, share */
    uint64_t drain_parallel;      /* extents in flight per node */
    uint64_t drain_age_ns;        /* older data drain below the start as well */
    uint64_t drain_cpu_ns;        /* CPU per contiguous run drained and hop */
    /* Unified Cache */
    double cache_share;           /* of CVM memory above the base */
    uint64_t cache_base_bytes, cache_granule_bytes;
    double cache_single_share;    /* of the cache: single-touch pool */
    uint64_t cache_hit_ns;        /* copying a granule out */
    /* locality */
    uint64_t locality;            /* 1: an extent's first copy is on its virtual disk's node */
    /* space */
    double reserved_share;        /* kept free on every disk */
    double readonly_share;        /* fill at which the cluster stops writing */
    double alert_share;           /* fill at which it alerts */
    uint64_t metadata_bytes;      /* on the first CVM disk */
    uint64_t home_bytes;          /* carve-out of the first CVM disk */
    uint64_t blockstore_overhead_bytes; /* any other NVMe disk */
    double ext4_share;            /* any other disk: lost to the file system */
    uint64_t curator_bytes;       /* needed on one CVM disk */
};

#endif
