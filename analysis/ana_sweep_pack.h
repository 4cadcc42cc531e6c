/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_pack.h: numbers and text as bytes that are the same everywhere.
 *
 * Little-endian 64-bit words, doubles as their bits (one NaN), text with its
 * NUL. Invariant: reading past the end sets bad and gives zeros.
 */
#ifndef ANA_SWEEP_PACK_H
#define ANA_SWEEP_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ana_writer {
    unsigned char *at; /* NULL: count only */
    size_t n;          /* bytes so far */
};

void ana_put_u64(struct ana_writer *w, uint64_t v);
void ana_put_f64(struct ana_writer *w, double v);
void ana_put_text(struct ana_writer *w, const char *s);

struct ana_reader {
    const unsigned char *at;
    size_t left;
    bool bad;
};

uint64_t ana_get_u64(struct ana_reader *r);
double ana_get_f64(struct ana_reader *r);
/* The text in place, "" when there is none. */
const char *ana_get_string(struct ana_reader *r);
/* A copy of at most size bytes with the NUL; longer text is bad. */
void ana_get_text(struct ana_reader *r, char *out, size_t size);

#endif
