/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_job.h"
#include "fio_options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const directions[16] = {
    [HCI_RW_READ] = "read",
    [HCI_RW_WRITE] = "write",
    [HCI_RW_TRIM] = "trim",
    [HCI_RW_READ | HCI_RW_WRITE] = "rw",
    [HCI_RW_TRIM | HCI_RW_WRITE] = "trimwrite",
    [HCI_RW_READ | HCI_RW_RANDOM] = "randread",
    [HCI_RW_WRITE | HCI_RW_RANDOM] = "randwrite",
    [HCI_RW_TRIM | HCI_RW_RANDOM] = "randtrim",
    [HCI_RW_READ | HCI_RW_WRITE | HCI_RW_RANDOM] = "randrw",
    [HCI_RW_TRIM | HCI_RW_WRITE | HCI_RW_RANDOM] = "randtrimwrite",
};

static void print_time(FILE *f, const char *name, sim_time ns)
{
    if (ns % SIM_S == 0)
        fprintf(f, "%s=%" PRIu64 "s\n", name, (uint64_t)(ns / SIM_S));
    else
        fprintf(f, "%s=%" PRIu64 "us\n", name, (uint64_t)(ns / SIM_US));
}

/* A number without an exponent, which the language does not know. */
static const char *decimal(double v, char buf[48])
{
    int n = snprintf(buf, 48, "%.12f", v);
    while (n > 1 && buf[n - 1] == '0')
        buf[--n] = '\0';
    if (buf[n - 1] == '.')
        buf[n - 1] = '\0';
    return buf;
}

/* Does a part of a split or zone list end a direction's list? */
static const char *separator(unsigned i, unsigned n) { return i + 1 < n ? ":" : ""; }

static void print_blocks(FILE *f, const struct hci_job *job)
{
    const uint64_t *lo = job->bs_min, *hi = job->bs_max;
    if (job->nbssplit[0] + job->nbssplit[1] + job->nbssplit[2]) {
        fprintf(f, "bssplit=");
        for (int d = 0; d < HCI_DDIRS; d++) {
            for (unsigned i = 0; i < job->nbssplit[d]; i++)
                fprintf(f, "%" PRIu64 "/%u%s", job->bssplit[d][i].bytes,
                        job->bssplit[d][i].percent, separator(i, job->nbssplit[d]));
            fputc(d + 1 < HCI_DDIRS ? ',' : '\n', f);
        }
    } else if (lo[0] != hi[0] || lo[1] != hi[1] || lo[2] != hi[2]) {
        fprintf(f, "bsrange=%" PRIu64 "-%" PRIu64 ",%" PRIu64 "-%" PRIu64 ",%" PRIu64 "-%" PRIu64
                "\n", lo[0], hi[0], lo[1], hi[1], lo[2], hi[2]);
    }
    fprintf(f, "bs=%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", lo[0], lo[1], lo[2]);
    if (memcmp(job->ba, lo, sizeof job->ba) != 0)
        fprintf(f, "ba=%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", job->ba[0], job->ba[1], job->ba[2]);
}

static void print_distribution(FILE *f, const struct hci_job *job)
{
    static const char *const names[] = { "random", "zipf", "pareto", "normal", "zoned",
                                         "zoned_abs" };
    char number[48];
    int kind = job->random_dist[0];
    if (kind == HCI_RD_RANDOM)
        return;
    fprintf(f, "random_distribution=%s:", names[kind]);
    if (kind < HCI_RD_ZONED) {
        fputs(decimal(job->random_theta[0], number), f);
        if (job->random_center[0] >= 0)
            fprintf(f, ":%s", decimal(job->random_center[0], number));
        fputc('\n', f);
        return;
    }
    for (int d = 0; d < HCI_DDIRS; d++) {
        for (unsigned i = 0; i < job->nzones[d]; i++)
            fprintf(f, "%s/%" PRIu64 "%s", decimal(job->zones[d][i].access_pct, number),
                    job->zones[d][i].size, separator(i, job->nzones[d]));
        fputc(d + 1 < HCI_DDIRS ? ',' : '\n', f);
    }
}

