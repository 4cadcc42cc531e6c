/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_hist.h: log-linear latency histogram with fio's bins.
 *
 * 64 bins per octave (linear below 128 ns), 29 groups, 1856 bins: the layout
 * fio uses, so percentiles and json+ bins can be compared one by one. Values
 * above the last bin's edge are counted in it. Relative error <= 1/128.
 * Invariant: n equals the sum of all bins; merging is bin-wise addition.
 */
#ifndef SIM_HIST_H
#define SIM_HIST_H

#include <stdint.h>

#define SIM_HIST_BINS 1856

struct sim_hist {
    uint64_t n;
    uint64_t bin[SIM_HIST_BINS];
};

static inline unsigned sim_hist_index(uint64_t ns)
{
    if (ns < 128)
        return (unsigned)ns;
    unsigned e = 57 - (unsigned)__builtin_clzll(ns);
    unsigned i = ((e + 1) << 6) + (unsigned)((ns >> e) & 63);
    return i < SIM_HIST_BINS ? i : SIM_HIST_BINS - 1;
}

static inline void sim_hist_record(struct sim_hist *h, uint64_t ns)
{
    h->n++;
    h->bin[sim_hist_index(ns)]++;
}

/* Midpoint of bin i in ns, as fio prints it. */
uint64_t sim_hist_value(unsigned i);

/* [lower, upper) edges of bin i in ns. */
uint64_t sim_hist_lower(unsigned i);
uint64_t sim_hist_upper(unsigned i);

/* Value of the first bin whose cumulative count reaches pct (0..100] of n, by
 * fio's rule; 0 when the histogram is empty. */
uint64_t sim_hist_percentile(const struct sim_hist *h, double pct);

void sim_hist_merge(struct sim_hist *into, const struct sim_hist *from);

#endif
