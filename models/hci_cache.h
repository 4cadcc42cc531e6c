/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_cache.h: a read cache that knows which granule of which virtual disk it holds.
 *
 * Modelled: residency per granule and two LRU pools. A granule enters the
 * single-touch pool; the first hit afterwards (its second touch) moves it to
 * the multi-touch pool. The multi-touch pool holds at most (1 - single_share)
 * of the capacity; what falls off its end becomes the newest of the single-touch
 * pool, and the oldest there is what is evicted. Room the multi-touch pool does
 * not use serves the single-touch pool, so a cache fills whole before it evicts.
 * single_share 1 is plain LRU.
 * Not modelled: data, time, dirty granules (a write drops or inserts), metadata
 * that competes for the same memory, deduplication. The cost of a hit is the
 * caller's.
 *
 * In front stands a sparse bitmap, 1024 granules a chunk, so most misses touch
 * one bit. Memory follows what is resident: 40 to 48 bytes a granule, and for
 * every chunk of which a granule is held 150 (neighbours held too) to 350 bytes.
 * It never follows the size of the virtual disk; any 64-bit granule number is
 * legal. It grows as the cache fills and is given back by free only.
 *
 * Invariants: resident <= capacity; resident = inserts - evictions - drops;
 * the same calls give the same answers on every machine.
 */
#ifndef HCI_CACHE_H
#define HCI_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct hci_cache;

struct hci_cache_counts {  /* granules since creation */
    uint64_t hits, misses; /* by touch; has does not count */
    uint64_t inserts;
    uint64_t evictions; /* pushed out for want of room */
    uint64_t drops;     /* invalidated */
};

/* capacity in granules, 0 (nothing is ever held) to 2^30; single_share 0 to 1,
 * clamped, of it kept for the single-touch pool, at least one granule. NULL:
 * capacity out of range or no memory. */
struct hci_cache *hci_cache_create(uint64_t capacity_granules, double single_share);
void hci_cache_free(struct hci_cache *c); /* NULL is fine */

/* Is the granule of virtual disk `space` held? Changes nothing. */
bool hci_cache_has(const struct hci_cache *c, uint32_t space, uint64_t granule);

/* Reads a granule: a hit promotes it and counts; a miss counts and holds nothing. */
bool hci_cache_touch(struct hci_cache *c, uint32_t space, uint64_t granule);

/* Makes the granule the newest of the single-touch pool, evicting if the cache
 * is full. No effect, not even on its age, if it is already held. */
void hci_cache_insert(struct hci_cache *c, uint32_t space, uint64_t granule);

/* Forgets the granule if it is held. */
void hci_cache_drop(struct hci_cache *c, uint32_t space, uint64_t granule);

/* Asks the memory for what touching or inserting the granule will need first; nothing
 * else. For callers who know their next requests. */
void hci_cache_prefetch(const struct hci_cache *c, uint32_t space, uint64_t granule);

/* Some time after that: what dropping the granule, if it is held, will need then. */
void hci_cache_prefetch_held(const struct hci_cache *c, uint32_t space, uint64_t granule);

/* The same for the n granules from first on, in ascending order; first + n must
 * not pass 2^64 - 1. touch_range returns the number of hits and, unless missing
 * is NULL, sets *missing to the first granule not held, first + n if all are.
 * drop_range costs one test per 64 granules where nothing is held and no more
 * than one step per chunk held, however long the range. */
uint64_t hci_cache_touch_range(struct hci_cache *c, uint32_t space, uint64_t first, uint64_t n,
                               uint64_t *missing);
void hci_cache_insert_range(struct hci_cache *c, uint32_t space, uint64_t first, uint64_t n);
void hci_cache_drop_range(struct hci_cache *c, uint32_t space, uint64_t first, uint64_t n);

uint64_t hci_cache_capacity(const struct hci_cache *c);    /* granules */
uint64_t hci_cache_resident(const struct hci_cache *c);    /* granules held */
uint64_t hci_cache_multi_touch(const struct hci_cache *c); /* of them in the multi-touch pool */
const struct hci_cache_counts *hci_cache_counts(const struct hci_cache *c);
uint64_t hci_cache_bytes(const struct hci_cache *c); /* of memory held */

#endif
