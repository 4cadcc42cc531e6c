/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/hci_logs.h"

#include "hci_result.h"
#include "sim_assert.h"

#include <stdlib.h>

bool hci_logs_wanted(const struct hci_job *job)
{
    return job->write_bw_log || job->write_lat_log || job->write_iops_log || job->write_hist_log;
}

static struct hci_logs *append(struct hci_logs **list, const struct hci_job *job, unsigned number,
                               uint32_t *room)
{
    struct hci_logs *l = calloc(1, sizeof *l);
    sim_assert(l != NULL);
    l->job = job;
    l->number = number;
    l->room = room;
    l->submits = job->engine_class != HCI_ENGINE_SYNC &&
                 (job->engine_class != HCI_ENGINE_NULL || job->iodepth > 1);
    while (*list)
        list = &(*list)->next;
    *list = l;
    return l;
}

/* The log of `number` with this window, made if there is none. */
static void serve(struct hci_logs *first, unsigned kind, sim_time window_ns)
{
    struct hci_logs *l = first;
    while (l && l->window_ns != window_ns)
        l = l->next;
    if (!l) {
        l = append(&first, first->job, first->number, first->room);
        l->window_ns = window_ns;
    }
    l->kinds |= kind;
}

struct hci_logs *hci_logs_add(struct hci_logs **list, const struct hci_job *job, unsigned number,
                              uint32_t *room)
{
    if (!hci_logs_wanted(job))
        return NULL;
    struct hci_logs *l = append(list, job, number, room);
    l->kinds = HCI_LOG_REST;
    l->window_ns = job->log_avg_ns;
    if (job->write_bw_log)
        serve(l, HCI_LOG_BW, job->bwavgtime);
    if (job->write_iops_log)
        serve(l, HCI_LOG_IOPS, job->iopsavgtime);
    if (job->write_hist_log && job->log_hist_ns) {
        l->hist = calloc(HCI_DDIRS, sizeof *l->hist);
        sim_assert(l->hist != NULL);
    }
    return l;
}

static bool wants_entries(const struct hci_logs *l)
{
    return l->job->write_lat_log || l->kinds != HCI_LOG_REST;
}

/* The next log of the same clone. */
static struct hci_logs *sibling(const struct hci_logs *l)
{
    return l->next && l->next->number == l->number ? l->next : NULL;
}

void hci_logs_begin(struct hci_logs *l, sim_time now)
{
    for (; l && !l->begun; l = sibling(l)) {
        l->begun = true;
        l->start = l->last = now;
    }
}

/* Room for n more entries of the run; false: there is none. */
static bool take_room(struct hci_logs *l, uint32_t n)
{
    if (l->full || *l->room < n) {
        l->full = true;
        return false;
    }
    *l->room -= n;
    return true;
}

static void keep(struct hci_logs *l, const struct hci_log_entry *entry)
{
    if (!take_room(l, 1))
        return;
    if (l->nentries == l->cap_entries) {
        l->cap_entries = l->cap_entries ? 2 * l->cap_entries : 1024;
        l->entries = realloc(l->entries, l->cap_entries * sizeof *l->entries);
        sim_assert(l->entries != NULL);
    }
    l->entries[l->nentries++] = *entry;
}

static uint32_t saturate(uint64_t v)
{
    return v < UINT32_MAX ? (uint32_t)v : UINT32_MAX;
}

static void close_window(struct hci_logs *l, unsigned dir, uint64_t when_ns)
{
    struct hci_log_window *w = &l->open[dir];
    uint64_t n = l->job->log_max ? 1 : w->ios;
    if (w->ios)
        keep(l, &(struct hci_log_entry){.when_ns = when_ns, .lat_ns = w->lat / n,
                                        .clat_ns = w->clat / n, .slat_ns = saturate(w->slat / n),
                                        .bytes = w->bytes, .ios = w->ios & 0x3fffffff,
                                        .dir = dir & 3});
    *w = (struct hci_log_window){0};
}

/* The bins of direction dir become one line and start anew. */
static void close_hist(struct hci_logs *l, unsigned dir)
{
    struct hci_log_window *w = &l->hist_open[dir];
    struct sim_hist *h = &l->hist[dir];
    struct hci_log_hist out = {.when_ns = w->end_ns, .dir = dir, .bytes = l->job->bs_max[dir]};
    for (unsigned i = 0; i < SIM_HIST_BINS; i++)
        out.nbins += h->bin[i] > 0;
    w->ios = 0;
    if (!take_room(l, 1 + out.nbins / 4))
        return;
    out.bins = malloc((out.nbins + 1) * sizeof *out.bins);
    sim_assert(out.bins != NULL);
    out.nbins = 0;
    for (unsigned i = 0; i < SIM_HIST_BINS; i++)
        if (h->bin[i])
            out.bins[out.nbins++] = (struct hci_log_bin){i, saturate(h->bin[i])};
    *h = (struct sim_hist){0};
    if (l->nhists == l->cap_hists) {
        l->cap_hists = l->cap_hists ? 2 * l->cap_hists : 64;
        l->hists = realloc(l->hists, l->cap_hists * sizeof *l->hists);
        sim_assert(l->hists != NULL);
    }
    l->hists[l->nhists++] = out;
}

