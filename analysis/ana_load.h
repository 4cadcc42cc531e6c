/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_load.h: a result file of any kind, simulated or measured, in one form.
 *
 * Read: fio's JSON, our JSON and our HDF5; the latter through our own JSON, so
 * both files of one run give the same figures. Entries that fio wrote per clone
 * of one job are merged: rates add up, latencies are pooled bin by bin.
 * Invariant: after loading, job names are distinct within a group and host set.
 */
#ifndef ANA_LOAD_H
#define ANA_LOAD_H

#include "ana_fio_read.h"
#include "hci_result.h"

/* Loads path, told apart by its first bytes. Like ana_fio_read, a file cut off
 * in the middle gives SIM_E_INPUT with its complete jobs in *out. */
int ana_load(struct ana_measured **out, const char *path, struct sim_err *e);

/* A result in memory in the same form; name is for messages. */
int ana_load_result(struct ana_measured **out, const struct hci_result *r, const char *name,
                    struct sim_err *e);

/* Merges entries of one name and group into the first. SIM_OK or SIM_E_IO
 * (memory). */
int ana_merge_clones(struct ana_measured *m, struct sim_err *e);

#endif
