/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Behind the write log: episodes and their peers, and the drain that coalesces
 * what was logged into extents and writes them to the extent store.
 */
#include "platforms/nutanix_state.h"

#include "sim_assert.h"

#include <stdlib.h>
#include <string.h>

/* ---- episodes ---- */

/* Peers are drawn by free log space; keyed by episode, so layouts compare. */
static void choose_peers(struct hci_cluster *c, const struct hci_vdisk *v, uint64_t episode,
                         struct nutanix_episode *ep)
{
    struct nutanix_state *st = nutanix_of(c);
    uint64_t key = sim_key(sim_key(sim_key(c->sim->seed, sim_role("episode")), v->index), episode);
    bool *taken = st->taken;
    memset(taken, 0, c->nnodes * sizeof *taken);
    taken[v->node] = true;
    for (unsigned r = 0; r + 1 < st->copies; r++) {
        uint64_t total = 0;
        for (unsigned n = 0; n < c->nnodes; n++)
            if (!taken[n] && st->nodes[n].space != SIM_NONE)
                total += 1 + c->sim->gate[st->nodes[n].space].level;
        uint64_t at = sim_below(sim_key(key, r), total);
        unsigned n = 0;
        for (;; n++) {
            if (taken[n] || st->nodes[n].space == SIM_NONE)
                continue;
            uint64_t w = 1 + c->sim->gate[st->nodes[n].space].level;
            if (at < w)
                break;
            at -= w;
        }
        taken[n] = true;
        ep->peers[r] = (uint16_t)n;
    }
}

bool nutanix_can_log(const struct hci_cluster *c, const struct nutanix_node *n, uint64_t bytes)
{
    const struct nutanix_state *st = c->state;
    return n->space != SIM_NONE && bytes <= st->most_logged;
}

static struct nutanix_episode *add_episode(struct nutanix_vdisk *v)
{
    if (v->n == v->cap) {
        unsigned cap = v->cap ? 2 * v->cap : 16;
        struct nutanix_episode *ring = calloc(cap, sizeof *ring);
        sim_assert(ring != NULL);
        for (unsigned i = 0; i < v->n; i++)
            ring[i] = v->episode[(v->first + i) % v->cap];
        free(v->episode);
        v->episode = ring;
        v->first = 0;
        v->cap = cap;
    }
    return &v->episode[(v->first + v->n++) & (v->cap - 1)];
}

const struct nutanix_episode *nutanix_episode(struct hci_cluster *c, const struct hci_vdisk *v,
                                              uint64_t bytes)
{
    struct nutanix_state *st = nutanix_of(c);
    struct nutanix_vdisk *vd = &st->vdisks[v->index];
    struct nutanix_episode *ep;
    if (vd->n == 0 || vd->written >= vd->episode_end) {
        uint64_t number = vd->written / st->conf->oplog_episode_bytes;
        vd->episode_end = (number + 1) * st->conf->oplog_episode_bytes;
        ep = add_episode(vd);
        *ep = (struct nutanix_episode){.bytes = 0};
        choose_peers(c, v, number, ep);
    } else {
        ep = &vd->episode[(vd->first + vd->n - 1) & (vd->cap - 1)];
    }
    ep->bytes += bytes;
    vd->written += bytes;
    vd->undrained += bytes;
    return ep;
}

/* Drained bytes free the space of the oldest episodes first, as extents drain
 * in the order in which they became dirty. */
void nutanix_give_back(struct hci_cluster *c, const struct hci_vdisk *v, uint64_t bytes)
{
    struct nutanix_state *st = nutanix_of(c);
    struct nutanix_vdisk *vd = &st->vdisks[v->index];
    vd->undrained -= bytes;
    sim_gate_give(c->sim, st->nodes[v->node].space, bytes);
    while (bytes) {
        struct nutanix_episode *ep = &vd->episode[vd->first];
        uint64_t part = sim_min(bytes, ep->bytes);
        for (unsigned r = 0; r + 1 < st->copies; r++)
            sim_gate_give(c->sim, st->nodes[ep->peers[r]].space, part);
        ep->bytes -= part;
        bytes -= part;
        if (ep->bytes == 0 && vd->n > 1) {
            vd->first = (vd->first + 1) & (vd->cap - 1);
            vd->n--;
        } else {
            sim_assert(bytes == 0);
        }
    }
}

