/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_summary.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "ana_breakdown.h"
#include "ana_fio_text.h"
#include "ana_interval.h"

enum {
    ASSUMPTIONS =
        sizeof((struct hci_result *)0)->assumptions / sizeof((struct hci_result *)0)->assumptions[0]
};

static void state_lines(FILE *f, const struct hci_job_result *j)
{
    for (unsigned i = 0; i < j->ncounters; i++) {
        const struct hci_counter *c = &j->counters[i];
        bool whole = c->value == floor(c->value) && fabs(c->value) < 1e18;
        fprintf(f, "%s     %-40.63s %20.*f%s%s\n", i ? "" : "  state and counters\n", c->name,
                whole ? 0 : 3, c->value, strcmp(c->unit, "1") ? " " : "",
                strcmp(c->unit, "1") ? c->unit : "");
    }
}

static void footing(FILE *f, const struct hci_result *r)
{
    fputs("\nSimulation\n  layout       : ", f);
    ana_text_safe(f, r->layout_name ? r->layout_name : "(no name)");
    fprintf(f,
            "\n  simulated    : %.3f s, %" PRIu64 " events, %" PRIu64 " draws, %" PRIu64 " ties\n",
            (double)r->sim_ns / 1e9, r->events, r->draws, r->ties);
    if (r->reps > 1)
        fprintf(f, "  replications : %u, pooled; series and state are the first one's\n", r->reps);
    if (r->passes > 1)
        fprintf(f, "  pass kept    : %u of %u\n", r->pass, r->passes);
    fprintf(f, "  seed, hash   : %" PRIu64 ", %016" PRIx64 "\n", r->seed, r->hash);
    for (unsigned i = 0; i < ASSUMPTIONS && r->assumptions[i][0]; i++) {
        fputs(i ? "                 " : "  assumed      : ", f);
        ana_text_safe(f, r->assumptions[i]);
        fputc('\n', f);
    }
    fputs("  not modelled : see docs/model.md\n", f);
}

void ana_summary_print(FILE *f, const struct hci_result *r)
{
    for (unsigned i = 0; i < r->njobs; i++) {
        if (i)
            fputc('\n', f);
        ana_fio_text_job(f, r, &r->jobs[i]);
        ana_interval_print(f, &r->jobs[i]);
        ana_breakdown_print(f, r, &r->jobs[i]);
        state_lines(f, &r->jobs[i]);
    }
    ana_fio_text_groups(f, r);
    footing(f, r);
}
