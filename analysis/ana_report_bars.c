/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_bars.c: several runs beside each other as bars.
 *
 * Lengths are from 0, so that equal looks equal; what differs is drawn a second
 * time, as the change against the first run.
 */
#include "ana_report.h"

#include <math.h>
#include <string.h>

#include "ana_num.h"
#include "ana_view.h"

#define AXIS_MIN 10.0 /* percent: smaller changes stay small to the eye */

enum four { FOUR_BW, FOUR_IOPS, FOUR_MEAN, FOUR_P99 };

/* Of read, write and trim together; NaN: not known. */
static double four_value(const struct hci_job_result *j, enum four what)
{
    struct hci_dir_result all; /* 60 kB */
    if (!j)
        return NAN;
    if (what == FOUR_BW)
        return ana_job_bw_Bps(j) / 1e6;
    if (what == FOUR_IOPS)
        return ana_job_iops(j);
    ana_dir_merge(j, &all);
    if (what == FOUR_P99 && !ana_resolved(ana_dir_simulated(&all, &all.clat), 99))
        return NAN; /* no bar: fewer than 100 samples beyond it */
    return (what == FOUR_MEAN ? ana_moments_mean(&all.lat_m)
                              : (double)sim_hist_percentile(&all.clat, 99)) / 1e3;
}

static double change(const struct ana_report *r, unsigned run, const char *job, enum four what)
{
    double a = four_value(ana_report_same_job(r->runs[0], job), what);
    double b = four_value(ana_report_same_job(r->runs[run], job), what);
    return a > 0 && !isnan(b) ? 100 * (b / a - 1) : NAN;
}

static void number(FILE *f, double v)
{
    if (isnan(v))
        fputs(" 0", f);
    else
        fprintf(f, " %.6g", v);
}

static void bars(struct ana_report *r, unsigned from)
{
    FILE *f = r->page.script;
    fputs("EOD\nset style data histograms\nset style histogram clustered gap 1\nset boxwidth 0.9\n"
          "set format y '%g'\nset xtics rotate by -35 noenhanced\nset grid noxtics\nplot ", f);
    for (unsigned k = from; k < r->nruns; k++) {
        fprintf(f, "%s$f using %u%s fs solid 0.9 noborder ", k > from ? ", " : "", k - from + 2,
                k > from ? "" : ":xtic(1)");
        ana_chart_style(&r->page, k, false);
        ana_chart_key(&r->page, k, ANA_KEY_BOX, r->label[k]);
    }
    ana_chart_end(&r->page);
}

static void four_chart(struct ana_report *r, enum four what, const char *title)
{
    FILE *f = r->page.script;
    const struct hci_result *first = r->runs[0];
    if (!ana_chart_begin(&r->page, title, 300))
        return;
    fputs("set yrange [0:*]\n$f << EOD\n", f);
    for (unsigned i = 0; i < first->njobs; i++) {
        ana_chart_word(f, first->jobs[i].name);
        for (unsigned k = 0; k < r->nruns; k++)
            number(f, four_value(ana_report_same_job(r->runs[k], first->jobs[i].name), what));
        fputc('\n', f);
    }
    bars(r, 0);
}

static void change_chart(struct ana_report *r, enum four what, const char *name)
{
    FILE *f = r->page.script;
    const struct hci_result *first = r->runs[0];
    char title[200];
    double most = AXIS_MIN;
    snprintf(title, sizeof title, "%s: change against %.95s, %%", name, r->label[0]);
    if (!ana_chart_begin(&r->page, title, 300))
        return;
    for (unsigned i = 0; i < first->njobs; i++)
        for (unsigned k = 1; k < r->nruns; k++)
            most = fmax(most, fabs(change(r, k, first->jobs[i].name, what)));
    fprintf(f, "set yrange [%.6g:%.6g]\nset xzeroaxis lt 1 lc rgb '#888888' lw 1\n$f << EOD\n",
            -1.1 * most, 1.1 * most);
    for (unsigned i = 0; i < first->njobs; i++) {
        ana_chart_word(f, first->jobs[i].name);
        for (unsigned k = 1; k < r->nruns; k++)
            number(f, change(r, k, first->jobs[i].name, what));
        fputc('\n', f);
    }
    bars(r, 1);
}

void ana_chart_four(struct ana_report *r)
{
    fprintf(r->page.html, "<div class=\"charts\">\n");
    change_chart(r, FOUR_IOPS, "IOPS");
    change_chart(r, FOUR_P99, "p99 latency");
    four_chart(r, FOUR_BW, "Bandwidth, MB/s");
    four_chart(r, FOUR_IOPS, "IOPS");
    four_chart(r, FOUR_MEAN, "Mean latency, us");
    four_chart(r, FOUR_P99, "p99 latency, us");
    fprintf(r->page.html, "</div>\n");
}
