/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_gsl.h"

#include <gsl/gsl_errno.h>
#include <limits.h>
#include <pthread.h>

#include "sim_mem.h"
#include "sim_rng.h"

_Static_assert(ULONG_MAX == UINT64_MAX, "GSL's generators give unsigned long");

struct keyed {
    uint64_t key, n;
};

static void keyed_set(void *state, unsigned long seed)
{
    *(struct keyed *)state = (struct keyed){seed, 0};
}

static unsigned long keyed_get(void *state)
{
    struct keyed *k = state;
    return sim_key(k->key, k->n++);
}

static double keyed_get_double(void *state)
{
    return sim_unit(keyed_get(state));
}

static const gsl_rng_type keyed_type = {
    .name = "keyed",
    .max = ULONG_MAX,
    .min = 0,
    .size = sizeof(struct keyed),
    .set = keyed_set,
    .get = keyed_get,
    .get_double = keyed_get_double,
};

const gsl_rng_type *const sim_gsl_keyed = &keyed_type;

static void handler_off(void)
{
    gsl_set_error_handler_off();
}

void sim_gsl_quiet(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT; /* GSL's handler is one for all threads */
    pthread_once(&once, handler_off);
}

gsl_rng *sim_gsl_create(uint64_t key)
{
    sim_gsl_quiet();
    gsl_rng *r = gsl_rng_alloc(sim_gsl_keyed);
    if (!r)
        sim_out_of_memory(sizeof(struct keyed));
    gsl_rng_set(r, key);
    return r;
}
