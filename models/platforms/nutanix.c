/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "platforms/nutanix.h"

#include "hci_kind.h"
#include "platforms/nutanix_layout.h"

#define AT(field) offsetof(struct nutanix_conf, field)
#define SECOND 1e9
#define DAY 86400e9
#define PB 1e15

static const char *const flushes[] = { "none", "per_write", "batched", NULL };
static const char *const codes[] = { "none", "2/1", "3/1", "4/1", NULL };

static const struct hci_param params[] = {
    { "redundancy", HCI_COUNT, AT(redundancy), "2", 1, 3, NULL, "write.lat+",
      "Copies of every byte (RF); 1 only makes sense on a single node." },
    { "erasure_coding", HCI_ENUM, AT(erasure_coding), "none", 0, 0, codes, NULL,
      "Strip of erasure-coded cold data; used by the layout rules only." },
    { "block_awareness", HCI_BOOL, AT(block_awareness), "false", 0, 1, NULL, NULL,
      "Copies must lie in different blocks; used by the layout rules only." },

    { "frodo", HCI_TIME, AT(frodo_ns), NULL, 0, SECOND, NULL, "lat+",
      "Busy time of a hypervisor I/O thread per guest I/O." },
    { "frodo_threads", HCI_COUNT, AT(frodo_threads), NULL, 1, 64, NULL, "iops+",
      "Hypervisor I/O threads per virtual disk (guests with one vCPU get one)." },
    { "frodo_rate", HCI_RATE, AT(frodo_Bps), NULL, 1, PB, NULL, "bw+",
      "Copy rate of one hypervisor I/O thread." },
    { "hypervisor_delay", HCI_TIME, AT(hypervisor_delay_ns), NULL, 0, SECOND, NULL, "lat+",
      "Guest, virtio and iSCSI time that occupies no modelled resource." },

    { "stargate_cpu_read", HCI_TIME, AT(stargate_cpu_read_ns), NULL, 0, SECOND, NULL, "read.lat+",
      "CPU of the controller VM per read and hop." },
    { "stargate_cpu_write", HCI_TIME, AT(stargate_cpu_write_ns), NULL, 0, SECOND, NULL,
      "write.lat+", "CPU of the controller VM per write and hop." },
    { "stargate_handoff", HCI_TIME, AT(stargate_handoff_ns), NULL, 0, SECOND, NULL, "lat+",
      "Latency per hop through the controller VM that is not CPU." },
    { "controller", HCI_TIME, AT(controller_ns), NULL, 0, SECOND, NULL, "lat+",
      "Part of an op serialised on the virtual disk's controller thread." },
    { "vdisk_shards", HCI_COUNT, AT(vdisk_shards), "1", 1, 64, NULL, "iops+",
      "Controller threads per virtual disk." },
    { "cvm_rate", HCI_RATE, AT(cvm_Bps), NULL, 1, PB, NULL, "bw+",
      "Checksum and copy rate of one controller VM vCPU." },
    { "ack", HCI_TIME, AT(ack_ns), NULL, 0, SECOND, NULL, "write.lat+",
      "Way of the acknowledgement back to the guest." },

    { "message_tcp", HCI_TIME, AT(message_tcp_ns), NULL, 0, SECOND, NULL, "write.lat+",
      "Half a round trip between controller VMs over TCP, without the wire." },
    { "message_rdma", HCI_TIME, AT(message_rdma_ns), NULL, 0, SECOND, NULL, "write.lat+",
      "The same over RDMA." },
    { "switch", HCI_TIME, AT(switch_ns), NULL, 0, SECOND, NULL, "write.lat+",
      "Latency of one switch hop." },

    { "oplog_budget", HCI_BYTES, AT(oplog_budget_bytes), NULL, 0, 1e14, NULL, NULL,
      "Write log per node, split over its flash disks by weight." },
    { "oplog_share_max", HCI_NUMBER, AT(oplog_share_max), NULL, 0, 1, NULL, NULL,
      "Largest share of the node's weighted space the log may take (bites on small nodes)." },
    { "oplog_bypass", HCI_BYTES, AT(oplog_bypass_bytes), NULL, 1, PB, NULL, NULL,
      "Outstanding write bytes on one virtual disk above which writes bypass the log." },
    { "oplog_max_ssds", HCI_COUNT, AT(oplog_max_ssds), NULL, 1, 64, NULL, NULL,
      "Flash disks of a node that take part in its log." },
    { "oplog_episode", HCI_BYTES, AT(oplog_episode_bytes), NULL, 4096, PB, NULL, NULL,
      "Data of a virtual disk between two choices of the peer." },
    { "log_flush", HCI_ENUM, AT(log_flush), "none", 0, 0, flushes, NULL,
      "Whether a log write waits for a device flush: never, each, or one per batch." },
    { "log_flush_batch", HCI_TIME, AT(log_flush_batch_ns), "1 ms", 0, SECOND, NULL, "write.lat+",
      "Time over which batched log writes share one flush." },
    { "sustained_random_bypass", HCI_BOOL, AT(sustained_random_bypass), "false", 0, 1, NULL, NULL,
      "Whether sustained random writes bypass the log." },
    { "sustained_random", HCI_BYTES, AT(sustained_random_bytes), NULL, 0, PB, NULL, NULL,
      "Undrained log bytes of one virtual disk above which that happens." },
    { "extent", HCI_BYTES, AT(extent_bytes), NULL, 4096, 1 << 30, NULL, NULL,
      "Extent: the piece the drain coalesces and places." },
    { "drain_start", HCI_NUMBER, AT(drain_start), NULL, 0, 1, NULL, NULL,
      "Fill of the log at which draining starts." },
    { "drain_stop", HCI_NUMBER, AT(drain_stop), NULL, 0, 1, NULL, NULL,
      "Fill of the log at which draining stops." },
    { "drain_parallel", HCI_COUNT, AT(drain_parallel), NULL, 1, 4096, NULL, "write.p99+",
      "Extents a node drains at the same time." },
    { "drain_age", HCI_TIME, AT(drain_age_ns), NULL, 0, DAY, NULL, NULL,
      "Age after which data drain although the log is below the start." },
    { "drain_cpu", HCI_TIME, AT(drain_cpu_ns), NULL, 0, SECOND, NULL, "write.p99+",
      "CPU of the controller VM per drained extent and hop." },

    { "cache_share", HCI_NUMBER, AT(cache_share), NULL, 0, 1, NULL, NULL,
      "Share of the controller VM's memory above the base that caches reads." },
    { "cache_base", HCI_BYTES, AT(cache_base_bytes), NULL, 0, 1e14, NULL, NULL,
      "Controller VM memory that never caches." },
    { "cache_granule", HCI_BYTES, AT(cache_granule_bytes), NULL, 512, 1 << 24, NULL, NULL,
      "Unit of the read cache." },
    { "cache_single_share", HCI_NUMBER, AT(cache_single_share), NULL, 0, 1, NULL, NULL,
      "Share of the cache for data touched once." },
    { "cache_hit", HCI_TIME, AT(cache_hit_ns), NULL, 0, SECOND, NULL, "read.lat+",
      "Time to copy one granule out of the cache." },

    { "locality", HCI_BOOL, AT(locality), "true", 0, 1, NULL, NULL,
      "Whether data read remotely migrate to the reader's node." },
    { "locality_random_touches", HCI_COUNT, AT(locality_random_touches), NULL, 1, 1e6, NULL, NULL,
      "Random remote touches within the window that migrate an extent." },
    { "locality_sequential_touches", HCI_COUNT, AT(locality_sequential_touches), NULL, 1, 1e6,
      NULL, NULL, "Sequential remote touches within the window that migrate an extent." },
    { "locality_window", HCI_TIME, AT(locality_window_ns), NULL, 0, DAY, NULL, NULL,
      "Window in which touches are counted." },
    { "locality_sample", HCI_TIME, AT(locality_sample_ns), NULL, 0, DAY, NULL, NULL,
      "Touches within this time count once." },
    { "rehome", HCI_TIME, AT(rehome_ns), NULL, 0, DAY, NULL, NULL,
      "Remote access after which a virtual disk's controller moves." },

    { "reserved_share", HCI_NUMBER, AT(reserved_share), NULL, 0, 1, NULL, NULL,
      "Share of every disk's file system that is kept free." },
    { "readonly_share", HCI_NUMBER, AT(readonly_share), NULL, 0, 1, NULL, NULL,
      "Fill at which the storage service turns read-only." },
    { "alert_share", HCI_NUMBER, AT(alert_share), NULL, 0, 1, NULL, NULL,
      "Fill at which the cluster alerts." },
    { "metadata", HCI_BYTES, AT(metadata_bytes), NULL, 0, 1e14, NULL, NULL,
      "Metadata reservation on the first CVM disk." },
    { "home", HCI_BYTES, AT(home_bytes), NULL, 0, 1e14, NULL, NULL,
      "What the controller VM's own partitions take from the first CVM disk." },
    { "blockstore_overhead", HCI_BYTES, AT(blockstore_overhead_bytes), NULL, 0, 1e14, NULL, NULL,
      "What the block store takes from any other NVMe disk." },
    { "ext4_share", HCI_NUMBER, AT(ext4_share), NULL, 0, 1, NULL, NULL,
      "What the file system takes from any other disk." },
    { "curator", HCI_BYTES, AT(curator_bytes), NULL, 0, 1e14, NULL, NULL,
      "Space the background scanner's reservation needs on one CVM disk." },
    HCI_PARAM_END
};

const struct hci_platform_ops hci_platform_nutanix = {
    .k = { .name = "nutanix",
           .doc = "Nutanix AOS: one controller VM per node, a replicated write log in front of "
                  "an extent store, reads local first, a read cache in the controller VM.",
           .params = params,
           .conf_size = sizeof(struct nutanix_conf) },
    .check = nutanix_layout_check,
    .validate = nutanix_layout_validate,
};
