/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_run.c: the tables about one run.
 */
#include "ana_report.h"

#include <string.h>

#include "ana_num.h"
#include "ana_view.h"

enum { STATIONS = 16 };

static void cell(struct ana_report *r, const char *s)
{
    fputs("<td>", r->page.html);
    ana_page_text(&r->page, s);
    fputs("</td>", r->page.html);
}

void ana_report_jobs(struct ana_report *r, unsigned run)
{
    const struct hci_result *x = r->runs[run];
    FILE *f = r->page.html;
    fputs("<h3>Results, bounds and bottlenecks</h3>\n<div class=\"wide\"><table>\n<tr><th>job</th>"
          "<th class=\"n\">IOPS</th><th class=\"n\">MB/s</th><th class=\"n\">bound, IOPS</th>"
          "<th>bound by</th><th>limited by</th><th>next</th><th>verdict</th></tr>\n", f);
    for (unsigned i = 0; i < x->njobs; i++) {
        const struct hci_job_result *j = &x->jobs[i];
        fputs("<tr>", f);
        cell(r, j->name);
        fprintf(f, "<td class=\"n\">%.0f</td><td class=\"n\">%.1f</td>", ana_job_iops(j),
                ana_job_bw_Bps(j) / 1e6);
        if (j->bound_iops > 0)
            fprintf(f, "<td class=\"n\">%.0f</td>", j->bound_iops);
        else
            fputs("<td class=\"n\">-</td>", f);
        cell(r, j->bound_by);
        cell(r, j->bottleneck);
        cell(r, j->next_bottleneck);
        fputs("<td class=\"w\">", f);
        ana_page_text(&r->page, j->verdict);
        fputs("</td></tr>\n", f);
    }
    fputs("</table></div>\n", f);
    for (unsigned i = 0; i < x->njobs; i++)
        for (unsigned w = 0; w < x->jobs[i].nwarnings; w++) {
            fputs("<p class=\"bad\">", f);
            ana_page_text(&r->page, x->jobs[i].name);
            fputs(": ", f);
            ana_page_text(&r->page, x->jobs[i].warnings[w]);
            fputs("</p>\n", f);
        }
}

void ana_report_percentiles(struct ana_report *r, unsigned run)
{
    static const double pct[] = {50, 95, 99, 99.9, 99.99};
    const struct hci_result *x = r->runs[run];
    FILE *f = r->page.html;
    fputs("<h3>Latency, us</h3>\n<div class=\"wide\"><table>\n<tr><th>job</th><th>direction</th>"
          "<th class=\"n\">mean</th><th class=\"n\">p50</th><th class=\"n\">p95</th>"
          "<th class=\"n\">p99</th><th class=\"n\">p99.9</th><th class=\"n\">p99.99</th>"
          "<th class=\"n\">max</th></tr>\n", f);
    for (unsigned i = 0; i < x->njobs; i++)
        for (int d = 0; d < HCI_DIRS; d++) {
            const struct hci_dir_result *y = &x->jobs[i].dir[d];
            const struct sim_hist *h = d == HCI_DIR_SYNC ? &y->lat : &y->clat;
            const struct hci_moments *m = &y->lat_m;
            if (h->n == 0)
                continue;
            fputs("<tr>", f);
            cell(r, x->jobs[i].name);
            cell(r, ana_dir_names[d]);
            fprintf(f, "<td class=\"n\">%.1f</td>", ana_moments_mean(m) / 1e3);
            for (int p = 0; p < 5; p++) /* grey: fewer than 100 samples beyond it */
                fprintf(f, "<td class=\"n%s\">%.1f</td>",
                        ana_resolved(ana_dir_simulated(y, h), pct[p]) ? "" : " u",
                        (double)sim_min(sim_hist_percentile(h, pct[p]), m->max) / 1e3);
            fprintf(f, "<td class=\"n\">%.1f</td></tr>\n", (double)m->max / 1e3);
        }
    fputs("</table></div>\n<p>Mean and maximum are of the whole latency (lat), percentiles of the "
          "completion latency (clat), as fio reports them. Grey: fewer than 100 samples lie "
          "beyond it.</p>\n", f);
}

/* In a closed loop, IOPS x latency is the depth: a component that cost nothing
 * would lift IOPS by the share of latency it has now, and no more. */
