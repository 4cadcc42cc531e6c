/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_charts.c: the charts of a report.
 */
#include "ana_report.h"

#include <string.h>

#include "ana_num.h"
#include "ana_view.h"

enum { CURVES = 16 };

static double us(double ns)
{
    return ns / 1000;
}

struct span { /* of the values drawn; lo 0: none yet */
    double lo, hi;
};

static void widen(struct span *s, double v)
{
    s->lo = s->lo == 0 || v < s->lo ? v : s->lo;
    s->hi = v > s->hi ? v : s->hi;
}

static void cdf_data(FILE *f, unsigned id, const struct sim_hist *h, struct span *span)
{
    uint64_t sum = 0;
    fprintf(f, "$d%u << EOD\n", id);
    for (unsigned i = 0; i < SIM_HIST_BINS; i++) {
        if (h->bin[i] == 0)
            continue;
        /* The share above the bin's lower edge: a staircase seen from above. */
        fprintf(f, "%.6g %.6g\n", us((double)sim_hist_lower(i)),
                (double)(h->n - sum) / (double)h->n);
        sum += h->bin[i];
        widen(span, us((double)sim_hist_lower(i) + 1));
    }
    fprintf(f, "EOD\n");
}

static void cdf_chart(struct ana_report *r, const char *name)
{
    char title[400], label[400];
    FILE *f = r->page.script;
    unsigned n = 0, run_of[CURVES], dir_of[CURVES];
    struct span span = {0, 0};
    snprintf(title, sizeof title, "%s: latency distribution", name);
    if (!ana_chart_begin(&r->page, title, 300))
        return;
    for (unsigned k = 0; k < r->nruns; k++) {
        const struct hci_job_result *j = ana_report_same_job(r->runs[k], name);
        for (unsigned d = HCI_DIR_READ; j && d <= HCI_DIR_WRITE && n < CURVES; d++) {
            if (j->dir[d].lat.n == 0)
                continue;
            cdf_data(f, n, &j->dir[d].lat, &span);
            run_of[n] = k;
            dir_of[n++] = d;
        }
    }
    ana_chart_log_axis(&r->page, 'x', span.lo, span.hi);
    fputs("set logscale y\nset xlabel 'latency, us'\nset ylabel 'percentile'\n"
          "set yrange [1:1e-5]\nset ytics ('0' 1, '50' 0.5, '90' 0.1, '99' 0.01, '99.9' 1e-3, "
          "'99.99' 1e-4, '99.999' 1e-5)\nplot ", f);
    for (unsigned i = 0; i < n; i++) {
        snprintf(label, sizeof label, "%s%s%s", ana_dir_names[dir_of[i]], r->nruns > 1 ? " " : "",
                 r->nruns > 1 ? r->label[run_of[i]] : "");
        fprintf(f, "%s$d%u using 1:2 with lines ", i ? ", " : "", i);
        unsigned style = r->nruns > 1 ? run_of[i] : dir_of[i];
        bool dashed = dir_of[i] == HCI_DIR_WRITE;
        ana_chart_style(&r->page, style, dashed);
        ana_chart_key(&r->page, style, dashed ? ANA_KEY_DASHED : ANA_KEY_LINE, label);
    }
    if (n == 0)
        fputs("1/0", f);
    ana_chart_end(&r->page);
}

void ana_chart_cdfs(struct ana_report *r)
{
    fprintf(r->page.html, "<div class=\"charts\">\n");
    for (unsigned i = 0; i < r->runs[0]->njobs; i++)
        cdf_chart(r, r->runs[0]->jobs[i].name);
    fprintf(r->page.html, "</div>\n");
}

static bool part_used(const struct hci_result *r, unsigned part)
{
    for (unsigned i = 0; i < r->njobs; i++)
        for (int d = HCI_DIR_READ; d <= HCI_DIR_WRITE; d++) {
            const struct hci_dir_result *x = &r->jobs[i].dir[d];
            double mean = ana_moments_mean(&x->lat_m);
            if (x->ios && (x->mean[part].wait_ns + x->mean[part].service_ns) > mean / 200)
                return true;
        }
    return false;
}

