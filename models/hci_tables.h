/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_tables.h: distributions that many runs share.
 *
 * Filling a quantile table costs milliseconds, and thousands of runs of a
 * sweep draw from the same few. A layout may point at such a store; runs in
 * several threads may use it at once. Tables are the same bytes whoever makes
 * them, so a result does not depend on whether there is a store.
 * Invariants: a table never changes or moves once it is in; at most
 * HCI_TABLES_MAX of them are kept (9 kB each), further ones are the caller's.
 */
#ifndef HCI_TABLES_H
#define HCI_TABLES_H

#include "sim_dist.h"

#define HCI_TABLES_MAX 2048

struct hci_tables;

struct hci_tables *hci_tables_create(void);
void hci_tables_free(struct hci_tables *t); /* NULL is fine */

/* What a table is made from: a body and tail mixture (median, sigma, tail
 * weight, tail median, tail sigma; ns), or an exponential (mean, -1). */
#define HCI_TABLE_ARGS 5

/* Fills *d for a role. Arguments out of range are our bug. */
void hci_table_make(struct sim_dist *d, const char *role, const double from[HCI_TABLE_ARGS]);

/* The shared table, made if need be; NULL when the store is full or t is NULL. */
const struct sim_dist *hci_tables_get(struct hci_tables *t, const char *role,
                                      const double from[HCI_TABLE_ARGS]);

#endif
