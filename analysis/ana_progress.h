/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_progress.h: how far a run is, and Ctrl-C.
 *
 * One line on stderr, rewritten at most five times a second when stderr is a
 * terminal, with the job, the share done, I/Os, simulated time and the time
 * left if the rest goes as the start did. With eta=always and no terminal it
 * is a new line once a second. NO_COLOR and TERM=dumb switch escapes off.
 * The first SIGINT asks the run to stop and keep what is finished; the second
 * ends the program as usual.
 * Not here: anything on stdout, anything that changes a result.
 * Invariant: nothing is written when it is off; the line never wraps.
 */
#ifndef ANA_PROGRESS_H
#define ANA_PROGRESS_H

#include "hci_run.h"

#include <stdio.h>

enum ana_eta { ANA_ETA_AUTO, ANA_ETA_ALWAYS, ANA_ETA_NEVER };

struct ana_progress {
    FILE *out;
    bool on, terminal, colour, shown;
    double started_s, last_s; /* monotonic clock */
};

/* eta: enum ana_eta. Starts the clock. */
void ana_progress_init(struct ana_progress *p, FILE *out, int eta);

/* For hci_run_opts.progress, with a struct ana_progress as ctx. */
void ana_progress_show(void *ctx, const struct hci_progress *now);

/* Takes the line off the terminal. */
void ana_progress_clear(struct ana_progress *p);

/* The line's text, at most columns - 1 wide and size - 1 bytes, no escapes.
 * elapsed_s: since the start. Returns its length in bytes. */
size_t ana_progress_text(char *buf, size_t size, const struct hci_progress *now, double elapsed_s,
                         unsigned columns);

/* Installs the SIGINT handler; returns the flag it sets. */
const volatile int *ana_interrupt_watch(void);

#endif
