/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_gate.h: counted tokens: a device's queue depth, space in a buffer, a lock.
 *
 * take(n) waits, first come first served, until n are there; give(n) returns
 * them and lets waiters through in order. Waiting time is booked to the part of
 * the take step.
 * Invariant: 0 <= level <= capacity; a waiter is only passed over by nobody.
 */
#ifndef SIM_GATE_H
#define SIM_GATE_H

#include "sim_types.h"

struct sim;
struct sim_token;

struct sim_gate {
    uint64_t level, capacity;
    struct sim_token *head, *tail; /* waiting, oldest first */
    uint32_t waiting;
    sim_time last;      /* when `waiting` or level last changed */
    uint64_t area;      /* integral of waiting, ns */
    uint64_t passed;    /* takes granted */
    uint64_t wait;      /* ns waited by those granted */
    unsigned __int128 used_area; /* integral of capacity - level, count x ns */
    char name[96];
    int node;
};

/* Adds a full gate and returns its handle. capacity > 0. */
uint32_t sim_add_gate(struct sim *s, const char *name, int node, uint64_t capacity);

/* take without waiting: true when granted. For model code inside call(). */
bool sim_gate_try(struct sim *s, uint32_t gate, uint64_t n);
/* give from model code. */
void sim_gate_give(struct sim *s, uint32_t gate, uint64_t n);

/* Copies all gates with their books brought up to now into out[ngates]. */
void sim_gate_snapshot(const struct sim *s, struct sim_gate *out);

#endif
