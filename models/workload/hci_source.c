/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_source.h"
#include "hci_blockmap.h"
#include "hci_order.h"
#include "hci_skew.h"
#include "sim_rng.h"

#include <stdlib.h>
#include <string.h>

/* What a draw decides: the last part of its key. */
enum { DRAW_DIRECTION, DRAW_OFFSET, DRAW_SIZE, DRAW_RANDOM, DRAW_FILE, DRAWS };

enum order { ORDER_SEQUENTIAL, ORDER_MAP, ORDER_LFSR, ORDER_CUT, ORDER_DRAW };

struct region { /* the part of one file the job uses; positions count from its start */
    uint64_t start, bytes;
    uint64_t pos[HCI_DDIRS], last[HCI_DDIRS]; /* next sequential; last issued */
    uint64_t zone, zone_done;                 /* strided: start of the zone, bytes done there */
    uint64_t places[HCI_DDIRS];               /* where a block may start, now */
    uint64_t blocks, at, pass, key;           /* map and LFSR: blocks, position, pass */
    struct hci_perm perm;
    struct hci_lfsr lfsr;
    struct hci_skew skew[HCI_DDIRS];
    struct hci_blockmap *map;                 /* of ORDER_CUT */
    uint16_t file;
    bool done;
};

struct hci_source {
    const struct hci_job *job;
    enum order order;
    unsigned dirs, only;             /* bits used; the one direction, or HCI_DDIRS */
    uint64_t read_below;             /* a draw below it reads */
    uint64_t key, ios, bytes;        /* issued so far */
    uint64_t nth;                    /* of the draws, which a repeated pass repeats */
    uint64_t limit, all_bytes, all_ios, max_bs; /* per loop; over all loops */
    uint64_t iterations;
    uint64_t run;                    /* I/Os issued in runs of rw_seq_nr */
    bool finished, mixed_random[HCI_DDIRS], sync[HCI_DDIRS];
    bool sequential;                 /* no random offsets at all */
    bool cuts;                       /* its blocks differ in size and share a map */
    bool trim_pending;               /* trimwrite: the write of `trimmed` comes next */
    struct hci_request trimmed;
    unsigned nregions, current, served;
    struct region regions[];
};

static uint64_t draw(const struct hci_source *s, unsigned what)
{
    return sim_key(s->key, s->nth * DRAWS + what);
}

static bool uses(const struct hci_source *s, unsigned op) { return s->dirs >> op & 1; }

/* Bytes of the zone the region stands in; all of it when not strided. */
static uint64_t extent(const struct hci_source *s, const struct region *r)
{
    return s->job->zone_strided ? sim_min(s->job->zonerange, r->bytes - r->zone) : r->bytes;
}

/* Starting points of blocks of direction op in `bytes`. */
static uint64_t places(const struct hci_source *s, unsigned op, uint64_t bytes)
{
    uint64_t bs = s->job->bs_min[op];
    return bytes < bs ? 0 : (bytes - bs) / s->job->ba[op] + 1;
}

static void start_pass(struct hci_source *s, struct region *r)
{
    unsigned op = s->dirs & HCI_RW_READ ? HCI_READ : s->dirs & HCI_RW_WRITE ? HCI_WRITE : HCI_TRIM;
    for (unsigned d = 0; d < HCI_DDIRS; d++)
        r->places[d] = uses(s, d) ? sim_max(places(s, d, extent(s, r)), 1) : 0;
    r->at = 0;
    r->blocks = r->places[op];
    if (s->order == ORDER_MAP) {
        hci_perm_init(&r->perm, r->blocks, sim_key(r->key, r->pass++));
    } else if (s->order == ORDER_LFSR) {
        hci_lfsr_init(&r->lfsr, r->blocks, r->key);
    } else if (s->order == ORDER_CUT) {
        r->pass++;
        hci_blockmap_clear(r->map);
    }
}

/* Another round from the start. With randrepeat fio seeds its generators anew, and
 * each round of a map is like the first; a time_based job just goes on. */
static void restart(struct hci_source *s)
{
    bool again = s->job->randrepeat && !s->job->time_based;
    s->nth = again ? 0 : s->nth;
    for (unsigned i = 0; i < s->nregions; i++) {
        struct region *r = &s->regions[i];
        r->done = false;
        r->zone = r->zone_done = 0;
        memset(r->pos, 0, sizeof r->pos);
        r->pass = again ? 0 : r->pass;
        start_pass(s, r);
    }
    s->current = s->served = 0;
}

/* All files are used up: is there another round? */
static bool next_iteration(struct hci_source *s)
{
    const struct hci_job *job = s->job;
    if (++s->iterations >= job->loops && !job->time_based &&
        (!job->io_size || s->bytes >= s->limit || s->limit - s->bytes < s->max_bs))
        return false;
    restart(s);
    return true;
}

