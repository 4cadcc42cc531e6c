/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_log.h"

#include "hci_table.h"
#include "sim_assert.h"

#include <stdlib.h>
#include <string.h>

#define LINE          64U
#define MOST_GRANULES (1U << 21)

/* What every append to a dirty extent touches: at most one cache line. */
struct record {
    uint64_t logged_bytes;
    uint32_t dirty;
    uint32_t unused;
    uint64_t word[]; /* a bit a granule; all zero while the record is free */
};

/* The rest. */
struct place {
    uint64_t extent;
    sim_time since_ns;
    uint32_t space;
    uint32_t next; /* dirty after this one, or the next free */
};

struct hci_log {
    struct hci_table ids;
    char *records;       /* by id, stride bytes apart */
    struct place *place; /* by id */
    size_t stride;
    uint32_t words;            /* of a record */
    uint32_t room, made, free; /* ids that fit; ever used; first reusable */
    uint32_t oldest, newest;   /* oldest HCI_NONE: clean */
    uint32_t extents;
    struct sim_divisor granule, extent;
    uint64_t fill_bytes;
    struct hci_log_counts counts;
};

/* A range's part in one extent, in bytes and granules from its start. */
struct part {
    uint64_t extent;
    uint64_t from, to; /* bytes, to is the first after it */
    uint32_t lo, hi;   /* first and last granule */
};

struct hci_log *hci_log_create(uint64_t granule_bytes, uint64_t extent_bytes)
{
    if (granule_bytes == 0 || extent_bytes == 0 || extent_bytes % granule_bytes != 0 ||
        extent_bytes / granule_bytes > MOST_GRANULES)
        return NULL;
    struct hci_log *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;

    l->granule = sim_divisor(granule_bytes);
    l->extent = sim_divisor(extent_bytes);
    l->words = (uint32_t)((extent_bytes / granule_bytes + 63) / 64);
    l->stride = (sizeof(struct record) + l->words * sizeof(uint64_t) + LINE - 1) / LINE * LINE;
    l->free = l->oldest = l->newest = HCI_NONE;
    if (hci_table_init(&l->ids))
        return l;
    hci_log_free(l);
    return NULL;
}

void hci_log_free(struct hci_log *l)
{
    if (!l)
        return;
    hci_table_fini(&l->ids);
    free(l->records);
    free(l->place);
    free(l);
}

static inline struct record *record_of(const struct hci_log *l, uint32_t id)
{
    return (struct record *)(void *)(l->records + l->stride * id);
}

static uint32_t new_id(struct hci_log *l)
{
    uint32_t id = l->free;
    if (id != HCI_NONE) {
        l->free = l->place[id].next;
        return id;
    }
    if (l->made == l->room) {
        size_t old = l->room, room = old ? 2 * old : 16, size = sizeof *l->place;
        sim_assert(room < HCI_NONE);
        l->records = hci_array_grow(l->records, old * l->stride, room * l->stride);
        l->place = hci_array_grow(l->place, old * size, room * size);
        sim_assert(l->records != NULL && l->place != NULL);
        l->room = (uint32_t)room;
    }
    id = l->made++;
    memset(record_of(l, id), 0, l->stride);
    return id;
}

/* The record of an extent, which enters the queue if it was clean. */
static struct record *make_record(struct hci_log *l, uint32_t space, uint64_t extent,
                                  sim_time now_ns)
{
    uint32_t id = hci_table_get(&l->ids, space, extent);
    if (id != HCI_NONE)
        return record_of(l, id);
    id = new_id(l);
    hci_table_put(&l->ids, space, extent, id);
    l->place[id] =
        (struct place){.extent = extent, .since_ns = now_ns, .space = space, .next = HCI_NONE};
    if (l->oldest == HCI_NONE)
        l->oldest = id;
    else
        l->place[l->newest].next = id;
    l->newest = id;
    l->extents++;
    return record_of(l, id);
}

/* The part of [at, end), which is not empty, in the extent of at. */
static inline struct part part_of(const struct hci_log *l, uint64_t at, uint64_t end)
{
    struct part p = {.extent = sim_divide(at, l->extent)};
    uint64_t base = p.extent * l->extent.size;
    p.from = at - base;
    p.to = sim_min(end - base, l->extent.size);
    p.lo = (uint32_t)sim_divide(p.from, l->granule);
    p.hi = (uint32_t)sim_divide(p.to - 1, l->granule);
    return p;
}

/* The bits of word w that belong to granules lo to hi. */
static inline uint64_t word_mask(uint32_t w, const struct part *p)
{
    uint64_t mask = UINT64_MAX;
    if (w == p->lo / 64)
        mask &= UINT64_MAX << (p->lo % 64);
    if (w == p->hi / 64)
        mask &= UINT64_MAX >> (63 - p->hi % 64);
    return mask;
}

static inline bool is_dirty(const struct record *r, uint32_t granule)
{
    return r->word[granule / 64] >> (granule % 64) & 1;
}

/* Bytes of the part on granules undrained before, of which there are `clean`
 * fewer than it has: whole granules, less what it leaves of the first and last. */
static uint64_t overwritten(const struct hci_log *l, const struct part *p, uint32_t clean,
                            bool first, bool last)
{
    uint64_t bytes = (uint64_t)(p->hi - p->lo + 1 - clean) * l->granule.size;
    if (first)
        bytes -= p->from - p->lo * l->granule.size;
    if (last)
        bytes -= (p->hi + 1ULL) * l->granule.size - p->to;
    return bytes;
}

