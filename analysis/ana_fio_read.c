/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_fio_read.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ana_fio_dir.h"
#include "ana_json_read.h"
#include "ana_terse_read.h"

enum { TRIES = 64 };

struct scan { /* a walk over the file */
    struct ana_measured *m;
    const char *s;
    size_t n;
    size_t cut_at;   /* start of a document that never ends; n: none */
    unsigned failed; /* starts that were none, bounded so that no file is slow */
    bool line_cut;   /* terse: the last line has no end and not all fields */
    char why[200];   /* the parser's last complaint */
};

__attribute__((format(printf, 2, 3))) static void note(struct ana_measured *m, const char *fmt, ...)
{
    if (m->nnotes == ANA_MEASURED_NOTES)
        return;
    char *line = m->notes[m->nnotes++];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof *m->notes, fmt, ap);
    va_end(ap);
    for (; *line; line++)
        if ((unsigned char)*line < 0x20 || *line == 0x7f)
            *line = ' ';
}

static size_t skip_blank(const char *s, size_t n, size_t i)
{
    while (i < n && isspace((unsigned char)s[i]))
        i++;
    return i;
}

/* Non-blank lines of the text around documents. */
static void note_text(struct ana_measured *m, const char *s, size_t n)
{
    while (m->nnotes < ANA_MEASURED_NOTES) {
        size_t gap = skip_blank(s, n, 0); /* millions of empty lines at once */
        s += gap;
        n -= gap;
        if (n == 0)
            return;
        const char *nl = memchr(s, '\n', n);
        size_t len = nl ? (size_t)(nl - s) : n;
        note(m, "%.*s", (int)sim_min(len, 250), s);
        s += len;
        n -= len;
    }
}

/* A document starts with `{` and then `"`: at the start of a line, or anywhere
 * when fio's first key follows (an ETA line has no newline). */
static bool starts_document(const char *s, size_t n, size_t i)
{
    static const char first[] = "\"fio version\"";
    size_t next = skip_blank(s, n, i + 1), back = i;
    if (next >= n || s[next] != '"')
        return false;
    if (n - next >= sizeof first - 1 && memcmp(s + next, first, sizeof first - 1) == 0)
        return true;
    while (back > 0 && (s[back - 1] == ' ' || s[back - 1] == '\t'))
        back--;
    return back == 0 || s[back - 1] == '\n';
}

/* Index behind the string that opens at i; n when it never closes. */
static size_t skip_string(const char *s, size_t n, size_t i)
{
    for (i++; i < n && s[i] != '"'; i++)
        i += s[i] == '\\';
    return i < n ? i + 1 : n;
}

struct walk {       /* brackets of one document */
    size_t end;     /* behind its last bracket; 0: the text ends before */
    size_t jobs_to; /* behind the last complete job, or the list's `[`; 0: no list */
};

static bool is_job_list(const char *s, size_t from, size_t to)
{
    return (to - from == 6 && memcmp(s + from, "\"jobs\"", 6) == 0) ||
           (to - from == 14 && memcmp(s + from, "\"client_stats\"", 14) == 0);
}

static struct walk walk_document(const char *s, size_t n, size_t i)
{
    struct walk w = {0};
    size_t key = i, key_end = i;
    unsigned depth = 0;
    bool in_jobs = false;
    while (i < n) {
        if (s[i] == '"') {
            size_t end = skip_string(s, n, i);
            if (depth == 1) {
                key = i;
                key_end = end;
            }
            i = end;
            continue;
        }
        char c = s[i++];
        if (c == '{' || c == '[') {
            if (depth == 1)
                in_jobs = c == '[' && is_job_list(s, key, key_end);
            if (++depth == 2 && in_jobs)
                w.jobs_to = i;
        } else if (c == '}' || c == ']') {
            if (--depth == 0) {
                w.end = i;
                return w;
            }
            if (depth == 2 && in_jobs)
                w.jobs_to = i;
        }
    }
    return w;
}

static unsigned utf8_ok(const unsigned char *s, size_t n)
{
    unsigned len = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (len == 1)
        return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4 || len > n)
        return 0;
    for (unsigned i = 1; i < len; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return len;
}

static bool is_word(const char *s, const char *word)
{
    for (int i = 0; i < 3; i++)
        if (tolower((unsigned char)s[i]) != word[i])
            return false;
    return true;
}

/* What JSON does not allow and old or broken results hold: nan and inf become
 * 0, control bytes and bytes that are no UTF-8 become blanks and '?'. */
