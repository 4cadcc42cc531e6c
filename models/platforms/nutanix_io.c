/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The paths of a guest's reads and writes, top to bottom as the vendor draws
 * them: guest, hypervisor, controller, then log or extent store, replicas, ack.
 */
#include "platforms/nutanix_state.h"

#include <limits.h>

/* A sub's word names the piece of the guest's request it is about. */
static struct hci_vdisk *piece_of(struct hci_io *h, uint32_t word, struct hci_request *rq)
{
    struct hci_guest *g = &h->cluster->guests[h->guest];
    return hci_guest_piece(g, h, word, rq);
}

static struct nutanix_node *home_of(struct hci_cluster *c, const struct hci_vdisk *v)
{
    return &nutanix_of(c)->nodes[v->node];
}

/* ---- on the peer's side ---- */

static void peer_cpu(struct sim_plan *p, struct nutanix_state *st, struct hci_node *n,
                     uint64_t bytes, bool write)
{
    sim_visit(p, n->cvm_cpu, sim_transfer_again(&st->cvm_copy, bytes, st->conf->cvm_Bps),
              st->peer_cpu[write], HCI_PART_REMOTE_CPU);
    sim_delay(p, 0, st->peer_handoff, HCI_PART_CVM_HANDOFF);
}

static uint32_t flow_of(const struct hci_vdisk *v)
{
    return v->index;
}

/* ---- write log ---- */

/* Which of a node's log disks holds a virtual disk's data at this offset: a
 * read must find what the write before it chose. */
static unsigned log_place(const struct nutanix_node *n, const struct hci_vdisk *v, uint64_t offset)
{
    const struct nutanix_state *st = nutanix_of(n->cluster);
    uint64_t key = sim_key(st->vdisks[v->index].log_key, sim_divide(offset, st->granule));
    return nutanix_draw(&n->log_disks, sim_key(key, n->node->index));
}

static void log_device(struct sim_plan *p, struct nutanix_node *n, const struct hci_vdisk *v,
                       const struct hci_request *write, uint8_t part)
{
    const struct nutanix_conf *conf = nutanix_of(n->cluster)->conf;
    unsigned i = log_place(n, v, write->offset);
    struct hci_device *d = n->log_disks.disk[i];
    struct hci_request rq = {.op = HCI_WRITE, .bytes = write->bytes, .offset = d->append_offset,
                             .seq = 1, .sync = conf->log_flush == NUTANIX_FLUSH_PER_WRITE};
    d->append_offset += rq.bytes;
    n->device_log_bytes[i] += rq.bytes;
    hci_disk_io(p, d, &rq, part);
    if (conf->log_flush == NUTANIX_FLUSH_BATCHED)
        hci_disk_flush(p, d, conf->log_flush_batch_ns, part);
}

/* What is written is no longer what the read cache holds. */
static void forget_cached(struct nutanix_node *n, const struct hci_vdisk *v,
                          const struct hci_request *rq)
{
    const struct nutanix_state *st = nutanix_of(n->cluster);
    hci_cache_drop_range(n->cache, v->index, nutanix_granule(st, rq), nutanix_granules(st, rq));
}

static void log_committed(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word)
{
    struct hci_request rq;
    struct hci_io *h = hci_io_of(io);
    struct hci_vdisk *v = piece_of(h, word, &rq);
    struct nutanix_node *n = home_of(h->cluster, v);
    (void)s, (void)t;
    hci_log_append(n->log, v->index, rq.offset, rq.bytes,
                   hci_cluster_clock(h->cluster));
    forget_cached(n, v, &rq);
    nutanix_drain_check(n);
}

/* Space on every copy's node, in the order of the nodes: writers that wait for
 * each other's space would otherwise wait for ever. */
static void take_space(struct sim_plan *p, const struct nutanix_state *st, unsigned home,
                       const struct nutanix_episode *ep, uint64_t bytes)
{
    unsigned last = 0;
    for (unsigned k = 0; k < st->copies; k++) {
        unsigned least = UINT_MAX;
        for (unsigned r = 0; r < st->copies; r++) {
            unsigned n = r == 0 ? home : ep->peers[r - 1];
            least = (k == 0 || n > last) && n < least ? n : least;
        }
        sim_take(p, st->nodes[least].space, bytes, HCI_PART_LOG_SPACE);
        last = least;
    }
}

