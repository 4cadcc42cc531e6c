/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_explain.h"

#include "hci_cluster.h"
#include "sim_assert.h"
#include "sim_mem.h"

#include <stdlib.h>
#include <string.h>

#define SPAN (64 * SIM_GIB) /* of the sampled addresses, unless the virtual disk is smaller */

struct samples { /* sums over the plans seen so far */
    struct hci_explained *x;
    double *station, *gate; /* [npaths][nstations], [npaths][ngates] */
};

/* ---- plans ---- */

static uint64_t span_of(const struct hci_layout *lay)
{
    uint64_t size = lay->guests[0].vdisk_bytes;
    return size && size < SPAN ? size : SPAN;
}

static uint32_t job_core(struct hci_cluster *c, uint8_t engine)
{
    if (engine == HCI_HOST_SPDK)
        return SIM_NONE;
    return sim_add_fifo(c->sim, "guest0 job core", (int)c->guests[0].node, 1);
}

static struct sim_io *guest_io(struct hci_explained *x, const struct hci_question *q, uint32_t core,
                               uint64_t number)
{
    struct hci_cluster *c = x->cluster;
    uint64_t key = sim_key(sim_role("explain"), number);
    uint64_t blocks = q->bytes ? sim_max(1, span_of(c->layout) / q->bytes) : 1;
    uint64_t block = q->random ? sim_below(key, blocks) : number % blocks;
    struct sim_io *io = sim_io_new(x->sim, NULL, key);
    *hci_io_of(io) =
        (struct hci_io){.rq = {.op = q->op, .bytes = q->bytes, .offset = block * q->bytes},
                        .cluster = c,
                        .engine = q->engine,
                        .core = core,
                        .follows_reap = 1}; /* as every I/O of a busy job */
    c->platform->lower(c, io);
    return io;
}

/* ---- alternatives ---- */

/* Which alternative of each decision path number k takes; their number. */
static unsigned pick_of(const struct sim_tree *t, unsigned k, unsigned *pick)
{
    unsigned paths = 1;
    for (unsigned i = 0; i < t->nchoices; i++) {
        pick[i] = k / paths % t->choice[i]->nalts;
        paths *= t->choice[i]->nalts;
        sim_assert(paths <= HCI_PATHS_MAX);
    }
    return paths;
}

static const char *conditions(struct sim_arena *a, const struct sim_tree *t, const unsigned *pick)
{
    const char *text = "";
    for (unsigned i = 0; i < t->nchoices; i++)
        text = sim_arena_printf(a, "%s%s%s", text, i ? "; " : "", t->choice[i]->alts[pick[i]].when);
    return text;
}

static void open_paths(struct samples *m)
{
    struct hci_explained *x = m->x;
    unsigned pick[SIM_TREE_CHOICES];
    x->npaths = pick_of(&x->tree, 0, pick);
    x->paths = sim_arena_array(x->arena, x->npaths, sizeof *x->paths);
    m->station =
        sim_arena_array(x->arena, (size_t)x->npaths * (x->sim->nstations + 1), sizeof *m->station);
    m->gate = sim_arena_array(x->arena, (size_t)x->npaths * (x->sim->ngates + 1), sizeof *m->gate);
    for (unsigned k = 0; k < x->npaths; k++) {
        pick_of(&x->tree, k, pick);
        x->paths[k].when = conditions(x->arena, &x->tree, pick);
    }
}

static void add_sample(struct samples *m, const struct sim_tree *t)
{
    struct hci_explained *x = m->x;
    unsigned pick[SIM_TREE_CHOICES];
    for (unsigned k = 0; k < x->npaths; k++) {
        sim_assert(pick_of(t, k, pick) == x->npaths);
        x->paths[k].path_ns +=
            sim_tree_load(t, pick, 1.0 / HCI_SAMPLES, m->station + (size_t)k * x->sim->nstations,
                          m->gate + (size_t)k * x->sim->ngates) /
            HCI_SAMPLES;
    }
}

static void close_paths(struct samples *m)
{
    struct hci_explained *x = m->x;
    for (unsigned k = 0; k < x->npaths; k++)
        x->paths[k].bounds =
            sim_bounds(x->sim, x->arena, m->station + (size_t)k * x->sim->nstations,
                       m->gate + (size_t)k * x->sim->ngates, &x->paths[k].nbounds);
}

/* The n-th plan: the first opens the books and stays, the others only count. */
static void take_sample(struct samples *m, struct sim_io *io, unsigned n)
{
    struct hci_explained *x = m->x;
    if (n == 0) {
        sim_tree_build(&x->tree, x->arena, x->prober, io);
        open_paths(m);
        add_sample(m, &x->tree);
        return;
    }
    struct sim_arena *a = sim_arena_create(16 * 1024);
    struct sim_tree t;
    sim_tree_build(&t, a, x->prober, io);
    add_sample(m, &t);
    sim_arena_free(a);
}

/* ---- life ---- */

static int open_cluster(struct hci_explained **out, const struct hci_layout *lay, struct sim_err *e)
{
    struct hci_explained *x = calloc(1, sizeof *x);
    sim_assert(x != NULL);
    *out = x;
    x->title = "";
    x->arena = sim_arena_create(64 * 1024);
    x->sim = sim_create(1, 0);
    sim_assert(x->sim != NULL);
    if (lay->nguests == 0)
        return sim_fail_at(e, SIM_E_INPUT, lay->path, 0, "no guest whose I/O could be explained");
    int rc = hci_cluster_create(&x->cluster, x->sim, lay, e);
    if (rc != SIM_OK)
        return rc;
    x->cluster->prepared_bytes = span_of(lay);
    if (lay->platform->start)
        lay->platform->start(x->cluster);
    return SIM_OK;
}

void hci_explained_free(struct hci_explained *x)
{
    if (!x)
        return;
    sim_prober_free(x->prober);
    hci_cluster_free(x->cluster);
    sim_free(x->sim);
    sim_arena_free(x->arena);
    free(x);
}

static int give_up(struct hci_explained **out, int rc)
{
    hci_explained_free(*out);
    *out = NULL;
    return rc;
}

int hci_explain(struct hci_explained **out, const struct hci_layout *lay,
                const struct hci_question *q, struct sim_err *e)
{
    int rc = open_cluster(out, lay, e);
    if (rc != SIM_OK)
        return give_up(out, rc);
    struct samples m = {.x = *out};
    uint32_t core = job_core((*out)->cluster, q->engine);
    (*out)->prober = sim_prober_create((*out)->sim);
    for (unsigned n = 0; n < HCI_SAMPLES; n++)
        take_sample(&m, guest_io(*out, q, core, n), n);
    close_paths(&m);
    return SIM_OK;
}

int hci_explain_background(struct hci_explained **out, const struct hci_layout *lay, unsigned i,
                           struct sim_err *e)
{
    *out = NULL;
    if (!lay->platform->background)
        return SIM_OK;
    int rc = open_cluster(out, lay, e);
    if (rc != SIM_OK)
        return give_up(out, rc);
    struct hci_explained *x = *out;
    struct samples m = {.x = x};
    x->prober = sim_prober_create(x->sim);
    for (unsigned n = 0; n < HCI_SAMPLES; n++) {
        struct sim_io *io = sim_io_new(x->sim, NULL, sim_key(sim_role("explain"), n));
        const char *title = x->cluster->platform->background(x->cluster, io, i);
        if (!title)
            return give_up(out, SIM_OK);
        x->title = title;
        take_sample(&m, io, n);
    }
    close_paths(&m);
    return SIM_OK;
}
