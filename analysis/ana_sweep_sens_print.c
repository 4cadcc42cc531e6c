/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_sens_print.c: the inputs by how far they move a metric.
 */
#include "ana_sweep_answer.h"

#include "sim_mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct effect { /* of one input, as a share of the base */
    char key[160];
    double low, high; /* NaN: that side was not run or did not work */
    double most;      /* the larger of both, absolute */
    unsigned order;
};

static int by_most(const void *a, const void *b)
{
    const struct effect *x = a, *y = b;
    if (x->most > y->most || x->most < y->most)
        return x->most > y->most ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Which side a value is on: it follows from its neighbour of the same key. */
static void note(struct effect *list, unsigned *n, const char *value, double change, bool lower)
{
    char key[160];
    snprintf(key, sizeof key, "%.*s", (int)strcspn(value, "="), value);
    if (*n == 0 || strcmp(list[*n - 1].key, key) != 0) {
        struct effect fresh = { .low = NAN, .high = NAN, .order = *n };
        memcpy(fresh.key, key, sizeof key);
        list[(*n)++] = fresh;
    }
    struct effect *x = &list[*n - 1];
    *(lower ? &x->low : &x->high) = change;
    if (fabs(change) > x->most)
        x->most = fabs(change);
}

/* The number behind "KEY=". */
static double amount(const char *value)
{
    return strtod(value + strcspn(value, "=") + 1, NULL);
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

static void put_change(FILE *f, double v)
{
    if (isnan(v))
        fprintf(f, "  %9s", "-");
    else
        fprintf(f, "  %+8.2f%%", 100 * v);
}

static void print_list(FILE *f, const struct effect *list, unsigned n, uint64_t top, double share)
{
    size_t w = 5;
    unsigned shown = top && top < n ? (unsigned)top : n, still = 0;
    for (unsigned i = 0; i < shown; i++)
        w = strlen(list[i].key) > w ? strlen(list[i].key) : w;
    fprintf(f, "%-*s  %8.0f%%  %+8.0f%%\n", (int)w, "input", -100 * share, 100 * share);
    for (unsigned i = 0; i < shown && list[i].most > 0; i++) {
        fprintf(f, "%-*s", (int)w, list[i].key);
        put_change(f, list[i].low);
        put_change(f, list[i].high);
        fputc('\n', f);
    }
    for (unsigned i = 0; i < n; i++)
        still += !(list[i].most > 0);
    fprintf(f, "\n%u inputs, %u of them without effect\n", n, still);
}

int ana_sens_print(FILE *f, const struct ana_plan *plan, struct ana_journal *j,
                   const struct ana_metric_ref *metric, uint64_t top, struct sim_err *e)
{
    const struct ana_axis *x = &plan->space.axis[0];
    struct ana_point p = { 0 };
    char text[64];
    double base = NAN;
    unsigned n = 0;
    int rc = SIM_OK;
    struct effect *list = calloc(x->n + 1, sizeof *list);
    if (!list)
        sim_out_of_memory(x->n * sizeof *list);
    for (unsigned k = 0; rc == SIM_OK && k < x->n; k++) {
        if (!ana_journal_has(j, k))
            continue;
        rc = ana_journal_point(j, plan, k, &p, e);
        double v = rc == SIM_OK ? ana_metric_of(metric, &p) : (double)NAN;
        if (k == 0)
            base = v;
        else
            note(list, &n, x->value[k], v / base - 1, is_lower(x, k));
    }
    if (rc == SIM_OK && isnan(base))
        rc = sim_fail(e, SIM_E_NO, "the layout itself gives no %s: %s",
                      ana_metrics[metric->metric].name,
                      p.reason[0] ? p.reason : "too few I/Os for it, simulate longer");
    if (rc == SIM_OK) {
        qsort(list, n, sizeof *list, by_most);
        fprintf(f, "%s%s%s of the layout as it is: %s\n", ana_metrics[metric->metric].name,
                metric->job[0] ? "@" : "", metric->job,
                ana_metric_text(text, sizeof text, metric->metric, base));
        print_list(f, list, n, top, plan->sensitivity);
    }
    ana_point_fini(&p);
    free(list);
    return rc;
}
