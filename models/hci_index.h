/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_index.h: a set of places on virtual disks, each with a small dense number.
 *
 * A place is (space, number): a virtual disk and a granule, chunk or extent on
 * it, any 64-bit number. Adding one gives it an id below hci_index.room, so its
 * owner keeps whatever it knows of it in flat arrays. Every place can stand in
 * one list (LRU, FIFO) without further memory. Cache and log are built on this;
 * it knows neither.
 * Not modelled: anything. Memory follows the largest number of places held at
 * one time, never the size of the virtual disk: 32 bytes each and 4 a chain.
 *
 * The table is an array of chains, of one place each for the most part. Places
 * whose numbers differ in the last near_bits only head neighbouring chains, so
 * sequential work walks memory; entering and leaving never move another place.
 *
 * Invariants: ids are unique among places held and reused last-out first-in;
 * there are 2^spare_bits times as many chains as ids; a list's count equals its
 * length. Nothing a caller can observe depends on an address in memory.
 * Out of memory is fatal (sim_assert): the layout checks bound what is asked.
 */
#ifndef HCI_INDEX_H
#define HCI_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HCI_NONE      UINT32_MAX /* no id */
#define HCI_INDEX_MAX (1U << 30) /* places in one index */

struct hci_item {
    uint64_t number;
    uint32_t space;
    uint32_t chain;      /* next in its chain */
    uint32_t prev, next; /* neighbours in the list it stands in; next also links free ids */
    uint32_t mark;       /* the owner's; 0 when added */
    uint32_t unused;     /* so that no item lies across two cache lines */
};

struct hci_index {
    uint32_t *head;        /* of each chain: an id or HCI_NONE */
    struct hci_item *item; /* by id */
    uint32_t mask;         /* chains - 1 */
    uint32_t room;         /* ids that fit without growing */
    uint32_t made;         /* ids ever handed out; those above were never used */
    uint32_t free;         /* first reusable id, HCI_NONE if none */
    uint32_t count;        /* places held */
    uint32_t near_bits, spare_bits;
};

struct hci_list {
    uint32_t head, tail; /* newest, oldest; HCI_NONE when empty */
    uint32_t count;
};

/* A larger array with the same contents, 64-byte aligned; the new part is not
 * set, so that it costs no memory before its use. Frees the old array (NULL, 0
 * bytes: none yet). NULL, old array untouched, when memory is short. */
void *hci_array_grow(void *array, size_t old_bytes, size_t new_bytes);

/* near_bits 0 (places are looked up at random) to 4 (a cache line of chains for
 * sixteen neighbours); spare_bits 0 (least memory) to 2 (shortest chains). False
 * when memory is short; *ix can be passed to fini either way. */
bool hci_index_init(struct hci_index *ix, unsigned near_bits, unsigned spare_bits);
void hci_index_fini(struct hci_index *ix);

/* Memory held. */
static inline uint64_t hci_index_bytes(const struct hci_index *ix)
{
    return ix->room * sizeof *ix->item + (ix->mask + 1ULL) * sizeof *ix->head;
}

/* Adds a place that is not in the set; returns its id, below ix->room. Pointers
 * to items do not survive it. At most HCI_INDEX_MAX places. */
uint32_t hci_index_add(struct hci_index *ix, uint32_t space, uint64_t number);

/* Takes out the place with this id, which must stand in no list. */
void hci_index_remove(struct hci_index *ix, uint32_t id);

/* The chain of a place. The folded product spreads every bit over all kept; the
 * near bits permute the chains of one neighbourhood. */
static inline uint32_t hci_index_chain(const struct hci_index *ix, uint32_t space, uint64_t number)
{
    uint64_t x = (number >> ix->near_bits) + space * 0x9e3779b97f4a7c15ULL;
    unsigned __int128 p = (unsigned __int128)(x ^ 0xa0761d6478bd642fULL) * 0xe7037ed1a0b428dbULL;
    uint64_t h = (uint64_t)(p >> 64) ^ (uint64_t)p;
    return (uint32_t)(h ^ (number & ((1U << ix->near_bits) - 1))) & ix->mask;
}

/* The place's id, HCI_NONE if it is not in the set. */
static inline uint32_t hci_index_get(const struct hci_index *ix, uint32_t space, uint64_t number)
{
    uint32_t id = ix->head[hci_index_chain(ix, space, number)];
    while (id != HCI_NONE) {
        const struct hci_item *it = &ix->item[id];
        if (it->number == number && it->space == space)
            break;
        id = it->chain;
    }
    return id;
}

/* Asks the memory for the place's chain. */
static inline void hci_index_prefetch(const struct hci_index *ix, uint32_t space, uint64_t number)
{
    __builtin_prefetch(&ix->head[hci_index_chain(ix, space, number)], 1);
}

static inline void hci_list_init(struct hci_list *l)
{
    l->head = l->tail = HCI_NONE;
    l->count = 0;
}

/* Makes id, which stands in no list, the newest of l. */
static inline void hci_list_push(struct hci_index *ix, struct hci_list *l, uint32_t id)
{
    struct hci_item *it = &ix->item[id];
    it->prev = HCI_NONE;
    it->next = l->head;
    if (l->head != HCI_NONE)
        ix->item[l->head].prev = id;
    else
        l->tail = id;
    l->head = id;
    l->count++;
}

/* Takes id out of l, in which it stands. */
static inline void hci_list_unlink(struct hci_index *ix, struct hci_list *l, uint32_t id)
{
    const struct hci_item *it = &ix->item[id];
    if (it->prev != HCI_NONE)
        ix->item[it->prev].next = it->next;
    else
        l->head = it->next;
    if (it->next != HCI_NONE)
        ix->item[it->next].prev = it->prev;
    else
        l->tail = it->prev;
    l->count--;
}

#endif
