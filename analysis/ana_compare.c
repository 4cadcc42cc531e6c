/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_compare.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "ana_cli.h"

enum { FINDINGS = 256 };

void ana_find(struct ana_comparison *c, const char *file, const char *job, const char *code,
              const char *fmt, ...)
{
    if (c->nfindings == FINDINGS)
        return;
    struct ana_finding *f = &c->findings[c->nfindings++];
    va_list ap;
    f->file = file ? file : "";
    snprintf(f->job, sizeof f->job, "%s", job ? job : "");
    snprintf(f->code, sizeof f->code, "%s", code);
    va_start(ap, fmt);
    vsnprintf(f->text, sizeof f->text, fmt, ap);
    va_end(ap);
}

void ana_note(struct ana_comparison *c, const char *fmt, ...)
{
    va_list ap;
    if (c->nnotes == FINDINGS)
        return;
    va_start(ap, fmt);
    vsnprintf(c->notes[c->nnotes++], sizeof *c->notes, fmt, ap);
    va_end(ap);
}

static int add_pairs(struct ana_comparison *c, struct ana_pair p)
{
    for (p.dir = ANA_READ; p.dir <= ANA_TRIM; p.dir++) {
        if (p.measured->dir[p.dir].ios == 0 || p.sim->dir[p.dir].ios == 0)
            continue;
        struct ana_pair *more = realloc(c->pairs, (c->npairs + 1) * sizeof *more);
        if (!more)
            return SIM_E_IO;
        c->pairs = more;
        more[c->npairs] = p;
        ana_pair_fill(&more[c->npairs], c->tolerance_pct);
        for (int i = 0; i < ANA_METRICS; i++) {
            c->njudged += more[c->npairs].m[i].verdict >= ANA_V_SAME;
            c->nout += more[c->npairs].m[i].verdict >= ANA_V_HIGH;
        }
        c->npairs++;
    }
    return SIM_OK;
}

static void note_unmatched(struct ana_comparison *c, const struct ana_source *src,
                           const char *name, const struct ana_measured *sim)
{
    const char *names[256];
    unsigned n = 0;
    for (; n < sim->njobs && n < 256; n++)
        names[n] = sim->jobs[n].name;
    const char *near = ana_nearest(name, names, n);
    ana_note(c, "%s: job '%.100s' was not simulated%s%s", src->path, name,
             near ? "; nearest: " : "", near ? near : "");
}

static int compare_file(struct ana_comparison *c, const struct ana_source *src,
                        const struct ana_measured *sim, const char *sim_path, bool *used,
                        struct sim_err *e)
{
    unsigned matched = 0;
    ana_suspect_file(c, src);
    for (unsigned i = 0; i < src->m->njobs; i++) {
        const struct ana_measured_job *j = &src->m->jobs[i];
        struct ana_pair p = {.measured = j, .file = src->path};
        p.sim = ana_match(sim, j, &p.by_options);
        ana_suspect_job(c, src, j, sim, p.sim);
        if (!p.sim) {
            note_unmatched(c, src, j->name, sim);
            continue;
        }
        matched++;
        used[p.sim - sim->jobs] = true;
        if (add_pairs(c, p) != SIM_OK)
            return sim_fail(e, SIM_E_IO, "not enough memory");
        if (j->worst_pct)
            ana_note(c, "%s: job '%.100s' has no bins: percentiles are those of its worst clone",
                     src->path, j->name);
    }
    if (src->m->njobs == 0)
        return sim_fail_at(e, SIM_E_INPUT, src->path, 0, "it holds no jobs");
    if (matched == 0)
        return sim_fail_at(e, SIM_E_INPUT, src->path, 0,
                           "none of its %u jobs (first: '%.60s') is in %s (first: '%.60s'), by name "
                           "or by rw, bs, iodepth and numjobs", src->m->njobs,
                           src->m->jobs[0].name, sim_path,
                           sim->njobs ? sim->jobs[0].name : "");
    return SIM_OK;
}

int ana_compare(struct ana_comparison *c, const struct ana_measured *sim, const char *sim_path,
                const struct ana_source *sources, unsigned nsources, double tolerance_pct,
                struct sim_err *e)
{
    memset(c, 0, sizeof *c);
    c->tolerance_pct = tolerance_pct;
    c->findings = calloc(FINDINGS, sizeof *c->findings);
    c->notes = calloc(FINDINGS, sizeof *c->notes);
    bool *used = calloc(sim->njobs + 1, sizeof *used);
    int rc = SIM_OK;
    if (!c->findings || !c->notes || !used)
        rc = sim_fail(e, SIM_E_IO, "not enough memory");
    for (unsigned i = 0; rc == SIM_OK && i < nsources; i++)
        rc = compare_file(c, &sources[i], sim, sim_path, used, e);
    for (unsigned i = 0; rc == SIM_OK && i < sim->njobs; i++)
        if (!used[i])
            ana_note(c, "%s: job '%.100s' was not measured", sim_path, sim->jobs[i].name);
    free(used);
    return rc;
}

void ana_comparison_free(struct ana_comparison *c)
{
    free(c->pairs);
    free(c->findings);
    free(c->notes);
}
