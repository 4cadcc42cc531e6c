/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ideal.h: a device that does exactly what its few numbers say.
 *
 * Modelled: c servers with a constant or exponential latency, IOPS caps and
 * bandwidth caps per direction. For cloud volumes and for tests against
 * queueing theory. Not modelled: everything else a drive does.
 * Invariant: with servers = 1, no caps and an exponential latency it is the
 * M/M/1 server of the textbooks.
 */
#ifndef HCI_DEVICES_IDEAL_H
#define HCI_DEVICES_IDEAL_H

#include <stdint.h>

enum ideal_distribution { IDEAL_CONSTANT, IDEAL_EXPONENTIAL };

struct ideal_conf {
    uint64_t servers;
    uint64_t read_latency_ns, write_latency_ns;
    uint64_t distribution;           /* enum ideal_distribution */
    uint64_t read_iops, write_iops;  /* caps; 0: none */
    uint64_t read_Bps, write_Bps;    /* caps; 0: none */
};

#endif
