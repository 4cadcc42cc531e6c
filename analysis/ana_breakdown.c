/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_breakdown.h"

#include <inttypes.h>
#include <string.h>

#include "ana_fio_text.h"
#include "ana_num.h"
#include "ana_view.h"

enum { BAR = 10, BUSY_BAR = 20, STATIONS = 8 };

double ana_breakdown_total(const struct hci_part_time *part, unsigned nparts)
{
    double sum = 0;
    for (unsigned i = 0; i < nparts; i++)
        sum += part[i].wait_ns + part[i].service_ns;
    return sum;
}

/* Ten places for 100 %: '=' is service, '-' is waiting. */
static void share_bar(char bar[BAR + 1], const struct hci_part_time *p, double total)
{
    uint64_t service = total > 0 ? ana_round(BAR * p->service_ns / total) : 0;
    uint64_t all = total > 0 ? ana_round(BAR * (p->service_ns + p->wait_ns) / total) : 0;
    uint64_t n = 0;
    for (; n < BAR && n < all; n++)
        bar[n] = n < service ? '=' : '-';
    bar[n] = '\0';
}

static void half_row(FILE *f, const struct hci_part_time *p, double total)
{
    double part = p->wait_ns + p->service_ns;
    fprintf(f, " |%10.2f%10.2f%6.1f%%", p->wait_ns / 1e3, p->service_ns / 1e3,
            total > 0 ? 100 * part / total : 0.0);
}

static void sum_half(FILE *f, const struct hci_part_time *part, unsigned n)
{
    struct hci_part_time sum = {0};
    for (unsigned i = 0; i < n; i++) {
        sum.wait_ns += part[i].wait_ns;
        sum.service_ns += part[i].service_ns;
    }
    fprintf(f, " |%10.2f%10.2f", sum.wait_ns / 1e3, sum.service_ns / 1e3);
}

static void dir_table(FILE *f, const struct hci_result *r, const char *name,
                      const struct hci_dir_result *d)
{
    unsigned n = r->nparts < HCI_PARTS ? r->nparts : HCI_PARTS;
    double all = ana_breakdown_total(d->mean, n), tail = ana_breakdown_total(d->tail, n);
    if (all <= 0)
        return;
    fprintf(f,
            "  where the time goes, %s: mean %.2f usec, slowest 1 %% %.2f usec "
            "(= service, - waiting)\n",
            name, all / 1e3, tail / 1e3);
    fprintf(f, "     %-20s |%10s%10s%7s %-*s |%10s%10s%7s %s\n", "usec per I/O", "wait", "service",
            "share", BAR, "all", "wait", "service", "share", "slowest 1 %");
    for (unsigned i = 0; i < n; i++) {
        const struct hci_part_time *m = &d->mean[i], *t = &d->tail[i];
        char bar[BAR + 1];
        if (m->wait_ns + m->service_ns + t->wait_ns + t->service_ns <= 0)
            continue;
        fprintf(f, "     %-20.20s", r->part_name[i]);
        half_row(f, m, all);
        share_bar(bar, m, all);
        fprintf(f, " %-*s", BAR, bar);
        half_row(f, t, tail);
        share_bar(bar, t, tail);
        fprintf(f, "%s%s\n", bar[0] ? " " : "", bar);
    }
    fprintf(f, "     %-20s", "sum");
    sum_half(f, d->mean, n);
    fprintf(f, "%7s %*s", "", BAR, "");
    sum_half(f, d->tail, n);
    fputc('\n', f);
}

static void station_row(FILE *f, const struct hci_resource *s)
{
    char bar[BUSY_BAR + 1], cap[ANA_NUM_LEN] = "-";
    uint64_t full = ana_round(BUSY_BAR * s->utilisation);
    memset(bar, ' ', sizeof bar - 1);
    bar[BUSY_BAR] = '\0';
    memset(bar, '#', sim_min(full, BUSY_BAR));
    if (s->cap_ios > 0)
        ana_num(cap, ana_round(s->cap_ios), 4, 1000, "");
    fprintf(f, "     %-40.63s %5.1f%% [%s]%9.2f%10.2f%10.2f%9s\n", s->name, 100 * s->utilisation,
            bar, s->mean_queue, s->mean_wait_ns / 1e3, s->mean_service_ns / 1e3, cap);
}

static void stations(FILE *f, const struct hci_job_result *j)
{
    if (j->nresources == 0)
        return;
    fprintf(f, "  %-43s %6s %22s%9s%10s%10s%9s\n", "busiest stations", "busy", "", "waiting",
            "wait us", "serve us", "max IOPS");
    for (unsigned i = 0; i < j->nresources && i < STATIONS; i++)
        station_row(f, &j->resources[i]);
    if (j->nresources > STATIONS)
        fprintf(f, "     and %u more, less busy\n", j->nresources - STATIONS);
}

static const struct hci_resource *find_station(const struct hci_job_result *j, const char *name)
{
    for (unsigned i = 0; i < j->nresources; i++)
        if (strcmp(j->resources[i].name, name) == 0)
            return &j->resources[i];
    return NULL;
}

static void named_station(FILE *f, const char *label, const struct hci_job_result *j,
                          const char *name)
{
    const struct hci_resource *s = name[0] ? find_station(j, name) : NULL;
    fprintf(f, "  %-13s: %s", label, name[0] ? name : "none found");
    if (s)
        fprintf(f, " (%.1f %% busy)", 100 * s->utilisation);
    fputc('\n', f);
}

static void bound_line(FILE *f, const struct hci_job_result *j)
{
    double iops = ana_job_iops(j);
    char sim[ANA_NUM_LEN], top[ANA_NUM_LEN];
    if (j->bound_iops <= 0)
        return;
    fprintf(f, "  bound        : %s IOPS simulated, at most %s in closed form",
            ana_num(sim, ana_round(iops), 4, 1000, ""),
            ana_num(top, ana_round(j->bound_iops), 4, 1000, ""));
    if (j->bound_by[0])
        fprintf(f, " (%s)", j->bound_by);
    fprintf(f, ": %.1f %% of it\n", 100 * iops / j->bound_iops);
}

void ana_breakdown_print(FILE *f, const struct hci_result *r, const struct hci_job_result *j)
{
    for (int dir = 0; dir < HCI_DIRS; dir++)
        if (j->dir[dir].ios)
            dir_table(f, r, ana_dir_names[dir], &j->dir[dir]);
    stations(f, j);
    named_station(f, "bottleneck", j, j->bottleneck);
    named_station(f, "next", j, j->next_bottleneck);
    bound_line(f, j);
    if (j->mean_in_flight > 0)
        fprintf(f, "  in flight    : %.2f on average, %u job%s of depth %u\n", j->mean_in_flight,
                j->nclones, j->nclones == 1 ? "" : "s", j->job ? j->job->iodepth : 1);
    if (j->verdict[0]) {
        fputs("  verdict      : ", f);
        ana_text_safe(f, j->verdict);
        fputc('\n', f);
    }
    for (unsigned i = 0; i < j->nwarnings; i++) {
        fputs("  warning      : ", f);
        ana_text_safe(f, j->warnings[i]);
        fputc('\n', f);
    }
}
