/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_drift.h"

#include "hci_verdict.h"
#include "sim_assert.h"
#include "sim_stat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST      20 /* intervals; batch means of the line: as many and up to twice that */
#define LEAST_MSER 100
#define MATTERS    0.02 /* of the mean, by the line */
#define SHIFT      0.01 /* of the mean, by what MSER-5 would cut */
#define P_VALUE    0.001
#define NAMED      3 /* gauges in one warning */

struct drift {
    double change; /* over the window, relative; 0: none */
    double warm_s; /* of warm-up, when MSER-5 said so; 0: the line did */
};

/* The line through the batch means of x[n], n >= LEAST, as few left out as can be. */
static struct sim_trend line(const double *x, size_t n)
{
    double batch[2 * LEAST];
    unsigned batches = (unsigned)(n / (n / LEAST));
    sim_stat_batch_means(x, n, batches, batch);
    return sim_stat_trend(batch, batches);
}

static struct drift look(const double *x, size_t n, double interval_s)
{
    struct drift d = {0, 0};
    if (n < LEAST)
        return d;
    struct sim_trend t = line(x, n);
    if (t.p_value < P_VALUE && fabs(t.change) >= MATTERS)
        d.change = t.change;
    if (n < LEAST_MSER || d.change != 0)
        return d;
    size_t cut = sim_stat_mser5(x, n).cut;
    double all = sim_stat_mean(x, n), rest = sim_stat_mean(x + cut, n - cut);
    if (rest > 0 && fabs(all / rest - 1) >= SHIFT) {
        d.change = rest / sim_stat_mean(x, cut) - 1;
        d.warm_s = (double)cut * interval_s;
    }
    return d;
}

/* The last interval is rarely whole. */
static size_t series(const struct hci_dir_result *d, bool latency, double *out)
{
    size_t n = 0;
    for (unsigned i = 0; i + 1 < d->nintervals; i++) {
        const struct hci_interval *v = &d->intervals[i];
        if (!latency)
            out[n++] = (double)v->ios;
        else if (v->ios)
            out[n++] = (double)v->lat_sum_ns / (double)v->ios;
    }
    return n;
}

/* ---- which state moved along ---- */

struct mover {
    const struct hci_state_series *of;
    double share; /* of its largest value, over the window */
};

static int by_share(const void *a, const void *b)
{
    const struct mover *x = a, *y = b;
    if (fabs(x->share) != fabs(y->share))
        return fabs(x->share) < fabs(y->share) ? 1 : -1;
    return strcmp(x->of->name, y->of->name);
}

static bool moves(const struct hci_state_series *s, double *share)
{
    double most = 0;
    if (s->n < LEAST)
        return false;
    for (unsigned i = 0; i < s->n; i++)
        most = fmax(most, fabs(s->value[i]));
    struct sim_trend t = line(s->value, s->n);
    *share = most > 0 ? t.change * fabs(sim_stat_mean(s->value, s->n)) / most : 0;
    return t.p_value < P_VALUE && fabs(*share) >= 0.05;
}

static void name_movers(const struct hci_job_result *j, char *text, size_t size)
{
    struct mover *m = calloc(j->nstates + 1, sizeof *m);
    unsigned n = 0;
    size_t used = 0;
    sim_assert(m != NULL);
    for (unsigned i = 0; i < j->nstates; i++) {
        m[n].of = &j->states[i];
        n += moves(m[n].of, &m[n].share);
    }
    qsort(m, n, sizeof *m, by_share);
    text[0] = '\0';
    for (unsigned i = 0; i < n && i < NAMED && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s %s", i ? ", " : "", m[i].of->name,
                                 m[i].share > 0 ? "rose" : "fell");
    if (n == 0)
        snprintf(text, size, "none of the tracked states moved steadily");
    free(m);
}

void hci_drift_check(struct hci_job_result *j)
{
    static const char *const dirs[] = {"read", "write", "trim"};
    for (unsigned d = HCI_DIR_READ; d <= HCI_DIR_TRIM; d++) {
        double *x = calloc(j->dir[d].nintervals + 1, sizeof *x);
        /* Latency first: in a closed loop the other says the same. */
        bool latency = true;
        double interval_s = (double)j->interval_ns * 1e-9;
        sim_assert(x != NULL);
        struct drift found = look(x, series(&j->dir[d], latency, x), interval_s);
        if (found.change == 0) {
            latency = false;
            found = look(x, series(&j->dir[d], latency, x), interval_s);
        }
        free(x);
        if (found.change == 0)
            continue;
        char movers[160], text[256], warm[48] = "";
        name_movers(j, movers, sizeof movers);
        if (found.warm_s > 0)
            snprintf(warm, sizeof warm, " after the first %.3g s", found.warm_s);
        snprintf(text, sizeof text, "measured while it drifted: %s %s %s by %.0f %%%s; %s", dirs[d],
                 latency ? "latency" : "IOPS", found.change > 0 ? "rose" : "fell",
                 fabs(100 * found.change), warm, movers);
        hci_job_warn(j, text);
    }
}
