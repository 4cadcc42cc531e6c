/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_explain.h"

#include "ana_cli.h"
#include "ana_emit.h"
#include "hci_kind.h"
#include "workload/fio_value.h"

#include <string.h>

#define SETS_MAX       256
#define IOS_MAX        64
#define DEPTH_MAX      1000000
#define SIZE_MIN       512
#define SIZE_MAX_BYTES (64 * SIM_MIB)

enum key { KEY_IO = 256, KEY_JSON, KEY_SET, KEY_DEPTH };

struct input {
    const char *path;
    int json;
    uint64_t depth;
    unsigned nsets, nios;
    struct hci_set sets[SETS_MAX];
    struct hci_question io[IOS_MAX];
    struct sim_err *err;
};

static const struct argp_option options[] = {
    {"io", KEY_IO, "RW:SIZE[,SIZE...]", 0,
     "what to explain: read, write, randread or randwrite with a block size, or flush, e.g. "
     "randwrite:4k; repeatable (default: 4k randread and randwrite, 1M read and write)",
     0},
    {"depth", KEY_DEPTH, "N", 0, "I/Os outstanding, for the bounds (default 32)", 0},
    {"json", KEY_JSON, NULL, 0, "print JSON instead of text", 0},
    {"set", KEY_SET, "KEY=VALUE", 0,
     "change the layout before it is read, e.g. nodes.[*].nic.mtu=1500; repeatable", 0},
    {0},
};

static const struct rw { /* what --io takes */
    const char *name;
    uint8_t op;
    bool random;
} rws[] = {{"read", HCI_READ, false},
           {"write", HCI_WRITE, false},
           {"randread", HCI_READ, true},
           {"randwrite", HCI_WRITE, true},
           {"flush", HCI_FLUSH, false}};

#define RWS (sizeof rws / sizeof rws[0])

static const struct rw *find_rw(const char *word, struct sim_err *e)
{
    const char *names[RWS];
    for (unsigned i = 0; i < RWS; i++) {
        names[i] = rws[i].name;
        if (strcmp(word, rws[i].name) == 0)
            return &rws[i];
    }
    const char *near = ana_nearest(word, names, RWS);
    sim_fail(e, SIM_E_INPUT, "--io: no such kind of I/O '%.40s'%s%s", word,
             near ? "; nearest: " : "; read, write, randread, randwrite, flush", near ? near : "");
    return NULL;
}

static int add_io(struct input *in, const struct rw *rw, uint32_t bytes)
{
    if (in->nios == IOS_MAX)
        return sim_fail(in->err, SIM_E_INPUT, "more than %d kinds of I/O", IOS_MAX);
    in->io[in->nios++] = (struct hci_question){.op = rw->op, .random = rw->random, .bytes = bytes};
    return SIM_OK;
}

static int add_size(struct input *in, const struct rw *rw, const char *word)
{
    struct hci_fio_number n;
    int fault = hci_fio_bytes(word, 1024, &n);
    if (fault != HCI_FIO_OK)
        return sim_fail(in->err, SIM_E_INPUT, "--io: block size '%.40s' %s", word,
                        hci_fio_fault_text(fault));
    if (n.negative || n.percent || n.zones || n.value < SIZE_MIN || n.value > SIZE_MAX_BYTES)
        return sim_fail(in->err, SIM_E_INPUT, "--io: block size '%.40s' is not within 512 to 64M",
                        word);
    return add_io(in, rw, (uint32_t)n.value);
}

static int add_ios(struct input *in, const char *arg)
{
    char word[64];
    char sep = hci_fio_part(&arg, ":", word, sizeof word);
    const struct rw *rw = find_rw(word, in->err);
    if (!rw)
        return SIM_E_INPUT;
    if (rw->op == HCI_FLUSH) /* has no size; one given is harmless */
        return add_io(in, rw, 0);
    if (!sep)
        return sim_fail(in->err, SIM_E_INPUT, "--io %s needs a block size, e.g. %s:4k", rw->name,
                        rw->name);
    do {
        sep = hci_fio_part(&arg, ",", word, sizeof word);
        int rc = add_size(in, rw, word);
        if (rc != SIM_OK)
            return rc;
    } while (sep);
    return SIM_OK;
}

static int add_set(struct input *in, char *word)
{
    char *eq = strchr(word, '=');
    if (!eq || eq == word)
        return sim_fail(in->err, SIM_E_INPUT, "--set wants KEY=VALUE, not '%.200s'", word);
    if (in->nsets == SETS_MAX)
        return sim_fail(in->err, SIM_E_INPUT, "more than %d --set", SETS_MAX);
    *eq = '\0';
    in->sets[in->nsets++] = (struct hci_set){word, eq + 1};
    return SIM_OK;
}

