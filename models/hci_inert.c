/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_inert.h"

#include "hci_cluster.h"
#include "sim_assert.h"
#include "workload/hci_runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMED_MAX 24 /* keys in one note */

struct look { /* one value of the user's, and the run it was in */
    const struct hci_cluster *c;
    const struct hci_runner *r;
    const struct hci_given *g;
};

/* ---- values of other rows ---- */

/* A number of a table; 0 where it has no such row. */
static double number_of(const struct hci_param *rows, const void *conf, const char *key)
{
    for (; rows->key; rows++) {
        uint64_t u;
        double d;
        if (strcmp(rows->key, key) != 0 || rows->type == HCI_TEXT)
            continue;
        memcpy(&u, (const char *)conf + rows->offset, sizeof u);
        memcpy(&d, (const char *)conf + rows->offset, sizeof d);
        return rows->type == HCI_NUMBER ? d : (double)u;
    }
    return 0;
}

static double of_device(const struct look *k, const char *key)
{
    return number_of(k->g->device->ops->k.params, k->g->device->conf, key);
}

static double of_platform(const struct look *k, const char *key)
{
    return number_of(k->c->platform->k.params, k->c->layout->platform_conf, key);
}

/* ---- what a finished run shows ---- */

/* Disks the value is about: those of the product, or of the layout's entry. */
static bool concerns(const struct hci_given *g, const struct hci_device *d)
{
    if (g->place != HCI_AT_DISK)
        return d->conf == g->device;
    unsigned node = (unsigned)d->node;
    return node >= g->first && node - g->first < g->count && d->index >= g->disk &&
           d->index - g->disk < g->ndisks;
}

static uint64_t commands(const struct look *k, bool reads, bool writes)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < k->c->ndevices; i++) {
        const struct hci_device *d = &k->c->devices[i];
        n += concerns(k->g, d) ? (reads ? d->reads : 0) + (writes ? d->writes : 0) : 0;
    }
    return n + (writes ? k->c->guest_bytes[HCI_TRIM] : 0); /* discards are no device's books */
}

static bool drive_read(const struct look *k) { return commands(k, true, false) > 0; }
static bool drive_written(const struct look *k) { return commands(k, false, true) > 0; }
static bool drive_used(const struct look *k) { return commands(k, true, true) > 0; }

static bool drive_flushed(const struct look *k)
{
    for (unsigned i = 0; i < k->c->ndevices; i++)
        if (concerns(k->g, &k->c->devices[i]) &&
            k->c->sim->station[k->c->devices[i].flush].served)
            return true;
    return false;
}

static bool read_tail(const struct look *k) { return of_device(k, "read_tail_weight") > 0; }
static bool write_tail(const struct look *k) { return of_device(k, "write_tail_weight") > 0; }
static bool has_slc(const struct look *k) { return of_device(k, "slc") > 0; }
static bool never(const struct look *k) { return (void)k, false; }

static bool product_in_use(const struct look *k) { return k->g->row != NULL; }

static uint64_t messages(const struct look *k, int transport)
{
    uint64_t n = 0;
    bool all = k->g->place != HCI_AT_NIC;
    for (unsigned i = 0; i < k->c->nnodes; i++) {
        const struct hci_node *node = &k->c->nodes[i];
        if (!all && (i < k->g->first || i - k->g->first >= k->g->count))
            continue;
        if (transport >= 0 && node->conf->nic.transport != (uint64_t)transport)
            continue;
        for (unsigned l = 0; l < node->nlinks; l++)
            n += k->c->sim->station[node->tx[l]].served + k->c->sim->station[node->rx[l]].served;
    }
    return n;
}

static bool any_message(const struct look *k) { return messages(k, -1) > 0; }
static bool tcp_message(const struct look *k) { return messages(k, HCI_TCP) > 0; }
static bool rdma_message(const struct look *k) { return messages(k, HCI_RDMA) > 0; }

static const struct hci_nic_conf *nic_of(const struct look *k)
{
    return &k->c->layout->nodes[k->g->first].nic;
}

static bool several_ports(const struct look *k) { return nic_of(k)->links > 1; }

