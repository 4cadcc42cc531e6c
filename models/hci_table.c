/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_table.h"

#include "sim_assert.h"

#include <stdlib.h>
#include <string.h>

bool hci_table_init(struct hci_table *t)
{
    t->group = NULL;
    t->room = 0;
    return hci_index_init(&t->groups, 0, 2);
}

void hci_table_fini(struct hci_table *t)
{
    hci_index_fini(&t->groups);
    free(t->group);
    t->group = NULL;
}

static uint32_t make_group(struct hci_table *t, uint32_t space, uint64_t number)
{
    uint32_t g = hci_index_get(&t->groups, space, number);
    if (g != HCI_NONE)
        return g;
    g = hci_index_add(&t->groups, space, number);
    if (g >= t->room) {
        size_t size = sizeof *t->group, room = t->groups.room;
        t->group = hci_array_grow(t->group, t->room * size, room * size);
        sim_assert(t->group != NULL);
        t->room = t->groups.room;
    }
    memset(t->group[g].value, 0xff, sizeof t->group[g].value); /* all HCI_NONE */
    return g;
}

void hci_table_put(struct hci_table *t, uint32_t space, uint64_t number, uint32_t value)
{
    uint32_t g = make_group(t, space, number >> HCI_GROUP_BITS);
    t->group[g].value[number & (HCI_GROUP - 1)] = value;
    t->groups.item[g].mark++;
}

void hci_table_take(struct hci_table *t, uint32_t space, uint64_t number)
{
    uint32_t g = hci_index_get(&t->groups, space, number >> HCI_GROUP_BITS);
    sim_assert(g != HCI_NONE);
    t->group[g].value[number & (HCI_GROUP - 1)] = HCI_NONE;
    if (--t->groups.item[g].mark == 0)
        hci_index_remove(&t->groups, g);
}
