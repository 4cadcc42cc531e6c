/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_param.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const hci_confidence_names[] = { "not stated", "datasheet", "measured",
                                             "fitted",     "estimated", NULL };

unsigned hci_param_count(const struct hci_param *rows)
{
    unsigned n = 0;
    while (rows[n].key)
        n++;
    return n;
}

static int dimensioned(int type)
{
    return type == HCI_BYTES || type == HCI_TIME || type == HCI_RATE;
}

/* A parsed value before it goes into the conf struct. */
union scalar {
    uint64_t u;
    double d;
    const char *s;
};

struct place { /* for messages */
    const char *what;
    const struct hci_param *row;
    const struct hci_cfg *cfg;
    struct sim_err *err;
};

static int refuse(const struct place *p, const char *text)
{
    return sim_fail_at(p->err, SIM_E_INPUT, p->cfg->file, p->cfg->line, "%s: %s: %s", p->what,
                       p->row->key, text);
}

static int wrong_type(const struct place *p)
{
    static const char *const wanted[] = {
        [HCI_COUNT] = "a whole number",       [HCI_BYTES] = "a size such as \"4 KiB\"",
        [HCI_TIME] = "a time such as \"30 us\"", [HCI_RATE] = "a rate such as \"10 Gbit/s\"",
        [HCI_NUMBER] = "a number",            [HCI_BOOL] = "true or false",
        [HCI_ENUM] = "a name in quotes",      [HCI_TEXT] = "a text in quotes",
    };
    char text[200];
    int number = p->cfg->type == HCI_CFG_INT || p->cfg->type == HCI_CFG_FLOAT;
    snprintf(text, sizeof text, "expected %s, found %s%s", wanted[p->row->type],
             number && dimensioned((int)p->row->type) ? "a bare number without a unit"
                                                      : hci_cfg_type_name(p->cfg),
             p->row->type == HCI_COUNT && p->cfg->type == HCI_CFG_FLOAT ? " with a fraction" : "");
    return refuse(p, text);
}

static int unknown_name(const struct place *p)
{
    struct hci_nearest near;
    char hint[96], text[400], all[200] = "";
    hci_nearest_begin(&near, p->cfg->s);
    for (unsigned i = 0; p->row->names[i]; i++) {
        size_t n = strlen(all);
        hci_nearest_offer(&near, p->row->names[i]);
        snprintf(all + n, sizeof all - n, "%s%s", i ? ", " : "", p->row->names[i]);
    }
    snprintf(text, sizeof text, "unknown value \"%.40s\"%s (one of %s)", p->cfg->s,
             hci_nearest_hint(&near, hint, sizeof hint), all);
    return refuse(p, text);
}

static int parse_enum(const struct place *p, union scalar *v)
{
    for (unsigned i = 0; p->row->names[i]; i++)
        if (strcmp(p->row->names[i], p->cfg->s) == 0) {
            v->u = i;
            return SIM_OK;
        }
    return unknown_name(p);
}

static int parse_unit(const struct place *p, union scalar *v)
{
    char why[200];
    const struct hci_param *row = p->row;
    if (p->cfg->type != HCI_CFG_STRING)
        return wrong_type(p);
    if (row->def && strcmp(row->def, "auto") == 0 && strcmp(p->cfg->s, "auto") == 0) {
        v->u = HCI_AUTO;
        return SIM_OK;
    }
    if (hci_unit_parse((int)row->type, p->cfg->s, &v->u, why, sizeof why) != 0)
        return refuse(p, why);
    return SIM_OK;
}

static int parse_scalar(const struct place *p, union scalar *v)
{
    const struct hci_cfg *c = p->cfg;
    switch (p->row->type) {
    case HCI_COUNT:
        if (c->type != HCI_CFG_INT)
            return wrong_type(p);
        if (c->i < 0)
            return refuse(p, "must not be negative");
        v->u = (uint64_t)c->i;
        return SIM_OK;
    case HCI_NUMBER:
        if (c->type != HCI_CFG_INT && c->type != HCI_CFG_FLOAT)
            return wrong_type(p);
        v->d = c->type == HCI_CFG_INT ? (double)c->i : c->f;
        return isfinite(v->d) ? SIM_OK : refuse(p, "is not finite");
    case HCI_BOOL:
        v->u = (uint64_t)c->i;
        return c->type == HCI_CFG_BOOL ? SIM_OK : wrong_type(p);
    case HCI_ENUM:
        return c->type == HCI_CFG_STRING ? parse_enum(p, v) : wrong_type(p);
    case HCI_TEXT:
        v->s = c->s;
        return c->type == HCI_CFG_STRING ? SIM_OK : wrong_type(p);
    default:
        return parse_unit(p, v);
    }
}

static double as_double(int type, union scalar v)
{
    return type == HCI_NUMBER ? v.d : (double)v.u;
}

static int has_limits(const struct hci_param *row, union scalar v)
{
    if (row->type == HCI_TEXT || row->type == HCI_BOOL || row->type == HCI_ENUM)
        return 0;
    return row->type == HCI_NUMBER || v.u != HCI_AUTO;
}

