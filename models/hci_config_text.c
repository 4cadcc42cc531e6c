/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_config_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_MAX_BYTES (1 << 20)
#define TEXT_MAX_BYTES (16 << 20)
#define INCLUDE_DEPTH 10
#define INCLUDES_MAX 256

/* Special files are refused: they may never end. */
int hci_config_slurp(const char *path, char **text, struct sim_err *e)
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

struct expand { /* one file of several going into one text */
    struct hci_config_text *out;
    struct sim_arena *arena;
    struct hci_config_file **files;
    const char *dir;
    unsigned includes; /* so far */
    struct sim_err *err;
};

struct source { /* where reading stands */
    const char *p, *file;
    int line, depth;
};

static void *grown(void *array, size_t *max, size_t size)
{
    *max = *max ? 2 * *max : 4096;
    void *bigger = realloc(array, *max * size);
    if (!bigger)
        sim_out_of_memory(*max * size);
    return bigger;
}

static void put(struct hci_config_text *t, char c, const struct source *s)
{
    if (t->n == 0 || t->text[t->n - 1] == '\n') {
        size_t max = t->lines_max;
        if (t->nlines == max)
            t->lines = grown(t->lines, &max, sizeof *t->lines);
        t->lines_max = (unsigned)max;
        t->lines[t->nlines++] = (struct hci_config_line){ s->file, s->line };
    }
    if (t->n + 2 > t->max)
        t->text = grown(t->text, &t->max, 1);
    t->text[t->n++] = c;
    t->text[t->n] = 0;
}

/* Copies n characters and counts their lines. */
static void copy(const struct expand *x, struct source *s, size_t n)
{
    while (n-- && *s->p) {
        put(x->out, *s->p, s);
        s->line += *s->p++ == '\n';
    }
}

static size_t string_length(const char *p)
{
    size_t n = 1;
    while (p[n] && p[n] != '"')
        n += p[n] == '\\' && p[n + 1] ? 2 : 1;
    return n + (p[n] == '"');
}

static size_t comment_length(const char *p)
{
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return end ? (size_t)(end - p) + 2 : strlen(p);
    }
    return p[0] == '#' || (p[0] == '/' && p[1] == '/') ? strcspn(p, "\n") : 0;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '*';
}

/* A whole number, or a number with a point or an exponent. */
static int copy_number(const struct expand *x, struct source *s)
{
    const char *p = s->p;
    bool hex = p[0] == '0' && (p[1] == 'x' || p[1] == 'X');
    size_t n = hex ? 2 + strspn(p + 2, "0123456789abcdefABCDEF") : strspn(p, "0123456789");
    if (!hex && (p[n] == '.' || p[n] == 'e' || p[n] == 'E')) {
        copy(x, s, strspn(p, "0123456789.eE+-"));
        return SIM_OK;
    }
    errno = 0;
    unsigned long long v = strtoull(p, NULL, hex ? 16 : 10);
    if (errno || v > INT64_MAX)
        return sim_fail_at(x->err, SIM_E_INPUT, s->file, s->line,
                           "%.*s does not fit 64 bits", (int)(n < 40 ? n : 40), p);
    copy(x, s, n);
    if (v > INT32_MAX && *s->p != 'L')
        put(x->out, 'L', s);
    copy(x, s, strspn(s->p, "L"));
    return SIM_OK;
}

/* Length of an include line up to its closing quote, with the path; 0: none. */
static size_t include_length(const char *line, char *path, size_t size)
{
    const char *p = line + strspn(line, " \t");
    if (strncmp(p, "@include", 8) != 0)
        return 0;
    p += 8 + strspn(p + 8, " \t");
    size_t n = *p == '"' ? strcspn(p + 1, "\"\n") : 0;
    if (n == 0 || p[1 + n] != '"')
        return 0;
    snprintf(path, size, "%.*s", (int)(n < size ? n : size - 1), p + 1);
    return (size_t)(p - line) + n + 2;
}

static int scan(struct expand *x, struct source *s);

static int include(struct expand *x, const struct source *s, const char *name)
{
    char *text, *path;
    struct sim_err why;
    if (++x->includes > INCLUDES_MAX)
        return sim_fail_at(x->err, SIM_E_INPUT, s->file, s->line, "more than %d includes in all",
                           INCLUDES_MAX);
    if (s->depth >= INCLUDE_DEPTH)
        return sim_fail_at(x->err, SIM_E_INPUT, s->file, s->line, "includes nest too deeply (%s)",
                           name);
    path = name[0] == '/' ? sim_arena_strdup(x->arena, name)
                          : sim_arena_printf(x->arena, "%s/%s", x->dir, name);
    int rc = hci_config_slurp(path, &text, &why);
    if (rc != SIM_OK)
        return sim_fail_at(x->err, rc, s->file, s->line, "@include \"%s\": %s", name, why.text);
    if (x->files) {
        struct hci_config_file *f = sim_arena_alloc(x->arena, sizeof *f);
        *f = (struct hci_config_file){ path, *x->files };
        *x->files = f;
    }
    struct source inner = { text, path, 1, s->depth + 1 };
    rc = scan(x, &inner);
    free(text);
    if (x->out->n && x->out->text[x->out->n - 1] != '\n')
        put(x->out, '\n', &inner); /* what follows the include is a line of its own */
    return rc;
}

/* One word, string, comment, number, include or character. */
static int scan_one(struct expand *x, struct source *s, bool at_start)
{
    char name[512];
    size_t n;
    if (at_start && x->dir && (n = include_length(s->p, name, sizeof name)) > 0) {
        s->p += n;
        return include(x, s, name);
    }
    if (isdigit((unsigned char)*s->p))
        return copy_number(x, s);
    if (*s->p == '"')
        n = string_length(s->p);
    else if ((n = comment_length(s->p)) == 0 && (isalpha((unsigned char)*s->p) || *s->p == '*'))
        while (is_word(s->p[n]))
            n++;
    else if (n == 0 && *s->p == '.')
        n = 1 + strspn(s->p + 1, "0123456789eE+-");
    copy(x, s, n ? n : 1);
    return SIM_OK;
}

static int scan(struct expand *x, struct source *s)
{
    bool at_start = true;
    while (*s->p) {
        const char *from = s->p;
        int rc = scan_one(x, s, at_start);
        if (rc != SIM_OK)
            return rc;
        at_start = from < s->p && s->p[-1] == '\n';
        if (x->out->n > TEXT_MAX_BYTES)
            return sim_fail_at(x->err, SIM_E_INPUT, s->file, s->line,
                               "with what it includes larger than %d bytes", TEXT_MAX_BYTES);
    }
    return SIM_OK;
}

int hci_config_expand(struct hci_config_text *out, struct sim_arena *a, const char *text,
                      const char *name, const char *dir, struct hci_config_file **files,
                      struct sim_err *e)
{
    struct expand x = { out, a, files, dir, 0, e };
    struct source s = { text, sim_arena_strdup(a, name), 1, 0 };
    *out = (struct hci_config_text){ 0 };
    return scan(&x, &s);
}

void hci_config_text_free(struct hci_config_text *t)
{
    free(t->text);
    free(t->lines);
}

struct hci_config_line hci_config_text_line(const struct hci_config_text *t, int i)
{
    if (t->nlines == 0)
        return (struct hci_config_line){ NULL, 1 };
    unsigned at = i < 1 ? 0 : (unsigned)i - 1;
    return t->lines[at < t->nlines ? at : t->nlines - 1];
}
