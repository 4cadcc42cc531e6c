/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/hci_steady.h"

#include "workload/hci_turn.h"

#define WINDOW_MAX 4096 /* seconds looked at, whatever the job asks for */

/* Reads and writes in second `at` of the measured time. */
static uint64_t in_second(const struct hci_row *row, uint64_t at)
{
    uint64_t per = SIM_S / row->stats.interval_ns, sum = 0;
    for (unsigned d = HCI_DIR_READ; d <= HCI_DIR_WRITE; d++) {
        const struct hci_dir_stats *dir = row->stats.dir[d];
        for (uint64_t i = at * per; dir && i < (at + 1) * per && i < dir->nintervals; i++)
            sum += row->job->ss_metric == 1 ? dir->intervals[i].bytes : dir->intervals[i].ios;
    }
    return sum;
}

static void look(struct sim *s, void *ctx)
{
    struct hci_row *row = ctx;
    const struct hci_job *job = row->job;
    uint64_t second[WINDOW_MAX], seconds = (s->now - row->ramp_end) / SIM_S;
    uint64_t want = sim_min(job->ss_dur / SIM_S, WINDOW_MAX);
    if (row->running == 0 || (s->now - row->ramp_end) % SIM_S)
        return;
    sim_after(s, SIM_S, look, row);
    if (want == 0 || seconds < want + job->ss_ramp / SIM_S)
        return;
    for (uint64_t i = 0; i < want; i++)
        second[i] = in_second(row, seconds - want + i);
    if (!hci_goal_steady(job, second, (unsigned)want))
        return;
    for (unsigned i = 0; i < row->runner->nclones; i++)
        if (row->runner->clones[i].row == row)
            hci_turn_end(&row->runner->clones[i]);
}

void hci_steady_begin(struct hci_row *row)
{
    if (row->job->steadystate)
        sim_after(row->runner->cluster->sim, SIM_S, look, row);
}
