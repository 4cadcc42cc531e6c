/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_source.h"
#include "hci_source_state.h"
#include "sim_rng.h"

#include <string.h>

/* What a draw decides: the last part of its key. */
enum { DRAW_DIRECTION, DRAW_OFFSET, DRAW_SIZE, DRAW_RANDOM, DRAW_FILE, DRAWS };

static uint64_t draw(const struct hci_source *s, unsigned what)
{
    return sim_key(s->key, s->nth * DRAWS + what);
}

void hci_source_start_pass(struct hci_source *s, struct hci_region *r)
{
    unsigned op = s->dirs & HCI_RW_READ ? HCI_READ : s->dirs & HCI_RW_WRITE ? HCI_WRITE : HCI_TRIM;
    uint64_t bytes = hci_source_extent(s, r);
    for (unsigned d = 0; d < HCI_DDIRS; d++)
        r->places[d] = hci_source_uses(s, d) ? sim_max(hci_source_places(s, d, bytes), 1) : 0;
    r->at = 0;
    r->blocks = r->places[op];
    if (s->order == HCI_ORDER_MAP) {
        hci_perm_init(&r->perm, r->blocks, sim_key(r->key, r->pass++));
    } else if (s->order == HCI_ORDER_LFSR) {
        hci_lfsr_init(&r->lfsr, r->blocks, r->key);
    } else if (s->order == HCI_ORDER_CUT) {
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
        struct hci_region *r = &s->regions[i];
        r->done = false;
        r->zone = r->zone_done = 0;
        memset(r->pos, 0, sizeof r->pos);
        r->pass = again ? 0 : r->pass;
        hci_source_start_pass(s, r);
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
static bool ordered_block(struct hci_source *s, struct hci_region *r, uint64_t *block)
{
    if (r->at == r->blocks) {
        if (!s->job->time_based && !s->job->zone_strided)
            return false;
        hci_source_start_pass(s, r);
    }
    r->at++;
    *block = s->order == HCI_ORDER_MAP ? hci_perm_at(&r->perm, r->at - 1)
                                       : hci_lfsr_next(&r->lfsr);
    return true;
}

/* Of a map shared by blocks of several sizes, the free one at or behind a drawn
 * one. Each direction counts in its own smallest block, as in fio: where these
 * differ the walk runs past the end of the direction with the larger one, and
 * the pass is over before all is touched. */
static bool free_block(const struct hci_source *s, const struct hci_region *r, unsigned op,
                       uint64_t *block)
{
    uint64_t key = sim_key(draw(s, DRAW_OFFSET), r->pass);
    *block = hci_blockmap_next(r->map, sim_below(key, sim_min(r->places[op], r->map->n)));
    return *block < r->places[op] && *block < r->map->n;
}

/* A drawn block, with replacement. */
static uint64_t drawn_block(struct hci_source *s, struct hci_region *r, unsigned op)
{
    uint64_t key = draw(s, DRAW_OFFSET);
    if (s->job->random_dist[op] != HCI_RD_RANDOM && !s->job->zone_strided)
        return hci_skew_draw(&r->skew[op], key);
    return sim_below(key, r->places[op]);
}

/* Sequential position, with the holes of rw=read:N. False at the end. */
static bool follow(struct hci_source *s, struct hci_region *r, unsigned op, uint64_t *off)
{
    const struct hci_job *job = s->job;
    bool random = job->rw & HCI_RW_RANDOM;
    uint64_t size = hci_source_extent(s, r);
    uint64_t pos = r->pos[op] - (r->pos[op] >= r->zone ? r->zone : 0);
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
static void mixed_offset(struct hci_source *s, struct hci_region *r, unsigned op, uint64_t *off,
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

/* Length of an I/O at off, whose sizes vary: on a map as much as lies before the
 * next block the pass has touched; 0: it does not fit, which ends a map's pass. */
static uint64_t sized(struct hci_source *s, struct hci_region *r, unsigned op, bool random,
                      uint64_t off)
{
    uint64_t room = r->zone + hci_source_extent(s, r) - off, bs = s->job->bs_min[op];
    uint64_t len = length(s, s->job->bs_is_seq_rand ? random : op, room);
    if (s->order != HCI_ORDER_CUT || s->mixed_random[op])
        return sim_min(len, room);
    if (len > room)
        return 0;
    return sim_min(len, hci_blockmap_take(r->map, off / s->job->ba[op], (len + bs - 1) / bs) * bs);
}

/* Moves a strided region on when enough was done in its zone. */
static void stride(struct hci_source *s, struct hci_region *r)
{
    const struct hci_job *job = s->job;
    if (!job->zone_strided || r->zone_done < job->zonesize)
        return;
    r->zone_done = 0;
    r->zone += job->zonerange + job->zoneskip;
    for (unsigned op = 0; op < HCI_DDIRS; op++)
        if (r->zone >= r->bytes || (hci_source_uses(s, op) && r->bytes - r->zone < job->bs_min[op]))
            r->zone = 0;
    for (unsigned op = 0; op < HCI_DDIRS; op++)
        r->pos[op] = r->zone;
    hci_source_start_pass(s, r);
}

/* Chooses offset and length in one file; false when the file is used up. */
static bool place(struct hci_source *s, struct hci_region *r, unsigned op, struct hci_request *rq)
{
    uint64_t off, block;
    bool random = s->order != HCI_ORDER_SEQUENTIAL;
    stride(s, r);
    if (!random) {
        if (!follow(s, r, op, &off))
            return false;
    } else if (s->mixed_random[op]) {
        mixed_offset(s, r, op, &off, &random);
    } else if (s->order == HCI_ORDER_DRAW) {
        off = r->zone + drawn_block(s, r, op) * s->job->ba[op];
    } else {
        bool cut = s->order == HCI_ORDER_CUT;
        if (cut ? !free_block(s, r, op, &block) : !ordered_block(s, r, &block))
            return false;
        off = r->zone + block * s->job->ba[op];
    }
    uint64_t len = s->one_size[op] ? s->one_size[op] : sized(s, r, op, random, off);
    if (!len)
        return false;
    r->pos[op] = off + len;
    r->last[op] = off;
    r->zone_done += len;
    rq->offset = r->start + off;
    rq->bytes = (uint32_t)len;
    rq->file = r->file;
    return true;
}

/* The file whose turn it is; NULL when all are used up. */
static struct hci_region *choose(struct hci_source *s)
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
        struct hci_region *r = &s->regions[s->current];
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
    struct hci_region *r;
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
