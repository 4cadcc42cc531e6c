/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cluster's distributions: drives of one product share their tables, and
 * runs share them when the layout has a store.
 */
#include "hci_cluster.h"

#include "hci_layout.h"
#include "hci_tables.h"
#include "sim_mem.h"

#include <string.h>

struct hci_dist {
    struct hci_dist *next;
    const char *role;
    double from[HCI_TABLE_ARGS];
    uint16_t handle;
};

static const struct hci_dist *find(const struct hci_cluster *c, const char *role,
                                   const double from[HCI_TABLE_ARGS])
{
    for (const struct hci_dist *d = c->dists; d; d = d->next)
        if (strcmp(d->role, role) == 0 && memcmp(d->from, from, sizeof d->from) == 0)
            return d;
    return NULL;
}

static uint16_t handle_of(struct hci_cluster *c, const char *role,
                          const double from[HCI_TABLE_ARGS])
{
    const struct hci_dist *known = find(c, role, from);
    if (known)
        return known->handle;
    struct hci_dist *d = sim_arena_alloc(c->arena, sizeof *d);
    d->role = role;
    memcpy(d->from, from, sizeof d->from);
    d->next = c->dists;
    c->dists = d;
    const struct sim_dist *table = hci_tables_get(c->layout->tables, role, from);
    if (!table) {
        struct sim_dist *own = sim_arena_alloc(c->arena, sizeof *own);
        hci_table_make(own, role, from);
        table = own;
    }
    d->handle = sim_add_dist(c->sim, table);
    return d->handle;
}

uint16_t hci_cluster_mixture(struct hci_cluster *c, const char *role, double median_ns,
                             double sigma, double tail_weight, double tail_median_ns,
                             double tail_sigma)
{
    const double from[HCI_TABLE_ARGS] = { median_ns, sigma, tail_weight, tail_median_ns,
                                          tail_sigma };
    return handle_of(c, role, from);
}

uint16_t hci_cluster_exponential(struct hci_cluster *c, const char *role, double mean_ns)
{
    const double from[HCI_TABLE_ARGS] = { mean_ns, -1 };
    return handle_of(c, role, from);
}