static unsigned clean(char *s, size_t n)
{
    unsigned repaired = 0;
    bool quoted = false;
    for (size_t i = 0; i < n;) {
        unsigned len = utf8_ok((unsigned char *)s + i, n - i);
        if (len == 0) {
            s[i] = '?';
            repaired++;
        } else if ((unsigned char)s[i] < 0x20 && (quoted || !isspace((unsigned char)s[i]))) {
            s[i] = ' ';
            repaired++;
        } else if (s[i] == '"') {
            quoted = !quoted;
        } else if (quoted && s[i] == '\\' && i + 1 < n) {
            i++; /* what is escaped may be a quote; a raw byte there is checked below */
            if ((unsigned char)s[i] < 0x20 || (unsigned char)s[i] >= 0x80)
                s[i] = '\\';
        } else if (!quoted && n - i >= 3 && (is_word(s + i, "nan") || is_word(s + i, "inf"))) {
            bool sign = i > 0 && s[i - 1] == '-';
            memcpy(s + i - sign, sign ? "0   " : "0  ", sign ? 4 : 3);
            for (i += 2; i + 1 < n && isalpha((unsigned char)s[i + 1]); i++) /* "Infinity" */
                s[i + 1] = ' ';
            repaired++;
        }
        i += len ? len : 1;
    }
    return repaired;
}

/* Parses s[0..n) with tail behind it; like ana_json_read. */
static int read_document(struct scan *sc, const char *s, size_t n, const char *tail)
{
    size_t extra = strlen(tail);
    char *copy = malloc(n + extra + 1);
    if (!copy)
        return -3;
    memcpy(copy, s, n);
    memcpy(copy + n, tail, extra + 1);
    unsigned repaired = clean(copy, n);
    int rc = ana_json_read(sc->m, copy, n + extra, sc->why);
    free(copy);
    if (rc == 0 && repaired)
        note(sc->m, "%u places that are no JSON (nan, control bytes, bad UTF-8) were repaired",
             repaired);
    return rc;
}

/* All documents of the file; the last complete one stays in *m. */
static int read_documents(struct scan *sc)
{
    size_t done = 0;
    sc->cut_at = sc->n;
    for (size_t i = 0; i < sc->n && sc->failed < TRIES; i++) {
        if (sc->s[i] != '{' || !starts_document(sc->s, sc->n, i))
            continue;
        struct walk w = walk_document(sc->s, sc->n, i);
        int rc = w.end ? read_document(sc, sc->s + i, w.end - i, "") : -1;
        if (rc == -3)
            return rc;
        if (!w.end && w.jobs_to && sc->cut_at == sc->n)
            sc->cut_at = i;
        if (rc) {
            sc->failed++;
            continue;
        }
        note_text(sc->m, sc->s + done, i - done);
        sc->m->ndocuments++;
        sc->cut_at = sc->n; /* what seemed cut off was text in front */
        done = w.end;
        i = w.end - 1;
    }
    note_text(sc->m, sc->s + done, sim_min(sc->cut_at, sc->n) - done);
    return 0;
}

static int say_cut(struct ana_measured *m, const char *where, const char *name, struct sim_err *e)
{
    char list[512] = "";
    size_t at = 0;
    m->cut_off = true;
    for (unsigned i = 0; i < m->njobs && at < sizeof list; i++)
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", i ? ", " : "", m->jobs[i].name);
    return sim_fail_at(e, SIM_E_INPUT, name, 0, "cut off in the middle of a %s; %s%s", where,
                       m->njobs ? "complete jobs: " : "no job is complete", list);
}

static int cut_off(struct scan *sc, const char *name, struct sim_err *e)
{
    struct ana_measured *m = sc->m;
    const char *s = sc->s + sc->cut_at;
    struct walk w = walk_document(s, sc->n - sc->cut_at, 0);
    int rc = read_document(sc, s, w.jobs_to, "]}");
    if (rc == -3)
        return sim_fail_at(e, SIM_E_IO, name, 0, "not enough memory");
    if (rc)
        return sim_fail_at(e, SIM_E_INPUT, name, 0, "cut off in the middle, and not readable: %s",
                           sc->why);
    return say_cut(m, "document", name, e);
}

/* "503, 183562, 0, 0, 0" */
static bool is_log(const char *s, size_t n)
{
    unsigned commas = 0;
    for (size_t i = 0; i < n && s[i] != '\n' && s[i] != '\r'; i++) {
        commas += s[i] == ',';
        if (s[i] != ',' && s[i] != ' ' && !isdigit((unsigned char)s[i]))
            return false;
    }
    return commas >= 3;
}

/* What a file that is no text really is; NULL: nothing known. */
static const char *foreign(const char *s, size_t n)
{
    static const struct {
        const char *start, *what;
        size_t n;
    } kinds[] = {{"\x1f\x8b", "compressed by gzip: unpack it first", 2},
                 {"\x28\xb5\x2f\xfd", "compressed by zstd: unpack it first", 4},
                 {"\xfd" "7zXZ", "compressed by xz: unpack it first", 5},
                 {"BZh", "compressed by bzip2: unpack it first", 3},
                 {"PK\x03\x04", "a zip archive: unpack it first", 4},
                 {"\xff\xfe", "text in UTF-16: convert it to UTF-8 first", 2},
                 {"\xfe\xff", "text in UTF-16: convert it to UTF-8 first", 2}};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (n >= kinds[i].n && memcmp(s, kinds[i].start, kinds[i].n) == 0)
            return kinds[i].what;
    return NULL;
}

