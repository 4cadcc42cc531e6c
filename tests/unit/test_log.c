/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check_main.h"

#include <string.h>

#include "hci_log.h"
#include "sim_rng.h"

#define KIB4 (4 * SIM_KIB)

static uint64_t append(struct hci_log *l, uint64_t offset, uint64_t bytes, sim_time now)
{
    return hci_log_append(l, 0, offset, bytes, now);
}

START_TEST(extents_leave_in_the_order_they_became_dirty)
{
    static const uint64_t order[] = {9, 2, 7, 0, 5};
    struct hci_log *l = hci_log_create(KIB4, SIM_MIB);
    struct hci_log_extent x;

    ck_assert(hci_log_oldest(l) == SIM_NEVER);
    for (unsigned i = 0; i < 5; i++)
        append(l, order[i] * SIM_MIB, KIB4, 100 + i);
    append(l, 9 * SIM_MIB + 64 * KIB4, KIB4, 500); /* dirty already: keeps its place */
    ck_assert_uint_eq(hci_log_extents(l), 5);
    for (unsigned i = 0; i < 5; i++) {
        ck_assert_uint_eq(hci_log_oldest(l), 100 + i);
        ck_assert(hci_log_pick(l, &x));
        ck_assert_uint_eq(x.extent, order[i]);
        ck_assert_uint_eq(x.since_ns, 100 + i);
        ck_assert_uint_eq(x.dirty, i == 0 ? 2 : 1);
    }
    ck_assert(!hci_log_pick(l, &x));
    ck_assert(hci_log_oldest(l) == SIM_NEVER);
    ck_assert_uint_eq(hci_log_extents(l), 0);
    hci_log_free(l);
}
END_TEST

START_TEST(an_overwrite_takes_log_space_again_and_drains_once)
{
    struct hci_log *l = hci_log_create(KIB4, SIM_MIB);
    struct hci_log_extent x;

    ck_assert_uint_eq(append(l, 8 * KIB4, 2 * KIB4, 1), 2);
    ck_assert_uint_eq(append(l, 9 * KIB4, 2 * KIB4, 2), 1);
    ck_assert_uint_eq(append(l, 8 * KIB4, 3 * KIB4, 3), 0);
    ck_assert_uint_eq(hci_log_fill_bytes(l), 7 * KIB4);
    ck_assert_uint_eq(hci_log_counts(l)->appended_bytes, 7 * KIB4);
    ck_assert_uint_eq(hci_log_counts(l)->coalesced_bytes, 4 * KIB4);
    ck_assert(hci_log_pick(l, &x));
    ck_assert_uint_eq(x.dirty, 3);
    ck_assert_uint_eq(x.runs, 1);
    ck_assert_uint_eq(x.logged_bytes, 7 * KIB4);
    ck_assert_uint_eq(hci_log_fill_bytes(l), 0);
    ck_assert_uint_eq(hci_log_counts(l)->drained_bytes, 3 * KIB4);
    hci_log_free(l);
}
END_TEST

START_TEST(part_of_a_granule_dirties_the_whole_and_is_logged_and_coalesced_to_the_byte)
{
    struct hci_log *l = hci_log_create(KIB4, SIM_MIB);
    struct hci_log_extent x;

    ck_assert_uint_eq(append(l, 512, 512, 1), 1);
    ck_assert(hci_log_has(l, 0, 0, KIB4));
    ck_assert(!hci_log_has(l, 0, 0, KIB4 + 1));
    ck_assert_uint_eq(hci_log_counts(l)->coalesced_bytes, 0);
    ck_assert_uint_eq(append(l, 3000, 100, 2), 0);
    ck_assert_uint_eq(hci_log_counts(l)->coalesced_bytes, 100);
    ck_assert_uint_eq(append(l, 4000, 2000, 3), 1); /* 96 bytes on the first granule */
    ck_assert_uint_eq(hci_log_counts(l)->coalesced_bytes, 196);
    ck_assert_uint_eq(append(l, 2 * KIB4 - 10, 20, 4), 1); /* 10 on the second */
    ck_assert_uint_eq(hci_log_counts(l)->coalesced_bytes, 206);
    ck_assert(hci_log_pick(l, &x));
    ck_assert_uint_eq(x.dirty, 3);
    ck_assert_uint_eq(x.logged_bytes, 512 + 100 + 2000 + 20);
    hci_log_free(l);
}
END_TEST

