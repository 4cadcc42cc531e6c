/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_kind.h"

#include <string.h>

const struct hci_device_ops *hci_device_kind(const char *name)
{
#define X(n) &hci_device_##n,
    static const struct hci_device_ops *const all[] = { HCI_DEVICE_KINDS(X) };
#undef X
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i]->k.name, name) == 0)
            return all[i];
    return NULL;
}

const struct hci_platform_ops *hci_platform_kind(const char *name)
{
#define X(n) &hci_platform_##n,
    static const struct hci_platform_ops *const all[] = { HCI_PLATFORMS(X) };
#undef X
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i]->k.name, name) == 0)
            return all[i];
    return NULL;
}