static void build_log_write(struct sim_plan *p, struct sim_io *io, uint32_t word)
{
    static const struct sim_call_fn committed = {"log committed", log_committed};
    struct hci_request rq;
    struct hci_io *h = hci_io_of(io);
    struct hci_cluster *c = h->cluster;
    struct nutanix_state *st = nutanix_of(c);
    struct hci_vdisk *v = piece_of(h, word, &rq);
    struct nutanix_node *home = home_of(c, v);
    if (!nutanix_can_log(c, home, rq.bytes)) /* explain asks for what cannot be chosen */
        return;
    const struct nutanix_episode *ep = nutanix_episode(c, v, rq.bytes);

    st->logged += rq.bytes;
    hci_log_prefetch(home->log, v->index, rq.offset); /* for log_committed */
    take_space(p, st, v->node, ep, rq.bytes);
    sim_par(p, SIM_ALL);
    sim_branch(p);
    log_device(p, home, v, &rq, HCI_PART_LOG_LOCAL);
    for (unsigned r = 0; r + 1 < st->copies; r++) {
        struct nutanix_node *peer = &st->nodes[ep->peers[r]];
        sim_branch(p);
        hci_net(p, home->node, peer->node, rq.bytes + HCI_NET_HEADER, flow_of(v),
                HCI_PART_NETWORK);
        peer_cpu(p, st, peer->node, rq.bytes, true);
        log_device(p, peer, v, &rq, HCI_PART_LOG_REMOTE);
        hci_net_ack(p, peer->node, home->node, flow_of(v), HCI_PART_NETWORK);
    }
    sim_join(p);
    sim_call(p, &committed, word);
}

/* ---- extent store ---- */

static void store_written(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word)
{
    struct hci_request rq;
    struct hci_io *h = hci_io_of(io);
    struct hci_vdisk *v = piece_of(h, word, &rq);
    struct nutanix_node *n = home_of(h->cluster, v);
    (void)s, (void)t;
    n->bypassed += rq.bytes;
    forget_cached(n, v, &rq);
}

/* The part of rq on its k-th extent. */
static struct hci_request on_extent(const struct hci_request *rq, struct sim_divisor extent,
                                    uint64_t k)
{
    struct hci_request part = *rq;
    uint64_t end = rq->offset + rq->bytes, from = (sim_divide(rq->offset, extent) + k) * extent.size;
    part.offset = sim_max(rq->offset, from);
    part.bytes = (uint32_t)(sim_min(end, from + extent.size) - part.offset);
    return part;
}

static uint64_t extents_of(const struct hci_request *rq, struct sim_divisor extent)
{
    return sim_divide(rq->offset + rq->bytes - 1, extent) - sim_divide(rq->offset, extent) + 1;
}

static void store_copies(struct sim_plan *p, struct hci_cluster *c, const struct hci_vdisk *v,
                         const struct hci_request *rq)
{
    struct nutanix_state *st = nutanix_of(c);
    struct nutanix_node *home = home_of(c, v);
    uint64_t extent = sim_divide(rq->offset, st->extent);
    sim_par(p, SIM_ALL);
    for (unsigned r = 0; r < st->copies; r++) {
        struct nutanix_node *n = &st->nodes[nutanix_copy(c, v, extent, r)];
        sim_branch(p);
        if (n == home) {
            nutanix_store_io(p, n, v, rq, HCI_PART_STORE_LOCAL);
            continue;
        }
        hci_net(p, home->node, n->node, rq->bytes + HCI_NET_HEADER, flow_of(v), HCI_PART_NETWORK);
        peer_cpu(p, st, n->node, rq->bytes, true);
        nutanix_store_io(p, n, v, rq, HCI_PART_STORE_REMOTE);
        hci_net_ack(p, n->node, home->node, flow_of(v), HCI_PART_NETWORK);
    }
    sim_join(p);
}

typedef void extent_fn(struct sim_plan *p, struct hci_cluster *c, const struct hci_vdisk *v,
                       const struct hci_request *rq);

/* Extents lie where their numbers say: each goes its own way. */
static void each_extent(struct sim_plan *p, struct hci_cluster *c, const struct hci_vdisk *v,
                        const struct hci_request *rq, extent_fn *fn)
{
    struct sim_divisor extent = nutanix_of(c)->extent;
    uint64_t n = extents_of(rq, extent);
    if (n == 1) {
        fn(p, c, v, rq);
        return;
    }
    sim_par(p, SIM_ALL);
    for (uint64_t k = 0; k < n; k++) {
        struct hci_request part = on_extent(rq, extent, k);
        sim_branch(p);
        fn(p, c, v, &part);
    }
    sim_join(p);
}

