/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_top.c: what a reader sees first: title, verdict, runs beside each other.
 */
#include "ana_report.h"

#include <math.h>
#include <string.h>

#include "ana_num.h"

#define NOTABLE 5.0 /* percent of IOPS: below that a change is no reason to buy anything */
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

/* What kind of thing a bottleneck is: "guest0 vdisk1 controller" is a "vdisk
 * controller" whichever it was. */
static void class_of(char *out, size_t size, const char *name)
{
    size_t n = 0;
    while (*name && n + 1 < size) {
        size_t word = strcspn(name, " "), letters = strspn(name, "abcdefghijklmnopqrstuvwxyz");
        bool numbered = letters > 0 && letters < word &&
                        letters + strspn(name + letters, "0123456789") == word;
        bool place = numbered && (strncmp(name, "node", letters) == 0 ||
                                  strncmp(name, "guest", letters) == 0);
        size_t keep = place ? 0 : numbered ? letters : word;
        for (size_t i = 0; i < keep && n + 1 < size; i++)
            out[n++] = name[i];
        name += word;
        if (*name == ' ' && !place && n + 1 < size)
            out[n++] = ' ';
        name += *name == ' ';
    }
    out[n] = '\0';
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

struct limit {
    char class[96];
    unsigned jobs;
};

/* The classes of bottlenecks of a run, the most frequent first. */
static unsigned limits_of(const struct hci_result *x, struct limit *out, unsigned max)
{
    unsigned n = 0;
    for (unsigned i = 0; i < x->njobs; i++) {
        struct limit l = {.jobs = 1};
        unsigned k = 0;
        class_of(l.class, sizeof l.class, x->jobs[i].bottleneck);
        while (k < n && strcmp(out[k].class, l.class) != 0)
            k++;
        if (k < n)
            l.jobs = ++out[k].jobs;
        else if (n < max)
            out[n++] = l;
        else
            continue;
        for (; k > 0 && out[k - 1].jobs < out[k].jobs; k--) {
            struct limit higher = out[k];
            out[k] = out[k - 1];
            out[k - 1] = higher;
        }
    }
    return n;
}

static void limit_sentence(struct ana_report *r, const struct hci_result *x)
{
    struct limit l[4];
    unsigned n = limits_of(x, l, 4);
    for (unsigned i = 0; i < n; i++) {
        fputs(i ? ", " : "", r->page.html);
        fputs("<strong>", r->page.html);
        ana_page_text(&r->page, l[i].class);
        fprintf(r->page.html, "</strong> (%u of %u job%s)", l[i].jobs, x->njobs,
                x->njobs == 1 ? "" : "s");
    }
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
    fputs("What limits: ", r->page.html);
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
    ana_page_text(&r->page, r->label[k]);
    fputs(low < -NOTABLE && high > NOTABLE ? ": <strong>better in some jobs, worse in others</strong>"
          : high > NOTABLE                 ? ": <strong>faster</strong>"
          : low < -NOTABLE                 ? ": <strong>slower</strong>"
                                           : ": <strong>no gain</strong>", r->page.html);
    fputs(" against ", r->page.html);
    ana_page_text(&r->page, r->label[0]);
    fprintf(r->page.html, ", IOPS %+.1f %% (", low);
    ana_page_text(&r->page, low_job);
    fprintf(r->page.html, ") to %+.1f %% (", high);
    ana_page_text(&r->page, high_job);
    fputs(").<br>\n", r->page.html);
}

/* ---- where the write log went ---- */

struct share {
    char product[64];
    double bytes;
};

/* The product of the drive whose counter this is: its stations bear its name. */
static void product_of(const struct hci_job_result *j, const char *counter, char *out, size_t size)
{
    const char *end = strstr(counter, " OpLog written");
    size_t n = end ? (size_t)(end - counter) : 0;
    out[0] = '\0';
    for (unsigned i = 0; n && i < j->nresources; i++) {
        const char *name = j->resources[i].name;
        if (strncmp(name, counter, n) != 0 || name[n] != ' ')
            continue;
        snprintf(out, size, "%.*s", (int)strcspn(name + n + 1, " "), name + n + 1);
        return;
    }
}

static unsigned log_shares(const struct hci_result *x, struct share *out, unsigned max)
{
    unsigned n = 0;
    for (unsigned i = 0; i < x->njobs; i++)
        for (unsigned c = 0; c < x->jobs[i].ncounters; c++) {
            struct share s = {.bytes = x->jobs[i].counters[c].value};
            unsigned k = 0;
            product_of(&x->jobs[i], x->jobs[i].counters[c].name, s.product, sizeof s.product);
            if (!s.product[0])
                continue;
            while (k < n && strcmp(out[k].product, s.product) != 0)
                k++;
            if (k < n)
                out[k].bytes += s.bytes;
            else if (n < max)
                out[n++] = s;
        }
    return n;
}

/* A log that lies on drives of several kinds is as slow as the one with most of it. */
static void log_sentence(struct ana_report *r, unsigned run)
{
    struct share s[4];
    double all = 0;
    unsigned n = log_shares(r->runs[run], s, 4);
    for (unsigned i = 0; i < n; i++)
        all += s[i].bytes;
    if (n < 2 || all <= 0)
        return;
    fputs("<br>\nOf the write log of ", r->page.html);
    ana_page_text(&r->page, r->label[run]);
    for (unsigned i = 0; i < n; i++) {
        fprintf(r->page.html, "%s %.0f %% went to ", i ? "," : "", 100 * s[i].bytes / all);
        ana_page_text(&r->page, s[i].product);
    }
    fputs(".", r->page.html);
}

/* What the figures rest on, where the reader cannot miss it. */
static void assumed(struct ana_report *r)
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

static void words(struct ana_report *r)
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

void ana_report_verdict(struct ana_report *r)
{
    fputs("<p class=\"lead\">", r->page.html);
    if (r->nruns == 1) {
        single(r);
    } else {
        for (unsigned k = 1; k < r->nruns; k++)
            change_sentence(r, k);
        for (unsigned k = 0; k < r->nruns; k += r->nruns - 1) {
            fputs(k ? "<br>\nWhat limits " : "What limits ", r->page.html);
            ana_page_text(&r->page, r->label[k]);
            fputs(": ", r->page.html);
            limit_sentence(r, r->runs[k]);
            fputs(".", r->page.html);
        }
    }
    for (unsigned k = 0; k < r->nruns; k++)
        log_sentence(r, k);
    fputs("</p>\n", r->page.html);
    assumed(r);
    words(r);
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
