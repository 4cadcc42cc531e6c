/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "ana_page.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MARK '\1' /* never in escaped text */

static const char *const colours[] = {"#3a87c8", "#e08a00", "#2aa876", "#d5502a",
                                      "#a877c9", "#8a8f98", "#b3a100", "#d06aa0",
                                      "#4fb0c6", "#9c6b45", "#6f8f3a", "#7a7ad6"};
#define COLOURS (sizeof colours / sizeof *colours)

int ana_page_init(struct ana_page *p, struct sim_err *e)
{
    memset(p, 0, sizeof *p);
    p->html = open_memstream(&p->html_text, &p->html_size);
    p->script = open_memstream(&p->script_text, &p->script_size);
    if (!p->html || !p->script)
        return sim_fail(e, SIM_E_IO, "not enough memory");
    return SIM_OK;
}

void ana_page_fini(struct ana_page *p)
{
    if (p->html)
        fclose(p->html);
    if (p->script)
        fclose(p->script);
    free(p->html_text);
    free(p->script_text);
    for (unsigned i = 0; i < p->ncharts; i++)
        free(p->alt[i]);
    memset(p, 0, sizeof *p);
}

/* Length of the well-formed sequence at s, 0 when there is none. */
static unsigned utf8_length(const unsigned char *s)
{
    unsigned n = s[0] < 0x80 ? 1 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (n > 1 && (s[0] < 0xc2 || s[0] > 0xf4))
        return 0;
    for (unsigned i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return n;
}

static void escape(FILE *f, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    while (*s) {
        unsigned n = utf8_length(s);
        if (n == 0)
            fputs("\xef\xbf\xbd", f);
        else if (*s == '&')
            fputs("&amp;", f);
        else if (*s == '<')
            fputs("&lt;", f);
        else if (*s == '>')
            fputs("&gt;", f);
        else if (*s == '"')
            fputs("&quot;", f);
        else if (*s < 0x20 && *s != '\n' && *s != '\t')
            fputc('?', f);
        else
            fwrite(s, 1, n, f);
        s += n ? n : 1;
    }
}

void ana_page_text(struct ana_page *p, const char *s)
{
    escape(p->html, s ? s : "");
}

bool ana_chart_begin(struct ana_page *p, const char *title, unsigned height)
{
    char *alt = p->ncharts < ANA_PAGE_CHARTS ? strdup(title) : NULL;
    if (!alt)
        return false;
    fprintf(p->html, "<figure><figcaption>");
    ana_page_text(p, title);
    fputs("</figcaption>", p->html);
    fprintf(p->script,
            "reset\nset encoding utf8\n"
            "set terminal svg dynamic size 480,%u name 'c%u' font 'sans-serif,12' noenhanced\n"
            "set output\nset border 3\nset tics nomirror\nset grid lc rgb '#888888' lw 0.3\n"
            "set key off\n",
            height, p->ncharts);
    p->alt[p->ncharts++] = alt;
    p->keys = 0;
    return true;
}

void ana_chart_end(struct ana_page *p)
{
    fprintf(p->html, "%s%c%u%c</figure>\n", p->keys ? "</div>" : "", MARK, p->ncharts - 1, MARK);
    fputs("\nset output\nundefine $*\n", p->script);
}

void ana_chart_key(struct ana_page *p, unsigned i, enum ana_key how, const char *label)
{
    static const char *const shape[] = {
        [ANA_KEY_LINE] = "border-top:2px solid %s", [ANA_KEY_DASHED] = "border-top:2px dashed %s",
        [ANA_KEY_BOX] = "height:.8em;background:%s",
        [ANA_KEY_TWO] = "height:.8em;background:linear-gradient(90deg,%s 50%%,%s59 0)"};
    const char *c = colours[i % COLOURS];
    char css[128];
    snprintf(css, sizeof css, shape[how], c, c);
    fprintf(p->html, "%s<span><i style=\"%s\">&nbsp;</i>", p->keys++ ? " " : "<div class=\"key\">", css);
    ana_page_text(p, label);
    fputs("</span>", p->html);
}

void ana_chart_string(struct ana_page *p, const char *s)
{
    fputc('\'', p->script); /* single quotes: nothing inside is looked at */
    while (*s) {
        unsigned n = utf8_length((const unsigned char *)s);
        if (n == 0 || (unsigned char)*s < 0x20)
            fputc('?', p->script);
        else if (*s == '\'')
            fputs("''", p->script);
        else
            fwrite(s, 1, n, p->script);
        s += n ? n : 1;
    }
    fputc('\'', p->script);
}

void ana_chart_style(struct ana_page *p, unsigned i, bool dashed)
{
    fprintf(p->script, "lc rgb '%s' lw 2 dt %d", colours[i % COLOURS], dashed ? 2 : 1);
}

void ana_chart_log_axis(struct ana_page *p, char axis, double lo, double hi)
{
    static const int digit[] = {1, 2, 5};
    double from = 0, to = 0, tic = 1e-3;
    fprintf(p->script, "set logscale %c\nset %ctics (", axis, axis);
    for (int i = 0; i < 48; i++) {
        tic = digit[i % 3] * pow(10, i / 3 - 3);
        fprintf(p->script, "%s%g", i ? ", " : "", tic);
        from = tic <= lo ? tic : from;
        to = to == 0 && tic >= hi ? tic : to;
    }
    fputs(")\n", p->script);
    if (from > 0 && to > from)
        fprintf(p->script, "set %crange [%g:%g]\n", axis, from, to);
}

static int child(FILE *in, FILE *out, FILE *err)
{
    pid_t pid = fork();
    int status = 0;
    if (pid < 0)
        return -1;
    if (pid == 0) {
        setenv("LC_ALL", "C.UTF-8", 1);
        if (dup2(fileno(in), 0) < 0 || dup2(fileno(out), 1) < 0 || dup2(fileno(err), 2) < 0)
            _exit(126);
        execlp("gnuplot", "gnuplot", "-d", (char *)NULL);
        _exit(errno == ENOENT ? 127 : 126);
    }
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}

static char *slurp(FILE *f)
{
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    char *text = n >= 0 ? malloc((size_t)n + 1) : NULL;
    rewind(f);
    if (text)
        text[fread(text, 1, (size_t)n, f)] = '\0';
    return text;
}

/* What gnuplot says: the line that is no echo of the script. */
static int gnuplot_failed(FILE *err, struct sim_err *e)
{
    char line[256] = "", last[256] = "no reason given";
    rewind(err);
    while (fgets(line, sizeof line, err))
        if (strspn(line, " \t\n^") != strlen(line))
            snprintf(last, sizeof last, "%.*s", (int)strcspn(line, "\n"), line);
    return sim_fail(e, SIM_E_IO, "gnuplot failed: %s", last);
}

/* Runs gnuplot on the script; *svg gets everything it drew. */
static int draw(struct ana_page *p, char **svg, struct sim_err *e)
{
    FILE *in = tmpfile(), *out = tmpfile(), *err = tmpfile();
    int rc = SIM_OK;
    *svg = NULL;
    if (!in || !out || !err) {
        rc = sim_fail(e, SIM_E_IO, "no temporary file for gnuplot: %s", strerror(errno));
    } else {
        fwrite(p->script_text, 1, p->script_size, in);
        fflush(in);
        rewind(in);
        lseek(fileno(in), 0, SEEK_SET);
        int status = child(in, out, err);
        if (status == 127)
            rc = sim_fail(e, SIM_E_IO, "gnuplot is needed for charts and is not installed (Debian: "
                                       "gnuplot-nox)");
        else if (status != 0)
            rc = gnuplot_failed(err, e);
        else if (!(*svg = slurp(out)))
            rc = sim_fail(e, SIM_E_IO, "not enough memory for the charts");
    }
    FILE *all[] = {in, out, err};
    for (int i = 0; i < 3; i++)
        if (all[i])
            fclose(all[i]);
    return rc;
}

/* One drawing, without what HTML does not want: prolog, marker shapes, ids. */
static const char *put_svg(FILE *f, const char *s, const char *alt)
{
    bool defs = false;
    const char *end = strstr(s, "</svg>");
    s = strstr(s, "<svg");
    if (!end || !s || s > end)
        return NULL;
    fputs("<svg role=\"img\"", f);
    for (s += 4; s < end;) {
        size_t n = strcspn(s, "\n") + 1;
        /* Titles of single curves are their plot numbers. */
        const char *word = s + strspn(s, " \t");
        bool skip = strncmp(s, "<desc>", 6) == 0 || (word != s && strncmp(word, "<title>", 7) == 0);
        bool group = strncmp(word, "<g id=", 6) == 0;
        if (strncmp(s, "<defs>", 6) == 0)
            defs = true;
        if (strncmp(s, "<title>", 7) == 0) {
            fputs("<title>", f);
            escape(f, alt);
            fputs("</title>\n", f);
            skip = true;
        }
        if (group)
            fputs("<g>\n", f);
        else if (!skip && !defs && *s != '\n')
            fwrite(s, 1, n, f);
        if (strncmp(s, "</defs>", 7) == 0)
            defs = false;
        s += n;
    }
    fputs("</svg>\n", f);
    return end + 6;
}

int ana_page_finish(struct ana_page *p, char **text, size_t *size, struct sim_err *e)
{
    char *svg = NULL;
    *text = NULL;
    *size = 0;
    if (fflush(p->html) != 0 || fflush(p->script) != 0)
        return sim_fail(e, SIM_E_IO, "not enough memory for the page");
    int rc = p->ncharts > 0 ? draw(p, &svg, e) : SIM_OK;
    FILE *f = rc == SIM_OK ? open_memstream(text, size) : NULL;
    const char *from = p->html_text, *drawing = svg;
    for (unsigned i = 0; f && i < p->ncharts; i++) {
        const char *mark = strchr(from, MARK);
        fwrite(from, 1, (size_t)(mark - from), f);
        drawing = drawing ? put_svg(f, drawing, p->alt[i]) : NULL;
        from = strchr(mark + 1, MARK) + 1;
    }
    if (f)
        fputs(from, f);
    if (rc == SIM_OK && (!f || fclose(f) != 0))
        rc = sim_fail(e, SIM_E_IO, "not enough memory for the page");
    if (rc == SIM_OK && p->ncharts > 0 && !drawing)
        rc = sim_fail(e, SIM_E_IO, "gnuplot drew fewer charts than asked");
    free(svg);
    return rc;
}
