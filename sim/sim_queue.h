/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_queue.h: the pending events, a winner (tournament) tree over fixed slots.
 *
 * Every slot holds at most one event. Leaf `cap + s` is slot s; each inner node
 * holds the earlier of its two children, so node 1 is the next event. Setting a
 * slot replays log2(cap) matches without a data-dependent branch; cost follows
 * the capacity, not the number pending. An empty slot holds SIM_NEVER.
 *
 * Order: time, then `tie` (a hash of who the event belongs to, so that no slot
 * or pool index ever decides), then the sequence in which it was set. Times
 * alone are compared on the way up; when two are equal the path is replayed
 * with the full rule, which is rare.
 *
 * Times and winners live in separate arrays on purpose: as 16-byte records they
 * become wide loads of two narrow stores, which stall.
 *
 * Invariants: node i's winner is the full-order minimum of its subtree; the
 * capacity is a power of two and doubles when slots run out, never aborting.
 */
#ifndef SIM_QUEUE_H
#define SIM_QUEUE_H

#include "sim_types.h"

struct sim_event {
    uint64_t tie, seq;
    void *owner; /* whatever the caller keeps there */
    const void *soon[2]; /* what the owner will touch first; NULL: not known */
};

struct sim_queue {
    uint32_t cap;            /* slots, a power of two */
    uint32_t nfree;          /* entries of the free list */
    uint32_t near;           /* levels below the nodes of which each is the root of an eighth */
    uint64_t *time;          /* [2 cap] winner's time by node, ns */
    uint32_t *winner;        /* [2 cap] winner's slot by node */
    struct sim_event *event; /* [cap] by slot */
    uint32_t *free;          /* [cap] free slots, last in first out */
    uint64_t next_seq;
};

/* cap: slots to start with (rounded up to a power of two). False: no memory. */
bool sim_queue_init(struct sim_queue *q, uint32_t cap);
void sim_queue_fini(struct sim_queue *q);

/* Doubles the slots; pending events keep theirs. False: no memory. Internal. */
bool sim_queue_grow(struct sim_queue *q);

/* Takes a free slot for owner, growing when there is none; empty until set.
 * UINT32_MAX: no memory. */
static inline uint32_t sim_queue_slot(struct sim_queue *q, void *owner)
{
    if (__builtin_expect(q->nfree == 0, 0) && !sim_queue_grow(q))
        return UINT32_MAX;
    uint32_t s = q->free[--q->nfree];
    q->event[s].owner = owner;
    return s;
}

/* Gives an empty slot back. */
static inline void sim_queue_release(struct sim_queue *q, uint32_t slot)
{
    q->free[q->nfree++] = slot;
}

/* The path above `slot` again, by the full order. Internal. */
void sim_queue_replay(struct sim_queue *q, uint32_t slot);

/* One match: the earlier of (k, w) and (other, ow) becomes (k, w); `equal` notes a
 * time met twice. Written so that no compiler makes a branch of it: which side
 * wins is a coin toss, and a mispredicted branch costs more than the match. */
static inline void sim_queue_match(uint64_t *k, uint32_t *w, uint64_t *equal, uint64_t other,
                                   uint32_t ow)
{
#if defined(__x86_64__) && defined(__GNUC__)
    __asm__("cmpq %[k], %[o]\n\t"
            "cmovzq %[k], %[e]\n\t"
            "cmovbq %[o], %[k]\n\t"
            "cmovbl %[ow], %[w]"
            : [k] "+r"(*k), [w] "+r"(*w), [e] "+r"(*equal)
            : [o] "r"(other), [ow] "r"(ow)
            : "cc");
#else
    uint64_t earlier = 0 - (uint64_t)(other < *k), same = 0 - (uint64_t)(other == *k);
    *equal ^= (*equal ^ *k) & same;
    *k ^= (*k ^ other) & earlier;
    *w ^= (*w ^ ow) & (uint32_t)earlier;
#endif
}

/* The slot's event is now due at `t`; SIM_NEVER empties it. */
static inline void sim_queue_set(struct sim_queue *q, uint32_t slot, sim_time t, uint64_t tie)
{
    uint64_t *restrict time = q->time;
    uint32_t *restrict winner = q->winner;
    size_t i = (size_t)q->cap + slot;
    uint32_t w = slot;
    uint64_t k = t, equal = SIM_NEVER;

    q->event[slot].tie = tie;
    q->event[slot].seq = q->next_seq++;
    time[i] = t;
    do {
        sim_queue_match(&k, &w, &equal, time[i ^ 1], winner[i ^ 1]);
        i >>= 1;
        time[i] = k;
        winner[i] = w;
    } while (i > 1);
    if (__builtin_expect(equal != SIM_NEVER, 0))
        sim_queue_replay(q, slot);
}

/* The first of the eighth of the slots that `slot` is in will be the first of all a few
 * events from now: what it needs is fetched meanwhile. To be called when the slot
 * has been set. */
static inline void sim_queue_look_ahead(const struct sim_queue *q, uint32_t slot)
{
    const struct sim_event *e = &q->event[q->winner[((size_t)q->cap + slot) >> q->near]];
    __builtin_prefetch(e->owner);
    __builtin_prefetch((const char *)e->owner + 64);
    __builtin_prefetch(e->soon[0]);
    __builtin_prefetch(e->soon[1]);
}

/* When the next event is due; SIM_NEVER: none. */
static inline sim_time sim_queue_next(const struct sim_queue *q) { return q->time[1]; }

/* When the slot's event is due. */
static inline sim_time sim_queue_time(const struct sim_queue *q, uint32_t slot)
{
    return q->time[q->cap + slot];
}

static inline uint64_t sim_queue_tie(const struct sim_queue *q, uint32_t slot)
{
    return q->event[slot].tie;
}

static inline void *sim_queue_owner(const struct sim_queue *q, uint32_t slot)
{
    return q->event[slot].owner;
}

/* Slot of the next event. */
static inline uint32_t sim_queue_first(const struct sim_queue *q) { return q->winner[1]; }

#endif
