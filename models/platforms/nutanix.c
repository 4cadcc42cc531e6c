/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "platforms/nutanix.h"

#include "platforms/nutanix_layout.h"
#include "platforms/nutanix_state.h"
#include "sim_mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
    { "controller", HCI_TIME, AT(controller_ns), NULL, 0, SECOND, NULL, "iops-",
      "Part of an op serialised on the virtual disk's controller thread." },
    { "vdisk_shards", HCI_COUNT, AT(vdisk_shards), "1", 1, 64, NULL, "iops+",
      "Controller threads per virtual disk." },
    { "cpu_cv", HCI_NUMBER, AT(cpu_cv), "0", 0, 5, NULL, "write.p99+",
      "Spread of every software time (standard deviation over mean, lognormal)." },
    { "controller_rate", HCI_RATE, AT(controller_Bps), NULL, 1, PB, NULL, "bw+",
      "Bytes per second the serialised part of one virtual disk passes on." },
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

    { "oplog_budget", HCI_BYTES, AT(oplog_budget_bytes), NULL, 0, 1e14, NULL, "log+",
      "Write log per node, split over its flash disks by weight." },
    { "oplog_share_max", HCI_NUMBER, AT(oplog_share_max), NULL, 0, 1, NULL, "log+",
      "Largest share of the node's weighted space the log may take (bites on small nodes)." },
    { "oplog_bypass", HCI_BYTES, AT(oplog_bypass_bytes), NULL, 1, PB, NULL, "bypassed-",
      "Outstanding write bytes on one virtual disk above which writes bypass the log." },
    { "oplog_max_ssds", HCI_COUNT, AT(oplog_max_ssds), NULL, 1, 64, NULL, "findings-",
      "Flash disks of a node that take part in its log." },
    { "oplog_episode", HCI_BYTES, AT(oplog_episode_bytes), NULL, 4096, PB, NULL, NULL,
      "Data of a virtual disk between two choices of the peer." },
    { "log_flush", HCI_ENUM, AT(log_flush), "none", 0, 0, flushes, NULL,
      "Whether a log write waits for a device flush: never, each, or one per batch." },
    { "log_flush_batch", HCI_TIME, AT(log_flush_batch_ns), "1 ms", 0, SECOND, NULL, "write.lat+",
      "Time over which batched log writes share one flush." },
    { "sustained_random_bypass", HCI_BOOL, AT(sustained_random_bypass), "false", 0, 1, NULL, NULL,
      "Whether sustained random writes bypass the log." },
    { "sustained_random", HCI_BYTES, AT(sustained_random_bytes), NULL, 0, PB, NULL, "bypassed-",
      "Undrained log bytes of one virtual disk above which that happens." },
    { "extent", HCI_BYTES, AT(extent_bytes), NULL, 4096, 1 << 30, NULL, "drained+",
      "Extent: the piece the drain coalesces and places." },
    { "drain_start", HCI_NUMBER, AT(drain_start), NULL, 0, 1, NULL, "drained-",
      "Fill of the log at which draining starts." },
    { "drain_stop", HCI_NUMBER, AT(drain_stop), NULL, 0, 1, NULL, "drained-",
      "Fill of the log at which draining stops." },
    { "drain_parallel", HCI_COUNT, AT(drain_parallel), NULL, 1, 4096, NULL, "write.p99+",
      "Extents a node drains at the same time." },
    { "drain_age", HCI_TIME, AT(drain_age_ns), NULL, 0, DAY, NULL, "drained-",
      "Age after which data drain although the log is below the start." },
    { "drain_cpu", HCI_TIME, AT(drain_cpu_ns), NULL, 0, SECOND, NULL, "write.p99+",
      "CPU of the controller VM per contiguous run drained and hop." },

    { "cache_share", HCI_NUMBER, AT(cache_share), NULL, 0, 1, NULL, "cache+",
      "Share of the controller VM's memory above the base that caches reads." },
    { "cache_base", HCI_BYTES, AT(cache_base_bytes), NULL, 0, 1e14, NULL, "cache-",
      "Controller VM memory that never caches." },
    { "cache_granule", HCI_BYTES, AT(cache_granule_bytes), NULL, 512, 1 << 24, NULL, "read.lat-",
      "Unit of the read cache." },
    { "cache_single_share", HCI_NUMBER, AT(cache_single_share), NULL, 0, 1, NULL, "hits-",
      "Share of the cache for data touched once." },
    { "cache_hit", HCI_TIME, AT(cache_hit_ns), NULL, 0, SECOND, NULL, "read.lat+",
      "Time to copy one granule out of the cache." },

    { "locality", HCI_BOOL, AT(locality), "true", 0, 1, NULL, NULL,
      "Whether the first copy of an extent lies on its virtual disk's node." },

    { "reserved_share", HCI_NUMBER, AT(reserved_share), NULL, 0, 1, NULL, "usable-",
      "Share of every disk's file system that is kept free." },
    { "readonly_share", HCI_NUMBER, AT(readonly_share), NULL, 0, 1, NULL, "findings-",
      "Fill at which the storage service turns read-only." },
    { "alert_share", HCI_NUMBER, AT(alert_share), NULL, 0, 1, NULL, "findings-",
      "Fill at which the cluster alerts." },
    { "metadata", HCI_BYTES, AT(metadata_bytes), NULL, 0, 1e14, NULL, "usable-",
      "Metadata reservation on the first CVM disk." },
    { "home", HCI_BYTES, AT(home_bytes), NULL, 0, 1e14, NULL, "usable-",
      "What the controller VM's own partitions take from the first CVM disk." },
    { "blockstore_overhead", HCI_BYTES, AT(blockstore_overhead_bytes), NULL, 0, 1e14, NULL, "usable-",
      "What the block store takes from any other NVMe disk." },
    { "ext4_share", HCI_NUMBER, AT(ext4_share), NULL, 0, 1, NULL, "usable-",
      "What the file system takes from any other disk." },
    { "curator", HCI_BYTES, AT(curator_bytes), NULL, 0, 1e14, NULL, "findings+",
      "Space the background scanner's reservation needs on one CVM disk." },
    HCI_PARAM_END
};

