/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/xpoint.h"

#include "hci_cluster.h"

#include <stdio.h>

#define AT(field) offsetof(struct xpoint_conf, field)
#define MINUTE 60e9
#define PB 1e15

static const struct hci_param params[] = {
    { "units", HCI_COUNT, AT(units), NULL, 1, 4096, NULL, "read.iops+",
      "Independent units a command is hashed over by its chunk." },
    { "read_unit", HCI_TIME, AT(read_unit_ns), NULL, 0, MINUTE, NULL, "read.lat+",
      "Time a read occupies its unit." },
    { "read_fixed", HCI_TIME, AT(read_fixed_ns), NULL, 0, MINUTE, NULL, "read.lat+",
      "Part of a read's latency that occupies nothing." },
    { "read_pipe", HCI_TIME, AT(read_pipe_ns), NULL, 0, MINUTE, NULL, "read.iops-",
      "Time a read command occupies the drive's serial pipe." },
    { "read_cv", HCI_NUMBER, AT(read_cv), "0", 0, 5, NULL, "read.p99+",
      "Sigma of the lognormal body of the read's unit time." },
    { "read_tail_weight", HCI_NUMBER, AT(read_tail_weight), "0", 0, 1, NULL, "read.p99+",
      "Share of reads whose unit time comes from the tail." },
    { "read_tail_median", HCI_TIME, AT(read_tail_median_ns), "0 ns", 0, MINUTE, NULL,
      "read.p99.9+", "Median unit time in the tail." },
    { "read_tail_sigma", HCI_NUMBER, AT(read_tail_sigma), "0", 0, 4, NULL, "read.p99.99+",
      "Sigma of the lognormal tail." },
    { "write_unit", HCI_TIME, AT(write_unit_ns), NULL, 0, MINUTE, NULL, "write.lat+",
      "Time a write occupies its unit." },
    { "write_fixed", HCI_TIME, AT(write_fixed_ns), NULL, 0, MINUTE, NULL, "write.lat+",
      "Part of a write's latency that occupies nothing." },
    { "write_pipe", HCI_TIME, AT(write_pipe_ns), NULL, 0, MINUTE, NULL, "write.iops-",
      "Time a write command occupies the drive's serial pipe." },
    { "write_cv", HCI_NUMBER, AT(write_cv), "0", 0, 5, NULL, "write.p99+",
      "Sigma of the lognormal body of the write's unit time." },
    { "write_tail_weight", HCI_NUMBER, AT(write_tail_weight), "0", 0, 1, NULL, "write.p99+",
      "Share of writes whose unit time comes from the tail." },
    { "write_tail_median", HCI_TIME, AT(write_tail_median_ns), "0 ns", 0, MINUTE, NULL,
      "write.p99.9+", "Median unit time in the tail." },
    { "write_tail_sigma", HCI_NUMBER, AT(write_tail_sigma), "0", 0, 4, NULL, "write.p99.99+",
      "Sigma of the lognormal tail." },
    { "read_rate", HCI_RATE, AT(read_Bps), NULL, 1, PB, NULL, "read.bw+",
      "Largest read bandwidth." },
    { "write_rate", HCI_RATE, AT(write_Bps), NULL, 1, PB, NULL, "write.bw+",
      "Largest write bandwidth." },
    { "chunk", HCI_BYTES, AT(chunk_bytes), "4 KiB", 512, 1 << 30, NULL, "read.bw+",
      "Hashing granule: parallel hits on one chunk serialise." },
    { "mix_factor", HCI_NUMBER, AT(mix_factor), "1", 1, 10, NULL, "read.lat+",
      "Stretch of the service while reads and writes mix." },
    HCI_PARAM_END
};

struct xpoint_state {
    const struct xpoint_conf *c;
    uint32_t units, pipe;
    uint16_t read_time, write_time;
    uint8_t last_op;
    struct sim_transfer read, write;
};

