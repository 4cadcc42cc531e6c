/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_config.h"

#include <ctype.h>
#include <errno.h>
#include <libconfig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_MAX_BYTES (1 << 20)
#define INCLUDE_DEPTH 10
#define INCLUDES_MAX 256

/* Reads a whole regular file into malloc'd memory. Special files are refused:
 * the parser's scanner ends the process when a read fails. */
static int slurp(const char *path, char **text, struct sim_err *e)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return sim_fail_at(e, SIM_E_INPUT, path, 0, "cannot open: %s", strerror(errno));
    if (S_ISDIR(st.st_mode))
        return sim_fail_at(e, SIM_E_INPUT, path, 0, "is a directory, not a file");
    if (!S_ISREG(st.st_mode))
        return sim_fail_at(e, SIM_E_INPUT, path, 0, "is not a regular file");
    if (st.st_size > FILE_MAX_BYTES)
        return sim_fail_at(e, SIM_E_INPUT, path, 0, "is larger than %d bytes", FILE_MAX_BYTES);
    FILE *f = fopen(path, "rb");
    if (!f)
        return sim_fail_at(e, SIM_E_INPUT, path, 0, "cannot open: %s", strerror(errno));
    char *buf = malloc(FILE_MAX_BYTES + 1);
    size_t n = buf ? fread(buf, 1, FILE_MAX_BYTES, f) : 0;
    int bad = !buf || ferror(f);
    fclose(f);
    if (bad) {
        free(buf);
        return sim_fail_at(e, SIM_E_IO, path, 0, "cannot read: %s", strerror(errno));
    }
    buf[n] = 0;
    if (memchr(buf, 0, n)) {
        free(buf);
        return sim_fail_at(e, SIM_E_INPUT, path, 1, "holds NUL bytes: this is no text file");
    }
    *text = buf;
    return SIM_OK;
}

static void directory_of(const char *path, char *out, size_t size)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        snprintf(out, size, ".");
    else
        snprintf(out, size, "%.*s", (int)(slash == path ? 1 : slash - path), path);
}

/* The path of an include line, NULL when the line is none. */
static const char *include_name(const char *line, char *buf, size_t size)
{
    line += strspn(line, " \t");
    if (strncmp(line, "@include", 8) != 0)
        return NULL;
    line += 8;
    line += strspn(line, " \t");
    if (*line != '"')
        return NULL;
    snprintf(buf, size, "%.*s", (int)strcspn(line + 1, "\"\n"), line + 1);
    return buf;
}

/* Looks at included files before the parser does, see slurp. */
static int check_includes(const char *text, const char *name, const char *dir, int depth,
                          unsigned *total, struct sim_err *e)
{
    int line = 1;
    for (const char *p = text; p; p = strchr(p, '\n'), p = p ? p + 1 : NULL, line++) {
        char inc[512], path[1600], *sub;
        if (!include_name(p, inc, sizeof inc))
            continue;
        snprintf(path, sizeof path, "%s/%s", dir, inc);
        if (++*total > INCLUDES_MAX)
            return sim_fail_at(e, SIM_E_INPUT, name, line, "more than %d includes in all",
                               INCLUDES_MAX);
        if (depth >= INCLUDE_DEPTH)
            return sim_fail_at(e, SIM_E_INPUT, name, line, "includes nest too deeply (%s)", inc);
        struct sim_err why;
        if (slurp(path, &sub, &why) != SIM_OK)
            return sim_fail_at(e, SIM_E_INPUT, name, line, "@include \"%s\": %s", inc, why.text);
        int rc = check_includes(sub, path, dir, depth + 1, total, e);
        free(sub);
        if (rc != SIM_OK)
            return rc;
    }
    return SIM_OK;
}

