/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_param.h: parameter tables.
 *
 * A kind (device, platform) describes each of its user-visible numbers by one
 * row. The rows drive parsing, validation, --help, docs/config.md, the
 * effective configuration stored with results and the test that no parameter
 * is without effect. A value in a file is either a bare scalar or a group
 *     { value = "4.5 us"; source = "..."; confidence = "fitted"; range = ["3 us", "6 us"]; }
 * Dimensioned values are strings with a unit; a bare number there is an error.
 * Invariant: after parsing, every field of the conf struct lies within its
 * row's [min, max].
 */
#ifndef HCI_PARAM_H
#define HCI_PARAM_H

#include <stddef.h>
#include <stdint.h>

enum hci_type {
    HCI_COUNT,  /* uint64_t, bare integer                       */
    HCI_BYTES,  /* uint64_t bytes: B KiB MiB GiB TiB kB MB GB TB */
    HCI_TIME,   /* uint64_t ns: ns us ms s min h                 */
    HCI_RATE,   /* uint64_t bytes/s: B/s..GB/s, KiB/s.., bit/s..Gbit/s */
    HCI_NUMBER, /* double, bare number (a ratio, a sigma, a share)     */
    HCI_BOOL,   /* uint64_t 0 or 1                               */
    HCI_ENUM,   /* uint64_t index into names[]                   */
    HCI_TEXT    /* char *, owned by the layout's arena            */
};

struct hci_param {
    const char *key;          /* NULL ends a table */
    enum hci_type type;
    size_t offset;            /* of the field in the conf struct */
    const char *def;          /* default in file syntax ("30 us"); NULL: must be given */
    double min, max;          /* in base units (ns, bytes, bytes/s); ignored for TEXT, BOOL, ENUM */
    const char *const *names; /* HCI_ENUM: NULL-terminated */
    const char *effect;       /* output that moves when the value doubles, e.g. "write.lat+" ; NULL: see doc */
    const char *doc;          /* one sentence */
};

#define HCI_PARAM_END { 0 }

#endif
