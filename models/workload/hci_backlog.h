/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_backlog.h: when verify_backlog reads back while a job still writes.
 *
 * Modelled, as fio does it: whenever the writes not read back yet are a multiple
 * of verify_backlog, and what came back last is no read, verify_backlog_batch of
 * them (default: as many) are to be read, oldest first. One still in flight is
 * not waited for: the job goes on writing and looks again.
 * Not here: which blocks those are (the source written twice over, hci_turn.c)
 * and the read phase that deals with the rest.
 * Invariants: no more writes are known in flight than the job's depth; a job
 * without verify_backlog costs one comparison.
 */
#ifndef HCI_BACKLOG_H
#define HCI_BACKLOG_H

#include "hci_job.h"
#include "hci_request.h"

struct hci_backlog {
    uint64_t every, batch;   /* writes; every 0: no backlog */
    uint64_t left;           /* of the present batch, to be read back */
    bool read_last;          /* the last completion was a read */
    bool known;              /* `oldest` is set */
    struct hci_request oldest; /* write not read back yet */
    unsigned n, cap;
    uint64_t *flying;        /* [n] addresses of writes in flight; owned */
};

/* b is zeroed or was initialised before. */
void hci_backlog_init(struct hci_backlog *b, const struct hci_job *job);
void hci_backlog_fini(struct hci_backlog *b);

/* A write to address `at` goes out, or an I/O of direction op comes back. */
void hci_backlog_issued(struct hci_backlog *b, uint64_t at);
void hci_backlog_completed(struct hci_backlog *b, unsigned op, uint64_t at);

/* Is a batch due, with so many writes not read back yet? */
bool hci_backlog_due(struct hci_backlog *b, uint64_t writes);
/* Is a write to this address still in flight? */
bool hci_backlog_flies(const struct hci_backlog *b, uint64_t at);

#endif
