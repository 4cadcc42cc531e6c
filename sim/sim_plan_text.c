/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim_plan_text.h"

#include <inttypes.h>
#include <string.h>

#define LEFT 92 /* columns before the time */

struct print {
    FILE *f;
    const struct sim *sim;
    const char *(*part_name)(unsigned part);
};

const char *sim_verb_name(unsigned verb)
{
    static const char *const names[] = {
        [SIM_END] = "end",    [SIM_VISIT] = "visit",   [SIM_UNITS] = "visit",
        [SIM_CUT] = "visit",  [SIM_SERVE] = "visit",   [SIM_DELAY] = "delay",
        [SIM_TAKE] = "take",  [SIM_GIVE] = "give",     [SIM_PAR] = "par",
        [SIM_BRANCH] = "if",  [SIM_JOIN] = "join",     [SIM_SPLIT] = "split",
        [SIM_SUB] = "decide", [SIM_RETURN] = "return", [SIM_SPAWN] = "spawn",
        [SIM_CALL] = "call",  [SIM_ACK] = "ack"};
    return verb < sizeof names / sizeof *names ? names[verb] : "?";
}

static void visit_text(const struct print *p, const struct sim_tree_node *n, char *buf, size_t size)
{
    uint32_t servers = p->sim->station[n->target].servers;
    int at = snprintf(buf, size, "%s", n->name);
    if (servers > 1)
        at += snprintf(buf + at, size - (size_t)at, ", %" PRIu32 " servers", servers);
    if (n->verb == SIM_UNITS && n->count > 1)
        at += snprintf(buf + at, size - (size_t)at, ", %" PRIu64 " units at once", n->count);
    if (n->service_ns <= 0 && n->path_ns > 0)
        snprintf(buf + at, size - (size_t)at, ", any number together");
    else if (n->service_ns != n->path_ns)
        snprintf(buf + at, size - (size_t)at, ", occupied %.2f us", n->service_ns * 1e-3);
}

static void step_text(const struct print *p, const struct sim_tree_node *n, char *buf, size_t size)
{
    buf[0] = 0;
    switch ((enum sim_verb)n->verb) {
    case SIM_VISIT:
    case SIM_UNITS:
    case SIM_CUT:
    case SIM_SERVE:
        visit_text(p, n, buf, size);
        break;
    case SIM_TAKE:
    case SIM_GIVE:
        snprintf(buf, size, "%" PRIu64 " of %s (holds %" PRIu64 ")", n->count, n->name,
                 p->sim->gate[n->target].capacity);
        break;
    case SIM_PAR:
        snprintf(buf, size, "%u branches, go on at %s%" PRIu64 " finished%s", n->window,
                 n->count == n->window ? "all " : "", n->count,
                 n->cancel ? ", end the others" : "");
        break;
    case SIM_SPLIT:
        snprintf(buf, size, "%" PRIu64 " fragments, %u at a time", n->count, n->window);
        break;
    case SIM_SUB:
    case SIM_SPAWN:
    case SIM_CALL:
    case SIM_BRANCH:
        snprintf(buf, size, "%s", n->name ? n->name : "");
        break;
    case SIM_DELAY:
    case SIM_ACK:
    case SIM_END:
    case SIM_JOIN:
    case SIM_RETURN:
        break;
    }
}

static void line(const struct print *p, unsigned indent, const struct sim_tree_node *n)
{
    char text[256];
    step_text(p, n, text, sizeof text);
    int left = (int)indent + 7 + (int)strlen(text);
    if (n->verb == SIM_BRANCH && !n->name) {
        fprintf(p->f, "%*sbranch %" PRIu64 "\n", (int)indent, "", n->count);
        return;
    }
    fprintf(p->f, "%*s%s", (int)indent, "", sim_verb_name(n->verb));
    if (text[0])
        fprintf(p->f, "%*s%s", 7 - (int)strlen(sim_verb_name(n->verb)), "", text);
    else
        left -= 7 - (int)strlen(sim_verb_name(n->verb));
    if (n->path_ns > 0) {
        fprintf(p->f, "%*s%11.2f us", left < LEFT ? LEFT - left : 0, "", n->path_ns * 1e-3);
        if (p->part_name)
            fprintf(p->f, "  %s", p->part_name(n->part));
    }
    fputc('\n', p->f);
}

static void list(const struct print *p, unsigned indent, const struct sim_tree_node *n)
{
    for (; n; n = n->next) {
        line(p, indent, n);
        if (n->verb == SIM_BRANCH && !n->first)
            fprintf(p->f, "%*s(nothing)\n", (int)indent + 2, "");
        list(p, indent + 2, n->first);
    }
}

void sim_plan_text(FILE *f, const struct sim_tree *t, const char *(*part_name)(unsigned part),
                   unsigned indent)
{
    struct print p = {f, t->sim, part_name};
    list(&p, indent, t->first);
}
