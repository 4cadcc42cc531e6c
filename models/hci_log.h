/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_log.h: what of a node's virtual disks lies in its write log, not yet drained.
 *
 * Modelled: which granules are undrained; the order in which extents became
 * dirty, which is the order they drain in; and coalescing: every append takes
 * log space, but a granule written again before its extent is drained drains
 * once. A write that covers part of a granule makes the whole granule undrained.
 * Picking an extent takes it out at once, all its granules with it: a later
 * append makes it dirty anew, at the end of the queue, while the first drain may
 * still be going on.
 * Not modelled: time, devices, replicas, admission (whether the log has room),
 * the log space of a drain under way (give picked logged_bytes back when the
 * drain ends), draining part of an extent. A read during a drain finds its
 * granules clean: remember the picked extent if it should still hit.
 *
 * Memory follows the most extents ever dirty at one time: 30 bytes each (220
 * where no neighbour is dirty) and 16 with a bit a granule, rounded up to 64 (of
 * 1 MiB and 4 KiB granules: 64). It never follows the size of the virtual disk;
 * any 64-bit offset is legal.
 *
 * Invariants: fill_bytes is the sum of logged_bytes over the extents in the
 * queue; an extent in the queue has a dirty granule; while appends are whole
 * granules, appended = coalesced + drained + dirty granules x granule_bytes.
 */
#ifndef HCI_LOG_H
#define HCI_LOG_H

#include "sim_types.h"

struct hci_log;

struct hci_log_extent {    /* as picked */
    uint64_t extent;       /* number on its virtual disk: offset / extent_bytes */
    uint64_t logged_bytes; /* appended to it since it became dirty */
    sim_time since_ns;     /* when it became dirty */
    uint32_t space;        /* virtual disk */
    uint32_t dirty;        /* undrained granules */
    uint32_t runs;         /* contiguous runs of them: the writes a drain issues */
};

struct hci_log_counts { /* bytes since creation */
    uint64_t appended_bytes;
    uint64_t coalesced_bytes; /* of them: onto granules already undrained */
    uint64_t drained_bytes;   /* dirty granules picked x granule_bytes */
};

/* granule_bytes > 0 and a divisor of extent_bytes, at most 2^21 granules an
 * extent; powers of two are fastest. NULL: out of range or no memory. */
struct hci_log *hci_log_create(uint64_t granule_bytes, uint64_t extent_bytes);
void hci_log_free(struct hci_log *l); /* NULL is fine */

/* Appends a write to virtual disk `space` at now_ns; offset + bytes must not
 * pass 2^64 - 1. Returns the granules that were clean before; 0 bytes do
 * nothing. */
uint64_t hci_log_append(struct hci_log *l, uint32_t space, uint64_t offset, uint64_t bytes,
                        sim_time now_ns);

/* Asks the memory for what an append there will touch; nothing else. For callers
 * who know their next appends: they wait for memory most of the time. */
void hci_log_prefetch(const struct hci_log *l, uint32_t space, uint64_t offset);

/* Is every granule, or any granule, of the range undrained? Of an empty range
 * every one is and none is. */
bool hci_log_has(const struct hci_log *l, uint32_t space, uint64_t offset, uint64_t bytes);
bool hci_log_any(const struct hci_log *l, uint32_t space, uint64_t offset, uint64_t bytes);

/* Takes the extent out that became dirty first and describes it in *out. False,
 * *out untouched, when the log is clean. */
bool hci_log_pick(struct hci_log *l, struct hci_log_extent *out);

sim_time hci_log_oldest(const struct hci_log *l);     /* its since_ns; SIM_NEVER when clean */
uint64_t hci_log_fill_bytes(const struct hci_log *l); /* logged bytes of extents in the queue */
uint64_t hci_log_extents(const struct hci_log *l);    /* extents in the queue */
const struct hci_log_counts *hci_log_counts(const struct hci_log *l);
uint64_t hci_log_bytes(const struct hci_log *l); /* of memory held */

#endif
