/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_interval.h"

#include <math.h>
#include <string.h>

#include "ana_fio_text.h"
#include "ana_num.h"
#include "ana_view.h"

static const char *const kinds[] = {"batches", "replications", "windows"};

double ana_interval_half(const struct sim_interval *i)
{
    return i->batches > 1 && isfinite(i->half) ? i->half : NAN;
}

static void by_order(const struct sim_hist *h, uint64_t simulated, double pct,
                     struct ana_limits *out)
{
    uint64_t v[3];
    ana_percentile_limits(h, pct, v);
    *out = (struct ana_limits){v[0], v[1], v[2], SIM_DOUBT_FEW, INFINITY};
    if (!ana_resolved(simulated, pct))
        out->doubts |= SIM_DOUBT_UNRESOLVED;
}

void ana_interval_percentiles(const struct hci_dir_result *d, enum hci_lat which, const double *pct,
                              unsigned n, struct ana_limits *out)
{
    const struct sim_hist *h = which == HCI_CLAT ? &d->clat : &d->lat;
    uint64_t simulated = ana_dir_simulated(d, h);
    for (unsigned i = 0; i < n; i++) {
        struct sim_interval s = {.half = INFINITY};
        by_order(h, simulated, pct[i], &out[i]);
        if (d->batches.n > 1 && pct[i] > 0 && pct[i] < 100)
            hci_batches_percentiles(&d->batches, which, h, &pct[i], 1, &s);
        if (!isfinite(s.half) || h->n == 0)
            continue;
        double v = (double)out[i].ns;
        out[i].lo_ns = ana_round(v - s.half);
        out[i].hi_ns = ana_round(v + s.half);
        out[i].relative = v > 0 ? s.half / v : INFINITY;
        out[i].doubts = s.doubts;
        if (!ana_resolved(simulated, pct[i]))
            out[i].doubts |= SIM_DOUBT_UNRESOLVED;
    }
}

/* ---- text ---- */

static void relative(FILE *f, const char *name, double half)
{
    if (isfinite(half))
        fprintf(f, "%s +- %.2g %%", name, 100 * half);
    else
        fprintf(f, "%s unknown", name);
}

static void percentile_halves(FILE *f, const struct hci_job *job, const struct hci_dir_result *d)
{
    double pct[HCI_PERCENTILES_MAX];
    struct ana_limits lim[HCI_PERCENTILES_MAX];
    unsigned n = ana_percentiles(job, pct), shown = 0;
    bool doubtful = false;
    ana_interval_percentiles(d, HCI_CLAT, pct, n, lim);
    for (unsigned i = 0; i < n; i++) {
        char name[16];
        if (pct[i] < 50 || lim[i].doubts & SIM_DOUBT_UNRESOLVED)
            continue;
        snprintf(name, sizeof name, "p%.5g", pct[i]);
        fputs(shown == 0 ? "     | clat " : shown % 5 ? ", " : ",\n     |      ", f);
        relative(f, name, lim[i].relative);
        if (lim[i].doubts)
            fputc('?', f);
        doubtful |= lim[i].doubts != 0;
        shown++;
    }
    if (shown)
        fputc('\n', f);
    if (doubtful)
        fputs("     | ? batches short, few or unlike each other: may be off by more\n", f);
}

static void dir_lines(FILE *f, const struct hci_job_result *j, int dir)
{
    const struct hci_dir_result *d = &j->dir[dir];
    const struct sim_interval *m = &d->mean_i[HCI_CLAT];
    char doubts[128];
    if (d->batches.n < 2 || d->ios == 0)
        return;
    fprintf(f, "  95 %% interval, %s, from %u %s: ", ana_dir_names[dir], m->batches,
            kinds[d->batches.kind]);
    relative(f, "IOPS", hci_relative(&d->iops_i));
    relative(f, ", clat mean", hci_relative(m));
    fprintf(f, ", lag-1 %.2f", m->lag1);
    if (m->doubts)
        fprintf(f, "; unreliable: %s", hci_doubts(m->doubts, doubts, sizeof doubts));
    fputc('\n', f);
    percentile_halves(f, j->job, d);
}

