/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fio_iolog.h: reads the trace a job names (hci_iolog.h).
 */
#ifndef FIO_IOLOG_H
#define FIO_IOLOG_H

#include "fio_files.h"

/* Reads job->read_iolog once for all clones of the section, names its files in
 * `all` and raises their sizes; notes how many lines were read, used and
 * skipped. False after a complaint: no such file, another format, no I/O. */
bool hci_fio_iolog_assign(struct hci_fio_files *all, struct hci_fio_setting *s,
                          struct hci_job *job);

#endif
