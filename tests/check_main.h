/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * check_main.h: the main() of every Check program here. A test file defines
 * `static void add_tests(TCase *tc)` and says TEST_MAIN("room.name").
 */
#ifndef CHECK_MAIN_H
#define CHECK_MAIN_H

#include <check.h>
#include <stdlib.h>

#define TEST_MAIN(name)                              \
    int main(void)                                   \
    {                                                \
        Suite *s = suite_create(name);               \
        TCase *tc = tcase_create(name);              \
        tcase_set_timeout(tc, 120);                  \
        add_tests(tc);                               \
        suite_add_tcase(s, tc);                      \
        SRunner *sr = srunner_create(s);             \
        srunner_run_all(sr, CK_NORMAL);              \
        int failed = srunner_ntests_failed(sr);      \
        srunner_free(sr);                            \
        return failed ? EXIT_FAILURE : EXIT_SUCCESS; \
    }

#endif
