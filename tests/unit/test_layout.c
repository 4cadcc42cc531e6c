/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_layout.h"

#include "check_main.h"
#include "devices/flash.h"
#include "devices/xpoint.h"
#include "hci_kind.h"
#include "platforms/nutanix.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define STORY "configs/layouts/story1-optane.cfg"

static struct sim_err err;
static char temp[64];

static void setup(void)
{
    snprintf(temp, sizeof temp, "/tmp/layout-test-%ld.cfg", (long)getpid());
    memset(&err, 0, sizeof err);
}

static void teardown(void)
{
    unlink(temp);
}

static struct hci_layout *must_load(const char *path, const struct hci_set *sets, unsigned n)
{
    struct hci_layout *lay;
    ck_assert_msg(hci_layout_load(&lay, path, sets, n, &err) == SIM_OK, "%s:%d: %s", err.file,
                  err.line, err.text);
    return lay;
}

static void write_file(const char *text)
{
    FILE *f = fopen(temp, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

static struct hci_layout *from_text(const char *text)
{
    write_file(text);
    return must_load(temp, NULL, 0);
}

/* The text must be refused on this line, saying this. */
static void refused(const char *text, int line, const char *says)
{
    struct hci_layout *lay;
    write_file(text);
    ck_assert_msg(hci_layout_load(&lay, temp, NULL, 0, &err) == SIM_E_INPUT, "taken: %s", text);
    ck_assert_ptr_null(lay);
    ck_assert_msg(strstr(err.text, says) != NULL, "%s\nsays: %s", text, err.text);
    ck_assert_str_eq(err.file, temp);
    ck_assert_msg(err.line == line, "line %d instead of %d: %s", err.line, line, err.text);
    ck_assert_ptr_null(strchr(err.text, '\n'));
}

/* A minimal layout with one line of its own per part. */
#define HEAD "platform: { kind = \"nutanix\"; };\n"
#define NODES(inside) "nodes = ( { count = 3;\n" inside "\n" DISKS " } );\n"
#define DISKS "disks = ( { device = \"samsung-990pro-2tb\"; role = \"cvm\"; } );"

START_TEST(the_story_layout_becomes_plain_numbers)
{
    struct hci_layout *lay = must_load(STORY, NULL, 0);
    ck_assert_str_eq(lay->name, "Story 1, Optane layout");
    ck_assert_ptr_eq(lay->platform, &hci_platform_nutanix);
    ck_assert_uint_eq(((struct nutanix_conf *)lay->platform_conf)->ack_ns, 30000);
    ck_assert_uint_eq(lay->nnodes, 3);
    ck_assert_uint_eq(lay->ndevices, 3);
    const struct hci_node_conf *n = &lay->nodes[2];
    ck_assert_uint_eq(n->nic.speed_Bps, 1250000000);
    ck_assert_uint_eq(n->nic.bond, HCI_BOND_LACP);
    ck_assert_uint_eq(n->nic.hash, HCI_HASH_L23);
    ck_assert_uint_eq(n->nic.mtu, 9000);
    ck_assert_uint_eq(n->cvm_memory_bytes, 24 * SIM_GIB);
    ck_assert_uint_eq(n->ndisks, 3);
    ck_assert_uint_eq(n->disks[1].role, HCI_ROLE_CVM);
    ck_assert_uint_eq(n->disks[1].log_bytes, HCI_AUTO);
    const struct hci_device_conf *d = n->disks[1].device;
    ck_assert_str_eq(d->name, "optane-900p-280g");
    ck_assert_ptr_eq(d->ops, &hci_device_xpoint);
    ck_assert_uint_eq(d->common.raw_bytes, 280065171456);
    ck_assert_uint_eq(d->common.flush_ns, 0);
    ck_assert_uint_eq(((struct xpoint_conf *)d->conf)->read_pipe_ns, 1700);
    ck_assert_uint_eq(lay->nguests, 1);
    ck_assert_uint_eq(lay->guests[0].raid, HCI_RAID1);
    ck_assert_uint_eq(lay->initial.settle_ns, 4 * 3600 * SIM_S);
    hci_layout_free(lay);
}
END_TEST

START_TEST(the_effective_configuration_loads_again_and_gives_itself)
{
    static const char *const all[] = { "story1-optane", "story1-hoped", "story1-native-optane" };
    for (int i = 0; i < 3; i++) {
        char path[100];
        snprintf(path, sizeof path, "configs/layouts/%s.cfg", all[i]);
        struct hci_layout *a = must_load(path, NULL, 0);
        struct hci_layout *b = from_text(a->text);
        ck_assert_str_eq(a->text, b->text);
        ck_assert_mem_eq(a->platform_conf, b->platform_conf, a->platform->k.conf_size);
        hci_layout_free(a);
        hci_layout_free(b);
    }
}
END_TEST

START_TEST(a_set_reaches_one_element_all_of_them_or_an_alias)
{
    struct hci_set s[] = {
        { "nodes.[0].nic.mtu", "1500" },      { "nodes.[*].nic.speed", "25 Gbit/s" },
        { "nodes[*].cvm.vcpus", "12" },       { "log_device", "optane-p4800x-375g" },
        { "platform.ack", "50 us" },          { "initial.fullness", "0.25" },
        { "devices.[samsung-990pro-2tb].slc", "\"0 B\"" },
        { "platform.locality", "false" },
    };
    struct hci_layout *lay = must_load(STORY, s, 8);
    const struct nutanix_conf *c = lay->platform_conf;
    ck_assert_uint_eq(lay->nodes[0].nic.mtu, 1500);
    ck_assert_uint_eq(lay->nodes[1].nic.speed_Bps, 3125000000);
    ck_assert_uint_eq(lay->nodes[0].cvm_vcpus, 12);
    ck_assert_str_eq(lay->nodes[2].disks[1].device->name, "optane-p4800x-375g");
    ck_assert_uint_eq(c->ack_ns, 50000);
    ck_assert_uint_eq(c->locality, 0);
    ck_assert_double_eq(lay->initial.fullness, 0.25);
    const struct flash_conf *f = lay->nodes[0].disks[2].device->conf;
    ck_assert_uint_eq(f->slc_bytes, 0);
    ck_assert_uint_eq(f->units, 64);
    hci_layout_free(lay);
}
END_TEST

START_TEST(a_wrong_set_is_one_clear_error)
{
    static const struct {
        const char *key, *value, *says;
    } t[] = {
        { "nodes.[7].nic.mtu", "1500", "out of range" },
        { "nodes.[0].nic.mtuu", "1500", "did you mean mtu?" },
        { "nodes.[0].nic.speed", "10", "bare number" },
        { "nodes.[0].nic.speed", "10Gb", "\"10 Gbit/s\"" },
        { "name.[0]", "x", "not a list" },
        { "name.x", "x", "is looked for in a string" },
        { "", "x", "not a path" },
        { "nodes.[", "x", "not a path" },
        { "nodes..nic", "x", "not a path" },
        { "platfrom.ack", "1 us", "did you mean platform?" },
        { "platform.ackk", "1 us", "did you mean ack?" },
        { "devices.[optane-900p].raw", "1 TB", "did you mean optane-900p-280g?" },
        { "nodes", "3", "nodes must be a list" },
        { "platform.ack", "1 us\nx = 1", "control character" },
        { "rf", "4", "out of range (1 to 3)" },
    };
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        struct hci_set s = { t[i].key, t[i].value };
        struct hci_layout *lay;
        ck_assert_msg(hci_layout_load(&lay, STORY, &s, 1, &err) == SIM_E_INPUT, "%s=%s was taken",
                      t[i].key, t[i].value);
        ck_assert_msg(strstr(err.text, t[i].says) != NULL, "%s=%s: %s", t[i].key, t[i].value,
                      err.text);
        ck_assert_str_eq(err.file, "--set");
    }
}
END_TEST

START_TEST(a_layout_may_define_and_change_products)
{
    struct hci_layout *lay = from_text(
        "platform: { kind = \"native\"; };\n"
        "devices = ( { name = \"mine\"; kind = \"ideal\"; iface = \"nvme\"; raw = \"1 TB\"; plp = true;\n"
        "  mdts = \"1 MiB\"; queue_depth = 64; flush = \"0 ns\"; read_latency = \"10 us\";\n"
        "  write_latency = \"20 us\"; },\n"
        "  { name = \"samsung-980pro-1tb\"; units = 47; } );\n"
        "nodes = ( { disks = ( { device = \"mine\"; role = \"data\"; count = 2; },\n"
        "  { device = \"samsung-980pro-1tb\"; role = \"data\"; } ); } );\n"
        "guests = ( { vdisks = 3; raid = \"raid0\"; } );\n");
    ck_assert_uint_eq(lay->nodes[0].ndisks, 3);
    ck_assert_ptr_eq(lay->nodes[0].disks[0].device, lay->nodes[0].disks[1].device);
    ck_assert_ptr_eq(lay->nodes[0].disks[0].device->ops, &hci_device_ideal);
    ck_assert_uint_eq(((struct flash_conf *)lay->nodes[0].disks[2].device->conf)->units, 47);
    hci_layout_free(lay);
}
END_TEST

START_TEST(everything_but_platform_and_disks_has_a_default)
{
    struct hci_layout *lay = from_text(HEAD NODES(""));
    ck_assert_uint_eq(lay->nguests, 1);
    ck_assert_uint_eq(lay->guests[0].vdisks, 1);
    ck_assert_uint_eq(lay->nodes[0].nic.mtu, 1500);
    ck_assert_uint_eq(lay->initial.prepared, 1);
    hci_layout_free(lay);
}
END_TEST

START_TEST(bad_layouts_are_refused_on_their_line)
{
    refused("", 1, "is empty");
    refused("# only a comment\n", 1, "is empty");
    refused("name = \"x\";\n", 1, "platform is missing");
    refused(HEAD, 1, "no nodes");
    refused(HEAD "nodes = ( );\n", 2, "no nodes");
    refused(HEAD "nodes = ( { count = 0; " DISKS " } );\n", 2, "no nodes");
    refused(HEAD "nodes = ( { count = 2000000000; " DISKS " } );\n", 2, "count must be 0 to 1024");
    refused(HEAD "nodes = 3;\n", 2, "nodes must be a list");
    refused(HEAD "nodes = ( 3 );\n", 2, "node must be a group");
    refused(HEAD "nodes = ( { count = 3; } );\n", 2, "has no disks");
    refused("platform: { kind = \"nutanics\"; };\n", 1, "did you mean nutanix?");
    refused("platform = \"nutanix\";\n", 1, "platform must be a group");
    refused("platform: { redundancy = 2; };\n", 1, "kind is missing");
    refused(HEAD "nodez = ( );\n", 2, "unknown key nodez, did you mean nodes?");
    refused(HEAD NODES("memory = 96;"), 3, "bare number without a unit");
    refused(HEAD NODES("nic = { speed = \"10Gb\"; };"), 3, "did you mean \"10 Gbit/s\"?");
    refused(HEAD NODES("nic = { speed = \"10GB\"; };"), 3, "did you mean \"10 GB/s\"?");
    refused(HEAD NODES("nic = { bond = \"lcap\"; };"), 3, "did you mean lacp?");
    refused(HEAD NODES("nick = { };"), 3, "did you mean nic?");
    refused(HEAD NODES("cvm = { memory = \"1 TiB\"; };"), 2, "larger than the node's");
    refused(HEAD "nodes = ( { count = 3; disks = (\n{ device = \"optane-900p-280\"; role = \"cvm\"; } ); } );\n",
            3, "unknown device \"optane-900p-280\", did you mean optane-900p-280g?");
    refused(HEAD "nodes = ( { count = 3; disks = (\n{ device = \"../devices/usb-64g\"; role = \"cvm\"; } ); } );\n",
            3, "unknown device");
    refused(HEAD "nodes = ( { count = 3; disks = (\n{ device = \"usb-64g\"; } ); } );\n", 3,
            "role is missing");
    refused(HEAD "nodes = ( { count = 3; disks = (\n{ device = \"usb-64g\"; role = \"boot\"; } ); } );\n",
            2, "no disk with the role cvm");
    refused("platform: { kind = \"nutanix\";\nredundancy = 3; };\nnodes = ( { count = 2; " DISKS " } );\n",
            2, "redundancy 3 needs 3 nodes, the layout has 2");
    refused(HEAD "nodes = ( { " DISKS " } );\n", 2, "redundancy 2 needs 2 nodes, the layout has 1");
    refused(HEAD NODES("") "guests = ( { node = 3; } );\n", 5, "node 3 does not exist");
    refused(HEAD NODES("") "guests = ( { raid = \"raid1\"; } );\n", 5, "at least 2 vdisks");
    refused(HEAD NODES("") "guests = ( );\n", 5, "no guests");
    refused(HEAD "name = \"a\";\nname = \"b\";\n", 3, "duplicate setting name");
    refused(HEAD "this is no configuration\n", 2, "syntax error");
    refused("platform: { kind = \"native\"; };\nnodes = ( { " DISKS " } );\n"
            "guests = ( { vdisks = 2; } );\n", 3, "asks for 2 disks, node 0 has 1");
}
END_TEST

START_TEST(files_that_are_no_text_are_refused)
{
    struct hci_layout *lay;
    ck_assert_int_eq(hci_layout_load(&lay, "/nowhere/x.cfg", NULL, 0, &err), SIM_E_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "No such file"));
    ck_assert_int_eq(hci_layout_load(&lay, "configs", NULL, 0, &err), SIM_E_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "is a directory"));
    ck_assert_int_eq(hci_layout_load(&lay, "/dev/zero", NULL, 0, &err), SIM_E_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "not a regular file"));
    FILE *f = fopen(temp, "wb");
    for (unsigned i = 0; i < 5000; i++)
        fputc((int)(i * 7919 % 256), f);
    fclose(f);
    ck_assert_int_eq(hci_layout_load(&lay, temp, NULL, 0, &err), SIM_E_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "NUL bytes"));
    f = fopen(temp, "wb");
    for (unsigned i = 0; i < 5000; i++)
        fputc((int)(i * 7919 % 255 + 1), f);
    fclose(f);
    ck_assert_int_eq(hci_layout_load(&lay, temp, NULL, 0, &err), SIM_E_INPUT);
    ck_assert_int_gt(err.line, 0);
}
END_TEST