static void build_store_write(struct sim_plan *p, struct sim_io *io, uint32_t word)
{
    static const struct sim_call_fn written = {"store written", store_written};
    struct hci_request rq;
    struct hci_io *h = hci_io_of(io);
    struct hci_vdisk *v = piece_of(h, word, &rq);
    rq.seq = rq.bytes >= 64 * SIM_KIB;
    nutanix_of(h->cluster)->stored += rq.bytes;
    each_extent(p, h->cluster, v, &rq, store_copies);
    sim_call(p, &written, word);
}

/* ---- which of the two ---- */

enum { TO_LOG, TO_STORE };

bool nutanix_to_log(struct hci_cluster *c, const struct hci_vdisk *v, const struct hci_request *rq,
                    uint64_t outstanding)
{
    const struct nutanix_node *n = home_of(c, v);
    const struct nutanix_conf *conf = nutanix_of(c)->conf;
    bool sustained = conf->sustained_random_bypass &&
                     nutanix_of(c)->vdisks[v->index].undrained > conf->sustained_random_bytes;
    if (!nutanix_can_log(c, n, rq->bytes))
        return false;
    /* What is newer must not end up behind older data in the log. */
    return (outstanding <= conf->oplog_bypass_bytes && !sustained) ||
           hci_log_any(n->log, v->index, rq->offset, rq->bytes);
}

static unsigned choose_write(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word)
{
    struct hci_request rq;
    struct hci_io *h = hci_io_of(io);
    struct nutanix_state *st = nutanix_of(h->cluster);
    struct hci_vdisk *v = piece_of(h, word, &rq);
    (void)s, (void)t;
    return nutanix_to_log(h->cluster, v, &rq, st->vdisks[v->index].outstanding) ? TO_LOG : TO_STORE;
}

static const struct sim_alt write_alts[] = {
    [TO_LOG] = {"at most oplog_bypass bytes outstanding on the virtual disk: write log",
                build_log_write},
    [TO_STORE] = {"more outstanding, or sustained random with that bypass on: extent store",
                  build_store_write},
};
static const struct sim_choice write_choice = {"log admission", choose_write, write_alts, 2};

static void write_done(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word)
{
    struct hci_request rq;
    struct hci_io *h = hci_io_of(io);
    struct hci_vdisk *v = piece_of(h, word, &rq);
    (void)s, (void)t;
    nutanix_of(h->cluster)->vdisks[v->index].outstanding -= rq.bytes;
}

/* ---- reads ---- */

enum { FROM_CACHE, FROM_LOG, FROM_LOCAL, FROM_REMOTE, FROM_FETCH };

static struct nutanix_fetch *fetch_slot(struct nutanix_node *n, uint32_t space, uint64_t granule)
{
    return &n->fetch[sim_key(granule, space) % NUTANIX_FETCHES];
}

static struct nutanix_fetch *find_fetch(struct nutanix_node *n, uint32_t space, uint64_t granule)
{
    struct nutanix_fetch *f = fetch_slot(n, space, granule);
    return f->used && f->granule == granule && f->space == space ? f : NULL;
}

/* A second miss of a granule waits for the first one's fetch. Where two fetches
 * under way fall on one slot (rare: it has 1,024) the later one is not shared. */
static void begin_fetch(struct sim *s, const struct sim_io *io, struct nutanix_node *n, uint32_t space, uint64_t granule,
                        uint64_t count)
{
    struct nutanix_fetch *f = fetch_slot(n, space, granule);
    if (f->used || n->nfree_gates == 0 || !sim_gate_try(s, n->free_gate[n->nfree_gates - 1], 1))
        return;
    *f = (struct nutanix_fetch){.used = true, .owner = io,
                                .space = space, .granule = granule, .count = count,
                                .gate = n->free_gate[--n->nfree_gates]};
}

static void fetched(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word)
{
    struct hci_request rq;
    struct hci_io *h = hci_io_of(io);
    struct nutanix_state *st = nutanix_of(h->cluster);
    struct hci_vdisk *v = piece_of(h, word, &rq);
    struct nutanix_node *n = home_of(h->cluster, v);
    struct nutanix_fetch *f = find_fetch(n, v->index, nutanix_granule(st, &rq));
    (void)t;
    if (!hci_log_any(n->log, v->index, rq.offset, rq.bytes)) /* written meanwhile */
        hci_cache_insert_range(n->cache, v->index, nutanix_granule(st, &rq), nutanix_granules(st, &rq));
    if (f && f->owner == io) {
        f->used = false;
        n->free_gate[n->nfree_gates++] = f->gate;
        sim_gate_give(s, f->gate, 1);
    }
}

