/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * xpoint.h: the numbers of a 3D XPoint drive (Optane).
 *
 * Modelled: hashed FIFO units by chunk, so parallel hits on one chunk
 * serialise; one serial pipe for reads and writes together; body plus rare
 * tail. Not modelled: garbage collection, write buffer, SLC (the media has
 * none of them), heat.
 * Invariant: times are those of the device alone, without any host stack.
 */
#ifndef HCI_DEVICES_XPOINT_H
#define HCI_DEVICES_XPOINT_H

#include <stdint.h>

struct xpoint_conf {
    uint64_t units;
    uint64_t read_unit_ns, read_fixed_ns, read_pipe_ns;
    double read_cv, read_tail_weight;
    uint64_t read_tail_median_ns; /* absolute unit time */
    double read_tail_sigma;
    uint64_t write_unit_ns, write_fixed_ns, write_pipe_ns;
    double write_cv, write_tail_weight;
    uint64_t write_tail_median_ns;
    double write_tail_sigma;
    uint64_t read_Bps, write_Bps;
    uint64_t chunk_bytes;         /* hashing granule: hits on one chunk serialise */
    double mix_factor;
};

#endif