static void format_limit(const struct hci_param *row, double limit, char *buf, size_t size)
{
    if (dimensioned((int)row->type))
        hci_unit_format((int)row->type, (uint64_t)limit, buf, size);
    else
        snprintf(buf, size, "%.15g", limit);
}

static int check_limits(const struct place *p, union scalar v)
{
    const struct hci_param *row = p->row;
    if (!has_limits(row, v))
        return SIM_OK;
    double d = as_double((int)row->type, v);
    if (d >= row->min && d <= row->max)
        return SIM_OK;
    char lo[48], hi[48], text[200];
    format_limit(row, row->min, lo, sizeof lo);
    format_limit(row, row->max, hi, sizeof hi);
    snprintf(text, sizeof text, "out of range (%s to %s)", lo, hi);
    return refuse(p, text);
}

static void store(const struct hci_param *row, union scalar v, void *conf, struct sim_arena *a)
{
    char *field = (char *)conf + row->offset;
    if (row->type == HCI_NUMBER)
        memcpy(field, &v.d, sizeof v.d);
    else if (row->type == HCI_TEXT)
        memcpy(field, &(char *){ sim_arena_strdup(a, v.s) }, sizeof(char *));
    else
        memcpy(field, &v.u, sizeof v.u);
}

/* A default is written as its value stands in a file, without quotes. */
static void default_cfg(const struct hci_param *row, struct hci_cfg *c)
{
    *c = (struct hci_cfg){ .type = HCI_CFG_STRING, .s = row->def, .file = "default" };
    if (row->type == HCI_COUNT) {
        c->type = HCI_CFG_INT;
        c->i = strtoll(row->def, NULL, 10);
    } else if (row->type == HCI_NUMBER) {
        c->type = HCI_CFG_FLOAT;
        c->f = strtod(row->def, NULL);
    } else if (row->type == HCI_BOOL) {
        c->type = HCI_CFG_BOOL;
        c->i = strcmp(row->def, "true") == 0;
    }
}

/* The fewest digits that read back as the same double, always with a point. */
static char *format_number(double d, char *buf, size_t size)
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(buf, size, "%.*g", digits, d);
        if (strtod(buf, NULL) == d)
            break;
    }
    size_t n = strlen(buf);
    if (!strpbrk(buf, ".e") && n + 3 < size)
        memcpy(buf + n, ".0", 3);
    return buf;
}

/* A bound of a range as it stands in a file, without quotes. */
static const char *literal(const struct hci_param *row, const struct hci_cfg *c,
                           struct sim_arena *a)
{
    char buf[48];
    if (c->type == HCI_CFG_STRING)
        return c->s;
    if (row->type == HCI_COUNT)
        return sim_arena_printf(a, "%lld", (long long)c->i);
    double d = c->type == HCI_CFG_INT ? (double)c->i : c->f;
    return sim_arena_strdup(a, format_number(d, buf, sizeof buf));
}

static int load_range(struct place p, union scalar v, const struct hci_cfg *range,
                      struct hci_prov *prov, struct sim_arena *a)
{
    union scalar lo, hi;
    if (range->type != HCI_CFG_LIST || range->n != 2)
        return refuse(&p, "range must be [low, high]");
    p.cfg = range->first;
    if (parse_scalar(&p, &lo) != SIM_OK)
        return SIM_E_INPUT;
    p.cfg = range->last;
    if (parse_scalar(&p, &hi) != SIM_OK)
        return SIM_E_INPUT;
    int t = (int)p.row->type;
    if (as_double(t, v) < as_double(t, lo) || as_double(t, v) > as_double(t, hi))
        return refuse(&p, "the value lies outside its own range");
    prov->low = literal(p.row, range->first, a);
    prov->high = literal(p.row, range->last, a);
    return SIM_OK;
}

static int load_source(struct place p, const struct hci_cfg *g, struct hci_prov *prov)
{
    static const char *const known[] = { "value", "source", "confidence", "range", NULL };
    const struct hci_cfg *source = hci_cfg_get(g, "source"), *conf = hci_cfg_get(g, "confidence");
    if (hci_param_check_keys(g, NULL, known, p.row->key, p.err) != SIM_OK)
        return SIM_E_INPUT;
    if (source && source->type != HCI_CFG_STRING)
        return refuse(&p, "source must be a text");
    if (source)
        prov->source = source->s;
    if (!conf)
        return SIM_OK;
    int i = HCI_CONF_DATASHEET;
    while (hci_confidence_names[i] && conf->type == HCI_CFG_STRING &&
           strcmp(hci_confidence_names[i], conf->s) != 0)
        i++;
    if (conf->type != HCI_CFG_STRING || !hci_confidence_names[i])
        return refuse(&p, "confidence must be datasheet, measured, fitted or estimated");
    prov->confidence = i;
    if (i == HCI_CONF_ESTIMATED && !hci_cfg_get(g, "range"))
        return refuse(&p, "an estimated value needs a range");
    return SIM_OK;
}

