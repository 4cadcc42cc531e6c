/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_curve.h"

#include "hci_layout.h"
#include "hci_run.h"
#include "workload/hci_job.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS     11
#define POINTS_MAX 10000
#define MIN_IOS    3000 /* a mean within about one percent */
#define RUN_MS     100
#define RUN_MAX_MS 60000
#define HEADER     "device,rw,bs,qd,jobs,engine,kiops,mean_us,use,tolerance,source"
#define USES       5

static const char *const uses[USES] = {"", "fit", "held-out", "label",
                                       "not-met"}; /* enum ana_use */

const char *ana_use_name(int use)
{
    return use >= 0 && use < USES ? uses[use] : "";
}

/* ---- reading ---- */

/* Cuts a line at its commas, quotes respected. Returns the number of fields. */
static unsigned cut(char *line, char *field[FIELDS + 1])
{
    unsigned n = 0;
    char *p = line;
    while (n <= FIELDS) {
        int quoted = *p == '"';
        p += quoted;
        field[n++] = p;
        p += strcspn(p, quoted ? "\"\n" : ",\n");
        if (quoted && *p == '"')
            *p++ = '\0';
        int more = *p == ',';
        if (!*p || !more) {
            *p = '\0';
            return n;
        }
        *p++ = '\0';
    }
    return n;
}

static bool number(const char *text, double min, double max, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && !*end && isfinite(*out) && *out >= min && *out <= max;
}

static bool whole(const char *text, double min, double max, uint64_t *out)
{
    double v;
    bool ok = number(text, min, max, &v);
    *out = ok ? (uint64_t)v : 0;
    return ok && v == floor(v);
}

static int find_use(const char *text)
{
    for (int i = 1; i < USES; i++)
        if (strcmp(text, uses[i]) == 0)
            return i;
    return ANA_USE_NONE;
}

static bool point(struct ana_point *p, char *const *f, int line)
{
    *p = (struct ana_point){.line = line, .use = find_use(f[8])};
    snprintf(p->device, sizeof p->device, "%s", f[0]);
    snprintf(p->rw, sizeof p->rw, "%s", f[1]);
    snprintf(p->engine, sizeof p->engine, "%s", f[5]);
    snprintf(p->source, sizeof p->source, "%s", f[10]);
    return whole(f[2], 512, 1 << 30, &p->bytes) && whole(f[3], 1, 65536, &p->depth) &&
           whole(f[4], 1, 1024, &p->jobs) && number(f[6], 1e-6, 1e9, &p->kiops) &&
           number(f[7], 0, 1e12, &p->mean_us) && number(f[9], 0, 1000, &p->tolerance) &&
           p->use != ANA_USE_NONE;
}

static int read_lines(FILE *f, const char *path, struct ana_point **points, unsigned *n,
                      struct sim_err *e)
{
    char text[512], *field[FIELDS + 1];
    bool header = false;
    for (int line = 1; fgets(text, sizeof text, f); line++) {
        if (text[0] == '#' || text[0] == '\n')
            continue;
        if (!header) {
            header = strncmp(text, HEADER, strlen(HEADER)) == 0;
            if (!header)
                return sim_fail_at(e, SIM_E_INPUT, path, line, "the header is not %s", HEADER);
            continue;
        }
        if (*n == POINTS_MAX)
            return sim_fail_at(e, SIM_E_INPUT, path, line, "more than %d points", POINTS_MAX);
        struct ana_point *more = realloc(*points, (*n + 1) * sizeof *more);
        if (!more)
            return sim_fail_at(e, SIM_E_IO, path, line, "out of memory");
        *points = more;
        if (cut(text, field) != FIELDS || !point(&more[*n], field, line))
            return sim_fail_at(e, SIM_E_INPUT, path, line, "not a point: %s", HEADER);
        ++*n;
    }
    return ferror(f) ? sim_fail_at(e, SIM_E_IO, path, 0, "%s", strerror(errno)) : SIM_OK;
}