START_TEST(includes_of_directories_and_of_oneself_are_refused)
{
    struct hci_layout *lay;
    char text[200];
    refused("\n@include \"/\"\n", 2, "is a directory");
    refused("@include \"nowhere.cfg\"\n", 1, "No such file");
    snprintf(text, sizeof text, "@include \"%s\"\n", strrchr(temp, '/') + 1);
    write_file(text);
    ck_assert_int_eq(hci_layout_load(&lay, temp, NULL, 0, &err), SIM_E_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "too deeply"));
}
END_TEST

START_TEST(deep_nesting_is_an_error_not_a_crash)
{
    static char text[400000];
    size_t n = 0;
    for (int i = 0; i < 60000; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "a:{");
    struct hci_layout *lay;
    write_file(text);
    ck_assert_int_eq(hci_layout_load(&lay, temp, NULL, 0, &err), SIM_E_INPUT);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, the_story_layout_becomes_plain_numbers);
    tcase_add_test(tc, the_effective_configuration_loads_again_and_gives_itself);
    tcase_add_test(tc, a_set_reaches_one_element_all_of_them_or_an_alias);
    tcase_add_test(tc, a_wrong_set_is_one_clear_error);
    tcase_add_test(tc, a_layout_may_define_and_change_products);
    tcase_add_test(tc, everything_but_platform_and_disks_has_a_default);
    tcase_add_test(tc, bad_layouts_are_refused_on_their_line);
    tcase_add_test(tc, files_that_are_no_text_are_refused);
    tcase_add_test(tc, includes_of_directories_and_of_oneself_are_refused);
    tcase_add_test(tc, deep_nesting_is_an_error_not_a_crash);
}

TEST_MAIN("unit.layout")
