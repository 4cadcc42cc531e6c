/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_emit.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "sim_assert.h"

/* Length of the well-formed UTF-8 sequence at s, 0 when there is none. */
static unsigned utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    unsigned n = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    for (unsigned i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool outside = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    return overlong || outside ? 0 : n;
}

static void control(FILE *f, unsigned char c)
{
    static const char name[] = "btn?fr"; /* 8 to 13; 11 has no short name */
    if (c >= 8 && c <= 13 && c != 11)
        fprintf(f, "\\%c", name[c - 8]);
    else
        fprintf(f, "\\u%04x", c);
}

static void quoted(FILE *f, const char *text)
{
    const unsigned char *s = (const unsigned char *)(text ? text : "");
    fputc('"', f);
    while (*s) {
        unsigned n = utf8_length(s);
        if (n == 0)
            fputs("\\ufffd", f);
        else if (*s < 0x20)
            control(f, *s);
        else if (*s == '"' || *s == '\\')
            fprintf(f, "\\%c", *s);
        else
            fwrite(s, 1, n, f);
        s += n ? n : 1;
    }
    fputc('"', f);
}

static void indent(struct ana_emit *o)
{
    fprintf(o->f, "%*s", (int)(2 * o->depth), "");
}

static void start(struct ana_emit *o, const char *key)
{
    if (o->depth > 0) {
        fputs(o->used[o->depth - 1] ? ",\n" : "\n", o->f);
        o->used[o->depth - 1] = 1;
        indent(o);
    }
    if (key) {
        quoted(o->f, key);
        fputs(" : ", o->f);
    }
}

void ana_emit_open(struct ana_emit *o, const char *key, char bracket)
{
    sim_assert(o->depth < ANA_EMIT_DEPTH);
    start(o, key);
    fputc(bracket, o->f);
    o->used[o->depth++] = 0;
}

void ana_emit_close(struct ana_emit *o, char bracket)
{
    sim_assert(o->depth > 0);
    if (!o->used[--o->depth])
        fputc('\n', o->f);
    fputc('\n', o->f);
    indent(o);
    fputc(bracket, o->f);
}

void ana_emit_u64(struct ana_emit *o, const char *key, uint64_t v)
{
    start(o, key);
    fprintf(o->f, "%" PRIu64, v);
}

void ana_emit_i64(struct ana_emit *o, const char *key, int64_t v)
{
    start(o, key);
    fprintf(o->f, "%" PRId64, v);
}

void ana_emit_f64(struct ana_emit *o, const char *key, double v)
{
    start(o, key);
    fprintf(o->f, "%f", isfinite(v) ? v : 0.0);
}

void ana_emit_str(struct ana_emit *o, const char *key, const char *v)
{
    start(o, key);
    quoted(o->f, v);
}
