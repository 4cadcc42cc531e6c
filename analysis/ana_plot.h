/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_plot.h: the latency distribution as text.
 *
 * Per job one picture: a row per percentile, latency from left to right on a
 * logarithmic scale, r for reads, w for writes, t for trims, * where they meet.
 * Rows that fewer than 100 samples carry are left out.
 * Invariants: at most 79 columns; nothing allocates; write errors stay in the
 * stream.
 */
#ifndef ANA_PLOT_H
#define ANA_PLOT_H

#include "hci_result.h"

#include <stdio.h>

/* All jobs of a result, completion latency (clat). */
void ana_plot_print(FILE *f, const struct hci_result *r);

#endif
