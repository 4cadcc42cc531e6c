/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_mem.h: the arena a run's set-up allocates from.
 *
 * Everything that lives as long as a run is taken from one arena and freed
 * with it. The arena grows by chunks; a request larger than a chunk gets a
 * chunk of its own. Running out of memory prints one line and exits with
 * status 3, so callers need no check; sizes that come from input must be
 * bounded before they get here.
 * Not modelled: freeing single objects (use a free list), threads (one arena
 * per run).
 * Invariants: memory is zeroed, 16-byte aligned and never moves; after warm-up
 * sim_arena_count stands still.
 */
#ifndef SIM_MEM_H
#define SIM_MEM_H

#include "sim_types.h"

struct sim_arena;

/* chunk: bytes fetched from the system at a time, raised to 4096. */
struct sim_arena *sim_arena_create(size_t chunk);

/* Frees all that came from it; NULL is allowed. */
void sim_arena_free(struct sim_arena *a);

/* bytes of zeroes; 0 bytes give a valid address. */
void *sim_arena_alloc(struct sim_arena *a, size_t bytes) __attribute__((malloc));

/* n objects of `bytes` each; a product beyond size_t counts as out of memory. */
void *sim_arena_array(struct sim_arena *a, size_t n, size_t bytes) __attribute__((malloc));

char *sim_arena_strdup(struct sim_arena *a, const char *s);

char *sim_arena_printf(struct sim_arena *a, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Allocations made so far. */
uint64_t sim_arena_count(const struct sim_arena *a);

/* Bytes fetched from the system, bookkeeping included. */
uint64_t sim_arena_bytes(const struct sim_arena *a);

/* Says so in one line and exits with status 3; for other users of malloc. */
_Noreturn void sim_out_of_memory(size_t bytes);

#define SIM_HUGE_PAGE (2U << 20)

/* A block of its own for free(), not set, aligned to two cache lines. A large one
 * asks for huge pages, if the system has any: with much state under way most of the
 * time goes into finding pages, not data. NULL: no memory. */
void *sim_mem_block(size_t bytes);

#endif
