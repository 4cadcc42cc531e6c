/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_source.h: which I/O a job clone issues next.
 *
 * Modelled: direction (rwmix by count), offsets (sequential, random map, LFSR,
 * zipf, pareto, normal, zoned, strided), block sizes, passes and wrap-around.
 * Where fio counts and draws as it goes, so does the source: bytes are issued
 * until io_size (default: size) x loops is reached or every file is used up,
 * whichever comes first; then the next loop begins.
 * Blocks of several sizes share a map in units of the smallest; an I/O that would
 * run into a touched block is cut there, as in fio. Such a map is kept, not
 * computed (hci_source_map); without one offsets are drawn with replacement.
 * Differences: rw=randread:N, percentage_random below 100 and strided zones of
 * several block sizes draw with replacement.
 * Not here: time. When to issue, depth, rates, think time and stop conditions
 * by time belong to the job runner.
 * Invariants: with a random map or LFSR each block is visited once a pass; the
 * state is a few hundred bytes whatever the range (a map of equal blocks is
 * computed by a permutation, never allocated); equal (job, clone, seed) give
 * equal requests.
 */
#ifndef HCI_SOURCE_H
#define HCI_SOURCE_H

#include "hci_job.h"
#include "hci_request.h"

struct hci_source;

/* file_bytes[i] is the size of job->files[i]; 0: as large as the job needs
 * (then the job must state a size). A region is cut at the end of its file.
 * job must outlive the source. Offsets depend on seed only with randrepeat=0.
 * Returns SIM_OK or SIM_E_INPUT ("size too small, must not be less than
 * minimum block size"). */
int hci_source_create(struct hci_source **out, const struct hci_job *job,
                      const uint64_t *file_bytes, uint64_t seed, struct sim_err *e);
void hci_source_free(struct hci_source *s);

/* Before the first request: makes the map of a source that needs to keep one, if
 * its blocks are not more than *room, which is lessened by them. False: it does
 * without. */
bool hci_source_map(struct hci_source *s, uint64_t *room);

/* Fills *rq (file = index into hci_jobfile.files). False: the job's I/O is
 * used up (io_size x loops, number_ios); never false for time_based jobs,
 * except on the idle engine (cpuio), which does no I/O. */
bool hci_source_next(struct hci_source *s, struct hci_request *rq);

/* The direction it will take. */
unsigned hci_source_next_op(const struct hci_source *s);

/* The same in a direction (HCI_READ, HCI_WRITE, HCI_TRIM) the caller chose, as
 * rates per direction need it. The job must use that direction. */
bool hci_source_next_dir(struct hci_source *s, unsigned op, struct hci_request *rq);

/* Bytes of the job's whole region, which one pass covers. */
uint64_t hci_source_span(const struct hci_source *s);

#endif