/* arg: bytes, bit 63 write. */
static void serve_pipe(void *obj, struct sim *s, struct sim_token *t, uint64_t arg,
                       struct sim_service *sv)
{
    struct xpoint_state *x = obj;
    struct sim_station *st = &s->station[x->pipe];
    uint64_t bytes = arg & 0xffffffff;
    uint8_t write = (uint8_t)(arg >> 63);
    (void)t;
    sim_time data = write ? sim_transfer_again(&x->write, bytes, x->c->write_Bps)
                          : sim_transfer_again(&x->read, bytes, x->c->read_Bps);
    sim_time ns = sim_max(data, write ? x->c->write_pipe_ns : x->c->read_pipe_ns);
    if (write != x->last_op)
        ns = (sim_time)((double)ns * x->c->mix_factor);
    x->last_op = write;
    sv->start = sim_max(s->now, st->free_at[0]);
    sv->depart = sv->start + ns;
    st->free_at[0] = sv->depart;
}

static int init(void *obj, struct sim_err *e)
{
    struct hci_device *d = obj;
    struct xpoint_state *x = d->state;
    const struct xpoint_conf *c = d->conf->conf;
    struct sim *s = d->cluster->sim;
    char name[96];
    if (d->conf->common.mdts_bytes / c->chunk_bytes > UINT16_MAX)
        return sim_fail(e, SIM_E_INPUT, "device %s: a command of mdts bytes covers more than %u chunks",
                        d->conf->name, UINT16_MAX);
    x->c = c;
    snprintf(name, sizeof name, "%s units", d->name);
    x->units = sim_add_units(s, name, d->node, (uint32_t)c->units);
    snprintf(name, sizeof name, "%s pipe", d->name);
    x->pipe = sim_add_custom(s, name, d->node, serve_pipe, x);
    x->read_time = hci_cluster_mixture(d->cluster, "device read", (double)c->read_unit_ns,
                                       c->read_cv, c->read_tail_weight,
                                       (double)c->read_tail_median_ns, c->read_tail_sigma);
    x->write_time = hci_cluster_mixture(d->cluster, "device write", (double)c->write_unit_ns,
                                        c->write_cv, c->write_tail_weight,
                                        (double)c->write_tail_median_ns, c->write_tail_sigma);
    return SIM_OK;
}

static void lower(struct hci_device *d, struct sim_plan *p, const struct hci_request *rq,
                  uint8_t part)
{
    const struct xpoint_state *x = d->state;
    const struct xpoint_conf *c = x->c;
    uint64_t first = rq->offset / c->chunk_bytes,
             last = (rq->offset + rq->bytes - 1) / c->chunk_bytes;
    bool write = rq->op == HCI_WRITE;
    if (rq->op == HCI_TRIM) { /* a command without data */
        sim_delay(p, c->write_fixed_ns, 0, part);
        return;
    }
    /* Chunks of one 256 KiB block lie on consecutive units, blocks are hashed. */
    uint64_t unit = sim_below(sim_key(d->salt, first / 64), c->units) + first % 64;
    sim_visit_units(p, x->units, (uint32_t)(unit % c->units), (uint32_t)(last - first + 1), 0,
                    write ? x->write_time : x->read_time, part);
    sim_serve(p, x->pipe, rq->bytes | (uint64_t)write << 63, part);
    sim_delay(p, write ? c->write_fixed_ns : c->read_fixed_ns, 0, part);
}

const struct hci_device_ops hci_device_xpoint = {
    .k = { .name = "xpoint",
           .doc = "3D XPoint drive (Optane): hashed units by 4 KiB chunk and one serial pipe; "
                  "writes in place, so no flush, no garbage collection, no write cliff.",
           .params = params,
           .conf_size = sizeof(struct xpoint_conf),
           .state_size = sizeof(struct xpoint_state),
           .init = init },
    .lower = lower,
};
