/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_calibrate_choose.c: which constants of a platform the observations can tell.
 *
 * Every constant is moved by a tenth, and each gets the vector of what that does
 * to the observations. The one with the largest vector is taken, its direction
 * is removed from the others, and so on, as long as what remains of a vector is
 * more than noise and more than a fraction of what it was (a QR decomposition
 * with pivots, cut off).
 */
#include "ana_calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hci_kind.h"
#include "hci_param.h"

#define STEP 1.1       /* factor by which a constant is moved */
#define LEAST 0.02     /* % per %: what still counts as an effect, root mean square */
#define INDEPENDENT 0.3 /* share of a vector that the ones taken do not explain */

void ana_calibrate_offer(struct ana_calibration *c, const struct hci_layout *lay)
{
    struct ana_calibrate_conf *conf = &c->conf;
    const struct hci_param *row = lay->platform->k.params;
    c->chosen = true;
    for (; row->key && conf->nknobs < ANA_FIT_MAX; row++) {
        bool moves = row->effect && (strstr(row->effect, "lat") || strstr(row->effect, "iops"));
        uint64_t v;
        if (row->type != HCI_TIME || !moves)
            continue;
        memcpy(&v, (const char *)lay->platform_conf + row->offset, sizeof v);
        if (v == 0 || v == HCI_AUTO)
            continue;
        char *key = c->offered[conf->nknobs];
        snprintf(key, sizeof c->offered[0], "platform.%.50s", row->key);
        conf->knobs[conf->nknobs++] = (struct ana_knob){.key = key};
    }
    c->noffered = conf->nknobs;
}

static double dot(const double *a, const double *b, unsigned m)
{
    double sum = 0;
    for (unsigned i = 0; i < m; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Fills effect[n * m]: d ln(observation) / d ln(constant). */
static int effects(struct ana_calibration *c, double *effect, struct sim_err *e)
{
    const struct ana_fit *fit = &c->fit;
    double value[ANA_FIT_MAX], *base = calloc(fit->m, sizeof *base);
    if (!base)
        return sim_fail(e, SIM_E_IO, "not enough memory");
    for (unsigned i = 0; i < fit->n; i++)
        value[i] = fit->p[i].start;
    int rc = fit->eval(fit->ctx, value, base, e);
    for (unsigned i = 0; rc == SIM_OK && i < fit->n; i++) {
        double *v = effect + i * fit->m;
        value[i] *= STEP;
        rc = fit->eval(fit->ctx, value, v, e);
        value[i] = fit->p[i].start;
        for (unsigned k = 0; k < fit->m; k++)
            v[k] = (v[k] - base[k]) / log(STEP);
    }
    free(base);
    return rc;
}

/* Marks those to keep; returns how many. */
static unsigned choose(double *effect, unsigned n, unsigned m, bool *taken)
{
    double whole[ANA_FIT_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++)
        whole[i] = sqrt(dot(effect + i * m, effect + i * m, m));
    while (count < m) {
        int best = -1;
        double most = LEAST * sqrt(m);
        for (unsigned i = 0; i < n; i++) {
            double left = sqrt(dot(effect + i * m, effect + i * m, m));
            if (!taken[i] && left > most && left > INDEPENDENT * whole[i]) {
                most = left;
                best = (int)i;
            }
        }
        if (best < 0)
            break;
        const double *q = effect + (unsigned)best * m;
        taken[best] = true;
        count++;
        for (unsigned i = 0; i < n; i++) {
            double *v = effect + i * m, along = dot(v, q, m) / (most * most);
            for (unsigned k = 0; !taken[i] && k < m; k++)
                v[k] -= along * q[k];
        }
    }
    return count;
}

int ana_calibrate_choose(struct ana_calibration *c, struct sim_err *e)
{
    bool taken[ANA_FIT_MAX] = {false};
    struct ana_calibrate_conf *conf = &c->conf;
    unsigned n = 0;
    double *effect = calloc((size_t)c->fit.n * c->fit.m + 1, sizeof *effect);
    if (!effect)
        return sim_fail(e, SIM_E_IO, "not enough memory");
    int rc = c->fit.m > 0 ? effects(c, effect, e) : SIM_OK;
    if (rc == SIM_OK && c->fit.m > 0)
        choose(effect, c->fit.n, c->fit.m, taken);
    for (unsigned i = 0; i < c->fit.n; i++)
        if (taken[i]) {
            conf->knobs[n] = conf->knobs[i];
            c->fit.p[n++] = c->fit.p[i];
        }
    free(effect);
    conf->nknobs = c->fit.n = n;
    if (rc == SIM_OK && n == 0)
        rc = sim_fail(e, SIM_E_INPUT, "none of the platform's constants moves what is fitted: name "
                                      "others with --fit KEY");
    return rc;
}
