/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_check.h: collecting what layout rules find.
 *
 * For the platforms' check functions; people read struct hci_check
 * (hci_layout.h). Invariant: nerrors and nwarnings count the findings.
 */
#ifndef HCI_CHECK_H
#define HCI_CHECK_H

#include "hci_layout.h"

/* Appends one finding. rule and source must outlive the check. */
void hci_check_find(struct hci_check *c, int severity, const char *rule, const char *source,
                    const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* Appends one disk; the caller fills it before the next call. */
struct hci_disk_space *hci_check_disk(struct hci_check *c, unsigned node, unsigned disk);

/* Bytes for people, "139.5 GiB". Returns buf. */
char *hci_check_gib(uint64_t bytes, char *buf, size_t size);

#endif
