/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/hci_batch.h"

#include "sim_assert.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BATCHES 30

/* ---- slices ---- */

static unsigned cut_bins(struct hci_bin **out, struct sim_hist *before, const struct sim_hist *now)
{
    struct hci_bin found[SIM_HIST_BINS];
    unsigned n = 0;
    for (unsigned i = 0; i < SIM_HIST_BINS; i++) {
        uint64_t d = now->bin[i] - before->bin[i];
        if (d)
            found[n++] = (struct hci_bin){i, (uint32_t)sim_min(d, UINT32_MAX)};
        before->bin[i] = now->bin[i];
    }
    before->n = now->n;
    *out = malloc((n + 1) * sizeof **out);
    sim_assert(*out != NULL);
    memcpy(*out, found, n * sizeof **out);
    return n;
}

void hci_slice_cut(struct hci_slice *out, uint64_t ns, struct sim_hist *const before[HCI_LATS],
                   const struct sim_hist *const now[HCI_LATS], const uint64_t sum[HCI_LATS])
{
    out->ns = ns;
    out->ios = now[HCI_LAT]->n - before[HCI_LAT]->n;
    for (unsigned k = 0; k < HCI_LATS; k++) {
        out->sum[k] = sum[k];
        out->nbins[k] = cut_bins(&out->bins[k], before[k], now[k]);
    }
}

static void join_bins(struct hci_slice *into, const struct hci_slice *from, unsigned k)
{
    const struct hci_bin *a = into->bins[k], *b = from->bins[k];
    unsigned na = into->nbins[k], nb = from->nbins[k], n = 0, i = 0, j = 0;
    struct hci_bin *all = malloc((na + nb + 1) * sizeof *all);
    sim_assert(all != NULL);
    while (i < na || j < nb) {
        if (j == nb || (i < na && a[i].bin < b[j].bin)) {
            all[n++] = a[i++];
        } else if (i == na || b[j].bin < a[i].bin) {
            all[n++] = b[j++];
        } else {
            uint64_t sum = (uint64_t)a[i].n + b[j++].n;
            all[n++] = (struct hci_bin){a[i++].bin, (uint32_t)sim_min(sum, UINT32_MAX)};
        }
    }
    free(into->bins[k]);
    into->bins[k] = all;
    into->nbins[k] = n;
}

void hci_slice_join(struct hci_slice *into, struct hci_slice *from)
{
    into->ns += from->ns;
    into->ios += from->ios;
    for (unsigned k = 0; k < HCI_LATS; k++) {
        into->sum[k] += from->sum[k];
        join_bins(into, from, k);
    }
    hci_slice_clear(from);
}

void hci_slice_clear(struct hci_slice *s)
{
    for (unsigned k = 0; k < HCI_LATS; k++) {
        free(s->bins[k]);
        s->bins[k] = NULL;
        s->nbins[k] = 0;
    }
}

void hci_batches_clear(struct hci_batches *b)
{
    for (unsigned i = 0; i < b->n; i++)
        hci_slice_clear(&b->slice[i]);
    free(b->slice);
    *b = (struct hci_batches){0};
}

static void overlay_slice(struct hci_slice *into, const struct hci_slice *from)
{
    double ios = (double)into->ios + (double)from->ios;
    if (ios > 0)
        into->weight = (into->weight * (double)into->ios + from->weight * (double)from->ios) / ios;
    into->ios += from->ios;
    for (unsigned k = 0; k < HCI_LATS; k++) {
        into->sum[k] += from->sum[k];
        join_bins(into, from, k);
    }
}

/* A slice of the same time without I/Os. */
static struct hci_slice empty_like(const struct hci_slice *s)
{
    return (struct hci_slice){
        .ns = s->ns, .window = s->window, .stratum = s->stratum, .weight = s->weight};
}

static bool lie_alike(const struct hci_batches *a, const struct hci_batches *b)
{
    bool alike = a->kind == b->kind && a->n == b->n;
    for (unsigned i = 0; alike && i < a->n; i++)
        alike = a->kind == HCI_BATCH_REPS || (a->slice[i].ns == b->slice[i].ns &&
                                              a->slice[i].window == b->slice[i].window);
    return alike;
}

