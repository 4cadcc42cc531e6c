/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_emit.h: JSON as fio lays it out.
 *
 * Two spaces of indent, `"key" : value`, one value a line, %f for fractions,
 * an empty line inside an empty object. A library would print other bytes.
 * Invariants: the output is valid JSON whatever is passed in: strings are
 * escaped, bytes that are no UTF-8 become U+FFFD, NaN and infinities 0.
 * key is NULL inside an array. Write errors stay in the stream.
 */
#ifndef ANA_EMIT_H
#define ANA_EMIT_H

#include <stdint.h>
#include <stdio.h>

#define ANA_EMIT_DEPTH 48 /* deepest nesting */

struct ana_emit {
    FILE *f;
    unsigned depth;
    unsigned char used[ANA_EMIT_DEPTH]; /* a value stands at this depth already */
};

/* bracket: '{' or '['; close with the matching '}' or ']'. Nesting deeper than
 * ANA_EMIT_DEPTH is our bug. */
void ana_emit_open(struct ana_emit *o, const char *key, char bracket);
void ana_emit_close(struct ana_emit *o, char bracket);

void ana_emit_u64(struct ana_emit *o, const char *key, uint64_t v);
void ana_emit_i64(struct ana_emit *o, const char *key, int64_t v);
void ana_emit_f64(struct ana_emit *o, const char *key, double v);
void ana_emit_str(struct ana_emit *o, const char *key, const char *v); /* NULL: "" */

#endif
