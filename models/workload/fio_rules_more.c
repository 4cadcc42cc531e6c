/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_rules.h"
#include "fio_value.h"
#include "hci_param.h"

#include <stdio.h>
#include <string.h>

void hci_fio_rule_name(struct hci_fio_setting *s)
{
    if (!*s->value)
        hci_fio_setting_error(s, "is empty");
    else if (strlen(s->value) >= sizeof s->conf->job.name)
        hci_fio_setting_error(s, "longer than 255 bytes");
    else
        snprintf(s->conf->job.name, sizeof s->conf->job.name, "%s", s->value);
    s->conf->named = true;
}

/* Names add up within a section; a later section's list replaces an inherited one. */
void hci_fio_rule_filename(struct hci_fio_setting *s)
{
    struct hci_fio_conf *c = s->conf;
    if (!*s->value) {
        hci_fio_setting_error(s, "is empty");
        return;
    }
    if (c->filename && c->filename_section == s->section) {
        size_t n = strlen(c->filename), m = strlen(s->value);
        char *both = hci_fio_alloc(s->pool, n + m + 2);
        if (!both)
            return;
        memcpy(both, c->filename, n);
        both[n] = ':';
        memcpy(both + n + 1, s->value, m);
        c->filename = both;
    } else {
        c->filename = s->value;
    }
    c->filename_section = s->section;
}

void hci_fio_rule_filesize(struct hci_fio_setting *s)
{
    const char *rest = s->value;
    uint64_t v[2] = { 0, 0 };
    int n = 0;
    for (; rest && n < 2; n++) {
        char part[64];
        struct hci_fio_number x;
        hci_fio_part(&rest, ",:-", part, sizeof part);
        int fault = hci_fio_bytes(part, (unsigned)s->conf->kb_base, &x);
        if (fault || x.percent || x.zones || x.negative || x.value == 0 || x.value > INT64_MAX) {
            hci_fio_setting_error(s, "\"%s\" %s", part,
                                  fault ? hci_fio_fault_text(fault) : "is no file size");
            return;
        }
        v[n] = x.value;
    }
    if (rest) {
        hci_fio_setting_error(s, "takes one size or a range");
        return;
    }
    s->conf->filesize_min = n == 1 ? v[0] : sim_min(v[0], v[1]);
    s->conf->filesize_max = n == 1 ? v[0] : sim_max(v[0], v[1]);
}

void hci_fio_rule_file_service(struct hci_fio_setting *s)
{
    static const struct hci_fio_word words[] = {
        { "roundrobin", HCI_FILES_ROUNDROBIN }, { "sequential", HCI_FILES_SEQUENTIAL },
        { "random", HCI_FILES_RANDOM },         { "zipf", HCI_FILES_RANDOM },
        { "pareto", HCI_FILES_RANDOM },         { "normal", HCI_FILES_RANDOM },
        { "gauss", HCI_FILES_RANDOM },          { 0 }
    };
    const char *rest = s->value;
    char word[32];
    struct hci_fio_number n = { .value = 1 };
    hci_fio_part(&rest, ":", word, sizeof word);
    const struct hci_fio_word *w = words;
    while (w->word && strcmp(w->word, word) != 0)
        w++;
    if (!w->word) {
        hci_fio_setting_error(s, "must be roundrobin, sequential or random");
        return;
    }
    if (w - words > 2) {
        hci_fio_note(s->log, NULL, 0, "option file_service_type=%s: files are chosen evenly",
                     word);
        rest = NULL;
    }
    if (rest && (hci_fio_bytes(rest, 1024, &n) || n.negative || !n.value || n.value > UINT32_MAX)) {
        hci_fio_setting_error(s, "\"%s\" is no number of I/Os", rest);
        return;
    }
    s->conf->job.file_service = w->value;
    s->conf->job.file_service_nr = (unsigned)n.value;
}

void hci_fio_rule_startdelay(struct hci_fio_setting *s)
{
    const char *rest = s->value;
    sim_time v[2] = { 0, 0 };
    int n = 0;
    for (; rest && n < 2; n++) {
        char part[64];
        struct hci_fio_number x;
        hci_fio_part(&rest, "-", part, sizeof part);
        int fault = hci_fio_time(part, SIM_S, &x);
        if (fault || x.negative) {
            hci_fio_setting_error(s, "%s", fault ? hci_fio_fault_text(fault) : "is negative");
            return;
        }
        v[n] = x.value;
    }
    if (rest) {
        hci_fio_setting_error(s, "takes a time or a range a-b");
        return;
    }
    s->conf->job.startdelay_min = n == 1 ? v[0] : sim_min(v[0], v[1]);
    s->conf->job.startdelay_max = n == 1 ? v[0] : sim_max(v[0], v[1]);
}