static const struct sim_call_fn insert = {"insert into the read cache", fetched};

static unsigned choose_read(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word)
{
    struct hci_request rq;
    struct hci_io *h = hci_io_of(io);
    struct nutanix_state *st = nutanix_of(h->cluster);
    struct hci_vdisk *v = piece_of(h, word, &rq);
    struct nutanix_node *n = home_of(h->cluster, v);
    uint64_t first = nutanix_granule(st, &rq), count = nutanix_granules(st, &rq), missing;
    struct nutanix_fetch *f = find_fetch(n, v->index, first);
    (void)t;
    if (hci_cache_touch_range(n->cache, v->index, first, count, &missing) == count)
        return FROM_CACHE;
    if (hci_log_any(n->log, v->index, rq.offset, rq.bytes))
        return FROM_LOG;
    if (f && f->count >= count) {
        h->user = f->gate;
        return FROM_FETCH;
    }
    begin_fetch(s, io, n, v->index, first, count);
    return nutanix_has_copy(h->cluster, v, sim_divide(rq.offset, st->extent)) ? FROM_LOCAL
                                                                               : FROM_REMOTE;
}

static void build_hit(struct sim_plan *p, struct sim_io *io, uint32_t word)
{
    struct hci_request rq;
    struct hci_io *h = hci_io_of(io);
    struct nutanix_state *st = nutanix_of(h->cluster);
    piece_of(h, word, &rq);
    sim_delay(p, st->conf->cache_hit_ns * nutanix_granules(st, &rq), 0, HCI_PART_CACHE);
}

static void build_log_read(struct sim_plan *p, struct sim_io *io, uint32_t word)
{
    struct hci_request rq;
    struct hci_io *h = hci_io_of(io);
    struct hci_vdisk *v = piece_of(h, word, &rq);
    nutanix_log_read(p, home_of(h->cluster, v), v, &rq);
}

void nutanix_log_read(struct sim_plan *p, struct nutanix_node *n, const struct hci_vdisk *v,
                      const struct hci_request *rq)
{
    if (n->space == SIM_NONE) /* explain asks for what cannot be chosen */
        return;
    unsigned i = log_place(n, v, rq->offset);
    uint64_t size = n->log_disks.upto[i] - (i ? n->log_disks.upto[i - 1] : 0);
    struct hci_request io = *rq;
    io.op = HCI_READ;
    /* Where it was appended is not kept: anywhere in the log, the same every time. */
    io.offset = sim_below(sim_key(~nutanix_of(n->cluster)->vdisks[v->index].log_key, rq->offset),
                          size);
    io.offset -= io.offset % nutanix_of(n->cluster)->conf->cache_granule_bytes;
    hci_disk_io(p, n->log_disks.disk[i], &io, HCI_PART_LOG_LOCAL);
}

static void read_remote(struct sim_plan *p, struct hci_cluster *c, const struct hci_vdisk *v,
                        const struct hci_request *rq)
{
    struct nutanix_state *st = nutanix_of(c);
    struct nutanix_node *home = home_of(c, v);
    uint64_t extent = sim_divide(rq->offset, st->extent);
    unsigned copy = nutanix_copy(c, v, extent, 0) == v->node ? 1 : 0;
    if (copy == st->copies)
        return;
    struct nutanix_node *far = &st->nodes[nutanix_copy(c, v, extent, copy)];
    hci_net_ack(p, home->node, far->node, flow_of(v), HCI_PART_NETWORK);
    peer_cpu(p, st, far->node, rq->bytes, false);
    nutanix_store_io(p, far, v, rq, HCI_PART_STORE_REMOTE);
    hci_net(p, far->node, home->node, rq->bytes + HCI_NET_HEADER, flow_of(v), HCI_PART_NETWORK);
}

static void read_nearest(struct sim_plan *p, struct hci_cluster *c, const struct hci_vdisk *v,
                         const struct hci_request *rq)
{
    if (nutanix_has_copy(c, v, sim_divide(rq->offset, nutanix_of(c)->extent)))
        nutanix_store_io(p, home_of(c, v), v, rq, HCI_PART_STORE_LOCAL);
    else
        read_remote(p, c, v, rq);
}

static void build_local_read(struct sim_plan *p, struct sim_io *io, uint32_t word)
{
    struct hci_request rq;
    struct hci_io *h = hci_io_of(io);
    struct hci_vdisk *v = piece_of(h, word, &rq);
    each_extent(p, h->cluster, v, &rq, read_nearest);
    sim_call(p, &insert, word);
}

