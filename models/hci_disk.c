/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every drive does alike: largest command, queue depth, flush.
 */
#include "hci_cluster.h"

#include <stdio.h>

/* Flushes that wait while one is under way are carried out together by the next;
 * the first of them is charged with the work, the others wait for it. */
static void serve_flush(void *obj, struct sim *s, struct sim_token *t, uint64_t arg,
                        struct sim_service *sv)
{
    struct hci_device *d = obj;
    sim_time ns = d->conf->common.flush_ns, now = s->now;
    bool first = false;
    (void)t, (void)arg;
    if (now >= d->flush_next) {
        d->flush_now = d->flush_next = now + ns;
        first = true;
    } else if (now >= d->flush_now) { /* the one behind has started meanwhile */
        d->flush_now = d->flush_next;
        d->flush_next += ns;
        first = true;
    } else if (d->flush_next == d->flush_now) {
        d->flush_next += ns;
        first = true;
    }
    sv->depart = d->flush_next;
    sv->start = d->flush_next - (first ? ns : 0);
    s->station[d->flush].free_at[0] = d->flush_next;
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

void hci_disk_flush(struct sim_plan *p, struct hci_device *d, uint8_t part)
{
    if (d->conf->common.flush_ns)
        sim_serve(p, d->flush, 0, part);
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
        hci_disk_flush(p, d, part);
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
        hci_disk_flush(p, d, part);
}

void hci_disk_prepared(struct hci_device *d, uint64_t bytes, sim_time settle_ns)
{
    const struct hci_device_ops *ops = d->conf->ops;
    if (!ops->set_spent)
        return;
    ops->set_spent(d, bytes, settle_ns);
    ops->set_spent(d, ops->spent(d) + d->spent_before, 0);
}
