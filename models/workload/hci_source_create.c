/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a job to a source: regions, limits, orders.
 */
#include "hci_source_state.h"
#include "sim_rng.h"

#include <stdlib.h>

static uint64_t share(uint64_t bytes, double percent)
{
    return percent >= 100 ? bytes : (uint64_t)((double)bytes * percent / 100);
}

static int fail(const struct hci_job *job, struct sim_err *e, const char *why)
{
    return sim_fail_at(e, SIM_E_INPUT, job->source_file, job->line, "job %s: %s", job->name, why);
}

/* Where the job's part of a file of `bytes` (0: as large as needed) begins. */
static uint64_t region_start(const struct hci_job *job, uint64_t bytes, uint64_t least)
{
    uint64_t step = job->offset_increment, off = job->offset;
    uint64_t align = job->offset_align ? job->offset_align : least;
    if (job->offset_increment_pct > 0)
        step = share(bytes, job->offset_increment_pct);
    if (job->offset_pct > 0)
        off = share(bytes, job->offset_pct);
    unsigned __int128 at = (unsigned __int128)step * job->clone + off;
    if (job->offset_pct > 0 || job->offset_align)
        at = (at + align - 1) / align * align;
    return at > INT64_MAX ? INT64_MAX : (uint64_t)at;
}

static int init_region(struct hci_source *s, struct hci_region *r, uint64_t bytes, uint64_t least,
                       struct sim_err *e)
{
    const struct hci_job *job = s->job;
    r->start = job->append_at ? job->append_at[r - s->regions] : region_start(job, bytes, least);
    if (bytes && r->start >= bytes)
        return fail(job, e, "the offset lies behind the end of the file");
    uint64_t left = bytes ? bytes - r->start : INT64_MAX - r->start;
    bool by_size = job->size && (!job->filesize_given || job->append_at);
    r->bytes = by_size ? job->size / job->nfiles : bytes ? left : 0;
    if (job->size_pct > 0 && job->size_pct < 100) {
        uint64_t whole = job->size ? r->bytes : bytes;
        r->bytes = share(whole, job->size_pct);
        r->bytes -= r->bytes % least;
    }
    r->bytes = sim_min(r->bytes, left);
    for (unsigned op = 0; op < HCI_DDIRS; op++)
        if ((hci_source_uses(s, op) || (job->bs_is_seq_rand && op <= HCI_WRITE)) &&
            r->bytes < job->bs_min[op])
            return fail(job, e, "size too small, must not be less than minimum block size");
    for (unsigned op = 0; op < HCI_DDIRS; op++)
        if (hci_source_uses(s, op) && s->order == HCI_ORDER_DRAW &&
            !hci_skew_init(&r->skew[op], job, (int)op, hci_source_places(s, op, r->bytes),
                           job->ba[op], sim_key(r->key, op)))
            return fail(job, e, "out of memory");
    hci_source_start_pass(s, r);
    return SIM_OK;
}

/* The unit of fio's random map, whatever directions are used. */
static uint64_t map_unit(const struct hci_job *job)
{
    return sim_min(job->bs_min[0], sim_min(job->bs_min[1], job->bs_min[2]));
}

/* A map of equal blocks is computed. One whose blocks differ is kept, and until
 * there is memory for it (hci_source_map) offsets are drawn. */
static enum hci_order order_of(struct hci_source *s)
{
    const struct hci_job *job = s->job;
    bool differ = job->bs_is_seq_rand && job->bs_min[0] != job->bs_min[1];
    if (!(job->rw & HCI_RW_RANDOM))
        return HCI_ORDER_SEQUENTIAL;
    for (unsigned op = 0; op < HCI_DDIRS; op++)
        differ |= hci_source_uses(s, op) &&
                  (job->bs_min[op] != map_unit(job) || job->bs_max[op] != job->bs_min[op]);
    if (job->norandommap && job->generator != HCI_GEN_LFSR)
        return HCI_ORDER_DRAW;
    s->cuts = differ && job->generator != HCI_GEN_LFSR && !job->zone_strided;
    if (differ && job->generator != HCI_GEN_LFSR)
        return HCI_ORDER_DRAW;
    return job->generator == HCI_GEN_LFSR ? HCI_ORDER_LFSR : HCI_ORDER_MAP;
}

