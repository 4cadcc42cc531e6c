/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_config.h"

#include "hci_config_text.h"

#include <ctype.h>
#include <libconfig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void directory_of(const char *path, char *out, size_t size)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        snprintf(out, size, ".");
    else
        snprintf(out, size, "%.*s", (int)(slash == path ? 1 : slash - path), path);
}

static struct hci_cfg *convert(struct sim_arena *a, const config_setting_t *s,
                               const struct hci_config_text *t)
{
    static const int types[] = {
        [CONFIG_TYPE_NONE] = HCI_CFG_GROUP,   [CONFIG_TYPE_GROUP] = HCI_CFG_GROUP,
        [CONFIG_TYPE_INT] = HCI_CFG_INT,      [CONFIG_TYPE_INT64] = HCI_CFG_INT,
        [CONFIG_TYPE_FLOAT] = HCI_CFG_FLOAT,  [CONFIG_TYPE_STRING] = HCI_CFG_STRING,
        [CONFIG_TYPE_BOOL] = HCI_CFG_BOOL,    [CONFIG_TYPE_ARRAY] = HCI_CFG_LIST,
        [CONFIG_TYPE_LIST] = HCI_CFG_LIST,
    };
    struct hci_config_line at = hci_config_text_line(t, (int)config_setting_source_line(s));
    struct hci_cfg *c = hci_cfg_new(a, types[config_setting_type(s)], config_setting_name(s),
                                    at.file, at.line);
    switch (config_setting_type(s)) {
    case CONFIG_TYPE_INT: c->i = config_setting_get_int(s); break;
    case CONFIG_TYPE_INT64: c->i = config_setting_get_int64(s); break;
    case CONFIG_TYPE_BOOL: c->i = config_setting_get_bool(s); break;
    case CONFIG_TYPE_FLOAT: c->f = config_setting_get_float(s); break;
    case CONFIG_TYPE_STRING: c->s = sim_arena_strdup(a, config_setting_get_string(s)); break;
    default:
        for (int i = 0; i < config_setting_length(s); i++)
            hci_cfg_append(c, convert(a, config_setting_get_elem(s, (unsigned)i), t));
    }
    return c;
}

/* What stands on a line, trimmed, for "syntax error near". */
static void quote_line(const char *text, int line, char *out, size_t size)
{
    for (int i = 1; i < line && text; i++) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    size_t n = 0;
    if (text)
        text += strspn(text, " \t");
    for (; text && *text && *text != '\n' && n + 1 < size; text++)
        out[n++] = (char)(isprint((unsigned char)*text) ? *text : '?');
    out[n] = 0;
}

static int parse_text(struct hci_cfg **out, struct sim_arena *a, const struct hci_config_text *t,
                      const char *name, struct sim_err *e)
{
    config_t cfg;
    config_init(&cfg);
    int rc = SIM_OK;
    if (config_read_string(&cfg, t->text ? t->text : "")) {
        *out = convert(a, config_root_setting(&cfg), t);
        (*out)->file = sim_arena_strdup(a, name);
    } else {
        char near[48] = "";
        struct hci_config_line at = hci_config_text_line(t, config_error_line(&cfg));
        quote_line(t->text, config_error_line(&cfg), near, sizeof near);
        rc = sim_fail_at(e, SIM_E_INPUT, at.file ? at.file : name, at.line, "%s%s%s%s",
                         config_error_text(&cfg) ? config_error_text(&cfg) : "syntax error",
                         near[0] ? " near \"" : "", near, near[0] ? "\"" : "");
    }
    config_destroy(&cfg);
    return rc;
}

static int parse(struct hci_cfg **out, struct sim_arena *a, const char *text, const char *name,
                 const char *dir, struct hci_config_file **files, struct sim_err *e)
{
    struct hci_config_text t;
    int rc = hci_config_expand(&t, a, text, name, dir, files, e);
    if (rc == SIM_OK)
        rc = parse_text(out, a, &t, name, e);
    hci_config_text_free(&t);
    return rc;
}

int hci_config_read(struct hci_cfg **out, struct sim_arena *a, const char *path,
                    struct hci_config_file **files, struct sim_err *e)
{
    char *text, dir[1024];
    int rc = hci_config_slurp(path, &text, e);
    if (rc != SIM_OK)
        return rc;
    directory_of(path, dir, sizeof dir);
    if (files) {
        struct hci_config_file *f = sim_arena_alloc(a, sizeof *f);
        *f = (struct hci_config_file){ sim_arena_strdup(a, path), *files };
        *files = f;
    }
    rc = parse(out, a, text, path, dir, files, e);
    free(text);
    if (rc == SIM_OK && (*out)->n == 0)
        rc = sim_fail_at(e, SIM_E_INPUT, path, 1, "is empty: no setting in it");
    return rc;
}

int hci_config_parse(struct hci_cfg **out, struct sim_arena *a, const char *text, const char *name,
                     struct sim_err *e)
{
    return parse(out, a, text, name, ".", NULL, e);
}

int hci_config_value(struct hci_cfg **out, struct sim_arena *a, const char *text,
                     struct sim_err *e)
{
    for (const char *p = text; *p; p++)
        if (iscntrl((unsigned char)*p))
            return sim_fail_at(e, SIM_E_INPUT, "--set", 0, "control character in a value");
    if (strlen(text) > 4096)
        return sim_fail_at(e, SIM_E_INPUT, "--set", 0, "value longer than 4096 bytes");
    struct hci_cfg *root;
    struct sim_err why;
    /* The newline ends a comment in the value. */
    if (parse(&root, a, sim_arena_printf(a, "v = %s\n;", text), "--set", NULL, NULL, &why) == SIM_OK &&
        root->n == 1) {
        *out = root->first;
        return SIM_OK;
    }
    *out = hci_cfg_new(a, HCI_CFG_STRING, "v", "--set", 0);
    (*out)->s = sim_arena_strdup(a, text);
    return SIM_OK;
}
