/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_expand.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPANDED_MAX 65536

struct output {
    char *text;
    size_t len;
    bool full;
};

static void put(struct output *o, const char *s, size_t n)
{
    if (o->len + n >= EXPANDED_MAX) {
        o->full = true;
        return;
    }
    memcpy(o->text + o->len, s, n);
    o->len += n;
}

static const char *variable(struct hci_fio_log *log, const char *file, int line, const char *name,
                            size_t n)
{
    char key[256];
    if (n >= sizeof key)
        return "";
    memcpy(key, name, n);
    key[n] = '\0';
    const char *v = getenv(key);
    if (!v)
        hci_fio_note(log, file, line, "environment variable %.60s is not set: empty", key);
    return v ? v : "";
}

static uint64_t keyword(const char *s, size_t *len)
{
    static const char *const names[] = { "$pagesize", "$mb_memory", "$ncpus" };
    for (int i = 0; i < 3; i++) {
        *len = strlen(names[i]);
        if (strncmp(s, names[i], *len) != 0)
            continue;
        long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
        long cpus = sysconf(_SC_NPROCESSORS_ONLN);
        if (i == 1)
            return pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page / SIM_MIB : 0;
        return i == 0 ? 4096 : cpus > 0 ? (uint64_t)cpus : 1;
    }
    return 0;
}

/* A recursive-descent calculator. Sets *bad on anything it does not know. */
struct calc {
    const char *p;
    unsigned depth;
    bool bad;
};

static int64_t sum(struct calc *c);

static void blanks(struct calc *c)
{
    while (isspace((unsigned char)*c->p))
        c->p++;
}

static int64_t atom(struct calc *c)
{
    int64_t v = 0;
    blanks(c);
    if (*c->p == '(' && c->depth < 32) {
        c->p++;
        c->depth++;
        v = sum(c);
        c->depth--;
        c->bad |= *c->p != ')';
        c->p += *c->p == ')';
    } else if (isdigit((unsigned char)*c->p)) {
        for (; isdigit((unsigned char)*c->p); c->p++)
            if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *c->p - '0', &v))
                c->bad = true;
    } else {
        c->bad = true;
    }
    blanks(c);
    return v;
}

static int64_t product(struct calc *c)
{
    int64_t v = atom(c);
    while (!c->bad && (*c->p == '*' || *c->p == '/')) {
        char op = *c->p++;
        int64_t w = atom(c);
        if (op == '*')
            c->bad |= __builtin_mul_overflow(v, w, &v);
        else if (w == 0 || (w == -1 && v == INT64_MIN))
            c->bad = true;
        else
            v /= w;
    }
    return v;
}

static int64_t sum(struct calc *c)
{
    int64_t v = product(c);
    while (!c->bad && (*c->p == '+' || *c->p == '-')) {
        char op = *c->p++;
        int64_t w = product(c);
        c->bad |= op == '+' ? __builtin_add_overflow(v, w, &v) : __builtin_sub_overflow(v, w, &v);
    }
    return v;
}

/* Replaces an arithmetic value by its result. */
static void compute(struct output *o)
{
    char *value = memchr(o->text, '=', o->len);
    o->text[o->len] = '\0';
    if (!value || !strpbrk(value + 1, "+-*/"))
        return;
    struct calc c = { .p = value + 1 };
    int64_t v = sum(&c);
    if (c.bad || *c.p)
        return;
    o->len = (size_t)(value + 1 - o->text);
    o->len += (size_t)snprintf(value + 1, 24, "%" PRId64, v);
}

/* Copies one variable, keyword or byte; returns what follows it. */
static const char *step(struct output *o, struct hci_fio_log *log, const char *file, int line_no,
                        const char *p, bool *keywords)
{
    char num[24];
    size_t len;
    const char *end = p[0] == '$' && p[1] == '{' ? strchr(p, '}') : NULL;
    if (end) {
        const char *v = variable(log, file, line_no, p + 2, (size_t)(end - p) - 2);
        put(o, v, strlen(v));
        return end + 1;
    }
    uint64_t k = *p == '$' ? keyword(p, &len) : 0;
    if (!k) {
        put(o, p, 1);
        return p + 1;
    }
    *keywords = true;
    put(o, num, (size_t)snprintf(num, sizeof num, "%" PRIu64, k));
    if (strncmp(p, "$pagesize", len) != 0)
        hci_fio_note(log, file, line_no, "%.*s is this machine's: %s", (int)len, p, num);
    return p + len;
}

const char *hci_fio_expand(struct hci_fio_pool *pool, struct hci_fio_log *log, const char *file,
                           int line_no, const char *line)
{
    bool keywords = false;
    if (!strchr(line, '$'))
        return line;
    struct output o = { .text = malloc(EXPANDED_MAX + 32) };
    if (!o.text)
        return NULL;
    for (const char *p = line; *p && !o.full;)
        p = step(&o, log, file, line_no, p, &keywords);
    if (keywords)
        compute(&o);
    const char *done = NULL;
    if (o.full)
        hci_fio_error(log, file, line_no, "the line is longer than %d bytes once its variables "
                      "are put in", EXPANDED_MAX);
    else
        done = hci_fio_strndup(pool, o.text, o.len);
    free(o.text);
    return done;
}
