/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "ana_report_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void ana_page_scalar(struct ana_page *p, const struct hci_cfg *c)
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
            ana_page_scalar(p, e);
            fputs(e->next ? " to " : "", p->html);
        }
}

const char *ana_layout_string(const struct hci_cfg *group, const char *name)
{
    const struct hci_cfg *c = hci_cfg_get(group, name);
    return c && c->type == HCI_CFG_STRING ? c->s : "";
}

char *ana_layout_render(const struct hci_result *x,
                        void (*part)(struct ana_page *p, const struct hci_cfg *root))
{
    struct ana_page p = {0};
    struct sim_err ignored;
    struct hci_cfg *root;
    struct sim_arena *a = sim_arena_create(1 << 16);
    if (a && hci_config_parse(&root, a, x->layout_text, "layout", &ignored) == SIM_OK)
        p.html = open_memstream(&p.html_text, &p.html_size);
    if (p.html) {
        part(&p, root);
        fclose(p.html);
    }
    if (a)
        sim_arena_free(a);
    return p.html_text;
}

static bool holds_line(const char *text, const char *line, size_t n)
{
    while (*text) {
        size_t m = strcspn(text, "\n");
        if (m == n && memcmp(text, line, n) == 0)
            return true;
        text += m + (text[m] == '\n');
    }
    return false;
}

unsigned ana_lines_new(const char *text, const char *known, FILE *f)
{
    unsigned fresh = 0;
    while (*text) {
        size_t n = strcspn(text, "\n");
        if (!holds_line(known, text, n)) {
            fresh++;
            if (f)
                fprintf(f, "%.*s\n", (int)n, text);
        }
        text += n + (text[n] == '\n');
    }
    return fresh;
}
