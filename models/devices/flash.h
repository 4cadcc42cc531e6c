/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * flash.h: the numbers of a NAND drive, NVMe or SATA.
 *
 * Modelled: hashed FIFO units and one serial pipe per direction's cost, a body
 * plus rare tail of the unit time, a write buffer acknowledged from DRAM and
 * drained by programs that occupy units, an SLC cache that fills and recovers,
 * the sustained random write rate behind it.
 * Not modelled: individual blocks and their erase counts, heat, power states.
 * Invariants: times are those of the device alone, without any host stack;
 * cap = min(units / unit, 1 / pipe, rate / size).
 */
#ifndef HCI_DEVICES_FLASH_H
#define HCI_DEVICES_FLASH_H

#include <stdint.h>

struct flash_conf {
    uint64_t units;               /* independent units a read is hashed over */
    uint64_t read_unit_ns, read_fixed_ns, read_pipe_ns; /* pipe: per command */
    double read_cv;               /* sigma of the lognormal body of the unit time */
    double read_tail_weight;      /* share of reads that meet the tail */
    uint64_t read_tail_median_ns; /* the tail is an absolute unit time */
    double read_tail_sigma;
    uint64_t write_units;         /* 0: as units */
    uint64_t write_unit_ns, write_fixed_ns, write_pipe_ns; /* into the buffer */
    double write_cv;
    double write_tail_weight;
    uint64_t write_tail_median_ns;
    double write_tail_sigma;
    uint64_t read_Bps, write_Bps; /* interface and controller, bytes/s */
    uint64_t page_bytes;          /* sequentially written bytes that stay on one unit */
    uint64_t buffer_bytes;        /* write buffer; full: writes wait for programs */
    uint64_t program_bytes, program_ns; /* one program occupies one unit */
    uint64_t slc_bytes;           /* 0: no SLC cache */
    uint64_t post_slc_Bps;        /* sequential write rate once it is spent */
    uint64_t steady_write_iops;   /* sustained 4 KiB random writes;
                                     write amplification = post_slc_Bps / 4096 / this */
    uint64_t slc_idle_ns;         /* idle time before folding starts */
    double mix_factor;            /* service stretch when reads and writes mix, >= 1 */
};

#endif
