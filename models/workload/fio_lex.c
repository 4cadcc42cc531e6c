/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_lex.h"

#include "hci_job.h"
#include "fio_expand.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_item(struct hci_fio_lexer *lx, struct hci_fio_item item)
{
    if (lx->nitems >= HCI_FIO_MAX_ITEMS) {
        if (lx->nitems++ == HCI_FIO_MAX_ITEMS)
            hci_fio_error(lx->log, item.file, item.line, "more than %d settings",
                          HCI_FIO_MAX_ITEMS);
        return;
    }
    if (lx->nitems == lx->nitems_max) {
        unsigned max = lx->nitems_max ? 2 * lx->nitems_max : 256;
        struct hci_fio_item *p = realloc(lx->items, max * sizeof *p);
        if (!p) {
            lx->pool->failed = true;
            return;
        }
        lx->items = p;
        lx->nitems_max = max;
    }
    lx->items[lx->nitems++] = item;
}

static char *strip(char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    size_t n = strlen(s);
    while (n && isspace((unsigned char)s[n - 1]))
        n--;
    s[n] = '\0';
    return s;
}

void hci_fio_lex_setting(struct hci_fio_lexer *lx, const char *file, int line, const char *text)
{
    const char *whole = hci_fio_expand(lx->pool, lx->log, file, line, text);
    char *name = whole ? hci_fio_strdup(lx->pool, whole) : NULL;
    if (!name)
        return;
    struct hci_fio_item item = { .kind = HCI_FIO_SETTING, .line = line, .file = file };
    char *eq = strchr(name, '=');
    if (eq) {
        *eq = '\0';
        item.value = strip(eq + 1);
        if (isspace((unsigned char)eq[1]) && *item.value)
            hci_fio_note(lx->log, file, line, "blanks behind \"=\" are dropped (fio keeps them and "
                         "misreads the value)");
    }
    item.name = strip(name);
    if (!*item.name)
        hci_fio_error(lx->log, file, line, "a setting without a name%s",
                      strchr(text, '$') ? ": its variable is empty" : "");
    else
        add_item(lx, item);
}

/* "[name]": what stands between the brackets. */
static void lex_section(struct hci_fio_lexer *lx, const char *file, int line, char *s)
{
    char *end = strrchr(s, ']');
    if (lx->depth > 1) {
        hci_fio_error(lx->log, file, line, "an included file may hold settings only, no section");
        return;
    }
    if (!end) {
        hci_fio_error(lx->log, file, line, "section header without a \"]\"");
        return;
    }
    if (end[1])
        hci_fio_note(lx->log, file, line, "text behind the section header is ignored");
    *end = '\0';
    if (strlen(s + 1) > 255)
        hci_fio_error(lx->log, file, line, "section name longer than 255 bytes");
    lx->no_section = false;
    add_item(lx, (struct hci_fio_item){ .kind = HCI_FIO_SECTION, .line = line, .file = file,
                                        .name = s + 1 });
}

static void lex_text(struct hci_fio_lexer *lx, const char *file, char *text, size_t len);

/* The whole of a file, terminated; NULL after a complaint. */
static char *slurp(struct hci_fio_lexer *lx, const char *from, int line, const char *path,
                   size_t *len)
{
    char shown[64];
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    size_t room = HCI_FIO_MAX_TEXT - lx->text_len, n = 0, size = sim_min(room + 1, 65536);
    char *p = f ? malloc(size + 1) : NULL;
    while (p) {
        n += fread(p + n, 1, size - n, f);
        if (n < size || size > room)
            break;
        size = sim_min(2 * size, room + 1);
        char *q = realloc(p, size + 1);
        if (!q)
            free(p);
        p = q;
    }
    if (!p || ferror(f)) {
        hci_fio_error(lx->log, from, line, "cannot read job file \"%s\": %s",
                      hci_fio_printable(path, shown), strerror(errno));
        free(p);
        p = NULL;
    } else if (n > room) {
        hci_fio_error(lx->log, from, line, "more than %u bytes of job files", HCI_FIO_MAX_TEXT);
        free(p);
        p = NULL;
    }
    if (f && f != stdin)
        fclose(f);
    if (p)
        p[n] = '\0';
    *len = n;
    return p;
}

static void keep_text(struct hci_fio_lexer *lx, const char *text, size_t len)
{
    char *p = realloc(lx->text, lx->text_len + len + 1);
    if (!p)
        return;
    memcpy(p + lx->text_len, text, len);
    lx->text = p;
    lx->text_len += len;
    p[lx->text_len] = '\0';
}

static void read_file(struct hci_fio_lexer *lx, const char *from, int line, const char *path)
{
    size_t len;
    char *text = slurp(lx, from, line, path, &len);
    if (!text)
        return;
    keep_text(lx, text, len);
    char *mine = hci_fio_strndup(lx->pool, text, len);
    free(text);
    if (!mine)
        return;
    struct hci_read_file *seen = hci_fio_alloc(lx->pool, sizeof *seen);
    if (seen) {
        *seen = (struct hci_read_file){ path, lx->read };
        lx->read = seen;
    }
    lx->open[lx->depth++] = path;
    lex_text(lx, path, mine, len);
    lx->depth--;
}

