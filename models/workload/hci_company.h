/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_company.h: what clones do to each other: flow and exitall.
 *
 * Modelled: clones of one guest with one flow_id keep their I/O counts in the
 * ratio of their flow= weights; who is ahead waits until another issues (or
 * drains and sleeps flow_sleep). exitall in any job: who ends first ends the
 * others exit_what names; those that have not started yet start and end at once.
 * Invariant: a clone held by a flow is woken when any other of the flow issues
 * or leaves.
 */
#ifndef HCI_COMPANY_H
#define HCI_COMPANY_H

#include "workload/hci_runner.h"

struct hci_flow {
    unsigned id, guest;
    uint64_t count, weight; /* I/Os let through, from 1; of the clones that run */
    unsigned held;          /* clones that wait */
};

/* A flow for every pair of guest and flow_id in use. */
void hci_company_init(struct hci_runner *r);
void hci_company_join(struct hci_clone *k); /* it starts */
void hci_company_left(struct hci_clone *k); /* it is done */

/* May the clone issue as far as its flow goes? Counts it, once an I/O. */
bool hci_company_pass(struct hci_clone *k);

#endif
