/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_stats.h: what one row of the report records while its jobs run.
 *
 * A row is one reporting group or one job clone. Recording an I/O touches three
 * histograms, three sums and the breakdown bin of its latency; nothing is
 * allocated after a direction's first I/O.
 * Invariants: each histogram's n equals the moments' n; the breakdown of one
 * latency bin sums to the latencies recorded in it, to the nanosecond.
 */
#ifndef HCI_STATS_H
#define HCI_STATS_H

#include "hci_cluster.h"
#include "hci_result.h"

#define HCI_SPLIT_BINS (SIM_HIST_BINS / 4) /* 16 a octave */

struct hci_split { /* sums of one latency bin */
    uint64_t n;
    struct {
        uint64_t wait, service;
    } part[HCI_PART_COUNT];
};

struct hci_dir_stats {
    struct sim_hist clat, slat, lat;
    struct hci_moments clat_m, slat_m, lat_m;
    uint64_t bytes;
    struct hci_split *split; /* [HCI_SPLIT_BINS] */
    unsigned nintervals, cap_intervals;
    struct hci_interval *intervals;
};

struct hci_stats {
    struct hci_dir_stats *dir[HCI_DIRS]; /* NULL until used */
    sim_time start, interval_ns;
    uint64_t depth_hist[7];
    uint64_t in_flight;        /* of all the row's jobs */
    sim_time last_change;
    unsigned __int128 in_flight_area;
};

void hci_stats_fini(struct hci_stats *st);

/* Forgets all so far (the end of the ramp); intervals start at now. */
void hci_stats_reset(struct hci_stats *st, sim_time now);

/* An I/O issued: depth is the job's own in-flight count including it. */
void hci_stats_issue(struct hci_stats *st, sim_time now, unsigned depth);
/* An I/O that leaves without being recorded. */
void hci_stats_leave(struct hci_stats *st, sim_time now);
/* An I/O completed now, to be recorded. */
void hci_stats_record(struct hci_stats *st, unsigned dir, const struct sim_io *io,
                      const struct sim_token *t, uint64_t bytes, sim_time now);

/* Moves dir into the result; runtime_ns > 0 is the measured window. */
void hci_stats_result(const struct hci_stats *st, unsigned dir, sim_time runtime_ns,
                      struct hci_dir_result *out);

#endif
