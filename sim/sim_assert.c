/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local sim_describe_fn *describe_fn;
static _Thread_local const void *describe_ctx;

void sim_assert_context(sim_describe_fn *describe, const void *ctx)
{
    describe_fn = describe;
    describe_ctx = ctx;
}

_Noreturn void sim_assert_failed(const char *file, int line, const char *cond)
{
    char context[512] = "no run in progress";
    const char *slash = strrchr(file, '/');
    sim_describe_fn *fn = describe_fn;

    describe_fn = NULL; /* a check that fails inside describe must not come back here */
    if (fn)
        fn(describe_ctx, context, sizeof context);
    fprintf(stderr, "%s:%d: internal error: %s does not hold (%s)\n", slash ? slash + 1 : file,
            line, cond, context);
    abort();
}
