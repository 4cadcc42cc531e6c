/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/flash.h"

#include "hci_kind.h"

#define AT(field) offsetof(struct flash_conf, field)
#define MINUTE 60e9
#define PB 1e15

static const struct hci_param params[] = {
    { "units", HCI_COUNT, AT(units), NULL, 1, 4096, NULL, "read.iops+",
      "Independent units a read is hashed over by its address." },
    { "read_unit", HCI_TIME, AT(read_unit_ns), NULL, 0, MINUTE, NULL, "read.lat+",
      "Time a read occupies its unit." },
    { "read_fixed", HCI_TIME, AT(read_fixed_ns), NULL, 0, MINUTE, NULL, "read.lat+",
      "Part of a read's latency that occupies nothing." },
    { "read_pipe", HCI_TIME, AT(read_pipe_ns), NULL, 0, MINUTE, NULL, "read.iops-",
      "Time a read command occupies the drive's serial pipe." },
    { "read_cv", HCI_NUMBER, AT(read_cv), "0", 0, 5, NULL, "read.p99+",
      "Sigma of the lognormal body of the read's unit time." },
    { "read_tail_weight", HCI_NUMBER, AT(read_tail_weight), "0", 0, 1, NULL, "read.p99+",
      "Share of reads whose unit time comes from the tail." },
    { "read_tail_median", HCI_TIME, AT(read_tail_median_ns), "0 ns", 0, MINUTE, NULL,
      "read.p99.9+", "Median unit time in the tail." },
    { "read_tail_sigma", HCI_NUMBER, AT(read_tail_sigma), "0", 0, 5, NULL, "read.p99.99+",
      "Sigma of the lognormal tail." },
    { "write_units", HCI_COUNT, AT(write_units), "0", 0, 4096, NULL, "write.iops+",
      "Units a write is hashed over; 0: as many as reads have." },
    { "write_unit", HCI_TIME, AT(write_unit_ns), NULL, 0, MINUTE, NULL, "write.lat+",
      "Time a write occupies its unit on the way into the buffer." },
    { "write_fixed", HCI_TIME, AT(write_fixed_ns), NULL, 0, MINUTE, NULL, "write.lat+",
      "Part of a write's latency that occupies nothing." },
    { "write_pipe", HCI_TIME, AT(write_pipe_ns), NULL, 0, MINUTE, NULL, "write.iops-",
      "Time a write command occupies the drive's serial pipe." },
    { "write_cv", HCI_NUMBER, AT(write_cv), "0", 0, 5, NULL, "write.p99+",
      "Sigma of the lognormal body of the write's unit time." },
    { "write_tail_weight", HCI_NUMBER, AT(write_tail_weight), "0", 0, 1, NULL, "write.p99+",
      "Share of writes whose unit time comes from the tail." },
    { "write_tail_median", HCI_TIME, AT(write_tail_median_ns), "0 ns", 0, MINUTE, NULL,
      "write.p99.9+", "Median unit time in the tail." },
    { "write_tail_sigma", HCI_NUMBER, AT(write_tail_sigma), "0", 0, 5, NULL, "write.p99.99+",
      "Sigma of the lognormal tail." },
    { "read_rate", HCI_RATE, AT(read_Bps), NULL, 1, PB, NULL, "read.bw+",
      "Largest read bandwidth." },
    { "write_rate", HCI_RATE, AT(write_Bps), NULL, 1, PB, NULL, "write.bw+",
      "Largest write bandwidth while the buffer or SLC cache takes it." },
    { "page", HCI_BYTES, AT(page_bytes), NULL, 512, 1 << 30, NULL, "read.bw-",
      "Sequentially written bytes that lie on one unit." },
    { "buffer", HCI_BYTES, AT(buffer_bytes), NULL, 0, PB, NULL, "write.p99-",
      "Write buffer: writes are acknowledged from it until it is full." },
    { "program", HCI_BYTES, AT(program_bytes), NULL, 512, 1 << 30, NULL, "write.iops+",
      "Bytes one program operation moves from the buffer to a unit." },
    { "program_time", HCI_TIME, AT(program_ns), NULL, 0, MINUTE, NULL, "read.p99.9+",
      "Time a program operation occupies its unit." },
    { "slc", HCI_BYTES, AT(slc_bytes), "0 B", 0, PB, NULL, "write.bw+",
      "Bytes the SLC cache takes at full rate; 0: none." },
    { "post_slc_rate", HCI_RATE, AT(post_slc_Bps), NULL, 1, PB, NULL, "write.bw+",
      "Sequential write rate once the SLC cache is spent." },
    { "steady_write_iops", HCI_COUNT, AT(steady_write_iops), NULL, 1, 1e9, NULL, "write.iops+",
      "Sustained 4 KiB random writes per second; post_slc_rate / 4096 / this is the write "
      "amplification." },
    { "slc_idle", HCI_TIME, AT(slc_idle_ns), "1 s", 0, 86400e9, NULL, "write.bw-",
      "Idle time before the SLC cache starts to fold." },
    { "mix_factor", HCI_NUMBER, AT(mix_factor), "1", 1, 10, NULL, "read.lat+",
      "Stretch of the service while reads and writes mix, beyond what programs cost." },
    HCI_PARAM_END
};

const struct hci_device_ops hci_device_flash = {
    .k = { .name = "flash",
           .doc = "NAND drive, NVMe or SATA: hashed units, a serial pipe, a write buffer drained "
                  "by programs that occupy units, an SLC cache and the rate behind it.",
           .params = params,
           .conf_size = sizeof(struct flash_conf) },
};
