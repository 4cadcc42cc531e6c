/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check_main.h"

#include <math.h>
#include <string.h>

#include "hci_cache.h"
#include "sim_rng.h"
#include "sim_types.h"

/* ---- the reference: two arrays, newest first ---- */

#define REF_MAX    64U
#define REF_SPACES 3U

struct ref_pool {
    unsigned n;
    uint32_t space[REF_MAX];
    uint64_t granule[REF_MAX];
};

struct ref {
    unsigned capacity, multi_room;
    struct ref_pool single, multi;
    struct hci_cache_counts counts;
};

static int pool_find(const struct ref_pool *p, uint32_t space, uint64_t granule)
{
    for (unsigned i = 0; i < p->n; i++)
        if (p->space[i] == space && p->granule[i] == granule)
            return (int)i;
    return -1;
}

static void pool_take(struct ref_pool *p, int at)
{
    for (unsigned i = (unsigned)at; i + 1 < p->n; i++) {
        p->space[i] = p->space[i + 1];
        p->granule[i] = p->granule[i + 1];
    }
    p->n--;
}

static void pool_push(struct ref_pool *p, uint32_t space, uint64_t granule)
{
    ck_assert_uint_lt(p->n, REF_MAX);
    for (unsigned i = p->n++; i > 0; i--) {
        p->space[i] = p->space[i - 1];
        p->granule[i] = p->granule[i - 1];
    }
    p->space[0] = space;
    p->granule[0] = granule;
}

static bool ref_has(const struct ref *r, uint32_t space, uint64_t granule)
{
    return pool_find(&r->single, space, granule) >= 0 || pool_find(&r->multi, space, granule) >= 0;
}

static bool ref_touch(struct ref *r, uint32_t space, uint64_t granule)
{
    int s = pool_find(&r->single, space, granule), m = pool_find(&r->multi, space, granule);
    if (s < 0 && m < 0) {
        r->counts.misses++;
        return false;
    }
    if (s >= 0)
        pool_take(&r->single, s);
    else
        pool_take(&r->multi, m);
    pool_push(&r->multi, space, granule);
    if (r->multi.n > r->multi_room) {
        unsigned last = r->multi.n - 1;
        pool_push(&r->single, r->multi.space[last], r->multi.granule[last]);
        r->multi.n--;
    }
    r->counts.hits++;
    return true;
}

static void ref_insert(struct ref *r, uint32_t space, uint64_t granule)
{
    if (ref_has(r, space, granule))
        return;
    if (r->single.n + r->multi.n == r->capacity) {
        r->single.n--;
        r->counts.evictions++;
    }
    pool_push(&r->single, space, granule);
    r->counts.inserts++;
}

static void ref_drop(struct ref *r, uint32_t space, uint64_t granule)
{
    int s = pool_find(&r->single, space, granule), m = pool_find(&r->multi, space, granule);
    if (s >= 0)
        pool_take(&r->single, s);
    if (m >= 0)
        pool_take(&r->multi, m);
    r->counts.drops += s >= 0 || m >= 0;
}

static void same_state(const struct hci_cache *c, const struct ref *r)
{
    ck_assert_uint_eq(hci_cache_resident(c), r->single.n + r->multi.n);
    ck_assert_uint_eq(hci_cache_multi_touch(c), r->multi.n);
    ck_assert(memcmp(hci_cache_counts(c), &r->counts, sizeof r->counts) == 0);
    const struct hci_cache_counts *k = hci_cache_counts(c);
    ck_assert_uint_eq(hci_cache_resident(c), k->inserts - k->evictions - k->drops);
    ck_assert_uint_le(hci_cache_resident(c), hci_cache_capacity(c));
}

static void same_granules(const struct hci_cache *c, const struct ref *r)
{
    for (unsigned i = 0; i < r->single.n; i++)
        ck_assert(hci_cache_has(c, r->single.space[i], r->single.granule[i]));
    for (unsigned i = 0; i < r->multi.n; i++)
        ck_assert(hci_cache_has(c, r->multi.space[i], r->multi.granule[i]));
}

