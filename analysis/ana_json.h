/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_json.h: a result as fio's JSON.
 *
 * Modelled: the keys, their order, units and layout of fio 3.33 (json and
 * json+), so that tools that read fio's output read this; one more top-level
 * object "simulator" with what a real fio cannot know. Each modelled device
 * appears in "disk_util". What is not simulated (processor use, context
 * switches, page faults, submit and complete batches, merges) is 0.
 * Invariants: valid JSON whatever bytes a name holds (bad UTF-8 becomes
 * U+FFFD, NaN and infinities 0); equal results give equal bytes unless a
 * clock is asked for.
 */
#ifndef ANA_JSON_H
#define ANA_JSON_H

#include <stdio.h>

#include "hci_result.h"
#include "sim_err.h"

enum ana_json_flags {
    ANA_JSON_PLUS = 1, /* "bins" in each latency object, as json+ */
    ANA_JSON_CLOCK = 2 /* time of day in the time stamps; otherwise 1970, so equal runs
                          print equal bytes */
};

/* Writes one document and a newline, and flushes. Returns SIM_OK, or SIM_E_IO
 * when f could not take it (e may be NULL). */
int ana_json_write(FILE *f, const struct hci_result *r, unsigned flags, struct sim_err *e);

#endif
