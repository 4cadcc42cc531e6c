/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The guest's side: which virtual disks a request goes to. Linux md semantics:
 * a RAID 1 write goes to every leg; a read that continues the last sequential
 * one stays on its leg, any other goes to the leg with the fewest pending.
 */
#include "hci_cluster.h"

#define DEFAULT_CHUNK (512 * SIM_KIB) /* md's */

static struct hci_vdisk *read_leg(struct hci_vdisk *legs, unsigned n, const struct hci_request *rq)
{
    struct hci_vdisk *best = &legs[0];
    for (unsigned i = 0; i < n; i++) {
        if (legs[i].next_read == rq->offset && rq->offset != 0)
            return &legs[i];
        if (legs[i].pending < best->pending)
            best = &legs[i];
    }
    return best;
}

static bool continues(const struct hci_vdisk *legs, unsigned n, const struct hci_request *rq)
{
    for (unsigned i = 0; i < n; i++)
        if (legs[i].next_read == rq->offset && rq->offset != 0)
            return true;
    return false;
}

static unsigned map_mirror(struct hci_io *h, struct hci_vdisk *legs, unsigned n,
                           const struct hci_request *rq, struct hci_piece *out, unsigned max)
{
    if (rq->op == HCI_READ) {
        struct hci_vdisk *v = read_leg(legs, n, rq);
        v->next_read = rq->offset + rq->bytes;
        v->pending++;
        h->read_legs |= 1ULL << v->leg;
        out[0] = (struct hci_piece){v, *rq};
        return 1;
    }
    n = n < max ? n : max;
    for (unsigned i = 0; i < n; i++)
        out[i] = (struct hci_piece){&legs[i], *rq};
    return n;
}

/* What a striped request covers on one column: consecutive rows of chunks, one
 * contiguous request to the leg (the block layer merges md's chunks). */
static bool stripe_piece(const struct hci_guest *g, unsigned columns, unsigned column,
                         const struct hci_request *rq, struct hci_request *out)
{
    uint64_t chunk = g->chunk_bytes ? g->chunk_bytes : DEFAULT_CHUNK;
    uint64_t end = rq->offset + rq->bytes, k0 = rq->offset / chunk, k1 = (end - 1) / chunk;
    uint64_t first = k0 + (column + columns - k0 % columns) % columns;
    *out = *rq;
    if (rq->op == HCI_FLUSH)
        return true;
    if (first > k1)
        return false;
    uint64_t last = k1 - (k1 % columns + columns - column) % columns;
    out->offset = first / columns * chunk + (first == k0 ? rq->offset % chunk : 0);
    out->bytes = (uint32_t)(last / columns * chunk + (last == k1 ? (end - 1) % chunk + 1 : chunk) -
                            out->offset);
    return true;
}

static unsigned map_stripe(struct hci_guest *g, unsigned mirror, struct hci_io *h,
                           struct hci_piece *out, unsigned max)
{
    unsigned columns = g->nlegs / mirror, n = 0;
    for (unsigned c = 0; c < columns; c++) {
        struct hci_request piece;
        if (stripe_piece(g, columns, c, &h->rq, &piece))
            n += map_mirror(h, &g->legs[c * mirror], mirror, &piece, out + n, max - n);
    }
    return n;
}

unsigned hci_guest_map(struct hci_guest *g, struct hci_io *h, struct hci_piece *out, unsigned max)
{
    const struct hci_request *rq = &h->rq;
    switch ((enum hci_raid)g->raid) {
    case HCI_RAID1:
        return map_mirror(h, g->legs, g->nlegs, rq, out, max);
    case HCI_RAID0:
        return map_stripe(g, 1, h, out, max);
    case HCI_RAID10:
        return map_stripe(g, 2, h, out, max);
    case HCI_RAID_NONE:
        break;
    }
    out[0] = (struct hci_piece){&g->legs[rq->file % g->nlegs], *rq};
    return 1;
}

unsigned hci_guest_map_skipped(struct hci_guest *g, const struct hci_request *rq, uint64_t draw,
                               struct hci_piece *out, unsigned max)
{
    struct hci_io h = {.rq = *rq};
    bool drawn = g->raid == HCI_RAID1 && rq->op == HCI_READ && !continues(g->legs, g->nlegs, rq);
    unsigned n = hci_guest_map(g, &h, out, max);
    for (unsigned l = 0; h.read_legs >> l; l++)
        g->legs[l].pending -= (uint32_t)(h.read_legs >> l & 1);
    if (drawn) {
        out[0].vdisk = &g->legs[sim_below(draw, g->nlegs)];
        out[0].vdisk->next_read = rq->offset + rq->bytes;
    }
    return n;
}

struct hci_vdisk *hci_guest_piece(struct hci_guest *g, const struct hci_io *h, uint32_t leg,
                                  struct hci_request *rq)
{
    unsigned mirror = g->raid == HCI_RAID10 ? 2 : 1;
    if (g->raid == HCI_RAID0 || g->raid == HCI_RAID10)
        stripe_piece(g, g->nlegs / mirror, leg / mirror, &h->rq, rq);
    else
        *rq = h->rq;
    return &g->legs[leg];
}

struct hci_vdisk *hci_cluster_vdisk(struct hci_cluster *c, unsigned index)
{
    return c->vdisks[index];
}

unsigned hci_guest_copies(const struct hci_guest *g, unsigned op)
{
    if (op == HCI_READ || g->raid == HCI_RAID_NONE || g->raid == HCI_RAID0)
        return 1;
    return g->raid == HCI_RAID10 ? 2 : g->nlegs;
}

void hci_guest_done(const struct hci_io *h)
{
    struct hci_vdisk *legs = h->cluster->guests[h->guest].legs;
    for (uint64_t left = h->read_legs; left; left &= left - 1)
        legs[__builtin_ctzll(left)].pending--;
}

static void submitted(struct sim *s, struct sim_io *io, struct sim_token *t, uint32_t word)
{
    (void)t, (void)word;
    io->submitted = s->now;
}

void hci_submitted(struct sim_plan *p)
{
    static const struct sim_call_fn fn = {"submitted", submitted};
    sim_call(p, &fn, 0);
}