START_TEST(an_append_while_its_extent_drains_dirties_it_anew_at_the_end)
{
    struct hci_log *l = hci_log_create(KIB4, SIM_MIB);
    struct hci_log_extent x;

    append(l, 0, 4 * KIB4, 1);
    append(l, SIM_MIB, KIB4, 2);
    ck_assert(hci_log_pick(l, &x)); /* extent 0 now drains */
    ck_assert(!hci_log_any(l, 0, 0, SIM_MIB));
    ck_assert_uint_eq(append(l, KIB4, KIB4, 3), 1);
    ck_assert(hci_log_has(l, 0, KIB4, KIB4));
    ck_assert(!hci_log_has(l, 0, 0, KIB4));
    ck_assert_uint_eq(hci_log_fill_bytes(l), 2 * KIB4);
    ck_assert(hci_log_pick(l, &x));
    ck_assert_uint_eq(x.extent, 1);
    ck_assert(hci_log_pick(l, &x));
    ck_assert_uint_eq(x.extent, 0);
    ck_assert_uint_eq(x.since_ns, 3);
    ck_assert_uint_eq(x.dirty, 1);
    ck_assert_uint_eq(x.logged_bytes, KIB4);
    ck_assert_uint_eq(hci_log_counts(l)->coalesced_bytes, 0);
    hci_log_free(l);
}
END_TEST

START_TEST(a_write_across_extents_is_shared_out_between_them)
{
    struct hci_log *l = hci_log_create(KIB4, SIM_MIB);
    struct hci_log_extent x;

    ck_assert_uint_eq(append(l, SIM_MIB - 2 * KIB4, SIM_MIB + 5 * KIB4, 9), 261);
    ck_assert(hci_log_has(l, 0, SIM_MIB - 2 * KIB4, SIM_MIB + 5 * KIB4));
    ck_assert(!hci_log_has(l, 0, SIM_MIB - 2 * KIB4, SIM_MIB + 6 * KIB4));
    static const unsigned dirty[] = {2, 256, 3};
    for (unsigned i = 0; i < 3; i++) {
        ck_assert(hci_log_pick(l, &x));
        ck_assert_uint_eq(x.extent, i);
        ck_assert_uint_eq(x.dirty, dirty[i]);
        ck_assert_uint_eq(x.logged_bytes, dirty[i] * KIB4);
        ck_assert_uint_eq(x.runs, 1);
    }
    ck_assert_uint_eq(hci_log_counts(l)->drained_bytes, hci_log_counts(l)->appended_bytes);
    hci_log_free(l);
}
END_TEST

START_TEST(runs_are_counted_across_words_and_at_both_ends)
{
    static const unsigned at[] = {0, 2, 3, 62, 63, 64, 65, 127, 129, 191, 192, 255};
    struct hci_log *l = hci_log_create(KIB4, SIM_MIB);
    struct hci_log_extent x;

    for (unsigned i = 0; i < sizeof at / sizeof *at; i++)
        append(l, at[i] * KIB4, KIB4, 1);
    ck_assert(hci_log_pick(l, &x));
    ck_assert_uint_eq(x.dirty, 12);
    ck_assert_uint_eq(x.runs, 7);
    for (unsigned i = 0; i < 256; i += 2)
        append(l, i * KIB4, KIB4, 2);
    ck_assert(hci_log_pick(l, &x));
    ck_assert_uint_eq(x.runs, 128);
    hci_log_free(l);
}
END_TEST

START_TEST(disks_are_kept_apart_and_huge_offsets_are_legal)
{
    static const uint64_t at[] = {0, 1ULL << 50, (1ULL << 60) + 123, UINT64_MAX - KIB4};
    struct hci_log *l = hci_log_create(KIB4, SIM_MIB);
    struct hci_log_extent x;

    for (uint32_t i = 0; i < 4; i++) {
        hci_log_append(l, i * 1000000007U, at[i], 4000, i);
        ck_assert(hci_log_has(l, i * 1000000007U, at[i], 4000));
        ck_assert(!hci_log_any(l, i * 1000000007U + 1, at[i], 4000));
    }
    for (uint32_t i = 0; i < 4; i++) {
        ck_assert(hci_log_pick(l, &x));
        ck_assert_uint_eq(x.space, i * 1000000007U);
        ck_assert_uint_eq(x.extent, at[i] / SIM_MIB);
    }
    hci_log_free(l);
}
END_TEST

START_TEST(memory_follows_the_extents_dirty_at_one_time_and_not_those_ever_written)
{
    struct hci_log *l = hci_log_create(KIB4, SIM_MIB);
    struct hci_log_extent x;
    for (uint64_t i = 0; i < 100000; i++) {
        append(l, sim_mix(i) >> 1, KIB4, i);
        for (unsigned k = 0; k < 10 && i >= 1000 && i % 10 == 0; k++)
            ck_assert(hci_log_pick(l, &x));
    }
    ck_assert_uint_ge(hci_log_extents(l), 990);
    ck_assert_uint_lt(hci_log_bytes(l), 1000 * 1000);
    hci_log_free(l);
}
END_TEST

