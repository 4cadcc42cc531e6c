/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "platforms/native.h"

#include "hci_kind.h"
#include "platforms/native_layout.h"

#define AT(field) offsetof(struct native_conf, field)
#define SECOND 1e9

#define ENGINE(key, name)                                                                         \
    { key "_submit", HCI_TIME, AT(name.submit_ns), NULL, 0, SECOND, NULL, "slat+",                \
      "Core time to submit one I/O through " key "." },                                           \
    { key "_complete", HCI_TIME, AT(name.complete_ns), NULL, 0, SECOND, NULL, "iops-",            \
      "Core time to reap one completion through " key "." },                                      \
    { key "_irq", HCI_TIME, AT(name.irq_ns), NULL, 0, SECOND, NULL, "clat+",                      \
      "Completion latency of " key " that does not occupy the job's core." }

static const struct hci_param params[] = {
    ENGINE("libaio", libaio),
    ENGINE("io_uring", io_uring),
    ENGINE("polled", polled),
    ENGINE("psync", psync),
    ENGINE("spdk", spdk),
    { "host_core_limit", HCI_BOOL, AT(host_core_limit), "true", 0, 1, NULL, NULL,
      "Whether one core submits and reaps for one job; false: the host never limits." },
    HCI_PARAM_END
};

const struct hci_platform_ops hci_platform_native = {
    .k = { .name = "native",
           .doc = "Bare-metal Linux: the drive, md RAID over it and the host's cost per I/O.",
           .params = params,
           .conf_size = sizeof(struct native_conf) },
    .validate = native_layout_validate,
};
