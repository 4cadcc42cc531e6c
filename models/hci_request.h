/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_request.h: one I/O as the guest's block layer issues it.
 */
#ifndef HCI_REQUEST_H
#define HCI_REQUEST_H

#include <stdint.h>

enum hci_op { HCI_READ, HCI_WRITE, HCI_TRIM, HCI_FLUSH };

struct hci_request {
    uint64_t offset; /* bytes from the start of the file or virtual disk */
    uint32_t bytes;  /* length; 0 for a flush */
    uint8_t op;      /* enum hci_op */
    uint8_t sync : 1; /* write must be durable before it completes (O_SYNC, FUA) */
    uint8_t seq : 1;  /* one of a stream of appends, whatever order they arrive in */
    uint16_t file;   /* index of the file or virtual disk addressed */
};

#endif
