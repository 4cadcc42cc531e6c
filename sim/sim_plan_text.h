/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_plan_text.h: a plan as text, one line a step.
 *
 * Indented as the steps nest: a par by its branches, a split by one fragment's
 * steps, a decision by every alternative under its condition. Each line holds
 * the verb, where it goes, the mean time it takes alone and the part the time is
 * booked to; where a station is occupied longer than the I/O stays (or by more
 * than one unit) that time stands beside its name. Equal plans give equal bytes.
 */
#ifndef SIM_PLAN_TEXT_H
#define SIM_PLAN_TEXT_H

#include "sim_tree.h"

#include <stdio.h>

/* part_name may be NULL. indent: columns before the outermost step. Write errors
 * stay in the stream. */
void sim_plan_text(FILE *f, const struct sim_tree *t, const char *(*part_name)(unsigned part),
                   unsigned indent);

/* "visit", "par", ... as printed. */
const char *sim_verb_name(unsigned verb);

#endif
