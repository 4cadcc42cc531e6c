/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every drive does alike: largest command, queue depth, flush.
 */
#include "hci_cluster.h"

#include <stdio.h>

/* Whoever comes before a waiting flush has started shares it; the first of them
 * is charged with the work, the others wait for it. arg: ns to wait for company. */
static void serve_flush(void *obj, struct sim *s, struct sim_token *t, uint64_t arg,
                        struct sim_service *sv)
{
    struct hci_device *d = obj;
    sim_time ns = d->conf->common.flush_ns, now = s->now;
    (void)t;
    bool first = d->flush_end < now + ns; /* none that has yet to start */
    if (first)
        d->flush_end = sim_max(now + arg, d->flush_end) + ns;
    sv->depart = d->flush_end;
    sv->start = d->flush_end - (first ? ns : 0);
    s->station[d->flush].free_at[0] = d->flush_end;
}

void hci_disk_init(struct hci_device *d)
{
    struct sim *s = d->cluster->sim;
    char name[80];
    d->queue = SIM_NONE;
    if (d->conf->common.queue_depth && d->conf->common.queue_depth < 1024) {
        snprintf(name, sizeof name, "%s queue", d->name);
        d->queue = sim_add_gate(s, name, d->node, d->conf->common.queue_depth);
    }
    snprintf(name, sizeof name, "%s flush", d->name);
    d->flush = sim_add_custom(s, name, d->node, serve_flush, d);
}

void hci_disk_flush(struct sim_plan *p, struct hci_device *d, sim_time batch_ns, uint8_t part)
{
    if (d->conf->common.flush_ns)
        sim_serve(p, d->flush, batch_ns, part);
}

static void command(struct sim_plan *p, struct hci_device *d, const struct hci_request *rq,
                    uint8_t part)
{
    if (d->queue != SIM_NONE)
        sim_take(p, d->queue, 1, part);
    d->conf->ops->lower(d, p, rq, part);
    if (d->queue != SIM_NONE)
        sim_give(p, d->queue, 1);
}

void hci_disk_io(struct sim_plan *p, struct hci_device *d, const struct hci_request *rq,
                 uint8_t part)
{
    uint64_t most = d->conf->common.mdts_bytes;
    if (rq->op == HCI_FLUSH) {
        hci_disk_flush(p, d, 0, part);
        return;
    }
    bool data = rq->op != HCI_TRIM; /* a discard is one command without any */
    uint32_t n = data && most && rq->bytes > most ? (uint32_t)((rq->bytes + most - 1) / most) : 1;
    *(rq->op == HCI_READ ? &d->bytes_read : &d->bytes_written) += data ? rq->bytes : 0;
    *(rq->op == HCI_READ ? &d->reads : &d->writes) += data ? n : 0;
    if (n > 1) {
        struct hci_request piece = *rq;
        piece.bytes = (rq->bytes + n - 1) / n;
        sim_split(p, n, 0);
        command(p, d, &piece, part);
        sim_join(p);
    } else {
        command(p, d, rq, part);
    }
    if (rq->op == HCI_WRITE && rq->sync)
        hci_disk_flush(p, d, 0, part);
}

bool hci_disk_absorb(struct hci_device *d, uint64_t bytes)
{
    return bytes == 0 || !d->conf->ops->absorb || d->conf->ops->absorb(d, bytes);
}

void hci_disk_prepared(struct hci_device *d, uint64_t bytes, const struct hci_initial *initial)
{
    const struct hci_device_ops *ops = d->conf->ops;
    if (!ops->set_spent)
        return;
    ops->set_spent(d, UINT64_MAX, 0);
    double whole = (double)ops->spent(d);
    ops->set_spent(d, bytes, initial->settle_ns);
    /* The cache is made of free cells: a drive that is full by a share has lost
     * that share of it. */
    ops->set_spent(d, ops->spent(d) + d->spent_before + (uint64_t)(whole * initial->fullness), 0);
}
