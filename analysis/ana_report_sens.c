/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_sens.c: the inputs by how far they move a metric, on a page.
 */
#include "ana_report_sweep.h"

#include "ana_sweep_effect.h"
#include "ana_sweep_file.h"

#include <math.h>

enum { INPUTS = 30 };

static void change(FILE *f, double v, double most)
{
    if (isnan(v))
        fputs("<td class=\"n\">-</td>", f);
    else
        fprintf(f, "<td class=\"n\" style=\"background:linear-gradient(90deg,var(--bar) %.0f%%,"
                   "transparent 0)\">%+.2f %%</td>", most > 0 ? 100 * fabs(v) / most : 0, 100 * v);
}

static void table(struct ana_page *page, const struct ana_effects *fx, double share)
{
    FILE *f = page->html;
    unsigned shown = fx->n < INPUTS ? fx->n : INPUTS;
    fprintf(f, "<div class=\"wide\"><table>\n<tr><th>input</th><th class=\"n\">%.0f %% less</th>"
               "<th class=\"n\">%.0f %% more</th></tr>\n", 100 * share, 100 * share);
    for (unsigned i = 0; i < shown && fx->list[i].most > 0; i++) {
        fputs("<tr><td>", f);
        ana_page_text(page, fx->list[i].key);
        fputs("</td>", f);
        change(f, fx->list[i].low, fx->list[0].most);
        change(f, fx->list[i].high, fx->list[0].most);
        fputs("</tr>\n", f);
    }
    fputs("</table></div>\n", f);
}

static void effects(struct ana_effects *fx, const struct ana_sweep_file *s,
                    const struct ana_metric_ref *m)
{
    ana_effects_init(fx, &s->plan.space.axis[0]);
    for (uint64_t i = 0; i < s->npoints; i++)
        ana_effects_add(fx, s->point[i].index[0], ana_metric_of(m, &s->point[i]));
}

int ana_report_sens(struct ana_page *page, const struct ana_sweep_file *s, const char *metric,
                    struct sim_err *e)
{
    struct ana_metric_ref m;
    struct ana_effects fx;
    char text[64];
    int rc = ana_metric_parse(&m, metric ? metric : "p99", e);
    if (rc != SIM_OK)
        return rc;
    effects(&fx, s, &m);
    if (isnan(fx.base) && !metric) { /* too few samples for a p99 */
        ana_effects_fini(&fx);
        rc = ana_metric_parse(&m, "mean", e);
        effects(&fx, s, &m);
    }
    if (rc == SIM_OK && isnan(fx.base))
        rc = sim_fail(e, SIM_E_NO, "the sensitivity's layout itself gives no %s: %s",
                      ana_metrics[m.metric].name,
                      s->point[0].reason[0] ? s->point[0].reason : "too few samples");
    if (rc == SIM_OK) {
        ana_effects_sort(&fx);
        fprintf(page->html, "<h2>Which input moves the answer</h2>\n<p>%s", ana_metrics[m.metric].name);
        ana_page_text(page, m.job[0] ? " of job " : ", the worst of the jobs");
        ana_page_text(page, m.job);
        fprintf(page->html, ": %s. One input at a time is %.0f %% off, the I/Os and their luck "
                            "stay the same. %u of %u inputs change nothing%s.</p>\n",
                ana_metric_text(text, sizeof text, m.metric, fx.base), 100 * s->plan.sensitivity,
                fx.still, fx.n, fx.n - fx.still > INPUTS ? "; the largest are shown" : "");
        table(page, &fx, s->plan.sensitivity);
    }
    ana_effects_fini(&fx);
    return rc;
}
