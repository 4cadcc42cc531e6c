/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_rules.h"
#include "fio_value.h"
#include "hci_param.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes within [1, 4 GiB), or a complaint. */
static bool block_size(struct hci_fio_setting *s, const char *text, uint64_t *out)
{
    struct hci_fio_number n;
    char shown[64];
    int fault = hci_fio_bytes(text, (unsigned)s->conf->kb_base, &n);
    hci_fio_printable(text, shown);
    if (fault)
        hci_fio_setting_error(s, "\"%s\" %s", shown, hci_fio_fault_text(fault));
    else if (n.percent || n.zones || n.negative || n.value < 1 || n.value > UINT32_MAX)
        hci_fio_setting_error(s, "\"%s\" is no block size (1 byte to 4 GiB)", shown);
    else
        *out = n.value;
    return !fault && !n.percent && !n.zones && !n.negative && n.value >= 1 &&
           n.value <= UINT32_MAX;
}

/* The N of randread:N or read:N. */
static void rw_suffix(struct hci_fio_setting *s, const char *text)
{
    struct hci_job *job = &s->conf->job;
    struct hci_fio_number n;
    int fault = hci_fio_bytes(text, (unsigned)s->conf->kb_base, &n);
    if (fault || n.percent || n.zones || n.value > INT32_MAX * 1024LL * 1024)
        hci_fio_setting_error(s, "\"%s\" is no number; fio 3.33 would silently take it for 0 "
                              "and run sequentially", text);
    else if ((job->rw & HCI_RW_RANDOM) && (n.negative || n.value < 1))
        hci_fio_setting_error(s, "a run of random I/O has at least one block");
    else
        job->rw_seq_nr = n.negative ? -(int64_t)n.value : (int64_t)n.value;
}

void hci_fio_rule_rw(struct hci_fio_setting *s)
{
    static const struct hci_fio_word words[] = {
        { "read", HCI_RW_READ },
        { "write", HCI_RW_WRITE },
        { "trim", HCI_RW_TRIM },
        { "randread", HCI_RW_READ | HCI_RW_RANDOM },
        { "randwrite", HCI_RW_WRITE | HCI_RW_RANDOM },
        { "randtrim", HCI_RW_TRIM | HCI_RW_RANDOM },
        { "rw", HCI_RW_READ | HCI_RW_WRITE },
        { "readwrite", HCI_RW_READ | HCI_RW_WRITE },
        { "randrw", HCI_RW_READ | HCI_RW_WRITE | HCI_RW_RANDOM },
        { "trimwrite", HCI_RW_TRIM | HCI_RW_WRITE },
        { "randtrimwrite", HCI_RW_TRIM | HCI_RW_WRITE | HCI_RW_RANDOM },
    };
    struct hci_job *job = &s->conf->job;
    const char *rest = s->value;
    char word[32], hint[64];
    struct hci_nearest near;
    hci_fio_part(&rest, ":", word, sizeof word);
    hci_nearest_begin(&near, word);
    job->rw_seq_nr = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        hci_nearest_offer(&near, words[i].word);
        if (strcmp(word, words[i].word) != 0)
            continue;
        job->rw = (unsigned)words[i].value;
        if (rest)
            rw_suffix(s, rest);
        return;
    }
    hci_fio_setting_error(s, "must be read, write, trim, randread, randwrite, randtrim, rw, "
                          "randrw, trimwrite or randtrimwrite%s",
                          hci_nearest_hint(&near, hint, sizeof hint));
}

void hci_fio_rule_bsrange(struct hci_fio_setting *s)
{
    struct hci_job *job = &s->conf->job;
    const char *rest = s->value;
    for (int i = 0; rest; i++) {
        char part[64], lo_text[64], hi_text[64];
        uint64_t lo, hi;
        hci_fio_part(&rest, ",", part, sizeof part);
        const char *p = part, *more;
        if (i == HCI_DDIRS) {
            hci_fio_setting_error(s, "more than three ranges (read, write, trim)");
            return;
        }
        if (!*part && (rest || i > 0))
            continue;
        hci_fio_part(&p, "-:", lo_text, sizeof lo_text);
        if (!p) {
            hci_fio_setting_error(s, "\"%s\" is no range like 4k-64k", part);
            return;
        }
        more = p;
        hci_fio_part(&more, "/:", hi_text, sizeof hi_text);
        if (more || strchr(lo_text, '/')) /* a bssplit by the wrong name, as fio takes it */
            hci_fio_note(s->log, s->file, s->line, "bsrange takes two sizes, as in 4k-64k: the "
                         "rest is ignored");
        lo_text[strcspn(lo_text, "/")] = '\0';
        if (!block_size(s, lo_text, &lo) || !block_size(s, hi_text, &hi))
            return;
        for (int d = i; d < (rest ? i + 1 : HCI_DDIRS); d++) {
            job->bs_min[d] = sim_min(lo, hi);
            job->bs_max[d] = sim_max(lo, hi);
            job->nbssplit[d] = 0;
        }
    }
}

