/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_calibrate_print.c: what a fit found, as text and as an overlay.
 */
#include "ana_calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ana_file.h"
#include "ana_view.h"

#define CORRELATED 0.95

static void parameters(FILE *f, const struct ana_calibration *c)
{
    char start[ANA_VALUE_LEN], value[ANA_VALUE_LEN], low[ANA_VALUE_LEN], high[ANA_VALUE_LEN];
    fprintf(f, "%-40s %12s %12s   95 %% interval\n", "parameter", "start", "fitted");
    for (unsigned i = 0; i < c->fit.n; i++) {
        const struct ana_knob *k = &c->conf.knobs[i];
        const struct ana_fit_param *p = &c->fit.p[i];
        fprintf(f, "%-40s %12s %12s   ", k->key, ana_knob_text(k, p->start, start),
                ana_knob_text(k, p->value, value));
        if (p->no_effect || p->high / p->low > 100)
            fputs("not determined\n", f);
        else
            fprintf(f, "%s to %s\n", ana_knob_text(k, p->low, low), ana_knob_text(k, p->high, high));
    }
}

/* Without --fit: what was left as it is. */
static void left_alone(FILE *f, const struct ana_calibration *c)
{
    unsigned n = 0;
    if (!c->chosen)
        return;
    fprintf(f, "no --fit: of %u times of the platform those the fitted jobs can tell apart",
            c->noffered);
    for (unsigned i = 0; i < c->noffered; i++) {
        bool fitted = false;
        for (unsigned k = 0; k < c->fit.n; k++)
            fitted |= c->conf.knobs[k].key == c->offered[i];
        if (!fitted)
            fprintf(f, "%s%s", n++ ? ", " : "; left as they are: ", c->offered[i] + sizeof "platform." - 1);
    }
    fputc('\n', f);
}

static void doubts(FILE *f, const struct ana_calibration *c)
{
    const struct ana_fit *fit = &c->fit;
    for (unsigned i = 0; i < fit->n; i++) {
        if (fit->p[i].no_effect)
            fprintf(f, "%s: these observations hardly depend on it (%.2g %% per %%)\n",
                    c->conf.knobs[i].key, fit->p[i].elasticity);
        else if (fit->p[i].at_bound)
            fprintf(f, "%s: ended at a bound; the truth may lie beyond\n", c->conf.knobs[i].key);
        for (unsigned k = 0; k < i; k++)
            if (fabs(fit->corr[i][k]) > CORRELATED && !fit->p[i].no_effect && !fit->p[k].no_effect)
                fprintf(f, "%s and %s: the data cannot tell them apart (correlation %.3f)\n",
                        c->conf.knobs[k].key, c->conf.knobs[i].key, fit->corr[i][k]);
    }
    if (fit->n == fit->m)
        fprintf(f, "as many parameters as observations: the residuals test nothing, the interval "
                   "rests on --noise alone\n");
}

static double off(const struct ana_metric *m)
{
    return m->ratio > 0 ? 100 * (m->ratio - 1) : 0;
}

static void jobs(FILE *f, const struct ana_calibration *c)
{
    fprintf(f, "\n%-20s %-6s %-9s %13s %9s %9s %9s %9s\n", "error, %", "", "", "measured", "mean",
            "mean", "IOPS", "p99");
    fprintf(f, "%-20s %-6s %-9s %13s %9s %9s %9s %9s\n", "job", "", "", "mean, us", "before",
            "fitted", "fitted", "fitted");
    for (unsigned i = 0; i < c->nobserved; i++) {
        const struct ana_observed *o = &c->observed[i];
        fprintf(f, "%-20.20s %-6s %-9s %13.2f %+9.2f %+9.2f %+9.2f %+9.2f\n", o->section,
                ana_dir_names[o->dir], o->fitted ? "fitted" : "held out",
                o->before[ANA_M_MEAN].measured, off(&o->before[ANA_M_MEAN]),
                off(&o->after[ANA_M_MEAN]), off(&o->after[ANA_M_IOPS]), off(&o->after[ANA_M_P99]));
    }
}

double ana_calibrate_held_out(const struct ana_calibration *c, double *mean, const char **worst)
{
    static const int ids[] = {ANA_M_MEAN, ANA_M_IOPS};
    double largest = -1, sum = 0;
    unsigned n = 0;
    *worst = "";
    for (unsigned i = 0; i < c->nobserved; i++)
        for (int k = 0; k < 2 && !c->observed[i].fitted; k++) {
            double x = fabs(off(&c->observed[i].after[ids[k]])) / 100;
            sum += x;
            n++;
            if (x > largest) {
                largest = x;
                *worst = c->observed[i].section;
            }
        }
    *mean = n ? sum / n : 0;
    return largest;
}