static void build_remote_read(struct sim_plan *p, struct sim_io *io, uint32_t word)
{
    struct hci_request rq;
    struct hci_io *h = hci_io_of(io);
    struct hci_vdisk *v = piece_of(h, word, &rq);
    /* Chosen for the first extent; the others of a large read have their own. */
    bool one = extents_of(&rq, nutanix_of(h->cluster)->extent) == 1;
    each_extent(p, h->cluster, v, &rq, one ? read_remote : read_nearest);
    sim_call(p, &insert, word);
}

static void build_fetch_wait(struct sim_plan *p, struct sim_io *io, uint32_t word)
{
    uint32_t gate = hci_io_of(io)->user;
    if (gate == 0) /* explain asks without a decision */
        return;
    sim_take(p, gate, 1, HCI_PART_FETCH);
    sim_give(p, gate, 1);
    build_hit(p, io, word);
}

static const struct sim_alt read_alts[] = {
    [FROM_CACHE] = {"all granules in the Unified Cache", build_hit},
    [FROM_LOG] = {"not cached, undrained in the OpLog: log device", build_log_read},
    [FROM_LOCAL] = {"not cached, drained, a copy on this node: local extent store",
                    build_local_read},
    [FROM_REMOTE] = {"not cached, drained, no copy here: a remote extent store",
                     build_remote_read},
    [FROM_FETCH] = {"being fetched by an earlier miss: wait for that", build_fetch_wait},
};
static const struct sim_choice read_choice = {"where the data are", choose_read, read_alts, 5};

/* ---- from the guest to the controller ---- */

static void to_controller(struct sim_plan *p, struct nutanix_state *st, const struct hci_vdisk *v,
                          const struct hci_request *rq)
{
    const struct nutanix_conf *c = st->conf;
    struct hci_node *home = st->nodes[v->node].node;
    bool write = rq->op != HCI_READ;
    uint64_t data = rq->op == HCI_TRIM ? 0 : rq->bytes;
    sim_visit(p, v->frodo, sim_transfer_again(&st->frodo_copy, data, c->frodo_Bps), st->frodo, HCI_PART_FRODO);
    sim_delay(p, 0, st->hypervisor, HCI_PART_GUEST);
    sim_take(p, v->controller, 1, HCI_PART_CONTROLLER);
    sim_visit(p, home->cvm_cpu, sim_transfer_again(&st->controller_copy, data, c->controller_Bps),
              st->controller[write], HCI_PART_CVM_CPU);
    sim_give(p, v->controller, 1);
    sim_visit(p, home->cvm_cpu, sim_transfer_again(&st->cvm_copy, data, c->cvm_Bps), st->cpu[write],
              HCI_PART_CVM_CPU);
    sim_delay(p, 0, st->handoff, HCI_PART_CVM_HANDOFF);
}

static void leg(struct sim_plan *p, struct nutanix_state *st, struct hci_piece *piece,
                uint32_t word)
{
    static const struct sim_call_fn done = {"write done", write_done};
    struct hci_vdisk *v = piece->vdisk;
    to_controller(p, st, v, &piece->rq);
    if (piece->rq.op == HCI_WRITE) {
        st->vdisks[v->index].outstanding += piece->rq.bytes;
        sim_sub(p, &write_choice, word);
        sim_call(p, &done, word);
    } else if (piece->rq.op == HCI_READ) {
        hci_cache_prefetch(st->nodes[v->node].cache, v->index, nutanix_granule(st, &piece->rq));
        sim_sub(p, &read_choice, word);
    }
    /* A flush has nothing left to do: what was acknowledged is in the log. A trim
     * changes metadata alone; the space it frees is not modelled. */
    sim_delay(p, 0, st->ack, HCI_PART_ACK);
}

void nutanix_lower(struct hci_cluster *c, struct sim_io *io)
{
    struct nutanix_state *st = nutanix_of(c);
    struct hci_io *h = hci_io_of(io);
    struct hci_guest *g = &c->guests[h->guest];
    struct hci_piece piece[HCI_MAX_PIECES];
    struct sim_plan *p = &io->plan;
    unsigned n = hci_guest_map(g, h, piece, HCI_MAX_PIECES);

    if (n == 1) {
        leg(p, st, &piece[0], piece[0].vdisk->leg);
    } else {
        sim_par(p, SIM_ALL);
        for (unsigned i = 0; i < n; i++) {
            sim_branch(p);
            leg(p, st, &piece[i], piece[i].vdisk->leg);
        }
        sim_join(p);
    }
    sim_ack(p);
}
