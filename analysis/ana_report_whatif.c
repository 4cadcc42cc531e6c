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

/* A job whose whole run shows other IOPS than the cut one: its state moves on. */
static bool drifts(const struct ana_report *r, unsigned job)
{
    const struct hci_job_result *j = ana_report_same_job(r->runs[0], r->whatif->job[job]);
    double whole = j ? ana_job_iops(j) : 0;
    return whole > 0 && fabs(r->whatif->base.iops[job] / whole - 1) > r->whatif->precision;
}

static const char *mark(const struct ana_report *r, unsigned job)
{
    return drifts(r, job) ? "&dagger;" : "";
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
        if (w->change[i].kind < ANA_CHANGE_SOFTWARE && harmless(w, &w->change[i]) &&
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
    fputs("; but ", r->page.html);
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
            fputs("</strong>", r->page.html);
            if (c->price_eur > 0)
                fprintf(r->page.html, " (EUR %.0f)", c->price_eur);
            fputs(": ", r->page.html);
        } else {
            fputs(", ", r->page.html);
        }
        ana_page_text(&r->page, w->job[i]);
        fprintf(r->page.html, "%s %+.0f %%", mark(r, i), 100 * ana_change_gain(w, c, i));
    }
    fputs(n ? "</li>\n" : "", r->page.html);
    return n;
}

static bool named(const struct ana_whatif *w, const struct ana_change *c)
{
    for (unsigned i = 0; i < w->njobs; i++)
        if (best_for(w, i) == c)
            return true;
    return false;
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
    if (!c || named(w, c))
        return;
    double gain = ana_change_gain(w, c, job);
    fprintf(r->page.html, "<li>%s: %sat the most %+.1f %% (", what,
            gain <= w->precision ? "<strong>no</strong>, "
            : !harmless(w, c)    ? "<strong>not without a loss</strong>, " : "", 100 * gain);
    ana_page_text(&r->page, w->job[job]);
    fputs(mark(r, job), r->page.html);
    fputs(", ", r->page.html);
    ana_page_text(&r->page, c->title);
    if (c->price_eur > 0)
        fprintf(r->page.html, ", EUR %.0f", c->price_eur);
    fputs(")", r->page.html);
    harm(r, w, c);
    fputs("</li>\n", r->page.html);
}

static void left_alone(struct ana_report *r, const struct ana_whatif *w)
{
    unsigned n = 0;
    for (unsigned i = 0; i < w->njobs; i++) {
        if (best_for(w, i))
            continue;
        if (n++ == 0)
            fprintf(r->page.html, "<li>nothing one can change here lifts these by more than %.0f %%: ",
                    100 * w->precision);
        else
            fputs(", ", r->page.html);
        ana_page_text(&r->page, w->job[i]);
        fputs(mark(r, i), r->page.html);
    }
    fputs(n ? "</li>\n" : "", r->page.html);
}

/* Ends of one number follow each other. */
static bool same_number(const struct ana_change *a, const struct ana_change *b)
{
    return a->kind == b->kind && a->nsets == 1 && b->nsets == 1 &&
           strcmp(a->sets[0].key, b->sets[0].key) == 0;
}

/* The job two ends move most; *span: how far. */
static unsigned moved_most(const struct ana_whatif *w, const struct ana_change *low,
                           const struct ana_change *high, double *span)
{
    unsigned job = 0;
    *span = 0;
    for (unsigned i = 0; i < w->njobs; i++) {
        double a = ana_change_gain(w, low, i), b = ana_change_gain(w, high, i);
        double d = fmax(fmax(a, b), 0) - fmin(fmin(a, b), 0);
        job = d > *span ? i : job;
        *span = fmax(d, *span);
    }
    return job;
}

