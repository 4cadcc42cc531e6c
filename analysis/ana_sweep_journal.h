/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_journal.h: finished points, safe against being killed.
 *
 * An append-only file: a head with the sweep's plan (everything its results
 * depend on), then one checksummed record a point, in the order they finish.
 * A record that is cut off or damaged, and what follows it, counts as never
 * written. The final files are built from it in the order of the points.
 * Not here: what a plan or a record holds; surviving a power failure (nothing
 * is synced before the end).
 * Invariants: a point is taken once, the first time; one process writes a
 * journal at a time (locked); memory is 8 bytes a point.
 */
#ifndef ANA_SWEEP_JOURNAL_H
#define ANA_SWEEP_JOURNAL_H

#include "sim_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ana_journal_mode {
    ANA_JOURNAL_NEW,    /* must not exist, or hold nothing */
    ANA_JOURNAL_RESUME, /* continues one of the same plan; a missing one is new */
    ANA_JOURNAL_READ    /* any plan; read only */
};

struct ana_journal {
    int fd;
    char *path;          /* NULL: a nameless temporary file */
    uint64_t npoints, ndone, end;
    uint64_t *at;        /* by point: offset of its record, 0: not there */
    unsigned char *plan; /* as in the head */
    size_t plan_bytes;
    uint64_t dropped;    /* bytes of a damaged tail that were cut off */
    unsigned char *buf;  /* of the record read last */
    size_t buf_bytes;
};

/* Opens path (NULL: a temporary file) for points 0..npoints-1. With
 * ANA_JOURNAL_READ plan and npoints are not looked at: what the head says is in
 * *j, and the caller follows with ana_journal_scan. SIM_OK, SIM_E_INPUT (there
 * is one already; another plan; no journal; in use) or SIM_E_IO. */
int ana_journal_open(struct ana_journal *j, const char *path, int mode, const void *plan,
                     size_t plan_bytes, uint64_t npoints, struct sim_err *e);

/* Finds the records of a journal opened with ANA_JOURNAL_READ. */
int ana_journal_scan(struct ana_journal *j, uint64_t npoints, struct sim_err *e);

bool ana_journal_has(const struct ana_journal *j, uint64_t point);

/* Appends the record of a point; one that is there already is left as it is. */
int ana_journal_append(struct ana_journal *j, uint64_t point, const void *data, size_t n,
                       struct sim_err *e);

/* The record of a point that is there; the bytes live until the next call. */
int ana_journal_get(struct ana_journal *j, uint64_t point, const unsigned char **data, size_t *n,
                    struct sim_err *e);

/* Closes; removes the file when `remove` is set. */
void ana_journal_close(struct ana_journal *j, bool remove);

/* 64-bit hash of n bytes, as records and plans are checked with. */
uint64_t ana_hash(const void *data, size_t n);

#endif
