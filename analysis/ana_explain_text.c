/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_explain.h"

#include "hci_cluster.h"
#include "sim_plan_text.h"

#include <inttypes.h>
#include <string.h>

void ana_explain_text_open(FILE *f, const struct hci_layout *lay)
{
    fprintf(f, "%s: platform %s, %u node%s\n", lay->name, lay->platform->k.name, lay->nnodes,
            lay->nnodes == 1 ? "" : "s");
}

/* "78.9 k", "1.41 M": three figures. */
static void rate(double per_s, char *buf, size_t size)
{
    const char *prefix = per_s >= 1e6 ? " M" : per_s >= 1e3 ? " k" : "";
    double v = per_s >= 1e6 ? per_s / 1e6 : per_s >= 1e3 ? per_s / 1e3 : per_s;
    snprintf(buf, size, "%.*f%s", v >= 100 ? 0 : v >= 10 ? 1 : 2, v, prefix);
}

static void bound_rows(FILE *f, const struct hci_path *p)
{
    char allows[32];
    fprintf(f, "      %-58s %-7s %10s %14s %12s\n", "station", "kind", "servers", "us per I/O",
            "allows per s");
    for (unsigned i = 0; i < p->nbounds && i < ANA_EXPLAIN_ROWS; i++) {
        const struct sim_bound *b = &p->bounds[i];
        rate(b->per_s, allows, sizeof allows);
        fprintf(f, "      %-58s %-7s %10" PRIu64 " %14.3f %12s\n", b->name, b->what, b->servers,
                b->demand_ns * 1e-3, allows);
    }
    if (p->nbounds > ANA_EXPLAIN_ROWS)
        fprintf(f, "      and %u more, all less loaded\n", p->nbounds - ANA_EXPLAIN_ROWS);
}

/* The sentence people came for. */
static void cap_line(FILE *f, const struct hci_path *p, const struct ana_subject *of)
{
    char cap[32];
    if (p->nbounds == 0)
        return;
    rate(p->bounds[0].per_s, cap, sizeof cap);
    fprintf(f, "    %s caps it at %s per s", p->bounds[0].name, cap);
    if (of->bytes)
        fprintf(f, " (%.1f MB/s)", p->bounds[0].per_s * (double)of->bytes / 1e6);
    if (p->path_ns > 0 && of->depth)
        fprintf(f, ", from depth %.1f on", p->bounds[0].per_s * p->path_ns * 1e-9);
    fputs("\n", f);
}

static void path_text(FILE *f, const struct hci_path *p, const struct ana_subject *of)
{
    char allows[32];
    fprintf(f, "  %s%s\n", p->when[0] ? "if " : "always", p->when);
    fprintf(f, "    alone %.2f us", p->path_ns * 1e-3);
    if (of->depth && p->path_ns > 0) {
        rate((double)of->depth / (p->path_ns * 1e-9), allows, sizeof allows);
        fprintf(f, "; depth %" PRIu64 " allows %s per s", of->depth, allows);
    }
    fputs("\n", f);
    cap_line(f, p, of);
    if (p->nbounds)
        bound_rows(f, p);
}

void ana_explain_text(FILE *f, const struct hci_explained *x, const struct ana_subject *of)
{
    int left = 93 - (int)strlen(of->io) - (of->depth ? 0 : 12);
    fprintf(f, "\n%s%s%*s\n", of->depth ? "" : "Background: ", of->io, left + 13,
            "time alone  part");
    sim_plan_text(f, &x->tree, hci_part_name, 2);
    fprintf(f, "\n%s%s, bounds\n", of->depth ? "" : "Background: ", of->io);
    for (unsigned i = 0; i < x->npaths; i++)
        path_text(f, &x->paths[i], of);
}

void ana_explain_text_close(FILE *f)
{
    fprintf(
        f,
        "\nThe tree is one I/O's; bounds are means over %d I/Os at different addresses. No queue "
        "is in\nthe figures: a par takes as long as its slowest branch or its busiest server, a "
        "split sends its\nfragments one behind the other at the slowest stage, all by mean "
        "demands. Background work\ncomes on top.\n",
        HCI_SAMPLES);
}
