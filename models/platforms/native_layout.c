/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "platforms/native_layout.h"

int native_layout_validate(const struct hci_layout *lay, struct sim_err *e)
{
    for (unsigned i = 0; i < lay->nguests; i++) {
        const struct hci_guest_conf *g = &lay->guests[i];
        const struct hci_node_conf *n = &lay->nodes[g->node];
        unsigned free_disks = 0;
        for (unsigned k = 0; k < n->ndisks; k++)
            free_disks += n->disks[k].role != HCI_ROLE_BOOT;
        if (g->vdisks > free_disks)
            return sim_fail_at(e, SIM_E_INPUT, lay->path, g->line,
                               "guest: asks for %u disks, node %u has %u besides its boot disk",
                               (unsigned)g->vdisks, (unsigned)g->node, free_disks);
    }
    return SIM_OK;
}
