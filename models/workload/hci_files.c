/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the job file's files lie on the guest's volume.
 */
#include "workload/hci_runner.h"

#include "sim_assert.h"

#include <stdlib.h>

#define ALIGN (1 * SIM_MIB)

/* What the guest's file system can hold; 0: as much as is asked. */
static uint64_t volume_bytes(const struct hci_runner *r, unsigned guest)
{
    const struct hci_guest *g = &r->cluster->guests[guest];
    uint64_t leg = r->cluster->layout->guests[guest].vdisk_bytes;
    for (unsigned i = 0; i < g->nlegs && g->legs[i].raw; i++) {
        uint64_t raw = g->legs[i].raw->conf->common.raw_bytes;
        leg = leg ? sim_min(leg, raw) : raw;
    }
    unsigned data_legs = g->raid == HCI_RAID1 ? 1 : g->raid == HCI_RAID10 ? g->nlegs / 2 : g->nlegs;
    return leg * data_legs;
}

static int check_fit(const struct hci_runner *r, uint64_t end, struct sim_err *e)
{
    const struct hci_layout *lay = r->cluster->layout;
    for (unsigned g = 0; g < r->cluster->nguests; g++) {
        uint64_t room = volume_bytes(r, g);
        if (room && end > room)
            return sim_fail_at(e, SIM_E_INPUT, lay->path, lay->guests[g].line,
                               "the jobs' files take %.1f GiB, the volume of guest %u has %.1f GiB",
                               (double)end / (double)SIM_GIB, g, (double)room / (double)SIM_GIB);
    }
    return SIM_OK;
}

static uint64_t file_size(const struct hci_runner *r, unsigned f)
{
    uint64_t bytes = sim_max(r->jobs->files[f].bytes, r->jobs->files[f].need);
    return bytes ? bytes : volume_bytes(r, 0);
}

/* What a fill_device job's file may grow to: its share of what others leave. */
static uint64_t share_of_rest(const struct hci_runner *r)
{
    uint64_t room = 0, taken = 0;
    unsigned n = 0;
    for (unsigned g = 0; g < r->cluster->nguests; g++) {
        uint64_t bytes = volume_bytes(r, g);
        room = room && bytes ? sim_min(room, bytes) : sim_max(room, bytes);
    }
    for (unsigned f = 0; f < r->jobs->nfiles; f++) {
        const struct hci_file *file = &r->jobs->files[f];
        n += file->fills;
        taken += file->fills ? 0 : (file_size(r, f) + ALIGN - 1) / ALIGN * ALIGN;
    }
    return n && room > taken ? (room - taken) / n / ALIGN * ALIGN : 0;
}

int hci_files_place(struct hci_runner *r, struct sim_err *e)
{
    unsigned n = r->jobs->nfiles;
    uint64_t at = 0, end = 0, share = share_of_rest(r);
    r->file_bytes = calloc(n + 1, sizeof *r->file_bytes);
    r->file_base = calloc(n + 1, sizeof *r->file_base);
    sim_assert(r->file_bytes && r->file_base);
    for (unsigned f = 0; f < n; f++) {
        r->file_bytes[f] = file_size(r, f);
        if (r->jobs->files[f].fills && share)
            r->file_bytes[f] = sim_min(r->file_bytes[f], share);
        r->file_base[f] = at;
        if (!r->file_bytes[f])
            return sim_fail(e, SIM_E_INPUT,
                            "file %s has no size: give a job that uses it size= or the guest a "
                            "vdisk_size",
                            r->jobs->files[f].name);
        end = at + r->file_bytes[f];
        at += (r->file_bytes[f] + ALIGN - 1) / ALIGN * ALIGN;
    }
    r->volume_bytes = at;
    return check_fit(r, end, e);
}
