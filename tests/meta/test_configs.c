/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check_main.h"
#include "hci_kind.h"
#include "hci_layout.h"

#include <glob.h>
#include <string.h>

static struct sim_err err;

/* Every number that is not a structural default says where it comes from. */
static unsigned sourced(const char *what, const struct hci_param *rows, const struct hci_prov *pv)
{
    unsigned seen = 0;
    for (const struct hci_param *row = rows; row->key; row++, pv++) {
        if (row->type == HCI_TEXT || row->type == HCI_ENUM || !pv->file)
            continue;
        if (row->type == HCI_BOOL && strcmp(row->key, "plp") != 0)
            continue;
        ck_assert_msg(pv->source[0] != 0, "%s: %s has no source", what, row->key);
        ck_assert_msg(pv->confidence != HCI_CONF_NONE, "%s: %s has no confidence", what, row->key);
        ck_assert_msg(pv->confidence != HCI_CONF_ESTIMATED || pv->low, "%s: %s has no range", what,
                      row->key);
        seen++;
    }
    return seen;
}

START_TEST(every_device_loads_and_every_number_has_a_source)
{
    struct sim_arena *a = sim_arena_create(1 << 16);
    const char *const *names;
    unsigned n = 0;
    ck_assert_int_eq(hci_catalogue_list(&names, "configs", a, &err), SIM_OK);
    for (; names[n]; n++) {
        struct hci_device_conf d = { 0 };
        ck_assert_msg(hci_catalogue_device(&d, "configs", names[n], NULL, NULL, a, &err) == SIM_OK,
                      "%s:%d: %s", err.file, err.line, err.text);
        ck_assert_uint_ge(sourced(d.name, hci_device_common_params, d.common_prov), 5);
        ck_assert_uint_ge(sourced(d.name, d.ops->k.params, d.prov), 3);
    }
    ck_assert_uint_ge(n, 8);
    sim_arena_free(a);
}
END_TEST

START_TEST(every_platform_loads_and_every_number_has_a_source)
{
    struct sim_arena *a = sim_arena_create(1 << 16);
#define X(p) &hci_platform_##p,
    static const struct hci_platform_ops *const all[] = { HCI_PLATFORMS(X) };
#undef X
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        const struct hci_kind *k = &all[i]->k;
        const struct hci_param *const tables[] = { k->params, NULL };
        const struct hci_prov *pv;
        struct hci_cfg *g;
        void *conf = sim_arena_alloc(a, k->conf_size);
        int rc = hci_catalogue_platform(&g, "configs", k->name, NULL, a, &err);
        if (rc == SIM_OK)
            rc = hci_param_check_keys(g, tables, NULL, k->name, &err);
        if (rc == SIM_OK)
            rc = hci_param_load(k->params, g, k->name, conf, &pv, a, &err);
        ck_assert_msg(rc == SIM_OK, "%s:%d: %s", err.file, err.line, err.text);
        ck_assert_uint_ge(sourced(k->name, k->params, pv), 9);
    }
    sim_arena_free(a);
}
END_TEST

START_TEST(every_layout_loads_and_can_be_checked)
{
    glob_t g;
    ck_assert_int_eq(glob("configs/layouts/*.cfg", 0, NULL, &g), 0);
    ck_assert_uint_ge(g.gl_pathc, 6);
    for (size_t i = 0; i < g.gl_pathc; i++) {
        struct hci_layout *lay;
        struct hci_check c;
        ck_assert_msg(hci_layout_load(&lay, g.gl_pathv[i], NULL, 0, &err) == SIM_OK, "%s:%d: %s",
                      err.file, err.line, err.text);
        ck_assert_int_eq(hci_layout_check(lay, &c, &err), SIM_OK);
        ck_assert_uint_gt(c.usable_bytes, 0);
        hci_check_free(&c);
        hci_layout_free(lay);
    }
    globfree(&g);
}
END_TEST

START_TEST(every_row_of_every_table_is_sound)
{
    static const struct hci_param *const shared[] = {
        hci_device_common_params, hci_node_params, hci_cvm_params,     hci_nic_params,
        hci_disk_params,          hci_guest_params, hci_initial_params,
    };
    const struct hci_param *all[32];
    unsigned n = 0;
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++)
        all[n++] = shared[i];
#define X(name) all[n++] = hci_device_##name.k.params;
    HCI_DEVICE_KINDS(X)
#undef X
#define X(name) all[n++] = hci_platform_##name.k.params;
    HCI_PLATFORMS(X)
#undef X
    for (unsigned i = 0; i < n; i++)
        for (const struct hci_param *row = all[i]; row->key; row++) {
            ck_assert_msg(row->doc && row->doc[strlen(row->doc) - 1] == '.', "%s: doc", row->key);
            ck_assert_msg((row->type == HCI_ENUM) == (row->names != NULL), "%s: names", row->key);
            ck_assert_msg(row->type == HCI_ENUM || row->type == HCI_TEXT || row->min < row->max,
                          "%s: limits", row->key);
            for (const struct hci_param *q = all[i]; q < row; q++)
                ck_assert_msg(strcmp(q->key, row->key) != 0 && q->offset != row->offset,
                              "%s stands twice", row->key);
        }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, every_device_loads_and_every_number_has_a_source);
    tcase_add_test(tc, every_platform_loads_and_every_number_has_a_source);
    tcase_add_test(tc, every_layout_loads_and_can_be_checked);
    tcase_add_test(tc, every_row_of_every_table_is_sound);
}

TEST_MAIN("meta.configs")