/* a:b:c of percentages; returns how many, -1 after a complaint. */
static int percentages(struct hci_fio_setting *s, double *out, int max)
{
    const char *rest = s->value;
    int n = 0;
    for (; rest; n++) {
        char part[64];
        hci_fio_part(&rest, ":", part, sizeof part);
        double v = 0;
        int fault = hci_fio_decimal(part, &v);
        if (fault || v < 0 || v > 100) {
            hci_fio_setting_error(s, "\"%s\" %s", part,
                                  fault == HCI_FIO_LIST ? "has a comma: percentiles are separated "
                                                          "by colons"
                                  : fault ? hci_fio_fault_text(fault)
                                          : "is no percentage");
            return -1;
        }
        if (n == max) {
            hci_fio_setting_error(s, "more than %d values", max);
            return -1;
        }
        out[n] = v;
    }
    return n;
}

void hci_fio_rule_percentiles(struct hci_fio_setting *s)
{
    double v[HCI_PERCENTILES_MAX];
    int n = percentages(s, v, HCI_PERCENTILES_MAX), kept = 0;
    for (int i = 0; i < n; i++) { /* ascending, as they are reported; 0 asks for none */
        int at = kept;
        if (v[i] <= 0)
            continue;
        for (; at > 0 && s->conf->job.percentiles[at - 1] > v[i]; at--)
            s->conf->job.percentiles[at] = s->conf->job.percentiles[at - 1];
        s->conf->job.percentiles[at] = v[i];
        kept++;
    }
    if (n >= 0)
        s->conf->job.npercentiles = (unsigned)kept;
}

void hci_fio_rule_latency_percentile(struct hci_fio_setting *s)
{
    double v[1];
    if (percentages(s, v, 1) == 1)
        s->conf->job.latency_percentile = v[0];
}

/* metric[_slope]:limit[%] */
void hci_fio_rule_steadystate(struct hci_fio_setting *s)
{
    static const char *const metrics[] = { "iops", "bw", "lat" };
    struct hci_job *job = &s->conf->job;
    const char *rest = s->value;
    char word[32], limit[32];
    hci_fio_part(&rest, ":", word, sizeof word);
    char *slope = strstr(word, "_slope");
    if (slope)
        *slope = '\0';
    int metric = 0;
    while (metric < 3 && strcmp(word, metrics[metric]) != 0)
        metric++;
    snprintf(limit, sizeof limit, "%.31s", rest ? rest : "");
    size_t n = strlen(limit);
    bool percent = n && limit[n - 1] == '%';
    if (percent)
        limit[n - 1] = '\0';
    double v;
    if (metric == 3 || hci_fio_decimal(limit, &v) || v < 0) {
        hci_fio_setting_error(s, "must be iops, iops_slope, bw or bw_slope, a colon and a limit, "
                              "e.g. iops_slope:0.3%%");
        return;
    }
    job->steadystate = true;
    job->ss_metric = metric;
    job->ss_slope = slope != NULL;
    job->ss_pct = percent;
    job->ss_limit = v;
}

void hci_fio_rule_rwmixwrite(struct hci_fio_setting *s)
{
    struct hci_fio_number n;
    int fault = hci_fio_bytes(s->value, 1024, &n);
    if (fault || n.percent || n.zones || n.negative || n.value > 100)
        hci_fio_setting_error(s, "%s", fault ? hci_fio_fault_text(fault)
                                             : "must lie within 0 and 100");
    else
        s->conf->job.rwmixread = 100 - (double)n.value;
}

static void set_direct(struct hci_fio_setting *s, bool invert)
{
    if (strcmp(s->value, "0") != 0 && strcmp(s->value, "1") != 0)
        hci_fio_setting_error(s, "must be 0 or 1");
    else
        s->conf->job.direct = (*s->value == '1') != invert;
}

void hci_fio_rule_direct(struct hci_fio_setting *s) { set_direct(s, false); }

void hci_fio_rule_buffered(struct hci_fio_setting *s) { set_direct(s, true); }

void hci_fio_rule_fallocate(struct hci_fio_setting *s)
{
    static const char *const words[] = { "none", "0", "truncate", "native", "posix", "keep", "1" };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(s->value, words[i]) == 0) {
            s->conf->job.allocated = i > 2;
            return;
        }
    hci_fio_setting_error(s, "must be none, native, posix, keep, truncate, 0 or 1");
}

void hci_fio_rule_zonemode(struct hci_fio_setting *s)
{
    if (strcmp(s->value, "none") == 0)
        s->conf->zonemode = 1;
    else if (strcmp(s->value, "strided") == 0)
        s->conf->zonemode = 2;
    else if (strcmp(s->value, "zbd") == 0 && s->lenient)
        hci_fio_note(s->log, NULL, 0, "option zonemode=zbd ignored: zoned block devices are not "
                     "modelled");
    else if (strcmp(s->value, "zbd") == 0)
        hci_fio_setting_error(s, "zoned block devices are not modelled");
    else
        hci_fio_setting_error(s, "must be none or strided");
}

