/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_appendix.c: job files and parameters of all runs, what they share once.
 */
#define _GNU_SOURCE
#include "ana_report.h"

#include <stdlib.h>
#include <string.h>

#include "ana_report_text.h"

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
    ana_page_scalar(p, value ? value : c);
    fputs("</td><td>", p->html);
    if (range)
        ana_page_scalar(p, range);
    fputs("</td><td>", p->html);
    ana_page_text(p, ana_layout_string(c, "confidence"));
    fputs("</td><td>", p->html);
    ana_page_text(p, ana_layout_string(c, "source"));
    fputs("</td></tr>\n", p->html);
}

static void parameters(struct ana_page *p, const struct hci_cfg *root)
{
    const struct hci_cfg *pf = hci_cfg_get(root, "platform"), *list = hci_cfg_get(root, "devices");
    for (const struct hci_cfg *c = pf ? pf->first : NULL; c; c = c->next)
        row(p, "platform", c);
    for (const struct hci_cfg *d = list ? list->first : NULL; d; d = d->next)
        for (const struct hci_cfg *c = d->first; c; c = c->next)
            row(p, ana_layout_string(d, "name"), c);
}

/* Of each run the rows that no run before it has. */
static void all_parameters(struct ana_report *r)
{
    FILE *f = r->page.html;
    char *known = NULL;
    size_t size;
    FILE *k = open_memstream(&known, &size);
    fputs("<details><summary>Parameters, their sources and confidence</summary>\n<div "
          "class=\"wide\"><table>\n<tr><th>of</th><th>parameter</th><th>value</th><th>range</th>"
          "<th>confidence</th><th>source</th></tr>\n", f);
    for (unsigned run = 0; k && run < r->nruns; run++) {
        char *own = ana_layout_render(r->runs[run], parameters);
        if (!own || fflush(k) != 0 || ana_lines_new(own, known, NULL) == 0) {
            free(own);
            continue;
        }
        if (r->nruns > 1) {
            fputs("<tr><th colspan=\"6\">", f);
            ana_page_text(&r->page, r->label[run]);
            fputs(run ? ", other than above</th></tr>\n" : "</th></tr>\n", f);
        }
        ana_lines_new(own, known, f);
        fputs(own, k);
        free(own);
    }
    if (k)
        fclose(k);
    free(known);
    fputs("</table></div></details>\n", f);
}

static unsigned first_with(const struct ana_report *r, unsigned run)
{
    unsigned k = 0;
    while (strcmp(r->runs[k]->jobfile_text, r->runs[run]->jobfile_text) != 0)
        k++;
    return k;
}

static void job_files(struct ana_report *r)
{
    FILE *f = r->page.html;
    for (unsigned k = 0; k < r->nruns; k++) {
        if (first_with(r, k) != k)
            continue;
        fputs("<details><summary>Job file", f);
        for (unsigned i = k, n = 0; i < r->nruns && r->nruns > 1; i++) {
            if (first_with(r, i) != k)
                continue;
            fputs(n++ ? " / " : " of ", f);
            ana_page_text(&r->page, r->label[i]);
        }
        fputs("</summary><pre>", f);
        ana_page_text(&r->page, r->runs[k]->jobfile_text);
        fputs("</pre></details>\n", f);
    }
}

void ana_report_appendix(struct ana_report *r)
{
    fputs("<h2>Appendix: job files and parameters</h2>\n", r->page.html);
    job_files(r);
    all_parameters(r);
}