static bool shared_ports(const struct look *k)
{
    return several_ports(k) && nic_of(k)->bond != HCI_BOND_ACTIVE_BACKUP;
}

static bool hash_decides(const struct look *k)
{
    const struct hci_nic_conf *n = nic_of(k);
    return n->flows == HCI_FLOWS_SPREAD ||
           (n->flows == HCI_FLOWS_HASHED && n->bond == HCI_BOND_LACP);
}

static bool has_nodes(const struct look *k) { return k->g->count > 0; }

static bool engine_used(const struct look *k, uint8_t engine)
{
    for (unsigned i = 0; i < k->r->nclones; i++)
        if (k->r->clones[i].engine == engine)
            return true;
    return false;
}

static bool libaio_used(const struct look *k) { return engine_used(k, HCI_HOST_LIBAIO); }
static bool io_uring_used(const struct look *k) { return engine_used(k, HCI_HOST_IO_URING); }
static bool psync_used(const struct look *k) { return engine_used(k, HCI_HOST_PSYNC); }

static bool guests_read(const struct look *k) { return k->c->guest_bytes[HCI_READ] > 0; }
static bool guests_wrote(const struct look *k) { return k->c->guest_bytes[HCI_WRITE] > 0; }

/* Sum of the platform's quantities whose name ends so. */
static bool counted(const struct look *k, const char *ending)
{
    size_t n = strlen(ending);
    for (const struct hci_gauge *q = k->c->gauges; q; q = q->next) {
        size_t len = strlen(q->name);
        if (len >= n && strcmp(q->name + len - n, ending) == 0 && q->read(q->obj) > 0)
            return true;
    }
    return false;
}

static bool log_written(const struct look *k) { return counted(k, " OpLog written"); }
static bool cache_hit(const struct look *k) { return counted(k, " Unified Cache hits"); }
static bool batched(const struct look *k) { return of_platform(k, "log_flush") > 1; }
static bool sustained(const struct look *k) { return of_platform(k, "sustained_random_bypass") > 0; }

static bool striped(const struct look *k)
{
    uint64_t raid = k->c->layout->guests[k->g->first].raid;
    return raid == HCI_RAID0 || raid == HCI_RAID10;
}

static bool files_prepared(const struct look *k) { return k->c->layout->initial.prepared; }

static bool any_slc(const struct look *k)
{
    for (unsigned i = 0; i < k->c->ndevices; i++) {
        const struct hci_device_conf *d = k->c->devices[i].conf;
        if (number_of(d->ops->k.params, d->conf, "slc") > 0)
            return true;
    }
    return false;
}

/* ---- the rules ---- */

struct rule {
    int place;
    const char *kind;  /* of the platform, or of the device; NULL: any */
    const char *key;   /* "read_*": every key that begins so */
    bool (*live)(const struct look *k);
    const char *reason; /* why not, when it is not live */
};

#define NONE_HERE "the native platform does not use it"