int ana_curve_read(struct ana_point **points, unsigned *n, const char *dir, struct sim_err *e)
{
    char path[1100];
    *points = NULL;
    *n = 0;
    snprintf(path, sizeof path, "%s/curves.csv", dir);
    FILE *f = fopen(path, "r");
    if (!f)
        return sim_fail_at(e, SIM_E_INPUT, path, 0, "%s", strerror(errno));
    int rc = read_lines(f, path, points, n, e);
    fclose(f);
    if (rc != SIM_OK) {
        free(*points);
        *points = NULL;
        *n = 0;
    }
    return rc;
}

/* ---- simulating ---- */

static int load_layout(struct hci_layout **lay, const struct ana_point *p, const char *dir,
                       struct sim_err *e)
{
    char path[1100];
    const struct hci_set sets[] = {{"device", p->device},
                                   {"platform.io_uring_submit", "0 ns"},
                                   {"platform.io_uring_complete", "0 ns"},
                                   {"platform.io_uring_irq", "0 ns"},
                                   {"platform.host_core_limit", "false"}};
    snprintf(path, sizeof path, "%s/layouts/one-device.cfg", dir);
    return hci_layout_load(lay, path, sets, strcmp(p->engine, "spdk") == 0 ? 5 : 1, e);
}

static int load_jobs(struct hci_jobfile **jobs, const struct ana_point *p, const char *dir,
                     unsigned ms, struct sim_err *e)
{
    char path[1100], word[7][48];
    const char *paths[] = {path}, *list[8];
    bool bare = strcmp(p->engine, "spdk") == 0;
    snprintf(path, sizeof path, "%s/jobs/device-curve.fio", dir);
    snprintf(word[0], sizeof word[0], "rw=%s", p->rw);
    snprintf(word[1], sizeof word[1], "bs=%" PRIu64, p->bytes);
    snprintf(word[2], sizeof word[2], "iodepth=%" PRIu64, p->depth);
    snprintf(word[3], sizeof word[3], "numjobs=%" PRIu64, p->jobs);
    snprintf(word[4], sizeof word[4], "ioengine=%s", bare ? "io_uring" : p->engine);
    snprintf(word[5], sizeof word[5], "runtime=%ums", ms);
    snprintf(word[6], sizeof word[6], "ramp_time=%ums", ms / 2);
    for (unsigned i = 0; i < 7; i++)
        list[i] = word[i];
    list[7] = NULL;
    return hci_jobfile_load(jobs, paths, 1, &(struct hci_jobfile_opts){.overrides = list}, NULL, e);
}

/* One run of ms; *ios counts what completed. */
static int run(const struct ana_point *p, const char *dir, unsigned ms, struct ana_simulated *out,
               uint64_t *ios, struct sim_err *e)
{
    struct hci_layout *lay = NULL;
    struct hci_jobfile *jobs = NULL;
    struct hci_result *r = NULL;
    int rc = load_layout(&lay, p, dir, e);
    if (rc == SIM_OK)
        rc = load_jobs(&jobs, p, dir, ms, e);
    if (rc == SIM_OK)
        rc = hci_run(lay, jobs, &(struct hci_run_opts){.seed = 1}, &r, e);
    *out = (struct ana_simulated){0, 0};
    *ios = 0;
    for (unsigned d = 0; rc == SIM_OK && r->njobs && d <= HCI_DIR_WRITE; d++) {
        const struct hci_dir_result *x = &r->jobs[0].dir[d];
        out->kiops += x->iops / 1e3;
        *ios += x->lat_m.n;
        if (x->lat_m.n)
            out->mean_us = (double)x->lat_m.sum / (double)x->lat_m.n / 1e3;
    }
    hci_result_free(r);
    hci_jobfile_free(jobs);
    hci_layout_free(lay);
    return rc;
}

int ana_curve_simulate(const struct ana_point *p, const char *dir, struct ana_simulated *out,
                       struct sim_err *e)
{
    uint64_t ios;
    int rc = run(p, dir, RUN_MS, out, &ios, e);
    if (rc != SIM_OK || ios >= MIN_IOS)
        return rc;
    uint64_t ms = RUN_MS * (uint64_t)MIN_IOS / (ios ? ios : 1) + 1;
    return run(p, dir, (unsigned)sim_min(ms, RUN_MAX_MS), out, &ios, e);
}

double ana_curve_error(double simulated, double published)
{
    return published > 0 ? 100 * (simulated / published - 1) : 0;
}
