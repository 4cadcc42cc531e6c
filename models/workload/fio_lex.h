/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fio_lex.h: job files as a flat list of sections and settings.
 *
 * Done here: lines (at most 4095 bytes), comments (# and ; anywhere), blanks,
 * sections, ${VARIABLE} anywhere, $ncpus $pagesize $mb_memory with integer
 * arithmetic behind them, include. Not here: what a setting means.
 * Invariants: the whole input is bounded (HCI_FIO_MAX_TEXT bytes,
 * HCI_FIO_MAX_ITEMS settings, 16 levels of include); every item knows its file and line; a broken line costs one
 * complaint and reading goes on, except behind a NUL byte or an endless line.
 */
#ifndef FIO_LEX_H
#define FIO_LEX_H

#include "fio_log.h"

#define HCI_FIO_MAX_TEXT (16u << 20)
#define HCI_FIO_MAX_LINE 4095
#define HCI_FIO_MAX_ITEMS 1000000

enum hci_fio_item_kind { HCI_FIO_FILE, HCI_FIO_SECTION, HCI_FIO_SETTING };

struct hci_read_file; /* hci_job.h */

struct hci_fio_item {
    int kind, line;
    const char *file;
    char *name;  /* FILE: NULL */
    char *value; /* NULL: no "=" */
};

struct hci_fio_lexer {
    struct hci_fio_pool *pool;
    struct hci_fio_log *log;
    struct hci_fio_item *items; /* malloc'd */
    unsigned nitems, nitems_max;
    char *text;                 /* malloc'd: everything read, in order */
    size_t text_len;
    bool no_section;            /* no section seen yet in this file */
    unsigned depth, includes;   /* open now; read in all */
    struct {
        const char *file, *name; /* NULL: none */
        int line;
    } missing;                  /* an include that could not be opened; what follows decides */
    const char *open[16];       /* files being read, for include loops */
    const struct hci_read_file *read; /* list of all that were, from the pool */
};

/* Reads a job file ("-": standard input) and appends its items. Complaints go
 * to the log. */
void hci_fio_lex_file(struct hci_fio_lexer *lx, const char *path);

/* Appends one setting given as "name=value" or "name", as if it stood at
 * file:line. */
void hci_fio_lex_setting(struct hci_fio_lexer *lx, const char *file, int line, const char *text);

/* Frees items and text (unless text was taken: set to NULL). */
void hci_fio_lexer_free(struct hci_fio_lexer *lx);

#endif
