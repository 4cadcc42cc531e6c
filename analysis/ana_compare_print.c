/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_compare_print.c: a comparison as text and as JSON.
 */
#include "ana_compare.h"

#include <math.h>
#include <string.h>

#include "ana_emit.h"
#include "ana_fio_text.h"
#include "ana_view.h"

const char *const ana_metric_names[ANA_METRICS] = {"IOPS", "MB/s", "mean",  "p50",
                                                   "p95",  "p99",  "p99.9", "p99.99"};
const char *const ana_metric_units[ANA_METRICS] = {"", "", "us", "us", "us", "us", "us", "us"};
const char *const ana_verdict_names[6] = {"-", "unresolved", "same", "close", "HIGH", "LOW"};

enum { HALF = 12 }; /* places on each side of the middle of the ratio scale */

static void value(FILE *f, double v)
{
    if (v > 0)
        fprintf(f, "%13.*f", v >= 10000 ? 0 : v >= 100 ? 1 : 2, v);
    else
        fprintf(f, "%13s", "-");
}

static void metrics(FILE *f, const struct ana_pair *p)
{
    fprintf(f, "  %-10s%13s%13s%9s  verdict\n", "", "simulated", "measured", "ratio");
    for (int i = 0; i < ANA_METRICS; i++) {
        const struct ana_metric *m = &p->m[i];
        char name[24];
        snprintf(name, sizeof name, "%s%s%s", ana_metric_names[i], i >= ANA_M_MEAN ? " " : "",
                 ana_metric_units[i]);
        fprintf(f, "  %-10s", name);
        value(f, m->sim);
        value(f, m->measured);
        if (m->verdict == ANA_V_ABSENT)
            fprintf(f, "%9s  -\n", "-");
        else
            fprintf(f, "%9.3f  %s\n", m->ratio, ana_verdict_names[m->verdict]);
    }
}

/* A mark on a scale from half to double, `|` at 1. */
static void scale(FILE *f, double ratio)
{
    char bar[2 * HALF + 2];
    double at = HALF + HALF * log2(ratio);
    int i = at < 0 ? 0 : at > 2 * HALF ? 2 * HALF : (int)(at + 0.5);
    memset(bar, '.', 2 * HALF + 1);
    bar[2 * HALF + 1] = '\0';
    bar[HALF] = '|';
    bar[i] = '*';
    fprintf(f, "%s\n", bar);
}

static void quantiles(FILE *f, const struct ana_pair *p)
{
    if (p->nq == 0)
        return;
    fprintf(f, "  quantile by quantile, %s in us; the mark runs from half to double\n", p->kind);
    for (unsigned i = 0; i < p->nq; i++) {
        const struct ana_quantile *q = &p->q[i];
        fprintf(f, "  %8g %%", q->pct);
        value(f, q->sim_us);
        value(f, q->measured_us);
        fprintf(f, "%9.3f  ", q->sim_us / q->measured_us);
        scale(f, q->sim_us / q->measured_us);
    }
}

static void one_pair(FILE *f, const struct ana_pair *p)
{
    ana_text_safe(f, p->sim->name);
    fprintf(f, ", %s (%s: ", ana_dir_names[p->dir], p->by_options ? "by options" : "by name");
    ana_text_safe(f, p->file);
    if (p->by_options) {
        fputs(", job ", f);
        ana_text_safe(f, p->measured->name);
    }
    fprintf(f, "; mean of %s, percentiles of %s)\n", p->mean_kind, p->kind);
    metrics(f, p);
    quantiles(f, p);
    if (p->has_ks && p->ks > 0)
        fprintf(f, "  Kolmogorov-Smirnov distance %.4f, at %.2f us (%llu and %llu samples)\n", p->ks,
                p->ks_us, (unsigned long long)p->n_sim, (unsigned long long)p->n_measured);
    else if (p->has_ks)
        fprintf(f, "  Kolmogorov-Smirnov distance 0\n");
    else
        fprintf(f, "  Kolmogorov-Smirnov distance: needs bins on both sides (json+ or HDF5)\n");
    fputc('\n', f);
}

static void findings(FILE *f, const struct ana_comparison *c)
{
    if (c->nfindings == 0)
        return;
    fputs("The measurement is suspect:\n", f);
    for (unsigned i = 0; i < c->nfindings; i++) {
        const struct ana_finding *x = &c->findings[i];
        fprintf(f, "  %-8s", x->code);
        ana_text_safe(f, x->file);
        if (x->job[0]) {
            fputs(": ", f);
            ana_text_safe(f, x->job);
        }
        fputs(": ", f);
        ana_text_safe(f, x->text);
        fputc('\n', f);
    }
    fputc('\n', f);
}