/* One random step on both; addresses scattered over chunk and word borders. */
static void random_step(struct hci_cache *c, struct ref *r, uint64_t key, uint64_t origin)
{
    uint32_t space = (uint32_t)sim_below(sim_key(key, 1), REF_SPACES);
    uint64_t n = sim_below(sim_key(key, 3), 90);
    uint64_t first = origin + sim_below(sim_key(key, 2), 110);
    uint64_t hits = 0, hole = first + n, missing = 1;

    switch (sim_below(sim_key(key, 4), 16)) {
    case 0:
        hci_cache_drop_range(c, space, first, n);
        for (uint64_t g = first; g < first + n; g++)
            ref_drop(r, space, g);
        break;
    case 1:
        hci_cache_insert_range(c, space, first, n / 8);
        for (uint64_t g = first; g < first + n / 8; g++)
            ref_insert(r, space, g);
        break;
    case 2:
        for (uint64_t g = first; g < first + n; g++) {
            bool hit = ref_touch(r, space, g);
            hits += hit;
            hole = hit ? hole : sim_min(hole, g);
        }
        ck_assert_uint_eq(hci_cache_touch_range(c, space, first, n, &missing), hits);
        ck_assert_uint_eq(missing, hole);
        break;
    case 3:
        hci_cache_drop(c, space, first);
        ref_drop(r, space, first);
        break;
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
        hci_cache_insert(c, space, first);
        ref_insert(r, space, first);
        break;
    default:
        ck_assert_int_eq(hci_cache_has(c, space, first), ref_has(r, space, first));
        ck_assert_int_eq(hci_cache_touch(c, space, first), ref_touch(r, space, first));
        break;
    }
}

START_TEST(a_cache_agrees_with_a_plain_model_after_every_random_step)
{
    static const struct {
        unsigned capacity;
        double share;
        unsigned multi_room;
        uint64_t origin;
    } row[] = {
        {40, 0.25, 30, 0},
        {40, 1, 0, 1000},
        {40, 0, 39, (1ULL << 38) - 50},
        {1, 0.5, 0, 990},
        {2, 0.5, 1, 5},
        {63, 0.5, 32, 1ULL << 20},
        {17, 0.9, 2, 1024 * 777 - 64},
        {60, 0.1, 54, UINT64_MAX - 300},
    };
    for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
        struct hci_cache *c = hci_cache_create(row[i].capacity, row[i].share);
        struct ref r = {.capacity = row[i].capacity, .multi_room = row[i].multi_room};
        ck_assert_ptr_nonnull(c);
        for (uint64_t k = 0; k < 6000; k++) {
            random_step(c, &r, sim_key(i, k), row[i].origin);
            same_state(c, &r);
            same_granules(c, &r);
        }
        ck_assert_uint_gt(r.counts.evictions, 500);
        ck_assert_uint_gt(r.counts.drops, 20);
        hci_cache_free(c);
    }
}
END_TEST

/* ---- one behaviour each ---- */

START_TEST(the_granule_used_longest_ago_is_evicted_first)
{
    struct hci_cache *c = hci_cache_create(4, 1);
    hci_cache_insert_range(c, 7, 100, 4);
    ck_assert(hci_cache_touch(c, 7, 100));
    ck_assert(hci_cache_touch(c, 7, 102));
    static const uint64_t order[] = {101, 103, 100, 102};
    for (unsigned i = 0; i < 4; i++) {
        ck_assert(hci_cache_has(c, 7, order[i]));
        hci_cache_insert(c, 7, 200 + i);
        ck_assert(!hci_cache_has(c, 7, order[i]));
        ck_assert_uint_eq(hci_cache_resident(c), 4);
    }
    ck_assert_uint_eq(hci_cache_counts(c)->evictions, 4);
    hci_cache_free(c);
}
END_TEST