/* ---- live state ---- */

unsigned nutanix_draw(const struct nutanix_disks *d, uint64_t key)
{
    uint64_t at = sim_below(key, d->upto[d->n - 1]);
    unsigned i = 0;
    while (at >= d->upto[i])
        i++;
    return i;
}

unsigned nutanix_copy(const struct hci_cluster *c, const struct hci_vdisk *v, uint64_t extent,
                      unsigned r)
{
    const struct nutanix_state *st = c->state;
    if (r == 0 && st->conf->locality)
        return v->node;
    uint64_t key = sim_key(st->vdisks[v->index].copy_key, extent);
    unsigned local = st->conf->locality ? v->node : (unsigned)sim_below(key, c->nnodes);
    if (r == 0)
        return local;
    /* The other copies: distinct nodes, a rotation drawn per extent. */
    unsigned turn = (unsigned)sim_below(sim_key(key, 1), c->nnodes - 1);
    return (local + 1 + (turn + r - 1) % (c->nnodes - 1)) % c->nnodes;
}

bool nutanix_has_copy(const struct hci_cluster *c, const struct hci_vdisk *v, uint64_t extent)
{
    const struct nutanix_state *st = c->state;
    if (st->conf->locality)
        return true;
    for (unsigned r = 0; r < st->copies; r++)
        if (nutanix_copy(c, v, extent, r) == v->node)
            return true;
    return false;
}

void nutanix_store_io(struct sim_plan *p, struct nutanix_node *n, const struct hci_vdisk *v,
                      const struct hci_request *rq, uint8_t part)
{
    const struct nutanix_conf *conf = nutanix_of(n->cluster)->conf;
    uint64_t extent = sim_divide(rq->offset, nutanix_of(n->cluster)->extent);
    uint64_t key = sim_key(nutanix_of(n->cluster)->vdisks[v->index].place_key, extent);
    unsigned i = nutanix_draw(&n->store_disks, sim_key(key, n->node->index));
    uint64_t size = n->store_disks.upto[i] - (i ? n->store_disks.upto[i - 1] : 0);
    struct hci_request io = *rq;
    uint64_t room = sim_max(1, sim_divide(size, nutanix_of(n->cluster)->extent));
    io.offset = sim_below(sim_key(key, 2), room) * conf->extent_bytes +
                (rq->offset - extent * conf->extent_bytes);
    hci_disk_io(p, n->store_disks.disk[i], &io, part);
}

static void add_disk(struct nutanix_disks *set, struct hci_device *d, uint64_t bytes)
{
    uint64_t before = set->n ? set->upto[set->n - 1] : 0;
    if (!bytes)
        return;
    set->disk[set->n] = d;
    set->upto[set->n++] = before + bytes;
}

