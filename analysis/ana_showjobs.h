/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_showjobs.h: the verb jobs: what a job file comes to.
 *
 * Reads job files with all checks, prints the effective jobs as a job file
 * (one section a clone) and the notes; nothing is simulated. Options that
 * cannot be simulated yet are notes here, as the file may be meant for fio.
 */
#ifndef ANA_SHOWJOBS_H
#define ANA_SHOWJOBS_H

/* argv[0] names the command. Returns SIM_OK, SIM_E_INPUT with every complaint
 * on stderr, or SIM_E_IO. */
int ana_showjobs_main(int argc, char **argv);

#endif
