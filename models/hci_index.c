/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_index.h"

#include "sim_assert.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 32U

/* An empty slot is all ones, so one memset clears a table. */
static struct hci_slot *new_slots(size_t n)
{
    struct hci_slot *slot = aligned_alloc(64, n * sizeof *slot);
    if (slot)
        memset(slot, 0xff, n * sizeof *slot);
    return slot;
}

bool hci_index_init(struct hci_index *ix)
{
    *ix = (struct hci_index){.mask = 2 * FIRST_ROOM - 1, .room = FIRST_ROOM, .free = HCI_NONE};
    ix->slot = new_slots(2 * FIRST_ROOM);
    ix->item = malloc(FIRST_ROOM * sizeof *ix->item);
    return ix->slot && ix->item;
}

void hci_index_fini(struct hci_index *ix)
{
    free(ix->slot);
    free(ix->item);
    ix->slot = NULL;
    ix->item = NULL;
}

static void put(struct hci_slot *slot, uint32_t mask, struct hci_slot s)
{
    uint32_t i = s.hash & mask;
    while (slot[i].id != HCI_NONE)
        i = (i + 1) & mask;
    slot[i] = s;
}

static void grow(struct hci_index *ix)
{
    sim_assert(ix->room < HCI_INDEX_MAX);
    uint32_t room = 2 * ix->room;
    uint32_t mask = 2 * room - 1;
    struct hci_item *item = realloc(ix->item, room * sizeof *item);
    struct hci_slot *slot = new_slots((size_t)mask + 1);
    sim_assert(item != NULL && slot != NULL);

    for (size_t i = 0; i <= ix->mask; i++)
        if (ix->slot[i].id != HCI_NONE)
            put(slot, mask, ix->slot[i]);
    free(ix->slot);
    ix->slot = slot;
    ix->item = item;
    ix->mask = mask;
    ix->room = room;
}

uint32_t hci_index_add(struct hci_index *ix, uint32_t space, uint64_t number)
{
    uint32_t id = ix->free;
    if (id != HCI_NONE) {
        ix->free = ix->item[id].next;
    } else {
        if (ix->made == ix->room)
            grow(ix);
        id = ix->made++;
    }
    ix->item[id] = (struct hci_item){
        .number = number, .space = space, .prev = HCI_NONE, .next = HCI_NONE, .mark = 0};
    put(ix->slot, ix->mask, (struct hci_slot){.hash = hci_index_hash(space, number), .id = id});
    ix->count++;
    return id;
}

/* Closes the gap at slot i: whoever probed past it moves up, so that a probe
 * may go on ending at the first empty slot. */
static void close_gap(struct hci_slot *slot, uint32_t mask, uint32_t i)
{
    for (uint32_t j = (i + 1) & mask; slot[j].id != HCI_NONE; j = (j + 1) & mask) {
        uint32_t home = slot[j].hash & mask;
        if (((j - home) & mask) < ((j - i) & mask))
            continue;
        slot[i] = slot[j];
        i = j;
    }
    slot[i].id = HCI_NONE;
}

void hci_index_remove(struct hci_index *ix, uint32_t id)
{
    struct hci_item *it = &ix->item[id];
    uint32_t i = hci_index_hash(it->space, it->number) & ix->mask;
    while (ix->slot[i].id != id) {
        sim_assert(ix->slot[i].id != HCI_NONE);
        i = (i + 1) & ix->mask;
    }
    close_gap(ix->slot, ix->mask, i);
    it->mark = 0;
    it->next = ix->free;
    ix->free = id;
    ix->count--;
}