void ana_compare_text(FILE *f, const struct ana_comparison *c)
{
    for (unsigned i = 0; i < c->npairs; i++)
        one_pair(f, &c->pairs[i]);
    findings(f, c);
    for (unsigned i = 0; i < c->nnotes; i++) {
        fputs("note: ", f);
        ana_text_safe(f, c->notes[i]);
        fputc('\n', f);
    }
    fprintf(f, "%u of %u figures within %g %%%s\n", c->njudged - c->nout, c->njudged,
            c->tolerance_pct > 0 ? c->tolerance_pct : 20.0,
            c->tolerance_pct > 0 ? "" : " (--tolerance sets another limit)");
}

static void json_pair(struct ana_emit *o, const struct ana_pair *p)
{
    ana_emit_open(o, NULL, '{');
    ana_emit_str(o, "job", p->sim->name);
    ana_emit_str(o, "direction", ana_dir_names[p->dir]);
    ana_emit_str(o, "file", p->file);
    ana_emit_str(o, "measured_job", p->measured->name);
    ana_emit_str(o, "matched_by", p->by_options ? "options" : "name");
    ana_emit_str(o, "mean_of", p->mean_kind);
    ana_emit_str(o, "percentiles_of", p->kind);
    ana_emit_open(o, "metrics", '[');
    for (int i = 0; i < ANA_METRICS; i++) {
        const struct ana_metric *m = &p->m[i];
        if (m->verdict == ANA_V_ABSENT)
            continue;
        ana_emit_open(o, NULL, '{');
        ana_emit_str(o, "name", ana_metric_names[i]);
        ana_emit_str(o, "unit", ana_metric_units[i]);
        ana_emit_f64(o, "simulated", m->sim);
        ana_emit_f64(o, "measured", m->measured);
        ana_emit_f64(o, "ratio", m->ratio);
        ana_emit_str(o, "verdict", ana_verdict_names[m->verdict]);
        ana_emit_close(o, '}');
    }
    ana_emit_close(o, ']');
    ana_emit_open(o, "quantiles", '[');
    for (unsigned i = 0; i < p->nq; i++) {
        ana_emit_open(o, NULL, '{');
        ana_emit_f64(o, "percent", p->q[i].pct);
        ana_emit_f64(o, "simulated_us", p->q[i].sim_us);
        ana_emit_f64(o, "measured_us", p->q[i].measured_us);
        ana_emit_close(o, '}');
    }
    ana_emit_close(o, ']');
    if (p->has_ks) {
        ana_emit_f64(o, "ks_distance", p->ks);
        ana_emit_f64(o, "ks_at_us", p->ks_us);
    }
    ana_emit_close(o, '}');
}

void ana_compare_json(FILE *f, const struct ana_comparison *c)
{
    struct ana_emit o = {.f = f};
    ana_emit_open(&o, NULL, '{');
    ana_emit_str(&o, "schema", "hcisim-compare/1");
    ana_emit_f64(&o, "tolerance_percent", c->tolerance_pct > 0 ? c->tolerance_pct : 20.0);
    ana_emit_u64(&o, "out_of_tolerance", c->nout);
    ana_emit_open(&o, "pairs", '[');
    for (unsigned i = 0; i < c->npairs; i++)
        json_pair(&o, &c->pairs[i]);
    ana_emit_close(&o, ']');
    ana_emit_open(&o, "suspect", '[');
    for (unsigned i = 0; i < c->nfindings; i++) {
        ana_emit_open(&o, NULL, '{');
        ana_emit_str(&o, "code", c->findings[i].code);
        ana_emit_str(&o, "file", c->findings[i].file);
        ana_emit_str(&o, "job", c->findings[i].job);
        ana_emit_str(&o, "text", c->findings[i].text);
        ana_emit_close(&o, '}');
    }
    ana_emit_close(&o, ']');
    ana_emit_open(&o, "notes", '[');
    for (unsigned i = 0; i < c->nnotes; i++)
        ana_emit_str(&o, NULL, c->notes[i]);
    ana_emit_close(&o, ']');
    ana_emit_close(&o, '}');
    fputc('\n', f);
}