START_TEST(an_empty_range_appends_nothing)
{
    struct hci_log *l = hci_log_create(KIB4, SIM_MIB);
    struct hci_log_extent x;
    ck_assert_uint_eq(append(l, 5, 0, 1), 0);
    ck_assert(!hci_log_pick(l, &x));
    ck_assert(hci_log_has(l, 0, 5, 0));
    ck_assert(!hci_log_any(l, 0, 5, 0));
    hci_log_free(l);
}
END_TEST

START_TEST(sizes_that_do_not_fit_each_other_are_refused)
{
    ck_assert_ptr_null(hci_log_create(0, SIM_MIB));
    ck_assert_ptr_null(hci_log_create(KIB4, 0));
    ck_assert_ptr_null(hci_log_create(KIB4, KIB4 / 2));
    ck_assert_ptr_null(hci_log_create(KIB4, KIB4 + 1));
    ck_assert_ptr_null(hci_log_create(1, 1ULL << 40));
    struct hci_log *l = hci_log_create(512, SIM_GIB);
    ck_assert_ptr_nonnull(l);
    hci_log_free(l);
}
END_TEST

/* ---- the reference: a byte map of two small disks ---- */

#define GRANULES 600U /* a disk */
#define SPACES   2U

struct ref {
    uint64_t granule, per_extent; /* bytes; granules */
    unsigned char dirty[SPACES][GRANULES];
    uint64_t logged[SPACES][GRANULES]; /* by extent */
    uint64_t since[SPACES][GRANULES];  /* step, 0: clean */
    uint64_t serial;
    struct hci_log_counts counts;
};

static uint64_t ref_append(struct ref *r, uint32_t s, uint64_t offset, uint64_t bytes)
{
    unsigned char before[GRANULES];
    uint64_t clean = 0;

    memcpy(before, r->dirty[s], sizeof before);
    for (uint64_t b = offset; b < offset + bytes; b++) {
        uint64_t g = b / r->granule, x = g / r->per_extent;
        if (!r->since[s][x])
            r->since[s][x] = ++r->serial;
        r->logged[s][x]++;
        r->counts.coalesced_bytes += before[g];
        clean += !r->dirty[s][g];
        r->dirty[s][g] = 1;
    }
    r->counts.appended_bytes += bytes;
    return clean;
}

static uint64_t ref_dirty(const struct ref *r, uint32_t s, uint64_t offset, uint64_t bytes)
{
    uint64_t n = 0;
    for (uint64_t b = offset; b < offset + bytes; b++)
        n += r->dirty[s][b / r->granule];
    return n;
}

/* Picks as the log should; false when clean. */
static bool ref_pick(struct ref *r, struct hci_log_extent *x)
{
    uint64_t oldest = UINT64_MAX;
    for (uint32_t s = 0; s < SPACES; s++)
        for (uint64_t e = 0; e < GRANULES; e++)
            if (r->since[s][e] && r->since[s][e] < oldest) {
                oldest = r->since[s][e];
                *x = (struct hci_log_extent){.space = s, .extent = e};
            }
    if (oldest == UINT64_MAX)
        return false;
    x->logged_bytes = r->logged[x->space][x->extent];
    r->logged[x->space][x->extent] = 0;
    r->since[x->space][x->extent] = 0;
    unsigned char *d = &r->dirty[x->space][x->extent * r->per_extent];
    for (uint64_t i = 0; i < r->per_extent; i++) {
        x->dirty += d[i];
        x->runs += d[i] && (i == 0 || !d[i - 1]);
    }
    memset(d, 0, r->per_extent);
    r->counts.drained_bytes += x->dirty * r->granule;
    return true;
}

static void random_pick(struct hci_log *l, struct ref *r)
{
    struct hci_log_extent got = {0}, want = {0};
    sim_time oldest = hci_log_oldest(l);

    bool picked = hci_log_pick(l, &got);
    ck_assert_int_eq(picked, ref_pick(r, &want));
    if (!picked)
        return;
    ck_assert(got.since_ns == oldest);
    ck_assert_uint_eq(got.space, want.space);
    ck_assert_uint_eq(got.extent, want.extent);
    ck_assert_uint_eq(got.dirty, want.dirty);
    ck_assert_uint_eq(got.runs, want.runs);
    ck_assert_uint_eq(got.logged_bytes, want.logged_bytes);
}

static void same_sums(const struct hci_log *l, const struct ref *r)
{
    const struct hci_log_counts *k = hci_log_counts(l);
    uint64_t fill = 0, extents = 0, dirty = 0;

    ck_assert(memcmp(k, &r->counts, sizeof *k) == 0);
    for (uint32_t s = 0; s < SPACES; s++)
        for (uint64_t e = 0; e < GRANULES; e++) {
            fill += r->logged[s][e];
            extents += r->since[s][e] != 0;
            dirty += r->dirty[s][e];
        }
    ck_assert_uint_eq(hci_log_fill_bytes(l), fill);
    ck_assert_uint_eq(hci_log_extents(l), extents);
    ck_assert_uint_le(k->appended_bytes,
                      k->coalesced_bytes + k->drained_bytes + dirty * r->granule);
}

