/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_tree.h: a plan as a tree of steps, with the time each takes alone, and
 * what that says about latency and rate before any clock runs.
 *
 * Every alternative of a decision is built, whether or not it would be chosen
 * now; a par holds its branches, a split the steps of one fragment. Builders may
 * change the model's state and stations with a serve() of their own are asked,
 * so a tree is made in a simulation that is thrown away afterwards.
 *
 * Closed forms, all from mean demands:
 *   a visit      its mean service; `span` units: as many rounds as it takes to
 *                go over the station's servers
 *   serve()      asked once when idle for the time alone, and SIM_TREE_BURST
 *                times at one moment for the rate it keeps up, together with
 *                what it makes other stations do meanwhile
 *   par          the need-th smallest of its branches' times, and where all are
 *                needed at least what they ask of one server together: a lower
 *                bound, as the mean of a maximum exceeds the maximum of means
 *   split(n, w)  T + (n - 1) max(I, T / w), T one fragment's time, I its largest
 *                demand on one server: fragments follow each other at the
 *                slowest stage
 *   gate         held from take to the give that follows it in the same list
 *   rate         X <= servers / demand for every station and gate, and
 *                X <= N / T at depth N (Denning and Buzen, "The operational
 *                analysis of queueing network models", 1978)
 * Not here: queueing, the spread of demands, unequal use of hashed servers.
 * Invariant: building a tree starts no I/O and leaves no event.
 */
#ifndef SIM_TREE_H
#define SIM_TREE_H

#include "sim_sim.h"

struct sim_arena;
struct sim_probe;

#define SIM_TREE_CHOICES 8 /* different decisions in one plan */
#define SIM_TREE_BURST   16384

struct sim_tree_node {
    struct sim_tree_node *next;    /* the step after this one */
    struct sim_tree_node *first;   /* par: branches; sub: alternatives; branch, split: steps */
    const char *name;              /* station, gate, decision, condition, call or spawned plan */
    const struct sim_probe *probe; /* serve: what asking it gave */
    uint64_t count;                /* take, give: tokens; par: branches needed; split: fragments;
                                      units: span; branch: its number from 1 */
    double service_ns;             /* mean time asked of the station's servers, all together */
    double path_ns;                /* mean time the step takes alone; 0 for what has steps inside */
    uint32_t target;               /* station or gate; sub: index in sim_tree.choice */
    uint32_t window;               /* split: fragments at a time; par: branches */
    uint8_t verb;                  /* enum sim_verb; an alternative is a SIM_BRANCH */
    uint8_t part;
    bool cancel; /* par: the join ends the other branches */
};

struct sim_tree {
    struct sim *sim;
    struct sim_arena *arena; /* holds the nodes */
    struct sim_tree_node *first;
    struct sim_prober *prober;
    unsigned nchoices;
    const struct sim_choice *choice[SIM_TREE_CHOICES];
};

/* What serve() stations answered, kept over many trees of one simulation. */
struct sim_prober *sim_prober_create(struct sim *s);
void sim_prober_free(struct sim_prober *p); /* NULL is fine */

/* The tree of io's plan, which is written and not started. */
void sim_tree_build(struct sim_tree *t, struct sim_arena *a, struct sim_prober *prober,
                    struct sim_io *io);

/* Adds what one I/O asks of every station and gate (ns of one server, times
 * weight) to station[nstations] and gate[ngates] when each decision i takes
 * alternative pick[i]. Returns the time to the acknowledgement (without one: to
 * the end) of an I/O that meets nobody, ns. */
double sim_tree_load(const struct sim_tree *t, const unsigned *pick, double weight, double *station,
                     double *gate);

struct sim_bound {           /* what one station or gate allows */
    const char *name, *what; /* what: "fifo", "pipe", "units", "custom", "gate" */
    int node;
    uint64_t servers; /* or the gate's capacity */
    double demand_ns; /* per I/O, of one server */
    double per_s;     /* servers / demand: I/Os per second */
};

/* The stations and gates with a demand, tightest first (equal ones by name);
 * *n of them, from the arena. */
struct sim_bound *sim_bounds(const struct sim *s, struct sim_arena *a, const double *station,
                             const double *gate, unsigned *n);

/* sim_probe.c: what a serve() station was asked and said. */
struct sim_side { /* time it makes another station spend, per request */
    uint32_t station;
    double ns;
};

#define SIM_PROBE_SIDES 4

struct sim_probe {
    struct sim_probe *next;
    uint64_t arg;
    uint32_t station;
    unsigned nsides;
    double path_ns;    /* one request alone */
    double service_ns; /* between departures when it never runs dry */
    struct sim_side side[SIM_PROBE_SIDES];
};

const struct sim_probe *sim_probe_ask(struct sim_prober *p, uint32_t station, uint64_t arg);

#endif
