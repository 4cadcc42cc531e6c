/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_pace.h: when a job may issue its next I/O: rates and think time.
 *
 * Modelled, as fio's inline submission does it: a rate is an absolute schedule
 * per clone and direction that starts with the job and again at the end of its
 * ramp, so a stall is followed by a burst that catches up; before it waits, the
 * job drains its queue; a mixed job that is ahead in one direction goes on in
 * the other. Poisson gaps are whole us, as fio's. Think time: after so many
 * I/Os (or so much time) drain, then pause. A minimum rate is judged over each
 * rate_cycle from the second second on.
 * Not modelled: io_submit_mode=offload.
 * Invariants: allocates nothing; equal (job, key, calls) give equal answers.
 */
#ifndef HCI_PACE_H
#define HCI_PACE_H

#include "hci_job.h"
#include "hci_request.h"

enum hci_pace_answer {
    HCI_PACE_GO,    /* issue now */
    HCI_PACE_DRAIN, /* ask again when nothing is in flight */
    HCI_PACE_REST   /* ask again at hci_pace.until */
};

struct hci_pace {
    const struct hci_job *job;
    bool rated, thinks;
    bool ask_think, think_due; /* an I/O went out since the last look; a pause must come */
    unsigned last_op;
    uint64_t key;
    sim_time spin;                   /* with a pause: what of it spins; the reader clears it */
    sim_time epoch, until, deadline; /* of the schedule; of the rest; of the job */
    sim_time next[HCI_DDIRS];        /* schedule, from epoch */
    sim_time shift[HCI_DDIRS];       /* of the schedule, for pauses it ignores */
    uint64_t done[HCI_DDIRS];        /* bytes or I/Os that count on the schedule */
    uint64_t issued, completed;      /* I/Os */
    uint64_t thought;                /* the count at the last pause */
    sim_time last_thought, start;
    struct {
        uint64_t bytes, ios, seen_bytes, seen_ios; /* so far; at the last look */
        sim_time seen;
    } low[HCI_DDIRS];                /* for the minimum rate */
};

/* deadline: no rest goes beyond it; SIM_NEVER: none. key: of Poisson draws. */
void hci_pace_init(struct hci_pace *p, const struct hci_job *job, uint64_t key, sim_time now,
                   sim_time deadline);

/* The schedule starts anew (the ramp is over). */
void hci_pace_restart(struct hci_pace *p, sim_time now);

/* May an I/O of direction *op (HCI_READ...HCI_TRIM) go out now, with in_flight
 * under way? either: the job mixes freely, so *op may be changed to the other
 * of read and write. Sets until with HCI_PACE_REST. */
int hci_pace_ask(struct hci_pace *p, sim_time now, unsigned in_flight, bool either, unsigned *op);

/* An I/O went out. */
void hci_pace_issued(struct hci_pace *p, unsigned op, uint64_t bytes);

/* One came back; false: the minimum rate is not met, why says how. */
bool hci_pace_completed(struct hci_pace *p, sim_time now, unsigned op, uint64_t bytes, char *why,
                        size_t size);

/* -ln(draw / 2^64) in units of 2^-32, by integers alone. */
uint64_t hci_pace_minus_ln(uint64_t draw);

#endif
