/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check_main.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim_assert.h"
#include "sim_mem.h"

START_TEST(memory_is_zeroed_aligned_and_apart)
{
    enum { N = 600 };
    unsigned char *p[N];

    for (size_t i = 0; i < 100; i++) /* leave used memory behind for the arena to get */
        p[i] = memset(malloc(8192 + 16), 0xa5, 8192 + 16);
    for (size_t i = 0; i < 100; i++)
        free(p[i]);
    struct sim_arena *a = sim_arena_create(8192);
    for (size_t i = 0; i < N; i++) {
        p[i] = sim_arena_alloc(a, i);
        ck_assert_uint_eq((uintptr_t)p[i] % 16, 0);
        for (size_t j = 0; j < i; j++)
            ck_assert_uint_eq(p[i][j], 0);
        memset(p[i], (int)(i % 255 + 1), i);
    }
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < i; j++)
            ck_assert_uint_eq(p[i][j], i % 255 + 1);
    sim_arena_free(a);
}
END_TEST

START_TEST(a_request_larger_than_a_chunk_is_served_and_does_not_waste_the_open_chunk)
{
    struct sim_arena *a = sim_arena_create(1 << 16);
    char *first = sim_arena_alloc(a, 16);
    unsigned char *big = sim_arena_alloc(a, 10 << 20);
    char *second = sim_arena_alloc(a, 16);

    big[(10 << 20) - 1] = 1;
    ck_assert_ptr_eq(second, first + 16);
    ck_assert_uint_lt(sim_arena_bytes(a), (10 << 20) + (1 << 17));
    sim_arena_free(a);
}
END_TEST

START_TEST(the_counter_shows_every_allocation_and_stands_still_without_one)
{
    struct sim_arena *a = sim_arena_create(0);
    ck_assert_uint_eq(sim_arena_count(a), 0);
    sim_arena_alloc(a, 1);
    sim_arena_array(a, 10, 100);
    sim_arena_strdup(a, "x");
    ck_assert_uint_eq(sim_arena_count(a), 3);
    ck_assert_uint_gt(sim_arena_bytes(a), 4096);
    sim_arena_free(a);
}
END_TEST

START_TEST(many_small_allocations_cost_little_more_than_their_bytes)
{
    struct sim_arena *a = sim_arena_create(1 << 16);
    for (int i = 0; i < 100000; i++)
        sim_arena_alloc(a, 32);
    ck_assert_uint_lt(sim_arena_bytes(a), 100000 * 32 * 11 / 10);
    sim_arena_free(a);
}
END_TEST

START_TEST(strings_are_copied_and_formatted_at_any_length)
{
    struct sim_arena *a = sim_arena_create(0);
    char text[10001];
    memset(text, 'a', 10000);
    text[10000] = 0;
    char *copy = sim_arena_strdup(a, text);
    ck_assert_str_eq(copy, text);
    ck_assert_ptr_ne(copy, text);
    ck_assert_str_eq(sim_arena_printf(a, "node%d.%s", 3, "nic"), "node3.nic");
    ck_assert_uint_eq(strlen(sim_arena_printf(a, "%s%s", text, text)), 20000);
    ck_assert_str_eq(sim_arena_strdup(a, ""), "");
    sim_arena_free(a);
}
END_TEST

START_TEST(freeing_nothing_is_allowed)
{
    sim_arena_free(NULL);
}
END_TEST

START_TEST(an_array_beyond_the_address_space_exits_with_status_3)
{
    struct sim_arena *a = sim_arena_create(0);
    sim_arena_array(a, SIZE_MAX / 2, 16);
}
END_TEST

START_TEST(a_chunk_beyond_the_address_space_exits_with_status_3)
{
    sim_arena_create(SIZE_MAX);
}
END_TEST

START_TEST(a_check_that_holds_does_nothing_and_evaluates_once)
{
    int n = 0;
    sim_assert(++n == 1);
    ck_assert_int_eq(n, 1);
}
END_TEST

static void describe(const void *ctx, char *buf, size_t size)
{
    snprintf(buf, size, "t=%d", *(const int *)ctx);
}

START_TEST(a_check_that_fails_aborts)
{
    int when = 17;
    sim_assert_context(describe, &when);
    sim_assert(when == 18);
}
END_TEST

START_TEST(a_check_that_fails_says_where_and_in_what_context)
{
    int fds[2], when = 17, status;
    char line[512] = "";
    ck_assert_int_eq(pipe(fds), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(fds[1], 2);
        sim_assert_context(describe, &when);
        sim_assert(when == 18);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_gt((int)read(fds[0], line, sizeof line - 1), 0);
    ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    ck_assert_ptr_nonnull(strstr(line, "test_mem.c:"));
    ck_assert_ptr_nonnull(strstr(line, "when == 18"));
    ck_assert_ptr_nonnull(strstr(line, "t=17"));
}
END_TEST

/* These end the process, so they need one of their own each. */
static void add_ending_tests(TCase *tc)
{
    const char *fork_mode = getenv("CK_FORK");
    if (fork_mode && !strcmp(fork_mode, "no"))
        return;
    tcase_add_exit_test(tc, an_array_beyond_the_address_space_exits_with_status_3, 3);
    tcase_add_exit_test(tc, a_chunk_beyond_the_address_space_exits_with_status_3, 3);
    tcase_add_test_raise_signal(tc, a_check_that_fails_aborts, SIGABRT);
}

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, memory_is_zeroed_aligned_and_apart);
    tcase_add_test(tc, a_request_larger_than_a_chunk_is_served_and_does_not_waste_the_open_chunk);
    tcase_add_test(tc, the_counter_shows_every_allocation_and_stands_still_without_one);
    tcase_add_test(tc, many_small_allocations_cost_little_more_than_their_bytes);
    tcase_add_test(tc, strings_are_copied_and_formatted_at_any_length);
    tcase_add_test(tc, freeing_nothing_is_allowed);
    tcase_add_test(tc, a_check_that_holds_does_nothing_and_evaluates_once);
    tcase_add_test(tc, a_check_that_fails_says_where_and_in_what_context);
    add_ending_tests(tc);
}

TEST_MAIN("unit.mem")
