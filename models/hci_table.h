/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_table.h: a 32-bit value for each place of virtual disks that has one.
 *
 * For places that tend to fill their disk (the extents of a written range, the
 * chunks of a read one): groups of 32 neighbouring places, found by a hash, each
 * a flat array made when its first place gets a value and given up with the
 * last. A lookup is one probe of a small hash and one read of the group.
 * Not modelled: anything. Memory: about 190 bytes a group in use, so 6 to 190 a
 * value; never the size of the virtual disk.
 *
 * Invariant: a group in use has at least one value.
 * Out of memory is fatal (sim_assert), as in hci_index.h.
 */
#ifndef HCI_TABLE_H
#define HCI_TABLE_H

#include "hci_index.h"

#define HCI_GROUP_BITS 5U
#define HCI_GROUP      (1U << HCI_GROUP_BITS)

struct hci_group {
    uint32_t value[HCI_GROUP]; /* HCI_NONE: none */
};

struct hci_table {
    struct hci_index groups; /* mark: values in it */
    struct hci_group *group; /* by id; all HCI_NONE once given up */
    uint32_t room;
};

/* False when memory is short; *t can be passed to fini either way. */
bool hci_table_init(struct hci_table *t);
void hci_table_fini(struct hci_table *t);

/* Memory held. */
static inline uint64_t hci_table_bytes(const struct hci_table *t)
{
    return hci_index_bytes(&t->groups) + t->room * sizeof *t->group;
}

/* Gives a place that has none a value other than HCI_NONE. */
void hci_table_put(struct hci_table *t, uint32_t space, uint64_t number, uint32_t value);

/* Takes the value of a place that has one away. */
void hci_table_take(struct hci_table *t, uint32_t space, uint64_t number);

/* The place's value, HCI_NONE if it has none. */
static inline uint32_t hci_table_get(const struct hci_table *t, uint32_t space, uint64_t number)
{
    uint32_t g = hci_index_get(&t->groups, space, number >> HCI_GROUP_BITS);
    return g == HCI_NONE ? HCI_NONE : t->group[g].value[number & (HCI_GROUP - 1)];
}

/* To visit every place with a value, in an order without meaning: for each `at`
 * below hci_table_span(), the value there or HCI_NONE, and whose it is. */
static inline uint64_t hci_table_span(const struct hci_table *t)
{
    return (uint64_t)t->groups.made << HCI_GROUP_BITS;
}

static inline uint32_t hci_table_at(const struct hci_table *t, uint64_t at, uint32_t *space,
                                    uint64_t *number)
{
    uint64_t g = at >> HCI_GROUP_BITS, i = at & (HCI_GROUP - 1);
    *space = t->groups.item[g].space;
    *number = t->groups.item[g].number << HCI_GROUP_BITS | i;
    return t->group[g].value[i];
}

#endif
