/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_types.h: the units every layer counts in.
 *
 * Time is an unsigned number of nanoseconds since the start of the run, so one
 * addition never rounds and two runs can be compared bit for bit. 2^64 ns are
 * 584 years: arithmetic on it does not wrap in any run a person would wait for.
 */
#ifndef SIM_TYPES_H
#define SIM_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t sim_time; /* ns */

#define SIM_NEVER UINT64_MAX /* later than any event */

#define SIM_US 1000ULL       /* ns */
#define SIM_MS 1000000ULL    /* ns */
#define SIM_S 1000000000ULL  /* ns */

#define SIM_KIB 1024ULL
#define SIM_MIB (1024ULL * SIM_KIB)
#define SIM_GIB (1024ULL * SIM_MIB)

/* Time for `bytes` at `Bps` bytes per second, rounded up to a whole ns.
 * Saturates at SIM_NEVER; a rate of 0 means "no limit" and costs nothing. */
static inline sim_time sim_transfer_ns(uint64_t bytes, uint64_t Bps)
{
    if (Bps == 0)
        return 0;
    if (bytes < (1ULL << 33) && Bps < (1ULL << 62)) /* no product overflows: spare the 128-bit division */
        return (bytes * SIM_S + Bps - 1) / Bps;
    unsigned __int128 ns = ((unsigned __int128)bytes * SIM_S + Bps - 1) / Bps;
    return ns > SIM_NEVER ? SIM_NEVER : (sim_time)ns;
}

/* The last answer of sim_transfer_ns at one rate: sizes repeat, divisions are slow.
 * All zero to begin with. */
struct sim_transfer {
    uint64_t bytes;
    sim_time ns;
};

static inline sim_time sim_transfer_again(struct sim_transfer *last, uint64_t bytes, uint64_t Bps)
{
    if (__builtin_expect(last->bytes != bytes, 0))
        *last = (struct sim_transfer){bytes, sim_transfer_ns(bytes, Bps)};
    return last->ns;
}

/* A divisor > 0; a shift where it is a power of two, as it nearly always is. */
struct sim_divisor {
    uint64_t size;
    uint32_t shift; /* 64: not a power of two */
};

static inline struct sim_divisor sim_divisor(uint64_t size)
{
    bool two = (size & (size - 1)) == 0;
    return (struct sim_divisor){.size = size, .shift = two ? (uint32_t)__builtin_ctzll(size) : 64};
}

static inline uint64_t sim_divide(uint64_t x, struct sim_divisor d)
{
    return d.shift < 64 ? x >> d.shift : x / d.size;
}

static inline uint64_t sim_min(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t sim_max(uint64_t a, uint64_t b) { return a > b ? a : b; }

#endif
