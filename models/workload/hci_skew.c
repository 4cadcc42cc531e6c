/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_skew.h"
#include "sim_rng.h"

#include <math.h>
#include <stdlib.h>

#define ZIPF_MAX_RANKS 10000000
#define NORMAL_DRAWS 12

/* Sum of i^-theta for i = 1..n. */
static double zeta(uint64_t n, double theta)
{
    const uint64_t exact = 1000;
    double sum = 0;
    for (uint64_t i = 1; i <= sim_min(n, exact); i++)
        sum += pow((double)i, -theta);
    if (n <= exact)
        return sum;
    double a = (double)exact, b = (double)n;
    sum += (pow(b, 1 - theta) - pow(a, 1 - theta)) / (1 - theta);
    sum += (pow(b, -theta) - pow(a, -theta)) / 2;
    return sum + theta / 12 * (pow(a, -theta - 1) - pow(b, -theta - 1));
}

static void init_zipf(struct hci_skew *s)
{
    s->zetan = zeta(sim_min(s->n, ZIPF_MAX_RANKS), s->theta);
    s->half = 1 + pow(0.5, s->theta);
    s->alpha = 1 / (1 - s->theta);
    s->eta = (1 - pow(2 / (double)s->n, 1 - s->theta)) / (1 - zeta(2, s->theta) / s->zetan);
}

static bool init_zones(struct hci_skew *s, const struct hci_job *job, int d, uint64_t unit)
{
    double access = 0;
    uint64_t extent = 0;
    s->nzones = job->nzones[d];
    s->limit = calloc(s->nzones, sizeof *s->limit);
    s->edge = calloc(s->nzones + 1, sizeof *s->edge);
    if (!s->limit || !s->edge)
        return false;
    for (unsigned i = 0; i < s->nzones; i++) {
        const struct hci_zone *z = &job->zones[d][i];
        access += z->access_pct;
        extent += z->size;
        s->limit[i] = (uint64_t)(access * (4294967296.0 / 100));
        s->edge[i + 1] = job->random_dist[d] == HCI_RD_ZONED_ABS
                             ? extent / unit
                             : (uint64_t)((unsigned __int128)s->n * extent / 100);
        s->edge[i + 1] = sim_min(s->edge[i + 1], s->n);
    }
    s->limit[s->nzones - 1] = UINT64_MAX;
    return true;
}

bool hci_skew_init(struct hci_skew *s, const struct hci_job *job, int d, uint64_t n,
                   uint64_t unit, uint64_t key)
{
    double center = job->random_center[d];
    *s = (struct hci_skew){ .kind = job->random_dist[d], .n = n, .theta = job->random_theta[d] };
    s->add = center >= 0 ? (uint64_t)((double)n * center) : sim_mix(key);
    if (s->kind == HCI_RD_ZIPF)
        init_zipf(s);
    else if (s->kind == HCI_RD_PARETO)
        s->power = log(s->theta) / log(1 - s->theta);
    else if (s->kind == HCI_RD_NORMAL)
        s->deviation = sim_min((uint64_t)ceil((double)n * s->theta / 100), n / 2);
    else if (s->kind != HCI_RD_RANDOM)
        return init_zones(s, job, d, unit);
    return true;
}

void hci_skew_fini(struct hci_skew *s)
{
    free(s->limit);
    free(s->edge);
}

static uint64_t zipf_rank(const struct hci_skew *s, uint64_t key)
{
    double u = sim_unit(key), z = u * s->zetan;
    if (z < 1)
        return 0;
    if (z < s->half)
        return 1;
    return (uint64_t)((double)s->n * pow(s->eta * u - s->eta + 1, s->alpha));
}

/* The mean of twelve uniform draws over the region, moved by one more within
 * the deviation (halved until it stays inside), as fio makes its normal. */
static uint64_t normal_rank(const struct hci_skew *s, uint64_t key)
{
    unsigned __int128 sum = NORMAL_DRAWS - 1;
    for (unsigned i = 0; i < NORMAL_DRAWS; i++)
        sum += sim_below(sim_key(key, i), s->n + 1);
    int64_t mean = (int64_t)(sum / NORMAL_DRAWS), move = 0;
    if (s->deviation)
        move = (int64_t)sim_below(sim_key(key, NORMAL_DRAWS), s->deviation) -
               (int64_t)(s->deviation / 2);
    while (move && (mean + move < 0 || mean + move >= (int64_t)s->n))
        move /= 2;
    return (uint64_t)(mean + move);
}

static uint64_t zone_block(const struct hci_skew *s, uint64_t key)
{
    unsigned z = 0;
    while (z + 1 < s->nzones && (key >> 32) >= s->limit[z])
        z++;
    uint64_t lo = s->edge[z], hi = s->edge[z + 1];
    if (hi == lo) /* smaller than a block, or behind the end */
        return sim_min(lo, s->n - 1);
    return lo + sim_below(sim_mix(key), hi - lo);
}

uint64_t hci_skew_draw(const struct hci_skew *s, uint64_t key)
{
    uint64_t rank;
    switch (s->kind) {
    case HCI_RD_RANDOM:
        return sim_below(key, s->n);
    case HCI_RD_ZIPF:
        rank = zipf_rank(s, key);
        break;
    case HCI_RD_PARETO:
        rank = (uint64_t)((double)(s->n - 1) * pow(sim_unit(key), s->power));
        break;
    case HCI_RD_NORMAL:
        rank = normal_rank(s, key);
        break;
    default:
        return zone_block(s, key);
    }
    /* Multiplication by 2^64 / golden ratio spreads neighbouring ranks evenly. */
    return (rank * 0x9e3779b97f4a7c15ULL + s->add) % s->n;
}
