/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_whatif_range.c: what estimated numbers are worth, at both ends of their range.
 *
 * Which of some dozens matter depends on the layout and the jobs, so all are
 * tried, in a run too short for figures and long enough to see which move them.
 */
#include "ana_whatif.h"

#include "hci_kind.h"
#include "hci_param.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NUMBERS = 256, SHOWN = 3 };

#define MOVES 0.02 /* share of a job's IOPS: a number that moves none by that is left out */

struct list {
    struct ana_whatif *w;
    struct ana_change *at;
    unsigned n;
};

static void end(struct list *l, const char *owner, const struct hci_param *row, const void *conf,
                const char *value, const struct hci_prov *from)
{
    char taken[96];
    struct ana_change *c = &l->at[l->n++];
    char *text = hci_param_format(row, conf, taken, sizeof taken);
    text += *text == '"';
    text[strcspn(text, "\"")] = '\0';
    snprintf(c->title, sizeof c->title, "%.40s %s = %s (taken: %s, an estimate of %s to %s)", owner,
             row->key, value, text, from->low, from->high);
    c->kind = ANA_CHANGE_ASSUMED;
    c->sets = sim_arena_array(l->w->arena, 1, sizeof *c->sets);
    c->sets[0] = (struct hci_set){
        strcmp(owner, "platform") == 0 ? sim_arena_printf(l->w->arena, "platform.%s", row->key)
                                       : sim_arena_printf(l->w->arena, "devices.[%s].%s", owner,
                                                          row->key),
        sim_arena_strdup(l->w->arena, value)};
    c->nsets = 1;
}

static void rows(struct list *l, const char *owner, const struct hci_param *row, const void *conf,
                 const struct hci_prov *from)
{
    for (; row->key && from && l->n + 2 <= NUMBERS; row++, from++) {
        if (from->confidence != HCI_CONF_ESTIMATED || !from->low || !from->high)
            continue;
        end(l, owner, row, conf, from->low, from);
        end(l, owner, row, conf, from->high, from);
    }
}

static bool holds_data(const struct hci_layout *lay, const struct hci_device_conf *d)
{
    for (unsigned i = 0; i < lay->nnodes; i++)
        for (unsigned k = 0; k < lay->nodes[i].ndisks; k++)
            if (lay->nodes[i].disks[k].device == d && lay->nodes[i].disks[k].role != HCI_ROLE_BOOT)
                return true;
    return false;
}

struct ana_change *ana_whatif_ranges(struct ana_whatif *w, const struct hci_layout *lay,
                                     unsigned *n)
{
    struct list l = {w, sim_arena_array(w->arena, NUMBERS, sizeof *l.at), 0};
    rows(&l, "platform", lay->platform->k.params, lay->platform_conf, lay->platform_prov);
    for (unsigned i = 0; i < lay->ndevices; i++) {
        const struct hci_device_conf *d = &lay->devices[i];
        if (!holds_data(lay, d))
            continue;
        rows(&l, d->name, hci_device_common_params, &d->common, d->common_prov);
        rows(&l, d->name, d->ops->k.params, d->conf, d->prov);
    }
    *n = l.n;
    return l.at;
}

/* How far an end moves the jobs, all together; 0 when it moves none visibly. */
static double moves(const struct ana_whatif *w, const struct ana_change *base,
                    const struct ana_change *c)
{
    double sum = 0, most = 0;
    for (unsigned i = 0; c->status == SIM_OK && i < w->njobs; i++) {
        double x = base->iops[i] > 0 ? fabs(c->iops[i] / base->iops[i] - 1) : 0;
        sum += x;
        most = fmax(most, x);
    }
    return most < MOVES ? 0 : sum;
}

void ana_whatif_choose(struct ana_whatif *w, const struct ana_change *base,
                       const struct ana_change *ends, unsigned n)
{
    bool taken[NUMBERS] = {false};
    for (unsigned s = 0; s < SHOWN && w->nchanges + 2 <= ANA_CHANGES_MAX; s++) {
        double best = 0;
        unsigned which = n;
        for (unsigned i = 0; i + 1 < n; i += 2) {
            double x = fmax(moves(w, base, &ends[i]), moves(w, base, &ends[i + 1]));
            if (!taken[i] && x > best) {
                best = x;
                which = i;
            }
        }
        if (which == n)
            return;
        taken[which] = true;
        w->change[w->nchanges++] = ends[which];
        w->change[w->nchanges++] = ends[which + 1];
    }
}
