/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_options.h"
#include "fio_value.h"
#include "hci_param.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void hci_fio_setting_error(struct hci_fio_setting *s, const char *fmt, ...)
{
    char text[600], name[64], value[64];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    hci_fio_error(s->log, s->file, s->line, "option %s%s%s: %s", hci_fio_printable(s->name, name),
                  s->value ? "=" : "", s->value ? hci_fio_printable(s->value, value) : "", text);
}

void hci_fio_conf_init(struct hci_fio_conf *conf)
{
    static const double percentiles[] = { 1,  5,  10, 20, 30,   40,   50,    60,   70,
                                          80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99 };
    struct hci_job *job = &conf->job;
    memset(conf, 0, sizeof *conf);
    conf->kb_base = 1024;
    conf->nrfiles = 1;
    conf->filename_format = "$jobname.$jobnum.$filenum";
    job->rw = HCI_RW_READ;
    job->wait_for = -1;
    job->rwmixread = 50;
    snprintf(job->engine, sizeof job->engine, "psync");
    job->iodepth_asked = job->iodepth_batch = job->iodepth_batch_complete_min = 1;
    job->file_service_nr = 1;
    job->numjobs = job->loops = 1;
    job->randrepeat = true;
    job->randseed = 0x89;
    for (int d = 0; d < HCI_DDIRS; d++) {
        conf->bs[d] = 4096;
        job->percentage_random[d] = 100;
        job->random_center[d] = -1;
    }
    job->rate_cycle = SIM_S;
    job->allocated = true;
    job->compress_pct = job->dedupe_pct = -1;
    job->do_verify = true;
    job->latency_percentile = 100;
    job->replay_time_scale = 100;
    job->clat_percentiles = job->stats = job->disk_util = job->per_job_logs = true;
    job->npercentiles = sizeof percentiles / sizeof percentiles[0];
    memcpy(job->percentiles, percentiles, sizeof percentiles);
    job->significant_figures = 4;
}

static void store_at(struct hci_fio_setting *s, uint64_t v, size_t index)
{
    char *at = (char *)s->conf + s->row->at;
    switch (s->row->store) {
    case HCI_FIO_IN_BOOL:
        *(bool *)(void *)at = v != 0;
        break;
    case HCI_FIO_IN_U32:
        ((unsigned *)(void *)at)[index] = (unsigned)v;
        break;
    case HCI_FIO_IN_U64:
        ((uint64_t *)(void *)at)[index] = v;
        break;
    case HCI_FIO_IN_INT:
        *(int *)(void *)at = (int)v;
        break;
    case HCI_FIO_IN_I64:
        *(int64_t *)(void *)at = (int64_t)v;
        break;
    case HCI_FIO_IN_DOUBLE:
        *(double *)(void *)at = (double)v;
        break;
    case HCI_FIO_IN_MS:
        *(sim_time *)(void *)at = v * SIM_MS;
        break;
    default:
        break;
    }
}

static void store(struct hci_fio_setting *s, uint64_t v) { store_at(s, v, 0); }

/* One number with byte suffixes, checked against the row. */
static bool number(struct hci_fio_setting *s, const char *text, struct hci_fio_number *n)
{
    const struct hci_fio_option *row = s->row;
    int fault = hci_fio_bytes(text, (unsigned)s->conf->kb_base, n);
    char shown[64];
    if (fault && strcmp(text, s->value) == 0) {
        hci_fio_setting_error(s, "%s", hci_fio_fault_text(fault));
        return false;
    }
    if (fault) {
        hci_fio_setting_error(s, "\"%s\" %s", hci_fio_printable(text, shown),
                              hci_fio_fault_text(fault));
        return false;
    }
    if (n->binary_suffix)
        hci_fio_note(s->log, NULL, 0, "%s=%s is %" PRIu64 " bytes: fio's kib, mib ... are powers "
                     "of %d", s->name, hci_fio_printable(text, shown), n->value,
                     s->conf->kb_base == 1024 ? 1000 : 1024);
    if (n->zones || (n->percent && row->type != HCI_FIO_REGION)) {
        hci_fio_setting_error(s, "takes no %s", n->zones ? "number of zones" : "percentage");
        return false;
    }
    if (n->percent && n->value > 100) {
        hci_fio_setting_error(s, "more than 100 percent");
        return false;
    }
    bool low = n->negative ? n->value > 0 && (row->min >= 0 || n->value > (uint64_t)-row->min)
                           : row->min > 0 && n->value < (uint64_t)row->min;
    if (!n->percent && (low || (!n->negative && n->value > (uint64_t)row->max))) {
        hci_fio_setting_error(s, "must lie within %" PRId64 " and %" PRId64, row->min, row->max);
        return false;
    }
    return true;
}

static void apply_flag(struct hci_fio_setting *s)
{
    struct hci_fio_number n = { .value = 1 };
    if (s->value) {
        int fault = hci_fio_bytes(s->value, 1024, &n);
        if (fault || n.percent || n.zones) {
            hci_fio_setting_error(s, "must be 0 or 1; fio knows no true, false, yes or no");
            return;
        }
        if (s->row->type == HCI_FIO_BOOL && (n.value > 1 || n.negative)) {
            hci_fio_setting_error(s, "must be 0 or 1");
            return;
        }
    }
    store(s, n.value != 0);
}

