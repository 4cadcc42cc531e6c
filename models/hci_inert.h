/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_inert.h: which of the user's values had no effect on a run.
 *
 * A table of rules names, for each parameter that not every run exercises, the
 * mechanism it belongs to and how a finished run shows whether that mechanism
 * ran: no write reached the drive, no message crossed the bond, the platform has
 * no controller VM. What a rule calls inert could have had any other value that
 * leaves its mechanism at rest, and the run would have been the same to the bit.
 * Not found: a value that was used and made no difference (a queue depth that
 * nothing reached, a rate that limited nothing). Never named: what is only
 * there for the layout rules, for prices or for people.
 */
#ifndef HCI_INERT_H
#define HCI_INERT_H

#include "hci_layout.h"
#include "hci_result.h"

struct hci_cluster;
struct hci_runner;

/* At the end of a run: one byte a value of the layout's `given` list, 0: it had
 * an effect, or may have had one; otherwise the number of a reason. malloc'd. */
unsigned char *hci_inert_find(const struct hci_cluster *c, const struct hci_runner *r);

/* The keys and why, "nodes.[0].nic.hash (the bond has one port in use); ...", at
 * most 24 of them. malloc'd; NULL: there are none. */
char *hci_inert_text(const struct hci_layout *lay, const struct hci_result *r);

/* The reason behind a number above 0. */
const char *hci_inert_reason(unsigned number);

#endif
