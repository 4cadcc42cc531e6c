/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_compare.c: measured beside simulated, on the page.
 */
#include "ana_report.h"

#include "ana_load.h"
#include "ana_view.h"

static void metrics(struct ana_report *r, const struct ana_pair *p)
{
    FILE *f = r->page.html;
    fputs("<div class=\"wide\"><table>\n<tr><th></th><th class=\"n\">simulated</th>"
          "<th class=\"n\">measured</th><th class=\"n\">ratio</th><th>verdict</th></tr>\n", f);
    for (int i = 0; i < ANA_METRICS; i++) {
        const struct ana_metric *m = &p->m[i];
        if (m->verdict == ANA_V_ABSENT)
            continue;
        fprintf(f, "<tr><td>%s %s</td><td class=\"n\">%.2f</td><td class=\"n\">%.2f</td>"
                   "<td class=\"n\">%.3f</td><td>%s</td></tr>\n", ana_metric_names[i],
                ana_metric_units[i], m->sim, m->measured, m->ratio, ana_verdict_names[m->verdict]);
    }
    fputs("</table></div>\n", f);
}

static void quantile_chart(struct ana_report *r, const struct ana_pair *p)
{
    FILE *f = r->page.script;
    char title[400];
    snprintf(title, sizeof title, "%s, %s: quantile by quantile", p->sim->name,
             ana_dir_names[p->dir]);
    if (p->nq < 3 || !ana_chart_begin(&r->page, title, 300))
        return;
    fputs("$q << EOD\n", f);
    for (unsigned i = 0; i < p->nq; i++)
        fprintf(f, "%.6g %.6g\n", p->q[i].measured_us, p->q[i].sim_us);
    fputs("EOD\n", f);
    const struct ana_quantile *low = &p->q[0], *high = &p->q[p->nq - 1];
    ana_chart_log_axis(&r->page, 'x', low->measured_us, high->measured_us);
    ana_chart_log_axis(&r->page, 'y', low->sim_us, high->sim_us);
    fputs("set xlabel 'measured, us'\nset ylabel 'simulated, us'\n"
          "plot $q using 1:2 with lines ", f);
    ana_chart_style(&r->page, 0, false);
    fputs(", x with lines ", f);
    ana_chart_style(&r->page, 5, true);
    ana_chart_key(&r->page, 0, ANA_KEY_LINE, "quantiles 1 % to 99.99 %");
    ana_chart_key(&r->page, 5, ANA_KEY_DASHED, "equal");
    ana_chart_end(&r->page);
}

static void pair(struct ana_report *r, const struct ana_pair *p)
{
    FILE *f = r->page.html;
    fputs("<h3>", f);
    ana_page_text(&r->page, p->sim->name);
    fprintf(f, ", %s</h3>\n<p>Measured: ", ana_dir_names[p->dir]);
    ana_page_text(&r->page, p->file);
    fputs(", job ", f);
    ana_page_text(&r->page, p->measured->name);
    fprintf(f, " (matched by %s). Mean of %s, percentiles of %s.",
            p->by_options ? "options" : "name", p->mean_kind, p->kind);
    if (p->has_ks)
        fprintf(f, " Kolmogorov-Smirnov distance %.4f.", p->ks);
    fputs("</p>\n<div class=\"charts\">", f);
    metrics(r, p);
    quantile_chart(r, p);
    fputs("</div>\n", f);
}

int ana_report_compare(struct ana_report *r, struct sim_err *e)
{
    struct ana_measured *sim;
    struct ana_comparison c;
    int rc = ana_load_result(&sim, r->runs[0], r->paths[0], e);
    if (rc != SIM_OK)
        return rc;
    rc = ana_compare(&c, sim, r->paths[0], r->measured, r->nmeasured, 0, e);
    fputs("<h2>Measured beside simulated</h2>\n", r->page.html);
    if (c.nfindings > 0)
        fputs("<p class=\"bad\">The measurement is suspect:</p>\n<ul>\n", r->page.html);
    for (unsigned i = 0; i < c.nfindings; i++) {
        fputs("<li>", r->page.html);
        ana_page_text(&r->page, c.findings[i].job);
        fputs(": ", r->page.html);
        ana_page_text(&r->page, c.findings[i].text);
        fputs("</li>\n", r->page.html);
    }
    fputs(c.nfindings > 0 ? "</ul>\n" : "", r->page.html);
    for (unsigned i = 0; i < c.npairs; i++)
        pair(r, &c.pairs[i]);
    for (unsigned i = 0; i < c.nnotes; i++) {
        fputs("<p>", r->page.html);
        ana_page_text(&r->page, c.notes[i]);
        fputs("</p>\n", r->page.html);
    }
    ana_comparison_free(&c);
    ana_measured_free(sim);
    return rc;
}
