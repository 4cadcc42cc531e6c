/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_hist.h"

#include "sim_assert.h"

/* log2 of the width of bin i. */
static unsigned bin_shift(unsigned i)
{
    return i < 128 ? 0 : (i >> 6) - 1;
}

uint64_t sim_hist_lower(unsigned i)
{
    sim_assert(i < SIM_HIST_BINS);
    if (i < 128)
        return i;
    return (uint64_t)(64 + (i & 63)) << bin_shift(i);
}

uint64_t sim_hist_upper(unsigned i)
{
    return sim_hist_lower(i) + (1ULL << bin_shift(i));
}

uint64_t sim_hist_value(unsigned i)
{
    return sim_hist_lower(i) + ((1ULL << bin_shift(i)) >> 1);
}

uint64_t sim_hist_percentile(const struct sim_hist *h, double pct)
{
    /* Long double as in fio: 99.9 % of 1000 must fall on the same side of 999. */
    long double need = (long double)pct / 100.0L * (long double)h->n;
    uint64_t sum = 0;

    if (h->n == 0)
        return 0;
    for (unsigned i = 0; i < SIM_HIST_BINS; i++) {
        sum += h->bin[i];
        if (sum > 0 && (long double)sum >= need)
            return sim_hist_value(i);
    }
    return sim_hist_value(SIM_HIST_BINS - 1);
}

void sim_hist_merge(struct sim_hist *into, const struct sim_hist *from)
{
    into->n += from->n;
    for (unsigned i = 0; i < SIM_HIST_BINS; i++)
        into->bin[i] += from->bin[i];
}