static void init_limits(struct hci_source *s)
{
    const struct hci_job *job = s->job;
    uint64_t span = hci_source_span(s);
    uint64_t size = job->size ? sim_min(job->size, span) : span;
    s->limit = job->io_size ? job->io_size : size;
    if (job->io_size_pct > 0)
        s->limit = share(size, job->io_size_pct);
    if ((s->dirs & HCI_RW_WRITE) && (s->dirs & HCI_RW_TRIM)) /* every block goes twice */
        s->limit = sim_min(s->limit, UINT64_MAX / 2) * 2;
    unsigned __int128 all = (unsigned __int128)s->limit * job->loops;
    s->all_bytes = all > UINT64_MAX ? UINT64_MAX : (uint64_t)all;
    all = (unsigned __int128)job->number_ios * job->loops;
    s->all_ios = job->number_ios && all < UINT64_MAX ? (uint64_t)all : UINT64_MAX;
}

static void init_directions(struct hci_source *s, const struct hci_job *job)
{
    s->job = job;
    s->sequential = !(job->rw & HCI_RW_RANDOM);
    s->dirs = job->rw & (HCI_RW_READ | HCI_RW_WRITE | HCI_RW_TRIM);
    s->only = HCI_DDIRS;
    for (unsigned op = 0; op < HCI_DDIRS; op++) {
        if (s->dirs == 1u << op)
            s->only = op;
        if (hci_source_uses(s, op))
            s->max_bs = sim_max(s->max_bs, job->bs_max[op]);
        s->sync[op] = op == HCI_WRITE && job->sync_io;
        s->mixed_random[op] = job->rw_seq_nr > 1 || job->percentage_random[op] < 100;
    }
    s->read_below = (uint64_t)(job->rwmixread / 100 * 9007199254740992.0); /* of 2^53 */
    s->order = order_of(s);
    for (unsigned op = 0; op < HCI_DDIRS; op++)
        if (job->bs_min[op] == job->bs_max[op] && !job->bs_is_seq_rand && !s->cuts)
            s->one_size[op] = job->bs_min[op];
}

int hci_source_create(struct hci_source **out, const struct hci_job *job,
                      const uint64_t *file_bytes, uint64_t seed, struct sim_err *e)
{
    unsigned n = job->engine_class == HCI_ENGINE_IDLE ? 0 : job->nfiles;
    struct hci_source *s = calloc(1, sizeof *s + n * sizeof s->regions[0]);
    uint64_t least = UINT64_MAX;
    int code = SIM_OK;
    *out = NULL;
    if (!s)
        return fail(job, e, "out of memory");
    init_directions(s, job);
    for (unsigned op = 0; op < HCI_DDIRS; op++)
        if (hci_source_uses(s, op))
            least = sim_min(least, job->bs_min[op]);
    /* randrepeat: the same offsets whatever the run's seed. */
    uint64_t key = sim_key(job->randrepeat ? sim_role("randrepeat") : seed, job->randseed);
    s->key = sim_key(key, job->number);
    s->nregions = n;
    s->finished = n == 0;
    for (unsigned i = 0; i < n && !code; i++) {
        s->regions[i].file = (uint16_t)job->files[i];
        /* An LFSR's order belongs to range, block size and job alone. */
        s->regions[i].key = sim_key(s->order == HCI_ORDER_LFSR ? job->number : s->key, i);
        code = init_region(s, &s->regions[i], file_bytes[i], least, e);
    }
    if (code) {
        hci_source_free(s);
        return code;
    }
    init_limits(s);
    *out = s;
    return SIM_OK;
}

bool hci_source_map(struct hci_source *s, uint64_t *room)
{
    uint64_t unit = map_unit(s->job), sum = 0;
    for (unsigned i = 0; s->cuts && i < s->nregions; i++)
        sum += s->regions[i].bytes / unit;
    if (!s->cuts || sum > *room)
        return !s->cuts;
    for (unsigned i = 0; i < s->nregions; i++) {
        s->regions[i].map = hci_blockmap_create(s->regions[i].bytes / unit);
        if (!s->regions[i].map)
            return false;
    }
    *room -= sum;
    s->order = HCI_ORDER_CUT;
    for (unsigned i = 0; i < s->nregions; i++)
        hci_source_start_pass(s, &s->regions[i]);
    return true;
}

void hci_source_free(struct hci_source *s)
{
    if (!s)
        return;
    for (unsigned i = 0; i < s->nregions; i++)
        hci_blockmap_free(s->regions[i].map);
    for (unsigned i = 0; i < s->nregions; i++)
        for (unsigned op = 0; op < HCI_DDIRS; op++)
            hci_skew_fini(&s->regions[i].skew[op]);
    free(s);
}
