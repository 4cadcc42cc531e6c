/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_logs.h: what fio's bw, iops, latency and histogram logs need.
 *
 * One struct hci_logs follows one job clone, if its job asks for a log; two or
 * three, one behind the other, where bandwidth or IOPS are averaged over another
 * window than latencies (bwavgtime, iopsavgtime). Without a window every read,
 * write and trim is kept; with one the sums of each, whose ends are exact multiples of the window (fio's are late by up
 * to one I/O). Histograms hold the completion latencies of full windows.
 * Not here: file names and text (the output's business); flushes, which fio
 * does not log either.
 * Invariants: entries ascend in time; nothing is kept before the ramp's end;
 * all logs of a run together hold at most HCI_LOG_ROOM entries (then `full` is
 * set and the rest is left out).
 */
#ifndef HCI_LOGS_H
#define HCI_LOGS_H

#include "hci_cluster.h"
#include "sim_hist.h"
#include "workload/hci_job.h"

#define HCI_LOG_ROOM (8u << 20) /* entries of 48 bytes; a histogram counts by its bins */

struct hci_log_entry { /* one I/O, or the I/Os of one direction in one window */
    uint64_t when_ns;  /* from the log's start: completion, or end of the window */
    uint64_t lat_ns, clat_ns; /* of a window: mean, or largest with log_max_value */
    uint64_t bytes;
    uint64_t offset;   /* in its file; 0 for a window */
    uint32_t slat_ns;  /* saturates */
    uint32_t ios : 30, dir : 2; /* dir: HCI_DIR_READ, HCI_DIR_WRITE, HCI_DIR_TRIM */
};

struct hci_log_hist { /* completion latencies of one direction in one window */
    uint64_t when_ns, bytes; /* bytes: largest block of the job in this direction */
    unsigned dir, nbins;
    struct hci_log_bin {
        uint32_t bin, count; /* bins of sim_hist.h, ascending */
    } * bins;
};

struct hci_log_window { /* a window under way */
    uint64_t end_ns, ios, bytes;
    uint64_t lat, clat, slat; /* sums, or maxima with log_max_value */
};

/* What a log is for; the rest is latencies and histograms. */
enum { HCI_LOG_BW = 1, HCI_LOG_IOPS = 2, HCI_LOG_REST = 4 };

struct hci_logs {
    struct hci_logs *next;    /* of the row */
    const struct hci_job *job;
    sim_time window_ns;       /* averaged over; 0: each I/O is kept */
    unsigned kinds;           /* HCI_LOG_BW, ...: what its entries are for */
    unsigned number;          /* of the clone in the run, from 1, as fio counts */
    bool begun, full;
    bool submits;             /* slat means something: not with synchronous engines */
    sim_time start, last;
    uint32_t *room;           /* entries the run may still keep */
    unsigned nentries, cap_entries, nhists, cap_hists;
    struct hci_log_entry *entries;
    struct hci_log_hist *hists;
    struct hci_log_window open[HCI_DDIRS];
    struct hci_log_window hist_open[HCI_DDIRS]; /* end_ns and ios alone */
    struct sim_hist *hist;    /* [HCI_DDIRS]; NULL: no histogram log */
};

/* Does the job ask for any log? */
bool hci_logs_wanted(const struct hci_job *job);

/* The new logs of one clone, put at the end of *list, the first is returned; NULL
 * when the job wants none. *room outlives the recording. */
struct hci_logs *hci_logs_add(struct hci_logs **list, const struct hci_job *job, unsigned number,
                              uint32_t *room);

/* The measured window begins now. l may be NULL, here and below. */
void hci_logs_begin(struct hci_logs *l, sim_time now);

/* io, of direction dir, completed now; file_base[f] is where file f lies. */
void hci_logs_record(struct hci_logs *l, unsigned dir, struct sim_io *io,
                     const uint64_t *file_base, sim_time now);

/* Closes the windows under way of every log of the list. */
void hci_logs_close(struct hci_logs *list);

void hci_logs_free(struct hci_logs *list);

#endif