static bool readable(const char *path)
{
    FILE *f = fopen(path, "r");
    if (f)
        fclose(f);
    return f != NULL;
}

/* fio goes on without an include it cannot open, but loses its place: the section
 * must end there (`ends`). */
static void settle_missing(struct hci_fio_lexer *lx, bool ends)
{
    char shown[64];
    const char *name = lx->missing.name;
    if (!name)
        return;
    lx->missing.name = NULL;
    hci_fio_printable(name, shown);
    if (ends)
        hci_fio_note(lx->log, lx->missing.file, lx->missing.line, "cannot read job file \"%s\": "
                     "left out, as fio does", shown);
    else
        hci_fio_error(lx->log, lx->missing.file, lx->missing.line, "cannot read job file \"%s\", "
                      "and settings follow (fio goes on only if nothing does)", shown);
}

/* As given or, failing that, beside the file that includes it. */
static void lex_include(struct hci_fio_lexer *lx, const char *file, int line, const char *rest)
{
    char shown[64];
    const char *path = hci_fio_expand(lx->pool, lx->log, file, line, rest);
    const char *slash = strrchr(file, '/');
    if (!path || !*path) {
        hci_fio_error(lx->log, file, line, "include without a file name");
        return;
    }
    if (slash && *path != '/' && !readable(path)) {
        size_t dir = (size_t)(slash - file) + 1, n = strlen(path);
        char *beside = hci_fio_alloc(lx->pool, dir + n + 1);
        if (!beside)
            return;
        memcpy(beside, file, dir);
        memcpy(beside + dir, path, n);
        if (readable(beside))
            path = beside;
    }
    if (!readable(path)) {
        lx->missing.name = path;
        lx->missing.file = file;
        lx->missing.line = line;
        return;
    }
    for (unsigned i = 0; i < lx->depth; i++)
        if (strcmp(lx->open[i], path) == 0) {
            hci_fio_error(lx->log, file, line, "include loop: \"%s\" is being read already",
                          hci_fio_printable(path, shown));
            return;
        }
    if (lx->depth == sizeof lx->open / sizeof lx->open[0])
        hci_fio_error(lx->log, file, line, "more than 16 levels of include");
    else if (++lx->includes > 256)
        hci_fio_error(lx->log, file, line, "more than 256 includes in all");
    else
        read_file(lx, file, line, path);
}

static void lex_line(struct hci_fio_lexer *lx, const char *file, int line, char *s)
{
    char shown[64];
    s[strcspn(s, ";#")] = '\0';
    s = strip(s);
    if (!*s)
        return;
    settle_missing(lx, *s == '[');
    if (*s == '[') {
        lex_section(lx, file, line, s);
    } else if (lx->no_section) {
        hci_fio_error(lx->log, file, line, "setting \"%s\" stands before any [section]",
                      hci_fio_printable(s, shown));
        lx->no_section = false; /* said once */
    } else if (strncmp(s, "include", 7) == 0 && (isspace((unsigned char)s[7]) || s[7] == '=')) {
        lex_include(lx, file, line, strip(s + 8));
    } else {
        hci_fio_lex_setting(lx, file, line, s);
    }
}

static void lex_text(struct hci_fio_lexer *lx, const char *file, char *text, size_t len)
{
    char *p = text, *end = text + len;
    if (len >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) {
        hci_fio_note(lx->log, file, 1, "byte order mark ignored");
        p += 3;
    }
    for (int line = 1; p < end; line++) {
        char *nl = memchr(p, '\n', (size_t)(end - p));
        size_t n = (size_t)((nl ? nl : end) - p);
        if (memchr(p, '\0', n)) {
            hci_fio_error(lx->log, file, line, "a NUL byte: this is not a job file");
            return;
        }
        if (n > HCI_FIO_MAX_LINE) {
            hci_fio_error(lx->log, file, line, "a line of more than %d bytes", HCI_FIO_MAX_LINE);
            return;
        }
        p[n] = '\0';
        lex_line(lx, file, line, p);
        p += n + 1;
    }
}

void hci_fio_lex_file(struct hci_fio_lexer *lx, const char *path)
{
    const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
    const char *kept = hci_fio_strdup(lx->pool, path);
    if (!kept)
        return;
    add_item(lx, (struct hci_fio_item){ .kind = HCI_FIO_FILE, .file = kept });
    lx->no_section = true;
    lx->depth = 0;
    read_file(lx, name, 0, kept);
    settle_missing(lx, true);
}

void hci_fio_lexer_free(struct hci_fio_lexer *lx)
{
    free(lx->items);
    free(lx->text);
}
