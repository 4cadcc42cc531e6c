/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_check.h"

#include "check_main.h"
#include "platforms/nutanix_layout.h"

#include <stdio.h>
#include <string.h>

static struct hci_layout *lay;
static struct hci_check found;

static void load(const char *name, const struct hci_set *sets, unsigned n)
{
    char path[200];
    struct sim_err e = { 0 };
    snprintf(path, sizeof path, "configs/layouts/%s.cfg", name);
    ck_assert_msg(hci_layout_load(&lay, path, sets, n, &e) == SIM_OK, "%s:%d: %s", e.file, e.line,
                  e.text);
    ck_assert_int_eq(hci_layout_check(lay, &found, &e), SIM_OK);
}

static void drop(void)
{
    hci_check_free(&found);
    hci_layout_free(lay);
}

/* The text of a rule's first finding; its severity must be as said. */
static const char *finding(const char *rule, int severity)
{
    for (unsigned i = 0; i < found.nfindings; i++)
        if (strcmp(found.findings[i].rule, rule) == 0) {
            ck_assert_msg(found.findings[i].severity == severity, "%s has severity %d", rule,
                          found.findings[i].severity);
            return found.findings[i].text;
        }
    ck_abort_msg("no finding %s", rule);
    return "";
}

static int silent(const char *rule)
{
    for (unsigned i = 0; i < found.nfindings; i++)
        if (strcmp(found.findings[i].rule, rule) == 0)
            return 0;
    return 1;
}

static struct nutanix_conf aos(void)
{
    load("story1-optane", NULL, 0);
    struct nutanix_conf c = *(const struct nutanix_conf *)lay->platform_conf;
    drop();
    return c;
}

START_TEST(the_two_logged_disks_are_reproduced_to_the_byte)
{
    struct nutanix_conf c = aos();
    struct nutanix_space d[2] = {
        { .statfs_bytes = 208943841280, .metadata_bytes = 32212254720, .in_log = 1,
          .explicit_log = HCI_AUTO },
        { .statfs_bytes = 2000362143744, .blockstore = 1, .in_log = 1, .explicit_log = HCI_AUTO },
    };
    nutanix_space_split(&c, d, 2);
    ck_assert_uint_eq(d[0].log_bytes, 16481369332);
    ck_assert_uint_eq(d[1].log_bytes, 198266995467);
    ck_assert_uint_eq(d[0].usable_bytes, 149803025164); /* the log says ...165 */
    ck_assert_uint_eq(d[1].usable_bytes, 1702077037813);
}
END_TEST

START_TEST(the_disk_without_a_log_is_reproduced_to_the_byte)
{
    struct nutanix_conf c = aos();
    struct nutanix_space d = { .statfs_bytes = 522925326336, .metadata_bytes = 32212254720,
                               .explicit_log = HCI_AUTO };
    nutanix_space_split(&c, &d, 1);
    ck_assert_uint_eq(d.log_bytes, 0);
    ck_assert_uint_eq(d.usable_bytes, 464566805299);
    ck_assert_double_eq_tol(d.usable_exact, 464566805299.2, 0.01);
}
END_TEST

START_TEST(raw_sizes_lead_to_the_logged_file_systems)
{
    struct nutanix_conf c = aos();
    ck_assert_uint_eq(nutanix_statfs(&c, 280065171456, 1, 1), 208943841280);
    ck_assert_uint_eq(nutanix_statfs(&c, 2000398934016, 0, 1), 2000362143744);
    ck_assert_uint_eq(nutanix_statfs(&c, 1000, 1, 1), 0);
}
END_TEST

START_TEST(explicit_shares_are_kept_and_the_rest_splits_what_is_left)
{
    struct nutanix_conf c = aos();
    struct nutanix_space d[3] = {
        { .statfs_bytes = 1000 * SIM_GIB, .in_log = 1, .explicit_log = 50 * SIM_GIB },
        { .statfs_bytes = 1000 * SIM_GIB, .in_log = 1, .explicit_log = HCI_AUTO },
        { .statfs_bytes = 2000 * SIM_GIB, .in_log = 1, .explicit_log = HCI_AUTO },
    };
    nutanix_space_split(&c, d, 3);
    ck_assert_uint_eq(d[0].log_bytes, 50 * SIM_GIB);
    ck_assert_uint_eq(d[1].log_bytes, 50 * SIM_GIB);
    ck_assert_uint_eq(d[2].log_bytes, 100 * SIM_GIB);
}
END_TEST

