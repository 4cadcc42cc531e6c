/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_top.c: what a reader sees first: title, verdict, runs beside each other.
 */
#include "ana_report.h"

#include <math.h>
#include <string.h>

#include "ana_num.h"
#include "ana_view.h"

void ana_report_head(struct ana_report *r)
{
    FILE *f = r->page.html;
    char title[128];
    snprintf(title, sizeof title, "%.95s%s", r->label[0], r->nruns > 1 ? " and others" : "");
    ana_page_open(&r->page, title);
    fputs("<h1>", f);
    for (unsigned i = 0; i < r->nruns; i++) {
        fputs(i ? " / " : "", f);
        ana_page_text(&r->page, r->label[i]);
    }
    fputs("</h1>\n", f);
}

struct most { /* the bottleneck that limits most jobs */
    const char *name;
    unsigned jobs;
};

static struct most most_common(const struct hci_result *x)
{
    struct most m = {"", 0};
    for (unsigned i = 0; i < x->njobs; i++) {
        unsigned n = 0;
        for (unsigned k = 0; k < x->njobs; k++)
            n += strcmp(x->jobs[k].bottleneck, x->jobs[i].bottleneck) == 0;
        if (n > m.jobs)
            m = (struct most){x->jobs[i].bottleneck, n};
    }
    return m;
}

int ana_report_largest_part(const struct hci_result *r, const struct hci_dir_result *d,
                            double *share)
{
    double mean = ana_moments_mean(&d->lat_m), best = 0;
    int part = -1;
    for (unsigned p = 0; p < r->nparts && p < HCI_PARTS; p++) {
        double ns = d->mean[p].wait_ns + d->mean[p].service_ns;
        if (ns > best) {
            best = ns;
            part = (int)p;
        }
    }
    *share = mean > 0 ? best / mean : 0;
    return part;
}

static void limit_sentence(struct ana_report *r, const struct hci_result *x)
{
    struct most m = most_common(x);
    fprintf(r->page.html, "%u of %u job%s %s limited by <strong>", m.jobs, x->njobs,
            x->njobs == 1 ? "" : "s", m.jobs == 1 ? "is" : "are");
    ana_page_text(&r->page, m.name);
    fputs("</strong>", r->page.html);
}

static void single(struct ana_report *r)
{
    const struct hci_result *x = r->runs[0];
    double best = 0, share;
    const char *part = "", *job = "";
    for (unsigned i = 0; i < x->njobs; i++)
        for (int d = HCI_DIR_READ; d <= HCI_DIR_WRITE; d++) {
            int p = x->jobs[i].dir[d].ios
                        ? ana_report_largest_part(x, &x->jobs[i].dir[d], &share) : -1;
            if (p >= 0 && share > best) {
                best = share;
                part = x->part_name[p];
                job = x->jobs[i].name;
            }
        }
    limit_sentence(r, x);
    fputs(". The largest single share of a latency is ", r->page.html);
    ana_page_text(&r->page, part);
    fprintf(r->page.html, ": %.0f %% of the mean of job ", 100 * best);
    ana_page_text(&r->page, job);
    fputs(".", r->page.html);
}

static const struct hci_job_result *find(const struct hci_result *x, const char *name)
{
    for (unsigned i = 0; i < x->njobs; i++)
        if (strcmp(x->jobs[i].name, name) == 0)
            return &x->jobs[i];
    return NULL;
}

/* The change of run k against the first, over the jobs both have. */
static void change_sentence(struct ana_report *r, unsigned k)
{
    const struct hci_result *a = r->runs[0], *b = r->runs[k];
    double low = 0, high = 0;
    const char *low_job = NULL, *high_job = NULL;
    for (unsigned i = 0; i < a->njobs; i++) {
        const struct hci_job_result *j = find(b, a->jobs[i].name);
        if (!j || ana_job_iops(&a->jobs[i]) <= 0)
            continue;
        double change = 100 * (ana_job_iops(j) / ana_job_iops(&a->jobs[i]) - 1);
        if (!low_job || change < low) {
            low = change;
            low_job = j->name;
        }
        if (!high_job || change > high) {
            high = change;
            high_job = j->name;
        }
    }
    if (!low_job)
        return;
    fputs("Against ", r->page.html);
    ana_page_text(&r->page, r->label[0]);
    fputs(", ", r->page.html);
    ana_page_text(&r->page, r->label[k]);
    fprintf(r->page.html, " changes IOPS by %+.1f %% (", low);
    ana_page_text(&r->page, low_job);
    fprintf(r->page.html, ") to %+.1f %% (", high);
    ana_page_text(&r->page, high_job);
    fputs(").<br>\n", r->page.html);
}

void ana_report_verdict(struct ana_report *r)
{
    fputs("<p class=\"lead\">", r->page.html);
    if (r->nruns == 1) {
        single(r);
    } else {
        for (unsigned k = 1; k < r->nruns; k++)
            change_sentence(r, k);
        fputs("With ", r->page.html);
        ana_page_text(&r->page, r->label[0]);
        fputs(" ", r->page.html);
        limit_sentence(r, r->runs[0]);
        fputs("; with ", r->page.html);
        ana_page_text(&r->page, r->label[r->nruns - 1]);
        fputs(" ", r->page.html);
        limit_sentence(r, r->runs[r->nruns - 1]);
        fputs(".", r->page.html);
    }
    fputs("</p>\n", r->page.html);
}

void ana_report_side_by_side(struct ana_report *r)
{
    FILE *f = r->page.html;
    fputs("<h2>The layouts beside each other</h2>\n<div class=\"wide\"><table>\n<tr><th>job</th>", f);
    for (unsigned k = 0; k < r->nruns; k++) {
        fputs("<th>", f);
        ana_page_text(&r->page, r->label[k]);
        fputs("</th>", f);
    }
    fputs("</tr>\n", f);
    for (unsigned i = 0; i < r->runs[0]->njobs; i++) {
        const struct hci_job_result *a = &r->runs[0]->jobs[i];
        fputs("<tr><td>", f);
        ana_page_text(&r->page, a->name);
        fputs("</td>", f);
        for (unsigned k = 0; k < r->nruns; k++) {
            const struct hci_job_result *j = find(r->runs[k], a->name);
            if (!j) {
                fputs("<td>-</td>", f);
                continue;
            }
            fprintf(f, "<td>%.0f IOPS, %.1f MB/s", ana_job_iops(j), ana_job_bw_Bps(j) / 1e6);
            if (k > 0 && ana_job_iops(a) > 0)
                fprintf(f, " (%+.1f %%)", 100 * (ana_job_iops(j) / ana_job_iops(a) - 1));
            fputs("<br>limit: ", f);
            ana_page_text(&r->page, j->bottleneck);
            fputs("</td>", f);
        }
        fputs("</tr>\n", f);
    }
    fputs("</table></div>\n", f);
    ana_chart_four(r);
}