START_TEST(a_granule_enters_the_single_touch_pool_and_its_second_touch_promotes_it)
{
    struct hci_cache *c = hci_cache_create(10, 0.5);
    ck_assert(!hci_cache_touch(c, 0, 5)); /* first touch: a miss, read from the device */
    hci_cache_insert(c, 0, 5);
    ck_assert_uint_eq(hci_cache_multi_touch(c), 0);
    ck_assert(hci_cache_touch(c, 0, 5));
    ck_assert_uint_eq(hci_cache_multi_touch(c), 1);
    ck_assert(hci_cache_touch(c, 0, 5));
    ck_assert_uint_eq(hci_cache_multi_touch(c), 1);
    ck_assert_uint_eq(hci_cache_counts(c)->hits, 2);
    ck_assert_uint_eq(hci_cache_counts(c)->misses, 1);
    hci_cache_free(c);
}
END_TEST

START_TEST(a_scan_does_not_push_out_granules_touched_twice)
{
    struct hci_cache *c = hci_cache_create(100, 0.2);
    hci_cache_insert_range(c, 0, 0, 80);
    ck_assert_uint_eq(hci_cache_touch_range(c, 0, 0, 80, NULL), 80);
    hci_cache_insert_range(c, 0, 1000, 5000);
    ck_assert_uint_eq(hci_cache_multi_touch(c), 80);
    ck_assert_uint_eq(hci_cache_touch_range(c, 0, 0, 80, NULL), 80);
    ck_assert_uint_eq(hci_cache_touch_range(c, 0, 1000, 5000, NULL), 20);
    hci_cache_free(c);
}
END_TEST

START_TEST(the_multi_touch_pool_keeps_its_share_and_its_oldest_gets_another_chance)
{
    struct hci_cache *c = hci_cache_create(10, 0.5);
    hci_cache_insert_range(c, 0, 0, 10);
    for (uint64_t g = 0; g < 7; g++)
        ck_assert(hci_cache_touch(c, 0, g));
    ck_assert_uint_eq(hci_cache_multi_touch(c), 5);
    ck_assert_uint_eq(hci_cache_resident(c), 10);
    /* Single-touch, oldest first: 7 8 9, then 0 1 that fell back. */
    static const uint64_t order[] = {7, 8, 9, 0, 1};
    for (unsigned i = 0; i < 5; i++) {
        hci_cache_insert(c, 1, i);
        ck_assert(!hci_cache_has(c, 0, order[i]));
        ck_assert_uint_eq(hci_cache_resident(c), 10);
    }
    for (uint64_t g = 2; g < 7; g++)
        ck_assert(hci_cache_has(c, 0, g));
    hci_cache_free(c);
}
END_TEST

START_TEST(a_cache_fills_whole_with_granules_touched_once)
{
    struct hci_cache *c = hci_cache_create(1000, 0.2);
    hci_cache_insert_range(c, 0, 0, 1000);
    ck_assert_uint_eq(hci_cache_resident(c), 1000);
    ck_assert_uint_eq(hci_cache_counts(c)->evictions, 0);
    hci_cache_insert(c, 0, 1000);
    ck_assert_uint_eq(hci_cache_resident(c), 1000);
    ck_assert_uint_eq(hci_cache_counts(c)->evictions, 1);
    hci_cache_free(c);
}
END_TEST

START_TEST(uniform_reads_hit_in_the_ratio_of_the_cache_to_the_range)
{
    enum { CACHE = 2000, RANGE = 20000 };
    struct hci_cache *c = hci_cache_create(CACHE, 0.2);
    uint64_t warm = 0;
    for (uint64_t k = 0; k < 600000; k++) {
        uint64_t g = sim_below(sim_mix(k), RANGE);
        if (!hci_cache_touch(c, 0, g))
            hci_cache_insert(c, 0, g);
        if (k == 200000)
            warm = hci_cache_counts(c)->hits;
    }
    double rate = (double)(hci_cache_counts(c)->hits - warm) / 400000;
    ck_assert_double_eq_tol(rate, (double)CACHE / RANGE, 0.0025); /* five standard errors */
    hci_cache_free(c);
}
END_TEST

