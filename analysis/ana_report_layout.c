/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_layout.c: what was simulated.
 *
 * Read from the effective layout stored with the result, not from files that
 * may have changed since.
 */
#include "ana_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ana_report_text.h"

static const char *const not_modelled[] = {
    "thermal state and power limits of drives",
    "memory tiering, NUMA, memory pressure on the host",
    "the management plane and its CPU, memory and I/O",
    "periodic background services, except the drain of the write log",
    "compression, deduplication, erasure coding, encryption, snapshots",
    "metadata services as I/O of their own",
    "loss, retransmission and congestion control of the network",
    "traffic of guests that are not in the layout",
    "failures during a run, rebuild",
    "file systems inside the guest, page cache, fragmentation",
    "drive firmware in detail; age and unit-to-unit spread of drives",
    "power states of drives and CPUs",
};

static void disks(struct ana_page *p, const struct hci_cfg *node)
{
    const struct hci_cfg *list = hci_cfg_get(node, "disks");
    for (const struct hci_cfg *d = list ? list->first : NULL; d; d = d->next) {
        ana_page_text(p, ana_layout_string(d, "device"));
        fputs(" (", p->html);
        ana_page_text(p, ana_layout_string(d, "role"));
        fputs(d->next ? "), " : ")", p->html);
    }
}

/* One line of a table: the scalar members of a group. */
static void members(struct ana_page *p, const char *title, const struct hci_cfg *group)
{
    if (!group)
        return;
    fprintf(p->html, "<tr><th>%s</th><td>", title);
    for (const struct hci_cfg *c = group->first; c; c = c->next) {
        if (c->type == HCI_CFG_GROUP || c->type == HCI_CFG_LIST)
            continue;
        ana_page_text(p, c->name);
        fputs(" = ", p->html);
        ana_page_scalar(p, c);
        fputs("; ", p->html);
    }
    fputs("</td></tr>\n", p->html);
}

static void summary(struct ana_page *p, const struct hci_cfg *root)
{
    FILE *f = p->html;
    const struct hci_cfg *nodes = hci_cfg_get(root, "nodes"), *guests = hci_cfg_get(root, "guests");
    const struct hci_cfg *n = nodes ? nodes->first : NULL;
    fputs("<tr><th>platform</th><td>", f);
    ana_page_text(p, ana_layout_string(hci_cfg_get(root, "platform"), "kind"));
    fprintf(f, "</td></tr>\n<tr><th>nodes</th><td>%u</td></tr>\n", nodes ? nodes->n : 0);
    if (n) {
        fputs("<tr><th>disks of the first node</th><td>", f);
        disks(p, n);
        fputs("</td></tr>\n", f);
        members(p, "node", n);
        if (strcmp(ana_layout_string(hci_cfg_get(root, "platform"), "kind"), "native") != 0) {
            members(p, "controller VM", hci_cfg_get(n, "cvm"));
            members(p, "network", hci_cfg_get(n, "nic"));
        }
    }
    members(p, "first guest", guests ? guests->first : NULL);
    members(p, "initial state", hci_cfg_get(root, "initial"));
}

static bool of_first(const struct ana_report *r, const char *text)
{
    for (unsigned i = 0; i < 32 && r->runs[0]->assumptions[i][0]; i++)
        if (strcmp(r->runs[0]->assumptions[i], text) == 0)
            return true;
    return false;
}

static void assumed(struct ana_report *r, const struct hci_result *x)
{
    unsigned n = 0;
    for (unsigned i = 0; i < 32 && x->assumptions[i][0]; i++) {
        if (of_first(r, x->assumptions[i]))
            continue;
        fputs(n++ ? "<li>" : "<p>Assumed, other than in the first run:</p>\n<ul>\n<li>",
              r->page.html);
        ana_page_text(&r->page, x->assumptions[i]);
        fputs("</li>\n", r->page.html);
    }
    fputs(n ? "</ul>\n" : "", r->page.html);
}

/* Why the charts run longer than what was simulated. */
static void skipped(FILE *f, const struct hci_result *x)
{
    sim_time ns = 0;
    for (unsigned i = 0; i < x->njobs; i++)
        ns += x->jobs[i].skipped_ns;
    if (ns == 0)
        return;
    fprintf(f, " (another %.1f s were skipped: caches, logs and drives moved on, single I/Os were not "
               "timed, because the figures were already known", (double)ns / 1e9);
    if (x->precision > 0)
        fprintf(f, " to within %.2g %%", 100 * x->precision);
    fputs(", --precision; charts over time show both)", f);
}

/* Of a later run only what differs from the first. */
static void simulated(struct ana_report *r, unsigned run)
{
    FILE *f = r->page.html;
    char *first = ana_layout_render(r->runs[0], summary);
    char *own = run ? ana_layout_render(r->runs[run], summary) : NULL;
    fprintf(f, "<h3>What was simulated%s</h3>\n", run ? ", where it differs from the first run" : "");
    if (run == 0 && first && first[0])
        fprintf(f, "<div class=\"wide\"><table>\n%s</table></div>\n", first);
    else if (run && first && own && ana_lines_new(own, first, NULL) > 0) {
        fputs("<div class=\"wide\"><table>\n", f);
        ana_lines_new(own, first, f);
        fputs("</table></div>\n", f);
    }
    free(first);
    free(own);
}

void ana_report_layout(struct ana_report *r, unsigned run)
{
    const struct hci_result *x = r->runs[run];
    FILE *f = r->page.html;
    simulated(r, run);
    fprintf(f, "<p>Seed %" PRIu64 ", %" PRIu64 " events, %.1f s simulated", x->seed, x->events,
            (double)x->sim_ns / 1e9);
    skipped(f, x);
    if (x->passes > 1)
        fprintf(f, "; pass %u of %u is shown", x->pass, x->passes);
    fputs(". From ", f);
    ana_page_text(&r->page, r->paths[run]);
    fputs(". Job file and parameters: in the appendix.</p>\n", f);
    if (run > 0) /* the first run's are beside the verdict */
        assumed(r, x);
}

void ana_report_not_modelled(struct ana_report *r)
{
    fputs("<h2>What is not modelled</h2>\n<p>Each of these can matter, and none is hidden in a "
          "factor:</p>\n<ul>\n", r->page.html);
    for (unsigned i = 0; i < sizeof not_modelled / sizeof *not_modelled; i++)
        fprintf(r->page.html, "<li>%s</li>\n", not_modelled[i]);
    fputs("</ul>\n<p>One seed gives one sample path: percentiles beyond the sample, and the spread "
          "between seeds, are not on this page.</p>\n", r->page.html);
}