static struct hci_cfg *convert(struct sim_arena *a, const config_setting_t *s, const char *file)
{
    static const int types[] = {
        [CONFIG_TYPE_NONE] = HCI_CFG_GROUP,   [CONFIG_TYPE_GROUP] = HCI_CFG_GROUP,
        [CONFIG_TYPE_INT] = HCI_CFG_INT,      [CONFIG_TYPE_INT64] = HCI_CFG_INT,
        [CONFIG_TYPE_FLOAT] = HCI_CFG_FLOAT,  [CONFIG_TYPE_STRING] = HCI_CFG_STRING,
        [CONFIG_TYPE_BOOL] = HCI_CFG_BOOL,    [CONFIG_TYPE_ARRAY] = HCI_CFG_LIST,
        [CONFIG_TYPE_LIST] = HCI_CFG_LIST,
    };
    const char *from = config_setting_source_file(s);
    struct hci_cfg *c = hci_cfg_new(a, types[config_setting_type(s)], config_setting_name(s),
                                    from ? sim_arena_strdup(a, from) : file,
                                    (int)config_setting_source_line(s));
    switch (config_setting_type(s)) {
    case CONFIG_TYPE_INT: c->i = config_setting_get_int(s); break;
    case CONFIG_TYPE_INT64: c->i = config_setting_get_int64(s); break;
    case CONFIG_TYPE_BOOL: c->i = config_setting_get_bool(s); break;
    case CONFIG_TYPE_FLOAT: c->f = config_setting_get_float(s); break;
    case CONFIG_TYPE_STRING: c->s = sim_arena_strdup(a, config_setting_get_string(s)); break;
    default:
        for (int i = 0; i < config_setting_length(s); i++)
            hci_cfg_append(c, convert(a, config_setting_get_elem(s, (unsigned)i), file));
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

static int parse(struct hci_cfg **out, struct sim_arena *a, const char *text, const char *name,
                 const char *dir, struct sim_err *e)
{
    config_t cfg;
    config_init(&cfg);
    if (dir)
        config_set_include_dir(&cfg, dir);
    int rc = SIM_OK;
    if (config_read_string(&cfg, text)) {
        *out = convert(a, config_root_setting(&cfg), sim_arena_strdup(a, name));
    } else {
        char near[48] = "";
        const char *file = config_error_file(&cfg);
        int line = config_error_line(&cfg);
        if (!file)
            quote_line(text, line, near, sizeof near);
        rc = sim_fail_at(e, SIM_E_INPUT, file ? file : name, line, "%s%s%s%s",
                         config_error_text(&cfg) ? config_error_text(&cfg) : "syntax error",
                         near[0] ? " near \"" : "", near, near[0] ? "\"" : "");
    }
    config_destroy(&cfg);
    return rc;
}

int hci_config_read(struct hci_cfg **out, struct sim_arena *a, const char *path, struct sim_err *e)
{
    char *text, dir[1024];
    int rc = slurp(path, &text, e);
    if (rc != SIM_OK)
        return rc;
    directory_of(path, dir, sizeof dir);
    unsigned includes = 0;
    rc = check_includes(text, path, dir, 0, &includes, e);
    if (rc == SIM_OK)
        rc = parse(out, a, text, path, dir, e);
    free(text);
    if (rc == SIM_OK && (*out)->n == 0)
        rc = sim_fail_at(e, SIM_E_INPUT, path, 1, "is empty: no setting in it");
    return rc;
}

int hci_config_parse(struct hci_cfg **out, struct sim_arena *a, const char *text, const char *name,
                     struct sim_err *e)
{
    unsigned includes = 0;
    int rc = check_includes(text, name, ".", 0, &includes, e);
    return rc == SIM_OK ? parse(out, a, text, name, ".", e) : rc;
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
    /* The newline ends a comment in the value. */
    if (parse(&root, a, sim_arena_printf(a, "v = %s\n;", text), "--set", NULL, NULL) == SIM_OK &&
        root->n == 1) {
        *out = root->first;
        return SIM_OK;
    }
    *out = hci_cfg_new(a, HCI_CFG_STRING, "v", "--set", 0);
    (*out)->s = sim_arena_strdup(a, text);
    return SIM_OK;
}
