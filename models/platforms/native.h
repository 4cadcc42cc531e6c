/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * native.h: what bare-metal Linux adds to a drive.
 *
 * Modelled: the host's cost per I/O by fio engine, of which submission and
 * completion occupy the one core that runs the job; md RAID comes from the
 * guest entry of the layout. Not modelled: file systems, the block scheduler,
 * other processes.
 * Invariant: at depth 1 an I/O costs submit + device + irq + complete.
 */
#ifndef HCI_PLATFORMS_NATIVE_H
#define HCI_PLATFORMS_NATIVE_H

#include <stdint.h>

struct native_engine {
    uint64_t submit_ns;   /* on the job's core, before the command leaves: fio's slat */
    uint64_t complete_ns; /* on the job's core, reaping one completion */
    uint64_t irq_ns;      /* latency that does not occupy that core */
};

struct native_conf {
    struct native_engine libaio, io_uring, psync;
    uint64_t host_core_limit; /* 1: one core submits and reaps for one job */
};

#endif
