/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_layout.h: a cluster as its buyer writes it down.
 *
 * A layout file (libconfig) plus the catalogue files it names become one
 * struct hci_layout: plain data, every default filled in, every number in base
 * units (ns, bytes, bytes/s). Nothing here simulates.
 * Not here: what a platform does with a layout (models/platforms/), live
 * objects (hci_cluster.h).
 * Invariants: nodes are expanded (count = 3 gives three entries, which share
 * one array of disks); every
 * disk's conf belongs to its device kind; every value lies in its row's range.
 */
#ifndef HCI_LAYOUT_H
#define HCI_LAYOUT_H

#include "hci_param.h"
#include "sim_err.h"
#include "sim_types.h"

struct hci_device_ops;
struct hci_platform_ops;
struct hci_tables; /* hci_tables.h */

enum hci_role { HCI_ROLE_BOOT, HCI_ROLE_CVM, HCI_ROLE_DATA, HCI_ROLE_CACHE, HCI_ROLE_CAPACITY };
enum hci_bond { HCI_BOND_LACP, HCI_BOND_BALANCE_SLB, HCI_BOND_ACTIVE_BACKUP };
enum hci_hash { HCI_HASH_L2, HCI_HASH_L23, HCI_HASH_L34 };
enum hci_flows { HCI_FLOWS_HASHED, HCI_FLOWS_COLLIDE, HCI_FLOWS_SPREAD };
enum hci_transport { HCI_TCP, HCI_RDMA };
enum hci_raid { HCI_RAID_NONE, HCI_RAID0, HCI_RAID1, HCI_RAID10 };
enum hci_iface { HCI_IF_NVME, HCI_IF_SATA, HCI_IF_SAS, HCI_IF_USB };

/* What is true of every drive, whatever its kind. */
struct hci_device_common {
    char *vendor_name;        /* "Intel Optane SSD 900P 280GB" */
    uint64_t iface;           /* enum hci_iface */
    uint64_t raw_bytes;
    uint64_t plp;             /* 1: acknowledged data survive power loss */
    uint64_t enterprise;      /* 1: enterprise product */
    uint64_t mdts_bytes;      /* largest command */
    uint64_t queue_depth;     /* commands the device holds; NCQ: 32 */
    uint64_t flush_ns;        /* one flush on an idle device */
    uint64_t endurance_bytes; /* TBW; 0: not rated */
    double price_eur, idle_w, active_w;
};

/* A product of the catalogue: configs/devices/NAME.cfg. Shared by its disks. */
struct hci_device_conf {
    char *name;                        /* "optane-900p-280g" */
    const char *file;                  /* it was read from */
    const struct hci_device_ops *ops;  /* its kind */
    struct hci_device_common common;
    void *conf;                        /* ops->k.conf_size bytes, filled from ops->k.params */
    const struct hci_prov *common_prov; /* one a row of hci_device_common_params */
    const struct hci_prov *prov;        /* one a row of ops->k.params */
};

struct hci_disk_conf {
    const struct hci_device_conf *device;
    uint64_t role;       /* enum hci_role */
    uint64_t statfs_bytes; /* size of the data partition's file system; 0: derive from raw */
    uint64_t log_bytes;  /* explicit log share; UINT64_MAX: by the platform's rule */
    uint64_t slc_used_bytes; /* initial: SLC cache already spent; clipped to the cache */
    int line;            /* in the layout file, for messages */
};

struct hci_nic_conf {
    uint64_t links;      /* ports in the bond */
    uint64_t speed_Bps;  /* one link, bytes/s */
    uint64_t bond;       /* enum hci_bond */
    uint64_t hash;       /* enum hci_hash, for LACP */
    uint64_t flows;      /* enum hci_flows: what the hash makes of the flows, if stated */
    uint64_t mtu;        /* bytes */
    uint64_t transport;  /* enum hci_transport */
    uint64_t vlan;       /* 1: a 4-byte tag on every frame */
    uint64_t timestamps; /* 1: TCP timestamps, 12 bytes a segment */
};

struct hci_node_conf {
    uint64_t cores;      /* host cores */
    uint64_t memory_bytes;
    uint64_t cvm_vcpus;
    uint64_t cvm_memory_bytes;
    uint64_t block;      /* chassis, for block awareness */
    struct hci_nic_conf nic;
    unsigned ndisks;
    struct hci_disk_conf *disks;
    int line;
};

struct hci_guest_conf {
    uint64_t node;       /* home node */
    uint64_t vcpus;
    uint64_t vdisks;     /* virtual disks (or raw disks on the native platform) */
    uint64_t raid;       /* enum hci_raid over them */
    uint64_t chunk_bytes; /* RAID 0 stripe */
    uint64_t vdisk_bytes; /* size of one; 0: as large as the job's file needs */
    int line;
};

/* State before the first job, set in closed form. */
struct hci_initial {
    uint64_t prepared;      /* 1: files exist and are fully written */
    uint64_t settle_ns;     /* idle time between preparation and the first job */
    double fullness;        /* share of usable capacity already in use, 0..1 */
    double planned_use;     /* share of usable capacity planned, for checks; <0: not stated */
    uint64_t hot_set_bytes; /* for the cache check; 0: not stated */
};

struct hci_alias {
    char *name, *path;
};

