/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_plot.h"

#include <math.h>
#include <string.h>

#include "ana_fio_text.h"
#include "ana_num.h"
#include "ana_view.h"

enum { WIDTH = 48 };

static const double rows[] = {99.99, 99.9, 99.5, 99, 95, 90, 75, 50, 25, 10, 5, 1};
#define ROWS (sizeof rows / sizeof *rows)

struct scale {
    uint64_t lo, hi; /* ns */
};

static unsigned column(const struct scale *s, uint64_t ns)
{
    double at = log((double)ns / (double)s->lo) / log((double)s->hi / (double)s->lo);
    return at <= 0 ? 0 : at >= 1 ? WIDTH - 1 : (unsigned)(at * (WIDTH - 1) + 0.5);
}

static void mark(char *line, unsigned at, char c)
{
    line[at] = line[at] == ' ' ? c : '*';
}

/* From the lowest to the highest percentile that is drawn. False: nothing is. */
static bool span(const struct hci_job_result *j, struct scale *s)
{
    *s = (struct scale){UINT64_MAX, 0};
    for (int d = HCI_DIR_READ; d <= HCI_DIR_TRIM; d++) {
        const struct sim_hist *h = &j->dir[d].clat;
        uint64_t n = ana_dir_simulated(&j->dir[d], h);
        for (unsigned i = 0; h->n && i < ROWS; i++) {
            uint64_t v = sim_hist_percentile(h, rows[i]);
            if (!ana_resolved(n, rows[i]) || v == 0)
                continue;
            s->lo = sim_min(s->lo, v);
            s->hi = sim_max(s->hi, v);
        }
    }
    if (s->hi == 0)
        return false;
    s->lo -= s->lo / 10;
    s->hi += s->hi / 10 + 1;
    return s->lo > 0;
}

static void row(FILE *f, const struct hci_job_result *j, const struct scale *s, double pct)
{
    static const char letter[] = "rwt";
    char line[WIDTH + 1], values[64] = "";
    size_t n = 0;
    memset(line, ' ', WIDTH);
    line[WIDTH] = '\0';
    for (int d = HCI_DIR_READ; d <= HCI_DIR_TRIM; d++) {
        const struct sim_hist *h = &j->dir[d].clat;
        if (h->n == 0 || !ana_resolved(ana_dir_simulated(&j->dir[d], h), pct))
            continue;
        uint64_t v = sim_hist_percentile(h, pct);
        mark(line, column(s, v), letter[d]);
        n += (size_t)snprintf(values + n, sizeof values - n, " %c%-9.4g", letter[d],
                              (double)v / 1000);
    }
    while (n > 0 && values[n - 1] == ' ')
        values[--n] = '\0';
    if (n > 0)
        fprintf(f, "  %5.5g %% |%s|%s\n", pct, line, values);
}

/* The axis, with its ends and its middle in us. */
static void axis(FILE *f, const struct scale *s)
{
    char line[WIDTH + 1];
    double mid = sqrt((double)s->lo * (double)s->hi);
    memset(line, '-', WIDTH);
    line[WIDTH / 2] = '+';
    line[WIDTH] = '\0';
    fprintf(f, "          +%s+\n", line);
    fprintf(f, "          %-20.4g%10.4g%20.4g us\n", (double)s->lo / 1000, mid / 1000,
            (double)s->hi / 1000);
}

void ana_plot_print(FILE *f, const struct hci_result *r)
{
    for (unsigned i = 0; i < r->njobs; i++) {
        struct scale s;
        fputs("\nlatency of ", f);
        ana_text_safe(f, r->jobs[i].name);
        if (!span(&r->jobs[i], &s)) {
            fputs(": too few I/Os to draw\n", f);
            continue;
        }
        fputs(" (clat; r read, w write, * both; us)\n", f);
        for (unsigned k = 0; k < ROWS; k++)
            row(f, &r->jobs[i], &s, rows[k]);
        axis(f, &s);
    }
}
