/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * No dead knobs: every numeric parameter of every table is doubled (halved where
 * it cannot be doubled) on a layout that exercises it, and the output its row
 * names moves in the direction its row states.
 */
#include "knobs_sets.h"

#include <math.h>

/* ---- reading outputs ---- */

static void each_state(const struct hci_job_result *j, const char *what, double *sum)
{
    for (unsigned i = 0; i < j->ncounters; i++)
        *sum += strstr(j->counters[i].name, what) ? j->counters[i].value : 0;
}

static double of_check(const struct hci_check *c, const char *what)
{
    double log = 0;
    for (unsigned i = 0; i < c->ndisks; i++)
        log += (double)c->disks[i].log_bytes;
    return strcmp(what, "log") == 0      ? log
           : strcmp(what, "usable") == 0 ? (double)c->usable_bytes
           : strcmp(what, "cache") == 0  ? (double)c->cache_bytes_per_node
                                         : (double)c->nfindings;
}

/* "lat", "p99.9", "iops", ... of one direction. */
static double of_dir(const struct hci_dir_result *d, const char *what)
{
    if (strcmp(what, "iops") == 0)
        return d->iops;
    if (strcmp(what, "bw") == 0)
        return d->bw_Bps;
    if (strcmp(what, "slat") == 0)
        return (double)d->slat_m.sum / (double)d->slat_m.n;
    if (strcmp(what, "clat") == 0)
        return (double)d->clat_m.sum / (double)d->clat_m.n;
    if (what[0] == 'p')
        return sim_stat_percentile(&d->lat, strtod(what + 1, NULL));
    ck_assert_str_eq(what, "lat");
    return (double)d->lat_m.sum / (double)d->lat_m.n;
}

static double of_job(const struct hci_job_result *j, const char *what)
{
    static const char *const dirs[] = {"read.", "write.", "trim.", "sync."};
    double sum = 0;
    for (unsigned d = 0; d < HCI_DIRS; d++)
        if (strncmp(what, dirs[d], strlen(dirs[d])) == 0) {
            ck_assert_uint_gt(j->dir[d].ios, 0);
            return of_dir(&j->dir[d], what + strlen(dirs[d]));
        }
    if (strcmp(what, "bypassed") == 0)
        each_state(j, "written past", &sum);
    else if (strcmp(what, "drained") == 0)
        each_state(j, "OpLog drained", &sum);
    else if (strcmp(what, "hits") == 0)
        each_state(j, "Cache hits", &sum);
    else
        sum = of_dir(&j->dir[j->dir[HCI_DIR_READ].ios ? HCI_DIR_READ : HCI_DIR_WRITE], what);
    return sum;
}

static bool is_static(const char *what)
{
    return strcmp(what, "log") == 0 || strcmp(what, "usable") == 0 || strcmp(what, "cache") == 0 ||
           strcmp(what, "findings") == 0;
}

/* ---- one layout, one output ---- */

static double measure(const struct knob_scene *sc, const struct knob_sets *s, const char *what)
{
    struct sim_err e = {0};
    double v;
    if (is_static(what)) {
        struct hci_check c;
        struct hci_layout *lay = knob_load(sc, s);
        ck_assert_int_eq(hci_layout_check(lay, &c, &e), SIM_OK);
        v = of_check(&c, what);
        hci_check_free(&c);
        hci_layout_free(lay);
        return v;
    }
    struct hci_run_opts opts = {.seed = 1, .force = 1};
    struct hci_result *r = simulate_sets(sc->layout, s->set, s->n, sc->job, &opts, SIM_OK, &e);
    v = of_job(&r->jobs[r->njobs - 1], what);
    hci_result_free(r);
    return v;
}

/* ---- doubling ---- */

/* Twice the value in file syntax; half of it where twice is out of range. */
static bool doubled(const struct hci_param *row, const void *conf, char *text, size_t size)
{
    char copy[4096];
    memcpy(copy, conf, row->offset + 8);
    bool twice;
    if (row->type == HCI_NUMBER) {
        double v;
        memcpy(&v, copy + row->offset, sizeof v);
        twice = 2 * v <= row->max;
        v = twice ? 2 * v : v / 2;
        ck_assert_msg(v != 0, "%s is 0: doubling says nothing", row->key);
        memcpy(copy + row->offset, &v, sizeof v);
    } else {
        uint64_t v;
        memcpy(&v, copy + row->offset, sizeof v);
        twice = (double)v * 2 <= row->max;
        v = twice ? 2 * v : v / 2;
        ck_assert_msg(v != 0 && v != HCI_AUTO, "%s is %llu: doubling says nothing", row->key,
                      (unsigned long long)v);
        memcpy(copy + row->offset, &v, sizeof v);
    }
    hci_param_format(row, copy, text, size);
    return twice;
}

