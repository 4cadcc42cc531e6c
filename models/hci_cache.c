/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_cache.h"

#include "hci_index.h"
#include "hci_table.h"
#include "sim_assert.h"
#include "sim_types.h"

#include <stdlib.h>

#define CHUNK_SHIFT    10U
#define CHUNK_GRANULES (1U << CHUNK_SHIFT)
#define CHUNK_WORDS    (CHUNK_GRANULES / 64)

enum pool { SINGLE, MULTI }; /* an item's mark */

struct chunk {
    uint64_t word[CHUNK_WORDS]; /* a bit a granule: held */
};

struct hci_cache {
    struct hci_index granules; /* held, by LRU pool */
    struct hci_table ids;      /* of the chunks with a granule held */
    struct chunk *chunk;       /* by id; all zero while not in use */
    uint32_t *unused;          /* ids not in use: a stack */
    uint32_t chunk_room, chunk_made, unused_count;
    uint32_t last_id; /* of (last_space, last_number); HCI_NONE: not known */
    uint32_t last_space;
    uint64_t last_number;
    uint32_t capacity, multi_room;
    struct hci_list pool[2];
    struct hci_cache_counts counts;
};

struct hci_cache *hci_cache_create(uint64_t capacity_granules, double single_share)
{
    if (capacity_granules > HCI_INDEX_MAX)
        return NULL;
    struct hci_cache *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    double share = single_share > 0 ? single_share : 0; /* not-a-number as well */
    uint64_t single = share < 1 ? (uint64_t)(share * (double)capacity_granules) : capacity_granules;

    c->capacity = (uint32_t)capacity_granules;
    single = sim_min(sim_max(single, 1), capacity_granules);
    c->multi_room = (uint32_t)(capacity_granules - single);
    c->last_id = HCI_NONE;
    hci_list_init(&c->pool[SINGLE]);
    hci_list_init(&c->pool[MULTI]);
    bool granules = hci_index_init(&c->granules, 4, 1);
    bool ids = hci_table_init(&c->ids);
    if (granules && ids)
        return c;
    hci_cache_free(c);
    return NULL;
}

void hci_cache_free(struct hci_cache *c)
{
    if (!c)
        return;
    hci_index_fini(&c->granules);
    hci_table_fini(&c->ids);
    free(c->chunk);
    free(c->unused);
    free(c);
}

/* One request asks about the same chunk several times: the last answer is kept. */
static inline uint32_t find_chunk(const struct hci_cache *c, uint32_t space, uint64_t number)
{
    if (c->last_id != HCI_NONE && c->last_number == number && c->last_space == space)
        return c->last_id;
    return hci_table_get(&c->ids, space, number);
}

static inline uint32_t use_chunk(struct hci_cache *c, uint32_t space, uint64_t number)
{
    uint32_t id = find_chunk(c, space, number);
    if (id != HCI_NONE) {
        c->last_id = id;
        c->last_number = number;
        c->last_space = space;
    }
    return id;
}

static void grow_chunks(struct hci_cache *c)
{
    size_t old = c->chunk_room, room = old ? 2 * old : 32;
    c->chunk = hci_array_grow(c->chunk, old * sizeof *c->chunk, room * sizeof *c->chunk);
    c->unused = hci_array_grow(c->unused, old * sizeof *c->unused, room * sizeof *c->unused);
    sim_assert(c->chunk != NULL && c->unused != NULL);
    c->chunk_room = (uint32_t)room;
}

static uint32_t make_chunk(struct hci_cache *c, uint32_t space, uint64_t number)
{
    uint32_t id = use_chunk(c, space, number);
    if (id != HCI_NONE)
        return id;
    if (c->unused_count > 0) {
        id = c->unused[--c->unused_count];
    } else {
        if (c->chunk_made == c->chunk_room)
            grow_chunks(c);
        id = c->chunk_made++;
        c->chunk[id] = (struct chunk){{0}};
    }
    hci_table_put(&c->ids, space, number, id);
    return id;
}

static void free_chunk(struct hci_cache *c, uint32_t space, uint64_t number, uint32_t id)
{
    hci_table_take(&c->ids, space, number);
    c->unused[c->unused_count++] = id;
    if (c->last_id == id)
        c->last_id = HCI_NONE;
}

static bool is_empty(const struct chunk *k)
{
    uint64_t any = 0;
    for (unsigned w = 0; w < CHUNK_WORDS; w++)
        any |= k->word[w];
    return any == 0;
}

static inline uint64_t *word_of(const struct hci_cache *c, uint32_t id, uint64_t granule)
{
    return &c->chunk[id].word[granule / 64 % CHUNK_WORDS];
}

static inline uint64_t bit_of(uint64_t granule)
{
    return 1ULL << (granule % 64);
}

static void prefetch_word(const struct hci_cache *c, uint32_t space, uint64_t granule)
{
    uint32_t id = hci_table_get(&c->ids, space, granule >> CHUNK_SHIFT);
    if (id != HCI_NONE)
        __builtin_prefetch(word_of(c, id, granule), 1);
}