/* The next block of a map or LFSR; false when the pass is over and was the last. */
static bool ordered_block(struct hci_source *s, struct region *r, uint64_t *block)
{
    if (r->at == r->blocks) {
        if (!s->job->time_based && !s->job->zone_strided)
            return false;
        start_pass(s, r);
    }
    r->at++;
    *block = s->order == ORDER_MAP ? hci_perm_at(&r->perm, r->at - 1) : hci_lfsr_next(&r->lfsr);
    return true;
}

/* Of a map shared by blocks of several sizes, the free one at or behind a drawn
 * one. Each direction counts in its own smallest block, as in fio: where these
 * differ the walk runs past the end of the direction with the larger one, and
 * the pass is over before all is touched. */
static bool free_block(const struct hci_source *s, const struct region *r, unsigned op,
                       uint64_t *block)
{
    uint64_t key = sim_key(draw(s, DRAW_OFFSET), r->pass);
    *block = hci_blockmap_next(r->map, sim_below(key, sim_min(r->places[op], r->map->n)));
    return *block < r->places[op] && *block < r->map->n;
}

/* What of an I/O of len bytes lies before the next block the pass has touched. */
static uint64_t cut(const struct hci_source *s, struct region *r, unsigned op, uint64_t block,
                    uint64_t len)
{
    uint64_t bs = s->job->bs_min[op];
    uint64_t got = hci_blockmap_take(r->map, block, (len + bs - 1) / bs);
    return sim_min(len, got * bs);
}

/* A drawn block, with replacement. */
static uint64_t drawn_block(struct hci_source *s, struct region *r, unsigned op)
{
    uint64_t key = draw(s, DRAW_OFFSET);
    if (s->job->random_dist[op] != HCI_RD_RANDOM && !s->job->zone_strided)
        return hci_skew_draw(&r->skew[op], key);
    return sim_below(key, r->places[op]);
}

/* Sequential position, with the holes of rw=read:N. False at the end. */
static bool follow(struct hci_source *s, struct region *r, unsigned op, uint64_t *off)
{
    const struct hci_job *job = s->job;
    bool random = job->rw & HCI_RW_RANDOM;
    uint64_t size = extent(s, r), pos = r->pos[op] - (r->pos[op] >= r->zone ? r->zone : 0);
    if (pos > size || size - pos < job->bs_min[op]) {
        bool both = (s->dirs & HCI_RW_READ) && (s->dirs & HCI_RW_WRITE);
        if (random || !(job->time_based || job->zone_strided || (both && job->io_size > job->size)))
            return false;
        pos = 0;
    }
    if (pos && job->rw_seq_nr && !random) {
        int64_t add = job->rw_seq_nr;
        uint64_t next = pos + (uint64_t)add;
        if (next >= size) /* also below 0 */
            next = add > 0 ? 0 : size + (uint64_t)add;
        pos = next < size && size - next >= job->bs_min[op] ? next : 0;
    }
    *off = r->zone + pos;
    return true;
}

/* Is this I/O of a random job really random? */
static bool jumps(struct hci_source *s, unsigned op)
{
    const struct hci_job *job = s->job;
    if (job->rw_seq_nr > 1)
        return s->run++ % (uint64_t)job->rw_seq_nr == 0;
    return sim_below(draw(s, DRAW_RANDOM), 100) < job->percentage_random[op];
}

/* Offset of a random job's I/O that may not be random. */
static void mixed_offset(struct hci_source *s, struct region *r, unsigned op, uint64_t *off,
                         bool *random)
{
    *random = jumps(s, op);
    if (!*random && s->job->rw_seq_nr > 1 && s->job->rw_sequencer) {
        *off = r->last[op];
        return;
    }
    if (!*random && follow(s, r, op, off))
        return;
    *off = r->zone + drawn_block(s, r, op) * s->job->ba[op];
}

/* Length of an I/O that has `room` bytes left; bs is the direction whose sizes count. */
static uint64_t length(struct hci_source *s, unsigned bs, uint64_t room)
{
    const struct hci_job *job = s->job;
    uint64_t lo = job->bs_min[bs], hi = job->bs_max[bs];
    if (lo == hi)
        return lo;
    uint64_t key = draw(s, DRAW_SIZE);
    for (unsigned tries = 0; tries < 16; tries++, key = sim_mix(key)) {
        uint64_t len = sim_min(lo + sim_below(key, hi), hi); /* each multiple of lo alike */
        if (job->nbssplit[bs]) {
            unsigned percent = (unsigned)sim_below(key, 100), i = 0;
            while (i + 1 < job->nbssplit[bs] && percent >= job->bssplit[bs][i].percent)
                percent -= job->bssplit[bs][i++].percent;
            len = job->bssplit[bs][i].bytes;
        }
        len -= job->bs_unaligned ? 0 : len % lo;
        if (len <= room)
            return len;
    }
    return lo;
}

