/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_tables.h"
#include "check_main.h"


START_TEST(a_shared_table_is_the_one_a_run_would_make_and_is_made_once)
{
    const double from[HCI_TABLE_ARGS] = { 38000, 0.11, 0.005, 46000, 0.5 };
    const double other[HCI_TABLE_ARGS] = { 38000, 0.11, 0.005, 46000, 0.6 };
    static struct sim_dist own;
    struct hci_tables *t = hci_tables_create();
    hci_table_make(&own, "read", from);
    const struct sim_dist *d = hci_tables_get(t, "read", from);
    ck_assert_ptr_nonnull(d);
    ck_assert_mem_eq(d->body, own.body, sizeof own.body);
    ck_assert_mem_eq(d->tail, own.tail, sizeof own.tail);
    ck_assert_uint_eq(d->role, own.role);
    ck_assert_ptr_eq(hci_tables_get(t, "read", from), d);
    ck_assert_ptr_ne(hci_tables_get(t, "write", from), d);
    ck_assert_ptr_ne(hci_tables_get(t, "read", other), d);
    hci_tables_free(t);
}
END_TEST

START_TEST(a_full_store_keeps_what_it_has_and_takes_no_more)
{
    struct hci_tables *t = hci_tables_create();
    const double first[HCI_TABLE_ARGS] = { 1000, -1 };
    const struct sim_dist *d = hci_tables_get(t, "x", first);
    double from[HCI_TABLE_ARGS] = { 0 };
    for (unsigned i = 1; i < HCI_TABLES_MAX; i++) {
        from[4] = i; /* constants: quick to make */
        ck_assert_ptr_nonnull(hci_tables_get(t, "x", from));
    }
    from[4] = HCI_TABLES_MAX;
    ck_assert_ptr_null(hci_tables_get(t, "x", from));
    ck_assert_ptr_eq(hci_tables_get(t, "x", first), d);
    ck_assert_ptr_null(hci_tables_get(NULL, "x", first));
    hci_tables_free(t);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_shared_table_is_the_one_a_run_would_make_and_is_made_once);
    tcase_add_test(tc, a_full_store_keeps_what_it_has_and_takes_no_more);
}

TEST_MAIN("unit.tables")