/* Forgets a granule held; its chunk goes with the last of its granules. */
static void forget(struct hci_cache *c, uint32_t granule)
{
    const struct hci_item *it = &c->granules.item[granule];
    uint64_t number = it->number >> CHUNK_SHIFT;
    uint32_t id = find_chunk(c, it->space, number);
    uint64_t *word = word_of(c, id, it->number);

    *word ^= bit_of(it->number);
    if (*word == 0 && is_empty(&c->chunk[id]))
        free_chunk(c, it->space, number, id);
    hci_list_unlink(&c->granules, &c->pool[it->mark], granule);
    hci_index_remove(&c->granules, granule);
}

static void promote(struct hci_cache *c, uint32_t id)
{
    struct hci_index *g = &c->granules;
    struct hci_list *multi = &c->pool[MULTI], *single = &c->pool[SINGLE];

    if (multi->head == id)
        return;
    hci_list_unlink(g, &c->pool[g->item[id].mark], id);
    g->item[id].mark = MULTI;
    hci_list_push(g, multi, id);
    if (multi->count <= c->multi_room)
        return;
    uint32_t oldest = multi->tail;
    hci_list_unlink(g, multi, oldest);
    g->item[oldest].mark = SINGLE;
    hci_list_push(g, single, oldest);
}

/* The room kept for it, at least one granule, means a full cache has a
 * single-touch granule to give up. */
static void evict(struct hci_cache *c)
{
    const struct hci_index *g = &c->granules;
    forget(c, c->pool[SINGLE].tail);
    c->counts.evictions++;
    uint32_t next = c->pool[SINGLE].tail;
    if (next == HCI_NONE)
        return;
    /* The oldest are cold in memory as well. What the next eviction needs of the next
     * one is asked for now, and the one behind it, for the same a turn later. */
    const struct hci_item *it = &g->item[next];
    hci_index_prefetch(g, it->space, it->number);
    prefetch_word(c, it->space, it->number);
    if (it->prev != HCI_NONE)
        __builtin_prefetch(&g->item[it->prev], 1);
}

void hci_cache_prefetch_held(const struct hci_cache *c, uint32_t space, uint64_t granule)
{
    if (!hci_cache_has(c, space, granule))
        return;
    uint32_t id = c->granules.head[hci_index_chain(&c->granules, space, granule)];
    if (id != HCI_NONE)
        __builtin_prefetch(&c->granules.item[id], 1);
}

void hci_cache_prefetch(const struct hci_cache *c, uint32_t space, uint64_t granule)
{
    hci_index_prefetch(&c->granules, space, granule);
    prefetch_word(c, space, granule);
}

bool hci_cache_has(const struct hci_cache *c, uint32_t space, uint64_t granule)
{
    uint32_t id = find_chunk(c, space, granule >> CHUNK_SHIFT);
    return id != HCI_NONE && (*word_of(c, id, granule) & bit_of(granule));
}

bool hci_cache_touch(struct hci_cache *c, uint32_t space, uint64_t granule)
{
    uint32_t id = use_chunk(c, space, granule >> CHUNK_SHIFT);
    if (id == HCI_NONE || !(*word_of(c, id, granule) & bit_of(granule))) {
        c->counts.misses++;
        return false;
    }
    promote(c, hci_index_get(&c->granules, space, granule));
    c->counts.hits++;
    return true;
}

void hci_cache_insert(struct hci_cache *c, uint32_t space, uint64_t granule)
{
    if (c->capacity == 0 || hci_cache_has(c, space, granule))
        return;
    if (c->granules.count == c->capacity)
        evict(c); /* first: it may free the very chunk that is used below */
    uint32_t id = make_chunk(c, space, granule >> CHUNK_SHIFT);
    *word_of(c, id, granule) |= bit_of(granule);
    hci_list_push(&c->granules, &c->pool[SINGLE], hci_index_add(&c->granules, space, granule));
    c->counts.inserts++;
}

static void drop(struct hci_cache *c, uint32_t space, uint64_t granule)
{
    forget(c, hci_index_get(&c->granules, space, granule));
    c->counts.drops++;
}

void hci_cache_drop(struct hci_cache *c, uint32_t space, uint64_t granule)
{
    if (hci_cache_has(c, space, granule))
        drop(c, space, granule);
}

/* The bits of word w of a chunk that lie in [lo, hi] of the chunk. */
static inline uint64_t word_mask(uint32_t w, uint32_t lo, uint32_t hi)
{
    uint64_t mask = UINT64_MAX;
    if (w == lo / 64)
        mask &= UINT64_MAX << (lo % 64);
    if (w == hi / 64)
        mask &= UINT64_MAX >> (63 - hi % 64);
    return mask;
}

