/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_layout.h"

#include "hci_kind.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CATALOGUE_MAX 4096 /* products */

/* The directory above the one path lies in, by its text where that is safe. */
static void above(const char *path, char *buf, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(buf, size, "%.*s", slash ? (int)(slash - path) : 0, path);
    char *last = strrchr(buf, '/');
    const char *name = last ? last + 1 : buf;
    if (name[0] == 0 || name[0] == '.') /* "", ".", "..": not to be cut off */
        snprintf(buf, size, "%.*s..", slash ? (int)(slash - path) + 1 : 0, path);
    else if (last)
        *last = 0;
    else
        snprintf(buf, size, ".");
}

const char *hci_catalogue_dir(const char *layout_path, char *buf, size_t size)
{
    struct stat st;
    char probe[1100];
    const char *env = getenv("HCISIM_CONFIGS");
    if (env && *env) {
        snprintf(buf, size, "%s", env);
        return buf;
    }
    if (layout_path) {
        above(layout_path, buf, size);
        snprintf(probe, sizeof probe, "%s/devices", buf);
        if (stat(probe, &st) == 0 && S_ISDIR(st.st_mode))
            return buf;
    }
    snprintf(buf, size, "%s", HCI_CONFIG_DIR);
    return buf;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int hci_catalogue_list(const char *const **names, const char *dir, struct sim_arena *a,
                       struct sim_err *e)
{
    char *path = sim_arena_printf(a, "%s/devices", dir);
    DIR *d = opendir(path);
    if (!d)
        return sim_fail_at(e, SIM_E_INPUT, path, 0, "no device catalogue: %s", strerror(errno));
    const char **out = sim_arena_alloc(a, (CATALOGUE_MAX + 1) * sizeof *out);
    unsigned n = 0;
    for (struct dirent *f = readdir(d); f && n < CATALOGUE_MAX; f = readdir(d)) {
        size_t len = strlen(f->d_name);
        if (len > 4 && f->d_name[0] != '.' && strcmp(f->d_name + len - 4, ".cfg") == 0)
            out[n++] = sim_arena_printf(a, "%.*s", (int)len - 4, f->d_name);
    }
    closedir(d);
    qsort(out, n, sizeof *out, by_name);
    *names = out;
    return SIM_OK;
}

static int unknown_device(const char *dir, const char *name, const struct hci_cfg *at,
                          struct sim_arena *a, struct sim_err *e)
{
    const char *const *names;
    struct hci_nearest near;
    char hint[96];
    if (hci_catalogue_list(&names, dir, a, e) != SIM_OK)
        return SIM_E_INPUT;
    hci_nearest_begin(&near, name);
    for (; *names; names++)
        hci_nearest_offer(&near, *names);
    return sim_fail_at(e, SIM_E_INPUT, at ? at->file : NULL, at ? at->line : 0,
                       "unknown device \"%.60s\"%s", name, hci_nearest_hint(&near, hint, sizeof hint));
}

/* The settings of the product's file, an empty group when the overlay brings
 * a kind of its own. */
static int read_product(struct hci_cfg **out, const char *dir, const char *name,
                        const struct hci_cfg *overlay, const struct hci_cfg *at,
                        struct sim_arena *a, struct sim_err *e)
{
    struct stat st;
    char *path = sim_arena_printf(a, "%s/devices/%.100s.cfg", dir, name);
    int odd = strchr(name, '/') || name[0] == '.' || name[0] == 0 || strlen(name) > 100;
    if (!odd && stat(path, &st) == 0)
        return hci_config_read(out, a, path, NULL, e);
    if (!hci_cfg_get(overlay, "kind"))
        return unknown_device(dir, name, at, a, e);
    *out = hci_cfg_new(a, HCI_CFG_GROUP, NULL, overlay->file, overlay->line);
    return SIM_OK;
}

static int find_kind(struct hci_device_conf *out, const struct hci_cfg *g, const char *what,
                     struct sim_err *e)
{
    const struct hci_cfg *kind = hci_cfg_get(g, "kind");
    struct hci_nearest near;
    char hint[96];
    if (!kind || kind->type != HCI_CFG_STRING)
        return sim_fail_at(e, SIM_E_INPUT, g->file, kind ? kind->line : g->line,
                           "%s: kind is missing, write e.g. kind = \"flash\"", what);
    out->ops = hci_device_kind(kind->s);
    if (out->ops)
        return SIM_OK;
    hci_nearest_begin(&near, kind->s);
#define X(n) hci_nearest_offer(&near, #n);
    HCI_DEVICE_KINDS(X)
#undef X
    return sim_fail_at(e, SIM_E_INPUT, kind->file, kind->line, "%s: unknown device kind \"%.40s\"%s",
                       what, kind->s, hci_nearest_hint(&near, hint, sizeof hint));
}

int hci_catalogue_device(struct hci_device_conf *out, const char *dir, const char *name,
                         const struct hci_cfg *overlay, const struct hci_cfg *at,
                         struct sim_arena *a, struct sim_err *e)
{
    static const char *const extra[] = { "kind", "name", NULL };
    struct hci_cfg *g;
    int rc = read_product(&g, dir, name, overlay, at, a, e);
    if (rc != SIM_OK)
        return rc;
    out->file = g->file;
    if (overlay)
        hci_cfg_overlay(a, g, overlay);
    char *what = sim_arena_printf(a, "device %s", name);
    if (find_kind(out, g, what, e) != SIM_OK)
        return SIM_E_INPUT;
    const struct hci_kind *k = &out->ops->k;
    const struct hci_param *const tables[] = { hci_device_common_params, k->params, NULL };
    out->name = sim_arena_strdup(a, name);
    out->conf = sim_arena_alloc(a, k->conf_size);
    if (hci_param_check_keys(g, tables, extra, what, e) != SIM_OK ||
        hci_param_load(hci_device_common_params, g, what, &out->common, &out->common_prov, a, e) !=
            SIM_OK ||
        hci_param_load(k->params, g, what, out->conf, &out->prov, a, e) != SIM_OK)
        return SIM_E_INPUT;
    return SIM_OK;
}

int hci_catalogue_platform(struct hci_cfg **out, const char *dir, const char *name,
                           struct hci_config_file **files, struct sim_arena *a, struct sim_err *e)
{
    return hci_config_read(out, a, sim_arena_printf(a, "%s/platforms/%.100s.cfg", dir, name), files,
                           e);
}
