/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_sweep_effect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ana_effects_init(struct ana_effects *x, const struct ana_axis *axis)
{
    *x = (struct ana_effects){.axis = axis, .base = NAN};
    x->list = calloc(axis->n + 1, sizeof *x->list);
    if (!x->list)
        sim_out_of_memory(axis->n * sizeof *x->list);
}

void ana_effects_fini(struct ana_effects *x)
{
    free(x->list);
    x->list = NULL;
}

/* The number behind "KEY=". */
static double amount(const char *value)
{
    const char *equals = strchr(value, '=');
    return equals ? strtod(equals + 1, NULL) : 0;
}

/* The first of a pair is the lower one; a single one compares with nothing, and
 * is the lower side only when the next value has the same key. */
static bool is_lower(const struct ana_axis *x, unsigned k)
{
    size_t n = strcspn(x->value[k], "=") + 1;
    bool next = k + 1 < x->n && strncmp(x->value[k], x->value[k + 1], n) == 0;
    bool before = k > 0 && strncmp(x->value[k], x->value[k - 1], n) == 0;
    return next ? amount(x->value[k]) < amount(x->value[k + 1])
                : before ? amount(x->value[k]) < amount(x->value[k - 1]) : false;
}

void ana_effects_add(struct ana_effects *x, unsigned k, double value)
{
    char key[160];
    if (k == 0) {
        x->base = value;
        return;
    }
    double change = value / x->base - 1;
    const char *text = x->axis->value[k];
    snprintf(key, sizeof key, "%.*s", (int)strcspn(text, "="), text);
    if (x->n == 0 || strcmp(x->list[x->n - 1].key, key) != 0) {
        struct ana_effect fresh = { .low = NAN, .high = NAN, .order = x->n };
        memcpy(fresh.key, key, sizeof key);
        x->list[x->n++] = fresh;
    }
    struct ana_effect *y = &x->list[x->n - 1];
    *(is_lower(x->axis, k) ? &y->low : &y->high) = change;
    if (fabs(change) > y->most)
        y->most = fabs(change);
}

static int by_most(const void *a, const void *b)
{
    const struct ana_effect *x = a, *y = b;
    if (x->most > y->most || x->most < y->most)
        return x->most > y->most ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

void ana_effects_sort(struct ana_effects *x)
{
    qsort(x->list, x->n, sizeof *x->list, by_most);
    x->still = 0;
    for (unsigned i = 0; i < x->n; i++)
        x->still += !(x->list[i].most > 0);
}
