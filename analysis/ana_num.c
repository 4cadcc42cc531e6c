/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_num.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static unsigned decimal_digits(uint64_t v)
{
    unsigned n = 1;
    for (; v >= 10; v /= 10)
        n++;
    return n;
}

char *ana_num(char buf[ANA_NUM_LEN], uint64_t value, unsigned digits, unsigned base,
              const char *unit)
{
    static const char *const si[] = {"", "k", "M", "G", "T", "P", "E"};
    static const char *const iec[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    const char *const *prefix = base == 1024 ? iec : si;
    uint64_t rest = 0;
    unsigned step = 0;
    while (decimal_digits(value) > digits && step < 6) {
        rest = value % base;
        value /= base;
        step++;
    }
    unsigned used = decimal_digits(value);
    unsigned room = used < digits ? digits - used : 0; /* the point takes one place */
    if (step == 0 || room <= 1) {
        if (step > 0 && rest >= base / 2)
            value++;
        snprintf(buf, ANA_NUM_LEN, "%" PRIu64 "%s%s", value, prefix[step], unit);
        return buf;
    }
    char frac[16];
    snprintf(frac, sizeof frac, "%.*f", (int)room - 1, (double)rest / base);
    if (frac[0] == '1') /* .96 at one decimal: carry into the whole part */
        value++;
    snprintf(buf, ANA_NUM_LEN, "%" PRIu64 "%s%s%s", value, frac + 1, prefix[step], unit);
    return buf;
}

double ana_moments_mean(const struct hci_moments *m)
{
    return m->n ? (double)m->sum / (double)m->n : 0.0;
}

double ana_moments_stddev(const struct hci_moments *m)
{
    if (m->n < 2)
        return 0.0;
    /* Around the whole part of the mean the squares stay exact in 128 bits. */
    unsigned __int128 mean = m->sum / m->n, rest = m->sum % m->n;
    unsigned __int128 around = m->sum2 - mean * mean * m->n - 2 * mean * rest;
    double r = (double)(uint64_t)rest;
    double ss = (double)around - r * r / (double)m->n;
    return ss > 0 ? sqrt(ss / (double)(m->n - 1)) : 0.0;
}

void ana_moments_merge(struct hci_moments *into, const struct hci_moments *from)
{
    if (from->n == 0)
        return;
    into->min = into->n ? sim_min(into->min, from->min) : from->min;
    into->max = sim_max(into->max, from->max);
    into->n += from->n;
    into->sum += from->sum;
    into->sum2 += from->sum2;
}

uint64_t ana_round(double x)
{
    if (!(x > 0))
        return 0;
    if (x >= 18446744073709549568.0)
        return UINT64_MAX;
    return (uint64_t)floor(x + 0.5);
}

bool ana_resolved(uint64_t n, double pct)
{
    /* In millionths of a percent, so that 99.9 of 100000 counts exactly 100. */
    const uint64_t all = 100000000;
    uint64_t p = ana_round(pct * 1e6);
    if (p >= all)
        return false;
    uint64_t beyond = p < all / 2 ? p : all - p;
    return (unsigned __int128)n * beyond >= (unsigned __int128)ANA_RESOLVE_MIN * all;
}