static int no_result(const struct scan *sc, const char *name, struct sim_err *e)
{
    size_t i = skip_blank(sc->s, sc->n, 0);
    if (i == sc->n)
        return sim_fail_at(e, SIM_E_INPUT, name, 0, "the file is empty");
    const char *what = foreign(sc->s, sc->n);
    if (what)
        return sim_fail_at(e, SIM_E_INPUT, name, 0, "the file is %s", what);
    if (sc->n - i > 6 && isdigit((unsigned char)sc->s[i]) && sc->s[i + 1] == ';')
        return sim_fail_at(e, SIM_E_INPUT, name, 0,
                           "looks like fio's terse output, but no line has all its fields");
    if (sc->why[0])
        return sim_fail_at(e, SIM_E_INPUT, name, 0, "no JSON result of fio: %s", sc->why);
    if (is_log(sc->s + i, sc->n - i))
        return sim_fail_at(e, SIM_E_INPUT, name, 0,
                           "this is a log of fio; its result (--output-format=json) is read here");
    return sim_fail_at(e, SIM_E_INPUT, name, 0,
                       "no result of fio: neither JSON, terse nor its usual report");
}

/* What fio prints when it is not asked for JSON. */
static int read_other(struct scan *sc)
{
    struct ana_measured *m = sc->m;
    unsigned nnotes = m->nnotes;
    m->nnotes = 0; /* what seemed text around a document is the result */
    unsigned left_out = 0;
    if (ana_terse_read(m, sc->s, sc->n, &left_out, &sc->line_cut))
        return -3;
    if (m->njobs && left_out)
        note(m, "%u terse lines without all fields, or of an unknown version, are left out",
             left_out);
    if (m->njobs)
        note(m, "read from terse output: I/Os are counted from IOPS and runtime");
    else if (ana_text_read(m, sc->s, sc->n))
        return -3;
    else if (m->njobs)
        note(m, "read from a report for people: figures have four digits at most");
    else
        m->nnotes = nnotes;
    m->ndocuments = m->njobs > 0;
    return 0;
}

int ana_fio_read_text(struct ana_measured **out, const char *text, size_t n, const char *name,
                      struct sim_err *e)
{
    *out = NULL;
    struct ana_measured *m = calloc(1, sizeof *m);
    if (m)
        m->notes = calloc(ANA_MEASURED_NOTES, sizeof *m->notes);
    if (!m || !m->notes) {
        free(m);
        return sim_fail_at(e, SIM_E_IO, name, 0, "not enough memory");
    }
    struct scan sc = {.m = m, .s = text, .n = n};
    int status = SIM_OK;
    if (read_documents(&sc) || (m->ndocuments == 0 && sc.cut_at == n && read_other(&sc)))
        status = sim_fail_at(e, SIM_E_IO, name, 0, "not enough memory");
    else if (m->ndocuments == 0)
        status = sc.cut_at < n ? cut_off(&sc, name, e) : no_result(&sc, name, e);
    else if (sc.line_cut)
        status = say_cut(m, "line", name, e);
    else if (sc.cut_at < n)
        note(m, "the last document is cut off; the one before it is used");
    if (status == SIM_OK || m->cut_off)
        *out = m;
    else
        ana_measured_free(m);
    return status;
}

static char *load(const char *path, size_t *n, struct sim_err *e)
{
    FILE *f = fopen(path, "re");
    char *text = NULL, *more;
    size_t room = 0, got = 1;
    *n = 0;
    errno = f ? 0 : errno;
    while (f && got > 0 && *n <= ANA_FIO_READ_MAX) {
        if (*n == room) {
            room = room ? 2 * room : 1 << 16;
            more = realloc(text, room);
            if (!more)
                break;
            text = more;
        }
        got = fread(text + *n, 1, room - *n, f);
        *n += got;
    }
    int why = !f || ferror(f) ? errno : got > 0 && *n <= ANA_FIO_READ_MAX ? ENOMEM : 0;
    if (f)
        fclose(f);
    if (why)
        sim_fail_at(e, SIM_E_IO, path, 0, "cannot read: %s", strerror(why));
    else if (*n > ANA_FIO_READ_MAX)
        sim_fail_at(e, SIM_E_IO, path, 0, "larger than %llu MiB: no result of fio",
                    ANA_FIO_READ_MAX / SIM_MIB);
    if (why || *n > ANA_FIO_READ_MAX) {
        free(text);
        return NULL;
    }
    return text;
}

int ana_fio_read(struct ana_measured **out, const char *path, struct sim_err *e)
{
    struct sim_err local = {0};
    size_t n;
    *out = NULL;
    e = e ? e : &local;
    struct stat st;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return ana_fio_read_dir(out, path, e);
    char *text = load(path, &n, e);
    if (!text)
        return e->code;
    int status = ana_fio_read_text(out, text, n, path, e);
    free(text);
    return status;
}

void ana_measured_free(struct ana_measured *m)
{
    if (!m)
        return;
    ana_json_drop_jobs(m);
    free(m->notes);
    free(m);
}

const char *ana_measured_option(const struct ana_measured_job *j, const char *name)
{
    for (unsigned i = 0; i < j->noptions; i++)
        if (strcmp(j->options[i].name, name) == 0)
            return j->options[i].value;
    return NULL;
}
