/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Skipped time on the Nutanix platform: requests change the read cache, the
 * write log and the drives' fast write caches as they would, but take no time.
 * Drains go on as fast as they were seen to: `drain_parallel` extents in the
 * time one took. What was not seen (a drain begins, ends, catches up or falls
 * behind; the log is full) ends the skip.
 */
#include "platforms/nutanix_state.h"

#define STEPS 4 /* in a row that make a change of course, not a flicker */

static struct nutanix_node *home_of(struct hci_cluster *c, const struct hci_vdisk *v)
{
    return &nutanix_of(c)->nodes[v->node];
}

static void mark(struct hci_cluster *c, bool first)
{
    for (unsigned i = 0; i < c->nnodes; i++) {
        struct nutanix_node *n = &nutanix_of(c)->nodes[i];
        sim_time now = c->sim->now;
        n->drains_area += n->drains * (now - n->drains_since);
        n->drains_since = now;
        if (first) {
            n->skip.area = n->drains_area;
            n->skip.extents = n->extents_drained;
        }
        n->skip.window_area = n->drains_area;
        n->skip.window_extents = n->extents_drained;
        n->skip.window_at = now;
        n->skip.hits = hci_cache_counts(n->cache)->hits;
        n->skip.misses = hci_cache_counts(n->cache)->misses;
        n->skip.looked = n->skip.cold = false;
        n->skip.active = n->skip.full = false;
        n->skip.idle = n->skip.busy = 0;
        n->skip.budget = 0;
    }
}

/* Whether the window found next to nothing in the cache. */
static bool cold(const struct nutanix_node *n)
{
    const struct hci_cache_counts *k = hci_cache_counts(n->cache);
    uint64_t hits = k->hits - n->skip.hits, misses = k->misses - n->skip.misses;
    return hits * 200 <= misses;
}

/* What the window showed of the drains; once a skip. */
static void look(struct nutanix_node *n)
{
    struct nutanix_skip *k = &n->skip;
    uint64_t most = nutanix_of(n->cluster)->conf->drain_parallel;
    if (k->looked)
        return;
    k->looked = true;
    k->cold = cold(n);
    uint64_t drained = n->extents_drained - k->extents, now = n->cluster->sim->now;
    uint64_t area = n->drains_area - k->area + n->drains * (now - n->drains_since);
    k->extent_ns = drained ? (double)area / (double)drained : 0;
    k->active = drained > 0 && (n->extents_drained > k->window_extents || n->drains > 0);
    area -= k->window_area - k->area;
    k->full = 10 * area >= 9 * most * (now - k->window_at);
}

/* ---- writes ---- */

/* Log space for all copies, or none of it taken. */
static bool reserve(struct hci_cluster *c, const struct hci_vdisk *v, uint64_t bytes)
{
    struct nutanix_state *st = nutanix_of(c);
    for (unsigned i = 0; i < c->nnodes; i++) {
        uint32_t space = st->nodes[i].space;
        if (space != SIM_NONE && (c->sim->gate[space].level < bytes || c->sim->gate[space].waiting))
            return false;
    }
    const struct nutanix_episode *ep = nutanix_episode(c, v, bytes);
    bool all = sim_gate_try(c->sim, home_of(c, v)->space, bytes);
    for (unsigned r = 0; r + 1 < st->copies; r++)
        all &= sim_gate_try(c->sim, st->nodes[ep->peers[r]].space, bytes);
    home_of(c, v)->skip.log_bytes += bytes;
    for (unsigned r = 0; r + 1 < st->copies; r++)
        st->nodes[ep->peers[r]].skip.log_bytes += bytes;
    return all;
}

static void to_store(struct hci_cluster *c, const struct hci_vdisk *v, uint64_t offset,
                     uint64_t bytes)
{
    struct nutanix_state *st = nutanix_of(c);
    uint64_t size = st->conf->extent_bytes;
    while (bytes) {
        uint64_t part = sim_min(bytes, size - offset % size);
        for (unsigned r = 0; r < st->copies; r++)
            st->nodes[nutanix_copy(c, v, offset / size, r)].skip.store_bytes += part;
        offset += part;
        bytes -= part;
    }
}