static const struct rule rules[] = {
    { HCI_AT_DEVICE, NULL, "*", product_in_use, "no disk uses the device" },
    { HCI_AT_DEVICE, NULL, "mdts", drive_used, "no I/O reached the drive" },
    { HCI_AT_DEVICE, NULL, "queue_depth", drive_used, "no I/O reached the drive" },
    { HCI_AT_DEVICE, NULL, "flush", drive_flushed, "nothing flushed the drive" },
    { HCI_AT_DEVICE, NULL, "units", drive_used, "no I/O reached the drive" },
    { HCI_AT_DEVICE, NULL, "servers", drive_used, "no I/O reached the drive" },
    { HCI_AT_DEVICE, NULL, "distribution", drive_used, "no I/O reached the drive" },
    { HCI_AT_DEVICE, NULL, "chunk", drive_used, "no I/O reached the drive" },
    { HCI_AT_DEVICE, NULL, "read_*", drive_read, "the drive was never read" },
    { HCI_AT_DEVICE, NULL, "page", drive_read, "the drive was never read" },
    { HCI_AT_DEVICE, NULL, "write_*", drive_written, "the drive was never written" },
    { HCI_AT_DEVICE, NULL, "mix_factor", drive_written, "the drive was never written" },
    { HCI_AT_DEVICE, NULL, "read_tail_median", read_tail, "read_tail_weight is 0" },
    { HCI_AT_DEVICE, NULL, "read_tail_sigma", read_tail, "read_tail_weight is 0" },
    { HCI_AT_DEVICE, NULL, "write_tail_median", write_tail, "write_tail_weight is 0" },
    { HCI_AT_DEVICE, NULL, "write_tail_sigma", write_tail, "write_tail_weight is 0" },
    { HCI_AT_DEVICE, "flash", "buffer", drive_written, "the drive was never written" },
    { HCI_AT_DEVICE, "flash", "program*", drive_written, "the drive was never written" },
    { HCI_AT_DEVICE, "flash", "post_slc_rate", drive_written, "the drive was never written" },
    { HCI_AT_DEVICE, "flash", "steady_write_iops", drive_written, "the drive was never written" },
    { HCI_AT_DEVICE, "flash", "slc_idle", has_slc, "the drive has no SLC cache" },
    { HCI_AT_DEVICE, "flash", "slc*", drive_written, "the drive was never written" },
    { HCI_AT_DISK, NULL, "slc_used", has_slc, "the drive has no SLC cache" },
    { HCI_AT_DISK, NULL, "slc_used", drive_written, "the drive was never written" },

    { HCI_AT_PLATFORM, "native", "libaio_*", libaio_used, "no job uses libaio" },
    { HCI_AT_PLATFORM, "native", "io_uring_*", io_uring_used, "no job uses io_uring" },
    { HCI_AT_PLATFORM, "native", "psync_*", psync_used, "no job uses psync" },
    { HCI_AT_NODE, "native", "*", never, NONE_HERE },
    { HCI_AT_CVM, "native", "*", never, NONE_HERE },
    { HCI_AT_NIC, "native", "*", never, NONE_HERE },
    { HCI_AT_DISK, "native", "log_bytes", never, NONE_HERE },
    { HCI_AT_GUEST, "native", "vcpus", never, NONE_HERE },
    { HCI_AT_INITIAL, "native", "*", never, NONE_HERE },

    { HCI_AT_NODE, NULL, "*", has_nodes, "the entry's count is 0" },
    { HCI_AT_CVM, NULL, "*", has_nodes, "the entry's count is 0" },
    { HCI_AT_NIC, NULL, "*", has_nodes, "the entry's count is 0" },
    { HCI_AT_GUEST, NULL, "*", has_nodes, "the entry's count is 0" },
    { HCI_AT_NIC, NULL, "*", any_message, "no message crossed it" },
    { HCI_AT_NIC, NULL, "bond", several_ports, "one port has nothing to share" },
    { HCI_AT_NIC, NULL, "hash", shared_ports, "one port carries everything" },
    { HCI_AT_NIC, NULL, "flows", shared_ports, "one port carries everything" },
    { HCI_AT_NIC, NULL, "hash", hash_decides, "bond and flows leave nothing to it" },
    { HCI_AT_GUEST, NULL, "chunk", striped, "the guest's RAID has no stripes" },

    { HCI_AT_PLATFORM, "nutanix", "message_tcp", tcp_message, "no message between nodes used TCP" },
    { HCI_AT_PLATFORM, "nutanix", "message_rdma", rdma_message,
      "no message between nodes used RDMA" },
    { HCI_AT_PLATFORM, "nutanix", "switch", any_message, "no message crossed the switch" },
    { HCI_AT_PLATFORM, "nutanix", "stargate_cpu_read", guests_read, "nothing was read" },
    { HCI_AT_PLATFORM, "nutanix", "stargate_cpu_write", guests_wrote, "nothing was written" },
    { HCI_AT_PLATFORM, "nutanix", "oplog_bypass", guests_wrote, "nothing was written" },
    { HCI_AT_PLATFORM, "nutanix", "oplog_episode", log_written, "nothing went to the OpLog" },
    { HCI_AT_PLATFORM, "nutanix", "log_flush_batch", batched, "log_flush is not batched" },
    { HCI_AT_PLATFORM, "nutanix", "log_flush*", log_written, "nothing went to the OpLog" },
    { HCI_AT_PLATFORM, "nutanix", "sustained_random", sustained,
      "sustained_random_bypass is false" },
    { HCI_AT_PLATFORM, "nutanix", "sustained_random*", log_written, "nothing went to the OpLog" },
    { HCI_AT_PLATFORM, "nutanix", "drain_*", log_written, "nothing went to the OpLog" },
    { HCI_AT_PLATFORM, "nutanix", "cache_single_share", guests_read, "nothing was read" },
    { HCI_AT_PLATFORM, "nutanix", "cache_hit", cache_hit, "nothing was found in the cache" },
    { HCI_AT_INITIAL, "nutanix", "settle", files_prepared, "no file is prepared" },
    { HCI_AT_INITIAL, "nutanix", "settle", any_slc, "no drive has an SLC cache" },
};

