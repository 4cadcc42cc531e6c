/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_until.c: the knee of a ramp, by bisection.
 */
#include "ana_sweep_answer.h"

#include <stdlib.h>

int64_t ana_bisect(uint64_t n, int (*holds)(void *ctx, uint64_t i), void *ctx, int *status)
{
    int64_t low = -1, high = (int64_t)n; /* holds at low, not at high */
    *status = 0;
    while (high - low > 1) {
        int64_t mid = low + (high - low) / 2;
        int yes = holds(ctx, (uint64_t)mid);
        if (yes < 0) {
            *status = yes;
            return -1;
        }
        *(yes ? &low : &high) = mid;
    }
    return low;
}

struct probe {
    struct ana_subject *subject;
    struct ana_journal *journal;
    const struct ana_condition *condition;
    struct ana_worker worker;
    struct ana_point point;
    unsigned char *buf;
    size_t buf_bytes;
    int status;
    struct sim_err *err;
};

static int simulate(struct probe *pr, uint64_t i)
{
    struct ana_point *p = &pr->point;
    p->number = i;
    p->index[0] = (unsigned)i;
    int rc = ana_worker_run(&pr->worker, p, pr->err);
    if (rc != SIM_OK)
        return rc;
    size_t n = ana_point_pack(p, 1, &pr->buf, &pr->buf_bytes);
    return ana_journal_append(pr->journal, i, pr->buf, n, pr->err);
}

static int holds(void *ctx, uint64_t i)
{
    struct probe *pr = ctx;
    pr->status = ana_journal_has(pr->journal, i)
                     ? ana_journal_point(pr->journal, &pr->subject->plan, i, &pr->point, pr->err)
                     : simulate(pr, i);
    if (pr->status != SIM_OK)
        return -1;
    return ana_condition_holds(pr->condition, &pr->point);
}

int ana_until_search(struct ana_subject *s, struct ana_journal *j, const struct ana_condition *c,
                     int64_t *knee, struct sim_err *e)
{
    struct probe pr = { .subject = s, .journal = j, .condition = c, .err = e,
                        .worker = { .subject = s } };
    int stopped;
    *knee = ana_bisect(s->plan.space.npoints, holds, &pr, &stopped);
    ana_point_fini(&pr.point);
    ana_worker_fini(&pr.worker);
    free(pr.buf);
    return stopped ? pr.status : SIM_OK;
}

static int say(FILE *f, const struct ana_plan *plan, struct ana_journal *j,
               const struct ana_condition *c, uint64_t i, struct sim_err *e)
{
    struct ana_point p = { 0 };
    char text[64];
    int rc = ana_journal_point(j, plan, i, &p, e);
    if (rc == SIM_OK)
        fprintf(f, " (%s %s)", ana_metrics[c->metric.metric].name,
                p.status == ANA_POINT_DONE
                    ? ana_metric_text(text, sizeof text, c->metric.metric,
                                      ana_metric_of(&c->metric, &p))
                    : ana_point_statuses[p.status]);
    ana_point_fini(&p);
    return rc;
}

int ana_until_print(FILE *f, const struct ana_plan *plan, struct ana_journal *j,
                    const struct ana_condition *c, int64_t knee, struct sim_err *e)
{
    const struct ana_axis *x = &plan->space.axis[0];
    int rc = SIM_OK;
    if (knee < 0) {
        fprintf(f, "knee: no value meets %s, not even %s = %s", c->text, x->key, x->value[0]);
        rc = say(f, plan, j, c, 0, e);
    } else {
        fprintf(f, "knee: %s = %s is the largest that meets %s", x->key, x->value[knee], c->text);
        rc = say(f, plan, j, c, (uint64_t)knee, e);
        if (rc == SIM_OK && knee + 1 < x->n) {
            fprintf(f, "; %s does not", x->value[knee + 1]);
            rc = say(f, plan, j, c, (uint64_t)knee + 1, e);
        } else {
            fprintf(f, "; larger values were not asked for");
        }
    }
    fprintf(f, "\n%llu points simulated\n", (unsigned long long)j->ndone);
    return rc;
}
