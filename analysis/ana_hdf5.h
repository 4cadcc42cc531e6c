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

#define ANA_HDF5_SCHEMA "hcisim-result/1"

/* Returns SIM_OK, or SIM_E_IO with *e naming path and the reason. */
int ana_hdf5_write(const char *path, const struct hci_result *r, struct sim_err *e);

#endif