/* Moves a strided region on when enough was done in its zone. */
static void stride(struct hci_source *s, struct region *r)
{
    const struct hci_job *job = s->job;
    if (!job->zone_strided || r->zone_done < job->zonesize)
        return;
    r->zone_done = 0;
    r->zone += job->zonerange + job->zoneskip;
    for (unsigned op = 0; op < HCI_DDIRS; op++)
        if (r->zone >= r->bytes || (uses(s, op) && r->bytes - r->zone < job->bs_min[op]))
            r->zone = 0;
    for (unsigned op = 0; op < HCI_DDIRS; op++)
        r->pos[op] = r->zone;
    start_pass(s, r);
}

/* Chooses offset and length in one file; false when the file is used up. */
static bool place(struct hci_source *s, struct region *r, unsigned op, struct hci_request *rq)
{
    uint64_t off, block = 0;
    bool random = s->order != ORDER_SEQUENTIAL;
    stride(s, r);
    if (!random) {
        if (!follow(s, r, op, &off))
            return false;
    } else if (s->mixed_random[op]) {
        mixed_offset(s, r, op, &off, &random);
    } else if (s->order == ORDER_DRAW) {
        off = r->zone + drawn_block(s, r, op) * s->job->ba[op];
    } else {
        if (s->order == ORDER_CUT ? !free_block(s, r, op, &block) : !ordered_block(s, r, &block))
            return false;
        off = r->zone + block * s->job->ba[op];
    }
    uint64_t room = r->zone + extent(s, r) - off;
    uint64_t len = length(s, s->job->bs_is_seq_rand ? random : op, room);
    if (s->order == ORDER_CUT && !s->mixed_random[op]) {
        if (len > room)
            return false;
        len = cut(s, r, op, block, len);
    }
    len = sim_min(len, room);
    r->pos[op] = off + len;
    r->last[op] = off;
    r->zone_done += len;
    rq->offset = r->start + off;
    rq->bytes = (uint32_t)len;
    rq->file = r->file;
    return true;
}

/* The file whose turn it is; NULL when all are used up. */
static struct region *choose(struct hci_source *s)
{
    const struct hci_job *job = s->job;
    if (s->nregions == 1)
        return s->regions[0].done ? NULL : &s->regions[0];
    if (job->file_service == HCI_FILES_RANDOM && s->served >= job->file_service_nr) {
        s->current = (unsigned)sim_below(draw(s, DRAW_FILE), s->nregions);
        s->served = 0;
    } else if (job->file_service == HCI_FILES_ROUNDROBIN && s->served >= job->file_service_nr) {
        s->current = (s->current + 1) % s->nregions;
        s->served = 0;
    }
    for (unsigned i = 0; i < s->nregions; i++, s->served = 0) {
        struct region *r = &s->regions[s->current];
        if (!r->done)
            return r;
        s->current = (s->current + 1) % s->nregions;
    }
    return NULL;
}

static void account(struct hci_source *s, const struct hci_request *rq)
{
    s->ios++;
    s->nth++;
    s->served++;
    s->bytes += rq->bytes;
    if (!s->job->time_based && (s->bytes >= s->all_bytes || s->ios >= s->all_ios))
        s->finished = true;
}

bool hci_source_next_dir(struct hci_source *s, unsigned op, struct hci_request *rq)
{
    struct region *r;
    if (s->finished)
        return false;
    *rq = (struct hci_request){.op = (uint8_t)op, .sync = s->sync[op],
                               .seq = s->sequential};
    for (;;) {
        while ((r = choose(s))) {
            if (place(s, r, op, rq)) {
                account(s, rq);
                return true;
            }
            r->done = true;
        }
        if (!next_iteration(s)) {
            s->finished = true;
            return false;
        }
    }
}

/* A trim, then the write of what was trimmed. */
static bool trimwrite_next(struct hci_source *s, struct hci_request *rq)
{
    if (!s->trim_pending) {
        s->trim_pending = hci_source_next_dir(s, HCI_TRIM, rq);
        s->trimmed = *rq;
        return s->trim_pending;
    }
    if (s->finished)
        return false;
    s->trim_pending = false;
    *rq = s->trimmed;
    rq->op = HCI_WRITE;
    rq->sync = s->sync[HCI_WRITE];
    account(s, rq);
    return true;
}

