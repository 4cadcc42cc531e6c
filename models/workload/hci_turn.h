/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_turn.h: whose turn it is: between the runner, which issues, and the rooms
 * that decide whether a clone may (hci_pace.h, hci_depth.h) or must stop.
 *
 * Invariant: a clone that may not issue is asked again, by a completion or by a
 * timer set here.
 */
#ifndef HCI_TURN_H
#define HCI_TURN_H

#include "workload/hci_runner.h"

/* The clone starts now; its deadline is set. */
void hci_turn_begin(struct hci_clone *k);

/* May the clone issue now, and in which direction? */
bool hci_turn_ask(struct hci_clone *k, unsigned *op);

/* Its next I/O, in the direction hci_turn_ask gave. False: it has none left. */
bool hci_turn_take(struct hci_clone *k, unsigned op, struct hci_request *rq);

/* Does the job read back what it wrote? */
bool hci_turn_verifies(const struct hci_job *job);
/* Begins the read phase, if one is due; false: the clone is done. */
bool hci_turn_verify(struct hci_clone *k);

/* A read, write or trim is back; hci_depth.h knows already. */
void hci_turn_completed(struct hci_clone *k, const struct sim_io *io,
                        const struct hci_request *rq);

/* The clone ends with this errno once its I/Os are back; its row says why. */
void hci_turn_fail(struct hci_clone *k, int error, const char *why);

/* The clone is asked again in ns. */
void hci_turn_wake(struct hci_clone *k, sim_time ns);

/* The clone ends without more I/O, if need be when it starts. */
void hci_turn_end(struct hci_clone *k);

/* hci_runner.c: starts it, if start_at is now and it has not started. */
void hci_clone_start(struct sim *s, void *ctx);
/* hci_runner.c: issues what may be issued; ends the clone when all is back. */
void hci_clone_advance(struct hci_clone *k);

#endif
