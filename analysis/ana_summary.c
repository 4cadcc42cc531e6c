/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_summary.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ana_breakdown.h"
#include "ana_disk.h"
#include "ana_fio_text.h"
#include "ana_interval.h"
#include "ana_num.h"
#include "ana_view.h"

enum {
    ASSUMPTIONS =
        sizeof((struct hci_result *)0)->assumptions / sizeof((struct hci_result *)0)->assumptions[0]
};

/* "1.5GiB" for bytes, else digits and the unit. */
static char *quantity(char buf[ANA_NUM_LEN + 32], double v, const char *unit)
{
    bool whole = v == floor(v) && fabs(v) < 1e18;
    if (strcmp(unit, "bytes") == 0 && v >= 0)
        return ana_num(buf, ana_round(v), 4, 1024, "B");
    snprintf(buf, ANA_NUM_LEN + 32, "%.*f%s%s", whole ? 0 : 3, v, strcmp(unit, "1") ? " " : "",
             strcmp(unit, "1") ? unit : "");
    return buf;
}

/* What stayed at 0 throughout says nothing and is left out. */
static void state_lines(FILE *f, const struct hci_job_result *j)
{
    char a[ANA_NUM_LEN + 32], b[ANA_NUM_LEN + 32];
    bool any = false;
    for (unsigned i = 0; i < j->nstates; i++) {
        const struct hci_state_series *s = &j->states[i];
        if (s->first == 0 && s->last == 0)
            continue;
        if (!any)
            fprintf(f, "  %-43s %20s %20s\n", "state", "at the start", "at the end");
        any = true;
        fprintf(f, "     %-40.63s %20s %20s\n", s->name, quantity(a, s->first, s->unit),
                quantity(b, s->last, s->unit));
    }
    any = false;
    for (unsigned i = 0; i < j->ncounters; i++) {
        const struct hci_counter *c = &j->counters[i];
        if (c->value == 0)
            continue;
        if (!any)
            fprintf(f, "  %-43s %20s\n", "counter", "over the job");
        any = true;
        fprintf(f, "     %-40.63s %20s\n", c->name, quantity(a, c->value, c->unit));
    }
}

static void disk_lines(FILE *f, const struct hci_result *r)
{
    unsigned n;
    for (unsigned i = 0; i < r->njobs; i++)
        if (r->jobs[i].job && !r->jobs[i].job->disk_util)
            return;
    struct ana_disk *list = ana_disk_list(r, &n);
    for (const struct ana_disk *d = list; n-- > 0; d++)
        fprintf(f,
                "%s  %s: ios=%" PRIu64 "/%" PRIu64 ", merge=0/0, ticks=%" PRIu64 "/%" PRIu64
                ", in_queue=%" PRIu64 ", util=%3.2f%%\n",
                d == list ? "\nDisk stats (read/write):\n" : "", d->name, d->read_ios, d->write_ios,
                d->read_ms, d->write_ms, d->queue_ms, d->util_pct);
    free(list);
}

static void resolved_usec(FILE *f, const struct hci_dir_result *d, double pct)
{
    if (ana_resolved(ana_dir_simulated(d, &d->clat), pct))
        fprintf(f, "%10.1f", (double)sim_hist_percentile(&d->clat, pct) / 1e3);
    else
        fprintf(f, "%10s", "-");
}

static void overview_row(FILE *f, const struct hci_job_result *j, int dir, bool first)
{
    const struct hci_dir_result *d = &j->dir[dir];
    char iops[ANA_NUM_LEN], name[29];
    snprintf(name, sizeof name, "%.28s", first ? j->name : "");
    for (char *p = name; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            *p = '?';
    fprintf(f, "  %-28s %-5s%8s%10.1f%10.1f", name, ana_dir_names[dir],
            ana_num(iops, ana_round(d->iops), 4, 1000, ""), d->bw_Bps / 1e6,
            ana_moments_mean(&d->clat_m) / 1e3);
    resolved_usec(f, d, 50);
    resolved_usec(f, d, 99);
    fprintf(f, "%s%s\n", first && j->bottleneck[0] ? "  " : "", first ? j->bottleneck : "");
}

/* All jobs at a glance: the figures people copy. */
static void overview(FILE *f, const struct hci_result *r)
{
    fprintf(f, "\n%-36s%8s%10s%10s%10s%10s  %s\n", "Overview", "IOPS", "MB/s", "clat usec",
            "p50", "p99", "bottleneck");
    for (unsigned i = 0; i < r->njobs; i++) {
        bool first = ana_reported(r->jobs[i].job);
        for (int dir = HCI_DIR_READ; ana_reported(r->jobs[i].job) && dir <= HCI_DIR_TRIM; dir++)
            if (r->jobs[i].dir[dir].ios) {
                overview_row(f, &r->jobs[i], dir, first);
                first = false;
            }
    }
}

static void footing(FILE *f, const struct hci_result *r)
{
    fputs("\nSimulation\n  layout       : ", f);
    ana_text_safe(f, r->layout_name ? r->layout_name : "(no name)");
    fprintf(f,
            "\n  simulated    : %.3f s, %" PRIu64 " events, %" PRIu64 " draws, %" PRIu64 " ties\n",
            (double)r->sim_ns / 1e9, r->events, r->draws, r->ties);
    if (r->reps > 1)
        fprintf(f, "  replications : %u, pooled; series and state are the first one's\n", r->reps);
    if (r->passes > 1)
        fprintf(f, "  pass kept    : %u of %u\n", r->pass, r->passes);
    fprintf(f, "  seed, hash   : %" PRIu64 ", %016" PRIx64 "\n", r->seed, r->hash);
    for (unsigned i = 0; i < ASSUMPTIONS && r->assumptions[i][0]; i++) {
        fputs(i ? "                 " : "  assumed      : ", f);
        ana_text_safe(f, r->assumptions[i]);
        fputc('\n', f);
    }
    fputs("  not modelled : see docs/model.md\n", f);
}

void ana_summary_print(FILE *f, const struct hci_result *r)
{
    bool any = false;
    for (unsigned i = 0; i < r->njobs; i++) {
        if (!ana_reported(r->jobs[i].job))
            continue;
        if (any)
            fputc('\n', f);
        any = true;
        ana_fio_text_job(f, r, &r->jobs[i]);
        ana_interval_print(f, &r->jobs[i]);
        ana_breakdown_print(f, r, &r->jobs[i]);
        state_lines(f, &r->jobs[i]);
    }
    ana_fio_text_groups(f, r);
    disk_lines(f, r);
    overview(f, r);
    footing(f, r);
}
