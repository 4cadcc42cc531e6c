/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_inputs.h: every file a run was read from, so that no output replaces one.
 *
 * Known: the layout, what it includes, the products and the platform of the
 * catalogue, job files, what they include, traces. Not known: files that products
 * of the catalogue include.
 */
#ifndef ANA_INPUTS_H
#define ANA_INPUTS_H

#include "hci_layout.h"
#include "workload/hci_job.h"

struct ana_inputs {
    const char **name; /* borrowed from layout and jobs */
    unsigned n, max;
};

/* Adds those of a layout and of jobs; either may be NULL. */
void ana_inputs_add(struct ana_inputs *in, const struct hci_layout *lay,
                    const struct hci_jobfile *jobs);
/* Adds one more. */
void ana_inputs_name(struct ana_inputs *in, const char *name);
void ana_inputs_free(struct ana_inputs *in);

/* SIM_E_INPUT when path leads to one of them. */
int ana_inputs_refuse(const struct ana_inputs *in, const char *path, struct sim_err *e);

#endif
