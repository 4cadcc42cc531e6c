/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_top.c: what a reader sees first: title, verdict, runs beside each other.
 */
#include "ana_report.h"

#include <math.h>
#include <string.h>

#include "ana_num.h"
#include "ana_version.h"
#include "ana_view.h"

static const char style[] =
    "<style>\n"
    ":root{color-scheme:light dark;--line:#8886;--soft:#8882;--bar:#3a87c855}\n"
    "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.6rem;line-height:1.2}h2{border-bottom:1px solid var(--line);margin-top:2.5rem}\n"
    ".lead{font-size:1.15rem;border-left:4px solid #e08a00;padding-left:1rem}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem}\n"
    "th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:left;"
    "vertical-align:top}\n"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "td.u{color:#888}.bad{color:#d5502a;font-weight:600}\n"
    ".charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,28rem),1fr));gap:1rem}\n"
    "figure{margin:0}figcaption{font-weight:600;font-size:.9rem}svg{width:100%;height:auto}\n"
    "svg [stroke=\"black\"],svg [stroke='black']{stroke:currentColor}"
    "svg [fill=\"black\"],svg [fill='black']{fill:currentColor}\n"
    "svg g{color:inherit}svg text{fill:currentColor}td:last-child{min-width:7rem}"
    "td.w{min-width:16rem}\n"
    "pre{overflow-x:auto;background:var(--soft);padding:.6rem;font-size:.8rem}\n"
    "@media print{body{max-width:none;font-size:10pt}details{display:none}"
    "figure,tr{break-inside:avoid}}\n"
    "</style>\n";

void ana_report_head(struct ana_report *r)
{
    FILE *f = r->page.html;
    fprintf(f, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
               "<meta name=\"generator\" content=\"hcisim %s\">\n<title>", ana_version());
    ana_page_text(&r->page, r->label[0]);
    fprintf(f, "%s</title>\n%s</head>\n<body>\n<h1>", r->nruns > 1 ? " and others" : "", style);
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
    fputs("). ", r->page.html);
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