void ana_chart_word(FILE *f, const char *s)
{
    for (; *s; s++) /* a data file splits at blanks and quotes */
        fputc((unsigned char)*s <= ' ' || *s == '"' || *s == '\\' || *s == '#' ? '_' : *s, f);
}

static unsigned breakdown_rows(struct ana_report *r, const struct hci_result *x,
                               const unsigned *parts, unsigned nparts)
{
    FILE *f = r->page.script;
    char label[96];
    unsigned rows = 0;
    fputs("$b << EOD\n", f);
    for (unsigned i = 0; i < x->njobs; i++)
        for (int d = HCI_DIR_READ; d <= HCI_DIR_WRITE; d++) {
            const struct hci_dir_result *y = &x->jobs[i].dir[d];
            double mean = ana_moments_mean(&y->lat_m);
            if (y->ios == 0 || mean <= 0)
                continue;
            snprintf(label, sizeof label, "%.40s %s", x->jobs[i].name, d ? "W" : "R");
            ana_chart_word(f, label);
            for (unsigned p = 0; p < nparts; p++)
                fprintf(f, " %.4f %.4f", 100 * y->mean[parts[p]].service_ns / mean,
                        100 * y->mean[parts[p]].wait_ns / mean);
            fputc('\n', f);
            rows++;
        }
    fputs("EOD\n", f);
    return rows;
}

void ana_chart_breakdown(struct ana_report *r, unsigned run)
{
    const struct hci_result *x = r->runs[run];
    unsigned parts[HCI_PARTS], n = 0;
    char label[64];
    FILE *f = r->page.script;
    for (unsigned p = 0; p < x->nparts && p < HCI_PARTS; p++)
        if (part_used(x, p))
            parts[n++] = p;
    if (n == 0 || !ana_chart_begin(&r->page, "Where the time goes: share of the mean latency; "
                                             "pale: waiting for it", 320))
        return;
    unsigned rows = breakdown_rows(r, x, parts, n);
    fprintf(f, "set style data histograms\nset style histogram rowstacked\nset boxwidth 0.8\n"
               "set yrange [0:100]\nset ylabel '%%'\nset xtics rotate by -35 noenhanced\n"
               "set xrange [-0.6:%.1f]\nplot ", (double)rows - 0.4);
    for (unsigned p = 0; p < n; p++) {
        fprintf(f, "%s$b using %u", p ? ", " : "", 2 * p + 2);
        if (p == 0)
            fputs(":xtic(1)", f);
        fputs(" fs transparent solid 1 noborder ", f);
        ana_chart_style(&r->page, p, false);
        fprintf(f, ", $b using %u fs transparent solid 0.35 noborder ", 2 * p + 3);
        ana_chart_style(&r->page, p, false);
        snprintf(label, sizeof label, "%s", x->part_name[parts[p]]);
        ana_chart_key(&r->page, p, ANA_KEY_TWO, label);
    }
    ana_chart_end(&r->page);
}

static double at_s(const struct hci_job_result *j, unsigned i)
{
    return (double)(j->ramp_end_ns + (i + 1) * j->interval_ns) / 1e9;
}

static void series_data(FILE *f, const struct hci_result *x, int d, bool latency,
                        struct span *span)
{
    fprintf(f, "$s%d << EOD\n0 NaN\n", d);
    for (unsigned k = 0; k < x->njobs; k++) {
        const struct hci_job_result *j = &x->jobs[k];
        double seconds = j->interval_ns ? (double)j->interval_ns / 1e9 : 1;
        for (unsigned i = 0; i < j->dir[d].nintervals; i++) {
            const struct hci_interval *v = &j->dir[d].intervals[i];
            if (v->ios == 0)
                continue;
            double y = latency ? us((double)v->lat_sum_ns / (double)v->ios)
                               : (double)v->ios / seconds;
            fprintf(f, "%.6g %.6g\n", at_s(j, i), y);
            widen(span, y);
        }
        fputc('\n', f); /* a gap between jobs */
    }
    fputs("EOD\n", f);
}

