/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_log.h"

#include "hci_index.h"
#include "sim_assert.h"

#include <stdlib.h>
#include <string.h>

#define LINE 64U
#define MOST_GRANULES (1U << 21)

/* A divisor; a shift where it is a power of two, as it nearly always is. */
struct unit {
    uint64_t size;
    uint32_t shift; /* 64: not a power of two */
};

/* One dirty extent. */
struct record {
    sim_time since_ns;
    uint64_t logged_bytes;
    uint32_t dirty;
    uint32_t unused;
    uint64_t word[]; /* a bit a granule; all zero while the record is free */
};

struct hci_log {
    struct hci_index extents;
    struct hci_list fifo;
    char *records; /* by extent id, stride bytes apart */
    size_t stride;
    uint32_t records_room;
    struct unit granule, extent;
    uint64_t fill_bytes;
    struct hci_log_counts counts;
};

/* A range's part in one extent, in bytes and granules from its start. */
struct part {
    uint64_t extent;
    uint64_t from, to; /* bytes, to is the first after it */
    uint32_t lo, hi;   /* first and last granule */
};

static struct unit unit_of(uint64_t size)
{
    bool two = (size & (size - 1)) == 0;
    return (struct unit){.size = size, .shift = two ? (uint32_t)__builtin_ctzll(size) : 64};
}

static inline uint64_t in_units(uint64_t bytes, struct unit u)
{
    return u.shift < 64 ? bytes >> u.shift : bytes / u.size;
}

struct hci_log *hci_log_create(uint64_t granule_bytes, uint64_t extent_bytes)
{
    if (granule_bytes == 0 || extent_bytes == 0 || extent_bytes % granule_bytes != 0 ||
        extent_bytes / granule_bytes > MOST_GRANULES)
        return NULL;
    struct hci_log *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    uint64_t words = (extent_bytes / granule_bytes + 63) / 64;

    l->granule = unit_of(granule_bytes);
    l->extent = unit_of(extent_bytes);
    l->stride = (sizeof(struct record) + words * sizeof(uint64_t) + LINE - 1) / LINE * LINE;
    hci_list_init(&l->fifo);
    if (hci_index_init(&l->extents))
        return l;
    hci_log_free(l);
    return NULL;
}

void hci_log_free(struct hci_log *l)
{
    if (!l)
        return;
    hci_index_fini(&l->extents);
    free(l->records);
    free(l);
}

static inline struct record *record_of(const struct hci_log *l, uint32_t id)
{
    return (struct record *)(void *)(l->records + l->stride * id);
}

/* Records grow with the ids in use, not with the index's room: a record of a
 * large extent is thousands of times larger than its entry there. */
static void grow_records(struct hci_log *l)
{
    uint32_t room = l->records_room ? 2 * l->records_room : 16;
    char *records = aligned_alloc(LINE, l->stride * room);
    sim_assert(records != NULL);
    size_t used = l->stride * l->records_room;
    if (used)
        memcpy(records, l->records, used);
    memset(records + used, 0, l->stride * room - used);
    free(l->records);
    l->records = records;
    l->records_room = room;
}

static struct record *make_record(struct hci_log *l, uint32_t space, uint64_t extent,
                                  sim_time now_ns)
{
    uint32_t id = hci_index_get(&l->extents, space, extent);
    if (id != HCI_NONE)
        return record_of(l, id);
    id = hci_index_add(&l->extents, space, extent);
    if (id >= l->records_room)
        grow_records(l);
    hci_list_push(&l->extents, &l->fifo, id);
    struct record *r = record_of(l, id);
    r->since_ns = now_ns;
    return r;
}

/* The part of [at, end), which is not empty, in the extent of at. */
static inline struct part part_of(const struct hci_log *l, uint64_t at, uint64_t end)
{
    struct part p = {.extent = in_units(at, l->extent)};
    uint64_t base = p.extent * l->extent.size;
    p.from = at - base;
    p.to = sim_min(end - base, l->extent.size);
    p.lo = (uint32_t)in_units(p.from, l->granule);
    p.hi = (uint32_t)in_units(p.to - 1, l->granule);
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
        uint32_t id = hci_index_get(&l->extents, space, p.extent);
        if (id == HCI_NONE || !all_dirty(record_of(l, id), &p))
            return false;
        at += p.to - p.from;
    }
    return true;
}

bool hci_log_any(const struct hci_log *l, uint32_t space, uint64_t offset, uint64_t bytes)
{
    sim_assert(bytes <= UINT64_MAX - offset);
    if (l->fifo.count == 0)
        return false;
    for (uint64_t at = offset, end = offset + bytes; at < end;) {
        struct part p = part_of(l, at, end);
        uint32_t id = hci_index_get(&l->extents, space, p.extent);
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
    uint32_t id = l->fifo.tail;
    if (id == HCI_NONE)
        return false;
    const struct hci_item *it = &l->extents.item[id];
    struct record *r = record_of(l, id);
    uint64_t granules = in_units(l->extent.size, l->granule);

    *out = (struct hci_log_extent){
        .extent = it->number,
        .logged_bytes = r->logged_bytes,
        .since_ns = r->since_ns,
        .space = it->space,
        .dirty = r->dirty,
        .runs = take_runs(r, (uint32_t)((granules + 63) / 64)),
    };
    r->logged_bytes = 0;
    r->dirty = 0;
    l->fill_bytes -= out->logged_bytes;
    l->counts.drained_bytes += out->dirty * l->granule.size;
    hci_list_unlink(&l->extents, &l->fifo, id);
    hci_index_remove(&l->extents, id);
    return true;
}

sim_time hci_log_oldest(const struct hci_log *l)
{
    return l->fifo.tail == HCI_NONE ? SIM_NEVER : record_of(l, l->fifo.tail)->since_ns;
}

uint64_t hci_log_fill_bytes(const struct hci_log *l)
{
    return l->fill_bytes;
}

uint64_t hci_log_extents(const struct hci_log *l)
{
    return l->fifo.count;
}

const struct hci_log_counts *hci_log_counts(const struct hci_log *l)
{
    return &l->counts;
}