/* A range's part in one chunk: granules base + lo .. base + hi. */
struct part {
    uint64_t base;
    uint32_t lo, hi;
};

static inline struct part part_of(uint64_t number, uint64_t first, uint64_t last)
{
    struct part p = {.base = number << CHUNK_SHIFT};
    p.lo = first > p.base ? (uint32_t)(first - p.base) : 0;
    p.hi = (uint32_t)sim_min(last - p.base, CHUNK_GRANULES - 1);
    return p;
}

/* Hits in one chunk; *missing goes down to the first granule not held. */
static uint64_t touch_part(struct hci_cache *c, uint32_t space, uint32_t id, struct part p,
                           uint64_t *missing)
{
    uint64_t hits = 0;
    for (uint32_t w = p.lo / 64; w <= p.hi / 64; w++) {
        uint64_t mask = word_mask(w, p.lo, p.hi);
        uint64_t held = c->chunk[id].word[w] & mask;
        uint64_t base = p.base + 64ULL * w;
        if (held != mask)
            *missing = sim_min(*missing, base + (unsigned)__builtin_ctzll(held ^ mask));
        for (; held; held &= held - 1, hits++) {
            uint64_t granule = base + (unsigned)__builtin_ctzll(held);
            promote(c, hci_index_get(&c->granules, space, granule));
        }
    }
    return hits;
}

uint64_t hci_cache_touch_range(struct hci_cache *c, uint32_t space, uint64_t first, uint64_t n,
                               uint64_t *missing)
{
    sim_assert(n <= UINT64_MAX - first);
    uint64_t hits = 0, hole = first + n;

    for (uint64_t at = first; at < first + n;) {
        struct part p = part_of(at >> CHUNK_SHIFT, first, first + n - 1);
        uint32_t id = use_chunk(c, space, at >> CHUNK_SHIFT);
        if (id != HCI_NONE)
            hits += touch_part(c, space, id, p, &hole);
        else
            hole = sim_min(hole, at);
        at = p.base + p.hi + 1;
    }
    c->counts.hits += hits;
    c->counts.misses += n - hits;
    if (missing)
        *missing = hole;
    return hits;
}

void hci_cache_insert_range(struct hci_cache *c, uint32_t space, uint64_t first, uint64_t n)
{
    sim_assert(n <= UINT64_MAX - first);
    for (uint64_t g = first; g < first + n; g++)
        hci_cache_insert(c, space, g);
}

static void drop_part(struct hci_cache *c, uint32_t space, uint32_t id, struct part p)
{
    for (uint32_t w = p.lo / 64; w <= p.hi / 64; w++) {
        uint64_t held = c->chunk[id].word[w] & word_mask(w, p.lo, p.hi);
        for (; held; held &= held - 1)
            drop(c, space, p.base + 64ULL * w + (unsigned)__builtin_ctzll(held));
    }
}

/* A range with more chunks than there are: look at those that are. */
static void drop_by_chunk(struct hci_cache *c, uint32_t space, uint64_t first, uint64_t last)
{
    uint64_t lo = first >> CHUNK_SHIFT, hi = last >> CHUNK_SHIFT;
    for (uint64_t at = 0; at < hci_table_span(&c->ids); at++) {
        uint32_t whose;
        uint64_t number;
        uint32_t id = hci_table_at(&c->ids, at, &whose, &number);
        if (id != HCI_NONE && whose == space && number >= lo && number <= hi)
            drop_part(c, space, id, part_of(number, first, last));
    }
}

void hci_cache_drop_range(struct hci_cache *c, uint32_t space, uint64_t first, uint64_t n)
{
    sim_assert(n <= UINT64_MAX - first);
    if (n == 0 || c->granules.count == 0)
        return;
    uint64_t last = first + n - 1;
    if ((last >> CHUNK_SHIFT) - (first >> CHUNK_SHIFT) > hci_table_span(&c->ids)) {
        drop_by_chunk(c, space, first, last);
        return;
    }
    for (uint64_t number = first >> CHUNK_SHIFT; number <= last >> CHUNK_SHIFT; number++) {
        uint32_t id = use_chunk(c, space, number);
        if (id != HCI_NONE)
            drop_part(c, space, id, part_of(number, first, last));
    }
}

uint64_t hci_cache_capacity(const struct hci_cache *c)
{
    return c->capacity;
}

uint64_t hci_cache_resident(const struct hci_cache *c)
{
    return c->granules.count;
}

uint64_t hci_cache_multi_touch(const struct hci_cache *c)
{
    return c->pool[MULTI].count;
}

const struct hci_cache_counts *hci_cache_counts(const struct hci_cache *c)
{
    return &c->counts;
}

uint64_t hci_cache_bytes(const struct hci_cache *c)
{
    uint64_t chunks = c->chunk_room * (sizeof *c->chunk + sizeof *c->unused);
    return sizeof *c + hci_index_bytes(&c->granules) + hci_table_bytes(&c->ids) + chunks;
}
