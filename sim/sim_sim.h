/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_sim.h: one simulation: clock, pending events, stations, gates, I/Os.
 *
 * Everything a run needs hangs off one struct sim; there are no globals, so
 * replications run in threads. An I/O is a plan plus a little payload; tokens
 * walk it. A pending token knows the slot of its event, so it is cancelled in one
 * pass up the tree.
 *
 * Life of an I/O: sim_io_new, write its plan, sim_io_start; its client's ack is
 * called at the ack step; when its last token has ended it is recycled.
 *
 * Order within one event: the token runs until it blocks; tokens it made ready
 * (branches, gate waiters, started I/Os) follow first in, first out.
 *
 * Invariants: the clock never goes back; every I/O started is acknowledged at
 * most once; a token's trail sums to the time since its I/O was issued, to the
 * nanosecond; no allocation once pools have grown to the run's size.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "sim_dist.h"
#include "sim_gate.h"
#include "sim_plan.h"
#include "sim_queue.h"
#include "sim_rng.h"
#include "sim_station.h"
#include "sim_types.h"

#define SIM_LEGS 64    /* booked legs an I/O has room for before it takes more */
#define SIM_PAYLOAD 64 /* bytes of the client's own data in an I/O */
#define SIM_NONE UINT32_MAX

/* Time booked to one part. Each leg knows the one before it, so that a fork's
 * branches share what led to the fork and the join copies nothing. */
struct sim_leg {
    uint64_t wait;         /* ns */
    uint64_t service_part; /* ns in the low 56 bits, part in the high 8 */
    struct sim_leg *before; /* NULL: this is the first */
};

struct sim_legs { /* room for the trails of one I/O */
    struct sim_legs *next;
    struct sim_leg leg[SIM_LEGS];
};

struct sim_join; /* state of one open fork */

enum sim_token_state {
    SIM_FREE,
    SIM_READY,   /* will run within this event */
    SIM_RUNNING,
    SIM_PENDING, /* has an event in the queue */
    SIM_AT_GATE,
    SIM_QUEUED,  /* waits at a queued station */
    SIM_PARKED   /* its end is known, a slower branch decides */
};

/* A visit made before its arrival, and the one before, whose end needed no event. */
struct sim_early {
    sim_time arrives;      /* at the in-order station */
    sim_time idle;         /* since when its server was idle then, or busy until */
    sim_time start, leave; /* of the visit before: service, departure */
    uint32_t station;      /* of the visit before; SIM_NONE: none */
};

/* The first 64 bytes are all that an ordinary event touches. */
struct sim_token {
    _Alignas(64) struct sim_io *io;
    uint64_t key;          /* of draws: I/O, leg, fragment; also its tie in event order */
    struct sim_leg *leg;   /* its latest in the I/O's trail; NULL: none */
    sim_time leave;        /* departure from the station; the event may be later by a fused delay */
    sim_time drawn;        /* if ahead: the draw of the next step */
    uint32_t pc;           /* next step */
    uint32_t slot;         /* pending: of its event */
    uint32_t station;      /* SIM_NONE: not inside one */
    uint8_t state;         /* enum sim_token_state */
    uint8_t depth;         /* subs entered */
    bool ahead : 1;        /* the draw of the next step is made */
    bool failed : 1;
    uint8_t part;          /* of the step waited at */
    uint32_t fragment;     /* of the innermost split, from 0 */

    struct sim_join *join; /* innermost open fork; NULL: none */
    struct sim_token *next, *prev;       /* ready list, gate or station queue, free list */
    struct sim_token *io_next, *io_prev; /* live tokens of the I/O */
    sim_time start;        /* of service; queued stations: unused */
    sim_time arrived;      /* at the gate, or in the queue of a station */
    sim_time due;          /* parked: when the branch ends */
    uint64_t need;         /* at a gate: count; queued station: service ns */
    uint32_t server;       /* at a gate: which; queued station: which queue */
    struct sim_early early; /* at an in-order station: how it came there */
    uint32_t ret[SIM_NEST]; /* where subs return to */
};

/* Who issued an I/O. Called inside the event; may start other I/Os. */
struct sim_client {
    void (*ack)(struct sim_client *c, struct sim *s, struct sim_io *io, struct sim_token *t);
    void (*done)(struct sim_client *c, struct sim *s, struct sim_io *io); /* NULL: not told */
};