static bool write_piece(struct hci_cluster *c, const struct hci_vdisk *v,
                        const struct hci_request *rq)
{
    struct nutanix_state *st = nutanix_of(c);
    struct nutanix_node *n = home_of(c, v);
    if (nutanix_to_log(c, v, rq, st->vdisks[v->index].outstanding + rq->bytes)) {
        if (!reserve(c, v, rq->bytes))
            return false;
        hci_log_append(n->log, v->index, rq->offset, rq->bytes, hci_cluster_clock(c));
    } else {
        to_store(c, v, rq->offset, rq->bytes);
    }
    hci_cache_drop_range(n->cache, v->index, nutanix_granule(st, rq), nutanix_granules(st, rq));
    return true;
}

/* ---- reads ---- */

/* What would be evicted before the skip ends need not enter the cache; nor, while
 * nothing is found there anyway, what would be before the job ends. */
static void read_piece(struct hci_cluster *c, const struct hci_vdisk *v,
                       const struct hci_request *rq, uint64_t left, uint64_t later)
{
    struct nutanix_node *n = home_of(c, v);
    look(n);
    uint64_t granule = nutanix_of(c)->conf->cache_granule_bytes, missing;
    uint64_t first = nutanix_granule(nutanix_of(c), rq), count = nutanix_granules(nutanix_of(c), rq);
    n->skip.passed_by =
        left + (n->skip.cold ? later : 0) > hci_cache_capacity(n->cache) * granule / 3 * 4;
    if (n->skip.passed_by)
        return;
    if (hci_cache_touch_range(n->cache, v->index, first, count, &missing) == count)
        return;
    if (!hci_log_any(n->log, v->index, rq->offset, rq->bytes))
        hci_cache_insert_range(n->cache, v->index, first, count);
}

static enum hci_course io(struct hci_cluster *c, unsigned guest, const struct hci_request *rq,
                          uint64_t draw, uint64_t left, uint64_t later)
{
    struct hci_piece piece[HCI_MAX_PIECES];
    bool same = true;
    unsigned n = hci_guest_map_skipped(&c->guests[guest], rq, draw, piece, HCI_MAX_PIECES);
    for (unsigned i = 0; i < n; i++) {
        if (rq->op == HCI_READ)
            read_piece(c, piece[i].vdisk, &piece[i].rq, left, later);
        else if (rq->op == HCI_WRITE)
            same &= write_piece(c, piece[i].vdisk, &piece[i].rq);
    }
    return same ? HCI_STRAIGHT : HCI_TURN;
}

/* Where a request will go: a read of a mirror most likely to the leg drawn. */
static unsigned likely(struct hci_guest *g, const struct hci_request *rq, uint64_t draw,
                       struct hci_piece *piece)
{
    struct hci_request all = *rq;
    all.op = HCI_WRITE;
    unsigned n = hci_guest_map_skipped(g, &all, 0, piece, HCI_MAX_PIECES);
    if (rq->op != HCI_READ || g->raid != HCI_RAID1)
        return n;
    piece[0].vdisk = &g->legs[sim_below(draw, g->nlegs)];
    return 1;
}

static void ahead(struct hci_cluster *c, unsigned guest, const struct hci_request *rq,
                  uint64_t draw, unsigned stage)
{
    struct hci_piece piece[HCI_MAX_PIECES];
    if (rq->op != HCI_WRITE && rq->op != HCI_READ)
        return;
    unsigned n = likely(&c->guests[guest], rq, draw, piece);
    for (unsigned i = 0; i < n; i++) {
        const struct hci_vdisk *v = piece[i].vdisk;
        const struct nutanix_node *home = home_of(c, v);
        if (rq->op == HCI_READ && home->skip.passed_by)
            continue;
        uint64_t granule = nutanix_granule(nutanix_of(c), &piece[i].rq);
        if (stage == 0) {
            hci_cache_prefetch(home->cache, v->index, granule);
        } else {
            hci_cache_prefetch_held(home->cache, v->index, granule);
            hci_log_prefetch(home->log, v->index, piece[i].rq.offset);
        }
    }
}

