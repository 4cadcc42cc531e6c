/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/ideal.h"

#include "hci_kind.h"

#define AT(field) offsetof(struct ideal_conf, field)
#define HOUR 3600e9
#define PB 1e15

static const char *const distributions[] = { "constant", "exponential", NULL };

static const struct hci_param params[] = {
    { "servers", HCI_COUNT, AT(servers), "1", 1, 65536, NULL, "read.iops+",
      "Commands served at the same time." },
    { "read_latency", HCI_TIME, AT(read_latency_ns), NULL, 0, HOUR, NULL, "read.lat+",
      "Mean service time of a read." },
    { "write_latency", HCI_TIME, AT(write_latency_ns), NULL, 0, HOUR, NULL, "write.lat+",
      "Mean service time of a write." },
    { "distribution", HCI_ENUM, AT(distribution), "constant", 0, 0, distributions, NULL,
      "Distribution of the service time." },
    { "read_iops", HCI_COUNT, AT(read_iops), "0", 0, 1e9, NULL, "read.iops+",
      "Cap on reads per second; 0: none." },
    { "write_iops", HCI_COUNT, AT(write_iops), "0", 0, 1e9, NULL, "write.iops+",
      "Cap on writes per second; 0: none." },
    { "read_rate", HCI_RATE, AT(read_Bps), "0 B/s", 0, PB, NULL, "read.bw+",
      "Cap on read bandwidth; 0: none." },
    { "write_rate", HCI_RATE, AT(write_Bps), "0 B/s", 0, PB, NULL, "write.bw+",
      "Cap on write bandwidth; 0: none." },
    HCI_PARAM_END
};

const struct hci_device_ops hci_device_ideal = {
    .k = { .name = "ideal",
           .doc = "A device that does exactly what its numbers say: c servers, a constant or "
                  "exponential latency, caps on IOPS and bandwidth. For cloud volumes and tests.",
           .params = params,
           .conf_size = sizeof(struct ideal_conf) },
};
