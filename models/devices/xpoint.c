/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/xpoint.h"

#include "hci_kind.h"

#define AT(field) offsetof(struct xpoint_conf, field)
#define MINUTE 60e9
#define PB 1e15

static const struct hci_param params[] = {
    { "units", HCI_COUNT, AT(units), NULL, 1, 4096, NULL, "read.iops+",
      "Independent units a command is hashed over by its chunk." },
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
    { "write_unit", HCI_TIME, AT(write_unit_ns), NULL, 0, MINUTE, NULL, "write.lat+",
      "Time a write occupies its unit." },
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
      "Largest write bandwidth." },
    { "chunk", HCI_BYTES, AT(chunk_bytes), "4 KiB", 512, 1 << 30, NULL, "read.bw-",
      "Hashing granule: parallel hits on one chunk serialise." },
    { "mix_factor", HCI_NUMBER, AT(mix_factor), "1", 1, 10, NULL, "read.lat+",
      "Stretch of the service while reads and writes mix." },
    HCI_PARAM_END
};

const struct hci_device_ops hci_device_xpoint = {
    .k = { .name = "xpoint",
           .doc = "3D XPoint drive (Optane): hashed units by 4 KiB chunk and one serial pipe; "
                  "writes in place, so no flush, no garbage collection, no write cliff.",
           .params = params,
           .conf_size = sizeof(struct xpoint_conf) },
};