static void init_disks(struct nutanix_node *n, struct sim_arena *a)
{
    const struct hci_check *check = &n->cluster->check;
    unsigned max = n->node->ndisks + 1;
    n->log_disks.disk = sim_arena_alloc(a, max * sizeof(struct hci_device *));
    n->log_disks.upto = sim_arena_alloc(a, max * sizeof(uint64_t));
    n->store_disks.disk = sim_arena_alloc(a, max * sizeof(struct hci_device *));
    n->store_disks.upto = sim_arena_alloc(a, max * sizeof(uint64_t));
    n->device_log_bytes = sim_arena_alloc(a, max * sizeof(uint64_t));
    for (unsigned i = 0; i < check->ndisks; i++) {
        const struct hci_disk_space *s = &check->disks[i];
        if (s->node != n->node->index)
            continue;
        add_disk(&n->log_disks, n->node->disks[s->disk], s->log_bytes);
        add_disk(&n->store_disks, n->node->disks[s->disk], s->usable_bytes);
    }
    if (n->log_disks.n)
        n->log_bytes = n->log_disks.upto[n->log_disks.n - 1];
}

static double log_fill(const void *obj)
{
    const struct nutanix_node *n = obj;
    const struct sim_gate *g = &n->cluster->sim->gate[n->space];
    return (double)(g->capacity - g->level);
}

static double undrained(const void *obj)
{
    return (double)hci_log_fill_bytes(((const struct nutanix_node *)obj)->log);
}

static double cache_hits(const void *obj)
{
    return (double)hci_cache_counts(((const struct nutanix_node *)obj)->cache)->hits;
}

static double cache_misses(const void *obj)
{
    return (double)hci_cache_counts(((const struct nutanix_node *)obj)->cache)->misses;
}

static double cache_resident(const void *obj)
{
    const struct nutanix_node *n = obj;
    return (double)(hci_cache_resident(n->cache) *
                    nutanix_of(n->cluster)->conf->cache_granule_bytes);
}

static double count_of(const void *obj)
{
    return (double)*(const uint64_t *)obj;
}

static void gauges(struct nutanix_node *n)
{
    struct hci_cluster *c = n->cluster;
    const struct {
        const char *text, *unit;
        bool counter;
        hci_gauge_fn *fn;
    } rows[] = {{"OpLog space in use", "bytes", false, log_fill},
                {"OpLog undrained data", "bytes", false, undrained},
                {"Unified Cache resident", "bytes", false, cache_resident},
                {"Unified Cache hits", "granules", true, cache_hits},
                {"Unified Cache misses", "granules", true, cache_misses}};
    char name[64];
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(name, sizeof name, "node%u %s", n->node->index, rows[i].text);
        if (n->space != SIM_NONE || i > 1)
            hci_cluster_gauge(c, name, rows[i].unit, rows[i].counter, rows[i].fn, n);
    }
    snprintf(name, sizeof name, "node%u OpLog drained", n->node->index);
    hci_cluster_gauge(c, name, "bytes", true, count_of, &n->drained);
    snprintf(name, sizeof name, "node%u written past the OpLog", n->node->index);
    hci_cluster_gauge(c, name, "bytes", true, count_of, &n->bypassed);
    for (unsigned i = 0; i < n->log_disks.n; i++) {
        snprintf(name, sizeof name, "node%u disk%u OpLog written", n->node->index,
                 n->log_disks.disk[i]->index);
        hci_cluster_gauge(c, name, "bytes", true, count_of, &n->device_log_bytes[i]);
    }
}

static int init_node(struct hci_cluster *c, struct nutanix_node *n, unsigned index,
                     struct sim_err *e)
{
    const struct nutanix_conf *conf = c->layout->platform_conf;
    char name[64];
    n->cluster = c;
    n->node = &c->nodes[index];
    n->node->net = (struct hci_net_conf){conf->message_tcp_ns, conf->message_rdma_ns,
                                         conf->switch_ns};
    init_disks(n, c->arena);
    if (!n->store_disks.n)
        return sim_fail_at(e, SIM_E_INPUT, c->layout->path, n->node->conf->line,
                           "node %u has no disk with usable space for the extent store", index);
    n->cache = hci_cache_create(c->check.cache_bytes_per_node / conf->cache_granule_bytes,
                                conf->cache_single_share);
    n->log = hci_log_create(conf->cache_granule_bytes, conf->extent_bytes);
    if (!n->cache || !n->log)
        return sim_fail_at(e, SIM_E_INPUT, c->layout->path, n->node->conf->line,
                           "node %u: a read cache or log of this size cannot be held in memory",
                           index);
    snprintf(name, sizeof name, "node%u OpLog space", index);
    n->space = n->log_bytes ? sim_add_gate(c->sim, name, (int)index, n->log_bytes) : SIM_NONE;
    for (unsigned i = 0; i < NUTANIX_FETCH_GATES; i++) /* no name: no resource of its own */
        n->free_gate[n->nfree_gates++] = sim_add_gate(c->sim, "", (int)index, 1);
    gauges(n);
    return SIM_OK;
}

