/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_explain.h"

#include "ana_emit.h"
#include "hci_cluster.h"
#include "sim_plan_text.h"

static const char *type_of(const struct sim_tree_node *n)
{
    if (n->verb == SIM_BRANCH)
        return n->name ? "alternative" : "branch";
    return sim_verb_name(n->verb);
}

static void step_json(struct ana_emit *o, const struct sim *s, const struct sim_tree_node *n);

static void list_json(struct ana_emit *o, const struct sim *s, const char *key,
                      const struct sim_tree_node *n)
{
    ana_emit_open(o, key, '[');
    for (; n; n = n->next)
        step_json(o, s, n);
    ana_emit_close(o, ']');
}

static void visit_json(struct ana_emit *o, const struct sim *s, const struct sim_tree_node *n)
{
    ana_emit_str(o, "station", n->name);
    ana_emit_u64(o, "servers", s->station[n->target].servers);
    ana_emit_f64(o, "service_ns", n->service_ns);
    ana_emit_f64(o, "alone_ns", n->path_ns);
    ana_emit_str(o, "part", hci_part_name(n->part));
}

static void detail_json(struct ana_emit *o, const struct sim *s, const struct sim_tree_node *n)
{
    switch ((enum sim_verb)n->verb) {
    case SIM_VISIT:
    case SIM_UNITS:
    case SIM_CUT:
    case SIM_SERVE:
        visit_json(o, s, n);
        break;
    case SIM_DELAY:
        ana_emit_f64(o, "alone_ns", n->path_ns);
        ana_emit_str(o, "part", hci_part_name(n->part));
        break;
    case SIM_TAKE:
    case SIM_GIVE:
        ana_emit_str(o, "gate", n->name);
        ana_emit_u64(o, "count", n->count);
        ana_emit_u64(o, "capacity", s->gate[n->target].capacity);
        break;
    case SIM_PAR:
        ana_emit_u64(o, "needed", n->count);
        list_json(o, s, "branches", n->first);
        break;
    case SIM_SPLIT:
        ana_emit_u64(o, "fragments", n->count);
        ana_emit_u64(o, "window", n->window);
        list_json(o, s, "steps", n->first);
        break;
    case SIM_SUB:
        ana_emit_str(o, "name", n->name);
        list_json(o, s, "alternatives", n->first);
        break;
    case SIM_BRANCH:
        if (n->name)
            ana_emit_str(o, "when", n->name);
        list_json(o, s, "steps", n->first);
        break;
    case SIM_SPAWN:
    case SIM_CALL:
        ana_emit_str(o, "name", n->name);
        break;
    case SIM_ACK:
    case SIM_END:
    case SIM_JOIN:
    case SIM_RETURN:
        break;
    }
}

static void step_json(struct ana_emit *o, const struct sim *s, const struct sim_tree_node *n)
{
    ana_emit_open(o, NULL, '{');
    ana_emit_str(o, "step", type_of(n));
    detail_json(o, s, n);
    ana_emit_close(o, '}');
}

static void path_json(struct ana_emit *o, const struct hci_path *p, const struct ana_subject *of)
{
    ana_emit_open(o, NULL, '{');
    ana_emit_str(o, "when", p->when);
    ana_emit_f64(o, "alone_ns", p->path_ns);
    if (of->depth && p->path_ns > 0)
        ana_emit_f64(o, "depth_allows_per_s", (double)of->depth / (p->path_ns * 1e-9));
    ana_emit_open(o, "bounds", '[');
    for (unsigned i = 0; i < p->nbounds; i++) {
        const struct sim_bound *b = &p->bounds[i];
        ana_emit_open(o, NULL, '{');
        ana_emit_str(o, "station", b->name);
        ana_emit_str(o, "kind", b->what);
        ana_emit_i64(o, "node", b->node);
        ana_emit_u64(o, "servers", b->servers);
        ana_emit_f64(o, "demand_ns", b->demand_ns);
        ana_emit_f64(o, "allows_per_s", b->per_s);
        ana_emit_close(o, '}');
    }
    ana_emit_close(o, ']');
    ana_emit_close(o, '}');
}

void ana_explain_json(struct ana_emit *o, const struct hci_explained *x,
                      const struct ana_subject *of)
{
    ana_emit_open(o, NULL, '{');
    ana_emit_str(o, "io", of->io);
    ana_emit_str(o, "kind", of->depth ? "guest" : "background");
    if (of->depth) {
        ana_emit_u64(o, "bytes", of->bytes);
        ana_emit_u64(o, "depth", of->depth);
    }
    list_json(o, x->sim, "steps", x->tree.first);
    ana_emit_open(o, "paths", '[');
    for (unsigned i = 0; i < x->npaths; i++)
        path_json(o, &x->paths[i], of);
    ana_emit_close(o, ']');
    ana_emit_close(o, '}');
}