/* ---- drain ---- */

static void drain_more(struct nutanix_node *n);

/* The integral tells how long a drain takes: skipped time needs to know. */
static void count_drains(struct nutanix_node *n, unsigned now_under_way)
{
    sim_time now = n->cluster->sim->now;
    n->drains_area += n->drains * (now - n->drains_since);
    n->drains_since = now;
    n->extents_drained += now_under_way < n->drains;
    n->drains = now_under_way;
}

static void drained(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word)
{
    struct hci_io *h = hci_io_of(io);
    struct hci_cluster *c = h->cluster;
    struct hci_vdisk *v = hci_cluster_vdisk(c, h->user);
    struct nutanix_node *n = &nutanix_of(c)->nodes[v->node];
    (void)s, (void)t, (void)word;
    count_drains(n, n->drains - 1);
    n->drained += h->rq.bytes;
    nutanix_give_back(c, v, h->data);
    drain_more(n);
}

/* A drain is an op of the virtual disk's controller like any other; each run of
 * contiguous granules is then one op on the extent store of every copy. */
static void build_drain(struct sim_plan *p, struct nutanix_node *n, const struct hci_vdisk *v,
                        const struct hci_request *rq, const struct hci_log_extent *x)
{
    static const struct sim_call_fn done = {"extent drained", drained};
    struct hci_cluster *c = n->cluster;
    struct nutanix_state *st = nutanix_of(c);
    const struct nutanix_conf *conf = st->conf;
    uint64_t cpu = x->runs * conf->drain_cpu_ns + sim_transfer_again(&st->cvm_copy, rq->bytes, conf->cvm_Bps);

    sim_take(p, v->controller, 1, HCI_PART_CONTROLLER);
    sim_visit(p, n->node->cvm_cpu, conf->controller_ns, 0, HCI_PART_CVM_CPU);
    sim_give(p, v->controller, 1);
    nutanix_log_read(p, n, v, rq);
    sim_visit(p, n->node->cvm_cpu, cpu, 0, HCI_PART_CVM_CPU);
    sim_par(p, SIM_ALL);
    for (unsigned r = 0; r < st->copies; r++) {
        struct nutanix_node *to =
            &st->nodes[nutanix_copy(c, v, sim_divide(rq->offset, st->extent), r)];
        sim_branch(p);
        if (to != n) {
            hci_net(p, n->node, to->node, rq->bytes + HCI_NET_HEADER, v->index,
                    HCI_PART_NETWORK);
            sim_visit(p, to->node->cvm_cpu, cpu, 0, HCI_PART_REMOTE_CPU);
        }
        nutanix_store_io(p, to, v, rq, HCI_PART_STORE_LOCAL);
        if (to != n)
            hci_net_ack(p, to->node, n->node, v->index, HCI_PART_NETWORK);
    }
    sim_join(p);
    sim_call(p, &done, 0);
}

static void fill_drain(struct nutanix_node *n, const struct hci_log_extent *x, struct sim_io *io)
{
    struct hci_cluster *c = n->cluster;
    const struct nutanix_conf *conf = nutanix_of(c)->conf;
    const struct hci_vdisk *v = hci_cluster_vdisk(c, x->space);
    struct hci_io *h = hci_io_of(io);
    *h = (struct hci_io){.cluster = c, .guest = (uint16_t)v->guest, .user = x->space,
                         .data = x->logged_bytes,
                         .rq = {.op = HCI_WRITE, .offset = x->extent * conf->extent_bytes,
                                .bytes = (uint32_t)(x->dirty * conf->cache_granule_bytes),
                                /* scattered granules are random writes to the drive */
                                .seq = x->dirty >= 8 * x->runs}};
    build_drain(&io->plan, n, v, &h->rq, x);
}