/* "number, an estimate: at low or high: job -x or +y %" of the job it moves most. */
static void worth(struct ana_report *r, const struct ana_whatif *w, const struct ana_change *low,
                  const struct ana_change *high, unsigned job)
{
    fputs("<li>", r->page.html);
    ana_page_text(&r->page, low == high ? low->title : low->sets[0].key);
    if (low != high) {
        fputs(", an estimate: at ", r->page.html);
        ana_page_text(&r->page, low->sets[0].value);
        fputs(" or ", r->page.html);
        ana_page_text(&r->page, high->sets[0].value);
    }
    fputs(": ", r->page.html);
    ana_page_text(&r->page, w->job[job]);
    fprintf(r->page.html, "%s %+.0f %%", mark(r, job), 100 * ana_change_gain(w, low, job));
    if (low != high)
        fprintf(r->page.html, " or %+.0f %%", 100 * ana_change_gain(w, high, job));
    fputs("</li>\n", r->page.html);
}

static void assumptions(struct ana_report *r, const struct ana_whatif *w)
{
    unsigned n = 0;
    double span;
    for (unsigned i = 0; i < w->nchanges; i++) {
        const struct ana_change *low = &w->change[i], *high = low;
        if (low->kind != ANA_CHANGE_ASSUMED)
            continue;
        if (i + 1 < w->nchanges && same_number(low, low + 1))
            high = &w->change[++i];
        unsigned job = moved_most(w, low, high, &span);
        if (span <= w->precision)
            continue;
        if (n++ == 0)
            fputs("<p>What that is worth (simulated; of all estimates those that move the jobs most, and "
                  "the IOPS of the job each moves most):</p>\n<ul>\n", r->page.html);
        worth(r, w, low, high, job);
    }
    fputs(n ? "</ul>\n" : "", r->page.html);
}

static void drift_note(struct ana_report *r, const struct ana_whatif *w)
{
    for (unsigned i = 0; i < w->njobs; i++)
        if (drifts(r, i)) {
            fputs("<p>&dagger; Not comparable with the whole run: see \"What would help\" "
                  "below.</p>\n", r->page.html);
            return;
        }
}

