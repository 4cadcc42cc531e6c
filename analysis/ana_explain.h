/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_explain.h: the verb explain: one I/O as a tree of steps, and its bounds.
 *
 * Prints, per kind of I/O asked for, every step with the mean time it takes on an
 * idle cluster, every alternative of a decision under its condition, and per
 * alternative the time alone and what each station allows; then the platform's
 * background I/O. As text or as JSON (schema hcisim-explain/1). Nothing is
 * simulated.
 * Invariant: both forms hold the same figures; equal layouts give equal bytes.
 */
#ifndef ANA_EXPLAIN_H
#define ANA_EXPLAIN_H

#include "hci_explain.h"

#include <stdio.h>

#define ANA_EXPLAIN_ROWS 6 /* stations shown per alternative */

/* What a plan is a plan of; background I/O has no depth and no name of its own. */
struct ana_subject {
    const char *io; /* "randwrite 4 KiB" */
    uint64_t bytes; /* 0: no bandwidth to speak of */
    uint64_t depth; /* 0: background */
};

/* argv[0] names the command. Returns SIM_OK, or SIM_E_INPUT or SIM_E_IO with one
 * line on stderr. */
int ana_explain_main(int argc, char **argv);

/* ana_explain_text.c, ana_explain_json.c. Write errors stay in the stream. */
void ana_explain_text_open(FILE *f, const struct hci_layout *lay);
void ana_explain_text(FILE *f, const struct hci_explained *x, const struct ana_subject *of);
void ana_explain_text_close(FILE *f);

struct ana_emit;
void ana_explain_json(struct ana_emit *o, const struct hci_explained *x,
                      const struct ana_subject *of);

#endif
