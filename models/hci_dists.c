/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cluster's distributions: drives of one product share their tables.
 */
#include "hci_cluster.h"

#include "sim_assert.h"
#include "sim_mem.h"

#include <string.h>

struct hci_dist {
    struct hci_dist *next;
    const char *role;
    double from[5];
    uint16_t handle;
    struct sim_dist table;
};

static const struct hci_dist *find(const struct hci_cluster *c, const char *role,
                                   const double from[5])
{
    for (const struct hci_dist *d = c->dists; d; d = d->next)
        if (strcmp(d->role, role) == 0 && memcmp(d->from, from, sizeof d->from) == 0)
            return d;
    return NULL;
}

static struct hci_dist *add(struct hci_cluster *c, const char *role, const double from[5])
{
    struct hci_dist *d = sim_arena_alloc(c->arena, sizeof *d);
    d->role = role;
    memcpy(d->from, from, sizeof d->from);
    d->next = c->dists;
    c->dists = d;
    return d;
}

uint16_t hci_cluster_mixture(struct hci_cluster *c, const char *role, double median_ns,
                             double sigma, double tail_weight, double tail_median_ns,
                             double tail_sigma)
{
    double from[5] = {median_ns, sigma, tail_weight, tail_median_ns, tail_sigma};
    const struct hci_dist *known = find(c, role, from);
    if (known)
        return known->handle;
    struct hci_dist *d = add(c, role, from);
    int status = median_ns <= 0 ? sim_dist_constant(&d->table, role, 0)
                 : tail_weight > 0
                     ? sim_dist_mixture(&d->table, role, 0, median_ns, sigma, tail_weight,
                                        tail_median_ns > 0 ? tail_median_ns : median_ns, tail_sigma)
                     : sim_dist_lognormal(&d->table, role, 0, median_ns, sigma);
    sim_assert(status == SIM_OK);
    d->handle = sim_add_dist(c->sim, &d->table);
    return d->handle;
}

uint16_t hci_cluster_exponential(struct hci_cluster *c, const char *role, double mean_ns)
{
    double from[5] = {mean_ns, -1, 0, 0, 0};
    const struct hci_dist *known = find(c, role, from);
    if (known)
        return known->handle;
    struct hci_dist *d = add(c, role, from);
    sim_assert(sim_dist_exponential(&d->table, role, mean_ns) == SIM_OK);
    d->handle = sim_add_dist(c->sim, &d->table);
    return d->handle;
}
