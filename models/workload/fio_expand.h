/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fio_expand.h: ${VARIABLE} and $keyword inside a line.
 *
 * ${X} is the environment's X or nothing. $pagesize is 4096; $ncpus and
 * $mb_memory are this machine's, as in fio, and are noted because they make a
 * job file mean different things on different machines. A value that had a
 * keyword and is an expression of + - * / ( ) over whole numbers is computed,
 * with division cut off; anything else stays text.
 */
#ifndef FIO_EXPAND_H
#define FIO_EXPAND_H

#include "fio_log.h"

/* The expanded line, from the pool (or line itself); NULL after a complaint. */
const char *hci_fio_expand(struct hci_fio_pool *pool, struct hci_fio_log *log, const char *file,
                           int line_no, const char *line);

#endif
