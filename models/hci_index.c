/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_index.h"

#include "sim_assert.h"
#include "sim_mem.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 32U

void *hci_array_grow(void *array, size_t old_bytes, size_t new_bytes)
{
    void *larger = sim_mem_block(new_bytes);
    if (!larger)
        return NULL;
    if (old_bytes)
        memcpy(larger, array, old_bytes);
    free(array);
    return larger;
}

static uint32_t *new_chains(size_t n)
{
    uint32_t *head = hci_array_grow(NULL, 0, n * sizeof *head);
    if (head)
        memset(head, 0xff, n * sizeof *head); /* all HCI_NONE */
    return head;
}

bool hci_index_init(struct hci_index *ix, unsigned near_bits, unsigned spare_bits)
{
    sim_assert(near_bits <= 4 && spare_bits <= 2);
    *ix = (struct hci_index){.room = FIRST_ROOM,
                             .mask = (FIRST_ROOM << spare_bits) - 1,
                             .free = HCI_NONE,
                             .near_bits = near_bits,
                             .spare_bits = spare_bits};
    ix->head = new_chains((size_t)ix->mask + 1);
    ix->item = hci_array_grow(NULL, 0, FIRST_ROOM * sizeof *ix->item);
    return ix->head && ix->item;
}

void hci_index_fini(struct hci_index *ix)
{
    free(ix->head);
    free(ix->item);
    ix->head = NULL;
    ix->item = NULL;
}

static void enter(struct hci_index *ix, uint32_t id)
{
    struct hci_item *it = &ix->item[id];
    uint32_t *head = &ix->head[hci_index_chain(ix, it->space, it->number)];
    it->chain = *head;
    *head = id;
}

/* Called when every id is in use, so all of them enter the new chains. */
static void grow(struct hci_index *ix)
{
    sim_assert(ix->room < HCI_INDEX_MAX);
    uint32_t room = 2 * ix->room;
    size_t chains = (size_t)room << ix->spare_bits, size = sizeof *ix->item;

    ix->item = hci_array_grow(ix->item, ix->room * size, room * size);
    free(ix->head);
    ix->head = new_chains(chains);
    sim_assert(ix->item != NULL && ix->head != NULL);
    ix->mask = (uint32_t)(chains - 1);
    ix->room = room;
    for (uint32_t id = 0; id < ix->made; id++)
        enter(ix, id);
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
    ix->item[id] =
        (struct hci_item){.number = number, .space = space, .prev = HCI_NONE, .next = HCI_NONE};
    enter(ix, id);
    ix->count++;
    return id;
}

void hci_index_remove(struct hci_index *ix, uint32_t id)
{
    struct hci_item *it = &ix->item[id];
    uint32_t *link = &ix->head[hci_index_chain(ix, it->space, it->number)];
    while (*link != id) {
        sim_assert(*link != HCI_NONE);
        link = &ix->item[*link].chain;
    }
    *link = it->chain;
    it->next = ix->free;
    ix->free = id;
    ix->count--;
}
