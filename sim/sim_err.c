/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_err.h"

#include <stdarg.h>
#include <stdio.h>

static int fill(struct sim_err *e, int code, const char *file, int line, const char *fmt,
                va_list ap)
{
    if (!e)
        return code;
    e->code = code;
    e->line = line;
    snprintf(e->file, sizeof e->file, "%s", file ? file : "");
    vsnprintf(e->text, sizeof e->text, fmt, ap);
    return code;
}

int sim_fail(struct sim_err *e, int code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fill(e, code, NULL, 0, fmt, ap);
    va_end(ap);
    return code;
}

int sim_fail_at(struct sim_err *e, int code, const char *file, int line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fill(e, code, file, line, fmt, ap);
    va_end(ap);
    return code;
}
