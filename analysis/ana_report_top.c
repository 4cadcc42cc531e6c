/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_top.c: what a reader sees first: title, what the figures rest on,
 * words, runs beside each other. The verdict: ana_report_verdict.c.
 */
#include "ana_report.h"

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

/* What the figures rest on, where the reader cannot miss it. */
void ana_report_assumed(struct ana_report *r)
{
    const struct hci_result *x = r->runs[0];
    if (!x->assumptions[0][0])
        return;
    fputs("<p>This rests on:</p>\n<ul>\n", r->page.html);
    for (unsigned i = 0; i < 32 && x->assumptions[i][0]; i++) {
        fputs("<li>", r->page.html);
        ana_page_text(&r->page, x->assumptions[i]);
        fputs("</li>\n", r->page.html);
    }
    fputs("</ul>\n", r->page.html);
}

void ana_report_words(struct ana_report *r)
{
    static const char *const word[][2] = {
        {"controller", "the thread of a controller VM that all I/O of one virtual disk goes through"},
        {"vdisk", "a virtual disk of a guest; with RAID in the guest, one of its legs"},
        {"link tx, rx", "a network port's way out and in: one flow does not use two ports"},
        {"units, pipe", "of a drive: what works in parallel inside, and the one way all commands take"},
        {"OpLog", "the write log: a write is acknowledged once every copy of it is there"},
        {"latency: ...", "nothing is saturated; the job waits for this part most, at its depth"},
        {"lat, clat, slat", "as fio: the whole, from submission to completion, and submission itself"},
    };
    fputs("<details><summary>Words used here</summary>\n<ul>\n", r->page.html);
    for (unsigned i = 0; i < sizeof word / sizeof *word; i++)
        fprintf(r->page.html, "<li><strong>%s</strong>: %s</li>\n", word[i][0], word[i][1]);
    fputs("</ul></details>\n", r->page.html);
}

void ana_report_side_by_side(struct ana_report *r)
{
    FILE *f = r->page.html;
    char limit[128];
    fputs("<h2>The layouts beside each other</h2>\n<div class=\"wide\"><table class=\"side\">\n<tr><th>job</th>", f);
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
            const struct hci_job_result *j = ana_report_same_job(r->runs[k], a->name);
            if (!j) {
                fputs("<td>-</td>", f);
                continue;
            }
            fprintf(f, "<td>%.0f IOPS, %.1f MB/s", ana_job_iops(j), ana_job_bw_Bps(j) / 1e6);
            if (k > 0 && ana_job_iops(a) > 0)
                fprintf(f, " (%+.1f %%)", 100 * (ana_job_iops(j) / ana_job_iops(a) - 1));
            fputs("<br>limit: ", f);
            ana_report_limit_name(limit, sizeof limit, j->bottleneck);
            ana_page_text(&r->page, limit);
            fputs("</td>", f);
        }
        fputs("</tr>\n", f);
    }
    fputs("</table></div>\n", f);
    ana_chart_four(r);
}
