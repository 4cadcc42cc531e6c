/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_check.h: the verb check: what a layout becomes and what its rules say.
 *
 * Loads a layout, applies its platform's rules and prints findings, space per
 * disk and cluster totals as text, or as JSON (schema hcisim-check/1). Nothing
 * is simulated.
 * Invariant: both forms hold the same figures; sizes are exact bytes.
 */
#ifndef ANA_CHECK_H
#define ANA_CHECK_H

#include "hci_layout.h"

#include <stdio.h>

/* argv[0] names the command. Returns SIM_OK; SIM_E_NO when a rule refuses the
 * layout; SIM_E_INPUT or SIM_E_IO with one line on stderr. */
int ana_check_main(int argc, char **argv);

/* The two forms. Write errors stay in the stream. (ana_check_print.c) */
void ana_check_text(FILE *f, const struct hci_layout *lay, const struct hci_check *c);
void ana_check_json(FILE *f, const struct hci_layout *lay, const struct hci_check *c);

#endif