START_TEST(a_disk_too_small_for_its_reservations_has_no_space)
{
    struct nutanix_conf c = aos();
    struct nutanix_space d[2] = {
        { .statfs_bytes = SIM_GIB, .metadata_bytes = 30 * SIM_GIB, .in_log = 1,
          .explicit_log = HCI_AUTO },
        { .statfs_bytes = 0, .in_log = 1, .explicit_log = HCI_AUTO },
    };
    nutanix_space_split(&c, d, 2);
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_eq(d[i].log_bytes, 0);
        ck_assert_uint_eq(d[i].usable_bytes, 0);
    }
}
END_TEST

START_TEST(a_small_node_gets_a_small_log)
{
    struct nutanix_conf c = aos();
    struct nutanix_space d = { .statfs_bytes = 400 * SIM_GIB, .in_log = 1,
                               .explicit_log = HCI_AUTO };
    nutanix_space_split(&c, &d, 1);
    ck_assert_uint_eq(d.log_bytes, 100 * SIM_GIB);
}
END_TEST

START_TEST(the_optane_layout_installs_and_warns_of_its_share)
{
    load("story1-optane", NULL, 0);
    ck_assert_uint_eq(found.nerrors, 0);
    ck_assert_uint_eq(found.ndisks, 9);
    ck_assert_uint_eq(found.disks[1].log_bytes, 16481369332);
    ck_assert_uint_eq(found.disks[2].usable_bytes, 1702077037813);
    ck_assert_uint_eq(found.cache_bytes_per_node, 5798205849); /* 5.4 GiB */
    ck_assert_ptr_nonnull(strstr(finding("NX1", HCI_WARN), "7.7 %"));
    finding("CE1", HCI_NOTE);
    drop();
}
END_TEST

START_TEST(the_first_attempt_is_refused_for_its_boot_disk)
{
    load("story1-first-try", NULL, 0);
    ck_assert_ptr_nonnull(strstr(finding("CE1", HCI_ERROR), "boot disk"));
    drop();
}
END_TEST

START_TEST(the_usb_layout_is_refused_for_curator)
{
    load("story1-usb-boot", NULL, 0);
    const char *text = finding("CE3", HCI_ERROR);
    ck_assert_ptr_nonnull(strstr(text, "139.5 GiB"));
    ck_assert_ptr_nonnull(strstr(text, "157.0 GiB"));
    ck_assert_uint_eq(found.nerrors, 1);
    finding("CE4", HCI_WARN);
    drop();
}
END_TEST

START_TEST(a_375_gb_optane_would_have_passed_curator)
{
    struct hci_set s = { "nodes.[0].disks.[1].device", "optane-p4800x-375g" };
    load("story1-usb-boot", &s, 1);
    ck_assert(silent("CE3"));
    ck_assert_uint_eq(found.disks[1].usable_bytes / SIM_GIB, 216);
    drop();
}
END_TEST

START_TEST(node_counts_are_held_against_the_copies)
{
    struct hci_set three = { "rf", "3" };
    struct hci_set two[] = { { "nodes.[0].count", "2" } };
    struct hci_set four[] = { { "nodes.[0].count", "4" }, three };
    struct hci_set five[] = { { "nodes.[0].count", "5" }, three };
    struct hci_set one[] = { { "nodes.[0].count", "1" }, { "rf", "1" } };
    load("story1-optane", two, 1);
    finding("CE5", HCI_ERROR);
    finding("NX2", HCI_ERROR);
    drop();
    load("story1-optane", four, 2);
    ck_assert_ptr_nonnull(strstr(finding("NX2", HCI_ERROR), "at least 5 nodes"));
    ck_assert(silent("CE5"));
    drop();
    load("story1-optane", five, 2);
    ck_assert_uint_eq(found.nerrors, 0);
    drop();
    load("story1-optane", one, 2);
    ck_assert_uint_eq(found.nerrors, 0);
    drop();
}
END_TEST

