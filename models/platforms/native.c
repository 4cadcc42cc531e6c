/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "platforms/native.h"

#include "hci_cluster.h"
#include "platforms/native_layout.h"
#include "sim_mem.h"

#define AT(field) offsetof(struct native_conf, field)
#define SECOND 1e9

#define ENGINE(key, name)                                                                         \
    { key "_submit", HCI_TIME, AT(name.submit_ns), NULL, 0, SECOND, NULL, "lat+",                 \
      "Core time to submit one I/O through " key "." },                                           \
    { key "_complete", HCI_TIME, AT(name.complete_ns), NULL, 0, SECOND, NULL, "iops-",            \
      "Core time to reap one completion through " key "." },                                      \
    { key "_irq", HCI_TIME, AT(name.irq_ns), NULL, 0, SECOND, NULL, "clat+",                      \
      "Completion latency of " key " that does not occupy the job's core." }

static const struct hci_param params[] = {
    ENGINE("libaio", libaio),
    ENGINE("io_uring", io_uring),
    ENGINE("psync", psync),
    { "host_core_limit", HCI_BOOL, AT(host_core_limit), "true", 0, 1, NULL, NULL,
      "Whether one core submits and reaps for one job; false: the host never limits." },
    HCI_PARAM_END
};

static const struct native_engine *engine_of(const struct native_conf *c, unsigned engine)
{
    static const struct native_engine none; /* device times are those seen through SPDK */
    switch ((enum hci_host_engine)engine) {
    case HCI_HOST_IO_URING:
        return &c->io_uring;
    case HCI_HOST_PSYNC:
        return &c->psync;
    case HCI_HOST_SPDK:
        return &none;
    case HCI_HOST_LIBAIO:
        break;
    }
    return &c->libaio;
}

/* Guests take a node's disks in order, the boot disks left out; no two share one. */
static int init(void *obj, struct sim_err *e)
{
    struct hci_cluster *c = obj;
    unsigned *next = sim_arena_alloc(c->arena, c->nnodes * sizeof *next);
    for (unsigned g = 0; g < c->nguests; g++) {
        struct hci_guest *guest = &c->guests[g];
        struct hci_node *n = &c->nodes[guest->node];
        unsigned used = 0;
        for (unsigned *i = &next[guest->node]; *i < n->ndisks && used < guest->nlegs; ++*i)
            if (n->disks[*i]->role != HCI_ROLE_BOOT)
                guest->legs[used++].raw = n->disks[*i];
        if (used < guest->nlegs)
            return sim_fail_at(e, SIM_E_INPUT, c->layout->path, c->layout->guests[g].line,
                               "guest %u wants %u disks of its own, node %u has %u left", g,
                               guest->nlegs, guest->node, used);
    }
    return SIM_OK;
}

static void disks(struct sim_plan *p, struct hci_guest *g, struct hci_io *h)
{
    struct hci_piece piece[HCI_MAX_PIECES];
    unsigned n = hci_guest_map(g, h, piece, HCI_MAX_PIECES);
    if (n == 1) {
        hci_disk_io(p, piece[0].vdisk->raw, &piece[0].rq, HCI_PART_DEVICE);
        return;
    }
    sim_par(p, SIM_ALL);
    for (unsigned i = 0; i < n; i++) {
        sim_branch(p);
        hci_disk_io(p, piece[i].vdisk->raw, &piece[i].rq, HCI_PART_DEVICE);
    }
    sim_join(p);
}

/* ---- skipped time: nothing but the drives' fast write caches ages ---- */

static void skip_mark(struct hci_cluster *c, bool first)
{
    (void)c, (void)first;
}

static enum hci_course skip_io(struct hci_cluster *c, unsigned guest, const struct hci_request *rq,
                               uint64_t draw, uint64_t reads_left, uint64_t reads_later)
{
    struct hci_piece piece[HCI_MAX_PIECES];
    bool same = true;
    (void)draw, (void)reads_left, (void)reads_later;
    if (rq->op != HCI_WRITE)
        return HCI_STRAIGHT;
    unsigned n = hci_guest_map_skipped(&c->guests[guest], rq, 0, piece, HCI_MAX_PIECES);
    for (unsigned i = 0; i < n; i++)
        same &= hci_disk_absorb(piece[i].vdisk->raw, piece[i].rq.bytes);
    return same ? HCI_STRAIGHT : HCI_TURN;
}

static enum hci_course skip_pass(struct hci_cluster *c, uint64_t ns)
{
    (void)c, (void)ns;
    return HCI_STRAIGHT;
}

static void skip_resume(struct hci_cluster *c)
{
    (void)c;
}

static const struct hci_skip_ops skip = {.mark = skip_mark, .io = skip_io, .pass = skip_pass,
                                         .resume = skip_resume};

static bool balanced(const struct hci_cluster *c, bool idle)
{
    uint64_t read = 0, written = 0;
    (void)idle; /* plans are whole from the start */
    for (unsigned i = 0; i < c->ndevices; i++) {
        read += c->devices[i].bytes_read;
        written += c->devices[i].bytes_written;
    }
    return read == c->leg_bytes[HCI_READ] && written == c->leg_bytes[HCI_WRITE];
}

static void lower(struct hci_cluster *c, struct sim_io *io)
{
    const struct native_conf *conf = c->layout->platform_conf;
    struct hci_io *h = hci_io_of(io);
    const struct native_engine *e = engine_of(conf, h->engine);
    struct sim_plan *p = &io->plan;
    bool core = conf->host_core_limit && h->core != SIM_NONE;

    /* fio's thread reaps a completion and submits the next I/O in one go, before
     * it looks at other completions. So a reap reserves the core for the submit
     * that follows it, and such a submit does not queue. */
    if (core && !h->follows_reap)
        sim_visit(p, h->core, e->submit_ns, 0, HCI_PART_HOST_SUBMIT);
    else
        sim_delay(p, e->submit_ns, 0, HCI_PART_HOST_SUBMIT);
    hci_submitted(p);
    disks(p, &c->guests[h->guest], h);
    sim_delay(p, e->irq_ns, 0, HCI_PART_HOST_IRQ);
    if (core)
        sim_visit_cut(p, h->core, e->complete_ns + e->submit_ns, e->complete_ns,
                      HCI_PART_HOST_REAP);
    else
        sim_delay(p, e->complete_ns, 0, HCI_PART_HOST_REAP);
    sim_ack(p);
}

const struct hci_platform_ops hci_platform_native = {
    .k = { .name = "native",
           .doc = "Bare-metal Linux: the drive, md RAID over it and the host's cost per I/O.",
           .params = params,
           .conf_size = sizeof(struct native_conf),
           .init = init },
    .lower = lower,
    .balanced = balanced,
    .skip = &skip,
    .validate = native_layout_validate,
};