static const char *kind_of(const struct look *k)
{
    bool device = k->g->place == HCI_AT_DEVICE && k->g->device;
    return device ? k->g->device->ops->k.name : k->c->platform->k.name;
}

static bool about(const struct rule *r, const struct look *k)
{
    const char *key = k->g->row ? k->g->row->key : "";
    size_t n = strcspn(r->key, "*");
    if (r->place != k->g->place || (r->kind && strcmp(r->kind, kind_of(k)) != 0))
        return false;
    return r->key[n] ? strncmp(r->key, key, n) == 0 : strcmp(r->key, key) == 0;
}

unsigned char *hci_inert_find(const struct hci_cluster *c, const struct hci_runner *r)
{
    const struct hci_given *g = c->layout->given;
    unsigned char *out = calloc(c->layout->ngiven + 1, 1);
    _Static_assert(sizeof rules / sizeof *rules < 255, "a reason's number is a byte");
    sim_assert(out != NULL);
    for (unsigned i = 0; g; g = g->next, i++) {
        const struct look k = { c, r, g };
        for (unsigned n = 0; n < sizeof rules / sizeof *rules && !out[i]; n++)
            if (about(&rules[n], &k) && !rules[n].live(&k))
                out[i] = (unsigned char)(n + 1);
    }
    return out;
}

const char *hci_inert_reason(unsigned number)
{
    sim_assert(number > 0 && number <= sizeof rules / sizeof *rules);
    return rules[number - 1].reason;
}

/* Keys that share a reason stand together, before it. */
static void print_reason(FILE *f, const struct hci_layout *lay, const struct hci_result *r,
                         const char *reason, unsigned *named)
{
    const struct hci_given *g = lay->given;
    bool first = true;
    for (unsigned i = 0; i < r->ngiven; g = g->next, i++) {
        if (!r->inert[i] || strcmp(hci_inert_reason(r->inert[i]), reason) != 0 ||
            *named == NAMED_MAX)
            continue;
        fprintf(f, "%s%s", !first ? ", " : *named ? "; " : "", g->key);
        first = false;
        ++*named;
    }
    if (!first)
        fprintf(f, " (%s)", reason);
}

char *hci_inert_text(const struct hci_layout *lay, const struct hci_result *r)
{
    char *text = NULL;
    size_t size;
    unsigned all = 0, named = 0;
    sim_assert(r->ngiven == 0 || r->ngiven == lay->ngiven);
    for (unsigned i = 0; i < r->ngiven; i++)
        all += r->inert[i] != 0;
    FILE *f = all ? open_memstream(&text, &size) : NULL;
    for (unsigned i = 0; f && i < r->ngiven; i++) {
        bool again = false;
        for (unsigned b = 0; r->inert[i] && b < i; b++)
            again |= r->inert[b] && strcmp(hci_inert_reason(r->inert[b]),
                                           hci_inert_reason(r->inert[i])) == 0;
        if (r->inert[i] && !again)
            print_reason(f, lay, r, hci_inert_reason(r->inert[i]), &named);
    }
    if (f && all > named)
        fprintf(f, "; and %u more", all - named);
    if (f)
        fclose(f);
    return text;
}
