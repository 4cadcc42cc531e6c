/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_sweep_sens.h"

#include "hci_kind.h"

#include <math.h>
#include <string.h>

struct maker {
    struct ana_axis *axis;
    unsigned max;
    double share;
    struct sim_arena *arena;
};

static void push(struct maker *m, const char *text)
{
    struct ana_axis *x = m->axis;
    if (x->n == ANA_AXIS_MAX)
        return;
    if (x->n == m->max) {
        m->max = m->max ? 2 * m->max : 64;
        const char **more = sim_arena_array(m->arena, m->max, sizeof *more);
        if (x->n)
            memcpy(more, x->value, x->n * sizeof *more);
        x->value = more;
    }
    x->value[x->n++] = text;
}

static void push_integer(struct maker *m, const struct hci_param *row, const char *key, uint64_t v,
                         double factor)
{
    static const char *const units[] = {
        [HCI_COUNT] = "", [HCI_BYTES] = " B", [HCI_TIME] = " ns", [HCI_RATE] = " B/s"
    };
    double moved = floor((double)v * factor + 0.5);
    if (v == 0 || v == HCI_AUTO || moved < row->min || moved > row->max || moved >= 9e18 ||
        (uint64_t)moved == v)
        return;
    push(m, sim_arena_printf(m->arena, "%s.%s=%llu%s", key, row->key, (unsigned long long)moved,
                             units[row->type]));
}

static void push_number(struct maker *m, const struct hci_param *row, const char *key, double v,
                        double factor)
{
    double moved = v * factor;
    if (moved < row->min || moved > row->max || fabs(moved - v) <= 0)
        return;
    push(m, sim_arena_printf(m->arena, "%s.%s=%.12g", key, row->key, moved));
}

/* Facts about a product that no latency depends on. */
static bool is_label(const char *key)
{
    return strcmp(key, "price_eur") == 0 || strcmp(key, "endurance") == 0 ||
           strcmp(key, "idle_w") == 0 || strcmp(key, "active_w") == 0;
}

/* Both sides of one row. */
static void push_row(struct maker *m, const struct hci_param *row, const void *conf,
                     const char *key)
{
    const char *at = (const char *)conf + row->offset;
    for (int side = 0; side < 2; side++) {
        double factor = side ? 1 + m->share : 1 - m->share, f;
        uint64_t v;
        if (row->type <= HCI_RATE) {
            memcpy(&v, at, sizeof v);
            push_integer(m, row, key, v, factor);
        } else if (row->type == HCI_NUMBER) {
            memcpy(&f, at, sizeof f);
            push_number(m, row, key, f, factor);
        }
    }
}

/* Every row of one table; key is the path of the object. */
static void push_rows(struct maker *m, const struct hci_param *rows, const void *conf,
                      const char *key)
{
    for (; rows->key; rows++)
        if (!is_label(rows->key))
            push_row(m, rows, conf, key);
}

/* Whether a table says the same of all nodes. */
static bool nodes_agree(const struct hci_layout *lay, const struct hci_param *rows, bool nic)
{
    for (; rows->key; rows++)
        for (unsigned n = 1; n < lay->nnodes; n++) {
            const char *a = nic ? (const char *)&lay->nodes[0].nic : (const char *)&lay->nodes[0];
            const char *b = nic ? (const char *)&lay->nodes[n].nic : (const char *)&lay->nodes[n];
            if (memcmp(a + rows->offset, b + rows->offset, sizeof(uint64_t)) != 0)
                return false;
        }
    return true;
}

void ana_sens_axis(struct ana_axis *axis, const struct hci_layout *lay, double share,
                   struct sim_arena *a)
{
    struct maker m = { .axis = axis, .share = share, .arena = a };
    memset(axis, 0, sizeof *axis);
    axis->kind = ANA_AXIS_ASSIGN;
    axis->key = "input";
    push(&m, "base");
    push_rows(&m, lay->platform->k.params, lay->platform_conf, "platform");
    if (nodes_agree(lay, hci_node_params, false))
        push_rows(&m, hci_node_params, &lay->nodes[0], "nodes.[*]");
    if (nodes_agree(lay, hci_cvm_params, false))
        push_rows(&m, hci_cvm_params, &lay->nodes[0], "nodes.[*].cvm");
    if (nodes_agree(lay, hci_nic_params, true))
        push_rows(&m, hci_nic_params, &lay->nodes[0].nic, "nodes.[*].nic");
    for (unsigned i = 0; i < lay->ndevices; i++) {
        const struct hci_device_conf *d = &lay->devices[i];
        const char *key = sim_arena_printf(a, "devices.[%s]", d->name);
        push_rows(&m, hci_device_common_params, &d->common, key);
        push_rows(&m, d->ops->k.params, d->conf, key);
    }
    ana_axis_numbers(axis, a);
}
