/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/flash.h"

#include "hci_cluster.h"

#include <stdio.h>

#define AT(field) offsetof(struct flash_conf, field)
#define MINUTE 60e9
#define PB 1e15

static const struct hci_param params[] = {
    { "units", HCI_COUNT, AT(units), NULL, 1, 4096, NULL, "read.iops+",
      "Independent units a read is hashed over by its address." },
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
    { "write_units", HCI_COUNT, AT(write_units), "0", 0, 4096, NULL, "write.iops+",
      "Units a write is hashed over; 0: as many as reads have." },
    { "write_unit", HCI_TIME, AT(write_unit_ns), NULL, 0, MINUTE, NULL, "write.lat+",
      "Time a write occupies its unit on the way into the buffer." },
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
      "Largest write bandwidth while the buffer or SLC cache takes it." },
    { "page", HCI_BYTES, AT(page_bytes), NULL, 512, 1 << 30, NULL, "read.bw+",
      "Sequentially written bytes that lie on one unit and are read in one of its turns." },
    { "buffer", HCI_BYTES, AT(buffer_bytes), NULL, 0, PB, NULL, "write.p99-",
      "Write buffer: writes are acknowledged from it until it is full." },
    { "program", HCI_BYTES, AT(program_bytes), NULL, 512, 1 << 30, NULL, "write.iops+",
      "Bytes one program operation moves from the buffer to a unit." },
    { "program_time", HCI_TIME, AT(program_ns), NULL, 0, MINUTE, NULL, "read.p99.9+",
      "Time a program operation occupies its unit." },
    { "slc", HCI_BYTES, AT(slc_bytes), "0 B", 0, PB, NULL, "write.bw+",
      "Bytes the SLC cache takes at full rate; 0: none." },
    { "post_slc_rate", HCI_RATE, AT(post_slc_Bps), NULL, 1, PB, NULL, "write.bw+",
      "Sequential write rate once the SLC cache is spent." },
    { "steady_write_iops", HCI_COUNT, AT(steady_write_iops), NULL, 1, 1e9, NULL, "write.iops+",
      "Sustained 4 KiB random writes per second; post_slc_rate / 4096 / this is the write "
      "amplification." },
    { "slc_idle", HCI_TIME, AT(slc_idle_ns), "1 s", 0, 86400e9, NULL, "write.bw-",
      "Idle time before the SLC cache starts to fold." },
    { "mix_factor", HCI_NUMBER, AT(mix_factor), "1", 1, 10, NULL, "read.lat+",
      "Stretch of the service while reads and writes mix, beyond what programs cost." },
    HCI_PARAM_END
};

/* Share of the units' time that programs may take at the most: reads get the
 * rest, or a drive written at its limit would never answer one. */
#define PROGRAM_SHARE 0.9

struct flash_state {
    const struct flash_conf *c;
    struct hci_device *device;
    uint32_t read_units, write_units, pipe;
    uint16_t read_time, write_time; /* distributions of the unit times */
    uint8_t last_op;
    double amplification;           /* NAND bytes per host byte, random writes after the SLC */
    double slc_wear, post_wear;     /* programmed bytes per host byte, by where it lands */
    sim_time drained_at;            /* when the buffer is empty again */
    sim_time last_write;
    double slc_used;                /* bytes */
    bool slc;                       /* took the last write */
    double to_program;              /* bytes not yet made into programs */
    uint64_t programs;              /* so far: the key of the next one's unit */
    struct sim_divisor page;
    struct sim_transfer read, write, drain[2], room[2]; /* of the buffer: [1] into the SLC */
};

/* What is in the SLC cache now: it folds while the drive has been idle for a while. */
static double in_slc(const struct flash_state *f, sim_time now)
{
    sim_time idle = now - f->last_write;
    if (!f->c->slc_bytes || idle <= f->c->slc_idle_ns)
        return f->slc_used;
    double left = f->slc_used -
                  (double)(idle - f->c->slc_idle_ns) * 1e-9 * (double)f->c->post_slc_Bps;
    return left < 0 ? 0 : left;
}

