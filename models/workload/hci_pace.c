/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/hci_pace.h"

#include "sim_rng.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LN2_Q32 2977044472ULL
#define SETTLE (2 * SIM_S) /* fio judges no minimum rate before */

static bool limited(const struct hci_job *job, unsigned op)
{
    return job->rate_Bps[op] || job->rate_iops[op];
}

void hci_pace_init(struct hci_pace *p, const struct hci_job *job, uint64_t key, sim_time now,
                   sim_time deadline)
{
    *p = (struct hci_pace){.job = job, .key = key, .deadline = deadline, .start = now,
                           .last_thought = now, .thinks = job->thinktime > 0};
    for (unsigned op = 0; op < HCI_DDIRS; op++)
        p->rated |= limited(job, op);
    hci_pace_restart(p, now);
}

void hci_pace_restart(struct hci_pace *p, sim_time now)
{
    p->epoch = now;
    memset(p->next, 0, sizeof p->next);
    memset(p->shift, 0, sizeof p->shift);
    memset(p->done, 0, sizeof p->done);
}

uint64_t hci_pace_minus_ln(uint64_t draw)
{
    uint64_t frac = 0;
    draw |= draw == 0;
    unsigned lead = (unsigned)__builtin_clzll(draw);
    uint64_t x = draw << lead; /* 1 <= x < 2 in units of 2^-63 */
    for (int bit = 31; bit >= 0; bit--) {
        unsigned __int128 square = (unsigned __int128)x * x >> 63;
        bool two = (square >> 64) != 0;
        frac |= (uint64_t)two << bit;
        x = (uint64_t)(square >> two);
    }
    uint64_t minus_log2 = ((uint64_t)(lead + 1) << 32) - frac;
    return (uint64_t)((unsigned __int128)minus_log2 * LN2_Q32 >> 32);
}

/* ns that n units take at `per_s` a second. */
static sim_time span(uint64_t n, uint64_t per_s)
{
    unsigned __int128 ns = (unsigned __int128)n * SIM_S / per_s;
    return ns > INT64_MAX ? INT64_MAX : (sim_time)ns;
}

/* The schedule is kept in I/Os or in bytes; this is its step. */
static sim_time mean_gap(const struct hci_job *job, unsigned op)
{
    return job->rate_iops[op] ? span(1, job->rate_iops[op])
                              : span(job->bs_min[op], job->rate_Bps[op]);
}

static sim_time poisson_gap(struct hci_pace *p, unsigned op)
{
    uint64_t mean_us = mean_gap(p->job, op) / SIM_US;
    uint64_t draw = sim_key(sim_key(p->key, op), p->done[op]);
    return (sim_time)((unsigned __int128)mean_us * hci_pace_minus_ln(draw) >> 32) * SIM_US;
}

void hci_pace_issued(struct hci_pace *p, unsigned op, uint64_t bytes)
{
    const struct hci_job *job = p->job;
    p->issued++;
    p->ask_think = p->thinks;
    p->last_op = op;
    if (!p->rated || !limited(job, op))
        return;
    if (job->rate_process == HCI_RATE_POISSON) {
        p->next[op] += poisson_gap(p, op);
        p->done[op]++;
    } else if (job->rate_iops[op]) {
        p->next[op] = span(++p->done[op], job->rate_iops[op]) + p->shift[op];
    } else {
        p->done[op] += bytes;
        p->next[op] = span(p->done[op], job->rate_Bps[op]) + p->shift[op];
    }
}

/* Is a pause due? The next counts from here, not from the pause: what comes back
 * while the queue drains counts already, as in fio. */
static bool think_due(struct hci_pace *p, sim_time now)
{
    const struct hci_job *job = p->job;
    uint64_t count = job->thinktime_blocks_issue ? p->issued : p->completed;
    uint64_t blocks = job->thinktime_blocks ? job->thinktime_blocks : 1;
    bool long_ago = job->thinktime_iotime && now - p->last_thought >= job->thinktime_iotime;
    bool by_count = (!job->thinktime_iotime || job->thinktime_blocks) &&
                    count >= p->thought + blocks;
    if (long_ago || by_count)
        p->thought = count;
    return long_ago || by_count;
}

