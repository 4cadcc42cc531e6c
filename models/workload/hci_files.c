/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the job file's files lie on the guest's volume.
 */
#include "workload/hci_runner.h"

#include "sim_assert.h"

#include <stdlib.h>

#define ALIGN (1 * SIM_MIB)

static uint64_t volume_bytes(const struct hci_runner *r)
{
    const struct hci_layout *lay = r->cluster->layout;
    uint64_t bytes = lay->guests[0].vdisk_bytes;
    const struct hci_device *raw = r->cluster->guests[0].legs[0].raw;
    return bytes ? bytes : raw ? raw->conf->common.raw_bytes : 0;
}

static uint64_t file_size(const struct hci_runner *r, unsigned f)
{
    uint64_t bytes = sim_max(r->jobs->files[f].bytes, r->jobs->files[f].need);
    return bytes ? bytes : volume_bytes(r);
}

int hci_files_place(struct hci_runner *r, struct sim_err *e)
{
    unsigned n = r->jobs->nfiles;
    uint64_t at = 0;
    r->file_bytes = calloc(n + 1, sizeof *r->file_bytes);
    r->file_base = calloc(n + 1, sizeof *r->file_base);
    sim_assert(r->file_bytes && r->file_base);
    for (unsigned f = 0; f < n; f++) {
        r->file_bytes[f] = file_size(r, f);
        r->file_base[f] = at;
        if (!r->file_bytes[f])
            return sim_fail(e, SIM_E_INPUT,
                            "file %s has no size: give a job that uses it size= or the guest a "
                            "vdisk_size",
                            r->jobs->files[f].name);
        at += (r->file_bytes[f] + ALIGN - 1) / ALIGN * ALIGN;
    }
    r->volume_bytes = at;
    return SIM_OK;
}