static void fold(struct flash_state *f, sim_time now)
{
    f->slc_used = in_slc(f, now);
    f->last_write = now;
}

/* Whether the SLC cache takes a write now; then it does. */
static bool take_slc(struct flash_state *f, uint64_t bytes)
{
    fold(f, hci_cluster_clock(f->device->cluster));
    f->slc = f->c->slc_bytes && f->slc_used + (double)bytes <= (double)f->c->slc_bytes;
    if (f->slc)
        f->slc_used += (double)bytes;
    return f->slc;
}

/* Programs occupy units; reads that hash there wait. */
static void program(struct flash_state *f, struct sim *s, double bytes)
{
    uint32_t units = s->station[f->read_units].servers;
    f->to_program += bytes;
    while (f->to_program >= (double)f->c->program_bytes) {
        f->to_program -= (double)f->c->program_bytes;
        uint64_t unit = sim_below(sim_key(f->device->salt, ++f->programs), units);
        sim_station_occupy(s, f->read_units, (uint32_t)unit, f->c->program_ns);
    }
}

/* Puts a write into the buffer; returns the time at which it has room. */
static sim_time buffer(struct flash_state *f, struct sim *s, uint64_t bytes, bool seq, sim_time at)
{
    const struct flash_conf *c = f->c;
    bool slc = take_slc(f, bytes);
    double cost = slc || seq ? 1 : f->amplification; /* NAND work per host byte */
    uint64_t rate = slc ? c->write_Bps : c->post_slc_Bps;
    program(f, s, (double)bytes * cost * (slc ? f->slc_wear : f->post_wear));
    sim_time drain = sim_transfer_again(&f->drain[slc], (uint64_t)((double)bytes * cost), rate);
    f->drained_at = sim_max(at, f->drained_at) + drain;
    sim_time room =
        sim_transfer_again(&f->room[slc], (uint64_t)((double)c->buffer_bytes * cost), rate);
    return f->drained_at - at > room ? f->drained_at - room : at;
}

/* arg: bytes, bit 62 sequential, bit 63 write. */
static void serve_pipe(void *obj, struct sim *s, struct sim_token *t, uint64_t arg,
                       struct sim_service *sv)
{
    struct flash_state *f = obj;
    struct sim_station *st = &s->station[f->pipe];
    uint64_t bytes = arg & 0xffffffff;
    uint8_t write = (uint8_t)(arg >> 63);
    (void)t;
    sim_time data = write ? sim_transfer_again(&f->write, bytes, f->c->write_Bps)
                          : sim_transfer_again(&f->read, bytes, f->c->read_Bps);
    sim_time ns = sim_max(data, write ? f->c->write_pipe_ns : f->c->read_pipe_ns);
    if (write != f->last_op)
        ns = (sim_time)((double)ns * f->c->mix_factor);
    f->last_op = write;
    sim_time start = sim_max(s->now, st->free_at[0]), done = start + ns;
    st->free_at[0] = done;
    sv->depart = write ? buffer(f, s, bytes, (arg >> 62) & 1, done) : done;
    sv->start = sv->depart - ns;
}