static void print_files(FILE *f, const struct hci_jobfile *jf, const struct hci_job *job)
{
    uint64_t bytes = jf->files[job->files[0]].bytes;
    for (unsigned i = 0; i < job->nfiles; i++) {
        fprintf(f, "filename=");
        for (const char *p = jf->files[job->files[i]].name; *p; p++)
            fprintf(f, "%s%c", *p == ':' ? "\\" : "", *p);
        fputc('\n', f);
    }
    if (job->filesize_given)
        fprintf(f, "filesize=%" PRIu64 "\n", bytes);
}

/* The settings whose values have a grammar of their own. */
static void print_rules(FILE *f, const struct hci_jobfile *jf, const struct hci_job *job)
{
    static const char *const metrics[] = { "iops", "bw", "lat" };
    char number[48];
    static const char *const services[] = { "roundrobin", "sequential", "random" };
    fprintf(f, "rw=%s", directions[job->rw & 15]);
    if (job->rw_seq_nr)
        fprintf(f, ":%" PRId64, job->rw_seq_nr);
    fputc('\n', f);
    print_blocks(f, job);
    fprintf(f, "ioengine=%s\niodepth=%u\nnumjobs=1\n", job->engine, job->iodepth_asked);
    fprintf(f, "direct=%d\n", job->direct);
    print_files(f, jf, job);
    print_distribution(f, job);
    if (job->file_service != HCI_FILES_ROUNDROBIN || job->file_service_nr != 1)
        fprintf(f, "file_service_type=%s:%u\n", services[job->file_service],
                job->file_service_nr);
    if (job->startdelay_max)
        fprintf(f, "startdelay=%" PRIu64 "us-%" PRIu64 "us\n", (uint64_t)(job->startdelay_min / SIM_US),
                (uint64_t)(job->startdelay_max / SIM_US));
    if (!job->allocated)
        fprintf(f, "fallocate=none\n");
    if (job->zone_strided)
        fprintf(f, "zonemode=strided\n");
    if (job->steadystate)
        fprintf(f, "steadystate=%s%s:%s%s\n", metrics[job->ss_metric],
                job->ss_slope ? "_slope" : "", decimal(job->ss_limit, number),
                job->ss_pct ? "%" : "");
    if (job->wait_for >= 0)
        fprintf(f, "wait_for=%s\n", jf->jobs[job->wait_for].name);
    for (unsigned i = 0; i < job->npercentiles; i++)
        fprintf(f, "%s%s%s", i ? ":" : "percentile_list=", decimal(job->percentiles[i], number),
                i + 1 < job->npercentiles ? "" : "\n");
}