START_TEST(inserting_what_is_held_does_not_make_it_younger)
{
    struct hci_cache *c = hci_cache_create(2, 1);
    hci_cache_insert(c, 0, 1);
    hci_cache_insert(c, 0, 2);
    hci_cache_insert(c, 0, 1);
    ck_assert_uint_eq(hci_cache_counts(c)->inserts, 2);
    hci_cache_insert(c, 0, 3);
    ck_assert(!hci_cache_has(c, 0, 1));
    ck_assert(hci_cache_has(c, 0, 2));
    hci_cache_free(c);
}
END_TEST

START_TEST(the_same_granule_number_on_two_disks_is_two_granules)
{
    struct hci_cache *c = hci_cache_create(10, 0.5);
    hci_cache_insert(c, 1, 42);
    ck_assert(!hci_cache_has(c, 2, 42));
    ck_assert(!hci_cache_touch(c, UINT32_MAX, 42));
    hci_cache_insert(c, 2, 42);
    hci_cache_drop(c, 1, 42);
    ck_assert(!hci_cache_has(c, 1, 42));
    ck_assert(hci_cache_has(c, 2, 42));
    hci_cache_free(c);
}
END_TEST

START_TEST(a_cache_without_capacity_holds_nothing_and_counts_misses)
{
    struct hci_cache *c = hci_cache_create(0, 0.5);
    ck_assert_ptr_nonnull(c);
    hci_cache_insert_range(c, 0, 0, 1000);
    ck_assert_uint_eq(hci_cache_touch_range(c, 0, 0, 1000, NULL), 0);
    hci_cache_drop_range(c, 0, 0, 1000);
    ck_assert_uint_eq(hci_cache_resident(c), 0);
    ck_assert_uint_eq(hci_cache_counts(c)->misses, 1000);
    ck_assert_uint_eq(hci_cache_counts(c)->inserts, 0);
    hci_cache_free(c);
}
END_TEST

START_TEST(an_impossible_capacity_is_refused_and_a_wild_share_is_clamped)
{
    ck_assert_ptr_null(hci_cache_create(UINT64_MAX, 0.5));
    ck_assert_ptr_null(hci_cache_create((1ULL << 30) + 1, 0.5));
    static const struct {
        double share;
        uint64_t multi;
    } row[] = {{-3, 9}, {7, 0}, {NAN, 9}, {INFINITY, 0}, {0.3, 7}};
    for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
        struct hci_cache *c = hci_cache_create(10, row[i].share);
        hci_cache_insert_range(c, 0, 0, 10);
        hci_cache_touch_range(c, 0, 0, 10, NULL);
        ck_assert_uint_eq(hci_cache_multi_touch(c), row[i].multi);
        hci_cache_free(c);
    }
}
END_TEST

START_TEST(scattered_granules_of_a_huge_disk_are_held_without_its_size_in_memory)
{
    enum { CACHE = 3000 };
    struct hci_cache *c = hci_cache_create(CACHE, 1);
    for (uint64_t k = 0; k < 50000; k++) {
        uint64_t g = sim_mix(k); /* the whole 64-bit range */
        ck_assert(!hci_cache_touch(c, 3, g));
        hci_cache_insert(c, 3, g);
        if (k >= CACHE)
            ck_assert(!hci_cache_has(c, 3, sim_mix(k - CACHE)));
        ck_assert(hci_cache_has(c, 3, sim_mix(k - sim_min(k, CACHE - 1))));
    }
    ck_assert_uint_eq(hci_cache_resident(c), CACHE);
    ck_assert_uint_lt(hci_cache_bytes(c), CACHE * 800);
    hci_cache_drop_range(c, 3, 0, UINT64_MAX); /* as many steps as chunks held */
    ck_assert_uint_eq(hci_cache_resident(c), 0);
    ck_assert_uint_eq(hci_cache_counts(c)->drops, CACHE);
    hci_cache_free(c);
}
END_TEST

