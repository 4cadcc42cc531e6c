/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fio_check.h: what a section means once all its settings are known.
 *
 * Fills in the values that depend on others (block sizes, depth, alignment,
 * zones) and complains about combinations that fio would refuse at start, or
 * that cannot be simulated. Runs whether or not the job is going to run.
 */
#ifndef FIO_CHECK_H
#define FIO_CHECK_H

#include "fio_options.h"

/* s gives place, log and flags; s->conf is completed. */
void hci_fio_check(struct hci_fio_setting *s);

#endif
