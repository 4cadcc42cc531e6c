/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run calls without effect is without effect: every row of every table is
 * stated on a layout, the job runs, then all rows called inert take other values
 * at once, and the same job leaves the same trajectory.
 */
#include "knobs_sets.h"

#include "hci_inert.h"

static const struct {
    const char *scene, *more;
    const char *inert, *live; /* keys that must be, and must not be, in the note */
} trials[] = {
    {"native r1", "", "platform.io_uring_submit nodes.[0].nic.mtu guests.[0].vcpus guests.[0].chunk "
     "initial.settle devices.[optane-900p-280g].write_unit devices.[optane-900p-280g].flush",
     "platform.libaio_submit devices.[optane-900p-280g].read_unit devices.[optane-900p-280g].units"},
    {"native psync r1", "", "platform.libaio_submit", "platform.psync_submit"},
    {"native io_uring r1", "", "platform.libaio_submit", "platform.io_uring_submit"},
    {"native w1", "", "devices.[optane-900p-280g].read_unit nodes.[0].cvm.memory",
     "devices.[optane-900p-280g].write_unit"},
    {"flash r1", "", "devices.[samsung-990pro-2tb].slc devices.[samsung-990pro-2tb].program",
     "devices.[samsung-990pro-2tb].page devices.[samsung-990pro-2tb].mdts"},
    {"flash w1", "devices.[samsung-990pro-2tb].slc=0 B",
     "devices.[samsung-990pro-2tb].slc_idle devices.[samsung-990pro-2tb].read_rate",
     "devices.[samsung-990pro-2tb].buffer devices.[samsung-990pro-2tb].post_slc_rate"},
    {"flash w1", "devices.[samsung-990pro-2tb].write_tail_weight=0",
     "devices.[samsung-990pro-2tb].write_tail_sigma", "devices.[samsung-990pro-2tb].slc"},
    {"flash sync", "", "devices.[samsung-990pro-2tb].read_cv",
     "devices.[samsung-990pro-2tb].flush devices.[samsung-990pro-2tb].queue_depth"},
    {"ideal r1", "", "devices.[ideal-100us].write_latency", "devices.[ideal-100us].servers"},
    {"nutanix r1", "", "platform.log_flush platform.log_flush_batch platform.drain_start "
     "platform.stargate_cpu_write platform.message_tcp nodes.[0].nic.speed platform.oplog_bypass",
     "platform.stargate_cpu_read platform.controller nodes.[0].cvm.memory platform.cache_granule"},
    {"nutanix w1", "", "platform.log_flush_batch platform.sustained_random platform.message_rdma "
     "platform.stargate_cpu_read platform.cache_hit platform.cache_single_share",
     "platform.log_flush platform.message_tcp nodes.[0].nic.hash nodes.[0].nic.mtu "
     "platform.oplog_bypass initial.settle"},
    {"nutanix w1", "nodes.[*].nic.bond=active-backup;nodes.[*].nic.transport=rdma",
     "nodes.[0].nic.hash nodes.[1].nic.flows platform.message_tcp",
     "nodes.[0].nic.bond platform.message_rdma"},
    {"nutanix w1", "nodes.[*].nic.links=1", "nodes.[0].nic.bond nodes.[0].nic.hash",
     "nodes.[0].nic.links"},
    {"nutanix w1", "nodes.[*].nic.bond=balance-slb", "nodes.[0].nic.hash", "nodes.[0].nic.bond"},
    {"nutanix w1", "nodes.[*].nic.flows=collide", "nodes.[0].nic.hash", "nodes.[0].nic.flows"},
    {"nutanix w1", "platform.log_flush=batched", "platform.cache_hit",
     "platform.log_flush_batch devices.[samsung-990pro-2tb].flush"},
    {"nutanix wb", "initial.prepared=false", "initial.settle platform.log_flush "
     "platform.oplog_episode", "platform.oplog_bypass platform.stargate_cpu_write"},
    {"nutanix again", "guests.[0].raid=raid0", "platform.drain_age",
     "platform.cache_hit guests.[0].chunk"},
};

static bool takes_part(const struct knob_table *t, const struct knob_scene *sc,
                       const struct hci_layout *lay)
{
    if (t->where == KNOB_PLATFORM)
        return t->kind == &lay->platform->k;
    if (t->where == KNOB_DISK && lay->nodes[0].ndisks < 2)
        return false;
    for (unsigned i = 0; i < lay->ndevices && t->where == KNOB_KIND; i++)
        if (strcmp(lay->devices[i].name, sc->device) == 0)
            return t->kind == &lay->devices[i].ops->k;
    return t->where != KNOB_KIND;
}

/* Another value of the row in file syntax; false where none is obvious. */
static bool another(const struct hci_param *row, const void *conf, char *text, size_t size)
{
    char copy[4096];
    uint64_t u;
    double d;
    if (row->type == HCI_TEXT || (row->type == HCI_COUNT && row->max == HCI_NODES_MAX))
        return false; /* a node or block must exist */
    memcpy(copy, conf, row->offset + 8);
    memcpy(&u, copy + row->offset, sizeof u);
    memcpy(&d, copy + row->offset, sizeof d);
    if (row->type == HCI_NUMBER) {
        d = 2 * d > row->max ? d / 2 : d > 0 ? 2 * d : row->max / 2;
        memcpy(copy + row->offset, &d, sizeof d);
    } else {
        if (row->type == HCI_BOOL)
            u = !u;
        else if (row->type == HCI_ENUM)
            u = row->names[u + 1] ? u + 1 : 0;
        else if (u == HCI_AUTO || u == 0)
            u = (uint64_t)(row->max < 1e6 ? row->max : 1e6);
        else
            u = 2 * (double)u > row->max ? u / 2 : 2 * u;
        memcpy(copy + row->offset, &u, sizeof u);
    }
    hci_param_format(row, copy, text, size);
    return true;
}

