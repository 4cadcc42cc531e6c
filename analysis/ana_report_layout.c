/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_layout.c: what was simulated, and where each number came from.
 *
 * Read from the effective layout stored with the result, not from files that
 * may have changed since.
 */
#include "ana_report.h"

#include <inttypes.h>
#include <string.h>

#include "hci_config.h"

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

static void scalar(struct ana_page *p, const struct hci_cfg *c)
{
    if (c->type == HCI_CFG_STRING)
        ana_page_text(p, c->s);
    else if (c->type == HCI_CFG_INT)
        fprintf(p->html, "%" PRId64, c->i);
    else if (c->type == HCI_CFG_BOOL)
        fputs(c->i ? "true" : "false", p->html);
    else if (c->type == HCI_CFG_FLOAT)
        fprintf(p->html, "%g", c->f);
    else if (c->type == HCI_CFG_LIST)
        for (const struct hci_cfg *e = c->first; e; e = e->next) {
            scalar(p, e);
            fputs(e->next ? " to " : "", p->html);
        }
}

static const char *string(const struct hci_cfg *group, const char *name)
{
    const struct hci_cfg *c = hci_cfg_get(group, name);
    return c && c->type == HCI_CFG_STRING ? c->s : "";
}

static void row(struct ana_page *p, const char *owner, const struct hci_cfg *c)
{
    const struct hci_cfg *value = hci_cfg_get(c, "value"), *range = hci_cfg_get(c, "range");
    if (c->type == HCI_CFG_GROUP && !value)
        return;
    if (c->type == HCI_CFG_LIST)
        return;
    fputs("<tr><td>", p->html);
    ana_page_text(p, owner);
    fputs("</td><td>", p->html);
    ana_page_text(p, c->name);
    fputs("</td><td>", p->html);
    scalar(p, value ? value : c);
    fputs("</td><td>", p->html);
    if (range)
        scalar(p, range);
    fputs("</td><td>", p->html);
    ana_page_text(p, string(c, "confidence"));
    fputs("</td><td>", p->html);
    ana_page_text(p, string(c, "source"));
    fputs("</td></tr>\n", p->html);
}

static void disks(struct ana_page *p, const struct hci_cfg *node)
{
    const struct hci_cfg *list = hci_cfg_get(node, "disks");
    for (const struct hci_cfg *d = list ? list->first : NULL; d; d = d->next) {
        ana_page_text(p, string(d, "device"));
        fputs(" (", p->html);
        ana_page_text(p, string(d, "role"));
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
        scalar(p, c);
        fputs("; ", p->html);
    }
    fputs("</td></tr>\n", p->html);
}

static void summary(struct ana_report *r, const struct hci_cfg *root)
{
    FILE *f = r->page.html;
    const struct hci_cfg *nodes = hci_cfg_get(root, "nodes"), *guests = hci_cfg_get(root, "guests");
    const struct hci_cfg *n = nodes ? nodes->first : NULL;
    fputs("<table>\n<tr><th>platform</th><td>", f);
    ana_page_text(&r->page, string(hci_cfg_get(root, "platform"), "kind"));
    fprintf(f, "</td></tr>\n<tr><th>nodes</th><td>%u</td></tr>\n", nodes ? nodes->n : 0);
    if (n) {
        fputs("<tr><th>disks of the first node</th><td>", f);
        disks(&r->page, n);
        fputs("</td></tr>\n", f);
        members(&r->page, "node", n);
        if (strcmp(string(hci_cfg_get(root, "platform"), "kind"), "native") != 0) {
            members(&r->page, "controller VM", hci_cfg_get(n, "cvm"));
            members(&r->page, "network", hci_cfg_get(n, "nic"));
        }
    }
    members(&r->page, "first guest", guests ? guests->first : NULL);
    members(&r->page, "initial state", hci_cfg_get(root, "initial"));
    fputs("</table>\n", f);
}

static struct hci_cfg *parsed(const struct hci_result *x, struct sim_arena *a)
{
    struct sim_err ignored;
    struct hci_cfg *root;
    return hci_config_parse(&root, a, x->layout_text, "layout", &ignored) == SIM_OK ? root : NULL;
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

void ana_report_layout(struct ana_report *r, unsigned run)
{
    const struct hci_result *x = r->runs[run];
    FILE *f = r->page.html;
    struct sim_arena *a = sim_arena_create(1 << 16);
    const struct hci_cfg *root = a ? parsed(x, a) : NULL;
    fputs("<h3>What was simulated</h3>\n<div class=\"wide\">", f);
    if (root)
        summary(r, root);
    fprintf(f, "</div>\n<p>Seed %" PRIu64 ", %" PRIu64 " events, %.1f s simulated", x->seed,
            x->events, (double)x->sim_ns / 1e9);
    skipped(f, x);
    if (x->passes > 1)
        fprintf(f, "; pass %u of %u is shown", x->pass, x->passes);
    fputs(". From ", f);
    ana_page_text(&r->page, r->paths[run]);
    fputs(".</p>\n<details><summary>Job file</summary><pre>", f);
    ana_page_text(&r->page, x->jobfile_text);
    fputs("</pre></details>\n", f);
    if (run > 0) /* the first run's are beside the verdict */
        assumed(r, x);
    sim_arena_free(a);
}

void ana_report_parameters(struct ana_report *r, unsigned run)
{
    FILE *f = r->page.html;
    struct sim_arena *a = sim_arena_create(1 << 16);
    const struct hci_cfg *root = a ? parsed(r->runs[run], a) : NULL;
    const struct hci_cfg *pf = hci_cfg_get(root, "platform"), *list = hci_cfg_get(root, "devices");
    fputs("<details><summary>Parameters, their sources and confidence</summary>\n<div "
          "class=\"wide\"><table>\n<tr><th>of</th><th>parameter</th><th>value</th><th>range</th>"
          "<th>confidence</th><th>source</th></tr>\n<tr><td>layout</td><td>name</td><td>", f);
    ana_page_text(&r->page, r->runs[run]->layout_name);
    fputs("</td><td></td><td></td><td></td></tr>\n", f);
    for (const struct hci_cfg *c = pf ? pf->first : NULL; c; c = c->next)
        row(&r->page, "platform", c);
    for (const struct hci_cfg *d = list ? list->first : NULL; d; d = d->next)
        for (const struct hci_cfg *c = d->first; c; c = c->next)
            row(&r->page, string(d, "name"), c);
    fputs("</table></div></details>\n", f);
    sim_arena_free(a);
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
