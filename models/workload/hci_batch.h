/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_batch.h: the pieces of a run that tell how sure its figures are.
 *
 * A direction's measured time is cut into slices; each keeps its I/Os, the sums
 * of their latencies and the bins that are not empty. An estimate comes from all
 * of them, its interval from how they differ:
 * - one run simulated whole: slices are grouped into 20 to 30 equal batches.
 *   Means are ratios of sums, percentiles use sectioning (sim_stat.h);
 * - replications: a batch is a replication;
 * - a run of which only samples were simulated: slices stand for the time they
 *   were taken from. 12 windows and more are judged by their successive
 *   differences, fewer by their slices within each stratum. Percentiles invert the interval of the
 *   distribution function (Woodruff 1952).
 * Not here: bias (a start that is not steady), see docs/statistics.md.
 * Invariant: slices lie in order of time; equal slices give equal intervals.
 */
#ifndef HCI_BATCH_H
#define HCI_BATCH_H

#include "sim_hist.h"
#include "sim_stat.h"
#include "sim_types.h"

enum hci_lat { HCI_CLAT, HCI_LAT, HCI_LATS };
enum hci_batch_kind { HCI_BATCH_TIME, HCI_BATCH_REPS, HCI_BATCH_SAMPLED };

#define HCI_FEW_WINDOWS 12   /* so many and more are the units of a sampled run */
#define HCI_LEVEL       0.95 /* of every interval */

struct hci_bin {
    uint32_t bin, n;
};

struct hci_slice { /* one direction over a stretch of time */
    uint64_t ns, ios;
    uint64_t sum[HCI_LATS]; /* ns */
    unsigned nbins[HCI_LATS];
    struct hci_bin *bins[HCI_LATS]; /* not empty, ascending; owned */
    uint32_t window;                /* stretches of one window were simulated without a gap */
    uint32_t stratum;               /* windows of one stratum met the system in like state */
    double weight;                  /* time it stands for over its own; 1: only itself */
};

struct hci_batches {
    int kind; /* enum hci_batch_kind */
    unsigned n;
    struct hci_slice *slice;
};

/* What was recorded since `before` (all zero: since ever), which is brought up
 * to `now`. Sets ns, ios, sum and bins. */
void hci_slice_cut(struct hci_slice *out, uint64_t ns, struct sim_hist *const before[HCI_LATS],
                   const struct sim_hist *const now[HCI_LATS], const uint64_t sum[HCI_LATS]);

/* into += from, which is emptied; from comes right after into. */
void hci_slice_join(struct hci_slice *into, struct hci_slice *from);
void hci_slice_clear(struct hci_slice *s);
void hci_batches_clear(struct hci_batches *b);

/* Adds the I/Os of another direction over the same time, slice by slice; from is
 * copied. Without slices of its own into becomes a copy. When slices do not lie
 * alike, into ends up empty: nothing can be said of both together. */
void hci_batches_overlay(struct hci_batches *into, const struct hci_batches *from);

/* I/Os per second of measured time. */
struct sim_interval hci_batches_iops(const struct hci_batches *b);
/* Mean latency, ns. */
struct sim_interval hci_batches_mean(const struct hci_batches *b, enum hci_lat which);
/* Percentiles pct[n], each in (0, 100), ns; merged is the direction's histogram. */
void hci_batches_percentiles(const struct hci_batches *b, enum hci_lat which,
                             const struct sim_hist *merged, const double *pct, unsigned n,
                             struct sim_interval *out);

/* Percentile pct of one slice, ns; 0 when it is empty. */
double hci_slice_percentile(const struct hci_slice *s, enum hci_lat which, double pct);

/* Half of the interval over the estimate; infinite where there is none. */
double hci_relative(const struct sim_interval *i);

/* A word for each doubt, separated by commas; "" when there is none. Returns buf. */
const char *hci_doubts(unsigned doubts, char *buf, size_t size);

#endif
