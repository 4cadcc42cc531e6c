/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_sweep_axis.h"

#include "hci_param.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum dimension { PLAIN, FIO, TIME, BYTES, RATE };

struct quantity {
    int dimension; /* enum dimension */
    double plain;
    uint64_t base; /* of all but PLAIN */
};

struct list { /* values while they are collected */
    const char **value;
    unsigned n, max;
    struct sim_arena *arena;
    struct sim_err *err;
    const char *key;
};

static int push(struct list *l, const char *text)
{
    if (l->n == ANA_AXIS_MAX)
        return sim_fail(l->err, SIM_E_INPUT, "--vary %.60s: more than %d values", l->key,
                        ANA_AXIS_MAX);
    if (l->n == l->max) {
        l->max = l->max ? 2 * l->max : 16;
        const char **more = sim_arena_array(l->arena, l->max, sizeof *more);
        if (l->n)
            memcpy(more, l->value, l->n * sizeof *more);
        l->value = more;
    }
    l->value[l->n++] = text;
    return SIM_OK;
}

/* "4k", "1M": fio's suffixes, powers of 1024. */
static bool fio_suffix(double v, const char *suffix, uint64_t *out)
{
    static const char letters[] = "kmgt";
    const char *at = strchr(letters, tolower((unsigned char)suffix[0]));
    if (!suffix[0] || suffix[1] || !at || v < 0)
        return false;
    double bytes = ldexp(v, 10 * (int)(at - letters + 1));
    if (bytes > 9e18)
        return false;
    *out = (uint64_t)bytes;
    return true;
}

static bool parse_quantity(const char *text, struct quantity *q)
{
    static const int types[] = { [TIME] = HCI_TIME, [BYTES] = HCI_BYTES, [RATE] = HCI_RATE };
    char *end, why[256];
    if (!isdigit((unsigned char)text[text[0] == '-']))
        return false;
    q->plain = strtod(text, &end);
    if (!isfinite(q->plain))
        return false;
    q->dimension = PLAIN;
    if (!*end)
        return true;
    q->dimension = FIO;
    if (fio_suffix(q->plain, end, &q->base))
        return true;
    for (q->dimension = TIME; q->dimension <= RATE; q->dimension++)
        if (hci_unit_parse(types[q->dimension], text, &q->base, why, sizeof why) == 0)
            return true;
    return false;
}

bool ana_quantity(const char *text, double *number, const char **unit)
{
    static const char *const units[] = { "", "B", "ns", "B", "B/s" };
    struct quantity q;
    if (!parse_quantity(text, &q))
        return false;
    *number = q.dimension == PLAIN ? q.plain : (double)q.base;
    *unit = units[q.dimension];
    return true;
}

void ana_axis_numbers(struct ana_axis *axis, struct sim_arena *a)
{
    axis->number = NULL;
    axis->unit = "";
    double *number = sim_arena_array(a, axis->n, sizeof *number);
    for (unsigned i = 0; i < axis->n; i++) {
        const char *unit;
        if (!ana_quantity(axis->value[i], &number[i], &unit) ||
            (i > 0 && strcmp(unit, axis->unit) != 0))
            return;
        axis->unit = unit;
    }
    axis->number = number;
}

/* v in the unit text `unit`, NULL when that is not exact. */
static const char *in_unit(struct sim_arena *a, const struct quantity *q, const char *unit)
{
    struct quantity one, back;
    if (!parse_quantity(sim_arena_printf(a, "1%s", unit), &one) || one.base == 0)
        return NULL;
    const char *text = sim_arena_printf(a, "%.12g%s", (double)q->base / (double)one.base, unit);
    return parse_quantity(text, &back) && back.base == q->base ? text : NULL;
}

/* A number as text that parses to the same, in this unit if it can be. */
static const char *quantity_text(struct sim_arena *a, const struct quantity *q, const char *unit)
{
    static const char suffix[] = " kMGT";
    const char *same = q->dimension >= TIME ? in_unit(a, q, unit) : NULL;
    char buf[64];
    unsigned s = 0;
    uint64_t v = q->base;
    if (same)
        return same;
    switch (q->dimension) {
    case PLAIN: return sim_arena_printf(a, "%.12g", q->plain);
    case TIME: return sim_arena_strdup(a, hci_unit_format(HCI_TIME, v, buf, sizeof buf));
    case BYTES: return sim_arena_strdup(a, hci_unit_format(HCI_BYTES, v, buf, sizeof buf));
    case RATE: return sim_arena_strdup(a, hci_unit_format(HCI_RATE, v, buf, sizeof buf));
    default: break;
    }
    for (; s < 4 && v && v % 1024 == 0; s++)
        v /= 1024;
    return s ? sim_arena_printf(a, "%llu%c", (unsigned long long)v, suffix[s])
             : sim_arena_printf(a, "%llu", (unsigned long long)v);
}

struct range {
    struct quantity from, to, step;
    const char *unit; /* as written at the end */
    bool times;       /* step is a factor */
};

/* A bare number takes the unit of `like`. */
static bool end_of_range(struct quantity *q, const char *text, const char *like,
                         struct sim_arena *a)
{
    const char *unit = like + strspn(like, "-0123456789.");
    if (!text[strspn(text, "-0123456789.")] && *unit)
        text = sim_arena_printf(a, "%s%s", text, unit);
    return parse_quantity(text, q);
}