void ana_calibrate_text(FILE *f, const struct ana_calibration *c)
{
    char value[ANA_VALUE_LEN];
    double mean;
    const char *worst;
    double largest = ana_calibrate_held_out(c, &mean, &worst);
    fprintf(f, "%u parameter%s, %u observation%s, %u runs of the fitted jobs, seed %llu\n\n",
            c->fit.n, c->fit.n == 1 ? "" : "s", c->fit.m, c->fit.m == 1 ? "" : "s", c->fit.evals,
            (unsigned long long)c->conf.seed);
    parameters(f, c);
    fprintf(f, "residuals, root mean square: %.2f %% before, %.2f %% fitted\n",
            100 * c->fit.rms_start, 100 * c->fit.rms);
    left_alone(f, c);
    doubts(f, c);
    jobs(f, c);
    if (largest >= 0)
        fprintf(f, "\nheld-out error (mean latency and IOPS): %.2f %% on average, %.2f %% at most "
                   "(%s)\n", 100 * mean, 100 * largest, worst);
    else
        fputs("\nno job was held out: the error on other jobs is not known (--hold-out, --on)\n", f);
    fputs("to use it:", f);
    for (unsigned i = 0; i < c->fit.n; i++)
        fprintf(f, " --set '%s=%s'", c->conf.knobs[i].key,
                ana_knob_text(&c->conf.knobs[i], c->fit.p[i].value, value));
    fputc('\n', f);
}

/* The group a key lies in: all before its last name. */
static size_t group_length(const char *key)
{
    const char *dot = strrchr(key, '.');
    return dot ? (size_t)(dot - key) : 0;
}

int ana_overlay_check(const struct ana_calibrate_conf *c, struct sim_err *e)
{
    size_t n = c->nknobs ? group_length(c->knobs[0].key) : 0;
    for (unsigned i = 0; i < c->nknobs; i++) /* those of the platform are one group */
        if (group_length(c->knobs[i].key) != n || n == 0 ||
            strncmp(c->knobs[i].key, c->knobs[0].key, n) != 0)
            return sim_fail(e, SIM_E_INPUT,
                            "-o: an overlay is included in one group, and %s and %s do not lie in "
                            "one: fit them one group after the other", c->knobs[0].key,
                            c->knobs[i].key);
    return SIM_OK;
}

/* A file's own name, for a comment or a quoted string. */
static void plain(FILE *f, const char *s)
{
    const char *slash = strrchr(s, '/');
    s = slash ? slash + 1 : s;
    for (; *s; s++)
        fputc((unsigned char)*s < ' ' || *s == '"' || *s == '\\' ? '_' : *s, f);
}

static void quoted_value(FILE *f, const struct ana_knob *k, double v)
{
    char text[ANA_VALUE_LEN];
    bool quote = k->type == HCI_TIME || k->type == HCI_BYTES || k->type == HCI_RATE;
    fprintf(f, quote ? "\"%s\"" : "%s", ana_knob_text(k, v, text));
}

static void overlay(FILE *f, const struct ana_calibration *c)
{
    const char *first = c->conf.knobs[0].key;
    size_t n = group_length(first);
    fputs("# SPDX-License-Identifier: GPL-3.0-or-later\n# Fitted by hcisim calibrate to ", f);
    plain(f, c->conf.measured[0]);
    if (c->conf.nmeasured > 1)
        fprintf(f, " and %u more", c->conf.nmeasured - 1);
    fprintf(f, ".\n# Put  @include \"THIS-FILE\"  on a line of its own in the group %.*s.\n", (int)n,
            first);
    for (unsigned i = 0; i < c->fit.n; i++) {
        const struct ana_knob *k = &c->conf.knobs[i];
        const struct ana_fit_param *p = &c->fit.p[i];
        fprintf(f, "%s = { value = ", k->key + n + 1);
        quoted_value(f, k, p->value);
        fputs("; source = \"fitted to ", f);
        plain(f, c->conf.measured[0]);
        fprintf(f, ", residual %.2f %%\"; confidence = \"fitted\"; ", 100 * c->fit.rms);
        if (!p->no_effect && p->high / p->low <= 100) {
            fputs("range = [", f);
            quoted_value(f, k, p->low);
            fputs(", ", f);
            quoted_value(f, k, p->high);
            fputs("]; ", f);
        }
        fputs("};\n", f);
    }
}

int ana_overlay_write(const struct ana_calibration *c, struct sim_err *e)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return sim_fail(e, SIM_E_IO, "not enough memory");
    overlay(f, c);
    int rc = fclose(f) == 0 ? ana_file_replace(c->conf.out, text, size, e)
                            : sim_fail(e, SIM_E_IO, "not enough memory");
    free(text);
    return rc;
}
