/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_progress.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define TERMINAL_GAP_S 0.2
#define LINE_GAP_S 1.0
#define ETA_AFTER_S 0.5 /* before that the guess is noise */

static double monotonic_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool is_set(const char *name)
{
    const char *v = getenv(name);
    return v && *v;
}

void ana_progress_init(struct ana_progress *p, FILE *out, int eta)
{
    const char *term = getenv("TERM");
    memset(p, 0, sizeof *p);
    p->out = out;
    p->terminal = isatty(fileno(out)) != 0;
    p->on = eta == ANA_ETA_ALWAYS || (eta == ANA_ETA_AUTO && p->terminal);
    p->colour = p->terminal && !is_set("NO_COLOR") && term && strcmp(term, "dumb") != 0;
    p->started_s = monotonic_s();
    p->last_s = p->started_s;
}

/* h:mm:ss or m:ss; a dash for what cannot be said. */
static void clock_text(char buf[24], double s)
{
    if (!(s >= 0 && s < 3.6e8)) {
        snprintf(buf, 24, "-");
        return;
    }
    unsigned long t = (unsigned long)(s + 0.5);
    if (t >= 3600)
        snprintf(buf, 24, "%lu:%02lu:%02lu", t / 3600, t / 60 % 60, t % 60);
    else
        snprintf(buf, 24, "%lu:%02lu", t / 60, t % 60);
}

static void count_text(char buf[24], uint64_t n)
{
    if (n < 10000)
        snprintf(buf, 24, "%u", (unsigned)n);
    else if (n < 10000000)
        snprintf(buf, 24, "%.0fk", (double)n / 1e3);
    else
        snprintf(buf, 24, "%.1fM", (double)n / 1e6);
}

/* Cuts text to at most width characters, never inside a UTF-8 sequence. */
static size_t cut(char *text, size_t width)
{
    size_t chars = 0, i = 0;
    while (text[i]) {
        if (((unsigned char)text[i] & 0xc0) != 0x80 && ++chars > width)
            break;
        i++;
    }
    text[i] = '\0';
    return i;
}

size_t ana_progress_text(char *buf, size_t size, const struct hci_progress *now, double elapsed_s,
                         unsigned columns)
{
    char left[24] = "-", sim[24], ios[24];
    double f = now->fraction < 0 ? 0 : now->fraction > 1 ? 1 : now->fraction;
    if (elapsed_s >= ETA_AFTER_S && f > 0.001)
        clock_text(left, elapsed_s * (1 - f) / f);
    clock_text(sim, (double)now->now_ns * 1e-9);
    count_text(ios, now->ios);
    snprintf(buf, size, "%5.1f %%  eta %s  simulated %s  %s I/Os  %s", 100 * f, left, sim, ios,
             now->job ? now->job : "");
    for (char *p = buf; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 127)
            *p = '?';
    return cut(buf, columns > 1 ? columns - 1 : 0);
}

static unsigned terminal_columns(int fd)
{
    struct winsize w;
    if (ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col > 0)
        return w.ws_col;
    const char *c = getenv("COLUMNS");
    long n = c ? strtol(c, NULL, 10) : 0;
    return n > 0 && n < 10000 ? (unsigned)n : 80;
}

void ana_progress_show(void *ctx, const struct hci_progress *now)
{
    struct ana_progress *p = ctx;
    char text[512];
    if (!p->on)
        return;
    double t = monotonic_s();
    if (t - p->last_s < (p->terminal ? TERMINAL_GAP_S : LINE_GAP_S))
        return;
    p->last_s = t;
    unsigned columns = p->terminal ? terminal_columns(fileno(p->out)) : sizeof text;
    ana_progress_text(text, sizeof text, now, t - p->started_s, columns);
    if (!p->terminal)
        fprintf(p->out, "%s\n", text);
    else if (p->colour)
        fprintf(p->out, "\r\033[36m%s\033[0m\033[K", text);
    else
        fprintf(p->out, "\r%-*s", columns > 1 ? (int)columns - 1 : 0, text);
    fflush(p->out);
    p->shown = true;
}

void ana_progress_clear(struct ana_progress *p)
{
    if (p->shown && p->colour)
        fputs("\r\033[K", p->out);
    else if (p->shown && p->terminal)
        fprintf(p->out, "\r%*s\r", (int)terminal_columns(fileno(p->out)) - 1, "");
    p->shown = false;
    fflush(p->out);
}

/* A signal handler has no argument to reach its run by: the one variable that
 * cannot live in a struct. */
static volatile int interrupted;

static void on_sigint(int sig)
{
    static const char text[] = "\nhcisim: stopping; finished jobs are kept (Ctrl-C again: at once)\n";
    (void)sig;
    interrupted = 1;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        return;
}

const volatile int *ana_interrupt_watch(void)
{
    struct sigaction a;
    memset(&a, 0, sizeof a);
    a.sa_handler = on_sigint;
    a.sa_flags = (int)(SA_RESETHAND | SA_RESTART); /* the second one ends the program */
    sigaction(SIGINT, &a, NULL);
    return &interrupted;
}
