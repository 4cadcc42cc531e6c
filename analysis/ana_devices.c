/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_devices.h"

#include "ana_cli.h"
#include "hci_cluster.h"
#include "hci_explain.h"
#include "sim_mem.h"

#include <stdlib.h>
#include <string.h>

enum key { KEY_CURVE = 256, KEY_JSON };

struct input {
    const char *name;
    int curve, json;
    struct sim_err *err;
};

static const struct argp_option options[] = {
    {"curve", KEY_CURVE, NULL, 0,
     "simulate the drive's queue-depth curve, and every published point beside it", 0},
    {"json", KEY_JSON, NULL, 0, "print JSON instead of text", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    int rc = SIM_OK;
    switch (key) {
    case KEY_CURVE:
        in->curve = 1;
        break;
    case KEY_JSON:
        in->json = 1;
        break;
    case ARGP_KEY_ARG:
        if (in->name)
            rc = sim_fail(in->err, SIM_E_INPUT, "devices takes one name, '%.100s' is one too many",
                          arg);
        in->name = arg;
        break;
    case ARGP_KEY_END:
        if (in->curve && !in->name)
            rc = sim_fail(in->err, SIM_E_INPUT, "--curve needs the name of a device");
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return rc == SIM_OK ? 0 : EINVAL;
}

/* ---- formulas ---- */

/* What of the station's name follows the drive's: "units", "pipe". */
static const char *short_name(struct sim_arena *a, const struct sim_bound *b)
{
    const char *last = strrchr(b->name, ' ');
    return sim_arena_strdup(a, last ? last + 1 : b->name);
}

static int formula(const struct hci_layout *lay, uint8_t op, struct sim_arena *a, double *us,
                   double *per_s, const char **by, struct sim_err *e)
{
    const struct hci_question q = {
        .op = op, .random = true, .bytes = 4096, .engine = HCI_HOST_SPDK};
    struct hci_explained *x;
    int rc = hci_explain(&x, lay, &q, e);
    if (rc != SIM_OK)
        return rc;
    const struct hci_path *p = &x->paths[0];
    *us = p->path_ns * 1e-3;
    *per_s = p->nbounds ? p->bounds[0].per_s : 0;
    *by = p->nbounds ? short_name(a, &p->bounds[0]) : "";
    hci_explained_free(x);
    return SIM_OK;
}

static int fill(struct ana_drive *d, const char *name, const char *dir, struct sim_arena *a,
                struct sim_err *e)
{
    struct hci_layout *lay;
    char path[1100];
    const struct hci_set set = {"device", name};
    snprintf(path, sizeof path, "%s/layouts/one-device.cfg", dir);
    int rc = hci_catalogue_device(&d->conf, dir, name, NULL, NULL, a, e);
    if (rc == SIM_OK)
        rc = hci_layout_load(&lay, path, &set, 1, e);
    if (rc != SIM_OK)
        return rc;
    rc = formula(lay, HCI_READ, a, &d->read_us, &d->read_per_s, &d->read_by, e);
    if (rc == SIM_OK)
        rc = formula(lay, HCI_WRITE, a, &d->write_us, &d->write_per_s, &d->write_by, e);
    hci_layout_free(lay);
    return rc;
}

/* ---- curves ---- */

static int sweep(struct ana_simulated *out, const char *name, const char *rw, const char *dir,
                 struct sim_err *e)
{
    struct ana_point p = {.bytes = 4096, .depth = 1, .jobs = 1, .engine = "spdk"};
    snprintf(p.device, sizeof p.device, "%s", name);
    snprintf(p.rw, sizeof p.rw, "%s", rw);
    for (unsigned i = 0; i < ANA_DEPTHS; i++, p.depth *= 2) {
        int rc = ana_curve_simulate(&p, dir, &out[i], e);
        if (rc != SIM_OK)
            return rc;
    }
    return SIM_OK;
}

/* The published points of this drive, moved to the front. */
static int published(struct ana_curves *c, const char *name, const char *dir, struct sim_err *e)
{
    unsigned n;
    int rc = ana_curve_read(&c->points, &n, dir, e);
    for (unsigned i = 0; rc == SIM_OK && i < n; i++)
        if (strcmp(c->points[i].device, name) == 0)
            c->points[c->npoints++] = c->points[i];
    c->simulated = calloc(c->npoints + 1, sizeof *c->simulated);
    if (!c->simulated)
        return sim_fail(e, SIM_E_IO, "out of memory");
    for (unsigned i = 0; rc == SIM_OK && i < c->npoints; i++)
        rc = ana_curve_simulate(&c->points[i], dir, &c->simulated[i], e);
    return rc;
}

static int simulate(struct ana_curves *c, const char *name, const char *dir, struct sim_err *e)
{
    int rc = sweep(c->read, name, "randread", dir, e);
    if (rc == SIM_OK)
        rc = sweep(c->write, name, "randwrite", dir, e);
    return rc == SIM_OK ? published(c, name, dir, e) : rc;
}

/* ---- the verb ---- */

static void print(const struct input *in, const struct ana_drive *d, unsigned n,
                  const struct ana_curves *c)
{
    if (in->json) {
        ana_devices_json(stdout, d, n, c);
        return;
    }
    ana_devices_table(stdout, d, n);
    if (in->name && !in->curve)
        ana_devices_detail(stdout, d);
    if (c)
        ana_devices_curves(stdout, c);
}

static int devices(const struct input *in, struct sim_arena *a, struct sim_err *e)
{
    char dir[1024];
    const char *one[] = {in->name, NULL}, *const *names = one;
    struct ana_curves curves = {.npoints = 0};
    unsigned n = 0;
    hci_catalogue_dir(NULL, dir, sizeof dir);
    int rc = in->name ? SIM_OK : hci_catalogue_list(&names, dir, a, e);
    if (rc != SIM_OK)
        return rc;
    while (names[n])
        n++;
    struct ana_drive *d = sim_arena_array(a, n + 1, sizeof *d);
    for (unsigned i = 0; rc == SIM_OK && i < n; i++)
        rc = fill(&d[i], names[i], dir, a, e);
    if (rc == SIM_OK && in->curve)
        rc = simulate(&curves, in->name, dir, e);
    if (rc == SIM_OK)
        print(in, d, n, in->curve ? &curves : NULL);
    free(curves.points);
    free(curves.simulated);
    return rc;
}

int ana_devices_main(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "[NAME]",
        "Lists the drives of the catalogue with what the device model says of them: latency at "
        "depth 1 and the caps, 4 KiB random, the drive alone. NAME shows one drive's numbers and "
        "where each comes from.\v"
        "The catalogue is the directory devices/ of $HCISIM_CONFIGS, else of the configuration "
        "that came with the program.",
        NULL,
        NULL,
        NULL};
    struct sim_err e = {0};
    struct input in = {.err = &e};
    int rc = ana_parse(&argp, argc, argv, &in, &e);
    if (rc != SIM_OK)
        return ana_err_print(stderr, &e);
    struct sim_arena *a = sim_arena_create(64 * 1024);
    rc = devices(&in, a, &e);
    sim_arena_free(a);
    return rc != SIM_OK ? ana_err_print(stderr, &e) : rc;
}