void hci_fio_rule_kb_base(struct hci_fio_setting *s)
{
    if (strcmp(s->value, "1024") == 0 || strcmp(s->value, "1000") == 0)
        s->conf->kb_base = s->value[2] == '2' ? 1024 : 1000;
    else
        hci_fio_setting_error(s, "must be 1024 or 1000");
    s->conf->job.kb_base = (unsigned)s->conf->kb_base;
}

/* Engines by what they do to the queue depth. */
static const struct {
    const char *name;
    int class; /* enum hci_engine_class; -1: refused because of .why */
    const char *why;
} engines[] = {
    { "psync", HCI_ENGINE_SYNC, NULL },
    { "sync", HCI_ENGINE_SYNC, NULL },
    { "vsync", HCI_ENGINE_SYNC, NULL },
    { "pvsync", HCI_ENGINE_SYNC, NULL },
    { "pvsync2", HCI_ENGINE_SYNC, NULL },
    { "mmap", HCI_ENGINE_SYNC, "page faults are modelled as plain I/O of the block size" },
    { "sg", HCI_ENGINE_SYNC, NULL },
    { "splice", HCI_ENGINE_SYNC, NULL },
    { "falloc", HCI_ENGINE_SYNC, NULL },
    { "ftruncate", HCI_ENGINE_SYNC, NULL },
    { "mtd", HCI_ENGINE_SYNC, NULL },
    { "dev-dax", HCI_ENGINE_SYNC, NULL },
    { "libpmem", HCI_ENGINE_SYNC, NULL },
    { "pmemblk", HCI_ENGINE_SYNC, NULL },
    { "gfapi", HCI_ENGINE_SYNC, "its client is modelled as the guest's block layer" },
    { "libaio", HCI_ENGINE_ASYNC, NULL },
    { "io_uring", HCI_ENGINE_ASYNC, NULL },
    { "io_uring_cmd", HCI_ENGINE_ASYNC, NULL },
    { "posixaio", HCI_ENGINE_ASYNC, NULL },
    { "windowsaio", HCI_ENGINE_ASYNC, NULL },
    { "solarisaio", HCI_ENGINE_ASYNC, NULL },
    { "nbd", HCI_ENGINE_ASYNC, "its client is modelled as the guest's block layer" },
    { "rbd", HCI_ENGINE_ASYNC, "its client is modelled as the guest's block layer" },
    { "rados", HCI_ENGINE_ASYNC, "its client is modelled as the guest's block layer" },
    { "gfapi_async", HCI_ENGINE_ASYNC, "its client is modelled as the guest's block layer" },
    { "xnvme", HCI_ENGINE_ASYNC, "modelled as the guest's block layer" },
    { "libblkio", HCI_ENGINE_ASYNC, "modelled as the guest's block layer" },
    { "rdma", -1, "moves data between hosts, not to storage" },
    { "null", HCI_ENGINE_NULL, NULL },
    { "cpuio", HCI_ENGINE_IDLE, "burns processor time on the guest and does no I/O" },
    { "net", -1, "moves data between hosts, not to storage" },
    { "netsplice", -1, "moves data between hosts, not to storage" },
    { "exec", -1, "runs programs; nothing is ever executed here" },
    { "e4defrag", -1, "works inside a file system" },
    { "filecreate", -1, "works inside a file system" },
    { "filestat", -1, "works inside a file system" },
    { "filedelete", -1, "works inside a file system" },
    { "http", -1, "an object store is not modelled" },
    { "libhdfs", -1, "an object store is not modelled" },
    { "external", -1, "engines from shared objects are never loaded" },
    { "spdk", -1, "engines from shared objects are never loaded" },
    { "spdk_bdev", -1, "engines from shared objects are never loaded" },
};

int hci_fio_engine_class(const char *name, const char **why)
{
    *why = NULL;
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++)
        if (strcmp(engines[i].name, name) == 0) {
            *why = engines[i].why;
            return engines[i].class;
        }
    return -1;
}

/* The engine's name without options behind a colon. */
void hci_fio_rule_engine(struct hci_fio_setting *s)
{
    const char *rest = s->value, *why;
    char name[32], hint[64];
    struct hci_nearest near;
    hci_fio_part(&rest, ":", name, sizeof name);
    hci_nearest_begin(&near, name);
    int class = hci_fio_engine_class(name, &why);
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++)
        if (engines[i].class >= 0)
            hci_nearest_offer(&near, engines[i].name);
    if (class < 0 && why)
        hci_fio_setting_error(s, "this engine %s", why);
    else if (class < 0)
        hci_fio_setting_error(s, "no such engine (psync, sync, libaio, io_uring, posixaio, rbd, "
                              "null, ...)%s", hci_nearest_hint(&near, hint, sizeof hint));
    else if (why)
        hci_fio_note(s->log, NULL, 0, "engine %s: %s", name, why);
    if (class < 0)
        return;
    snprintf(s->conf->job.engine, sizeof s->conf->job.engine, "%s", name);
    s->conf->job.engine_class = class;
}