/* Again the first 64 bytes are what an ordinary event touches. */
struct sim_io {
    _Alignas(64) struct sim_client *client; /* NULL: background */
    uint64_t key;
    struct sim_token *tokens;   /* live */
    struct sim_leg *leg, *leg_end; /* room left for the trails of its tokens; NULL: not booked */
    struct sim_plan plan;
    sim_time issued, submitted, acked; /* submitted: set by model code; acked: SIM_NEVER before */
    struct sim_io *next;        /* free list */
    struct sim_legs *legs;      /* where its trails are, latest first */
    uint32_t failures;          /* failed branches so far */
    _Alignas(16) unsigned char payload[SIM_PAYLOAD];
};

struct sim {
    sim_time now;
    uint32_t stale;              /* slot of the event under way; SIM_NONE: taken over */
    bool trails;                 /* book the legs of I/Os with a client (default true) */
    bool fuse;                   /* skip events that decide nothing (default true) */
    bool stop;                   /* set by anybody: leave sim_run after this event */
    struct sim_queue queue;
    struct sim_station *station;
    const struct sim_dist **dist; /* [1..]: handle 0 is "no draw" */
    struct sim_token *ready_head, *ready_tail;
    struct sim_token *free_tokens;
    struct sim_io *free_ios;
    struct sim_join *free_joins;
    struct sim_legs *free_legs;
    uint64_t events, draws, ties, hash;
    sim_time last_event;
    struct sim_gate *gate;
    uint64_t started, finished, acked; /* I/Os with a client: started, recycled; acknowledged */
    uint64_t allocations;        /* of pools and plans, for the test that they stop */
    uint64_t timers;             /* sim_after calls so far: their key */
    uint32_t nstations, ngates, ndists;
    uint32_t plan_cap;           /* steps of the longest plan, rounded up; 0: none yet */
    struct sim_pool *pool;       /* memory behind the free lists */
    uint64_t seed;               /* key of the run: seed and replication */
    void *model;                 /* whatever the layer above keeps */
};

/* NULL: no memory. seed and replication make the run's key. */
struct sim *sim_create(uint64_t seed, uint64_t replication);
void sim_free(struct sim *s);

/* Hands a distribution to the simulation (not copied, not owned); returns its
 * handle, > 0. */
uint16_t sim_add_dist(struct sim *s, const struct sim_dist *d);

/* An empty I/O to write a plan into. key names it for its draws and in the order
 * of ties, so it should be a hash (sim_key). */
struct sim_io *sim_io_new(struct sim *s, struct sim_client *client, uint64_t key);
/* Starts it now (when the running token has blocked). */
void sim_io_start(struct sim *s, struct sim_io *io);

/* Calls fn(ctx) at now + ns. */
void sim_after(struct sim *s, sim_time ns, void (*fn)(struct sim *s, void *ctx), void *ctx);

/* Runs events up to and including time `until`, or to the last one, or to
 * s->stop. Returns true when events are left. The clock ends at the last event,
 * or at `until` when all earlier ones are done and `until` is not SIM_NEVER. */
bool sim_run(struct sim *s, sim_time until);

/* Ends a token wherever it is, but not the one that runs. Its reservation at a
 * busy-until station stays; what it would have given to gates it gives now; a
 * join that needed it lets nobody go on. */
void sim_token_cancel(struct sim *s, struct sim_token *t);

/* I/Os with a client that have begun and not ended. Looks at all of them. */
uint64_t sim_ios_in_flight(const struct sim *s);

/* Room for one more leg; NULL: nobody reads this I/O's trail. Internal. */
struct sim_leg *sim_trail_more(struct sim *s, struct sim_io *io);

/* Books ns of waiting and service to a part of t's trail. */
static inline void sim_book(struct sim *s, struct sim_token *t, uint8_t part, uint64_t wait,
                            uint64_t service)
{
    struct sim_io *io = t->io;
    struct sim_leg *l = io->leg;
    if (__builtin_expect(l == io->leg_end, 0)) {
        l = sim_trail_more(s, io);
        if (!l)
            return;
    }
    io->leg = l + 1;
    l->wait = wait;
    l->service_part = service | (uint64_t)part << 56;
    l->before = t->leg;
    t->leg = l;
}

static inline uint8_t sim_leg_part(const struct sim_leg *l)
{
    return (uint8_t)(l->service_part >> 56);
}

static inline uint64_t sim_leg_service(const struct sim_leg *l)
{
    return l->service_part & 0xffffffffffffffULL;
}

/* The payload as the client's own type. */
#define sim_io_payload(io, type) ((type *)(void *)(io)->payload)

#endif
