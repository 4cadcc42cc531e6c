/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_json_sim.h: the parts of the JSON result that are about the model.
 *
 * "simulator": what was run (layout, seed, counts, hash) and, per job, the
 * bottleneck, bound, breakdown, stations, state and warnings. "disk_util":
 * every station of kind "units", that is every modelled device, over all jobs.
 * Invariant: what a result does not tell is left out or 0, never guessed.
 */
#ifndef ANA_JSON_SIM_H
#define ANA_JSON_SIM_H

#include "ana_emit.h"
#include "hci_result.h"

void ana_json_simulator(struct ana_emit *o, const struct hci_result *r);

void ana_json_disk_util(struct ana_emit *o, const struct hci_result *r);

#endif
