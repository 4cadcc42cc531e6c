/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_kind.h: the head every device kind and platform shares, and their lists.
 *
 * A kind is one const struct in one file plus one line in the X-macro list
 * below. No constructors, no registration at run time.
 */
#ifndef HCI_KIND_H
#define HCI_KIND_H

#include "hci_param.h"
#include "hci_request.h"
#include "sim_err.h"

#include <stdbool.h>

struct sim_io;
struct sim_plan;
struct hci_device;
struct hci_cluster;
struct hci_layout;
struct hci_check;
struct hci_target;

struct hci_kind {
    const char *name, *doc;         /* "flash"; one paragraph for --help */
    const struct hci_param *params; /* ends with HCI_PARAM_END */
    size_t conf_size, state_size;   /* allocated and zeroed for you */
    int (*init)(void *obj, struct sim_err *e);
    void (*fini)(void *obj);
};

struct hci_device_ops {
    struct hci_kind k;
    /* Writes the steps of one I/O (any size) into the plan; rq->offset is an
     * address on the device. Time is booked to `part`. */
    void (*lower)(struct hci_device *d, struct sim_plan *p, const struct hci_request *rq,
                  uint8_t part);
    /* Optional: bytes of the fast write cache (SLC) in use; idle_ns of rest
     * since they were written. */
    void (*set_spent)(struct hci_device *d, uint64_t bytes, uint64_t idle_ns);
    uint64_t (*spent)(const struct hci_device *d);
    /* Optional: bytes were written in time that is skipped: what that does to
     * the fast write cache. False when it now takes writes that it did not take
     * before, or the other way round. */
    bool (*absorb)(struct hci_device *d, uint64_t bytes);
};

/* How a platform's tracked state (write log, caches, fast write caches) moves on
 * while time is skipped: requests are carried out but not timed, everything in
 * flight stays where it is. The skip ends where io or pass say that the system
 * takes another course than in the window before: HCI_TURN for one that matters
 * (log full, drain starts or ends, write cache spent), HCI_BEND for a lesser one. */
enum hci_course { HCI_STRAIGHT, HCI_BEND, HCI_TURN };

struct hci_skip_ops {
    /* A simulated window begins, as the first of its stratum or a further one. */
    void (*mark)(struct hci_cluster *c, bool first);
    /* One request of a guest; draw decides what chance decides (which leg of a mirror);
     * about so many bytes of reads are still to come
     * before the skip ends, and after it before the job does. */
    enum hci_course (*io)(struct hci_cluster *c, unsigned guest, const struct hci_request *rq,
                          uint64_t draw, uint64_t reads_left, uint64_t reads_later);
    /* Optional: that request is one of the next; told twice, as stage 0 and 1. */
    void (*ahead)(struct hci_cluster *c, unsigned guest, const struct hci_request *rq,
                  uint64_t draw, unsigned stage);
    /* ns go by. */
    enum hci_course (*pass)(struct hci_cluster *c, uint64_t ns);
    /* The skip is over. */
    void (*resume)(struct hci_cluster *c);
};

struct hci_platform_ops {
    struct hci_kind k;
    /* Writes the whole path of the guest I/O whose payload (struct hci_io) is
     * filled into its plan, ack included. Explain builds every alternative of
     * its decisions, also those this layout or its state rules out. */
    void (*lower)(struct hci_cluster *c, struct sim_io *io);
    /* Optional: layout rules (findings and space per disk). */
    int (*check)(const struct hci_layout *lay, struct hci_check *out, struct sim_err *e);
    /* Optional: refuses a layout that contradicts itself (more copies than
     * nodes) with SIM_E_INPUT; called at the end of hci_layout_load. */
    int (*validate)(const struct hci_layout *lay, struct sim_err *e);
    /* Optional: background work and initial state. */
    void (*start)(struct hci_cluster *c);
    /* Optional: the i-th sentence on what the model takes for granted; 0: no more. */
    int (*assume)(const struct hci_layout *lay, unsigned i, char *text, size_t size);
    /* Optional: writes the plan of the i-th kind of background I/O into io, for
     * explain and never to be started. Returns what it is; NULL: no more. */
    const char *(*background)(struct hci_cluster *c, struct sim_io *io, unsigned i);
    /* Optional: whether the bytes the devices carried are what became of the
     * guests' (hci_cluster.leg_bytes), to the byte. idle: nothing of a guest's is
     * under way; otherwise some of theirs may not have reached a device yet. */
    bool (*balanced)(const struct hci_cluster *c, bool idle);
    /* Optional: without it --precision simulates everything. */
    const struct hci_skip_ops *skip;
};

#define HCI_DEVICE_KINDS(X) X(flash) X(xpoint) X(ideal)
#define HCI_PLATFORMS(X) X(native) X(nutanix)

#define X(n) extern const struct hci_device_ops hci_device_##n;
HCI_DEVICE_KINDS(X)
#undef X
#define X(n) extern const struct hci_platform_ops hci_platform_##n;
HCI_PLATFORMS(X)
#undef X

/* By name, NULL when there is none. */
const struct hci_device_ops *hci_device_kind(const char *name);
const struct hci_platform_ops *hci_platform_kind(const char *name);

#endif
