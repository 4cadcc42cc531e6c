/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fio_value.h: the numbers of the job-file language.
 *
 * fio 3.33's meaning: k m g t p (and kb, mb, ...) are powers of kb_base, kib
 * ... pib powers of the *other* base (1000 when kb_base is 1024). Times take
 * us, usec, ms, msec, s, m, h, d. Where fio silently drops what it does not
 * understand (fractions, unknown units, junk after a number, a blank before
 * the unit) these functions say so instead.
 * Not here: which option takes which number; that is fio_options.h.
 */
#ifndef FIO_VALUE_H
#define FIO_VALUE_H

#include "sim_types.h"

enum hci_fio_fault {
    HCI_FIO_OK,
    HCI_FIO_EMPTY,
    HCI_FIO_NOT_A_NUMBER,
    HCI_FIO_FRACTION,
    HCI_FIO_BLANK,  /* between number and unit */
    HCI_FIO_LIST,   /* several values where one is meant */
    HCI_FIO_JUNK,   /* after the number or its unit */
    HCI_FIO_UNIT,   /* unknown time unit */
    HCI_FIO_RANGE   /* does not fit 64 bits */
};

/* What is wrong, as the end of a sentence about the value: "has a fraction ...". */
const char *hci_fio_fault_text(int fault);

struct hci_fio_number {
    uint64_t value;     /* magnitude, multiplied out (bytes, or ns) */
    bool negative;
    bool percent;       /* "50%" and "50%%": value is 50 */
    bool zones;         /* "4z": value is 4 */
    bool binary_suffix; /* kib, mi, ...: a suffix people misread */
};

/* Decimal or 0x number with an optional byte suffix. kb_base: 1000 or 1024. */
int hci_fio_bytes(const char *s, unsigned kb_base, struct hci_fio_number *out);

/* Whole number with an optional time unit; unit_ns is what a bare number
 * counts in (ns). out->value in ns. */
int hci_fio_time(const char *s, uint64_t unit_ns, struct hci_fio_number *out);

/* Plain decimal fraction: digits, one point, no exponent, optional sign. */
int hci_fio_decimal(const char *s, double *out);

/* Copies the part of *s before the first of `seps` into buf (cut at size) and
 * moves *s behind the separator, or to NULL after the last part. Returns the
 * separator met, '\0' at the end. */
char hci_fio_part(const char **s, const char *seps, char *buf, size_t size);

#endif
