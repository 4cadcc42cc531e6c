/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * native_layout.h: what a bare-metal layout must have.
 *
 * Not modelled: installers, partitions, boot firmware.
 */
#ifndef HCI_PLATFORMS_NATIVE_LAYOUT_H
#define HCI_PLATFORMS_NATIVE_LAYOUT_H

#include "hci_layout.h"

/* Every guest finds as many disks on its node as it asks for; the boot disk
 * does not count. hci_platform_ops.validate. */
int native_layout_validate(const struct hci_layout *lay, struct sim_err *e);

#endif
