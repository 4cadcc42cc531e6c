/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The books of stations, gates and counters at one moment, and what of their
 * motion belongs to a row. Adding to a row's window is done by moving its start
 * back: differences are taken modulo 2^64.
 */
#include "workload/hci_runner.h"

#include "sim_assert.h"

#include <stdlib.h>

static void read_gauges(const struct hci_cluster *c, double *out)
{
    for (const struct hci_gauge *g = c->gauges; g; g = g->next)
        *out++ = g->read(g->obj);
}

void hci_window_take(const struct hci_runner *r, struct hci_window *w)
{
    const struct sim *s = r->cluster->sim;
    w->station = malloc((s->nstations + 1) * sizeof *w->station);
    w->gate = malloc((s->ngates + 1) * sizeof *w->gate);
    w->gauge = malloc((r->cluster->ngauges + 1) * sizeof *w->gauge);
    w->device = malloc((r->cluster->ndevices + 1) * sizeof *w->device);
    sim_assert(w->station && w->gate && w->gauge && w->device);
    sim_station_snapshot(s, w->station);
    sim_gate_snapshot(s, w->gate);
    read_gauges(r->cluster, w->gauge);
    for (unsigned i = 0; i < r->cluster->ndevices; i++)
        w->device[i] =
            (struct hci_commands){r->cluster->devices[i].reads, r->cluster->devices[i].writes};
}

void hci_window_free(struct hci_window *w)
{
    free(w->station);
    free(w->gate);
    free(w->gauge);
    free(w->device);
    *w = (struct hci_window){0};
}

void hci_window_mark(const struct hci_runner *r, struct hci_row *row)
{
    hci_window_free(&row->mark);
    hci_window_take(r, &row->mark);
}

static uint64_t times(uint64_t v, sim_time ns, sim_time window)
{
    return (uint64_t)((unsigned __int128)v * ns / window);
}

static void scale_station(struct sim_station_books *from, const struct sim_station_books *then,
                          const struct sim_station_books *now, sim_time ns, sim_time window)
{
    from->served -= times(now->served - then->served, ns, window);
    from->busy -= times(now->busy - then->busy, ns, window);
    from->wait -= times(now->wait - then->wait, ns, window);
    from->sojourn -= times(now->sojourn - then->sojourn, ns, window);
    from->area -= times(now->area - then->area, ns, window);
}

static void scale_gate(struct sim_gate *from, const struct sim_gate *then,
                       const struct sim_gate *now, sim_time ns, sim_time window)
{
    unsigned __int128 used = now->used_area - then->used_area;
    from->area -= times(now->area - then->area, ns, window);
    from->passed -= times(now->passed - then->passed, ns, window);
    from->wait -= times(now->wait - then->wait, ns, window);
    from->used_area -= used / window * ns + used % window * ns / window;
}

void hci_window_scale(const struct hci_runner *r, struct hci_row *row, sim_time ns, sim_time window)
{
    const struct sim *s = r->cluster->sim;
    struct hci_window now = {0};
    unsigned i = 0;
    hci_window_take(r, &now);
    for (uint32_t k = 0; k < s->nstations; k++)
        scale_station(&row->from.station[k], &row->mark.station[k], &now.station[k], ns, window);
    for (uint32_t k = 0; k < s->ngates; k++)
        scale_gate(&row->from.gate[k], &row->mark.gate[k], &now.gate[k], ns, window);
    for (unsigned k = 0; k < r->cluster->ndevices; k++) {
        struct hci_commands *from = &row->from.device[k], *then = &row->mark.device[k];
        from->reads -= times(now.device[k].reads - then->reads, ns, window);
        from->writes -= times(now.device[k].writes - then->writes, ns, window);
    }
    for (const struct hci_gauge *g = r->cluster->gauges; g; g = g->next, i++)
        if (g->counter) /* the skip itself may have moved it */
            row->from.gauge[i] -=
                (row->paused[i] - row->mark.gauge[i]) * ((double)ns / (double)window);
    hci_window_free(&now);
}

void hci_window_pause(struct hci_runner *r)
{
    for (unsigned i = 0; i < r->nrows; i++) {
        struct hci_row *row = &r->rows[i];
        if (!row->running || !row->begun)
            continue;
        free(row->paused);
        row->paused = malloc((r->cluster->ngauges + 1) * sizeof *row->paused);
        sim_assert(row->paused != NULL);
        read_gauges(r->cluster, row->paused);
    }
}

void hci_window_resume(struct hci_runner *r)
{
    for (unsigned i = 0; i < r->nrows; i++) {
        struct hci_row *row = &r->rows[i];
        unsigned k = 0;
        if (!row->running || !row->begun)
            continue;
        for (const struct hci_gauge *g = r->cluster->gauges; g; g = g->next, k++)
            if (g->counter)
                row->from.gauge[k] += g->read(g->obj) - row->paused[k];
    }
}