static void init_vdisk(struct hci_cluster *c, struct hci_vdisk *v)
{
    const struct nutanix_conf *conf = c->layout->platform_conf;
    const struct hci_guest_conf *g = &c->layout->guests[v->guest];
    char name[64];
    snprintf(name, sizeof name, "guest%u vdisk%u hypervisor threads", v->guest, v->leg);
    v->frodo = sim_add_fifo(c->sim, name, (int)v->node,
                            g->vcpus >= 2 ? (uint32_t)conf->frodo_threads : 1);
    snprintf(name, sizeof name, "guest%u vdisk%u controller", v->guest, v->leg);
    v->controller = sim_add_gate(c->sim, name, (int)v->node, conf->vdisk_shards);
    nutanix_of(c)->vdisks[v->index].log_key = sim_key(sim_role("log place"), v->index);
    nutanix_of(c)->vdisks[v->index].place_key = sim_key(sim_role("extent place"), v->index);
    nutanix_of(c)->vdisks[v->index].copy_key = sim_key(sim_role("extent copy"), v->index);
}

/* A software time of this mean with the platform's spread; 0: nothing to draw. */
static uint16_t spread(struct hci_cluster *c, const char *role, uint64_t mean_ns)
{
    const struct nutanix_conf *conf = c->layout->platform_conf;
    double s2 = log1p(conf->cpu_cv * conf->cpu_cv);
    return mean_ns ? hci_cluster_mixture(c, role, (double)mean_ns * exp(-s2 / 2), sqrt(s2), 0, 0, 0)
                   : 0;
}

static void init_times(struct hci_cluster *c, struct nutanix_state *st)
{
    const struct nutanix_conf *conf = st->conf;
    uint64_t read = conf->stargate_cpu_read_ns, write = conf->stargate_cpu_write_ns;
    uint64_t serial = conf->controller_ns;
    st->frodo = spread(c, "hypervisor thread", conf->frodo_ns);
    st->controller[0] = spread(c, "controller", sim_min(serial, read));
    st->controller[1] = spread(c, "controller", sim_min(serial, write));
    st->cpu[0] = spread(c, "stargate", read - sim_min(serial, read));
    st->cpu[1] = spread(c, "stargate", write - sim_min(serial, write));
    st->peer_cpu[0] = spread(c, "peer stargate", read);
    st->peer_cpu[1] = spread(c, "peer stargate", write);
    st->handoff = spread(c, "hand-off", conf->stargate_handoff_ns);
    st->peer_handoff = spread(c, "peer hand-off", conf->stargate_handoff_ns);
    st->hypervisor = spread(c, "hypervisor", conf->hypervisor_delay_ns);
    st->ack = spread(c, "acknowledgement", conf->ack_ns);
}

/* How full the logs may be, and what the smallest of enough of them takes. */
static void init_logs(const struct hci_cluster *c, struct nutanix_state *st)
{
    uint64_t least = UINT64_MAX;
    unsigned logs = 0;
    for (unsigned i = 0; i < c->nnodes; i++) {
        struct nutanix_node *n = &st->nodes[i];
        n->start_level = (uint64_t)((1 - st->conf->drain_start) * (double)n->log_bytes);
        n->stop_level = (uint64_t)((1 - st->conf->drain_stop) * (double)n->log_bytes);
        if (n->log_bytes)
            least = sim_min(least, n->log_bytes);
        logs += n->log_bytes > 0;
    }
    st->most_logged = logs >= st->copies ? least : 0;
}

