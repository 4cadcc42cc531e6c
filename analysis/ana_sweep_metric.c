/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_metric.c: metrics and conditions as people write and read them.
 */
#include "ana_sweep_row.h"

#include "ana_cli.h"
#include "hci_param.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ana_metric_parse(struct ana_metric_ref *m, const char *text, struct sim_err *e)
{
    const char *names[ANA_NMETRICS], *at = strchr(text, '@');
    char name[32];
    size_t n = at ? (size_t)(at - text) : strlen(text);
    snprintf(name, sizeof name, "%.*s", (int)(n < 31 ? n : 31), text);
    snprintf(m->job, sizeof m->job, "%.63s", at ? at + 1 : "");
    for (int i = 0; i < ANA_NMETRICS; i++) {
        names[i] = ana_metrics[i].name;
        m->metric = i;
        if (strcmp(name, names[i]) == 0 || strcmp(name, ana_metrics[i].column) == 0)
            return SIM_OK;
    }
    const char *near = ana_nearest(name, names, ANA_NMETRICS);
    return sim_fail(e, SIM_E_INPUT, "no metric '%s'%s%s", name,
                    near ? "; nearest: " : "; there are iops, bw, mean, p50, p99, p99.9, price...",
                    near ? near : "");
}

int ana_metric_check(const struct ana_metric_ref *m, const char *const *names, unsigned n,
                     struct sim_err *e)
{
    if (m->metric < 0 || !m->job[0])
        return SIM_OK;
    for (unsigned i = 0; i < n; i++)
        if (strncmp(names[i], m->job, sizeof m->job - 1) == 0)
            return SIM_OK;
    const char *near = ana_nearest(m->job, names, n);
    return sim_fail(e, SIM_E_INPUT, "%s@%s: no job '%s'%s%s", ana_metrics[m->metric].name, m->job,
                    m->job, near ? "; nearest: " : n ? "; there is " : "",
                    near ? near : n ? names[0] : "");
}

static double point_value(int metric, const struct ana_point *p)
{
    switch (metric) {
    case ANA_M_PRICE: return p->price_eur;
    case ANA_M_WATTS: return p->watts;
    default: return p->usable_bytes;
    }
}

bool ana_row_unresolved(const struct ana_row *row, int metric)
{
    if (!isnan(row->m[metric]))
        return false;
    switch (metric) {
    case ANA_M_P50:
    case ANA_M_P99:
    case ANA_M_P999:
    case ANA_M_P9999:
        return row->m[ANA_M_IOS] > 0;
    case ANA_M_READ_P99:
        return !isnan(row->m[ANA_M_READ_IOPS]);
    case ANA_M_WRITE_P99:
    case ANA_M_WRITE_P999:
        return !isnan(row->m[ANA_M_WRITE_IOPS]);
    default:
        return false;
    }
}

double ana_metric_of(const struct ana_metric_ref *m, const struct ana_point *p)
{
    bool small_is_worse = ana_metrics[m->metric].better > 0;
    double worst = NAN;
    if (m->metric >= ANA_M_FIRST_OF_POINT)
        return point_value(m->metric, p);
    if (p->status != ANA_POINT_DONE)
        return NAN;
    for (unsigned i = 0; i < p->nrows; i++) {
        double v = p->row[i].m[m->metric];
        if (m->job[0] && strcmp(m->job, p->row[i].job) != 0)
            continue;
        if (ana_row_unresolved(&p->row[i], m->metric))
            return NAN;
        if (isnan(v))
            continue;
        if (isnan(worst) || (small_is_worse ? v < worst : v > worst))
            worst = v;
    }
    return worst;
}

/* The limit behind the operator, in the metric's unit. */
static bool parse_limit(const char *text, const char *unit, double *out)
{
    const char *got;
    if (!ana_quantity(text, out, &got))
        return false;
    if (strcmp(unit, got) == 0)
        return true;
    if (got[0]) { /* 4k of something that is no size: thousands */
        char *end;
        double v = strtod(text, &end);
        bool k = strcmp(end, "k") == 0, mega = strcmp(end, "M") == 0;
        *out = v * (k ? 1e3 : 1e6);
        return (k || mega) && strcmp(unit, "ns") != 0 && strcmp(unit, "B/s") != 0;
    }
    return strcmp(unit, "ns") != 0 && strcmp(unit, "B/s") != 0 && strcmp(unit, "B") != 0;
}

int ana_condition_parse(struct ana_condition *c, const char *text, struct sim_err *e)
{
    size_t n = strcspn(text, "<>");
    char name[128];
    c->text = text;
    if (!text[n] || n == 0 || n >= sizeof name)
        return sim_fail(e, SIM_E_INPUT, "'%.100s' is no condition, write e.g. 'p99<5ms'", text);
    while (n > 1 && text[n - 1] == ' ')
        n--;
    snprintf(name, sizeof name, "%.*s", (int)n, text);
    if (ana_metric_parse(&c->metric, name, e) != SIM_OK)
        return SIM_E_INPUT;
    const char *op = text + strcspn(text, "<>"), *unit = ana_metrics[c->metric.metric].unit;
    c->below = *op == '<';
    c->or_equal = op[1] == '=';
    op += 1 + c->or_equal;
    op += strspn(op, " ");
    if (!parse_limit(op, unit, &c->limit))
        return sim_fail(e, SIM_E_INPUT, "'%.100s': the limit must be a number%s%s", text,
                        strcmp(unit, "ns") == 0    ? " with a unit of time, e.g. 5ms"
                        : strcmp(unit, "B/s") == 0 ? " with a unit, e.g. 500 MB/s"
                        : strcmp(unit, "B") == 0   ? " with a unit, e.g. 2 TB"
                                                   : "", "");
    return SIM_OK;
}

bool ana_condition_holds(const struct ana_condition *c, const struct ana_point *p)
{
    double v = ana_metric_of(&c->metric, p);
    if (isnan(v) || p->status != ANA_POINT_DONE)
        return false;
    if (c->or_equal && !(v < c->limit) && !(v > c->limit))
        return true;
    return c->below ? v < c->limit : v > c->limit;
}

static char *time_text(char *buf, size_t size, double ns)
{
    static const struct {
        double from, unit;
        const char *name;
    } steps[] = { { 1e9, 1e9, "s" }, { 1e6, 1e6, "ms" }, { 1e3, 1e3, "us" }, { 0, 1, "ns" } };
    unsigned i = 0;
    while (ns < steps[i].from)
        i++;
    snprintf(buf, size, "%.4g %s", ns / steps[i].unit, steps[i].name);
    return buf;
}

static char *scaled_text(char *buf, size_t size, double v, const char *unit)
{
    static const char *const prefix[] = { "", "k", "M", "G", "T", "P" };
    unsigned i = 0;
    for (; v >= 9999.5 && i < 5; i++)
        v /= 1000;
    snprintf(buf, size, "%.4g%s%s%s", v, *unit ? " " : "", prefix[i], unit);
    return buf;
}

char *ana_metric_text(char *buf, size_t size, int metric, double value)
{
    const char *unit = ana_metrics[metric].unit;
    if (isnan(value))
        snprintf(buf, size, "-");
    else if (strcmp(unit, "ns") == 0)
        time_text(buf, size, value);
    else if (unit[0] == 'B')
        scaled_text(buf, size, value, unit);
    else if (metric == ANA_M_BUSY)
        snprintf(buf, size, "%.1f %%", 100 * value);
    else if (strcmp(unit, "1/s") == 0)
        snprintf(buf, size, value < 1000 ? "%.4g" : "%.0f", value);
    else
        snprintf(buf, size, "%.6g", value);
    return buf;
}
