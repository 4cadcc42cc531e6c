/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_stats.h: what one row of the report records while its jobs run.
 *
 * A row is one reporting group or one job clone. Recording an I/O touches three
 * histograms, three sums and the breakdown bin of its latency; nothing is
 * allocated after a direction's first I/O but slices, at most about 90, which
 * are cut by comparing with a copy and joined in pairs when they get too many.
 * Where part of the time is skipped (hci_skip.h) the window before it stands
 * for it: its record is added again, scaled to the I/Os skipped.
 * Invariants: each histogram's n equals the moments' n; the breakdown of one
 * latency bin sums to the latencies recorded in it, to the nanosecond; the time
 * integral of I/Os in flight equals what each spent in the measured time.
 */
#ifndef HCI_STATS_H
#define HCI_STATS_H

#include "hci_cluster.h"
#include "hci_result.h"

#define HCI_SPLIT_BINS (SIM_HIST_BINS / 4) /* 16 a octave */
#define HCI_FIRST_SLICE_NS (100 * SIM_US)  /* doubled as the run gets longer */
#define HCI_SLICES 90                      /* most, half of them after joining */

struct hci_split { /* sums of one latency bin */
    uint64_t n;
    struct {
        uint64_t wait, service;
    } part[HCI_PART_COUNT];
};

struct hci_record { /* of one direction */
    struct sim_hist clat, slat, lat;
    struct hci_moments clat_m, slat_m, lat_m;
    uint64_t bytes;
    struct hci_split *split; /* [HCI_SPLIT_BINS] */
};

struct hci_dir_stats {
    struct hci_record all;
    struct hci_record *mark, *extra;  /* at the window's start; of skipped time; NULL: none */
    struct sim_hist cut[HCI_LATS];    /* at the last slice's end */
    uint64_t cut_sum[HCI_LATS];
    struct hci_slice *slice;          /* [hci_stats.nslices], hci_stats.cap_slices long */
    uint64_t owed;                    /* skipped I/Os whose window had none to stand for them */
    unsigned nintervals, cap_intervals;
    struct hci_interval *intervals;
};

struct hci_stats {
    struct hci_dir_stats *dir[HCI_DIRS]; /* NULL until used */
    sim_time start, interval_ns;
    uint64_t depth_hist[7];
    uint64_t in_flight;        /* of all the row's jobs */
    sim_time last_change;
    unsigned __int128 in_flight_area, extra_area, mark_area;
    /* for the check of it */
    uint64_t issue_sum;        /* of the times at which those in flight were issued, mod 2^64 */
    unsigned __int128 age_at_start, left_sum;
    /* slices */
    sim_time slice_ns, slice_start, slice_end;
    unsigned nslices, cap_slices, most_slices;
    unsigned next_look;        /* slices there must be before precision is worked out again */
    bool fresh;                /* a slice ended; the reader clears it */
    bool interim;              /* a copy for an interim report: results leave it whole */
    /* skipping */
    sim_time skipped;          /* ns of the measured window so far */
    uint32_t window, stratum;
    sim_time window_start;
};

static inline void hci_moments_record(struct hci_moments *m, uint64_t v)
{
    m->n++;
    m->min = sim_min(m->min, v);
    m->max = sim_max(m->max, v);
    m->sum += v;
    m->sum2 += (unsigned __int128)v * v;
}

void hci_stats_fini(struct hci_stats *st);

/* Forgets all so far (the end of the ramp); intervals start at now. */
void hci_stats_reset(struct hci_stats *st, sim_time now);

/* An I/O issued: depth is the job's own in-flight count including it. */
void hci_stats_issue(struct hci_stats *st, sim_time now, unsigned depth);
/* An I/O issued then leaves without being recorded. */
void hci_stats_leave(struct hci_stats *st, sim_time issued, sim_time now);
/* An I/O completed now, to be recorded. */
void hci_stats_record(struct hci_stats *st, unsigned dir, const struct sim_io *io,
                      const struct sim_token *t, uint64_t bytes, sim_time now);

/* Whether the integral of I/Os in flight up to now is what they spent. */
bool hci_stats_balance(const struct hci_stats *st, sim_time now);

/* A window begins: what follows may stand for time that will be skipped. */
void hci_stats_window(struct hci_stats *st, sim_time now, bool new_stratum);
/* I/Os recorded since the window began. */
uint64_t hci_stats_window_ios(const struct hci_stats *st, unsigned dir);
/* ns were skipped in which ios[dir] I/Os would have moved bytes[dir]. */
void hci_stats_skip(struct hci_stats *st, sim_time now, sim_time ns, const uint64_t ios[HCI_DIRS],
                    const uint64_t bytes[HCI_DIRS]);
/* Widest relative half-width of mean and p99 over the directions, if the present
 * window stands for `weight` times its own time; infinite while the stratum's
 * slices are too few, or only a few more than when it was last asked for (the
 * answer costs more than a slice). */
double hci_stats_precision(struct hci_stats *st, double weight);
/* The same of the present window by itself; infinite for fewer than ten slices. */
double hci_stats_window_precision(const struct hci_stats *st);

/* Shared by hci_stats.c and hci_stats_skip.c: a direction, made when it is first
 * used; the interval of the series `since` ns after its start; a slice's end. */
struct hci_dir_stats *hci_stats_dir(struct hci_stats *st, unsigned dir);
struct hci_interval *hci_stats_interval(struct hci_stats *st, struct hci_dir_stats *d,
                                        sim_time since);
void hci_stats_cut(struct hci_stats *st, sim_time at);

/* Moves dir into the result; runtime_ns > 0 is the measured window with what of
 * it was skipped. Takes the slices away. */
void hci_stats_result(struct hci_stats *st, unsigned dir, sim_time runtime_ns,
                      struct hci_dir_result *out);

#endif
