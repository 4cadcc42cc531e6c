/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_explain.h: what one I/O does on a layout, and what that allows, without
 * running it.
 *
 * A cluster is built in a simulation of its own, asked for the plans of
 * HCI_SAMPLES I/Os of the kind in question and thrown away. The first one's
 * tree is kept for people; demands are means over all of them, since a plan's
 * drives and links follow from its address. Reads of a mirror are spread over
 * its legs as md would, the requests all being outstanding.
 * Not here: queueing, warm caches, what a decision would choose: each of its
 * alternatives is followed on its own. Where a write's replicas go is decided
 * per episode of log data: the samples lie in the first one.
 * Invariant: equal questions on equal layouts get equal answers.
 */
#ifndef HCI_EXPLAIN_H
#define HCI_EXPLAIN_H

#include "hci_layout.h"
#include "hci_request.h"
#include "sim_tree.h"

#define HCI_SAMPLES   1024
#define HCI_PATHS_MAX 64 /* combinations of alternatives that are followed */

struct hci_question {
    uint32_t bytes; /* 0 for a flush */
    uint8_t op;     /* enum hci_op */
    uint8_t engine; /* enum hci_host_engine; matters on the native platform */
    bool random;
};

struct hci_path {     /* one alternative of every decision */
    const char *when; /* conditions, joined by "; "; "" without a decision */
    double path_ns;   /* of an I/O that meets nobody, mean */
    unsigned nbounds;
    struct sim_bound *bounds; /* tightest first; I/Os per second */
};

struct hci_explained {
    const char *title; /* background: what it is; else "" */
    struct sim_tree tree;
    unsigned npaths;
    struct hci_path *paths;
    /* behind it, owned */
    struct sim *sim;
    struct hci_cluster *cluster;
    struct sim_arena *arena;
    struct sim_prober *prober;
};

/* A guest's I/O. Returns SIM_OK or SIM_E_INPUT. */
int hci_explain(struct hci_explained **out, const struct hci_layout *lay,
                const struct hci_question *q, struct sim_err *e);

/* The i-th kind of background I/O; *out is NULL when there are no more. */
int hci_explain_background(struct hci_explained **out, const struct hci_layout *lay, unsigned i,
                           struct sim_err *e);

void hci_explained_free(struct hci_explained *x); /* NULL is fine */

#endif