static int rest(struct hci_pace *p, sim_time until)
{
    p->until = sim_min(until, p->deadline);
    return HCI_PACE_REST;
}

/* The queue is empty: the pause begins. With rate_ignore_thinktime the schedule
 * moves with it, but for one I/O that may go at once. */
static int think(struct hci_pace *p, sim_time now)
{
    const struct hci_job *job = p->job;
    unsigned op = p->last_op;
    p->think_due = false;
    rest(p, now + job->thinktime);
    sim_time pause = p->until - now;
    p->spin = sim_min(job->thinktime_spin, pause);
    p->last_thought = p->until;
    if (p->rated && job->rate_ignore_thinktime && limited(job, op)) {
        sim_time gap = mean_gap(job, op);
        if (job->rate_process == HCI_RATE_POISSON)
            p->next[op] += pause;
        else
            p->shift[op] += pause - (gap <= pause ? gap : 0);
    }
    return HCI_PACE_REST;
}

/* The direction that is due, or due first; *at: when. */
static unsigned choose(const struct hci_pace *p, sim_time since, unsigned op, bool either,
                       sim_time *at)
{
    unsigned odd = op ^ 1U;
    *at = p->next[op];
    if (p->next[op] <= since || !either || p->next[odd] > p->next[op])
        return op;
    *at = p->next[odd];
    return odd;
}

int hci_pace_ask(struct hci_pace *p, sim_time now, unsigned in_flight, bool either, unsigned *op)
{
    if (p->ask_think) {
        p->ask_think = false;
        p->think_due = p->think_due || think_due(p, now);
    }
    if (p->think_due)
        return in_flight ? HCI_PACE_DRAIN : think(p, now);
    if (p->thinks && now < p->until)
        return HCI_PACE_REST;
    if (!p->rated)
        return HCI_PACE_GO;
    sim_time at;
    unsigned chosen = choose(p, now - p->epoch, *op, either && *op <= HCI_WRITE, &at);
    if (at <= now - p->epoch || now >= p->deadline) {
        *op = chosen;
        return HCI_PACE_GO;
    }
    return in_flight ? HCI_PACE_DRAIN : rest(p, p->epoch + at);
}

/* Bytes or I/Os a second since the last look against the least allowed. */
static bool enough(uint64_t units, uint64_t ms, uint64_t least, const char *name,
                   const char *unit, char *why, size_t size)
{
    uint64_t got = units * 1000 / ms;
    if (got >= least)
        return true;
    snprintf(why, size, "%s=%" PRIu64 "%s not met, got %" PRIu64 "%s", name, least, unit, got,
             unit);
    return false;
}

bool hci_pace_completed(struct hci_pace *p, sim_time now, unsigned op, uint64_t bytes, char *why,
                        size_t size)
{
    const struct hci_job *job = p->job;
    bool met = true;
    p->completed++;
    p->low[op].bytes += bytes;
    p->low[op].ios++;
    if ((!job->rate_min_Bps[op] && !job->rate_iops_min[op]) || now - p->start < SETTLE)
        return true;
    uint64_t ms = (now - p->low[op].seen) / SIM_MS;
    if (p->low[op].seen_ios) {
        if (ms == 0 || ms < job->rate_cycle / SIM_MS)
            return true;
        met = job->rate_min_Bps[op]
                  ? enough(p->low[op].bytes - p->low[op].seen_bytes, ms, job->rate_min_Bps[op],
                           "rate_min", "B/s", why, size)
                  : enough(p->low[op].ios - p->low[op].seen_ios, ms, job->rate_iops_min[op],
                           "rate_iops_min", " IOPS", why, size);
    }
    p->low[op].seen = now;
    p->low[op].seen_bytes = p->low[op].bytes;
    p->low[op].seen_ios = p->low[op].ios;
    return met;
}
