/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_gsl.h: the keyed draws behind GSL's generator interface.
 *
 * For set-up, analysis and tests that want gsl_ran_*: the n-th number is
 * sim_key(key, n). Not for the hot path, where a draw is keyed by who asks.
 * Invariant: equal keys give equal sequences; different keys independent ones.
 */
#ifndef SIM_GSL_H
#define SIM_GSL_H

#include <gsl/gsl_rng.h>
#include <stdint.h>

/* gsl_rng_alloc(sim_gsl_keyed) works as for any other type; a seed is a key. */
extern const gsl_rng_type *const sim_gsl_keyed;

/* From now on GSL's failures come back as values instead of ending the program.
 * Safe from any thread. */
void sim_gsl_quiet(void);

/* A generator for this key; gsl_rng_free it. Exits when out of memory. */
gsl_rng *sim_gsl_create(uint64_t key);

#endif