/* As the layout's list writes it: of the first entry. */
static const struct hci_given *given_by(const struct hci_layout *lay, const char *key,
                                        unsigned *index)
{
    char first[128];
    const char *star = strstr(key, "[*]");
    snprintf(first, sizeof first, star ? "%.*s[0]%s" : "%.*s", star ? (int)(star - key) : 128, key,
             star ? star + 3 : "");
    *index = 0;
    for (const struct hci_given *g = lay->given; g; g = g->next, ++*index)
        if (strcmp(g->key, first) == 0)
            return g;
    return NULL;
}

/* inert: NULL to state every row as it is; else the run in which every row was
 * stated, to change those that it calls inert. Returns how many. */
static unsigned state_rows(struct knob_sets *s, const struct knob_scene *sc,
                           const struct hci_layout *lay, const struct hci_result *inert)
{
    unsigned n = 0;
    for (const struct knob_table *t = knob_tables; t->name; t++)
        for (const struct hci_param *row = t->kind ? t->kind->params : t->rows;
             row->key && takes_part(t, sc, lay); row++) {
            char key[128], text[512];
            unsigned at;
            const void *conf = strcmp(t->name, "cvm") ? knob_conf(lay, t, sc->device) : lay->nodes;
            knob_key(t, sc, row->key, key, sizeof key);
            if (!another(row, conf, text, sizeof text))
                continue;
            if (!inert)
                hci_param_format(row, conf, text, sizeof text);
            else if (!given_by(lay, key, &at) || !inert->inert[at])
                continue;
            knob_add_set(s, key, text);
            n++;
        }
    return n;
}

static struct hci_result *run(const struct knob_scene *sc, const struct hci_layout *lay)
{
    struct hci_run_opts opts = {.seed = 1, .force = 1};
    struct hci_result *r;
    struct sim_err e = {0};
    int rc = hci_run(lay, simulate_jobs(sc->job), &opts, &r, &e);
    ck_assert_msg(rc == SIM_OK, "%s: %s", sc->name, e.text);
    return r;
}

static void expect_keys(const struct hci_layout *lay, const struct hci_result *r, const char *list,
                        bool inert)
{
    char key[128];
    unsigned at;
    for (; sscanf(list, " %127s", key) == 1; list += strcspn(list, " ")) {
        list += strspn(list, " ");
        ck_assert_msg(given_by(lay, key, &at) != NULL, "%s is not stated", key);
        ck_assert_msg((r->inert[at] != 0) == inert, "%s: %s", key,
                      inert ? "not called inert" : hci_inert_reason(r->inert[at]));
    }
}

START_TEST(what_a_run_calls_without_effect_can_change_without_a_trace)
{
    const struct knob_scene *sc = knob_scene_named(trials[_i].scene);
    struct knob_sets a = {0};
    knob_add_sets(&a, sc->sets);
    knob_add_sets(&a, trials[_i].more);
    struct hci_layout *plain = knob_load(sc, &a), *all, *other;
    struct knob_sets b = a;
    state_rows(&b, sc, plain, NULL);
    all = knob_load(sc, &b);
    struct hci_result *before = run(sc, all);
    ck_assert_uint_gt(state_rows(&b, sc, all, before), 5);
    other = knob_load(sc, &b);
    struct hci_result *after = run(sc, other);
    ck_assert_msg(before->hash == after->hash && before->events == after->events &&
                      before->sim_ns == after->sim_ns,
                  "%s: changing %s changed the run", sc->name, hci_inert_text(all, before));
    expect_keys(all, before, trials[_i].inert, true);
    expect_keys(all, before, trials[_i].live, false);
    hci_result_free(before);
    hci_result_free(after);
    hci_layout_free(plain);
    hci_layout_free(all);
    hci_layout_free(other);
}
END_TEST

START_TEST(a_value_is_without_effect_only_when_it_was_in_every_replication)
{
    unsigned char a[] = {1, 1, 0, 0}, b[] = {1, 0, 1, 0};
    struct hci_result into = {.reps = 1, .ngiven = 4, .inert = a};
    struct hci_result from = {.reps = 1, .ngiven = 4, .inert = b};
    hci_result_merge(&into, &from);
    ck_assert_mem_eq(into.inert, ((unsigned char[]){1, 0, 0, 0}), 4);
}
END_TEST

START_TEST(only_what_the_user_states_is_named_and_each_reason_once)
{
    struct hci_set sets[] = {{"devices.[optane-900p-280g].write_unit", "9 us"},
                             {"guests.[0].vcpus", "2"}};
    struct hci_layout *lay;
    struct sim_err e = {0};
    const struct knob_scene *sc = knob_scene_named("native r1");
    ck_assert_int_eq(hci_layout_load(&lay, sc->layout, sets, 2, &e), SIM_OK);
    struct hci_result *r = run(sc, lay);
    char *text = hci_inert_text(lay, r);
    ck_assert_str_eq(text, "initial.prepared, initial.settle, nodes.[0].cores, nodes.[0].memory, "
                           "guests.[0].vcpus (the native platform does not use it); "
                           "devices.[optane-900p-280g].write_unit (the drive was never written)");
    free(text);
    hci_result_free(r);
    hci_layout_free(lay);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, what_a_run_calls_without_effect_can_change_without_a_trace, 0,
                        sizeof trials / sizeof *trials);
    tcase_add_test(tc, a_value_is_without_effect_only_when_it_was_in_every_replication);
    tcase_add_test(tc, only_what_the_user_states_is_named_and_each_reason_once);
}

TEST_MAIN("meta.inert")
