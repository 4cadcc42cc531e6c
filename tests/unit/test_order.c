/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Orders in constant memory: permutations and shift registers.
 */
#include "workload/hci_order.h"

#include "check_main.h"

#include <string.h>

START_TEST(permutations_are_bijections_at_every_size)
{
    static unsigned char seen[5000];
    for (uint64_t n = 1; n < sizeof seen; n += n < 300 ? 1 : 61) {
        struct hci_perm p;
        struct hci_lfsr r;
        hci_perm_init(&p, n, n);
        hci_lfsr_init(&r, n, n);
        memset(seen, 0, sizeof seen);
        for (uint64_t i = 0; i < n; i++) {
            uint64_t a = hci_perm_at(&p, i), b = hci_lfsr_next(&r);
            ck_assert(a < n && b < n);
            ck_assert_int_eq(seen[a] & 1, 0);
            ck_assert_int_eq(seen[b] & 2, 0);
            seen[a] |= 1;
            seen[b] |= 2;
        }
    }
}
END_TEST

/* Jumps a shift register ahead by powers of its step, as polynomials would. */
static uint64_t times_x(uint64_t s, uint64_t taps, uint64_t steps)
{
    uint64_t column[64], next[64], out;
    for (unsigned i = 0; i < 64; i++) { /* one step as a matrix over GF(2), by columns */
        uint64_t e = 1ULL << i;
        column[i] = (e >> 1) ^ ((0 - (e & 1)) & taps);
    }
    for (; steps; steps >>= 1) {
        if (steps & 1) {
            out = 0;
            for (unsigned i = 0; i < 64; i++)
                out ^= (0 - (s >> i & 1)) & column[i];
            s = out;
        }
        for (unsigned j = 0; j < 64; j++) {
            next[j] = 0;
            for (unsigned i = 0; i < 64; i++)
                next[j] ^= (0 - (column[j] >> i & 1)) & column[i];
        }
        memcpy(column, next, sizeof column);
    }
    return s;
}

START_TEST(every_lfsr_returns_after_its_full_period_and_not_at_a_third_of_it)
{
    struct hci_lfsr r;
    unsigned bits = (unsigned)_i;
    hci_lfsr_init(&r, 1ULL << bits, 1);
    uint64_t period = (1ULL << bits) - 1;
    ck_assert_uint_eq(times_x(1, r.taps, period), 1);
    for (uint64_t q = 3; q < 200; q += 2) /* its small prime factors divide the period */
        if (period % q == 0 && period > q)
            ck_assert_uint_ne(times_x(1, r.taps, period / q), 1);
}
END_TEST

/* Pearson's statistic of the first tenth of a pass over 64 equal parts. */
static double unevenness(uint64_t n, uint64_t key)
{
    uint64_t seen[64] = { 0 }, m = n / 10;
    double sum = 0;
    struct hci_perm p;
    hci_perm_init(&p, n, key);
    for (uint64_t i = 0; i < m; i++)
        seen[hci_perm_at(&p, i) * 64 / n]++;
    for (int i = 0; i < 64; i++) {
        double e = (double)m / 64, d = (double)seen[i] - e;
        sum += d * d / e;
    }
    return sum;
}

START_TEST(part_of_a_pass_is_spread_like_chance)
{
    static const uint64_t sizes[] = { 1 << 20, (1 << 20) + 1, 1000000, 1400000 };
    double sum = 0;
    for (uint64_t key = 0; key < 20; key++)
        sum += unevenness(sizes[_i], key);
    /* Mean of 63 degrees of freedom without replacement: 63 * 0.9 = 57, sd of 20: 2.5. */
    ck_assert_msg(sum / 20 > 45 && sum / 20 < 70, "%.1f", sum / 20);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, permutations_are_bijections_at_every_size);
    tcase_add_loop_test(tc, every_lfsr_returns_after_its_full_period_and_not_at_a_third_of_it, 2,
                        63);
    tcase_add_loop_test(tc, part_of_a_pass_is_spread_like_chance, 0, 4);
}

TEST_MAIN("unit.order")
