/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_devices.h: the verb devices: the catalogue, and a drive's curves.
 *
 * Without a name: one line a product, its figures at depth 1 and its caps by
 * formula (the bounds of explain on one-device.cfg without a host). With a name:
 * every number of its file with source and confidence. --curve: the simulated
 * queue-depth curve of 4 KiB random reads and writes without a host, and every
 * published point simulated under its own conditions, with the error, points
 * something was fitted to apart from the others. As text or as JSON (schema
 * hcisim-devices/1).
 * Invariant: caps of writes are those a drive keeps up once its buffer is full
 * and its SLC cache, if it has one, is not; JSON holds the figures of the text.
 */
#ifndef ANA_DEVICES_H
#define ANA_DEVICES_H

#include "ana_curve.h"
#include "hci_layout.h"

#include <stdio.h>

#define ANA_DEPTHS 9 /* 1, 2, 4, ... 256 */

struct ana_drive { /* one product and what the formulas say */
    struct hci_device_conf conf;
    double read_us, write_us;       /* at depth 1, device alone */
    double read_per_s, write_per_s; /* caps */
    const char *read_by, *write_by; /* what caps them: "units", "pipe", ... */
};

struct ana_curves { /* of one drive */
    struct ana_simulated read[ANA_DEPTHS], write[ANA_DEPTHS];
    unsigned npoints;
    struct ana_point *points;        /* published */
    struct ana_simulated *simulated; /* each under its own conditions */
};

/* argv[0] names the command. Returns SIM_OK, or SIM_E_INPUT or SIM_E_IO with one
 * line on stderr. */
int ana_devices_main(int argc, char **argv);

/* ana_devices_print.c. curves is NULL without --curve. Write errors stay in the
 * stream. */
void ana_devices_table(FILE *f, const struct ana_drive *d, unsigned n);
void ana_devices_detail(FILE *f, const struct ana_drive *d);
void ana_devices_curves(FILE *f, const struct ana_curves *c);
void ana_devices_json(FILE *f, const struct ana_drive *d, unsigned n, const struct ana_curves *c);

#endif
