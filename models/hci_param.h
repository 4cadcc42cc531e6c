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

#include "hci_config.h"

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

/* A row whose default is "auto" also takes the value "auto" from the user. */
#define HCI_AUTO UINT64_MAX

enum hci_confidence {
    HCI_CONF_NONE,      /* not stated                                   */
    HCI_CONF_DATASHEET, /* vendor documentation                         */
    HCI_CONF_MEASURED,  /* read off an instrument or a log              */
    HCI_CONF_FITTED,    /* solved from measurements                     */
    HCI_CONF_ESTIMATED  /* judged; always with a range                  */
};

/* Where a value came from. One entry a row, in the rows' order. */
struct hci_prov {
    const char *source;      /* "" : not stated */
    int confidence;          /* enum hci_confidence */
    const char *low, *high;  /* stated range in file syntax; NULL: none */
    const char *file;        /* NULL: the row's default */
    int line;
};

extern const char *const hci_confidence_names[]; /* by enum, NULL-terminated */

/* Number of rows before the end mark. */
unsigned hci_param_count(const struct hci_param *rows);

/* Fills conf: defaults first, then what the group says. group may be NULL.
 * what names the object in messages ("device optane-900p-280g"). *prov gets an
 * array of hci_param_count(rows) entries from the arena. Unknown keys are not
 * looked at, see hci_param_check_keys. SIM_OK or SIM_E_INPUT: a wrong type or
 * unit, a value out of range, a row without default that is not given. */
int hci_param_load(const struct hci_param *rows, const struct hci_cfg *group, const char *what,
                   void *conf, const struct hci_prov **prov, struct sim_arena *a,
                   struct sim_err *e);

/* SIM_E_INPUT with the nearest valid key when a member of the group is in none
 * of the tables (NULL-terminated array, may be NULL) nor extra keys (likewise). */
int hci_param_check_keys(const struct hci_cfg *group, const struct hci_param *const *tables,
                         const char *const *extra, const char *what, struct sim_err *e);

/* The row's current value in file syntax, exact: parsing it gives the same
 * bits. TEXT comes quoted and escaped, dimensioned values quoted. Returns buf. */
char *hci_param_format(const struct hci_param *row, const void *conf, char *buf, size_t size);

/* hci_unit.c: "1.5 GiB" and the like. type is HCI_BYTES, HCI_TIME or HCI_RATE.
 * Fractions are rounded to the nearest base unit. Returns 0 and *out, or -1
 * and a reason (with a suggestion where there is one) in why. */
int hci_unit_parse(int type, const char *text, uint64_t *out, char *why, size_t size);
/* The shortest exact text: "4.5 us", "16481369332 B", "1.25 GB/s". Returns buf. */
char *hci_unit_format(int type, uint64_t v, char *buf, size_t size);

/* hci_nearest.c: the closest of the names offered, for "did you mean". Where none is
 * near enough, the first that begins with the word or holds it. */
struct hci_nearest {
    const char *word, *best; /* best stays NULL while nothing is near enough */
    const char *begins, *holds;
    unsigned distance;
};
void hci_nearest_begin(struct hci_nearest *n, const char *word);
void hci_nearest_offer(struct hci_nearest *n, const char *name);
/* The name to suggest, NULL when there is none. */
const char *hci_nearest_name(const struct hci_nearest *n);
/* ", did you mean X?" or "". Returns buf. */
char *hci_nearest_hint(const struct hci_nearest *n, char *buf, size_t size);

#endif
