/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_layout.h"

static const char *const ifaces[] = { "nvme", "sata", "sas", "usb", NULL };
static const char *const roles[] = { "boot", "cvm", "data", "cache", "capacity", NULL };
static const char *const bonds[] = { "lacp", "balance-slb", "active-backup", NULL };
static const char *const hashes[] = { "layer2", "layer2+3", "layer3+4", NULL };
static const char *const flows[] = { "hashed", "collide", "spread", NULL };
static const char *const transports[] = { "tcp", "rdma", NULL };
static const char *const raids[] = { "none", "raid0", "raid1", "raid10", NULL };

#define RAW_MAX 1e17 /* bytes; keeps shares of log budgets within 128 bits */
#define DAY 86400e9

#define AT(field) offsetof(struct hci_device_common, field)
const struct hci_param hci_device_common_params[] = {
    { "vendor_name", HCI_TEXT, AT(vendor_name), "", 0, 0, NULL, NULL,
      "The product as its vendor calls it." },
    { "iface", HCI_ENUM, AT(iface), NULL, 0, 0, ifaces, NULL, "Interface to the host." },
    { "raw", HCI_BYTES, AT(raw_bytes), NULL, 1, RAW_MAX, NULL, "usable+", "Capacity as sold." },
    { "plp", HCI_BOOL, AT(plp), NULL, 0, 1, NULL, NULL,
      "Whether acknowledged writes survive power loss." },
    { "enterprise", HCI_BOOL, AT(enterprise), "false", 0, 1, NULL, NULL,
      "Whether it is sold for servers." },
    { "mdts", HCI_BYTES, AT(mdts_bytes), NULL, 512, 1 << 30, NULL, "bw-",
      "Largest command; longer requests are split." },
    { "queue_depth", HCI_COUNT, AT(queue_depth), NULL, 1, 65536, NULL, "iops+",
      "Commands the device holds; further ones wait in the host." },
    { "flush", HCI_TIME, AT(flush_ns), NULL, 0, 60e9, NULL, "sync.lat+",
      "One flush on an idle device." },
    { "endurance", HCI_BYTES, AT(endurance_bytes), "0 B", 0, 1e19, NULL, NULL,
      "Bytes written over its rated life; 0: not rated." },
    { "price_eur", HCI_NUMBER, AT(price_eur), "0", 0, 1e6, NULL, NULL,
      "Street price in euros; 0: not stated." },
    { "idle_w", HCI_NUMBER, AT(idle_w), "0", 0, 1000, NULL, NULL, "Idle power in watts." },
    { "active_w", HCI_NUMBER, AT(active_w), "0", 0, 1000, NULL, NULL, "Active power in watts." },
    HCI_PARAM_END
};
#undef AT

#define AT(field) offsetof(struct hci_node_conf, field)
const struct hci_param hci_node_params[] = {
    { "cores", HCI_COUNT, AT(cores), "16", 1, 4096, NULL, "findings-", "Cores of the host." },
    { "memory", HCI_BYTES, AT(memory_bytes), "64 GiB", 1 << 20, RAW_MAX, NULL, "findings-",
      "Memory of the host." },
    { "block", HCI_COUNT, AT(block), "0", 0, HCI_NODES_MAX, NULL, "findings+",
      "Chassis the node sits in, for block awareness." },
    HCI_PARAM_END
};

const struct hci_param hci_cvm_params[] = {
    { "vcpus", HCI_COUNT, AT(cvm_vcpus), "8", 1, 4096, NULL, "iops+",
      "Virtual CPUs of the controller VM." },
    { "memory", HCI_BYTES, AT(cvm_memory_bytes), "32 GiB", 1 << 20, RAW_MAX, NULL, "read.lat-",
      "Memory of the controller VM." },
    HCI_PARAM_END
};
#undef AT

