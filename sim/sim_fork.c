/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_fork.h"

void sim_fork_split(struct sim *s, struct sim_token *t, const struct sim_step *step)
{
    struct sim_join *j = sim_fork_state(s, t, step);
    uint32_t n = (uint32_t)step->arg, window = (uint32_t)(step->arg >> 32);
    j->need = n;
    j->cancel = false;
    j->body = t->pc;
    j->fragments = n;
    j->next_fragment = window;
    j->all = window == n;
    j->live = window;
    for (uint32_t k = 1; k < window; k++) {
        struct sim_token *b = sim_sibling(s, t);
        b->fragment = k;
        sim_become(b, j, k, j->body);
        sim_ready(s, b);
    }
    t->fragment = 0;
    sim_become(t, j, 0, j->body);
}

/* One branch fewer under j; the last one takes the record along. A fork whose
 * branches all ended before its join let one go on ends the branch it is in. */
void sim_join_leave(struct sim *s, struct sim_io *io, struct sim_join *j)
{
    while (j && --j->live == 0) {
        struct sim_join *outer = j->outer;
        if (j->arrived < j->need)
            sim_settle(s, io, j->pc, j->ret, j->depth);
        sim_join_put(s, j);
        j = outer;
        sim_join_lose(s, j);
    }
}

static void next_fragment(struct sim_join *j, struct sim_token *t)
{
    uint32_t k = j->next_fragment++;
    j->all = j->next_fragment == j->fragments && j->need == j->fragments;
    t->key = sim_key(j->key, k + 1);
    t->fragment = k;
    t->pc = j->body;
    t->depth = 0;
}

static bool end_branch(struct sim *s, struct sim_join *j, struct sim_token *t)
{
    sim_join_leave(s, t->io, j);
    sim_token_end(s, t);
    return false;
}

/* Is the latest known end still to come, seen from t's end now? */
static bool later(const struct sim *s, const struct sim_token *last, const struct sim_token *t)
{
    return last && (last->due > s->now || (last->due == s->now && last->key > t->key));
}

bool sim_join_other(struct sim *s, struct sim_join *j, struct sim_token *t)
{
    if (SIM_RARE(t->failed)) {
        t->io->failures++;
        t->failed = false;
        if (sim_join_spare(j))
            return end_branch(s, j, t);
    }
    if (j->fragments && j->next_fragment < j->fragments) {
        j->arrived++;
        next_fragment(j, t);
        return true;
    }
    if (++j->arrived == j->need && later(s, j->last, t)) {
        sim_schedule(s, j->last, j->latest);
        return end_branch(s, j, t);
    }
    if (j->arrived != j->need)
        return end_branch(s, j, t);
    sim_join_release(s, j, t);
    return true;
}
