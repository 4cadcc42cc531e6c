/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_num.h: numbers as fio prints them, and statistics from exact sums.
 *
 * Modelled: fio's short numbers (four significant figures, k/Ki steps), its
 * choice between nsec, usec and msec, mean and sample deviation of integer
 * moments. Not here: any layout of text.
 * Invariants: equal input gives equal bytes on every compiler; no function
 * allocates; an empty set of samples gives zeros, never NaN.
 */
#ifndef ANA_NUM_H
#define ANA_NUM_H

#include "hci_result.h"

#define ANA_NUM_LEN 32 /* bytes a formatted number needs at the most */

/* Formats value with at most `digits` (1..9) significant figures and a prefix:
 * k M G T P in steps of 1000, or Ki Mi Gi Ti Pi in steps of 1024. `unit` ("",
 * "B", "B/s") follows the prefix. Always returns buf. */
char *ana_num(char buf[ANA_NUM_LEN], uint64_t value, unsigned digits, unsigned base,
              const char *unit);

/* Mean in ns; 0 without samples. */
double ana_moments_mean(const struct hci_moments *m);

/* Sample standard deviation (n - 1) in ns; 0 below two samples. */
double ana_moments_stddev(const struct hci_moments *m);

/* into += from. */
void ana_moments_merge(struct hci_moments *into, const struct hci_moments *from);

/* Rounds a non-negative value to the nearest integer; 0 for NaN and negative
 * values, saturating at UINT64_MAX. */
uint64_t ana_round(double x);

/* True when at least 100 of n samples lie beyond the percentile pct (0..100)
 * on its own side of the median: fewer do not fix its value. */
bool ana_resolved(uint64_t n, double pct);

#define ANA_RESOLVE_MIN 100 /* samples beyond a percentile that make it a fact */

#endif
