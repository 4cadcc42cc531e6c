/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_station.h: places where I/Os queue and are served, and their books.
 *
 * Modelled: c-server FIFO, hashed single-server units, bandwidth pipe (a FIFO
 * with one server), and stations with a serve() of their own (a write buffer
 * whose rate depends on its fill). Not modelled: priorities, preemption.
 *
 * How: a FIFO without priority or cancellation needs no queue. The departure is
 * known on arrival: max(now, server free) + service. Such a "busy-until" server
 * is exact because its arrivals are events in time order. With `queued` set the
 * same station keeps real queues and decides at service start; tests run both
 * and compare. A cancelled visit leaves its reservation on a busy-until server:
 * a command once given to a device is carried out.
 *
 * A station whose visitors all come straight from one FIFO server needs no events
 * of its arrivals either: their order is known when that server grants them. Such
 * an in-order station is visited ahead of time, which is exact.
 *
 * Books: arrivals, busy time, waiting time, sojourn time, and separately the
 * integral of the number present, so that Little's law is a check and not an
 * identity. A snapshot clips all of them at the present moment; a window is the
 * difference of two snapshots.
 */
#ifndef SIM_STATION_H
#define SIM_STATION_H

#include "sim_types.h"

struct sim;
struct sim_token;

enum sim_station_kind { SIM_FIFO, SIM_HASHED, SIM_CUSTOM };

struct sim_service {
    sim_time start, depart;
};

/* Decides start and departure of a visit arriving now, given the step's arg.
 * Must be called in time order and keep free_at[0] the time it is busy until. */
typedef void sim_serve_fn(void *obj, struct sim *s, struct sim_token *t, uint64_t arg,
                          struct sim_service *sv);

struct sim_waiting { /* queue of one server group, queued stations only */
    struct sim_token *head, *tail;
    uint32_t busy;
};

struct sim_station {
    _Alignas(64) sim_time *free_at; /* [servers] busy until; more than one server of a
                                       SIM_FIFO: see sim_station_first */
    uint32_t servers;
    uint8_t levels;     /* of the tree over the servers */
    bool queued;        /* keep real queues */
    bool failed;        /* visits fail at once */
    bool in_order;      /* visits are asked for in the order of their arrival */
    bool special;       /* queued, failed or in_order */
    uint64_t served;    /* arrivals */
    uint64_t departed;
    uint64_t balance;   /* sum of departure less arrival times, modulo 2^64 */
    uint64_t busy;      /* granted service, ns */
    uint64_t wait;      /* ns before service start */
    uint64_t inside;    /* ns inside beyond wait and busy: spans, cuts, own work; modulo 2^64 */
    sim_serve_fn *serve;
    void *obj;
    struct sim_waiting *queue; /* [servers] or [1] when queued */
    uint8_t kind;       /* enum sim_station_kind */
    /* for people */
    char name[96];
    const char *what;   /* "units", "pipe", "fifo", "custom" */
    int node;           /* -1: none */
};

static inline uint64_t sim_station_present(const struct sim_station *st)
{
    return st->served - st->departed;
}

/* Everything up to this moment, clipped: what is granted beyond is left out. */
struct sim_station_books {
    uint64_t served, busy, wait, sojourn, area;
};

/* Adds a station and returns its handle. servers, units: 1 to 65535. node: -1 for
 * none. queued only for SIM_FIFO and SIM_HASHED. */
uint32_t sim_add_fifo(struct sim *s, const char *name, int node, uint32_t servers);
uint32_t sim_add_pipe(struct sim *s, const char *name, int node);
uint32_t sim_add_units(struct sim *s, const char *name, int node, uint32_t units);
uint32_t sim_add_custom(struct sim *s, const char *name, int node, sim_serve_fn *serve, void *obj);
void sim_station_set_queued(struct sim *s, uint32_t station);

/* Promises that every visitor of a SIM_HASHED or single-server SIM_FIFO comes from
 * one and the same FIFO server, with the same time between. It cannot fail. */
void sim_station_set_in_order(struct sim *s, uint32_t station);

/* Reads all stations' books at the current time into out[nstations]. */
void sim_station_snapshot(const struct sim *s, struct sim_station_books *out);

/* Occupies server `unit` for ns behind what it has, without a token: work the
 * station does on its own account (background work). Busy-until stations only. */
void sim_station_occupy(struct sim *s, uint32_t station, uint32_t unit, sim_time ns);

/* The station dies: every visit inside ends at its innermost join (or its plan's
 * end) as failed, later ones fail on arrival. */
void sim_station_fail(struct sim *s, uint32_t station);

#endif
