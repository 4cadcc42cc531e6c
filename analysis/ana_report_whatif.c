/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_whatif.c: what would help, on the page.
 */
#include "ana_report.h"

#include "ana_whatif.h"

#include <math.h>
#include <string.h>

#include "ana_view.h"

static double most(const struct ana_whatif *w, const struct ana_change *c)
{
    double best = -1;
    for (unsigned i = 0; i < w->njobs; i++)
        best = fmax(best, ana_change_gain(w, c, i));
    return c->status == SIM_OK ? best : -2;
}

static bool harmless(const struct ana_whatif *w, const struct ana_change *c)
{
    for (unsigned i = 0; i < w->njobs; i++)
        if (ana_change_gain(w, c, i) < -w->precision)
            return false;
    return true;
}

/* The change one can make that lifts a job most, by more than the precision, and
 * costs no other more than that; NULL: none. */
static const struct ana_change *best_for(const struct ana_whatif *w, unsigned job)
{
    const struct ana_change *best = NULL;
    double gain = w->precision;
    for (unsigned i = 0; i < w->nchanges; i++)
        if (w->change[i].kind != ANA_CHANGE_SOFTWARE && harmless(w, &w->change[i]) &&
            ana_change_gain(w, &w->change[i], job) > gain) {
            gain = ana_change_gain(w, &w->change[i], job);
            best = &w->change[i];
        }
    return best;
}

/* What the change costs another job, where it does. */
static void harm(struct ana_report *r, const struct ana_whatif *w, const struct ana_change *c)
{
    unsigned worst = 0;
    for (unsigned i = 1; i < w->njobs; i++)
        if (ana_change_gain(w, c, i) < ana_change_gain(w, c, worst))
            worst = i;
    if (ana_change_gain(w, c, worst) >= -w->precision)
        return;
    fputs(", but ", r->page.html);
    ana_page_text(&r->page, w->job[worst]);
    fprintf(r->page.html, " %+.0f %%", 100 * ana_change_gain(w, c, worst));
}

/* "change: job +95 %, job +90 %" of the jobs it is best for. */
static unsigned best_sentence(struct ana_report *r, const struct ana_whatif *w,
                              const struct ana_change *c)
{
    unsigned n = 0;
    for (unsigned i = 0; i < w->njobs; i++) {
        if (best_for(w, i) != c)
            continue;
        if (n++ == 0) {
            fputs("<li><strong>", r->page.html);
            ana_page_text(&r->page, c->title);
            fputs("</strong>: ", r->page.html);
        } else {
            fputs(", ", r->page.html);
        }
        ana_page_text(&r->page, w->job[i]);
        fprintf(r->page.html, " %+.0f %%", 100 * ana_change_gain(w, c, i));
    }
    fputs(n ? "</li>\n" : "", r->page.html);
    return n;
}

/* The largest gain of any change of a kind: NULL when there is no such change. */
static const struct ana_change *largest(const struct ana_whatif *w, int kind, unsigned *job)
{
    const struct ana_change *which = NULL;
    for (unsigned i = 0; i < w->nchanges; i++)
        for (unsigned k = 0; k < w->njobs; k++) {
            const struct ana_change *c = &w->change[i];
            if (c->kind != kind || c->status != SIM_OK ||
                (which && ana_change_gain(w, c, k) <= ana_change_gain(w, which, *job)))
                continue;
            which = c;
            *job = k;
        }
    return which;
}

static void kind_sentence(struct ana_report *r, const struct ana_whatif *w, int kind,
                          const char *what)
{
    unsigned job = 0;
    const struct ana_change *c = largest(w, kind, &job);
    if (!c)
        return;
    double gain = ana_change_gain(w, c, job);
    fprintf(r->page.html, "<li>%s: %sat the most %+.1f %% (", what,
            gain > w->precision ? "" : "<strong>no</strong>, ", 100 * gain);
    ana_page_text(&r->page, w->job[job]);
    fputs(", ", r->page.html);
    ana_page_text(&r->page, c->title);
    fputs(")", r->page.html);
    harm(r, w, c);
    fputs("</li>\n", r->page.html);
}

