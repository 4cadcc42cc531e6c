/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_calibrate_key.c: a parameter of a layout by its key, as a number.
 */
#include "ana_calibrate.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct hci_cfg *element(const struct hci_cfg *list, const char *index)
{
    char *end;
    unsigned long at = strtoul(index, &end, 10);
    const struct hci_cfg *c = list && list->type == HCI_CFG_LIST ? list->first : NULL;
    if (strcmp(index, "*") == 0)
        return c;
    if (isdigit((unsigned char)*index) && !*end) {
        while (c && at-- > 0)
            c = c->next;
        return c;
    }
    for (; c; c = c->next) {
        const struct hci_cfg *name = hci_cfg_get(c, "name");
        if (name && name->type == HCI_CFG_STRING && strcmp(name->s, index) == 0)
            return c;
    }
    return NULL;
}

/* The node at a path; NULL, and what stands at its last existing group in *at. */
static const struct hci_cfg *find(const struct hci_cfg *root, const char *path,
                                  const struct hci_cfg **at, char word[128])
{
    const struct hci_cfg *c = root;
    while (c && *path) {
        bool index = *path == '[';
        size_t n = index ? strcspn(++path, "]") : strcspn(path, ".[");
        snprintf(word, 128, "%.*s", (int)(n < 127 ? n : 127), path);
        *at = c;
        c = index ? element(c, word) : hci_cfg_get(c, word);
        path += n + (index && path[n] == ']');
        path += *path == '.';
    }
    return c;
}

static int not_found(const char *key, const struct hci_cfg *at, const char *word, struct sim_err *e)
{
    struct hci_nearest near;
    char hint[160];
    hci_nearest_begin(&near, word);
    for (const struct hci_cfg *c = at ? at->first : NULL; c; c = c->next) {
        const struct hci_cfg *name = hci_cfg_get(c, "name");
        if (c->name)
            hci_nearest_offer(&near, c->name);
        else if (name && name->type == HCI_CFG_STRING)
            hci_nearest_offer(&near, name->s);
    }
    return sim_fail(e, SIM_E_INPUT, "--fit %s: no '%s' in the effective layout%s", key, word,
                    hci_nearest_hint(&near, hint, sizeof hint));
}

static int parse_value(int type, const char *text, double *out, char why[200])
{
    uint64_t v;
    char *end;
    if (type == HCI_TIME || type == HCI_BYTES || type == HCI_RATE) {
        if (hci_unit_parse(type, text, &v, why, 200) != 0)
            return -1;
        *out = (double)v;
        return 0;
    }
    *out = strtod(text, &end);
    snprintf(why, 200, "is no number");
    return end == text || *end || !isfinite(*out) ? -1 : 0;
}

/* What kind of number stands there. */
static int read_node(struct ana_knob *k, const struct hci_cfg *c, double *out)
{
    static const int dimensioned[] = {HCI_TIME, HCI_BYTES, HCI_RATE};
    const struct hci_cfg *v = c->type == HCI_CFG_GROUP ? hci_cfg_get(c, "value") : c;
    char why[200];
    if (v && v->type == HCI_CFG_INT) {
        k->type = HCI_COUNT;
        *out = (double)v->i;
        return 0;
    }
    if (v && v->type == HCI_CFG_FLOAT) {
        k->type = HCI_NUMBER;
        *out = v->f;
        return 0;
    }
    for (int i = 0; v && v->type == HCI_CFG_STRING && i < 3; i++) {
        k->type = dimensioned[i];
        if (parse_value(k->type, v->s, out, why) == 0)
            return 0;
    }
    return -1;
}

static int bounds(const struct ana_knob *k, struct ana_fit_param *p, struct sim_err *e)
{
    char why[200];
    p->min = p->start / 10;
    p->max = p->start * 10;
    if (k->min && parse_value(k->type, k->min, &p->min, why) != 0)
        return sim_fail(e, SIM_E_INPUT, "--fit %s: lower bound '%.100s' %s", k->key, k->min, why);
    if (k->max && parse_value(k->type, k->max, &p->max, why) != 0)
        return sim_fail(e, SIM_E_INPUT, "--fit %s: upper bound '%.100s' %s", k->key, k->max, why);
    if (k->min && !(p->min > 0))
        return sim_fail(e, SIM_E_INPUT, "--fit %s: the lower bound must be above 0", k->key);
    if (!(p->start > 0) && k->min && k->max)
        p->start = sqrt(p->min * p->max);
    if (!(p->start > 0))
        return sim_fail(e, SIM_E_INPUT, "--fit %s: it is 0 now, so it needs bounds: %s:MIN:MAX",
                        k->key, k->key);
    if (!(p->max > p->min))
        return sim_fail(e, SIM_E_INPUT, "--fit %s: the bounds are empty", k->key);
    p->start = fmin(fmax(p->start, p->min), p->max);
    return SIM_OK;
}

int ana_knob_read(struct ana_knob *k, struct ana_fit_param *p, const struct hci_layout *lay,
                  struct sim_err *e)
{
    struct hci_cfg *root;
    const struct hci_cfg *at = NULL;
    const char *path = k->key;
    char word[128] = "";
    struct sim_arena *a = sim_arena_create(1 << 16);
    if (!a)
        return sim_fail(e, SIM_E_IO, "not enough memory");
    for (unsigned i = 0; i < lay->naliases; i++)
        if (strcmp(lay->aliases[i].name, k->key) == 0)
            path = lay->aliases[i].path;
    int rc = hci_config_parse(&root, a, lay->text, lay->path, e);
    const struct hci_cfg *c = rc == SIM_OK ? find(root, path, &at, word) : NULL;
    if (rc == SIM_OK && !c)
        rc = not_found(k->key, at, word, e);
    else if (rc == SIM_OK && read_node(k, c, &p->start) != 0)
        rc = sim_fail(e, SIM_E_INPUT, "--fit %s: not a number, nothing to fit", k->key);
    sim_arena_free(a);
    return rc == SIM_OK ? bounds(k, p, e) : rc;
}

char *ana_knob_text(const struct ana_knob *k, double value, char buf[ANA_VALUE_LEN])
{
    if (k->type == HCI_TIME || k->type == HCI_BYTES || k->type == HCI_RATE)
        return hci_unit_format(k->type, (uint64_t)llround(value), buf, ANA_VALUE_LEN);
    if (k->type == HCI_COUNT)
        snprintf(buf, ANA_VALUE_LEN, "%lld", llround(value));
    else
        snprintf(buf, ANA_VALUE_LEN, "%.6f", value);
    return buf;
}