static void apply_region(struct hci_fio_setting *s)
{
    struct hci_fio_number n;
    if (!number(s, s->value, &n))
        return;
    if (n.percent)
        *(double *)(void *)((char *)s->conf + s->row->at_percent) = (double)n.value;
    else
        store(s, n.value);
}

/* read,write,trim; a missing trailing part repeats, an empty part is skipped. */
static void apply_three(struct hci_fio_setting *s)
{
    const char *rest = s->value;
    for (size_t i = 0; rest; i++) {
        char part[64];
        struct hci_fio_number n;
        hci_fio_part(&rest, ",:-", part, sizeof part);
        if (i == HCI_DDIRS) {
            hci_fio_setting_error(s, "more than three values (read, write, trim)");
            return;
        }
        if (!*part && (rest || i > 0))
            continue;
        if (!number(s, part, &n))
            return;
        for (size_t d = i; d < (rest ? i + 1 : HCI_DDIRS); d++)
            store_at(s, n.value, d);
    }
}

static void apply_time(struct hci_fio_setting *s)
{
    struct hci_fio_number n;
    int fault = hci_fio_time(s->value, s->row->unit, &n);
    if (fault)
        hci_fio_setting_error(s, "%s", hci_fio_fault_text(fault));
    else if (n.negative && n.value)
        hci_fio_setting_error(s, "a negative time means \"for ever\" to fio; a simulation needs "
                              "an end");
    else
        store(s, n.value);
}

static void apply_word(struct hci_fio_setting *s)
{
    char list[300] = "", word[64], hint[80];
    const char *rest = s->value;
    struct hci_nearest near;
    hci_fio_part(&rest, ":", word, sizeof word);
    hci_nearest_begin(&near, word);
    for (const struct hci_fio_word *w = s->row->words; w->word; w++) {
        hci_nearest_offer(&near, w->word);
        if (strcmp(w->word, word) == 0) {
            store(s, (uint64_t)(int64_t)w->value);
            return;
        }
    }
    size_t n = 0;
    for (const struct hci_fio_word *w = s->row->words; w->word && n < sizeof list - 30; w++)
        n += (size_t)snprintf(list + n, sizeof list - n, " %s", w->word);
    hci_fio_setting_error(s, "must be one of%s%s", list,
                          hci_nearest_hint(&near, hint, sizeof hint));
}

static void apply_text(struct hci_fio_setting *s)
{
    if (s->row->type == HCI_FIO_TEXT && !*s->value)
        hci_fio_setting_error(s, "is empty");
    else if (s->row->store == HCI_FIO_IN_TEXT)
        *(const char **)(void *)((char *)s->conf + s->row->at) = s->value ? s->value : "";
}

static void apply_floats(struct hci_fio_setting *s)
{
    const char *rest = s->value;
    while (rest) {
        char part[64];
        double v;
        hci_fio_part(&rest, ":", part, sizeof part);
        int fault = hci_fio_decimal(part, &v);
        if (fault) {
            hci_fio_setting_error(s, "\"%s\" %s", part, hci_fio_fault_text(fault));
            return;
        }
    }
}

static void apply_count(struct hci_fio_setting *s)
{
    struct hci_fio_number n;
    if (number(s, s->value, &n))
        store(s, n.negative ? 0 : n.value);
}

/* Does the value ask for nothing out of the ordinary? */
static bool is_default(const struct hci_fio_setting *s)
{
    const char *def = s->row->def;
    if (!s->value)
        return false;
    return strcmp(s->value, "0") == 0 || strcmp(s->value, "none") == 0 ||
           (def && strcmp(s->value, def) == 0);
}

/* False: the setting is not to be read. */
static bool allowed(struct hci_fio_setting *s)
{
    const struct hci_fio_option *row = s->row;
    bool ask = row->verdict != HCI_FIO_HONOUR && row->verdict != HCI_FIO_ACCEPT && !is_default(s);
    if (row->verdict == HCI_FIO_REFUSE && s->lenient)
        hci_fio_note(s->log, NULL, 0, "option %s ignored: %s", row->name, row->why);
    else if (row->verdict == HCI_FIO_REFUSE)
        hci_fio_setting_error(s, "%s", row->why);
    if (row->verdict == HCI_FIO_REFUSE)
        return false;
    if (ask && row->verdict == HCI_FIO_NOTE)
        hci_fio_note(s->log, NULL, 0, "option %s: %s", row->name, row->why);
    return true;
}

void hci_fio_option_apply(struct hci_fio_setting *s)
{
    static void (*const readers[])(struct hci_fio_setting *) = {
        [HCI_FIO_BOOL] = apply_flag,     [HCI_FIO_SET] = apply_flag,
        [HCI_FIO_COUNT] = apply_count,   [HCI_FIO_BYTES] = apply_count,
        [HCI_FIO_REGION] = apply_region, [HCI_FIO_BYTES3] = apply_three,
        [HCI_FIO_COUNT3] = apply_three,  [HCI_FIO_TIME] = apply_time,
        [HCI_FIO_WORD] = apply_word,     [HCI_FIO_TEXT] = apply_text,
        [HCI_FIO_OPTTEXT] = apply_text,  [HCI_FIO_FLOATS] = apply_floats,
    };
    int type = s->row->type;
    if (!allowed(s))
        return;
    if (!s->value && type != HCI_FIO_SET && type != HCI_FIO_OPTTEXT)
        hci_fio_setting_error(s, "needs a value");
    else if (type == HCI_FIO_RULE)
        s->row->set(s);
    else
        readers[type](s);
}
