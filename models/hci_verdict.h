/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_verdict.h: from the books of a measured window to what people ask: how
 * busy was what, which component is the bottleneck, which the next, and what
 * bound the closed form gives.
 *
 * A station that is at least 85 % busy is called saturated. When none is, the
 * job is bound by latency: its depth divided by the time an I/O takes unqueued,
 * and the "bottleneck" is the component that takes the largest part of it.
 * The bound is the asymptotic one of operational analysis,
 *     X <= min(1 / max_i(D_i / c_i), N / sum of service on the critical path),
 * with demands D as booked in the window, background work included (Denning,
 * Buzen, "The operational analysis of queueing network models", 1978).
 */
#ifndef HCI_VERDICT_H
#define HCI_VERDICT_H

#include "hci_result.h"

struct hci_cluster;
struct hci_layout;
struct hci_row;

#define HCI_SATURATED 0.85

/* Fills *out from a finished row, all stations in it; its pointers are freed by
 * hci_result_free. Takes the row's logs, slices and series away. */
void hci_row_result(struct hci_row *row, const struct hci_cluster *c,
                    struct hci_job_result *out);

/* Bottleneck, bound and verdict from the figures in *j; keeps the busiest
 * stations only. The last thing done to a job's result. */
void hci_job_conclude(struct hci_job_result *j);

/* One more warning, unless it is there already. */
void hci_job_warn(struct hci_job_result *j, const char *text);

/* Sentences that say what the run took for granted. */
void hci_assumptions(const struct hci_layout *lay, struct hci_result *r);

#endif