void hci_batches_overlay(struct hci_batches *into, const struct hci_batches *from)
{
    if (!into->slice) {
        *into = (struct hci_batches){from->kind, from->n, calloc(from->n + 1, sizeof *into->slice)};
        sim_assert(into->slice != NULL);
        for (unsigned i = 0; i < from->n; i++)
            into->slice[i] = empty_like(&from->slice[i]);
    }
    if (!lie_alike(into, from)) {
        struct hci_slice *none = into->slice;
        for (unsigned i = 0; i < into->n; i++)
            hci_slice_clear(&none[i]);
        into->n = 0; /* the array stays: nothing can be added to nothing */
        return;
    }
    for (unsigned i = 0; i < from->n; i++)
        overlay_slice(&into->slice[i], &from->slice[i]);
}

/* ---- ratios of sums ---- */

struct term { /* of one batch: numerator and denominator, weighted */
    double over, under;
    uint32_t stratum;
    bool window; /* a whole window, not a slice of one */
};

/* Equal runs of slices into batches, of a run simulated whole; replications one
 * by one. Returns how many; *first is the slice the first batch starts with. */
static unsigned grouping(const struct hci_batches *b, unsigned *size, unsigned *first)
{
    *size = b->kind == HCI_BATCH_TIME ? (b->n + MOST_BATCHES - 1) / MOST_BATCHES : 1;
    *size = *size ? *size : 1;
    *first = b->n % *size;
    return b->n / *size;
}

/* Whether windows, not slices, are the units: neighbours in one window have
 * seen the same weather. */
static bool by_window(const struct hci_batches *b)
{
    unsigned windows = b->n > 0;
    for (unsigned i = 1; i < b->n; i++)
        windows += b->slice[i].window != b->slice[i - 1].window;
    return windows >= HCI_FEW_WINDOWS;
}

static unsigned sampled_terms(const struct hci_batches *b, struct term **out,
                              struct term (*of)(const struct hci_slice *s, const void *ctx),
                              const void *ctx)
{
    struct term *t = calloc(b->n + 1, sizeof *t);
    bool windows = by_window(b);
    unsigned n = 0;
    sim_assert(t != NULL);
    for (unsigned i = 0; i < b->n; i++) {
        const struct hci_slice *s = &b->slice[i];
        n += i == 0 || !windows || s->window != s[-1].window;
        struct term one = of(s, ctx);
        t[n - 1].over += one.over;
        t[n - 1].under += one.under;
        t[n - 1].stratum = windows ? 0 : one.stratum;
        t[n - 1].window = windows;
    }
    *out = t;
    return n;
}

static unsigned terms(const struct hci_batches *b, struct term **out,
                      struct term (*of)(const struct hci_slice *s, const void *ctx),
                      const void *ctx)
{
    if (b->kind == HCI_BATCH_SAMPLED)
        return sampled_terms(b, out, of, ctx);
    unsigned size, first, n = grouping(b, &size, &first);
    struct term *t = calloc(n + 1, sizeof *t);
    sim_assert(t != NULL);
    for (unsigned i = 0; i < n * size; i++) {
        struct term one = of(&b->slice[first + i], ctx);
        t[i / size].over += one.over;
        t[i / size].under += one.under;
        t[i / size].stratum = one.stratum;
    }
    *out = t;
    return n;
}

static double residual(const struct term *t, double ratio)
{
    return t->over - ratio * t->under;
}

/* Variance of the sum of a stratum's residuals. Slices: around their mean.
 * Windows lie at even distances through whatever changes slowly: by their
 * successive differences, which such a drift does not enter. */
static double stratum_variance(const struct term *t, unsigned n, double ratio)
{
    double sum = 0, squares = 0, steps = 0;
    for (unsigned i = 0; i < n; i++)
        sum += residual(&t[i], ratio);
    for (unsigned i = 0; i < n; i++) {
        double e = residual(&t[i], ratio), step = i ? e - residual(&t[i - 1], ratio) : 0;
        squares += (e - sum / n) * (e - sum / n);
        steps += step * step / 2;
    }
    return n > 1 ? (double)n / (n - 1) * (t->window ? steps : squares) : 0;
}

static unsigned stratum_end(const struct term *t, unsigned n, unsigned from)
{
    unsigned to = from;
    while (to < n && t[to].stratum == t[from].stratum)
        to++;
    return to;
}

static unsigned strata(const struct term *t, unsigned n)
{
    unsigned k = n > 0;
    for (unsigned i = 1; i < n; i++)
        k += t[i].stratum != t[i - 1].stratum;
    return k;
}