static int by_size(const void *a, const void *b)
{
    const struct hci_bssplit *x = a, *y = b;
    return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

/* Shares of 0 stand for "not given": they divide what the others leave. */
static bool split_shares(struct hci_fio_setting *s, struct hci_bssplit *v, unsigned n)
{
    unsigned sum = 0, missing = 0;
    for (unsigned i = 0; i < n; i++) {
        sum += v[i].percent;
        missing += v[i].percent == 0;
    }
    if (sum > 100 || (missing && sum == 100)) {
        hci_fio_setting_error(s, "the percentages add up to %u and leave nothing for %s", sum,
                              missing ? "the sizes without one" : "the rest");
        return false;
    }
    unsigned share = missing ? (100 - sum) / missing : 0, over = 100 - sum - share * missing;
    for (unsigned i = 0; i < n; i++)
        if (v[i].percent == 0)
            v[i].percent = share;
    qsort(v, n, sizeof *v, by_size);
    v[n - 1].percent += over;
    if (!missing && over)
        hci_fio_note(s->log, s->file, s->line, "bssplit adds up to %u percent: the rest goes to "
                     "the largest size", sum);
    return true;
}

/* One direction's "4k/10:64k/90". */
static bool split_one(struct hci_fio_setting *s, const char *text, int d)
{
    struct hci_bssplit *v = hci_fio_alloc(s->pool, HCI_BSSPLIT_MAX * sizeof *v);
    unsigned n = 0;
    while (v && text) {
        char part[64], size[64];
        double percent = 0;
        hci_fio_part(&text, ":", part, sizeof part);
        const char *p = part;
        if (!*part)
            continue;
        if (n == HCI_BSSPLIT_MAX) {
            hci_fio_setting_error(s, "more than %d block sizes", HCI_BSSPLIT_MAX);
            return false;
        }
        hci_fio_part(&p, "/", size, sizeof size);
        if (!block_size(s, size, &v[n].bytes))
            return false;
        if (p && *p && (hci_fio_decimal(p, &percent) || percent < 0 || percent > 100 ||
                        percent > (double)(unsigned)percent)) {
            hci_fio_setting_error(s, "\"%s\" is no whole percentage", p);
            return false;
        }
        v[n++].percent = (unsigned)percent;
    }
    if (!v || (n && !split_shares(s, v, n)))
        return false;
    s->conf->job.nbssplit[d] = n;
    s->conf->job.bssplit[d] = v;
    s->conf->job.bs_min[d] = n ? v[0].bytes : 0;
    s->conf->job.bs_max[d] = n ? v[n - 1].bytes : 0;
    return true;
}

/* Empty directions keep bs. */
void hci_fio_rule_bssplit(struct hci_fio_setting *s)
{
    const char *rest = s->value, *last = "";
    size_t len = strlen(s->value) + 1;
    char *part = hci_fio_alloc(s->pool, 3 * len);
    for (int d = 0; part && d < HCI_DDIRS; d++) {
        char *mine = part + (size_t)d * len;
        if (rest) {
            hci_fio_part(&rest, ",", mine, len);
            last = mine;
        }
        if (!split_one(s, last, d))
            return;
    }
    if (rest)
        hci_fio_setting_error(s, "more than three lists (read, write, trim)");
}

/* "access/size:access/size"; the last size may be left out: the rest. */
static bool zones_one(struct hci_fio_setting *s, const char *text, int d, bool absolute)
{
    struct hci_zone *v = hci_fio_alloc(s->pool, HCI_ZONES_MAX * sizeof *v);
    double access = 0, extent = 0;
    unsigned n = 0;
    for (; v && text; n++) {
        char part[64], share[64];
        double size = 0;
        struct hci_fio_number bytes = { 0 };
        hci_fio_part(&text, ":", part, sizeof part);
        const char *p = part;
        hci_fio_part(&p, "/", share, sizeof share);
        int fault = n < HCI_ZONES_MAX ? hci_fio_decimal(share, &v[n].access_pct) : HCI_FIO_RANGE;
        if (!fault && p && *p)
            fault = absolute ? hci_fio_bytes(p, (unsigned)s->conf->kb_base, &bytes)
                             : hci_fio_decimal(p, &size);
        if (fault || v[n].access_pct < 0 || size < 0 || size > 100) {
            hci_fio_setting_error(s, "\"%s\" is no zone: access percentage / size", part);
            return false;
        }
        if (!absolute && (!p || !*p))
            size = 100 - extent;
        v[n].size = absolute ? bytes.value : (uint64_t)size;
        access += v[n].access_pct;
        extent += size;
    }
    if (!v || access < 99.99 || access > 100.01 || extent > 100.01) {
        hci_fio_setting_error(s, "the zones' accesses must add up to 100 percent, their sizes to "
                              "no more");
        return false;
    }
    s->conf->job.zones[d] = v;
    s->conf->job.nzones[d] = n;
    return true;
}

static void distribution_zoned(struct hci_fio_setting *s, const char *rest, bool absolute)
{
    struct hci_job *job = &s->conf->job;
    const char *last = "";
    size_t len = rest ? strlen(rest) + 1 : 1;
    char *part = hci_fio_alloc(s->pool, 3 * len);
    for (int d = 0; part && d < HCI_DDIRS; d++) {
        char *mine = part + (size_t)d * len;
        if (rest) {
            hci_fio_part(&rest, ",", mine, len);
            last = mine;
        }
        if (!zones_one(s, last, d, absolute))
            return;
        job->random_dist[d] = absolute ? HCI_RD_ZONED_ABS : HCI_RD_ZONED;
    }
}

static bool distribution_parameter(int kind, double v)
{
    switch (kind) {
    case HCI_RD_ZIPF:
        return v > 0 && v <= 100 && (v < 1 || v > 1);
    case HCI_RD_PARETO:
        return v > 0 && v < 1;
    default:
        return v >= 0 && v <= 100;
    }
}

void hci_fio_rule_distribution(struct hci_fio_setting *s)
{
    static const struct {
        const char *name;
        double def;
        const char *range;
    } kinds[] = {
        [HCI_RD_RANDOM] = { "random", 0, "" },
        [HCI_RD_ZIPF] = { "zipf", 1.1, "theta must be positive and not 1" },
        [HCI_RD_PARETO] = { "pareto", 0.2, "h must lie between 0 and 1" },
        [HCI_RD_NORMAL] = { "normal", 0, "the deviation is a percentage" },
        [HCI_RD_ZONED] = { "zoned", 0, "" },
        [HCI_RD_ZONED_ABS] = { "zoned_abs", 0, "" },
    };
    struct hci_job *job = &s->conf->job;
    const char *rest = s->value;
    char word[32], number[64] = "";
    int kind = 0;
    hci_fio_part(&rest, ":", word, sizeof word);
    while (kind <= HCI_RD_ZONED_ABS && strcmp(word, kinds[kind].name) != 0)
        kind++;
    if (kind > HCI_RD_ZONED_ABS) {
        hci_fio_setting_error(s, "must be random, zipf, pareto, normal, zoned or zoned_abs");
        return;
    }
    if (kind >= HCI_RD_ZONED) {
        distribution_zoned(s, rest, kind == HCI_RD_ZONED_ABS);
        return;
    }
    double v = kinds[kind].def, center = -1;
    bool bad = false;
    if (rest && hci_fio_part(&rest, ":", number, sizeof number) == ':')
        bad = hci_fio_decimal(rest, &center) || center < 0 || center > 1;
    if (*number)
        bad |= hci_fio_decimal(number, &v) != HCI_FIO_OK;
    if (bad || (kind != HCI_RD_RANDOM && !distribution_parameter(kind, v))) {
        hci_fio_setting_error(s, "%s; a center must lie within 0 and 1", kinds[kind].range);
        return;
    }
    for (int d = 0; d < HCI_DDIRS; d++) {
        job->random_dist[d] = kind;
        job->random_theta[d] = v;
        job->random_center[d] = center;
    }
}