static void random_step(struct hci_log *l, struct ref *r, uint64_t key, sim_time now)
{
    uint32_t s = (uint32_t)sim_below(sim_key(key, 1), SPACES);
    uint64_t span = GRANULES / r->per_extent * r->per_extent * r->granule;
    uint64_t most = sim_key(key, 5) % 4 ? 3 * r->granule : span / 3;
    uint64_t offset = sim_below(sim_key(key, 2), span);
    uint64_t bytes = sim_min(sim_below(sim_key(key, 3), most + 1), span - offset);
    uint64_t dirty;

    switch (sim_below(sim_key(key, 4), 8)) {
    case 0:
    case 1:
    case 2:
        ck_assert_uint_eq(hci_log_append(l, s, offset, bytes, now),
                          ref_append(r, s, offset, bytes));
        break;
    case 3:
    case 4:
        random_pick(l, r);
        break;
    default:
        dirty = ref_dirty(r, s, offset, bytes);
        ck_assert_int_eq(hci_log_has(l, s, offset, bytes), dirty == bytes);
        ck_assert_int_eq(hci_log_any(l, s, offset, bytes), dirty > 0);
        break;
    }
}

START_TEST(a_log_agrees_with_a_byte_map_after_every_random_step)
{
    static const struct {
        uint64_t granule, per_extent;
    } row[] = {{8, 64}, {8, 1}, {7, 100}, {4, 256}, {12, 63}, {1, 65}, {16, 300}};

    for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
        struct hci_log *l = hci_log_create(row[i].granule, row[i].granule * row[i].per_extent);
        struct ref *r = calloc(1, sizeof *r);
        ck_assert_ptr_nonnull(l);
        r->granule = row[i].granule;
        r->per_extent = row[i].per_extent;
        for (uint64_t k = 0; k < 12000; k++) {
            random_step(l, r, sim_key(i, k), k);
            same_sums(l, r);
        }
        ck_assert_uint_gt(r->counts.coalesced_bytes, 1000);
        ck_assert_uint_gt(r->counts.drained_bytes, 1000);
        free(r);
        hci_log_free(l);
    }
}
END_TEST

START_TEST(while_writes_are_whole_granules_every_byte_is_coalesced_drained_or_dirty)
{
    struct hci_log *l = hci_log_create(KIB4, SIM_MIB);
    const struct hci_log_counts *k = hci_log_counts(l);
    uint64_t dirty = 0, logged = 0;

    for (uint64_t i = 0; i < 300000; i++) {
        uint64_t granule = sim_below(sim_mix(i), 40000), n = 1 + sim_mix(i + 7) % 8;
        dirty += append(l, granule * KIB4, n * KIB4, i);
        logged += n * KIB4;
        struct hci_log_extent x = {0};
        if (i % 37 == 0 && hci_log_pick(l, &x)) {
            dirty -= x.dirty;
            logged -= x.logged_bytes;
            ck_assert_uint_gt(x.dirty, 0);
            ck_assert_uint_le(x.runs, x.dirty);
            ck_assert_uint_ge(x.logged_bytes, x.dirty * KIB4);
        }
        ck_assert_uint_eq(hci_log_fill_bytes(l), logged);
        ck_assert_uint_eq(k->appended_bytes, k->coalesced_bytes + k->drained_bytes + dirty * KIB4);
    }
    hci_log_free(l);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, extents_leave_in_the_order_they_became_dirty);
    tcase_add_test(tc, an_overwrite_takes_log_space_again_and_drains_once);
    tcase_add_test(tc, part_of_a_granule_dirties_the_whole_and_is_logged_and_coalesced_to_the_byte);
    tcase_add_test(tc, an_append_while_its_extent_drains_dirties_it_anew_at_the_end);
    tcase_add_test(tc, a_write_across_extents_is_shared_out_between_them);
    tcase_add_test(tc, runs_are_counted_across_words_and_at_both_ends);
    tcase_add_test(tc, disks_are_kept_apart_and_huge_offsets_are_legal);
    tcase_add_test(tc, memory_follows_the_extents_dirty_at_one_time_and_not_those_ever_written);
    tcase_add_test(tc, an_empty_range_appends_nothing);
    tcase_add_test(tc, sizes_that_do_not_fit_each_other_are_refused);
    tcase_add_test(tc, a_log_agrees_with_a_byte_map_after_every_random_step);
    tcase_add_test(tc, while_writes_are_whole_granules_every_byte_is_coalesced_drained_or_dirty);
}

TEST_MAIN("unit.log")
