/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_csv.c: the table for spreadsheets, one line a point and job.
 */
#include "ana_sweep_print.h"

#include <math.h>
#include <string.h>

static void put_cell(FILE *f, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, f);
        return;
    }
    fputc('"', f);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', f);
        fputc(*text, f);
    }
    fputc('"', f);
}

static void put_number(FILE *f, double v)
{
    fputc(',', f);
    if (isnan(v))
        return;
    if (fabs(v) < 1e15 && floor(v) >= v)
        fprintf(f, "%.0f", v);
    else
        fprintf(f, "%.9g", v);
}

static void put_head(FILE *f, const struct ana_plan *plan)
{
    fputs("point,status", f);
    for (unsigned i = 0; i < plan->space.naxes; i++) {
        fputc(',', f);
        put_cell(f, plan->space.axis[i].key);
    }
    for (int m = ANA_M_FIRST_OF_POINT; m < ANA_NMETRICS; m++)
        fprintf(f, ",%s", ana_metrics[m].column);
    fputs(",job", f);
    for (int m = 0; m < ANA_M_FIRST_OF_POINT; m++)
        fprintf(f, ",%s", ana_metrics[m].column);
    fputs(",bottleneck,next_bottleneck,reason,unresolved\n", f);
}

/* Metrics whose cell is empty because too few samples lie beyond them. */
static void put_unresolved(FILE *f, const struct ana_row *row)
{
    const char *gap = "";
    for (int m = 0; row && m < ANA_M_FIRST_OF_POINT; m++)
        if (ana_row_unresolved(row, m)) {
            fprintf(f, "%s%s", gap, ana_metrics[m].column);
            gap = " ";
        }
}

/* row NULL: a point without results. */
static void put_line(FILE *f, const struct ana_plan *plan, const struct ana_point *p,
                     const struct ana_row *row)
{
    fprintf(f, "%llu,%s", (unsigned long long)p->number, ana_point_statuses[p->status]);
    for (unsigned i = 0; i < plan->space.naxes; i++) {
        fputc(',', f);
        put_cell(f, ana_plan_value(plan, p->index, i));
    }
    put_number(f, p->price_eur);
    put_number(f, p->watts);
    put_number(f, p->usable_bytes);
    fputc(',', f);
    put_cell(f, row ? row->job : "");
    for (int m = 0; m < ANA_M_FIRST_OF_POINT; m++)
        put_number(f, row ? row->m[m] : NAN);
    fputc(',', f);
    put_cell(f, row ? row->bottleneck : "");
    fputc(',', f);
    put_cell(f, row ? row->next : "");
    fputc(',', f);
    put_cell(f, p->reason);
    fputc(',', f);
    put_unresolved(f, row);
    fputc('\n', f);
}

int ana_sweep_csv(FILE *f, const struct ana_plan *plan, struct ana_journal *j, struct sim_err *e)
{
    struct ana_point p = { 0 };
    int rc = SIM_OK;
    put_head(f, plan);
    for (uint64_t i = 0; rc == SIM_OK && i < j->npoints; i++) {
        if (!ana_journal_has(j, i))
            continue;
        rc = ana_journal_point(j, plan, i, &p, e);
        for (unsigned r = 0; rc == SIM_OK && r < p.nrows; r++)
            put_line(f, plan, &p, &p.row[r]);
        if (rc == SIM_OK && p.nrows == 0)
            put_line(f, plan, &p, NULL);
    }
    ana_point_fini(&p);
    return rc;
}