static int init(void *obj, struct sim_err *e)
{
    struct hci_device *d = obj;
    struct flash_state *f = d->state;
    const struct flash_conf *c = d->conf->conf;
    struct sim *s = d->cluster->sim;
    char name[96];
    if (d->conf->common.mdts_bytes / c->page_bytes > UINT16_MAX)
        return sim_fail(e, SIM_E_INPUT, "device %s: a command of mdts bytes covers more than %u pages",
                        d->conf->name, UINT16_MAX);
    f->c = c;
    f->device = d;
    f->page = sim_divisor(c->page_bytes);
    snprintf(name, sizeof name, "%s units", d->name);
    f->read_units = sim_add_units(s, name, d->node, (uint32_t)c->units);
    snprintf(name, sizeof name, "%s write units", d->name);
    f->write_units = sim_add_units(s, name, d->node,
                                   (uint32_t)(c->write_units ? c->write_units : c->units));
    sim_station_set_in_order(s, f->write_units); /* every write comes through the pipe */
    snprintf(name, sizeof name, "%s pipe", d->name);
    f->pipe = sim_add_custom(s, name, d->node, serve_pipe, f);

    f->read_time = hci_cluster_mixture(d->cluster, "device read", (double)c->read_unit_ns,
                                       c->read_cv, c->read_tail_weight,
                                       (double)c->read_tail_median_ns, c->read_tail_sigma);
    f->write_time = hci_cluster_mixture(d->cluster, "device write", (double)c->write_unit_ns,
                                        c->write_cv, c->write_tail_weight,
                                        (double)c->write_tail_median_ns, c->write_tail_sigma);

    double most = PROGRAM_SHARE * (double)c->units * (double)c->program_bytes /
                  ((double)c->program_ns * 1e-9); /* bytes/s all units program together */
    double slc = most / (double)c->write_Bps, post = most / (double)c->post_slc_Bps;
    f->slc_wear = slc < 1 ? slc : 1;
    f->post_wear = post;
    f->amplification = (double)c->post_slc_Bps / 4096 / (double)c->steady_write_iops;
    if (f->amplification < 1)
        f->amplification = 1;
    return SIM_OK;
}

/* Pages of one block lie on consecutive units; where a block starts is hashed. */
static uint32_t unit_of(const struct hci_device *d, uint64_t page, uint32_t units)
{
    uint32_t unit = (uint32_t)(sim_below(sim_key(d->salt, page / 64), units) + page % 64);
    return unit < units ? unit : unit % units;
}

static void lower(struct hci_device *d, struct sim_plan *p, const struct hci_request *rq,
                  uint8_t part)
{
    const struct flash_state *f = d->state;
    const struct flash_conf *c = f->c;
    struct sim *s = p->sim;
    if (rq->op == HCI_TRIM) { /* a command without data */
        sim_delay(p, c->write_fixed_ns, 0, part);
        return;
    }
    if (rq->op == HCI_READ) {
        uint64_t first = sim_divide(rq->offset, f->page);
        uint64_t last = sim_divide(rq->offset + rq->bytes - 1, f->page);
        sim_visit_units(p, f->read_units, unit_of(d, first, s->station[f->read_units].servers),
                        (uint32_t)(last - first + 1), 0, f->read_time, part);
        sim_serve(p, f->pipe, rq->bytes, part);
        sim_delay(p, c->read_fixed_ns, 0, part);
        return;
    }
    sim_serve(p, f->pipe, rq->bytes | (uint64_t)rq->seq << 62 | 1ULL << 63, part);
    sim_visit_units(p, f->write_units,
                    unit_of(d, rq->offset / 4096, s->station[f->write_units].servers), 1, 0,
                    f->write_time, part);
    sim_delay(p, c->write_fixed_ns, 0, part);
}

static void set_spent(struct hci_device *d, uint64_t bytes, uint64_t idle_ns)
{
    struct flash_state *f = d->state;
    f->slc_used = (double)sim_min(bytes, f->c->slc_bytes);
    f->last_write = 0;
    fold(f, idle_ns);
    f->last_write = 0;
}

static bool absorb(struct hci_device *d, uint64_t bytes)
{
    struct flash_state *f = d->state;
    bool before = f->slc;
    return take_slc(f, bytes) == before;
}

static uint64_t spent(const struct hci_device *d)
{
    return (uint64_t)in_slc(d->state, hci_cluster_clock(d->cluster));
}

const struct hci_device_ops hci_device_flash = {
    .k = { .name = "flash",
           .doc = "NAND drive, NVMe or SATA: hashed units, a serial pipe, a write buffer drained "
                  "by programs that occupy units, an SLC cache and the rate behind it.",
           .params = params,
           .conf_size = sizeof(struct flash_conf),
           .state_size = sizeof(struct flash_state),
           .init = init },
    .lower = lower,
    .set_spent = set_spent,
    .spent = spent,
    .absorb = absorb,
};