void ana_interval_print(FILE *f, const struct hci_job_result *j)
{
    for (int dir = HCI_DIR_READ; dir <= HCI_DIR_TRIM; dir++)
        dir_lines(f, j, dir);
    if (!j->stopped[0])
        return;
    double all = (double)(j->end_ns - j->ramp_end_ns) * 1e-9, not = (double)j->skipped_ns * 1e-9;
    fprintf(f, "  simulated    : %.3f s of %.3f s", all - not, all);
    if (j->windows)
        fprintf(f, " in %u windows, %u strata", j->windows, j->strata);
    fputs(": ", f);
    ana_text_safe(f, j->stopped);
    fputc('\n', f);
}

/* ---- JSON ---- */

static void json_doubts(struct ana_emit *o, unsigned doubts)
{
    char text[128];
    ana_emit_u64(o, "reliable", doubts == 0);
    ana_emit_str(o, "doubts", hci_doubts(doubts, text, sizeof text));
}

static void json_one(struct ana_emit *o, const char *key, const struct sim_interval *i)
{
    double half = ana_interval_half(i);
    ana_emit_open(o, key, '{');
    ana_emit_f64(o, "estimate", i->estimate);
    ana_emit_f64(o, "lo", isnan(half) ? 0 : i->estimate - half);
    ana_emit_f64(o, "hi", isnan(half) ? 0 : i->estimate + half);
    ana_emit_f64(o, "lag1", i->lag1);
    json_doubts(o, i->doubts);
    ana_emit_close(o, '}');
}

static void json_percentiles(struct ana_emit *o, const struct hci_job *job,
                             const struct hci_dir_result *d)
{
    double pct[HCI_PERCENTILES_MAX];
    struct ana_limits lim[HCI_PERCENTILES_MAX];
    unsigned n = ana_percentiles(job, pct);
    ana_interval_percentiles(d, HCI_CLAT, pct, n, lim);
    ana_emit_open(o, "clat_percentiles", '[');
    for (unsigned i = 0; i < n; i++) {
        ana_emit_open(o, NULL, '{');
        ana_emit_f64(o, "percent", pct[i]);
        ana_emit_u64(o, "ns", lim[i].ns);
        ana_emit_u64(o, "lo_ns", lim[i].lo_ns);
        ana_emit_u64(o, "hi_ns", lim[i].hi_ns);
        ana_emit_u64(o, "resolved", !(lim[i].doubts & SIM_DOUBT_UNRESOLVED));
        json_doubts(o, lim[i].doubts);
        ana_emit_close(o, '}');
    }
    ana_emit_close(o, ']');
}

void ana_interval_json(struct ana_emit *o, const struct hci_job_result *j)
{
    ana_emit_open(o, "intervals", '{');
    for (int dir = 0; dir < HCI_DIRS; dir++) {
        const struct hci_dir_result *d = &j->dir[dir];
        if (d->batches.n < 2 || d->ios == 0)
            continue;
        ana_emit_open(o, ana_dir_names[dir], '{');
        ana_emit_str(o, "from", kinds[d->batches.kind]);
        ana_emit_u64(o, "batches", d->mean_i[HCI_CLAT].batches);
        json_one(o, "iops", &d->iops_i);
        json_one(o, "clat_mean_ns", &d->mean_i[HCI_CLAT]);
        json_one(o, "lat_mean_ns", &d->mean_i[HCI_LAT]);
        json_percentiles(o, j->job, d);
        ana_emit_close(o, '}');
    }
    ana_emit_close(o, '}');
    ana_emit_open(o, "simulated_part", '{');
    ana_emit_u64(o, "skipped_ns", j->skipped_ns);
    ana_emit_u64(o, "windows", j->windows);
    ana_emit_u64(o, "strata", j->strata);
    ana_emit_str(o, "stopped", j->stopped);
    ana_emit_close(o, '}');
}