static uint32_t append_part(struct hci_log *l, uint32_t space, const struct part *p,
                            sim_time now_ns)
{
    struct record *r = make_record(l, space, p->extent, now_ns);
    bool first = is_dirty(r, p->lo), last = is_dirty(r, p->hi);
    uint32_t clean = 0;

    for (uint32_t w = p->lo / 64; w <= p->hi / 64; w++) {
        uint64_t news = word_mask(w, p) & ~r->word[w];
        r->word[w] |= news;
        clean += (uint32_t)__builtin_popcountll(news);
    }
    r->dirty += clean;
    r->logged_bytes += p->to - p->from;
    if (clean <= p->hi - p->lo)
        l->counts.coalesced_bytes += overwritten(l, p, clean, first, last);
    return clean;
}

uint64_t hci_log_append(struct hci_log *l, uint32_t space, uint64_t offset, uint64_t bytes,
                        sim_time now_ns)
{
    sim_assert(bytes <= UINT64_MAX - offset);
    uint64_t clean = 0, end = offset + bytes;

    for (uint64_t at = offset; at < end;) {
        struct part p = part_of(l, at, end);
        clean += append_part(l, space, &p, now_ns);
        at += p.to - p.from;
    }
    l->fill_bytes += bytes;
    l->counts.appended_bytes += bytes;
    return clean;
}

void hci_log_prefetch(const struct hci_log *l, uint32_t space, uint64_t offset)
{
    uint32_t id = hci_table_get(&l->ids, space, sim_divide(offset, l->extent));
    if (id != HCI_NONE)
        __builtin_prefetch(record_of(l, id), 1);
}

static bool all_dirty(const struct record *r, const struct part *p)
{
    for (uint32_t w = p->lo / 64; w <= p->hi / 64; w++)
        if (word_mask(w, p) & ~r->word[w])
            return false;
    return true;
}

static bool any_dirty(const struct record *r, const struct part *p)
{
    for (uint32_t w = p->lo / 64; w <= p->hi / 64; w++)
        if (word_mask(w, p) & r->word[w])
            return true;
    return false;
}

bool hci_log_has(const struct hci_log *l, uint32_t space, uint64_t offset, uint64_t bytes)
{
    sim_assert(bytes <= UINT64_MAX - offset);
    for (uint64_t at = offset, end = offset + bytes; at < end;) {
        struct part p = part_of(l, at, end);
        uint32_t id = hci_table_get(&l->ids, space, p.extent);
        if (id == HCI_NONE || !all_dirty(record_of(l, id), &p))
            return false;
        at += p.to - p.from;
    }
    return true;
}

bool hci_log_any(const struct hci_log *l, uint32_t space, uint64_t offset, uint64_t bytes)
{
    sim_assert(bytes <= UINT64_MAX - offset);
    if (l->oldest == HCI_NONE)
        return false;
    for (uint64_t at = offset, end = offset + bytes; at < end;) {
        struct part p = part_of(l, at, end);
        uint32_t id = hci_table_get(&l->ids, space, p.extent);
        if (id != HCI_NONE && any_dirty(record_of(l, id), &p))
            return true;
        at += p.to - p.from;
    }
    return false;
}

/* Runs begin where a dirty granule follows a clean one. */
static uint32_t take_runs(struct record *r, uint32_t words)
{
    uint32_t runs = 0;
    uint64_t before = 0;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t bits = r->word[w];
        runs += (uint32_t)__builtin_popcountll(bits & ~(bits << 1 | before));
        before = bits >> 63;
        r->word[w] = 0;
    }
    return runs;
}

bool hci_log_pick(struct hci_log *l, struct hci_log_extent *out)
{
    uint32_t id = l->oldest;
    if (id == HCI_NONE)
        return false;
    struct place *at = &l->place[id];
    struct record *r = record_of(l, id);

    *out = (struct hci_log_extent){
        .extent = at->extent,
        .logged_bytes = r->logged_bytes,
        .since_ns = at->since_ns,
        .space = at->space,
        .dirty = r->dirty,
        .runs = take_runs(r, l->words),
    };
    r->logged_bytes = 0;
    r->dirty = 0;
    l->oldest = at->next;
    at->next = l->free;
    l->free = id;
    l->extents--;
    l->fill_bytes -= out->logged_bytes;
    l->counts.drained_bytes += out->dirty * l->granule.size;
    hci_table_take(&l->ids, out->space, out->extent);
    return true;
}

sim_time hci_log_oldest(const struct hci_log *l)
{
    return l->oldest == HCI_NONE ? SIM_NEVER : l->place[l->oldest].since_ns;
}

uint64_t hci_log_fill_bytes(const struct hci_log *l)
{
    return l->fill_bytes;
}

uint64_t hci_log_extents(const struct hci_log *l)
{
    return l->extents;
}

const struct hci_log_counts *hci_log_counts(const struct hci_log *l)
{
    return &l->counts;
}

uint64_t hci_log_bytes(const struct hci_log *l)
{
    return sizeof *l + hci_table_bytes(&l->ids) + l->room * (l->stride + sizeof *l->place);
}