START_TEST(dropping_a_huge_range_spares_its_neighbours_and_other_disks)
{
    struct hci_cache *c = hci_cache_create(100, 0.5);
    static const uint64_t at[] = {
        4, 4999, 5000, 6030, 1ULL << 37, (1ULL << 38) + 4, (1ULL << 38) + 5, (1ULL << 38) + 9000};
    for (unsigned i = 0; i < 8; i++) {
        hci_cache_insert(c, 0, at[i]);
        hci_cache_insert(c, 1, at[i]);
    }
    hci_cache_drop_range(c, 0, 5000, (1ULL << 38) - 4995); /* 5000 .. 2^38 + 4 */
    for (unsigned i = 0; i < 8; i++) {
        ck_assert_int_eq(hci_cache_has(c, 0, at[i]), i < 2 || i > 5);
        ck_assert(hci_cache_has(c, 1, at[i]));
    }
    ck_assert_uint_eq(hci_cache_counts(c)->drops, 4);
    hci_cache_free(c);
}
END_TEST

START_TEST(touching_a_range_reports_the_first_granule_not_held)
{
    struct hci_cache *c = hci_cache_create(5000, 0.5);
    uint64_t missing = 0;
    hci_cache_insert_range(c, 0, 1000, 3000); /* across chunks */
    ck_assert_uint_eq(hci_cache_touch_range(c, 0, 1000, 3000, &missing), 3000);
    ck_assert_uint_eq(missing, 4000);
    ck_assert_uint_eq(hci_cache_touch_range(c, 0, 1000, 5000, &missing), 3000);
    ck_assert_uint_eq(missing, 4000);
    hci_cache_drop(c, 0, 2048);
    hci_cache_drop(c, 0, 3333);
    ck_assert_uint_eq(hci_cache_touch_range(c, 0, 1000, 3000, &missing), 2998);
    ck_assert_uint_eq(missing, 2048);
    ck_assert_uint_eq(hci_cache_touch_range(c, 0, 0, 1500, &missing), 500);
    ck_assert_uint_eq(missing, 0);
    ck_assert_uint_eq(hci_cache_touch_range(c, 0, 9, 0, &missing), 0);
    ck_assert_uint_eq(missing, 9);
    hci_cache_free(c);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_cache_agrees_with_a_plain_model_after_every_random_step);
    tcase_add_test(tc, the_granule_used_longest_ago_is_evicted_first);
    tcase_add_test(tc, a_granule_enters_the_single_touch_pool_and_its_second_touch_promotes_it);
    tcase_add_test(tc, a_scan_does_not_push_out_granules_touched_twice);
    tcase_add_test(tc, the_multi_touch_pool_keeps_its_share_and_its_oldest_gets_another_chance);
    tcase_add_test(tc, a_cache_fills_whole_with_granules_touched_once);
    tcase_add_test(tc, uniform_reads_hit_in_the_ratio_of_the_cache_to_the_range);
    tcase_add_test(tc, inserting_what_is_held_does_not_make_it_younger);
    tcase_add_test(tc, the_same_granule_number_on_two_disks_is_two_granules);
    tcase_add_test(tc, a_cache_without_capacity_holds_nothing_and_counts_misses);
    tcase_add_test(tc, an_impossible_capacity_is_refused_and_a_wild_share_is_clamped);
    tcase_add_test(tc, scattered_granules_of_a_huge_disk_are_held_without_its_size_in_memory);
    tcase_add_test(tc, dropping_a_huge_range_spares_its_neighbours_and_other_disks);
    tcase_add_test(tc, touching_a_range_reports_the_first_granule_not_held);
}

TEST_MAIN("unit.cache")
