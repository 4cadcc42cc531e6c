/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_disk.h: modelled devices as fio reports disks.
 *
 * Commands are those of the measured windows of all jobs. Jobs that run side by
 * side see the same commands: they count once (in proportion to time where
 * windows overlap in part). A device that no job used is left
 * out. Utilisation is that of the device's busiest part.
 * Differences from fio: no merges; a command's time in the device (ticks) is
 * the mean of all its commands, reads and writes are not told apart in it.
 */
#ifndef ANA_DISK_H
#define ANA_DISK_H

#include "hci_result.h"

struct ana_disk {
    char name[sizeof((struct hci_resource *)0)->device]; /* "node0 disk1 ..." */
    uint64_t read_ios, write_ios;          /* commands */
    uint64_t read_ms, write_ms, queue_ms;  /* time of all commands together */
    double util_pct;
};

/* All devices in the order of their names, numbers in them counted as numbers;
 * *n says how many. The caller frees the list. NULL when there are none, or no
 * memory for it: then they are left out. */
struct ana_disk *ana_disk_list(const struct hci_result *r, unsigned *n);

#endif