/* ---- time ---- */

/* Data go to a node's disks in proportion to their space. */
static bool spread(struct nutanix_disks *d, uint64_t bytes)
{
    bool same = true;
    for (unsigned i = 0; i < d->n; i++) {
        uint64_t size = d->upto[i] - (i ? d->upto[i - 1] : 0);
        double part = (double)bytes * ((double)size / (double)d->upto[d->n - 1]);
        same &= hci_disk_absorb(d->disk[i], (uint64_t)part);
    }
    return same;
}

static void drain_one(struct nutanix_node *n, const struct hci_log_extent *x)
{
    struct hci_cluster *c = n->cluster;
    const struct nutanix_conf *conf = nutanix_of(c)->conf;
    const struct hci_vdisk *v = hci_cluster_vdisk(c, x->space);
    to_store(c, v, x->extent * conf->extent_bytes, x->dirty * conf->cache_granule_bytes);
    nutanix_give_back(c, v, x->logged_bytes);
}

static enum hci_course drain(struct nutanix_node *n, uint64_t ns)
{
    struct nutanix_skip *k = &n->skip;
    struct hci_log_extent x;
    bool due = nutanix_drain_due(n);
    if (due && (!k->active || k->extent_ns <= 0))
        return HCI_TURN;
    if (!k->active)
        return HCI_STRAIGHT;
    k->budget += (double)ns * (double)nutanix_of(n->cluster)->conf->drain_parallel / k->extent_ns;
    bool any = false;
    for (; due && k->budget >= 1; due = nutanix_drain_due(n)) {
        if (!hci_log_pick(n->log, &x)) {
            n->draining = due = false;
            break;
        }
        drain_one(n, &x);
        k->budget -= 1;
        any = true;
    }
    k->budget = due || k->budget < 1 ? k->budget : 1;
    k->idle = any ? 0 : k->idle + 1;
    k->busy = due != k->full ? k->busy + 1 : 0; /* caught up, or fallen behind */
    return k->idle == STEPS ? HCI_TURN : k->busy == STEPS ? HCI_BEND : HCI_STRAIGHT;
}

static enum hci_course pass(struct hci_cluster *c, uint64_t ns)
{
    struct nutanix_state *st = nutanix_of(c);
    enum hci_course course = HCI_STRAIGHT;
    bool same = true;
    for (unsigned i = 0; i < c->nnodes; i++) {
        struct nutanix_node *n = &st->nodes[i];
        look(n);
        enum hci_course one = n->space == SIM_NONE ? HCI_STRAIGHT : drain(n, ns);
        course = one > course ? one : course;
    }
    for (unsigned i = 0; i < c->nnodes; i++) {
        struct nutanix_node *n = &st->nodes[i];
        same &= spread(&n->log_disks, n->skip.log_bytes);
        same &= spread(&n->store_disks, n->skip.store_bytes);
        n->skip.log_bytes = n->skip.store_bytes = 0;
    }
    return same ? course : HCI_TURN;
}

/* A timer set before the skip is late now; another one does no harm. */
static void resume(struct hci_cluster *c)
{
    for (unsigned i = 0; i < c->nnodes; i++) {
        struct nutanix_node *n = &nutanix_of(c)->nodes[i];
        n->timer = false;
        if (n->space != SIM_NONE)
            nutanix_drain_check(n);
    }
}

const struct hci_skip_ops nutanix_skip = {
    .mark = mark, .io = io, .ahead = ahead, .pass = pass, .resume = resume};