enum hci_place { /* whose row a value is */
    HCI_AT_PLATFORM,
    HCI_AT_DEVICE,
    HCI_AT_NODE,
    HCI_AT_CVM,
    HCI_AT_NIC,
    HCI_AT_DISK,
    HCI_AT_GUEST,
    HCI_AT_INITIAL
};

/* One value that the layout file, a file it includes or --set states; the
 * catalogue's values are nobody's wish. */
struct hci_given {
    struct hci_given *next;
    const char *key;             /* as --set takes it */
    const struct hci_param *row; /* NULL: of a product that no disk is */
    int place;                   /* enum hci_place */
    unsigned first, count;       /* nodes or guests it is about */
    unsigned disk, ndisks;       /* AT_DISK: disks of each of them */
    const struct hci_device_conf *device; /* AT_DEVICE, AT_DISK */
};

struct hci_layout {
    char *name, *path;      /* the file's name entry; the file */
    char *description;      /* "" when there is none */
    char *text;             /* effective configuration with every default, libconfig syntax */
    const struct hci_platform_ops *platform;
    void *platform_conf;    /* platform->k.conf_size bytes */
    const struct hci_prov *platform_prov; /* one a row of platform->k.params */
    int nodes_line;         /* of the nodes list, for messages */
    unsigned nnodes, nguests, ndevices, naliases;
    struct hci_node_conf *nodes;
    struct hci_guest_conf *guests;
    struct hci_device_conf *devices; /* each product once */
    struct hci_alias *aliases;
    struct hci_initial initial;
    struct hci_config_file *files; /* list of all that were read */
    struct hci_given *given;   /* list, in the file's order */
    unsigned ngiven;
    struct hci_tables *tables; /* borrowed: distributions runs may share; NULL: none */
    struct sim_arena *arena; /* owns everything above but tables, and this struct */
};

/* One `--set KEY=VALUE`: KEY is a libconfig path (nodes.[0].nic.mtu, `[*]` for
 * all) or an alias; VALUE in file syntax. Applied before validation. */
struct hci_set {
    const char *key, *value;
};

/* Reads and validates path. On failure fills *e with file and line and leaves
 * *out NULL. Returns SIM_OK, SIM_E_INPUT or SIM_E_IO. */
int hci_layout_load(struct hci_layout **out, const char *path, const struct hci_set *sets,
                    unsigned nsets, struct sim_err *e);
void hci_layout_free(struct hci_layout *lay);

/* Limits on what a file may ask for, so that a slip cannot eat the memory. */
#define HCI_NODES_MAX 1024
#define HCI_DISKS_MAX 256 /* per node */
#define HCI_GUESTS_MAX 4096
#define HCI_VDISKS_MAX 1024 /* per guest */

/* hci_layout_rows.c: the tables of everything that is no kind of its own. */
extern const struct hci_param hci_device_common_params[], hci_node_params[], hci_cvm_params[],
    hci_nic_params[], hci_disk_params[], hci_guest_params[], hci_initial_params[];

/* hci_catalogue.c: products, one file each.
 * The catalogue's directory: $HCISIM_CONFIGS, else the directory above the
 * layout's when it has devices/, else the one compiled in. layout_path may be
 * NULL. */
const char *hci_catalogue_dir(const char *layout_path, char *buf, size_t size);
/* Fills *out from DIR/devices/NAME.cfg, under the members of overlay (may be
 * NULL; what it says wins). at gives the place to blame for an unknown name. */
int hci_catalogue_device(struct hci_device_conf *out, const char *dir, const char *name,
                         const struct hci_cfg *overlay, const struct hci_cfg *at,
                         struct sim_arena *a, struct sim_err *e);
/* Names in DIR/devices, sorted, NULL-terminated, from the arena. */
int hci_catalogue_list(const char *const **names, const char *dir, struct sim_arena *a,
                       struct sim_err *e);
/* The settings of DIR/platforms/NAME.cfg; files: see hci_config_read. */
int hci_catalogue_platform(struct hci_cfg **out, const char *dir, const char *name,
                           struct hci_config_file **files, struct sim_arena *a, struct sim_err *e);

/* hci_layout_text.c: lay->text. The text loads again and gives the same text. */
char *hci_layout_print(const struct hci_layout *lay, struct sim_arena *a);

/* Layout rules. Each finding quotes the rule's number and its source. */
enum hci_severity { HCI_NOTE, HCI_WARN, HCI_ERROR };

struct hci_finding {
    int severity;        /* enum hci_severity */
    const char *rule;    /* "CE1" */
    const char *source;
    char text[512];
};

struct hci_disk_space { /* what becomes of one disk */
    unsigned node, disk;
    uint64_t statfs_bytes, log_bytes, metadata_bytes, usable_bytes;
    double log_share;    /* of the node's log */
    double usable_exact; /* before the last rounding, bytes */
};

struct hci_check {
    unsigned nfindings, ndisks, nerrors, nwarnings;
    struct hci_finding *findings;
    struct hci_disk_space *disks;
    uint64_t raw_bytes, usable_bytes, resilient_bytes; /* cluster totals; resilient: after losing FT nodes */
    uint64_t cache_bytes_per_node;
};

/* Applies the platform's rules. Returns SIM_OK and fills *out (free with
 * hci_check_free) whatever the findings; fails only on lack of memory. */
int hci_layout_check(const struct hci_layout *lay, struct hci_check *out, struct sim_err *e);
void hci_check_free(struct hci_check *c);

#endif
