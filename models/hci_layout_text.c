/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_layout.h"

#include "hci_kind.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text { /* a growing buffer */
    char *buf;
    size_t len, size;
};

static void add(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0)
        return;
    if (t->len + (size_t)n + 1 > t->size) {
        size_t size = 2 * t->size + (size_t)n + 1;
        char *bigger = realloc(t->buf, size);
        if (!bigger)
            return;
        t->buf = bigger;
        t->size = size;
    }
    va_start(ap, fmt);
    vsnprintf(t->buf + t->len, t->size - t->len, fmt, ap);
    va_end(ap);
    t->len += (size_t)n;
}

static char *quoted(const char *s, char *buf, size_t size)
{
    static const struct hci_param row = { .key = "", .type = HCI_TEXT };
    return hci_param_format(&row, &s, buf, size);
}

/* A bound of a stated range, with quotes where its value has them. */
static void add_bound(struct text *t, const struct hci_param *row, const char *bound)
{
    int q = row->type != HCI_COUNT && row->type != HCI_NUMBER;
    add(t, "%s%s%s", q ? "\"" : "", bound, q ? "\"" : "");
}

/* One "key = value;" line, as a group where the value's origin is stated. */
static void add_row(struct text *t, const char *indent, const struct hci_param *row,
                    const void *conf, const struct hci_prov *pv)
{
    char value[2048], source[2048];
    hci_param_format(row, conf, value, sizeof value);
    if (!pv || (!pv->source[0] && pv->confidence == HCI_CONF_NONE)) {
        add(t, "%s%s = %s;\n", indent, row->key, value);
        return;
    }
    add(t, "%s%s = { value = %s;", indent, row->key, value);
    if (pv->source[0])
        add(t, " source = %s;", quoted(pv->source, source, sizeof source));
    if (pv->confidence != HCI_CONF_NONE)
        add(t, " confidence = \"%s\";", hci_confidence_names[pv->confidence]);
    if (pv->low) {
        add(t, " range = [");
        add_bound(t, row, pv->low);
        add(t, ", ");
        add_bound(t, row, pv->high);
        add(t, "];");
    }
    add(t, " };\n");
}

static void add_rows(struct text *t, const char *indent, const struct hci_param *rows,
                     const void *conf, const struct hci_prov *prov)
{
    for (const struct hci_param *row = rows; row->key; row++)
        add_row(t, indent, row, conf, prov ? &prov[row - rows] : NULL);
}

static void add_device(struct text *t, const struct hci_device_conf *d)
{
    char buf[256];
    add(t, "  {\n    name = %s;\n", quoted(d->name, buf, sizeof buf));
    add(t, "    kind = \"%s\";\n", d->ops->k.name);
    add_rows(t, "    ", hci_device_common_params, &d->common, d->common_prov);
    add_rows(t, "    ", d->ops->k.params, d->conf, d->prov);
    add(t, "  }");
}

static void add_node(struct text *t, const struct hci_node_conf *n)
{
    char buf[256];
    add(t, "  {\n");
    add_rows(t, "    ", hci_node_params, n, NULL);
    add(t, "    cvm: {\n");
    add_rows(t, "      ", hci_cvm_params, n, NULL);
    add(t, "    };\n    nic: {\n");
    add_rows(t, "      ", hci_nic_params, &n->nic, NULL);
    add(t, "    };\n    disks = (\n");
    for (unsigned i = 0; i < n->ndisks; i++) {
        add(t, "      {\n        device = %s;\n",
            quoted(n->disks[i].device->name, buf, sizeof buf));
        add_rows(t, "        ", hci_disk_params, &n->disks[i], NULL);
        add(t, "      }%s\n", i + 1 < n->ndisks ? "," : "");
    }
    add(t, "    );\n  }");
}

char *hci_layout_print(const struct hci_layout *lay, struct sim_arena *a)
{
    struct text t = { .buf = calloc(1, 1) };
    char buf[4096];
    add(&t, "name = %s;\n", quoted(lay->name, buf, sizeof buf));
    add(&t, "description = %s;\n", quoted(lay->description, buf, sizeof buf));
    add(&t, "platform: {\n  kind = \"%s\";\n", lay->platform->k.name);
    add_rows(&t, "  ", lay->platform->k.params, lay->platform_conf, lay->platform_prov);
    add(&t, "};\ndevices = (\n");
    for (unsigned i = 0; i < lay->ndevices; i++) {
        add_device(&t, &lay->devices[i]);
        add(&t, "%s\n", i + 1 < lay->ndevices ? "," : "");
    }
    add(&t, ");\nnodes = (\n");
    for (unsigned i = 0; i < lay->nnodes; i++) {
        add_node(&t, &lay->nodes[i]);
        add(&t, "%s\n", i + 1 < lay->nnodes ? "," : "");
    }
    add(&t, ");\nguests = (\n");
    for (unsigned i = 0; i < lay->nguests; i++) {
        add(&t, "  {\n");
        add_rows(&t, "    ", hci_guest_params, &lay->guests[i], NULL);
        add(&t, "  }%s\n", i + 1 < lay->nguests ? "," : "");
    }
    add(&t, ");\ninitial: {\n");
    add_rows(&t, "  ", hci_initial_params, &lay->initial, NULL);
    add(&t, "};\naliases: {\n");
    for (unsigned i = 0; i < lay->naliases; i++)
        add(&t, "  %s = %s;\n", lay->aliases[i].name, quoted(lay->aliases[i].path, buf, sizeof buf));
    add(&t, "};\n");
    char *out = sim_arena_strdup(a, t.buf ? t.buf : "");
    free(t.buf);
    return out;
}
