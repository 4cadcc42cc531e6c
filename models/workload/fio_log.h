/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fio_log.h: memory, complaints and notes of one job-file parse.
 *
 * A parse owns one pool; everything a job file leaves behind lives in it and
 * goes with it. Complaints are collected, not printed, so that all mistakes of
 * a section can be shown at once, HCI_FIO_MAX_ERRORS of them at the most. Equal notes are kept once.
 * Invariants: a pool that ran out of memory stays failed, and hands out NULL.
 */
#ifndef FIO_LOG_H
#define FIO_LOG_H

#include "sim_err.h"
#include "sim_types.h"

#define HCI_FIO_MAX_ERRORS 64
#define HCI_FIO_MAX_NOTES 256
#define HCI_FIO_NOTE_LEN 256

struct hci_fio_pool {
    struct hci_fio_block *head; /* newest block */
    size_t used, size;          /* of the newest block */
    bool failed;                /* memory ran out */
};

/* Zeroed memory for n bytes, aligned for anything; NULL when memory is out. */
void *hci_fio_alloc(struct hci_fio_pool *pool, size_t n);

/* A copy of the first n bytes of s, terminated. */
char *hci_fio_strndup(struct hci_fio_pool *pool, const char *s, size_t n);
char *hci_fio_strdup(struct hci_fio_pool *pool, const char *s);
void hci_fio_pool_free(struct hci_fio_pool *pool);

struct hci_fio_log {
    struct sim_err first;     /* the first complaint */
    char *errors;             /* malloc'd: one "file:line: text" per line */
    size_t errors_len, errors_size;
    unsigned nerrors, nnotes;
    char (*notes)[HCI_FIO_NOTE_LEN]; /* malloc'd */
};

/* Adds a complaint at file:line (line 0: about the whole file). */
void hci_fio_error(struct hci_fio_log *log, const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds a note unless it is known already. file NULL: no place. */
void hci_fio_note(struct hci_fio_log *log, const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Frees errors and notes unless they were handed on (set to NULL). */
void hci_fio_log_free(struct hci_fio_log *log);

/* Text for a message: control bytes become '?', at most 60 characters. Returns buf. */
const char *hci_fio_printable(const char *s, char buf[64]);

#endif