static void start_drain(struct nutanix_node *n, const struct hci_log_extent *x)
{
    struct hci_cluster *c = n->cluster;
    struct sim *s = c->sim;
    uint64_t key = sim_key(sim_key(s->seed, sim_role("drain")), x->space);
    key = sim_key(sim_key(key, x->extent), nutanix_of(c)->vdisks[x->space].written);
    struct sim_io *io = sim_io_new(s, NULL, key);
    count_drains(n, n->drains + 1);
    nutanix_of(c)->coalesced += x->dirty * nutanix_of(c)->conf->cache_granule_bytes;
    fill_drain(n, x, io);
    sim_io_start(s, io);
}

/* One extent written whole: the drain at its best. */
const char *nutanix_background(struct hci_cluster *c, struct sim_io *io, unsigned i)
{
    struct nutanix_state *st = nutanix_of(c);
    uint64_t bytes = st->conf->extent_bytes;
    if (i > 0 || c->nvdisks == 0)
        return NULL;
    struct nutanix_node *n = &st->nodes[hci_cluster_vdisk(c, 0)->node];
    struct hci_log_extent x = {.logged_bytes = bytes, .runs = 1,
                               .extent = sim_below(io->key, SIM_GIB),
                               .dirty = (uint32_t)(bytes / st->conf->cache_granule_bytes)};
    if (!nutanix_can_log(c, n, 1))
        return NULL;
    fill_drain(n, &x, io);
    return "drain of one extent logged whole";
}

static uint64_t free_space(const struct nutanix_node *n)
{
    return n->cluster->sim->gate[n->space].level;
}

static bool aged(const struct nutanix_node *n)
{
    sim_time oldest = hci_log_oldest(n->log), now = hci_cluster_clock(n->cluster);
    return oldest != SIM_NEVER && now - oldest >= nutanix_of(n->cluster)->conf->drain_age_ns;
}

static void wake(struct sim *s, void *ctx)
{
    struct nutanix_node *n = ctx;
    (void)s;
    n->timer = false;
    nutanix_drain_check(n);
}

/* Draining starts when any log is as full as drain_start says and stops when all are
 * emptier than drain_stop: whoever holds this node's log data may be fuller than
 * the node itself. */
static void start_or_stop(struct nutanix_node *n)
{
    const struct nutanix_state *st = nutanix_of(n->cluster);
    bool full = false, empty = true;
    for (unsigned i = 0; i < n->cluster->nnodes; i++) {
        const struct nutanix_node *k = &st->nodes[i];
        if (k->space == SIM_NONE)
            continue;
        full |= free_space(k) <= k->start_level;
        empty &= free_space(k) > k->stop_level;
    }
    n->draining = n->draining ? !empty : full && !empty;
}

bool nutanix_drain_due(struct nutanix_node *n)
{
    start_or_stop(n);
    return n->draining || aged(n);
}

static void drain_more(struct nutanix_node *n)
{
    const struct nutanix_conf *conf = nutanix_of(n->cluster)->conf;
    struct hci_log_extent x;
    start_or_stop(n);
    while (n->drains < conf->drain_parallel && (n->draining || aged(n))) {
        if (!hci_log_pick(n->log, &x)) {
            n->draining = false;
            return;
        }
        start_drain(n, &x);
    }
}

void nutanix_drain_check(struct nutanix_node *n)
{
    const struct nutanix_conf *conf = nutanix_of(n->cluster)->conf;
    sim_time now = hci_cluster_clock(n->cluster), oldest = hci_log_oldest(n->log);
    drain_more(n);
    if (n->timer || oldest == SIM_NEVER)
        return;
    sim_time due = sim_max(now, oldest + conf->drain_age_ns);
    n->timer = true;
    sim_after(n->cluster->sim, sim_max(due - now, 10 * SIM_MS), wake, n);
}