static int init(void *obj, struct sim_err *e)
{
    struct hci_cluster *c = obj;
    struct nutanix_state *st = c->state;
    st->conf = c->layout->platform_conf;
    st->copies = (unsigned)st->conf->redundancy;
    st->nodes = sim_arena_alloc(c->arena, c->nnodes * sizeof *st->nodes);
    st->vdisks = sim_arena_alloc(c->arena, (c->nvdisks + 1) * sizeof *st->vdisks);
    init_times(c, st);
    /* Gate 0 stays unused: a word of 0 means "no gate" to a pending decision. */
    sim_add_gate(c->sim, "", -1, 1);
    for (unsigned i = 0; i < c->nnodes; i++) {
        int status = init_node(c, &st->nodes[i], i, e);
        if (status != SIM_OK)
            return status;
    }
    st->taken = sim_arena_alloc(c->arena, c->nnodes * sizeof *st->taken);
    st->granule = sim_divisor(st->conf->cache_granule_bytes);
    st->extent = sim_divisor(st->conf->extent_bytes);
    init_logs(c, st);
    for (unsigned i = 0; i < c->nvdisks; i++)
        init_vdisk(c, c->vdisks[i]);
    return SIM_OK;
}

static void fini(void *obj)
{
    struct hci_cluster *c = obj;
    struct nutanix_state *st = c->state;
    for (unsigned i = 0; st->nodes && i < c->nnodes; i++) {
        hci_cache_free(st->nodes[i].cache);
        hci_log_free(st->nodes[i].log);
    }
    for (unsigned i = 0; st->vdisks && i < c->nvdisks; i++)
        free(st->vdisks[i].episode);
}

/* The prepared files went to the extent store; what of them the SLC cache still
 * holds after settling. */
static void start(struct hci_cluster *c)
{
    struct nutanix_state *st = nutanix_of(c);
    if (!c->layout->initial.prepared)
        return;
    double each = (double)c->prepared_bytes * st->copies / c->nnodes;
    for (unsigned i = 0; i < c->nnodes; i++) {
        struct nutanix_disks *d = &st->nodes[i].store_disks;
        for (unsigned k = 0; k < d->n; k++) {
            double size = (double)(d->upto[k] - (k ? d->upto[k - 1] : 0));
            hci_disk_prepared(d->disk[k], (uint64_t)(each * size / (double)d->upto[d->n - 1]),
                              &c->layout->initial);
        }
    }
}

static bool balanced(const struct hci_cluster *c, bool idle)
{
    const struct nutanix_state *st = c->state;
    uint64_t written = 0, taken = st->logged + st->stored, due = c->leg_bytes[HCI_WRITE];
    for (unsigned i = 0; i < c->ndevices; i++)
        written += c->devices[i].bytes_written;
    return written == st->copies * (taken + st->coalesced) && (idle ? taken == due : taken <= due);
}

static int assume(const struct hci_layout *lay, unsigned i, char *text, size_t size)
{
    const struct nutanix_conf *conf = lay->platform_conf;
    static const char *const flush[] = {
        [NUTANIX_FLUSH_NONE] = ("log writes are not flushed (log_flush = none): a drive without "
                                "power-loss protection would lose acknowledged data"),
        [NUTANIX_FLUSH_PER_WRITE] = "every log write is flushed (log_flush = per_write)",
        [NUTANIX_FLUSH_BATCHED] = "log writes share flushes (log_flush = batched)"};
    switch (i) {
    case 0:
        snprintf(text, size, "%s", flush[conf->log_flush]);
        return 1;
    case 1:
        snprintf(text, size, "controller VM costs (CPU per hop, controller thread, hypervisor) are "
                             "estimates with ranges, not measurements: configs/platforms/nutanix.cfg");
        return 1;
    case 2:
        snprintf(text, size, "the log is placed on a node's drives in proportion to its reservation");
        return 1;
    default:
        return 0;
    }
}

const struct hci_platform_ops hci_platform_nutanix = {
    .k = { .name = "nutanix",
           .doc = "Nutanix AOS: one controller VM per node, a replicated write log in front of "
                  "an extent store, reads local first, a read cache in the controller VM.",
           .params = params,
           .conf_size = sizeof(struct nutanix_conf),
           .state_size = sizeof(struct nutanix_state),
           .init = init,
           .fini = fini },
    .lower = nutanix_lower,
    .balanced = balanced,
    .skip = &nutanix_skip,
    .start = start,
    .assume = assume,
    .background = nutanix_background,
    .check = nutanix_layout_check,
    .validate = nutanix_layout_validate,
};
