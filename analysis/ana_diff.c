/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_diff.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "ana_emit.h"
#include "ana_fio_text.h"
#include "ana_num.h"
#include "ana_view.h"

static const char *const metric_names[ANA_DIFF_METRICS] = {"IOPS", "mean", "p99"};
static const char *const metric_keys[ANA_DIFF_METRICS] = {"iops", "clat_mean_ns", "clat_p99_ns"};

static double value_of(const struct hci_slice *s, int metric)
{
    if (metric == ANA_DIFF_IOPS)
        return s->ns ? (double)s->ios * 1e9 / (double)s->ns : 0;
    if (metric == ANA_DIFF_MEAN)
        return s->ios ? (double)s->sum[HCI_CLAT] / (double)s->ios : 0;
    return hci_slice_percentile(s, HCI_CLAT, 99);
}

static void compare(const struct hci_batches *a, const struct hci_batches *b, int metric,
                    struct ana_diff *out)
{
    double x[ANA_DIFF_REPS_MAX], y[ANA_DIFF_REPS_MAX], d[ANA_DIFF_REPS_MAX];
    unsigned n = a->n;
    out->resolved = true;
    for (unsigned i = 0; i < n; i++) {
        x[i] = value_of(&a->slice[i], metric);
        y[i] = value_of(&b->slice[i], metric);
        d[i] = y[i] - x[i];
        if (metric == ANA_DIFF_P99)
            out->resolved &= ana_resolved(a->slice[i].ios, 99) && ana_resolved(b->slice[i].ios, 99);
    }
    out->a = sim_stat_mean(x, n);
    out->b = sim_stat_mean(y, n);
    out->diff = sim_stat_paired_interval(y, x, n, HCI_LEVEL);
    double sa = sim_stat_sd(x, n), sb = sim_stat_sd(y, n), sd = sim_stat_sd(d, n);
    out->gain = sd > 0 ? (sa * sa + sb * sb) / (sd * sd) : 0;
}

bool ana_diff_dir(const struct hci_result *a, const struct hci_result *b, unsigned job, int dir,
                  struct ana_diff out[ANA_DIFF_METRICS])
{
    const struct hci_batches *x = &a->jobs[job].dir[dir].batches;
    const struct hci_batches *y = &b->jobs[job].dir[dir].batches;
    if (x->kind != HCI_BATCH_REPS || y->kind != HCI_BATCH_REPS || x->n != y->n || x->n < 2 ||
        x->n > ANA_DIFF_REPS_MAX)
        return false;
    for (int m = 0; m < ANA_DIFF_METRICS; m++)
        compare(x, y, m, &out[m]);
    return true;
}

/* ---- text ---- */

static const char *figure(char buf[ANA_NUM_LEN], double v, int metric)
{
    if (metric == ANA_DIFF_IOPS)
        snprintf(buf, ANA_NUM_LEN, "%.0f", v);
    else
        snprintf(buf, ANA_NUM_LEN, "%.2f us", v / 1e3);
    return buf;
}

static void row(FILE *f, const char *what, const struct ana_diff *d, int metric)
{
    char a[ANA_NUM_LEN], b[ANA_NUM_LEN], diff[ANA_NUM_LEN], half[ANA_NUM_LEN], gain[24] = "-";
    double percent = d->a > 0 ? 100 * d->diff.estimate / d->a : 0;
    fprintf(f, "  %-6s %-5s", what, metric_names[metric]);
    if (!d->resolved) {
        fputs(" unresolved: fewer than 100 samples of a replication lie beyond it\n", f);
        return;
    }
    if (d->gain > 0)
        snprintf(gain, sizeof gain, "%.1f", d->gain);
    bool sure = fabs(d->diff.estimate) > d->diff.half;
    fprintf(f, "%14s%14s%14s +-%12s %+8.2f %% %s %8s\n", figure(a, d->a, metric),
            figure(b, d->b, metric), figure(diff, d->diff.estimate, metric),
            figure(half, d->diff.half, metric), percent, sure ? "*" : " ", gain);
}

void ana_diff_print(FILE *f, const struct hci_result *a, const struct hci_result *b)
{
    struct ana_diff d[ANA_DIFF_METRICS];
    fputs("A: ", f);
    ana_text_safe(f, a->layout_name);
    fputs("\nB: ", f);
    ana_text_safe(f, b->layout_name);
    fprintf(f,
            "\n%u pairs of replications, seed %" PRIu64 "; 95 %% intervals of B - A; * is not 0\n",
            a->reps, a->seed);
    fprintf(f, "\n  %-12s%14s%14s%14s   %12s %10s %10s\n", "", "A", "B", "B - A", "", "",
            "pairing");
    for (unsigned i = 0; i < a->njobs && i < b->njobs; i++) {
        ana_text_safe(f, a->jobs[i].name);
        fputc('\n', f);
        for (int dir = HCI_DIR_READ; dir <= HCI_DIR_TRIM; dir++)
            for (int m = 0; m < ANA_DIFF_METRICS && ana_diff_dir(a, b, i, dir, d); m++)
                row(f, ana_dir_names[dir], &d[m], m);
    }
    fputs("\npairing: so many times fewer replications than independent ones would need\n", f);
}

/* ---- JSON ---- */

static void json_metric(struct ana_emit *o, const struct ana_diff *d, int metric)
{
    ana_emit_open(o, metric_keys[metric], '{');
    ana_emit_u64(o, "resolved", d->resolved);
    ana_emit_f64(o, "a", d->a);
    ana_emit_f64(o, "b", d->b);
    ana_emit_f64(o, "difference", d->diff.estimate);
    ana_emit_f64(o, "lo", d->diff.estimate - d->diff.half);
    ana_emit_f64(o, "hi", d->diff.estimate + d->diff.half);
    ana_emit_f64(o, "pairing_gain", d->gain);
    ana_emit_close(o, '}');
}

static void json_job(struct ana_emit *o, const struct hci_result *a, const struct hci_result *b,
                     unsigned i)
{
    struct ana_diff d[ANA_DIFF_METRICS];
    ana_emit_open(o, NULL, '{');
    ana_emit_str(o, "jobname", a->jobs[i].name);
    for (int dir = HCI_DIR_READ; dir <= HCI_DIR_TRIM; dir++) {
        if (!ana_diff_dir(a, b, i, dir, d))
            continue;
        ana_emit_open(o, ana_dir_names[dir], '{');
        for (int m = 0; m < ANA_DIFF_METRICS; m++)
            json_metric(o, &d[m], m);
        ana_emit_close(o, '}');
    }
    ana_emit_close(o, '}');
}

void ana_diff_json(FILE *f, const struct hci_result *a, const struct hci_result *b)
{
    struct ana_emit o = {.f = f};
    char seed[24];
    ana_emit_open(&o, NULL, '{');
    ana_emit_str(&o, "schema", "hcisim-diff/1");
    ana_emit_str(&o, "a", a->layout_name);
    ana_emit_str(&o, "b", b->layout_name);
    snprintf(seed, sizeof seed, "%" PRIu64, a->seed);
    ana_emit_str(&o, "seed", seed);
    ana_emit_u64(&o, "pairs", a->reps);
    ana_emit_open(&o, "jobs", '[');
    for (unsigned i = 0; i < a->njobs && i < b->njobs; i++)
        json_job(&o, a, b, i);
    ana_emit_close(&o, ']');
    ana_emit_close(&o, '}');
    fputc('\n', f);
}
