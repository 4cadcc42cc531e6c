/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The map of touched blocks beside a plain array of flags.
 */
#include "workload/hci_blockmap.h"

#include "check_main.h"
#include "sim_rng.h"

#include <stdlib.h>
#include <string.h>

static uint64_t plain_next(const char *taken, uint64_t n, uint64_t from)
{
    for (uint64_t i = 0; i < n; i++)
        if (!taken[(from + i) % n])
            return (from + i) % n;
    return n;
}

static uint64_t plain_take(char *taken, uint64_t n, uint64_t from, uint64_t count)
{
    uint64_t got = 0;
    while (got < count && from + got < n && !taken[from + got])
        taken[from + got++] = 1;
    return got;
}

static const uint64_t sizes[] = { 1, 2, 63, 64, 65, 127, 4095, 4096, 4097, 70000, 262145 };

START_TEST(a_map_finds_and_takes_what_an_array_of_flags_does_until_it_is_full)
{
    uint64_t n = sizes[_i], draw = 0, left = n;
    struct hci_blockmap *m = hci_blockmap_create(n);
    char *taken = calloc(n, 1);
    ck_assert(m && taken);
    for (int pass = 0; pass < 2; pass++, left = n) {
        while (left) {
            uint64_t from = sim_below(sim_key(n, draw), n);
            uint64_t count = 1 + sim_below(sim_key(n + 1, draw), draw % 50 ? 20 : 300);
            draw++;
            uint64_t at = hci_blockmap_next(m, from);
            if (n < 5000)
                ck_assert_uint_eq(at, plain_next(taken, n, from));
            ck_assert_uint_lt(at, n);
            uint64_t got = hci_blockmap_take(m, at, count);
            ck_assert_uint_gt(got, 0);
            ck_assert_uint_eq(got, plain_take(taken, n, at, count));
            left -= got;
        }
        ck_assert_uint_eq(hci_blockmap_next(m, 0), n);
        ck_assert_uint_eq(hci_blockmap_next(m, n - 1), n);
        ck_assert_uint_eq(hci_blockmap_take(m, n / 2, 5), 0);
        hci_blockmap_clear(m);
        memset(taken, 0, n);
    }
    free(taken);
    hci_blockmap_free(m);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_map_finds_and_takes_what_an_array_of_flags_does_until_it_is_full, 0,
                        sizeof sizes / sizeof sizes[0]);
}

TEST_MAIN("unit.blockmap")