/* Splits "A..B", "A..B:STEP", "A..B:xFACTOR". False: no range, a plain value. */
static bool split_range(struct range *r, const char *text, struct sim_arena *a, const char **why)
{
    const char *dots = strstr(text, "..");
    struct quantity first;
    *why = NULL;
    if (!dots || !isdigit((unsigned char)text[text[0] == '-']))
        return false;
    char *from = sim_arena_printf(a, "%.*s", (int)(dots - text), text);
    char *to = sim_arena_strdup(a, dots + 2);
    char *colon = strrchr(to, ':');
    const char *step = colon ? colon + 1 : "1";
    if (colon)
        *colon = 0;
    if (!parse_quantity(from, &first) || !end_of_range(&r->to, to, "", a))
        return false;
    r->unit = to + strspn(to, "-0123456789.");
    *why = "both ends must have one dimension";
    if (!end_of_range(&r->from, from, to, a) || r->from.dimension != r->to.dimension)
        return true;
    *why = "the range needs a step, as in 8..64:8 or 1k..1M:x2";
    if (!colon && r->to.dimension != PLAIN)
        return true;
    r->times = step[0] == 'x';
    *why = "the step is no number of that dimension";
    if (r->times ? !parse_quantity(step + 1, &r->step) || r->step.dimension != PLAIN
                 : !end_of_range(&r->step, step, to, a) || r->step.dimension != r->to.dimension)
        return true;
    *why = NULL;
    return true;
}

static double amount(const struct quantity *q)
{
    return q->dimension == PLAIN ? q->plain : (double)q->base;
}

static int push_range(struct list *l, const struct range *r, const char *text)
{
    double from = amount(&r->from), to = amount(&r->to), step = amount(&r->step);
    if (from > to || step <= 0 || (r->times && (step <= 1 || from <= 0)))
        return sim_fail(l->err, SIM_E_INPUT, "--vary %.60s: range %.60s never gets to its end",
                        l->key, text);
    double slack = 1e-9 * (r->times ? to : step), v = from;
    for (uint64_t i = 0; v <= to + slack;) {
        struct quantity q = { .dimension = r->from.dimension, .plain = v };
        q.base = q.dimension == PLAIN ? 0 : (uint64_t)(v + 0.5);
        if (push(l, quantity_text(l->arena, &q, r->unit)) != SIM_OK)
            return SIM_E_INPUT;
        i++;
        v = r->times ? v * step : from + (double)i * step;
    }
    return SIM_OK;
}

static int push_set(struct list *l, const char *set, const char *dir)
{
    const char *const *names;
    unsigned n;
    int rc = ana_device_set(&names, &n, set, dir, l->arena, l->err);
    for (unsigned i = 0; rc == SIM_OK && i < n; i++)
        rc = push(l, names[i]);
    return rc;
}

static int push_word(struct list *l, char *word, const char *dir)
{
    struct range r;
    const char *why;
    size_t n = strlen(word);
    while (n && isspace((unsigned char)word[n - 1]))
        word[--n] = 0;
    word += strspn(word, " \t");
    if (!*word)
        return sim_fail(l->err, SIM_E_INPUT, "--vary %.60s: an empty value", l->key);
    if (word[0] == '@')
        return push_set(l, word + 1, dir);
    if (!split_range(&r, word, l->arena, &why))
        return push(l, word);
    if (why)
        return sim_fail(l->err, SIM_E_INPUT, "--vary %.60s: range %.60s: %s", l->key, word, why);
    return push_range(l, &r, word);
}

/* Length up to the next comma that is in no bracket or quotes. */
static size_t word_length(const char *p)
{
    size_t i = 0;
    int depth = 0;
    bool quoted = false;
    for (; p[i] && (p[i] != ',' || depth > 0 || quoted); i++) {
        if (p[i] == '"')
            quoted = !quoted;
        if (!quoted)
            depth += (strchr("([{", p[i]) != NULL) - (strchr(")]}", p[i]) != NULL);
    }
    return i;
}

static int kind_of(const char *key)
{
    if (strcmp(key, "layout") == 0)
        return ANA_AXIS_LAYOUT;
    return strncmp(key, "job.", 4) == 0 ? ANA_AXIS_JOB : ANA_AXIS_SET;
}

int ana_axis_parse(struct ana_axis *axis, const char *text, const char *dir, struct sim_arena *a,
                   struct sim_err *e)
{
    const char *eq = strchr(text, '=');
    if (!eq || eq == text)
        return sim_fail(e, SIM_E_INPUT, "--vary wants KEY=VALUE,VALUE..., not '%.200s'", text);
    memset(axis, 0, sizeof *axis);
    axis->key = sim_arena_printf(a, "%.*s", (int)(eq - text), text);
    axis->kind = kind_of(axis->key);
    struct list l = { .arena = a, .err = e, .key = axis->key };
    for (const char *p = eq + 1;; p++) {
        size_t n = word_length(p);
        if (push_word(&l, sim_arena_printf(a, "%.*s", (int)n, p), dir) != SIM_OK)
            return SIM_E_INPUT;
        p += n;
        if (!*p)
            break;
    }
    axis->n = l.n;
    axis->value = l.value;
    ana_axis_numbers(axis, a);
    return SIM_OK;
}
