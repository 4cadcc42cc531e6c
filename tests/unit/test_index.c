/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check_main.h"

#include <string.h>

#include "hci_table.h"
#include "sim_rng.h"

#define PLACES 512U

START_TEST(an_index_agrees_with_a_plain_array_after_random_additions_and_removals)
{
    struct hci_index ix;
    uint32_t id[PLACES];
    unsigned held = 0;

    ck_assert(hci_index_init(&ix, 4, 1));
    memset(id, 0xff, sizeof id);
    for (uint64_t k = 0; k < 100000; k++) {
        uint32_t n = (uint32_t)sim_below(sim_mix(k), PLACES);
        uint32_t space = n % 3;
        uint64_t number = (uint64_t)(n / 3) << (n % 5 * 11);
        ck_assert_uint_eq(hci_index_get(&ix, space, number), id[n]);
        if (id[n] == HCI_NONE) {
            id[n] = hci_index_add(&ix, space, number);
            ck_assert_uint_lt(id[n], ix.room);
            held++;
        } else {
            hci_index_remove(&ix, id[n]);
            id[n] = HCI_NONE;
            held--;
        }
        ck_assert_uint_eq(ix.count, held);
        for (unsigned i = 0; k % 1000 == 0 && i < PLACES; i++)
            if (id[i] != HCI_NONE)
                ck_assert_uint_eq(ix.item[id[i]].space, i % 3);
    }
    ck_assert_uint_le(ix.room, 2 * PLACES);
    ck_assert_uint_eq(ix.mask + 1, 2 * ix.room);
    hci_index_fini(&ix);
}
END_TEST

/* Mean steps to find a place, all places being equally likely. */
static double mean_steps(const struct hci_index *ix)
{
    uint64_t steps = 0;
    for (uint64_t i = 0; i <= ix->mask; i++) {
        unsigned depth = 0;
        for (uint32_t id = ix->head[i]; id != HCI_NONE; id = ix->item[id].chain)
            steps += ++depth;
    }
    return (double)steps / ix->count;
}

START_TEST(an_index_finds_sequential_strided_and_many_disk_places_in_a_step_or_two)
{
    static const uint64_t stride[] = {1, 8, 64, 256, 1024, 1ULL << 20, 1ULL << 33, 4097};
    for (unsigned s = 0; s < 2 * (sizeof stride / sizeof *stride); s++) {
        struct hci_index ix;
        ck_assert(hci_index_init(&ix, s % 2 * 4, 0));
        for (uint64_t i = 0; i < 65536; i++)
            hci_index_add(&ix, (uint32_t)(i % 4), i / 4 * stride[s / 2]);
        ck_assert_double_le(mean_steps(&ix), 1.6); /* 1.5 if spread at random */
        hci_index_fini(&ix);
    }
}
END_TEST

START_TEST(a_table_agrees_with_a_plain_array_and_visits_every_value_once)
{
    struct hci_table t;
    uint32_t value[PLACES], seen, space, visited;
    uint64_t number;

    ck_assert(hci_table_init(&t));
    memset(value, 0xff, sizeof value);
    for (uint64_t k = 0; k < 50000; k++) {
        uint32_t n = (uint32_t)sim_below(sim_mix(k), PLACES);
        ck_assert_uint_eq(hci_table_get(&t, n % 2, n * 11ULL), value[n]);
        if (value[n] == HCI_NONE)
            hci_table_put(&t, n % 2, n * 11ULL, n);
        else
            hci_table_take(&t, n % 2, n * 11ULL);
        value[n] = value[n] == HCI_NONE ? n : HCI_NONE;
        if (k % 500)
            continue;
        visited = 0;
        for (uint64_t at = 0; at < hci_table_span(&t); at++) {
            seen = hci_table_at(&t, at, &space, &number);
            if (seen == HCI_NONE)
                continue;
            ck_assert(seen < PLACES && value[seen] == seen);
            ck_assert(space == seen % 2 && number == seen * 11ULL);
            visited++;
        }
        for (uint32_t i = 0; i < PLACES; i++)
            visited -= value[i] != HCI_NONE;
        ck_assert_uint_eq(visited, 0);
    }
    ck_assert_uint_le(t.groups.made, 2 * (PLACES * 11 / HCI_GROUP + 1));
    hci_table_fini(&t);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, an_index_agrees_with_a_plain_array_after_random_additions_and_removals);
    tcase_add_test(tc, an_index_finds_sequential_strided_and_many_disk_places_in_a_step_or_two);
    tcase_add_test(tc, a_table_agrees_with_a_plain_array_and_visits_every_value_once);
}

TEST_MAIN("unit.index")
