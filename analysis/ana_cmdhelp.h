/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_cmdhelp.h: the verb cmdhelp: what each job-file option means here.
 *
 * Prints the option table of models/workload/: all names with one line each,
 * one option in full, or the whole table as the page docs/fio-options.md.
 * Invariant: nothing is said about an option that is not in its row.
 */
#ifndef ANA_CMDHELP_H
#define ANA_CMDHELP_H

/* argv[0] names the command. Returns SIM_OK, SIM_E_INPUT with one line on
 * stderr (no such option: the nearest), or SIM_E_IO. */
int ana_cmdhelp_main(int argc, char **argv);

#endif
