/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_rng.h: keyed draws.
 *
 * A draw is a pure function of a 64-bit key; there is no generator state. Keys
 * are derived by naming: (seed, replication, job, I/O number) gives an I/O's
 * key, a branch or fragment number derives a sub-I/O's key from it, and the
 * stage's role name gives the last step. So a result depends on *who* draws
 * for *what*, never on event order, station index or thread, and two layouts
 * give the same I/O the same luck.
 * Invariant: equal keys give equal draws, on every compiler and machine.
 *
 * sim_mix is the finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable
 * pseudorandom number generators", OOPSLA 2014).
 */
#ifndef SIM_RNG_H
#define SIM_RNG_H

#include <stdint.h>

static inline uint64_t sim_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/* The key of part `salt` (a number or a role hash) of whatever `key` names. */
static inline uint64_t sim_key(uint64_t key, uint64_t salt)
{
    return sim_mix(key ^ (salt * 0xd1342543de82ef95ULL));
}

/* A role name's hash (FNV-1a), for set-up, never the hot path. */
static inline uint64_t sim_role(const char *name)
{
    uint64_t h = 0xcbf29ce484222325ULL;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 0x100000001b3ULL;
    return h;
}

/* Uniform in [0, n), n > 0, by multiplication (bias below n / 2^64). */
static inline uint64_t sim_below(uint64_t draw, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)draw * n) >> 64);
}

/* Uniform in [0, 1) with 53 bits, for set-up and workloads. */
static inline double sim_unit(uint64_t draw)
{
    return (double)(draw >> 11) * 0x1.0p-53;
}

#endif
