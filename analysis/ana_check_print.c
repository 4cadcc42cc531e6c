/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_check.h"

#include "ana_emit.h"
#include "hci_kind.h"

#include <inttypes.h>
#include <string.h>

static const char *const severities[] = { "note", "warning", "error" };

static const char *role_name(const struct hci_disk_conf *d)
{
    return hci_disk_params[0].names[d->role]; /* the first row is the role */
}

static double gib(uint64_t bytes)
{
    return (double)bytes / (double)SIM_GIB;
}

static const struct hci_disk_conf *conf_of(const struct hci_layout *lay,
                                           const struct hci_disk_space *d)
{
    return &lay->nodes[d->node].disks[d->disk];
}

/* Disks first, first + 1, ... of one node. */
static unsigned disks_of_node(const struct hci_check *c, unsigned first)
{
    unsigned n = 0;
    while (first + n < c->ndisks && c->disks[first + n].node == c->disks[first].node)
        n++;
    return n;
}

static int alike(const struct hci_layout *lay, const struct hci_check *c, unsigned a, unsigned b,
                 unsigned n)
{
    if (disks_of_node(c, b) != n)
        return 0;
    for (unsigned i = 0; i < n; i++) {
        const struct hci_disk_space *x = &c->disks[a + i], *y = &c->disks[b + i];
        if (conf_of(lay, x)->device != conf_of(lay, y)->device ||
            conf_of(lay, x)->role != conf_of(lay, y)->role ||
            x->statfs_bytes != y->statfs_bytes || x->log_bytes != y->log_bytes ||
            x->usable_bytes != y->usable_bytes)
            return 0;
    }
    return 1;
}

static void text_disk(FILE *f, const struct hci_layout *lay, const struct hci_disk_space *d)
{
    const struct hci_disk_conf *conf = conf_of(lay, d);
    fprintf(f, "  %-22s %-8s %16" PRIu64, conf->device->name, role_name(conf),
            conf->device->common.raw_bytes);
    if (!d->statfs_bytes && !d->usable_bytes) {
        fprintf(f, " %16s %14s %16s %7s %16s\n", "-", "-", "-", "-", "-");
        return;
    }
    fprintf(f, " %16" PRIu64 " %14" PRIu64 " %16" PRIu64 " %6.1f%% %16" PRIu64 "\n",
            d->statfs_bytes, d->metadata_bytes, d->log_bytes, 100 * d->log_share,
            d->usable_bytes);
}

static void text_disks(FILE *f, const struct hci_layout *lay, const struct hci_check *c)
{
    for (unsigned i = 0, n, end; i < c->ndisks; i = end) {
        n = disks_of_node(c, i);
        for (end = i + n; end < c->ndisks && alike(lay, c, i, end, n);)
            end += n;
        unsigned first = c->disks[i].node, last = c->disks[end - 1].node;
        fprintf(f, last > first ? "\nEach of nodes %u to %u, bytes:\n" : "\nNode %u, bytes:\n",
                first, last);
        fprintf(f, "  %-22s %-8s %16s %16s %14s %16s %7s %16s\n", "device", "role", "raw",
                "file system", "metadata", "write log", "share", "usable");
        for (unsigned k = 0; k < n; k++)
            text_disk(f, lay, &c->disks[i + k]);
    }
}

void ana_check_text(FILE *f, const struct hci_layout *lay, const struct hci_check *c)
{
    fprintf(f, "%s: platform %s, %u node%s\n", lay->name, lay->platform->k.name, lay->nnodes,
            lay->nnodes == 1 ? "" : "s");
    for (unsigned i = 0; i < c->nfindings; i++) {
        const struct hci_finding *d = &c->findings[i];
        fprintf(f, "%-7s %-5s %s\n              [%s]\n", severities[d->severity], d->rule, d->text,
                d->source);
    }
    text_disks(f, lay, c);
    fprintf(f, "\nCluster: raw %.1f GiB, usable %.1f GiB", gib(c->raw_bytes), gib(c->usable_bytes));
    if (c->resilient_bytes)
        fprintf(f, ", resilient %.1f GiB", gib(c->resilient_bytes));
    fputs(" (all copies counted)", f);
    if (c->cache_bytes_per_node)
        fprintf(f, "; Unified Cache %.1f GiB per node", gib(c->cache_bytes_per_node));
    fprintf(f, "\nVerdict: %s (%u error%s, %u warning%s)\n", c->nerrors ? "REFUSED" : "ok",
            c->nerrors, c->nerrors == 1 ? "" : "s", c->nwarnings, c->nwarnings == 1 ? "" : "s");
}

static void json_disk(struct ana_emit *o, const struct hci_layout *lay,
                      const struct hci_disk_space *d)
{
    const struct hci_disk_conf *conf = conf_of(lay, d);
    ana_emit_open(o, NULL, '{');
    ana_emit_u64(o, "node", d->node);
    ana_emit_u64(o, "disk", d->disk);
    ana_emit_str(o, "device", conf->device->name);
    ana_emit_str(o, "role", role_name(conf));
    ana_emit_u64(o, "raw_bytes", conf->device->common.raw_bytes);
    ana_emit_u64(o, "statfs_bytes", d->statfs_bytes);
    ana_emit_u64(o, "metadata_bytes", d->metadata_bytes);
    ana_emit_u64(o, "log_bytes", d->log_bytes);
    ana_emit_f64(o, "log_share_percent", 100 * d->log_share);
    ana_emit_u64(o, "usable_bytes", d->usable_bytes);
    ana_emit_f64(o, "usable_bytes_exact", d->usable_exact);
    ana_emit_close(o, '}');
}

static void json_finding(struct ana_emit *o, const struct hci_finding *d)
{
    ana_emit_open(o, NULL, '{');
    ana_emit_str(o, "severity", severities[d->severity]);
    ana_emit_str(o, "rule", d->rule);
    ana_emit_str(o, "text", d->text);
    ana_emit_str(o, "source", d->source);
    ana_emit_close(o, '}');
}

void ana_check_json(FILE *f, const struct hci_layout *lay, const struct hci_check *c)
{
    struct ana_emit o = { .f = f };
    ana_emit_open(&o, NULL, '{');
    ana_emit_str(&o, "schema", "hcisim-check/1");
    ana_emit_str(&o, "layout", lay->name);
    ana_emit_str(&o, "platform", lay->platform->k.name);
    ana_emit_str(&o, "verdict", c->nerrors ? "refused" : "ok");
    ana_emit_u64(&o, "errors", c->nerrors);
    ana_emit_u64(&o, "warnings", c->nwarnings);
    ana_emit_open(&o, "findings", '[');
    for (unsigned i = 0; i < c->nfindings; i++)
        json_finding(&o, &c->findings[i]);
    ana_emit_close(&o, ']');
    ana_emit_open(&o, "disks", '[');
    for (unsigned i = 0; i < c->ndisks; i++)
        json_disk(&o, lay, &c->disks[i]);
    ana_emit_close(&o, ']');
    ana_emit_open(&o, "cluster", '{');
    ana_emit_u64(&o, "nodes", lay->nnodes);
    ana_emit_u64(&o, "raw_bytes", c->raw_bytes);
    ana_emit_u64(&o, "usable_bytes", c->usable_bytes);
    ana_emit_u64(&o, "resilient_bytes", c->resilient_bytes);
    ana_emit_u64(&o, "unified_cache_bytes_per_node", c->cache_bytes_per_node);
    ana_emit_close(&o, '}');
    ana_emit_close(&o, '}');
    fputc('\n', f);
}
