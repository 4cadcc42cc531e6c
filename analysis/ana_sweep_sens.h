/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_sens.h: which input moves a metric most.
 *
 * Every numeric input of a layout (platform, nodes, controller VM, network,
 * each device product), one at a time, a share below and above its value.
 * Left out: zeros, "auto", text and switches, counts too small to change by
 * the share, values that would leave their range, and inputs in which nodes
 * differ.
 */
#ifndef ANA_SWEEP_SENS_H
#define ANA_SWEEP_SENS_H

#include "ana_sweep_axis.h"
#include "hci_layout.h"

/* Makes *axis of kind ANA_AXIS_ASSIGN: value 0 is "base", then one value an
 * input and side, "KEY=VALUE". share lies in (0, 1). */
void ana_sens_axis(struct ana_axis *axis, const struct hci_layout *lay, double share,
                   struct sim_arena *a);

#endif