/* Lag-1 autocorrelation of slices' residuals inside their strata. */
static double strata_lag1(const struct term *t, unsigned n, double ratio)
{
    double all = 0, neighbours = 0;
    for (unsigned from = 0, to; from < n; from = to) {
        double sum = 0, last = 0;
        to = stratum_end(t, n, from);
        for (unsigned i = from; i < to; i++)
            sum += residual(&t[i], ratio);
        for (unsigned i = from; i < to && !t[from].window; i++) {
            double e = residual(&t[i], ratio) - sum / (to - from);
            all += e * e;
            neighbours += i > from ? e * last : 0;
            last = e;
        }
    }
    return all > 0 ? neighbours / all : 0;
}

/* Of sampled terms; half and doubts as sim_stat would have them. */
static struct sim_interval stratified(const struct term *t, unsigned n, double ratio, double under)
{
    struct sim_interval r = {.estimate = ratio, .half = INFINITY, .batches = n};
    unsigned k = strata(t, n);
    double variance = 0;
    for (unsigned from = 0, to; from < n; from = to) {
        to = stratum_end(t, n, from);
        variance += stratum_variance(t + from, to - from, ratio);
    }
    if (n < k + 9)
        r.doubts |= SIM_DOUBT_FEW;
    if (n > k)
        r.half = sim_stat_t(HCI_LEVEL, n - k) * sqrt(variance) / under;
    r.lag1 = strata_lag1(t, n, ratio);
    r.doubts |= r.lag1 > 0.3 ? SIM_DOUBT_CORRELATED : 0;
    return r;
}

/* Replications are independent of each other, however few. */
static unsigned relevant(const struct hci_batches *b, unsigned doubts)
{
    unsigned none = SIM_DOUBT_CORRELATED | SIM_DOUBT_DRIFT;
    if (b->n >= 3)
        none |= SIM_DOUBT_FEW;
    return b->kind == HCI_BATCH_REPS ? doubts & ~none : doubts;
}

static struct sim_interval ratio_interval(const struct hci_batches *b, struct term *t, unsigned n)
{
    struct sim_interval r = {.half = INFINITY, .doubts = SIM_DOUBT_EMPTY};
    double over = 0, under = 0;
    for (unsigned i = 0; i < n; i++) {
        over += t[i].over;
        under += t[i].under;
    }
    if (under > 0 && b->kind == HCI_BATCH_SAMPLED) {
        r = stratified(t, n, over / under, under);
    } else if (under > 0) {
        /* Linearised: their mean is the ratio, their spread the ratio's. */
        double *value = calloc(n + 1, sizeof *value);
        sim_assert(value != NULL);
        for (unsigned i = 0; i < n; i++)
            value[i] = over / under + (t[i].over - over / under * t[i].under) / (under / n);
        r = sim_stat_mean_interval(value, n, HCI_LEVEL);
        r.doubts = relevant(b, r.doubts);
        free(value);
    }
    return r;
}

static struct term term_iops(const struct hci_slice *s, const void *ctx)
{
    (void)ctx;
    return (struct term){s->weight * (double)s->ios, s->weight * (double)s->ns * 1e-9, s->stratum,
                         false};
}

static struct term term_mean(const struct hci_slice *s, const void *ctx)
{
    unsigned k = *(const unsigned *)ctx;
    return (struct term){s->weight * (double)s->sum[k], s->weight * (double)s->ios, s->stratum,
                         false};
}

struct sim_interval hci_batches_iops(const struct hci_batches *b)
{
    struct term *t;
    unsigned n = terms(b, &t, term_iops, NULL);
    struct sim_interval r = ratio_interval(b, t, n);
    free(t);
    return r;
}

struct sim_interval hci_batches_mean(const struct hci_batches *b, enum hci_lat which)
{
    struct term *t;
    unsigned k = which, n = terms(b, &t, term_mean, &k);
    struct sim_interval r = ratio_interval(b, t, n);
    free(t);
    return r;
}

/* ---- percentiles ---- */

static void unpack(const struct hci_slice *s, unsigned k, struct sim_hist *into)
{
    for (unsigned i = 0; i < s->nbins[k]; i++) {
        into->bin[s->bins[k][i].bin] += s->bins[k][i].n;
        into->n += s->bins[k][i].n;
    }
}

double hci_slice_percentile(const struct hci_slice *s, enum hci_lat which, double pct)
{
    struct sim_hist *h = calloc(1, sizeof *h);
    sim_assert(h != NULL);
    unpack(s, which, h);
    double v = sim_stat_percentile(h, pct);
    free(h);
    return v;
}

