/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_steady.h: ends a row's jobs when they have become steady.
 *
 * Judged once every second of the measured time, over the last
 * steadystate_duration seconds behind steadystate_ramp_time (hci_goal.h).
 */
#ifndef HCI_STEADY_H
#define HCI_STEADY_H

#include "workload/hci_runner.h"

/* The row's measured time starts now. */
void hci_steady_begin(struct hci_row *row);

#endif
