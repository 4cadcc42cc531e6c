/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fio_table.h: the two halves of the option table, for fio_lookup.c alone.
 *
 * fio_options.c holds the options with a meaning here, fio_inert.c those
 * without: no effect on storage, noted, refused, newer than 3.33, engines'.
 */
#ifndef FIO_TABLE_H
#define FIO_TABLE_H

#include "fio_options.h"

extern const struct hci_fio_option *const hci_fio_table_main, *const hci_fio_table_inert;
extern const unsigned hci_fio_table_nmain, hci_fio_table_ninert;

#endif