unsigned hci_source_next_op(const struct hci_source *s)
{
    if (s->only < HCI_DDIRS)
        return s->only;
    if (s->dirs & HCI_RW_TRIM)
        return s->trim_pending ? HCI_WRITE : HCI_TRIM;
    return draw(s, DRAW_DIRECTION) >> 11 < s->read_below ? HCI_READ : HCI_WRITE;
}

bool hci_source_next(struct hci_source *s, struct hci_request *rq)
{
    if (s->only == HCI_DDIRS && (s->dirs & HCI_RW_TRIM))
        return trimwrite_next(s, rq);
    return hci_source_next_dir(s, hci_source_next_op(s), rq);
}

uint64_t hci_source_span(const struct hci_source *s)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < s->nregions; i++)
        sum += s->regions[i].bytes;
    return sum;
}

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

static int init_region(struct hci_source *s, struct region *r, uint64_t bytes, uint64_t least,
                       struct sim_err *e)
{
    const struct hci_job *job = s->job;
    r->start = region_start(job, bytes, least);
    if (bytes && r->start >= bytes)
        return fail(job, e, "the offset lies behind the end of the file");
    uint64_t left = bytes ? bytes - r->start : INT64_MAX - r->start;
    r->bytes = job->size && !job->filesize_given ? job->size / job->nfiles : bytes ? left : 0;
    if (job->size_pct > 0 && job->size_pct < 100) {
        uint64_t whole = job->size ? r->bytes : bytes;
        r->bytes = share(whole, job->size_pct);
        r->bytes -= r->bytes % least;
    }
    r->bytes = sim_min(r->bytes, left);
    for (unsigned op = 0; op < HCI_DDIRS; op++)
        if ((uses(s, op) || (job->bs_is_seq_rand && op <= HCI_WRITE)) &&
            r->bytes < job->bs_min[op])
            return fail(job, e, "size too small, must not be less than minimum block size");
    for (unsigned op = 0; op < HCI_DDIRS; op++)
        if (uses(s, op) && s->order == ORDER_DRAW &&
            !hci_skew_init(&r->skew[op], job, (int)op, places(s, op, r->bytes), job->ba[op],
                           sim_key(r->key, op)))
            return fail(job, e, "out of memory");
    start_pass(s, r);
    return SIM_OK;
}

/* The unit of fio's random map, whatever directions are used. */
static uint64_t map_unit(const struct hci_job *job)
{
    return sim_min(job->bs_min[0], sim_min(job->bs_min[1], job->bs_min[2]));
}

/* A map of equal blocks is computed. One whose blocks differ is kept, and until
 * there is memory for it (hci_source_map) offsets are drawn. */
static enum order order_of(struct hci_source *s)
{
    const struct hci_job *job = s->job;
    bool differ = job->bs_is_seq_rand && job->bs_min[0] != job->bs_min[1];
    if (!(job->rw & HCI_RW_RANDOM))
        return ORDER_SEQUENTIAL;
    for (unsigned op = 0; op < HCI_DDIRS; op++)
        differ |= uses(s, op) &&
                  (job->bs_min[op] != map_unit(job) || job->bs_max[op] != job->bs_min[op]);
    if (job->norandommap && job->generator != HCI_GEN_LFSR)
        return ORDER_DRAW;
    s->cuts = differ && job->generator != HCI_GEN_LFSR && !job->zone_strided;
    if (differ && job->generator != HCI_GEN_LFSR)
        return ORDER_DRAW;
    return job->generator == HCI_GEN_LFSR ? ORDER_LFSR : ORDER_MAP;
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
        if (uses(s, op))
            s->max_bs = sim_max(s->max_bs, job->bs_max[op]);
        s->sync[op] = op == HCI_WRITE && job->sync_io;
        s->mixed_random[op] = job->rw_seq_nr > 1 || job->percentage_random[op] < 100;
    }
    s->read_below = (uint64_t)(job->rwmixread / 100 * 9007199254740992.0); /* of 2^53 */
    s->order = order_of(s);
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
        if (uses(s, op))
            least = sim_min(least, job->bs_min[op]);
    /* randrepeat: the same offsets whatever the run's seed. */
    uint64_t key = sim_key(job->randrepeat ? sim_role("randrepeat") : seed, job->randseed);
    s->key = sim_key(key, job->number);
    s->nregions = n;
    s->finished = n == 0;
    for (unsigned i = 0; i < n && !code; i++) {
        s->regions[i].file = (uint16_t)job->files[i];
        /* An LFSR's order belongs to range, block size and job alone. */
        s->regions[i].key = sim_key(s->order == ORDER_LFSR ? job->number : s->key, i);
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
    s->order = ORDER_CUT;
    for (unsigned i = 0; i < s->nregions; i++)
        start_pass(s, &s->regions[i]);
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