static int set_depth(struct input *in, const char *word)
{
    unsigned long long v;
    if (!ana_parse_u64(word, DEPTH_MAX, &v) || v == 0)
        return sim_fail(in->err, SIM_E_INPUT, "--depth wants a number from 1 to %d, not '%.100s'",
                        DEPTH_MAX, word);
    in->depth = v;
    return SIM_OK;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    int rc = SIM_OK;
    switch (key) {
    case KEY_IO:
        rc = add_ios(in, arg);
        break;
    case KEY_JSON:
        in->json = 1;
        break;
    case KEY_SET:
        rc = add_set(in, arg);
        break;
    case KEY_DEPTH:
        rc = set_depth(in, arg);
        break;
    case ARGP_KEY_ARG:
        if (in->path)
            rc = sim_fail(in->err, SIM_E_INPUT,
                          "explain takes one layout, '%.200s' is one too many", arg);
        in->path = arg;
        break;
    case ARGP_KEY_END:
        if (!in->path)
            rc = sim_fail(in->err, SIM_E_INPUT, "no layout given: hcisim explain LAYOUT");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return rc == SIM_OK ? 0 : EINVAL;
}

static void name_io(const struct hci_question *q, char *buf, size_t size)
{
    const char *name = "";
    for (unsigned i = 0; i < RWS; i++)
        if (rws[i].op == q->op && rws[i].random == q->random)
            name = rws[i].name;
    if (q->op == HCI_FLUSH)
        snprintf(buf, size, "%s", name);
    else if (q->bytes % SIM_MIB == 0)
        snprintf(buf, size, "%s %llu MiB", name, (unsigned long long)(q->bytes / SIM_MIB));
    else if (q->bytes % SIM_KIB == 0)
        snprintf(buf, size, "%s %llu KiB", name, (unsigned long long)(q->bytes / SIM_KIB));
    else
        snprintf(buf, size, "%s %lu B", name, (unsigned long)q->bytes);
}

static void print(struct ana_emit *o, int json, const struct hci_explained *x,
                  const struct ana_subject *of)
{
    if (json)
        ana_explain_json(o, x, of);
    else
        ana_explain_text(o->f, x, of);
}

static int guest_ios(const struct input *in, const struct hci_layout *lay, struct ana_emit *o,
                     struct sim_err *e)
{
    char name[64];
    for (unsigned i = 0; i < in->nios; i++) {
        struct hci_explained *x;
        int rc = hci_explain(&x, lay, &in->io[i], e);
        if (rc != SIM_OK)
            return rc;
        name_io(&in->io[i], name, sizeof name);
        print(o, in->json, x, &(struct ana_subject){name, in->io[i].bytes, in->depth});
        hci_explained_free(x);
    }
    return SIM_OK;
}

static int background(const struct input *in, const struct hci_layout *lay, struct ana_emit *o,
                      struct sim_err *e)
{
    for (unsigned i = 0;; i++) {
        struct hci_explained *x;
        int rc = hci_explain_background(&x, lay, i, e);
        if (rc != SIM_OK || !x)
            return rc;
        print(o, in->json, x, &(struct ana_subject){x->title, 0, 0});
        hci_explained_free(x);
    }
}

static void default_ios(struct input *in)
{
    static const struct hci_question all[] = {
        {.op = HCI_READ, .random = true, .bytes = 4096},
        {.op = HCI_WRITE, .random = true, .bytes = 4096},
        {.op = HCI_READ, .bytes = 1 << 20},
        {.op = HCI_WRITE, .bytes = 1 << 20},
    };
    memcpy(in->io, all, sizeof all);
    in->nios = sizeof all / sizeof all[0];
}

static int explain(struct input *in, const struct hci_layout *lay, struct sim_err *e)
{
    struct ana_emit o = {.f = stdout};
    if (in->nios == 0)
        default_ios(in);
    if (in->json) {
        ana_emit_open(&o, NULL, '{');
        ana_emit_str(&o, "schema", "hcisim-explain/1");
        ana_emit_str(&o, "layout", lay->name);
        ana_emit_str(&o, "platform", lay->platform->k.name);
        ana_emit_u64(&o, "samples", HCI_SAMPLES);
        ana_emit_open(&o, "plans", '[');
    } else {
        ana_explain_text_open(stdout, lay);
    }
    int rc = guest_ios(in, lay, &o, e);
    if (rc == SIM_OK)
        rc = background(in, lay, &o, e);
    if (in->json) {
        ana_emit_close(&o, ']');
        ana_emit_close(&o, '}');
        fputc('\n', stdout);
    } else {
        ana_explain_text_close(stdout);
    }
    return rc;
}

int ana_explain_main(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "LAYOUT",
        "Shows what one I/O does on LAYOUT, step by step, with the mean time each step takes when "
        "nothing else runs, and the bounds that follow: which station caps the IOPS, at what. "
        "Nothing is simulated, no queue is in the figures.",
        NULL,
        NULL,
        NULL};
    struct sim_err e = {0};
    struct input in = {.err = &e, .depth = 32};
    struct hci_layout *lay;
    int rc = ana_parse(&argp, argc, argv, &in, &e);
    if (rc == SIM_OK)
        rc = hci_layout_load(&lay, in.path, in.sets, in.nsets, &e);
    if (rc != SIM_OK)
        return ana_err_print(stderr, &e);
    rc = explain(&in, lay, &e);
    hci_layout_free(lay);
    return rc != SIM_OK ? ana_err_print(stderr, &e) : rc;
}