START_TEST(fill_is_held_against_what_survives_a_failure)
{
    struct hci_set s[] = { { "initial.planned_use", "0.5" } };
    load("story1-optane", s, 1);
    ck_assert(silent("NX4") && silent("NX5"));
    drop();
    s[0].value = "0.65";
    load("story1-optane", s, 1);
    finding("NX4", HCI_WARN);
    ck_assert(silent("NX5"));
    drop();
    s[0].value = "0.8";
    load("story1-optane", s, 1);
    finding("NX5", HCI_WARN);
    drop();
    s[0].value = "0.96";
    load("story1-optane", s, 1);
    finding("NX5", HCI_ERROR);
    drop();
}
END_TEST

START_TEST(the_other_rules_fire_when_their_condition_holds)
{
    struct hci_set s[] = {
        { "platform.erasure_coding", "4/1" },   { "platform.block_awareness", "true" },
        { "initial.hot_set", "54 GiB" },        { "guests.[0].vdisks", "1" },
        { "guests.[0].raid", "none" },          { "nodes.[0].memory", "28 GiB" },
        { "nodes.[0].disks.[2].count", "13" },  { "devices.[usb-64g].raw", "62 GB" },
        { "nodes.[0].disks.[0].device", "usb-64g" },
    };
    load("story1-optane", s, 9);
    finding("NX3", HCI_WARN);
    finding("NX6", HCI_ERROR);
    ck_assert_ptr_nonnull(strstr(finding("NX7", HCI_NOTE), "10.0 %"));
    finding("NX8", HCI_NOTE);
    finding("NX9", HCI_NOTE);
    ck_assert_ptr_nonnull(strstr(finding("NX10", HCI_NOTE), "14 flash disks, only 12"));
    ck_assert_ptr_nonnull(strstr(finding("CE2", HCI_ERROR), "62.0 GB"));
    finding("CE-S", HCI_WARN);
    unsigned logs = 0;
    for (unsigned i = 0; i < 15; i++)
        logs += found.disks[i].log_bytes > 0;
    ck_assert_uint_eq(logs, 12);
    drop();
}
END_TEST

START_TEST(a_log_on_the_optane_alone_is_no_warning)
{
    load("story1-hoped", NULL, 0);
    ck_assert_uint_eq(found.disks[1].log_bytes, 16481369332);
    ck_assert_uint_eq(found.disks[2].log_bytes, 0);
    ck_assert_ptr_nonnull(strstr(finding("NX1", HCI_NOTE), "100.0 %"));
    drop();
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, the_two_logged_disks_are_reproduced_to_the_byte);
    tcase_add_test(tc, the_disk_without_a_log_is_reproduced_to_the_byte);
    tcase_add_test(tc, raw_sizes_lead_to_the_logged_file_systems);
    tcase_add_test(tc, explicit_shares_are_kept_and_the_rest_splits_what_is_left);
    tcase_add_test(tc, a_disk_too_small_for_its_reservations_has_no_space);
    tcase_add_test(tc, a_small_node_gets_a_small_log);
    tcase_add_test(tc, the_optane_layout_installs_and_warns_of_its_share);
    tcase_add_test(tc, the_first_attempt_is_refused_for_its_boot_disk);
    tcase_add_test(tc, the_usb_layout_is_refused_for_curator);
    tcase_add_test(tc, a_375_gb_optane_would_have_passed_curator);
    tcase_add_test(tc, node_counts_are_held_against_the_copies);
    tcase_add_test(tc, fill_is_held_against_what_survives_a_failure);
    tcase_add_test(tc, the_other_rules_fire_when_their_condition_holds);
    tcase_add_test(tc, a_log_on_the_optane_alone_is_no_warning);
}

TEST_MAIN("unit.check")
