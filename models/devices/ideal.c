/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/ideal.h"

#include "hci_cluster.h"

#include <stdio.h>

#define AT(field) offsetof(struct ideal_conf, field)
#define HOUR 3600e9
#define PB 1e15

static const char *const distributions[] = { "constant", "exponential", NULL };

static const struct hci_param params[] = {
    { "servers", HCI_COUNT, AT(servers), "1", 1, 65535, NULL, "read.iops+",
      "Commands served at the same time." },
    { "read_latency", HCI_TIME, AT(read_latency_ns), NULL, 0, HOUR, NULL, "read.lat+",
      "Mean service time of a read." },
    { "write_latency", HCI_TIME, AT(write_latency_ns), NULL, 0, HOUR, NULL, "write.lat+",
      "Mean service time of a write." },
    { "distribution", HCI_ENUM, AT(distribution), "constant", 0, 0, distributions, NULL,
      "Distribution of the service time." },
    { "read_iops", HCI_COUNT, AT(read_iops), "0", 0, 1e9, NULL, "read.iops+",
      "Cap on reads per second; 0: none." },
    { "write_iops", HCI_COUNT, AT(write_iops), "0", 0, 1e9, NULL, "write.iops+",
      "Cap on writes per second; 0: none." },
    { "read_rate", HCI_RATE, AT(read_Bps), "0 B/s", 0, PB, NULL, "read.bw+",
      "Cap on read bandwidth; 0: none." },
    { "write_rate", HCI_RATE, AT(write_Bps), "0 B/s", 0, PB, NULL, "write.bw+",
      "Cap on write bandwidth; 0: none." },
    HCI_PARAM_END
};

struct ideal_state {
    const struct ideal_conf *c;
    uint32_t servers, cap;
    uint16_t read_time, write_time; /* 0: constant */
};

static sim_time cap_ns(uint64_t iops, uint64_t Bps, uint64_t bytes)
{
    return sim_max(iops ? sim_transfer_ns(1, iops) : 0, sim_transfer_ns(bytes, Bps));
}

static int init(void *obj, struct sim_err *e)
{
    struct hci_device *d = obj;
    struct ideal_state *x = d->state;
    const struct ideal_conf *c = d->conf->conf;
    struct sim *s = d->cluster->sim;
    char name[96];
    (void)e;
    x->c = c;
    snprintf(name, sizeof name, "%s servers", d->name);
    x->servers = sim_add_fifo(s, name, d->node, (uint32_t)c->servers);
    snprintf(name, sizeof name, "%s cap", d->name);
    x->cap = sim_add_pipe(s, name, d->node);
    if (c->distribution == IDEAL_EXPONENTIAL) {
        x->read_time = hci_cluster_exponential(d->cluster, "device read",
                                               (double)c->read_latency_ns);
        x->write_time = hci_cluster_exponential(d->cluster, "device write",
                                                (double)c->write_latency_ns);
    }
    return SIM_OK;
}

static void lower(struct hci_device *d, struct sim_plan *p, const struct hci_request *rq,
                  uint8_t part)
{
    const struct ideal_state *x = d->state;
    const struct ideal_conf *c = x->c;
    bool write = rq->op != HCI_READ;
    uint64_t data = rq->op == HCI_TRIM ? 0 : rq->bytes;
    sim_time cap = write ? cap_ns(c->write_iops, c->write_Bps, data)
                         : cap_ns(c->read_iops, c->read_Bps, data);
    uint16_t dist = write ? x->write_time : x->read_time;
    sim_time ns = dist ? 0 : write ? c->write_latency_ns : c->read_latency_ns;
    sim_visit(p, x->servers, ns, dist, part);
    if (cap)
        sim_visit(p, x->cap, cap, 0, part);
}

const struct hci_device_ops hci_device_ideal = {
    .k = { .name = "ideal",
           .doc = "A device that does exactly what its numbers say: c servers, a constant or "
                  "exponential latency, caps on IOPS and bandwidth. For cloud volumes and tests.",
           .params = params,
           .conf_size = sizeof(struct ideal_conf),
           .state_size = sizeof(struct ideal_state),
           .init = init },
    .lower = lower,
};