/* The value itself and, from a group, where it came from. */
static int load_value(struct place p, void *conf, struct hci_prov *prov, struct sim_arena *a)
{
    const struct hci_cfg *group = p.cfg->type == HCI_CFG_GROUP ? p.cfg : NULL;
    union scalar v;
    if (group && load_source(p, group, prov) != SIM_OK)
        return SIM_E_INPUT;
    if (group && !hci_cfg_get(group, "value"))
        return refuse(&p, "has no value");
    if (group)
        p.cfg = hci_cfg_get(group, "value");
    if (parse_scalar(&p, &v) != SIM_OK || check_limits(&p, v) != SIM_OK)
        return SIM_E_INPUT;
    store(p.row, v, conf, a);
    if (!group || !hci_cfg_get(group, "range"))
        return SIM_OK;
    return load_range(p, v, hci_cfg_get(group, "range"), prov, a);
}

int hci_param_load(const struct hci_param *rows, const struct hci_cfg *group, const char *what,
                   void *conf, const struct hci_prov **prov, struct sim_arena *a,
                   struct sim_err *e)
{
    struct hci_prov *out = sim_arena_alloc(a, (hci_param_count(rows) + 1) * sizeof *out);
    for (const struct hci_param *row = rows; row->key; row++) {
        struct hci_prov *pv = &out[row - rows];
        struct hci_cfg def, *c = hci_cfg_get(group, row->key);
        pv->source = "";
        if (c) {
            pv->file = c->file;
            pv->line = c->line;
        } else if (row->def) {
            default_cfg(row, &def);
            c = &def;
        } else {
            return sim_fail_at(e, SIM_E_INPUT, group ? group->file : NULL,
                               group ? group->line : 0, "%s: %s is missing (%s)", what, row->key,
                               row->doc);
        }
        if (load_value((struct place){ what, row, c, e }, conf, pv, a) != SIM_OK)
            return SIM_E_INPUT;
    }
    if (prov)
        *prov = out;
    return SIM_OK;
}

static int has_key(const char *key, const struct hci_param *const *tables,
                   const char *const *extra)
{
    for (; tables && *tables; tables++)
        for (const struct hci_param *row = *tables; row->key; row++)
            if (strcmp(row->key, key) == 0)
                return 1;
    for (; extra && *extra; extra++)
        if (strcmp(*extra, key) == 0)
            return 1;
    return 0;
}

static int unknown_key(const struct hci_cfg *k, const struct hci_param *const *tables,
                       const char *const *extra, const char *what, struct sim_err *e)
{
    struct hci_nearest near;
    char hint[96];
    hci_nearest_begin(&near, k->name);
    for (; tables && *tables; tables++)
        for (const struct hci_param *row = *tables; row->key; row++)
            hci_nearest_offer(&near, row->key);
    for (; extra && *extra; extra++)
        hci_nearest_offer(&near, *extra);
    return sim_fail_at(e, SIM_E_INPUT, k->file, k->line, "%s: unknown key %.60s%s", what, k->name,
                       hci_nearest_hint(&near, hint, sizeof hint));
}

int hci_param_check_keys(const struct hci_cfg *group, const struct hci_param *const *tables,
                         const char *const *extra, const char *what, struct sim_err *e)
{
    for (const struct hci_cfg *k = group ? group->first : NULL; k; k = k->next)
        if (!has_key(k->name, tables, extra))
            return unknown_key(k, tables, extra, what, e);
    return SIM_OK;
}

static char *quote(const char *s, char *buf, size_t size)
{
    size_t n = 0;
    buf[n++] = '"';
    for (; *s && n + 7 < size; s++) {
        unsigned char ch = (unsigned char)*s;
        if (ch < 0x20)
            n += (size_t)snprintf(buf + n, size - n, "\\x%02x", ch);
        else {
            if (ch == '"' || ch == '\\')
                buf[n++] = '\\';
            buf[n++] = *s;
        }
    }
    buf[n++] = '"';
    buf[n] = 0;
    return buf;
}

char *hci_param_format(const struct hci_param *row, const void *conf, char *buf, size_t size)
{
    const char *field = (const char *)conf + row->offset;
    char text[64];
    uint64_t u = 0;
    double d = 0;
    if (row->type == HCI_TEXT) {
        char *s;
        memcpy(&s, field, sizeof s);
        return quote(s, buf, size);
    }
    memcpy(row->type == HCI_NUMBER ? (void *)&d : (void *)&u, field, 8);
    if (row->type == HCI_NUMBER)
        return format_number(d, buf, size);
    if (row->type == HCI_COUNT)
        snprintf(buf, size, "%llu%s", (unsigned long long)u, u > INT32_MAX ? "L" : "");
    else if (row->type == HCI_BOOL)
        snprintf(buf, size, "%s", u ? "true" : "false");
    else if (row->type == HCI_ENUM)
        snprintf(buf, size, "\"%s\"", row->names[u]);
    else if (u == HCI_AUTO)
        snprintf(buf, size, "\"auto\"");
    else
        snprintf(buf, size, "\"%s\"", hci_unit_format((int)row->type, u, text, sizeof text));
    return buf;
}