static void sectioned(const struct hci_batches *b, enum hci_lat which,
                      const struct sim_hist *merged, const double *pct, unsigned n,
                      struct sim_interval *out)
{
    unsigned size, first, batches = grouping(b, &size, &first);
    batches = batches < 64 ? batches : 64; /* more replications than that add little */
    struct sim_hist *hist = calloc(batches + 1, sizeof *hist);
    const struct sim_hist *at[64];
    sim_assert(hist != NULL);
    for (unsigned i = 0; i < batches; i++) {
        at[i] = &hist[i];
        for (unsigned k = 0; k < size; k++)
            unpack(&b->slice[first + i * size + k], which, &hist[i]);
    }
    for (unsigned i = 0; i < n; i++) {
        out[i] = sim_stat_quantile_interval(at, batches, merged, pct[i], HCI_LEVEL);
        out[i].doubts = relevant(b, out[i].doubts);
    }
    free(hist);
}

struct point { /* a latency */
    unsigned which;
    unsigned bin;
    double part; /* of its bin that lies below it */
};

static struct point point_of(unsigned which, double value)
{
    struct point p = {.which = which, .bin = sim_hist_index((uint64_t)value)};
    double lo = (double)sim_hist_lower(p.bin), hi = (double)sim_hist_upper(p.bin);
    p.part = value >= hi ? 1 : value <= lo ? 0 : (value - lo) / (hi - lo);
    return p;
}

/* I/Os up to a value, over all. */
static struct term term_below(const struct hci_slice *s, const void *ctx)
{
    const struct point *p = ctx;
    const struct hci_bin *bin = s->bins[p->which];
    double below = 0;
    for (unsigned i = 0; i < s->nbins[p->which]; i++) {
        if (bin[i].bin == p->bin)
            below += p->part * bin[i].n;
        else if (bin[i].bin < p->bin)
            below += bin[i].n;
    }
    return (struct term){s->weight * below, s->weight * (double)s->ios, s->stratum, false};
}

static struct sim_interval inverted(const struct hci_batches *b, enum hci_lat which,
                                    const struct sim_hist *merged, double pct)
{
    struct sim_interval r = {.half = INFINITY, .doubts = SIM_DOUBT_EMPTY};
    struct term *t;
    if (merged->n == 0)
        return r;
    r.estimate = sim_stat_percentile(merged, pct);
    struct point p = point_of(which, r.estimate);
    unsigned n = terms(b, &t, term_below, &p);
    struct sim_interval share = ratio_interval(b, t, n);
    free(t);
    r.batches = share.batches;
    r.lag1 = share.lag1;
    r.doubts = share.doubts;
    if (isfinite(share.half)) {
        double lo = fmax(pct - 100 * share.half, 1e-9), hi = fmin(pct + 100 * share.half, 100);
        r.half = (sim_stat_percentile(merged, hi) - sim_stat_percentile(merged, lo)) / 2;
    }
    double ios = 0;
    for (unsigned i = 0; i < b->n; i++)
        ios += (double)b->slice[i].ios;
    if (ios * (1 - pct / 100) < 100 - 1e-6)
        r.doubts |= SIM_DOUBT_UNRESOLVED;
    return r;
}

void hci_batches_percentiles(const struct hci_batches *b, enum hci_lat which,
                             const struct sim_hist *merged, const double *pct, unsigned n,
                             struct sim_interval *out)
{
    if (b->kind != HCI_BATCH_SAMPLED) {
        sectioned(b, which, merged, pct, n, out);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        out[i] = inverted(b, which, merged, pct[i]);
}

/* ---- words ---- */

double hci_relative(const struct sim_interval *i)
{
    return i->estimate != 0 && isfinite(i->half) ? i->half / fabs(i->estimate) : INFINITY;
}

const char *hci_doubts(unsigned doubts, char *buf, size_t size)
{
    static const struct {
        unsigned bit;
        const char *text;
    } words[] = {{SIM_DOUBT_EMPTY, "no samples"},
                 {SIM_DOUBT_FEW, "few batches"},
                 {SIM_DOUBT_CORRELATED, "batches correlated"},
                 {SIM_DOUBT_SHORT, "short batches"},
                 {SIM_DOUBT_SPREAD, "batches disagree"},
                 {SIM_DOUBT_DRIFT, "drift"},
                 {SIM_DOUBT_UNRESOLVED, "unresolved"}};
    size_t used = 0;
    buf[0] = '\0';
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (doubts & words[i].bit && used < size)
            used +=
                (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "", words[i].text);
    return buf;
}