/* Settings already printed by print_rules, or resolved for good. */
static bool printed(const char *name)
{
    static const char *const names[] = { "bs",       "ba",     "nrfiles", "directory",
                                         "wait_for", "iodepth", "numjobs", "filename_format",
                                         "rate",     "latency_percentile" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void print_u64s(FILE *f, const struct hci_fio_option *row, const void *at, const void *def)
{
    bool three = row->type == HCI_FIO_BYTES3 || row->type == HCI_FIO_COUNT3;
    uint64_t v[HCI_DDIRS], w[HCI_DDIRS];
    for (int d = 0; d < (three ? HCI_DDIRS : 1); d++) {
        v[d] = row->store == HCI_FIO_IN_U32 ? ((const unsigned *)at)[d] : ((const uint64_t *)at)[d];
        w[d] = row->store == HCI_FIO_IN_U32 ? ((const unsigned *)def)[d]
                                            : ((const uint64_t *)def)[d];
    }
    size_t size = three ? sizeof v : sizeof v[0];
    if (memcmp(v, w, size) == 0)
        return;
    if (row->type == HCI_FIO_TIME)
        print_time(f, row->name, v[0]);
    else if (row->store == HCI_FIO_IN_MS)
        fprintf(f, "%s=%" PRIu64 "\n", row->name, (uint64_t)(v[0] / SIM_MS));
    else if (three)
        fprintf(f, "%s=%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", row->name, v[0], v[1], v[2]);
    else
        fprintf(f, "%s=%" PRIu64 "\n", row->name, v[0]);
}

static void print_word(FILE *f, const struct hci_fio_option *row, int value)
{
    const struct hci_fio_word *w = row->words;
    while (w->word && w->value != value)
        w++;
    if (w->word)
        fprintf(f, "%s=%s\n", row->name, w->word);
}

/* One row's value unless it is the default. */
static void print_row(FILE *f, const struct hci_fio_option *row, const struct hci_fio_conf *conf,
                      const struct hci_fio_conf *init)
{
    const char *at = (const char *)conf + row->at, *def = (const char *)init + row->at;
    const void *v = at, *w = def;
    char number[48];
    switch (row->store) {
    case HCI_FIO_IN_BOOL:
        if (*(const bool *)v == *(const bool *)w)
            break;
        if (row->words)
            print_word(f, row, *(const bool *)v);
        else
            fprintf(f, "%s=%d\n", row->name, *(const bool *)v);
        break;
    case HCI_FIO_IN_INT:
        if (*(const int *)v != *(const int *)w)
            print_word(f, row, *(const int *)v);
        break;
    case HCI_FIO_IN_DOUBLE:
        if (*(const double *)v < *(const double *)w || *(const double *)v > *(const double *)w)
            fprintf(f, "%s=%s\n", row->name, decimal(*(const double *)v, number));
        break;
    case HCI_FIO_IN_TEXT:
        if (*(const char *const *)v)
            fprintf(f, "%s%s%s\n", row->name, **(const char *const *)v ? "=" : "",
                    *(const char *const *)v);
        break;
    case HCI_FIO_NO_FIELD:
        break;
    default:
        print_u64s(f, row, v, w);
        break;
    }
}

static void print_percents(FILE *f, const struct hci_job *job)
{
    const struct {
        const char *name;
        double v;
    } all[] = { { "size", job->size_pct },
                { "io_size", job->io_size_pct },
                { "offset", job->offset_pct },
                { "offset_increment", job->offset_increment_pct } };
    char number[48];
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].v > 0)
            fprintf(f, "%s=%s%%\n", all[i].name, decimal(all[i].v, number));
}

static void print_job(FILE *f, const struct hci_jobfile *jf, const struct hci_job *job,
                      struct hci_fio_conf *conf, const struct hci_fio_conf *init)
{
    const struct hci_fio_option *row;
    conf->job = *job;
    /* A section of its own has no clone number: its offset says it all. */
    if (job->offset_increment_pct <= 0) {
        conf->job.offset += job->offset_increment * job->clone;
        conf->job.offset_increment = 0;
    }
    if (job->iodepth_low == job->iodepth)
        conf->job.iodepth_low = 0;
    fprintf(f, "; %s:%d, clone %u, group %u\n[%s]\n", job->source_file, job->line, job->clone,
            job->groupid, job->name);
    print_rules(f, jf, job);
    for (unsigned i = 0; (row = hci_fio_option_row(i)); i++)
        if (row->store != HCI_FIO_NO_FIELD && !printed(row->name) &&
            row->verdict != HCI_FIO_ACCEPT)
            print_row(f, row, conf, init);
    print_percents(f, job);
    if (job->rate_Bps[0] || job->rate_Bps[1] || job->rate_Bps[2])
        fprintf(f, "rate=%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", job->rate_Bps[0],
                job->rate_Bps[1], job->rate_Bps[2]);
    fputc('\n', f);
}

void hci_jobfile_print(FILE *f, const struct hci_jobfile *jf)
{
    struct hci_fio_conf *init = malloc(sizeof *init), *conf = malloc(sizeof *conf);
    if (init && conf) {
        hci_fio_conf_init(init);
        *conf = *init;
        for (unsigned i = 0; i < jf->njobs; i++)
            print_job(f, jf, &jf->jobs[i], conf, init);
    }
    free(init);
    free(conf);
}