void ana_report_relief(struct ana_report *r, unsigned run)
{
    const struct hci_result *x = r->runs[run];
    FILE *f = r->page.html;
    fputs("<h3>What would help, at the most</h3>\n<div class=\"wide\"><table>\n<tr><th>job</th>"
          "<th>direction</th><th>largest component</th><th class=\"n\">of it waiting</th>"
          "<th class=\"n\">share of the mean</th><th class=\"n\">if it cost nothing</th></tr>\n", f);
    for (unsigned i = 0; i < x->njobs; i++)
        for (int d = HCI_DIR_READ; d <= HCI_DIR_WRITE; d++) {
            double share;
            const struct hci_dir_result *y = &x->jobs[i].dir[d];
            int p = y->ios ? ana_report_largest_part(x, y, &share) : -1;
            if (p < 0 || share <= 0)
                continue;
            double all = y->mean[p].wait_ns + y->mean[p].service_ns;
            fputs("<tr>", f);
            cell(r, x->jobs[i].name);
            cell(r, ana_dir_names[d]);
            cell(r, x->part_name[p]);
            fprintf(f, "<td class=\"n\">%.0f %%</td><td class=\"n\">%.0f %%</td>",
                    100 * y->mean[p].wait_ns / all, 100 * share);
            if (share < 0.99)
                fprintf(f, "<td class=\"n\">latency -%.0f %%, IOPS x%.2f</td></tr>\n", 100 * share,
                        1 / (1 - share));
            else
                fputs("<td class=\"n\">nothing else is left</td></tr>\n", f);
        }
    fputs("</table></div>\n<p>An upper bound: at a fixed queue depth a component that cost nothing "
          "would shorten the latency by its share, unless another station fills up first. A "
          "component missing here cannot help, however fast it is made.</p>\n", f);
}

static double used(const struct hci_job_result *j, const char *name)
{
    for (unsigned i = 0; i < j->nresources; i++)
        if (strcmp(j->resources[i].name, name) == 0)
            return j->resources[i].utilisation;
    return 0;
}

static double peak(const struct hci_result *x, const char *name)
{
    double most = 0;
    for (unsigned i = 0; i < x->njobs; i++) {
        double u = used(&x->jobs[i], name);
        most = u > most ? u : most;
    }
    return most;
}

/* Puts name into the list of the n busiest, in order; returns the new n. */
static unsigned offer(const struct hci_result *x, const char **names, unsigned n, const char *name)
{
    for (unsigned i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return n;
    double u = peak(x, name);
    unsigned at = n;
    while (at > 0 && peak(x, names[at - 1]) < u)
        at--;
    if (at == STATIONS)
        return n;
    n += n < STATIONS;
    for (unsigned i = n - 1; i > at; i--)
        names[i] = names[i - 1];
    names[at] = name;
    return n;
}

/* The stations that are busiest in any job, each once. */
static unsigned busiest(const struct hci_result *x, const char **names)
{
    unsigned n = 0;
    for (unsigned i = 0; i < x->njobs; i++)
        for (unsigned k = 0; k < x->jobs[i].nresources; k++)
            n = offer(x, names, n, x->jobs[i].resources[k].name);
    return n;
}

void ana_report_utilisation(struct ana_report *r, unsigned run)
{
    const struct hci_result *x = r->runs[run];
    const char *names[STATIONS] = {NULL};
    unsigned n = busiest(x, names);
    FILE *f = r->page.html;
    fputs("<h3>Utilisation by component</h3>\n<div class=\"wide\"><table>\n<tr><th>station</th>", f);
    for (unsigned i = 0; i < x->njobs; i++) {
        fputs("<th class=\"n\">", f);
        ana_page_text(&r->page, x->jobs[i].name);
        fputs("</th>", f);
    }
    fputs("</tr>\n", f);
    for (unsigned k = 0; k < n; k++) {
        fputs("<tr>", f);
        cell(r, names[k]);
        for (unsigned i = 0; i < x->njobs; i++) {
            double u = 100 * used(&x->jobs[i], names[k]);
            fprintf(f, "<td class=\"n\" style=\"background:linear-gradient(90deg,var(--bar) "
                       "%.0f%%,transparent 0)\">%.0f %%</td>", u, u);
        }
        fputs("</tr>\n", f);
    }
    fputs("</table></div>\n", f);
}

static bool counted(const struct hci_result *x, unsigned c)
{
    for (unsigned i = 0; i < x->njobs; i++)
        if (c < x->jobs[i].ncounters && x->jobs[i].counters[c].value > 0)
            return true;
    return false;
}

void ana_report_counters(struct ana_report *r, unsigned run)
{
    const struct hci_result *x = r->runs[run];
    FILE *f = r->page.html;
    if (x->njobs == 0)
        return;
    fputs("<details><summary>Where the data went: bytes and hits by component</summary>\n<div class=\"wide\"><table>\n<tr><th>counter</th>", f);
    for (unsigned i = 0; i < x->njobs; i++) {
        fputs("<th class=\"n\">", f);
        ana_page_text(&r->page, x->jobs[i].name);
        fputs("</th>", f);
    }
    fputs("</tr>\n", f);
    for (unsigned c = 0; c < x->jobs[0].ncounters; c++) {
        bool bytes = strcmp(x->jobs[0].counters[c].unit, "bytes") == 0;
        if (!counted(x, c))
            continue;
        fputs("<tr><td>", f);
        ana_page_text(&r->page, x->jobs[0].counters[c].name);
        fprintf(f, "%s</td>", bytes ? ", GiB" : "");
        for (unsigned i = 0; i < x->njobs; i++) {
            double v = c < x->jobs[i].ncounters ? x->jobs[i].counters[c].value : 0;
            fprintf(f, bytes ? "<td class=\"n\">%.3f</td>" : "<td class=\"n\">%.0f</td>",
                    bytes ? v / (double)SIM_GIB : v);
        }
        fputs("</tr>\n", f);
    }
    fputs("</table></div></details>\n", f);
}
