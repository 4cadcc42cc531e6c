/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_assert.h: our own mistakes, caught in every build.
 *
 * For conditions that only a bug in this program can break; bad input is
 * reported through struct sim_err instead. The check stays in release builds,
 * so the condition must be cheap and free of side effects. A failure prints
 * file, line, condition and what the thread was simulating, then aborts.
 * Invariant: the context is per thread; replications do not see each other's.
 */
#ifndef SIM_ASSERT_H
#define SIM_ASSERT_H

#include <stddef.h>

/* Writes one line (time, seed, event, I/O, step) about ctx into buf, as snprintf would. */
typedef void sim_describe_fn(const void *ctx, char *buf, size_t size);

/* What this thread says about itself when a check fails; NULL: nothing. The
 * caller clears it before ctx goes away. */
void sim_assert_context(sim_describe_fn *describe, const void *ctx);

_Noreturn void sim_assert_failed(const char *file, int line, const char *cond);

#define sim_assert(cond)                                                                           \
    (__builtin_expect(!!(cond), 1) ? (void)0 : sim_assert_failed(__FILE__, __LINE__, #cond))

#endif