static const struct knob *knob_of(const struct knob_table *t, const char *key)
{
    for (const struct knob *k = knobs; k->table; k++)
        if (strcmp(k->table, t->name) == 0 && strcmp(k->key, key) == 0)
            return k;
    return NULL;
}

/* Adds a line to report when the output does not move as it should. */
static void try_knob(const struct knob_table *t, const struct hci_param *row, const struct knob *k,
                     char *report, size_t size)
{
    const struct knob_scene *sc = knob_scene_named(k->scene);
    struct knob_sets a = {0};
    char key[128], text[128], what[32];
    size_t n = strlen(row->effect) - 1;
    snprintf(what, sizeof what, "%.*s", (int)n, row->effect);
    knob_add_sets(&a, sc->sets);
    knob_key(t, sc, row->key, key, sizeof key);
    if (k->base)
        knob_add_set(&a, key, k->base);
    knob_add_sets(&a, k->more);
    struct hci_layout *lay = knob_load(sc, &a);
    bool twice = doubled(row, knob_conf(lay, t, sc->device), text, sizeof text);
    hci_layout_free(lay);
    struct knob_sets b = {0};
    knob_add_sets(&b, sc->sets);
    if (k->base)
        knob_add_set(&b, key, k->base);
    knob_add_sets(&b, k->more);
    knob_add_set(&b, k->only ? k->only : key, text);
    double before = measure(sc, &a, what), after = measure(sc, &b, what);
    bool up = (row->effect[n] == '+') == twice;
    size_t used = strlen(report);
    if (up ? after <= before : after >= before)
        snprintf(report + used, size - used,
                 "\n%s %s %s to %s in scene %s: %s should %s, went from %.9g to %.9g", t->name,
                 row->key, twice ? "doubled" : "halved", text, sc->name, what, up ? "rise" : "fall",
                 before, after);
}

static bool is_numeric(const struct hci_param *row)
{
    return row->type == HCI_COUNT || row->type == HCI_BYTES || row->type == HCI_TIME ||
           row->type == HCI_RATE || row->type == HCI_NUMBER;
}

static void try_table(const struct knob_table *t)
{
    char report[8192] = "";
    for (const struct hci_param *row = t->kind ? t->kind->params : t->rows; row->key; row++) {
        const struct knob *k = knob_of(t, row->key);
        if (!is_numeric(row))
            continue;
        ck_assert_msg(k != NULL, "%s: nobody tries %s", t->name, row->key);
        if (k->exempt)
            continue;
        ck_assert_msg(row->effect != NULL, "%s: %s names no output that it moves", t->name,
                      row->key);
        try_knob(t, row, k, report, sizeof report);
    }
    ck_assert_msg(report[0] == '\0', "%s", report);
}

START_TEST(every_numeric_parameter_moves_the_output_its_row_names)
{
    try_table(&knob_tables[_i]);
}
END_TEST

START_TEST(at_most_five_parameters_are_exempt_and_each_says_why)
{
    unsigned n = 0;
    for (const struct knob *k = knobs; k->table; k++)
        n += k->exempt != NULL && strlen(k->exempt) > 20;
    ck_assert_uint_le(n, 5);
    for (const struct knob *k = knobs; k->table; k++)
        ck_assert_msg((k->exempt != NULL) != (k->scene != NULL), "%s %s", k->table, k->key);
}
END_TEST

START_TEST(every_kind_and_every_shared_table_is_tried)
{
    const struct hci_param *all[32];
    unsigned n = 0, tables = 0;
#define X(name) all[n++] = hci_device_##name.k.params;
    HCI_DEVICE_KINDS(X)
#undef X
#define X(name) all[n++] = hci_platform_##name.k.params;
    HCI_PLATFORMS(X)
#undef X
    for (tables = 0; knob_tables[tables].name; tables++)
        continue;
    for (unsigned i = 0; i < n; i++) {
        bool found = false;
        for (unsigned k = 0; k < tables; k++)
            found |= knob_tables[k].kind && knob_tables[k].kind->params == all[i];
        ck_assert_msg(found, "the parameters of kind number %u are not tried", i);
    }
    ck_assert_uint_ge(tables, n + 7);
}
END_TEST

static void add_tests(TCase *tc)
{
    int tables = 0;
    while (knob_tables[tables].name)
        tables++;
    tcase_add_loop_test(tc, every_numeric_parameter_moves_the_output_its_row_names, 0, tables);
    tcase_add_test(tc, at_most_five_parameters_are_exempt_and_each_says_why);
    tcase_add_test(tc, every_kind_and_every_shared_table_is_tried);
}

TEST_MAIN("meta.knobs")
