/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_iolog.h: a trace of I/Os to be replayed (read_iolog).
 *
 * Modelled: fio's text formats, version 2 ("file action offset length", pauses
 * as "file wait us 0") and version 3 (a time in us before each line). Every I/O
 * goes out at its time from the job's start, however long earlier ones take, as
 * long as fewer than iodepth are in flight; behind that it goes as soon as it
 * can. replay_time_scale=50 stretches times to twice; replay_no_stall drops them.
 * Not modelled: opening and closing files; binary blktrace files.
 * Invariants: entries are in order of time; memory is in proportion to the file.
 */
#ifndef HCI_IOLOG_H
#define HCI_IOLOG_H

#include "hci_request.h"
#include "sim_types.h"

struct hci_iolog_entry {
    sim_time at;     /* from the start, as the trace has it */
    uint64_t offset; /* in the file */
    uint32_t bytes;
    uint16_t file;   /* index into hci_jobfile.files */
    uint8_t op;      /* enum hci_op */
};

struct hci_iolog {
    uint64_t n, lines, skipped; /* I/Os; lines behind the first; of them not understood */
    const struct hci_iolog_entry *entries;
    unsigned nfiles;
    const unsigned *files;      /* indices into hci_jobfile.files */
};

#endif
