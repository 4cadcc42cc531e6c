/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_check.h"

#include "hci_kind.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more element; sizes stay powers of two. */
static void *grow(void *array, unsigned n, size_t size)
{
    if (n & (n - 1))
        return array;
    size_t most = n ? 2 * (size_t)n : 1;
    void *bigger = realloc(array, most * size);
    if (!bigger)
        sim_out_of_memory(most * size);
    return bigger;
}

void hci_check_find(struct hci_check *c, int severity, const char *rule, const char *source,
                    const char *fmt, ...)
{
    va_list ap;
    c->findings = grow(c->findings, c->nfindings, sizeof *c->findings);
    struct hci_finding *f = &c->findings[c->nfindings++];
    f->severity = severity;
    f->rule = rule;
    f->source = source;
    va_start(ap, fmt);
    vsnprintf(f->text, sizeof f->text, fmt, ap);
    va_end(ap);
    c->nerrors += severity == HCI_ERROR;
    c->nwarnings += severity == HCI_WARN;
}

struct hci_disk_space *hci_check_disk(struct hci_check *c, unsigned node, unsigned disk)
{
    c->disks = grow(c->disks, c->ndisks, sizeof *c->disks);
    struct hci_disk_space *d = &c->disks[c->ndisks++];
    *d = (struct hci_disk_space){ .node = node, .disk = disk };
    return d;
}

char *hci_check_gib(uint64_t bytes, char *buf, size_t size)
{
    snprintf(buf, size, "%.1f GiB", (double)bytes / (double)SIM_GIB);
    return buf;
}

/* Without rules of its own a platform offers every disk whole. */
static void plain_space(const struct hci_layout *lay, struct hci_check *out)
{
    for (unsigned i = 0; i < lay->nnodes; i++)
        for (unsigned k = 0; k < lay->nodes[i].ndisks; k++) {
            const struct hci_disk_conf *d = &lay->nodes[i].disks[k];
            struct hci_disk_space *s = hci_check_disk(out, i, k);
            out->raw_bytes += d->device->common.raw_bytes;
            if (d->role == HCI_ROLE_BOOT)
                continue;
            s->statfs_bytes = d->statfs_bytes ? d->statfs_bytes : d->device->common.raw_bytes;
            s->usable_bytes = s->statfs_bytes;
            s->usable_exact = (double)s->usable_bytes;
            out->usable_bytes += s->usable_bytes;
        }
}

/* Every write goes to every leg, which is rarely what a third one is meant for. */
static void rule_wide_mirror(const struct hci_layout *lay, struct hci_check *out)
{
    for (unsigned i = 0; i < lay->nguests; i++)
        if (lay->guests[i].raid == HCI_RAID1 && lay->guests[i].vdisks > 2) {
            hci_check_find(out, HCI_NOTE, "MD1", "Linux md(4)",
                           "guest %u: raid1 over %u virtual disks writes everything %u times and has "
                           "the capacity of one; raid10 stripes over pairs",
                           i, (unsigned)lay->guests[i].vdisks, (unsigned)lay->guests[i].vdisks);
            return;
        }
}

static int by_severity(const void *a, const void *b)
{
    const struct hci_finding *x = a, *y = b;
    if (x->severity != y->severity)
        return y->severity - x->severity;
    int rule = strcmp(x->rule, y->rule);
    return rule ? rule : strcmp(x->text, y->text);
}

int hci_layout_check(const struct hci_layout *lay, struct hci_check *out, struct sim_err *e)
{
    *out = (struct hci_check){ 0 };
    int rc = SIM_OK;
    if (lay->platform->check)
        rc = lay->platform->check(lay, out, e);
    else
        plain_space(lay, out);
    if (rc == SIM_OK)
        rule_wide_mirror(lay, out);
    if (rc != SIM_OK)
        hci_check_free(out);
    else if (out->nfindings)
        qsort(out->findings, out->nfindings, sizeof *out->findings, by_severity);
    return rc;
}

void hci_check_free(struct hci_check *c)
{
    free(c->findings);
    free(c->disks);
    *c = (struct hci_check){ 0 };
}
