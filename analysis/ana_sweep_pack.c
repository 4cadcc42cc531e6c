/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_sweep_pack.h"

#include <math.h>
#include <string.h>

void ana_put_u64(struct ana_writer *w, uint64_t v)
{
    for (unsigned i = 0; i < 8 && w->at; i++)
        w->at[w->n + i] = (unsigned char)(v >> (8 * i));
    w->n += 8;
}

void ana_put_f64(struct ana_writer *w, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    ana_put_u64(w, isnan(v) ? 0x7ff8000000000000ULL : bits); /* one NaN on every machine */
}

void ana_put_text(struct ana_writer *w, const char *s)
{
    size_t n = strlen(s) + 1;
    if (w->at)
        memcpy(w->at + w->n, s, n);
    w->n += n;
}

uint64_t ana_get_u64(struct ana_reader *r)
{
    uint64_t v = 0;
    if (r->left < 8) {
        r->bad = true;
        return 0;
    }
    for (unsigned i = 0; i < 8; i++)
        v |= (uint64_t)r->at[i] << (8 * i);
    r->at += 8;
    r->left -= 8;
    return v;
}

double ana_get_f64(struct ana_reader *r)
{
    uint64_t bits = ana_get_u64(r);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

const char *ana_get_string(struct ana_reader *r)
{
    const char *text = (const char *)r->at;
    const unsigned char *end = r->left ? memchr(r->at, 0, r->left) : NULL;
    if (!end) {
        r->bad = true;
        return "";
    }
    r->left -= (size_t)(end - r->at) + 1;
    r->at = end + 1;
    return text;
}

void ana_get_text(struct ana_reader *r, char *out, size_t size)
{
    const char *text = ana_get_string(r);
    size_t n = strlen(text) + 1;
    r->bad |= n > size;
    memcpy(out, text, n > size ? 1 : n);
    out[n > size ? 0 : n - 1] = 0;
}