static void series_chart(struct ana_report *r, unsigned run, bool latency)
{
    const struct hci_result *x = r->runs[run];
    struct span span = {0, 0};
    FILE *f = r->page.script;
    if (!ana_chart_begin(&r->page, latency ? "Mean latency over simulated time, us"
                                           : "IOPS over simulated time", 230))
        return;
    for (int d = HCI_DIR_READ; d <= HCI_DIR_WRITE; d++)
        series_data(f, x, d, latency, &span);
    ana_chart_log_axis(&r->page, 'y', span.lo, span.hi);
    fprintf(f, "set xlabel 'simulated time, s'\nplot $s0 using 1:2 with lines ");
    ana_chart_style(&r->page, 0, false);
    fputs(", $s1 using 1:2 with lines ", f);
    ana_chart_style(&r->page, 1, true);
    ana_chart_key(&r->page, 0, ANA_KEY_LINE, "read");
    ana_chart_key(&r->page, 1, ANA_KEY_DASHED, "write");
    ana_chart_end(&r->page);
}

/* Whether a quantity ever moves; those that stay 0 are not drawn. */
static bool state_moves(const struct hci_result *x, const char *name)
{
    for (unsigned k = 0; k < x->njobs; k++)
        for (unsigned s = 0; s < x->jobs[k].nstates; s++)
            for (unsigned i = 0; i < x->jobs[k].states[s].n; i++)
                if (strcmp(x->jobs[k].states[s].name, name) == 0 &&
                    x->jobs[k].states[s].value[i] > 0)
                    return true;
    return false;
}

static void state_data(FILE *f, const struct hci_result *x, const char *name, unsigned id)
{
    fprintf(f, "$q%u << EOD\n", id);
    for (unsigned k = 0; k < x->njobs; k++)
        for (unsigned s = 0; s < x->jobs[k].nstates; s++) {
            const struct hci_state_series *v = &x->jobs[k].states[s];
            for (unsigned i = 0; strcmp(v->name, name) == 0 && i < v->n; i++)
                fprintf(f, "%.6g %.6g\n", at_s(&x->jobs[k], i), v->value[i] / (double)SIM_GIB);
        }
    fputs("EOD\n", f);
}

/* All quantities whose name holds `word`: cache, log, SLC. */
static void state_chart(struct ana_report *r, unsigned run, const char *word, const char *title)
{
    const struct hci_result *x = r->runs[run];
    const char *names[CURVES];
    unsigned n = 0;
    for (unsigned s = 0; x->njobs && s < x->jobs[0].nstates && n < CURVES; s++)
        if (strstr(x->jobs[0].states[s].name, word) && state_moves(x, x->jobs[0].states[s].name))
            names[n++] = x->jobs[0].states[s].name;
    if (n == 0 || !ana_chart_begin(&r->page, title, 230))
        return;
    for (unsigned i = 0; i < n; i++)
        state_data(r->page.script, x, names[i], i);
    fputs("set xlabel 'simulated time, s'\nset yrange [0:*]\nplot ", r->page.script);
    for (unsigned i = 0; i < n; i++) {
        fprintf(r->page.script, "%s$q%u using 1:2 with lines ", i ? ", " : "", i);
        ana_chart_style(&r->page, i, i % 2);
        ana_chart_key(&r->page, i, i % 2 ? ANA_KEY_DASHED : ANA_KEY_LINE, names[i]);
    }
    ana_chart_end(&r->page);
}

void ana_chart_series(struct ana_report *r, unsigned run)
{
    fprintf(r->page.html, "<div class=\"charts\">\n");
    series_chart(r, run, false);
    series_chart(r, run, true);
    state_chart(r, run, "Cache", "Read cache in use, GiB");
    state_chart(r, run, "OpLog", "Write log, GiB");
    state_chart(r, run, "SLC", "SLC cache in use, GiB");
    fprintf(r->page.html, "</div>\n");
}