void ana_report_whatif_lead(struct ana_report *r)
{
    const struct ana_whatif *w = r->whatif;
    if (!w)
        return;
    assumptions(r, w);
    fputs("<p>What would help ", r->page.html);
    ana_page_text(&r->page, w->layout_name);
    fputs(" (each change alone, simulated; IOPS):</p>\n<ul>\n", r->page.html);
    for (unsigned i = 0; i < w->nchanges; i++)
        best_sentence(r, w, &w->change[i]);
    kind_sentence(r, w, ANA_CHANGE_DRIVES, "faster or other drives");
    kind_sentence(r, w, ANA_CHANGE_SOFTWARE, "software, not for sale");
    left_alone(r, w);
    fputs("</ul>\n", r->page.html);
    drift_note(r, w);
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
    if (c->price_eur > 0)
        fprintf(r->page.html, "</td><td class=\"n\">%.0f</td>", c->price_eur);
    else
        fputs("</td><td class=\"n\">-</td>", r->page.html);
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

/* Within the precision everywhere, IOPS and latency. */
static bool idle(const struct ana_whatif *w, const struct ana_change *c)
{
    for (unsigned i = 0; i < w->njobs; i++)
        if (fabs(ana_change_gain(w, c, i)) > w->precision ||
            (w->base.mean_ns[i] > 0 && fabs(c->mean_ns[i] / w->base.mean_ns[i] - 1) > w->precision))
            return false;
    return c->status == SIM_OK;
}

/* Rows of the kinds from..to, most first; of equals as they were tried. */
static void rows(struct ana_report *r, const struct ana_whatif *w, const char *title, int from,
                 int to)
{
    const struct ana_change *order[ANA_CHANGES_MAX];
    unsigned n = 0;
    for (unsigned i = 0; i < w->nchanges; i++) {
        const struct ana_change *c = &w->change[i];
        unsigned at = n;
        if (c->kind < from || c->kind > to || idle(w, c))
            continue;
        for (; from != ANA_CHANGE_ASSUMED && at > 0 && most(w, order[at - 1]) < most(w, c); at--)
            order[at] = order[at - 1];
        order[at] = c;
        n++;
    }
    if (n > 0)
        fprintf(r->page.html, "<tr><th colspan=\"%u\">%s</th></tr>\n", w->njobs + 2, title);
    for (unsigned i = 0; i < n; i++)
        row(r, w, order[i]);
}

static void idle_ones(struct ana_report *r, const struct ana_whatif *w)
{
    unsigned n = 0;
    for (unsigned i = 0; i < w->nchanges; i++) {
        if (!idle(w, &w->change[i]))
            continue;
        fputs(n++ ? "; " : "<p>Tried, and within the precision in every job: ", r->page.html);
        ana_page_text(&r->page, w->change[i].title);
    }
    fputs(n ? ".</p>\n" : "", r->page.html);
}

/* What arithmetic alone allows: the largest component of each job's latency at no cost. */
static void bounds(struct ana_report *r, const struct ana_whatif *w)
{
    fputs("<tr><td class=\"w\">at the most, were the largest component of its latency "
          "free</td><td class=\"n\">-</td>", r->page.html);
    for (unsigned i = 0; i < w->njobs; i++) {
        double share = 0;
        int part = ana_report_largest_share(r->runs[0], w->job[i], &share);
        if (part < 0 || share > 0.99) {
            fputs("<td class=\"n\">-</td>", r->page.html);
            continue;
        }
        fprintf(r->page.html, "<td class=\"n\">%+.0f %%<br>", 100 / (1 - share) - 100);
        ana_page_text(&r->page, r->runs[0]->part_name[part]);
        fputs("</td>", r->page.html);
    }
    fputs("</tr>\n", r->page.html);
}

static void drifting(struct ana_report *r, const struct ana_whatif *w)
{
    for (unsigned i = 0; i < w->njobs; i++) {
        const struct hci_job_result *j = ana_report_same_job(r->runs[0], w->job[i]);
        if (!drifts(r, i))
            continue;
        fputs("<p>&dagger; ", r->page.html);
        ana_page_text(&r->page, w->job[i]);
        fprintf(r->page.html, ": not comparable with the whole run, which gave %.0f IOPS: the job is cut "
                              "before its state (caches, write log, drives) has come to rest, or "
                              "follows jobs that were cut.", ana_job_iops(j));
        if (j->nwarnings > 0) {
            fputs(" In the whole run: ", r->page.html);
            ana_page_text(&r->page, j->warnings[0]);
            fputs(".", r->page.html);
        }
        fputs("</p>\n", r->page.html);
    }
}

void ana_report_whatif(struct ana_report *r)
{
    const struct ana_whatif *w = r->whatif;
    FILE *f = r->page.html;
    fputs("<h3>What would help</h3>\n<div class=\"wide\"><table>\n<tr><th>one change, simulated</th>"
          "<th class=\"n\">EUR</th>", f);
    for (unsigned i = 0; i < w->njobs; i++) {
        fputs("<th class=\"n\">", f);
        ana_page_text(&r->page, w->job[i]);
        fprintf(f, "%s</th>", mark(r, i));
    }
    fputs("</tr>\n<tr><td>as it is, IOPS</td><td class=\"n\">-</td>", f);
    for (unsigned i = 0; i < w->njobs; i++)
        fprintf(f, "<td class=\"n\">%.0f%s</td>", w->base.iops[i], mark(r, i));
    fputs("</tr>\n", f);
    rows(r, w, "What one can buy or set", ANA_CHANGE_OTHER, ANA_CHANGE_DRIVES);
    rows(r, w, "What is not for sale", ANA_CHANGE_SOFTWARE, ANA_CHANGE_SOFTWARE);
    bounds(r, w);
    rows(r, w, "What the assumptions are worth", ANA_CHANGE_ASSUMED, ANA_CHANGE_ASSUMED);
    fputs("</table></div>\n", f);
    drifting(r, w);
    idle_ones(r, w);
    fprintf(f, "<p>Change of IOPS against the layout as it is, with the same I/Os and the same luck; jobs "
               "cut to %s of simulated time, so caches and logs that fill later do not show. Grey: "
               "within the %.0f %% that one such run may be off. Changes are tried one at a time: two "
               "together may give more, or less, than their sum. \"Twice as fast\" is a question to "
               "the model, not a product. EUR: the drives of all nodes at the catalogue's street "
               "prices, an estimate; what they replace is not taken off. At the most: arithmetic, at "
               "a fixed queue depth, unless another station fills up first.</p>\n",
            w->runtime, 100 * w->precision);
}
