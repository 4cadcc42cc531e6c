/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_index.h: a set of places on virtual disks, each with a small dense number.
 *
 * A place is (space, number): a virtual disk and a granule, chunk or extent on
 * it, any 64-bit number. Adding one gives it an id below hci_index_room(), so
 * its owner keeps whatever it knows of it in flat arrays. Every place can stand
 * in one list (LRU, FIFO) without further memory. The cache and the log are
 * built on this; it knows neither.
 * Not modelled: anything. Memory follows the largest number of places held at
 * one time (40 to 56 bytes each), never the size of the virtual disk.
 *
 * The table is open addressing with linear probing over (hash, id) pairs;
 * eight neighbouring numbers share a cache line, so sequential work walks
 * memory. Removal shifts back, so there are no tombstones and no slow decay.
 *
 * Invariants: ids are unique among places held and reused last-out first-in; at
 * most half of the slots are taken; a list's count equals its length. Nothing
 * a caller can observe depends on an address in memory.
 * Out of memory is fatal (sim_assert): the layout checks bound what is asked.
 */
#ifndef HCI_INDEX_H
#define HCI_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HCI_NONE UINT32_MAX           /* no id */
#define HCI_INDEX_MAX (1U << 30)      /* places in one index */

struct hci_item {
    uint64_t number;
    uint32_t space;
    uint32_t prev, next; /* neighbours in the list it stands in; next also chains free ids */
    uint32_t mark;       /* the owner's; 0 when added and once removed */
};

struct hci_slot {
    uint32_t hash;
    uint32_t id; /* HCI_NONE: empty */
};

struct hci_index {
    struct hci_slot *slot;
    struct hci_item *item; /* by id */
    uint32_t mask;         /* slots - 1 */
    uint32_t room;         /* ids that fit without growing */
    uint32_t made;         /* ids ever handed out; those above were never used */
    uint32_t free;         /* first reusable id, HCI_NONE if none */
    uint32_t count;        /* places held */
};

struct hci_list {
    uint32_t head, tail; /* newest, oldest; HCI_NONE when empty */
    uint32_t count;
};

/* False when memory is short; *ix can be passed to fini either way. */
bool hci_index_init(struct hci_index *ix);
void hci_index_fini(struct hci_index *ix);

/* Adds a place that is not in the set; returns its id, below ix->room. Pointers
 * to items do not survive it. At most HCI_INDEX_MAX places. */
uint32_t hci_index_add(struct hci_index *ix, uint32_t space, uint64_t number);

/* Takes out the place with this id, which must stand in no list. */
void hci_index_remove(struct hci_index *ix, uint32_t id);

/* Places whose numbers differ in the last three bits only are neighbours. The
 * folded 128-bit product spreads every input bit over the 29 bits kept. */
static inline uint32_t hci_index_hash(uint32_t space, uint64_t number)
{
    uint64_t x = (number >> 3) + space * 0x9e3779b97f4a7c15ULL;
    unsigned __int128 p = (unsigned __int128)(x ^ 0xa0761d6478bd642fULL) * 0xe7037ed1a0b428dbULL;
    uint64_t h = (uint64_t)(p >> 64) ^ (uint64_t)p;
    return (uint32_t)(h << 3) | (uint32_t)(number & 7);
}

/* The place's id, HCI_NONE if it is not in the set. */
static inline uint32_t hci_index_get(const struct hci_index *ix, uint32_t space, uint64_t number)
{
    uint32_t hash = hci_index_hash(space, number);
    for (uint32_t i = hash & ix->mask;; i = (i + 1) & ix->mask) {
        const struct hci_slot *s = &ix->slot[i];
        if (s->id == HCI_NONE)
            return HCI_NONE;
        if (s->hash != hash)
            continue;
        const struct hci_item *it = &ix->item[s->id];
        if (it->number == number && it->space == space)
            return s->id;
    }
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