void ana_report_whatif_lead(struct ana_report *r)
{
    const struct ana_whatif *w = r->whatif;
    unsigned n = 0;
    if (!w)
        return;
    fputs("<p>What would help ", r->page.html);
    ana_page_text(&r->page, w->layout_name);
    fputs(" (each change alone, simulated):</p>\n<ul>\n", r->page.html);
    for (unsigned i = 0; i < w->nchanges; i++)
        n += best_sentence(r, w, &w->change[i]);
    kind_sentence(r, w, ANA_CHANGE_DRIVES, "faster or other drives");
    kind_sentence(r, w, ANA_CHANGE_SOFTWARE, "software one cannot buy");
    if (n < w->njobs) {
        fprintf(r->page.html, "<li>nothing one can change here lifts these by more than %.0f %%: ",
                100 * w->precision);
        for (unsigned i = 0, k = 0; i < w->njobs; i++)
            if (!best_for(w, i)) {
                fputs(k++ ? ", " : "", r->page.html);
                ana_page_text(&r->page, w->job[i]);
            }
        fputs("</li>\n", r->page.html);
    }
    fputs("</ul>\n", r->page.html);
}

/* IOPS, or the latency where IOPS do not tell (a job with a rate). */
static void cell(struct ana_report *r, const struct ana_whatif *w, const struct ana_change *c,
                 unsigned job)
{
    double gain = 100 * ana_change_gain(w, c, job);
    double mean = w->base.mean_ns[job] > 0 ? 100 * (c->mean_ns[job] / w->base.mean_ns[job] - 1) : 0;
    const char *class = fabs(gain) > 100 * w->precision ? "" : " u";
    if (fabs(gain) < 1 && fabs(mean) > 100 * w->precision)
        fprintf(r->page.html, "<td class=\"n\">latency %+.0f %%</td>", mean);
    else
        fprintf(r->page.html, "<td class=\"n%s\">%+.1f %%</td>", class, gain);
}

static void row(struct ana_report *r, const struct ana_whatif *w, const struct ana_change *c)
{
    fputs("<tr><td class=\"w\">", r->page.html);
    ana_page_text(&r->page, c->title);
    fputs("</td>", r->page.html);
    if (c->status == SIM_OK) {
        for (unsigned i = 0; i < w->njobs; i++)
            cell(r, w, c, i);
    } else {
        fprintf(r->page.html, "<td colspan=\"%u\">%s: ", w->njobs,
                c->status == SIM_E_NO ? "refused" : "does not run");
        ana_page_text(&r->page, c->reason);
        fputs("</td>", r->page.html);
    }
    fputs("</tr>\n", r->page.html);
}

static double whole_iops(const struct hci_result *x, const char *job)
{
    for (unsigned i = 0; i < x->njobs; i++)
        if (strcmp(x->jobs[i].name, job) == 0)
            return ana_job_iops(&x->jobs[i]);
    return 0;
}

void ana_report_whatif(struct ana_report *r)
{
    const struct ana_whatif *w = r->whatif;
    const struct ana_change *order[ANA_CHANGES_MAX];
    FILE *f = r->page.html;
    fputs("<h3>What would help, simulated again</h3>\n<div class=\"wide\"><table>\n<tr><th>one "
          "change</th>", f);
    for (unsigned i = 0; i < w->njobs; i++) {
        fputs("<th class=\"n\">", f);
        ana_page_text(&r->page, w->job[i]);
        fputs("</th>", f);
    }
    fputs("</tr>\n<tr><td>as it is, IOPS in the whole run</td>", f);
    for (unsigned i = 0; i < w->njobs; i++)
        fprintf(f, "<td class=\"n\">%.0f</td>", whole_iops(r->runs[0], w->job[i]));
    fputs("</tr>\n<tr><td>as it is, IOPS in the time compared here</td>", f);
    for (unsigned i = 0; i < w->njobs; i++)
        fprintf(f, "<td class=\"n\">%.0f</td>", w->base.iops[i]);
    fputs("</tr>\n", f);
    for (unsigned i = 0; i < w->nchanges; i++) { /* most first; of equals as they were tried */
        unsigned at = i;
        for (; at > 0 && most(w, order[at - 1]) < most(w, &w->change[i]); at--)
            order[at] = order[at - 1];
        order[at] = &w->change[i];
    }
    for (unsigned i = 0; i < w->nchanges; i++)
        row(r, w, order[i]);
    fprintf(f, "</table></div>\n<p>Change of IOPS against the layout as it is, with the same I/Os "
               "and the same luck; jobs cut to %s of simulated time, so caches and logs that fill "
               "later do not show (where the first two rows differ, the job's state moves on behind "
               "that). Grey: within the %.0f %% that one such run may be off. Changes "
               "are tried one at a time: two together may give more, or less, than their sum. "
               "\"Twice as fast\" is a question to the model, not a product.</p>\n",
            w->runtime, 100 * w->precision);
}
