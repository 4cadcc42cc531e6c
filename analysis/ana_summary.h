/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_summary.h: the report of a run for people.
 *
 * Per job fio's block (ana_fio_text.h) and where its time goes
 * (ana_breakdown.h), its state and counters unless they are 0 throughout; then
 * fio's group and disk lines, all jobs at a glance, and what the figures rest on:
 * assumptions, seed, counts, hash and where to read what is not modelled.
 * Invariants: the text depends on the result alone (no clock, no host), so
 * equal runs print equal bytes; nothing that may differ between them
 * (processor time) is printed.
 */
#ifndef ANA_SUMMARY_H
#define ANA_SUMMARY_H

#include <stdio.h>

#include "hci_result.h"

/* Prints to f. Write errors stay in the stream: the caller asks ferror(f). */
void ana_summary_print(FILE *f, const struct hci_result *r);

#endif
