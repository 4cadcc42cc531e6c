/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fio_options.h: every option of the job-file language, one row each.
 *
 * The rows drive parsing, defaults, `hcisim cmdhelp` and docs/fio-options.md.
 * A row says what the option means to a simulator: honoured, accepted because
 * it cannot matter here, accepted with a note, not simulated yet, or refused
 * with a reason. When the job runner learns an option, its row's verdict is
 * the one thing to change.
 * Invariants: all names of fio 3.33 are in the table; names and aliases are
 * unique among general options; a row with a field stores a value of the
 * row's type there, within [min, max].
 */
#ifndef FIO_OPTIONS_H
#define FIO_OPTIONS_H

#include "fio_log.h"
#include "hci_job.h"

/* What one section says, on the way to one or more struct hci_job. */
struct hci_fio_conf {
    struct hci_job job;
    uint64_t bs[HCI_DDIRS];  /* bs=; bsrange and bssplit go to job.bs_min/max and win */
    const char *directory, *filename_format, *wait_for;
    char *filename;          /* a list; its length and room; */
    size_t filename_len, filename_size;
    unsigned filename_section; /* the section it was set in: adds there only */
    uint64_t filesize_min, filesize_max;
    unsigned nrfiles;
    uint64_t rate[HCI_DDIRS];
    int zonemode;            /* 0 not given, 1 none, 2 strided */
    int kb_base;
    bool named;              /* name= was given: it goes before the section's name */
};

enum hci_fio_type {
    HCI_FIO_BOOL,    /* 0 or 1 */
    HCI_FIO_SET,     /* nothing, or a number: 0 is off */
    HCI_FIO_COUNT,   /* number with byte suffixes, no list */
    HCI_FIO_BYTES,   /* the same, meant as bytes */
    HCI_FIO_REGION,  /* bytes or percent */
    HCI_FIO_BYTES3,  /* one to three of them: read, write, trim */
    HCI_FIO_COUNT3,
    HCI_FIO_TIME,    /* a bare number counts row.unit ns */
    HCI_FIO_WORD,    /* one of row.words */
    HCI_FIO_TEXT,    /* any, not empty */
    HCI_FIO_OPTTEXT, /* any or none at all */
    HCI_FIO_FLOATS,  /* a:b:c */
    HCI_FIO_RULE     /* row.set reads it */
};

enum hci_fio_verdict {
    HCI_FIO_HONOUR, /* simulated */
    HCI_FIO_ACCEPT, /* cannot matter to simulated storage */
    HCI_FIO_NOTE,   /* accepted; one note per run says why it does not matter, or how it differs */
    HCI_FIO_REFUSE
};

enum hci_fio_store {
    HCI_FIO_NO_FIELD,
    HCI_FIO_IN_BOOL,
    HCI_FIO_IN_U32,
    HCI_FIO_IN_U64,
    HCI_FIO_IN_INT,
    HCI_FIO_IN_I64,
    HCI_FIO_IN_DOUBLE,
    HCI_FIO_IN_TEXT,
    HCI_FIO_IN_MS /* a count of milliseconds in a sim_time */
};

struct hci_fio_word {
    const char *word; /* NULL ends the list */
    int value;
};

struct hci_fio_option;

struct hci_fio_setting { /* one option met in a file */
    struct hci_fio_pool *pool;
    struct hci_fio_log *log;
    struct hci_fio_conf *conf;
    const struct hci_fio_option *row;
    const char *name, *value; /* as written; value NULL: none */
    const char *file;
    int line;
    unsigned section;
    bool lenient;             /* as struct hci_jobfile_opts */
};

struct hci_fio_option {
    const char *name;
    const char *aliases;  /* blank-separated; NULL none */
    uint8_t type, verdict, store;
    uint16_t at;          /* offset of the field in struct hci_fio_conf */
    uint16_t at_percent;  /* REGION: of the double for percentages */
    int64_t min, max;     /* COUNT, BYTES and their lists */
    uint64_t unit;        /* TIME */
    const char *def;      /* as fio prints it; NULL none */
    const struct hci_fio_word *words;
    void (*set)(struct hci_fio_setting *s); /* RULE: reads; others: after storing */
    const char *help;
    const char *why;      /* of a note or refusal */
    const char *engines;  /* engine options: blank-separated engines; NULL: general */
};

/* All rows, general ones first in the order of the documentation. */
const struct hci_fio_option *hci_fio_option_row(unsigned i); /* NULL behind the last */

/* The row of a name or alias; engine options only where engine (NULL: any)
 * has them. NULL when there is none. */
const struct hci_fio_option *hci_fio_option_find(const char *name, const char *engine);

/* The known name nearest to an unknown one, or NULL when none is near. */
const char *hci_fio_option_nearest(const char *name);

/* What fio's own command line would do with name, for a hint; NULL: nothing. */
const char *hci_fio_option_hint(const char *name);

/* Reads one setting into s->conf; complaints and notes go to s->log. */
void hci_fio_option_apply(struct hci_fio_setting *s);

/* A complaint about s: "option bs=4q: " and the text. */
void hci_fio_setting_error(struct hci_fio_setting *s, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts fio's defaults into a zeroed conf. */
void hci_fio_conf_init(struct hci_fio_conf *conf);

#endif