#define AT(field) offsetof(struct hci_nic_conf, field)
const struct hci_param hci_nic_params[] = {
    { "links", HCI_COUNT, AT(links), "2", 1, 16, NULL, "write.bw+", "Ports in the bond." },
    { "speed", HCI_RATE, AT(speed_Bps), "10 Gbit/s", 1e5, 1e13, NULL, "write.bw+",
      "Line rate of one port." },
    { "bond", HCI_ENUM, AT(bond), "active-backup", 0, 0, bonds, NULL, "How the ports share." },
    { "hash", HCI_ENUM, AT(hash), "layer2", 0, 0, hashes, NULL,
      "What of a flow picks the port under LACP." },
    { "flows", HCI_ENUM, AT(flows), "hashed", 0, 0, flows, NULL,
      "What the hash makes of the flows: drawn per pair, all on one port, or spread evenly." },
    { "mtu", HCI_COUNT, AT(mtu), "1500", 576, 65535, NULL, "write.bw+",
      "Largest IP packet in bytes." },
    { "transport", HCI_ENUM, AT(transport), "tcp", 0, 0, transports, NULL,
      "What carries messages between nodes." },
    { "vlan", HCI_BOOL, AT(vlan), "false", 0, 1, NULL, NULL,
      "Whether every frame carries a 4-byte tag." },
    { "timestamps", HCI_BOOL, AT(timestamps), "false", 0, 1, NULL, NULL,
      "Whether TCP timestamps take 12 bytes of every segment." },
    HCI_PARAM_END
};
#undef AT

#define AT(field) offsetof(struct hci_disk_conf, field)
const struct hci_param hci_disk_params[] = {
    { "role", HCI_ENUM, AT(role), NULL, 0, 0, roles, NULL, "What the disk is for." },
    { "statfs", HCI_BYTES, AT(statfs_bytes), "0 B", 0, RAW_MAX, NULL, "usable+",
      "Size of its data file system; 0: derived from the raw size." },
    { "log_bytes", HCI_BYTES, AT(log_bytes), "auto", 0, 1e14, NULL, "log+",
      "Its share of the write log; auto: by the platform's rule." },
    { "slc_used", HCI_BYTES, AT(slc_used_bytes), "0 B", 0, RAW_MAX, NULL, "write.bw-",
      "SLC cache already spent when the first job starts." },
    HCI_PARAM_END
};
#undef AT

#define AT(field) offsetof(struct hci_guest_conf, field)
const struct hci_param hci_guest_params[] = {
    { "node", HCI_COUNT, AT(node), "0", 0, HCI_NODES_MAX, NULL, "read.lat+", "Home node, from 0." },
    { "vcpus", HCI_COUNT, AT(vcpus), "4", 1, 4096, NULL, "iops+", "Virtual CPUs of the guest." },
    { "vdisks", HCI_COUNT, AT(vdisks), "1", 1, HCI_VDISKS_MAX, NULL, "iops+",
      "Virtual disks (raw disks on bare metal)." },
    { "raid", HCI_ENUM, AT(raid), "none", 0, 0, raids, NULL, "md RAID over them." },
    { "chunk", HCI_BYTES, AT(chunk_bytes), "512 KiB", 4096, 1 << 30, NULL, "read.lat+",
      "Stripe of RAID 0 and 10." },
    { "vdisk_size", HCI_BYTES, AT(vdisk_bytes), "0 B", 0, RAW_MAX, NULL, "read.lat+",
      "Size of one virtual disk; 0: as large as the job's file needs." },
    HCI_PARAM_END
};
#undef AT

#define AT(field) offsetof(struct hci_initial, field)
const struct hci_param hci_initial_params[] = {
    { "prepared", HCI_BOOL, AT(prepared), "true", 0, 1, NULL, NULL,
      "Whether the jobs' files exist and are fully written." },
    { "settle", HCI_TIME, AT(settle_ns), "1 h", 0, 1000 * DAY, NULL, "write.bw+",
      "Idle time between preparation and the first job." },
    { "fullness", HCI_NUMBER, AT(fullness), "0", 0, 1, NULL, "write.bw-",
      "Share of the usable capacity already in use." },
    { "planned_use", HCI_NUMBER, AT(planned_use), "-1", -1, 1, NULL, "findings+",
      "Share of the usable capacity planned to be used, for the checks; -1: not stated." },
    { "hot_set", HCI_BYTES, AT(hot_set_bytes), "0 B", 0, RAW_MAX, NULL, "findings+",
      "Data read again and again, for the cache check; 0: not stated." },
    HCI_PARAM_END
};
