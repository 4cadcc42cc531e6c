/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_sens_print.c: the inputs by how far they move a metric.
 */
#include "ana_sweep_answer.h"

#include "ana_sweep_effect.h"

#include <math.h>
#include <string.h>

static void put_change(FILE *f, double v)
{
    if (isnan(v))
        fprintf(f, "  %9s", "-");
    else
        fprintf(f, "  %+8.2f%%", 100 * v);
}

static void print_list(FILE *f, const struct ana_effects *fx, uint64_t top, double share)
{
    const struct ana_effect *list = fx->list;
    size_t w = 5;
    unsigned shown = top && top < fx->n ? (unsigned)top : fx->n;
    for (unsigned i = 0; i < shown; i++)
        w = strlen(list[i].key) > w ? strlen(list[i].key) : w;
    fprintf(f, "%-*s  %8.0f%%  %+8.0f%%\n", (int)w, "input", -100 * share, 100 * share);
    for (unsigned i = 0; i < shown && list[i].most > 0; i++) {
        fprintf(f, "%-*s", (int)w, list[i].key);
        put_change(f, list[i].low);
        put_change(f, list[i].high);
        fputc('\n', f);
    }
    fprintf(f, "\n%u inputs, %u of them without effect\n", fx->n, fx->still);
}

int ana_sens_print(FILE *f, const struct ana_plan *plan, struct ana_journal *j,
                   const struct ana_metric_ref *metric, uint64_t top, struct sim_err *e)
{
    struct ana_point p = { 0 };
    struct ana_effects fx;
    char text[64];
    int rc = SIM_OK;
    ana_effects_init(&fx, &plan->space.axis[0]);
    for (unsigned k = 0; rc == SIM_OK && k < fx.axis->n; k++) {
        if (!ana_journal_has(j, k))
            continue;
        rc = ana_journal_point(j, plan, k, &p, e);
        if (rc == SIM_OK)
            ana_effects_add(&fx, k, ana_metric_of(metric, &p));
    }
    if (rc == SIM_OK && isnan(fx.base))
        rc = sim_fail(e, SIM_E_NO, "the layout itself gives no %s: %s",
                      ana_metrics[metric->metric].name,
                      p.reason[0] ? p.reason : "too few I/Os for it, simulate longer");
    if (rc == SIM_OK) {
        ana_effects_sort(&fx);
        fprintf(f, "%s%s%s of the layout as it is: %s\n", ana_metrics[metric->metric].name,
                metric->job[0] ? "@" : "", metric->job,
                ana_metric_text(text, sizeof text, metric->metric, fx.base));
        print_list(f, &fx, top, plan->sensitivity);
    }
    ana_point_fini(&p);
    ana_effects_fini(&fx);
    return rc;
}
