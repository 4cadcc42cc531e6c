/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_queue.h"

#include <stdlib.h>

/* Strictly earlier in the full order. */
static bool before(const struct sim_queue *q, uint32_t a, uint32_t b)
{
    uint64_t ta = q->time[q->cap + a], tb = q->time[q->cap + b];
    if (ta != tb)
        return ta < tb;
    const struct sim_event *ea = &q->event[a], *eb = &q->event[b];
    return ea->tie != eb->tie ? ea->tie < eb->tie : ea->seq < eb->seq;
}

void sim_queue_replay(struct sim_queue *q, uint32_t slot)
{
    uint32_t w = slot;
    for (uint32_t i = q->cap + slot; i > 1;) {
        uint32_t other = q->winner[i ^ 1];
        w = before(q, other, w) ? other : w;
        i >>= 1;
        q->winner[i] = w;
        q->time[i] = q->time[q->cap + w];
    }
}

static void build(struct sim_queue *q)
{
    for (uint32_t i = q->cap - 1; i >= 1; i--) {
        uint32_t a = q->winner[2 * i], b = q->winner[2 * i + 1];
        uint32_t w = before(q, b, a) ? b : a;
        q->winner[i] = w;
        q->time[i] = q->time[q->cap + w];
    }
}

static bool allocate(struct sim_queue *q, uint32_t cap)
{
    q->cap = cap;
    q->near = cap > 8 ? (uint32_t)__builtin_ctz(cap) - 3 : 0;
    q->time = malloc(2 * (size_t)cap * sizeof *q->time);
    q->winner = malloc(2 * (size_t)cap * sizeof *q->winner);
    q->event = calloc(cap, sizeof *q->event);
    q->free = malloc(cap * sizeof *q->free);
    if (!q->time || !q->winner || !q->event || !q->free) {
        sim_queue_fini(q);
        return false;
    }
    for (uint32_t s = 0; s < cap; s++) {
        q->time[cap + s] = SIM_NEVER;
        q->winner[cap + s] = s;
    }
    return true;
}

bool sim_queue_init(struct sim_queue *q, uint32_t cap)
{
    uint32_t pow2 = 2;
    while (pow2 < cap)
        pow2 *= 2;
    *q = (struct sim_queue){0};
    if (!allocate(q, pow2))
        return false;
    for (uint32_t s = 0; s < pow2; s++)
        q->free[s] = pow2 - 1 - s;
    q->nfree = pow2;
    build(q);
    return true;
}

void sim_queue_fini(struct sim_queue *q)
{
    free(q->time);
    free(q->winner);
    free(q->event);
    free(q->free);
    *q = (struct sim_queue){0};
}

bool sim_queue_grow(struct sim_queue *q)
{
    struct sim_queue old = *q;
    if (old.cap >= UINT32_MAX / 4 || !allocate(q, 2 * old.cap)) {
        *q = old;
        return false;
    }
    for (uint32_t s = 0; s < old.cap; s++) {
        q->time[q->cap + s] = old.time[old.cap + s];
        q->event[s] = old.event[s];
        q->free[s] = q->cap - 1 - s;
    }
    q->nfree = old.cap;
    q->next_seq = old.next_seq;
    build(q);
    sim_queue_fini(&old);
    return true;
}
