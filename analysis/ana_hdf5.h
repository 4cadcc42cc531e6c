/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_hdf5.h: a result as an HDF5 file, schema hcisim-result/1.
 *
 * docs/output.md describes every dataset and attribute. The file is built in
 * memory and written in one go: to a temporary name that is renamed over
 * path, or straight into path when that is no regular file (a device, a
 * pipe). A killed or failed run leaves the old file or none.
 * Invariants: everything that may differ between equal runs (version, command
 * line, date, host, processor time) is in /provenance; object times are off.
 */
#ifndef ANA_HDF5_H
#define ANA_HDF5_H

#include "hci_result.h"
#include "sim_err.h"
#include "sim_types.h"

#define ANA_HDF5_SCHEMA "hcisim-result/1"

/* Returns SIM_OK, or SIM_E_IO with *e naming path and the reason. */
int ana_hdf5_write(const char *path, const struct hci_result *r, struct sim_err *e);

/* True when the file at path begins as HDF5 files do. */
bool ana_hdf5_is(const char *path);

/* Reads a file of this schema back (ana_hdf5_read.c). What the file does not
 * hold stays 0: bw_s and iops_s. Sums
 * of moments are rebuilt from mean and deviation. The jobs' options are parsed
 * from the stored job file; job is NULL where that fails. Free *out with
 * ana_hdf5_free. SIM_E_IO when the file cannot be read, SIM_E_INPUT when it is
 * not of this schema or damaged. */
int ana_hdf5_read(struct hci_result **out, const char *path, struct sim_err *e);
void ana_hdf5_free(struct hci_result *r);

#endif
