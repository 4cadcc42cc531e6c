/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_source_state.h: what hci_source.c (which request is next) and
 * hci_source_create.c (from a job to a source) share, and nobody else.
 */
#ifndef HCI_SOURCE_STATE_H
#define HCI_SOURCE_STATE_H

#include "hci_blockmap.h"
#include "hci_order.h"
#include "hci_skew.h"
#include "hci_source.h"

enum hci_order {
    HCI_ORDER_SEQUENTIAL,
    HCI_ORDER_MAP,  /* computed: each block once a pass */
    HCI_ORDER_LFSR, /* the same, in the same order each pass */
    HCI_ORDER_CUT,  /* a map kept, of blocks of several sizes */
    HCI_ORDER_DRAW  /* with replacement */
};

struct hci_region { /* the part of one file the job uses; positions count from its start */
    uint64_t start, bytes;
    uint64_t pos[HCI_DDIRS], last[HCI_DDIRS]; /* next sequential; last issued */
    uint64_t zone, zone_done;                 /* strided: start of the zone, bytes done there */
    uint64_t places[HCI_DDIRS];               /* where a block may start, now */
    uint64_t blocks, at, pass, key;           /* map and LFSR: blocks, position, pass */
    struct hci_perm perm;
    struct hci_lfsr lfsr;
    struct hci_skew skew[HCI_DDIRS];
    struct hci_blockmap *map;                 /* of HCI_ORDER_CUT */
    uint16_t file;
    bool done;
};

struct hci_source {
    const struct hci_job *job;
    enum hci_order order;
    unsigned dirs, only;             /* bits used; the one direction, or HCI_DDIRS */
    uint64_t read_below;             /* a draw below it reads */
    uint64_t key, ios, bytes;        /* issued so far */
    uint64_t nth;                    /* of the draws, which a repeated pass repeats */
    uint64_t limit, all_bytes, all_ios, max_bs; /* per loop; over all loops */
    uint64_t iterations;
    uint64_t run;                    /* I/Os issued in runs of rw_seq_nr */
    bool finished, mixed_random[HCI_DDIRS], sync[HCI_DDIRS];
    bool sequential;                 /* no random offsets at all */
    uint64_t one_size[HCI_DDIRS];    /* of every block; 0: they vary, or a map may cut them */
    bool cuts;                       /* its blocks differ in size and share a map */
    bool trim_pending;               /* trimwrite: the write of `trimmed` comes next */
    struct hci_request trimmed;
    unsigned nregions, current, served;
    struct hci_region regions[];
};

static inline bool hci_source_uses(const struct hci_source *s, unsigned op)
{
    return s->dirs >> op & 1;
}

/* Bytes of the zone the region stands in; all of it when not strided. */
static inline uint64_t hci_source_extent(const struct hci_source *s, const struct hci_region *r)
{
    return s->job->zone_strided ? sim_min(s->job->zonerange, r->bytes - r->zone) : r->bytes;
}

/* Starting points of blocks of direction op in `bytes`. */
static inline uint64_t hci_source_places(const struct hci_source *s, unsigned op, uint64_t bytes)
{
    uint64_t bs = s->job->bs_min[op];
    return bytes < bs ? 0 : (bytes - bs) / s->job->ba[op] + 1;
}

/* The region's next pass begins; its zone is where the region stands. */
void hci_source_start_pass(struct hci_source *s, struct hci_region *r);

#endif
