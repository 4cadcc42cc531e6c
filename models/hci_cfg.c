/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_config.h"

#include <stdlib.h>
#include <string.h>

struct hci_cfg *hci_cfg_new(struct sim_arena *a, int type, const char *name, const char *file,
                            int line)
{
    struct hci_cfg *c = sim_arena_alloc(a, sizeof *c);
    c->type = type;
    c->name = name ? sim_arena_strdup(a, name) : NULL;
    c->file = file;
    c->line = line;
    return c;
}

void hci_cfg_append(struct hci_cfg *parent, struct hci_cfg *child)
{
    child->next = NULL;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->n++;
}

struct hci_cfg *hci_cfg_copy(struct sim_arena *a, const struct hci_cfg *c)
{
    struct hci_cfg *d = sim_arena_alloc(a, sizeof *d);
    *d = *c;
    d->first = d->last = d->next = NULL;
    d->n = 0;
    for (const struct hci_cfg *k = c->first; k; k = k->next)
        hci_cfg_append(d, hci_cfg_copy(a, k));
    return d;
}

struct hci_cfg *hci_cfg_get(const struct hci_cfg *c, const char *name)
{
    if (!c || c->type != HCI_CFG_GROUP)
        return NULL;
    for (struct hci_cfg *k = c->first; k; k = k->next)
        if (k->name && strcmp(k->name, name) == 0)
            return k;
    return NULL;
}

const char *hci_cfg_type_name(const struct hci_cfg *c)
{
    static const char *const names[] = {
        [HCI_CFG_GROUP] = "a group",   [HCI_CFG_LIST] = "a list",
        [HCI_CFG_INT] = "a number",    [HCI_CFG_FLOAT] = "a number",
        [HCI_CFG_BOOL] = "true/false", [HCI_CFG_STRING] = "a string",
    };
    return names[c->type];
}

/* Makes old say what value says, keeping its name and its place. */
static void replace(struct sim_arena *a, struct hci_cfg *old, const struct hci_cfg *value)
{
    struct hci_cfg *copy = hci_cfg_copy(a, value);
    copy->name = old->name;
    copy->next = old->next;
    *old = *copy;
}

void hci_cfg_overlay(struct sim_arena *a, struct hci_cfg *base, const struct hci_cfg *top)
{
    for (const struct hci_cfg *k = top->first; k; k = k->next) {
        struct hci_cfg *old = hci_cfg_get(base, k->name);
        if (old)
            replace(a, old, k);
        else
            hci_cfg_append(base, hci_cfg_copy(a, k));
    }
}

/* One step of a path: "name" or "[...]". Returns its length, 0 if malformed. */
static size_t step_length(const char *p)
{
    if (*p != '[')
        return strcspn(p, ".[");
    const char *end = strchr(p, ']');
    return end && end > p + 1 ? (size_t)(end - p) + 1 : 0;
}

static const char *label(const struct hci_cfg *c)
{
    const struct hci_cfg *l = hci_cfg_get(c, "name");
    return l && l->type == HCI_CFG_STRING ? l->s : "";
}

/* Whether list element number i is meant by the index text. */
static int selects(const char *index, const struct hci_cfg *c, unsigned i)
{
    char *end;
    if (strcmp(index, "*") == 0)
        return 1;
    unsigned long k = strtoul(index, &end, 10);
    if (*end == 0 && *index >= '0' && *index <= '9')
        return k == i;
    return strcmp(index, label(c)) == 0;
}

struct setting { /* what hci_cfg_set carries down the path */
    struct sim_arena *arena;
    const struct hci_cfg *value;
    const char *path;
    struct sim_err *err;
};

static int descend(const struct setting *s, struct hci_cfg *at, const char *rest);

static int descend_list(const struct setting *s, struct hci_cfg *at, const char *index,
                        const char *rest)
{
    unsigned i = 0, hits = 0;
    if (at->type != HCI_CFG_LIST)
        return sim_fail_at(s->err, SIM_E_INPUT, "--set", 0, "%s: [%s] follows %s, not a list",
                           s->path, index, hci_cfg_type_name(at));
    for (struct hci_cfg *k = at->first; k; k = k->next, i++) {
        if (!selects(index, k, i))
            continue;
        hits++;
        int rc = descend(s, k, rest);
        if (rc != SIM_OK)
            return rc;
    }
    if (hits)
        return SIM_OK;
    bool name = index[strspn(index, "0123456789*+-")] != 0;
    if (name && at->first && !*label(at->first))
        return sim_fail_at(s->err, SIM_E_INPUT, "--set", 0,
                           "%s: the list has no names, write [0] to [%u] or [*], not [%s]",
                           s->path, at->n - 1, index);
    if (name) { /* a new element */
        struct hci_cfg *n = hci_cfg_new(s->arena, HCI_CFG_GROUP, NULL, "--set", 0);
        struct hci_cfg *l = hci_cfg_new(s->arena, HCI_CFG_STRING, "name", "--set", 0);
        l->s = sim_arena_strdup(s->arena, index);
        hci_cfg_append(n, l);
        hci_cfg_append(at, n);
        return descend(s, n, rest);
    }
    return sim_fail_at(s->err, SIM_E_INPUT, "--set", 0,
                       "%s: [%s] is out of range, the list has %u element%s", s->path, index,
                       at->n, at->n == 1 ? "" : "s");
}

static int descend_group(const struct setting *s, struct hci_cfg *at, const char *name,
                         const char *rest)
{
    if (at->type != HCI_CFG_GROUP)
        return sim_fail_at(s->err, SIM_E_INPUT, "--set", 0, "%s: %s is looked for in %s", s->path,
                           name, hci_cfg_type_name(at));
    struct hci_cfg *k = hci_cfg_get(at, name);
    if (!k) {
        int type = *rest == '[' || (*rest == '.' && rest[1] == '[') ? HCI_CFG_LIST : HCI_CFG_GROUP;
        k = hci_cfg_new(s->arena, type, name, "--set", 0);
        hci_cfg_append(at, k);
    }
    return descend(s, k, rest);
}

static int descend(const struct setting *s, struct hci_cfg *at, const char *rest)
{
    if (*rest == 0) {
        replace(s->arena, at, s->value);
        return SIM_OK;
    }
    rest += *rest == '.';
    size_t n = step_length(rest);
    if (n == 0)
        return sim_fail_at(s->err, SIM_E_INPUT, "--set", 0,
                           "%s: not a path, write e.g. nodes.[0].nic.mtu", s->path);
    char *step = sim_arena_printf(s->arena, "%.*s", (int)n, rest);
    if (*step == '[') {
        step[n - 1] = 0;
        return descend_list(s, at, step + 1, rest + n);
    }
    return descend_group(s, at, step, rest + n);
}

int hci_cfg_set(struct sim_arena *a, struct hci_cfg *root, const char *path,
                const struct hci_cfg *value, struct sim_err *e)
{
    struct setting s = { a, value, path, e };
    if (*path == 0 || *path == '.' || strlen(path) > 512)
        return sim_fail_at(e, SIM_E_INPUT, "--set", 0, "%.60s: not a path", path);
    return descend(&s, root, path);
}
