/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_inputs.h"

#include "ana_output.h"
#include "sim_mem.h"

#include <stdlib.h>

void ana_inputs_name(struct ana_inputs *in, const char *name)
{
    if (in->n == in->max) {
        in->max = in->max ? 2 * in->max : 32;
        void *more = realloc(in->name, in->max * sizeof *in->name);
        if (!more)
            sim_out_of_memory(in->max * sizeof *in->name);
        in->name = more;
    }
    in->name[in->n++] = name;
}

void ana_inputs_add(struct ana_inputs *in, const struct hci_layout *lay,
                    const struct hci_jobfile *jobs)
{
    for (const struct hci_config_file *f = lay ? lay->files : NULL; f; f = f->next)
        ana_inputs_name(in, f->name);
    for (unsigned i = 0; lay && i < lay->ndevices; i++)
        ana_inputs_name(in, lay->devices[i].file);
    for (const struct hci_read_file *f = jobs ? jobs->read : NULL; f; f = f->next)
        ana_inputs_name(in, f->name);
    for (unsigned i = 0; jobs && i < jobs->njobs; i++)
        if (jobs->jobs[i].read_iolog && jobs->jobs[i].clone == 0)
            ana_inputs_name(in, jobs->jobs[i].read_iolog);
}

void ana_inputs_free(struct ana_inputs *in)
{
    free(in->name);
    *in = (struct ana_inputs){ 0 };
}

int ana_inputs_refuse(const struct ana_inputs *in, const char *path, struct sim_err *e)
{
    for (unsigned i = 0; i < in->n; i++)
        if (ana_output_same(path, in->name[i]))
            return sim_fail_at(e, SIM_E_INPUT, path, 0, "would overwrite %.300s, which is read",
                               in->name[i]);
    return SIM_OK;
}
