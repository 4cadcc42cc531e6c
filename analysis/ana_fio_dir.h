/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_fio_dir.h: a folder of fio results, as HCIBench leaves it.
 *
 * Each *.json file of the folder is one guest's result (documents one behind
 * the other: the last complete one counts); its jobs get the file's name as
 * their host. Lines of *-res.txt become notes: HCIBench's own summary averages
 * latencies over guests without weights, so nothing is taken from it.
 * Not read: folders inside, other files. JSON files that hold no result of fio
 * are skipped with a note.
 */
#ifndef ANA_FIO_DIR_H
#define ANA_FIO_DIR_H

#include "ana_fio_read.h"

#define ANA_FIO_DIR_FILES 4096 /* most files of one folder */

/* Like ana_fio_read; a guest's file that is cut off gives a note and its
 * complete jobs. SIM_E_INPUT when no file holds a job. */
int ana_fio_read_dir(struct ana_measured **out, const char *path, struct sim_err *e);

#endif