static uint64_t max_or_sum(bool max, uint64_t have, uint64_t v)
{
    return max ? sim_max(have, v) : have + v;
}

/* End of the window of length len that holds t: windows are (a, b]. */
static uint64_t window_end(uint64_t t, uint64_t len)
{
    return t ? (t + len - 1) / len * len : len;
}

/* Windows of all directions that ended before t_ns, earliest first: lines of a
 * log ascend. */
static void close_before(struct hci_logs *l, uint64_t t_ns)
{
    for (unsigned again = HCI_DDIRS; again-- > 0;) {
        unsigned first = HCI_DDIRS;
        for (unsigned d = HCI_DDIRS; d-- > 0;)
            if (l->open[d].ios && l->open[d].end_ns < t_ns &&
                (first == HCI_DDIRS || l->open[d].end_ns <= l->open[first].end_ns))
                first = d;
        if (first == HCI_DDIRS)
            return;
        close_window(l, first, l->open[first].end_ns);
    }
}

static void record_window(struct hci_logs *l, const struct hci_log_entry *io)
{
    struct hci_log_window *w = &l->open[io->dir];
    bool max = l->job->log_max;
    close_before(l, io->when_ns);
    w->end_ns = window_end(io->when_ns, l->window_ns);
    w->ios++;
    w->bytes += io->bytes;
    w->lat = max_or_sum(max, w->lat, io->lat_ns);
    w->clat = max_or_sum(max, w->clat, io->clat_ns);
    w->slat = max_or_sum(max, w->slat, io->slat_ns);
}

static void record_hist(struct hci_logs *l, const struct hci_log_entry *io)
{
    for (unsigned d = 0; d < HCI_DDIRS; d++)
        if (l->hist_open[d].ios && l->hist_open[d].end_ns < io->when_ns)
            close_hist(l, d);
    l->hist_open[io->dir].end_ns = window_end(io->when_ns, l->job->log_hist_ns);
    l->hist_open[io->dir].ios++;
    sim_hist_record(&l->hist[io->dir], io->clat_ns);
}

static void record(struct hci_logs *l, const struct hci_log_entry *entry, sim_time now)
{
    l->last = now;
    if (l->hist)
        record_hist(l, entry);
    if (!wants_entries(l))
        return;
    if (l->window_ns)
        record_window(l, entry);
    else
        keep(l, entry);
}

void hci_logs_record(struct hci_logs *l, unsigned dir, struct sim_io *io,
                     const uint64_t *file_base, sim_time now)
{
    if (!l || !l->begun || dir > HCI_DIR_TRIM)
        return;
    const struct hci_request *rq = &hci_io_of(io)->rq;
    uint64_t lat = now - io->issued;
    uint64_t slat = l->submits && io->submitted != SIM_NEVER ? io->submitted - io->issued : 0;
    struct hci_log_entry entry = {.when_ns = now - l->start, .lat_ns = lat,
                                  .clat_ns = lat - slat, .slat_ns = saturate(slat),
                                  .bytes = rq->bytes, .offset = rq->offset - file_base[rq->file],
                                  .ios = 1, .dir = dir & 3};
    for (; l; l = sibling(l))
        record(l, &entry, now);
}

void hci_logs_close(struct hci_logs *list)
{
    for (struct hci_logs *l = list; l; l = l->next) {
        uint64_t end = l->last - l->start;
        close_before(l, end);
        for (unsigned d = 0; d < HCI_DDIRS; d++) {
            close_window(l, d, sim_min(l->open[d].end_ns, end));
            if (l->hist && l->hist_open[d].ios && l->hist_open[d].end_ns <= end)
                close_hist(l, d);
        }
    }
}

void hci_logs_free(struct hci_logs *list)
{
    while (list) {
        struct hci_logs *next = list->next;
        for (unsigned i = 0; i < list->nhists; i++)
            free(list->hists[i].bins);
        free(list->hists);
        free(list->entries);
        free(list->hist);
        free(list);
        list = next;
    }
}
