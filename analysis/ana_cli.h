/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_cli.h: what every verb of the command shares.
 *
 * Errors on stderr are one line each: "hcisim: file:line: text". Command lines
 * are parsed by argp behind a check that turns each mistake into one such line
 * with the nearest valid option.
 * Not here: the verbs themselves (ana_verbs.h lists them).
 */
#ifndef ANA_CLI_H
#define ANA_CLI_H

#include "sim_err.h"

#include <argp.h>
#include <stdio.h>

/* Prints e on f as one line and returns e->code. */
int ana_err_print(FILE *f, const struct sim_err *e);

/* argp_parse with one-line errors: an option that does not exist or lacks its
 * argument ends in SIM_E_INPUT with the nearest name in *e. Only the options of
 * a itself are known (no children). --help, --usage and --version exit 0.
 * Returns SIM_OK, or the code the parser left in *e. */
int ana_parse(const struct argp *a, int argc, char **argv, void *input, struct sim_err *e);

/* Of the n names the nearest to word, NULL when none is near (hci_nearest). */
const char *ana_nearest(const char *word, const char *const *names, unsigned n);

/* A decimal number with nothing around it, at most max. False if it is not. */
int ana_parse_u64(const char *text, unsigned long long max, unsigned long long *out);

/* The argument of --precision, percent from 0.1 to 50 or 0 (off), as a share.
 * SIM_OK or SIM_E_INPUT. */
int ana_parse_precision(const char *word, double *share, struct sim_err *e);

#endif
