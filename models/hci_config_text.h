/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hci_config_text.h: a configuration file and all it includes as one text.
 *
 * What libconfig 1.5 cannot do is done before it sees the text: an @include may
 * name an absolute path, and a whole number beyond 32 bits gets the L without
 * which it would lose its upper half in silence. Every line of the result knows
 * the file and line it came from. Comments and strings are left alone.
 * Invariants: the result holds no @include; it has at most 16 MiB.
 */
#ifndef HCI_CONFIG_TEXT_H
#define HCI_CONFIG_TEXT_H

#include "hci_config.h"

struct hci_config_line {
    const char *file;
    int line;
};

struct hci_config_text {
    char *text;
    size_t n, max;
    struct hci_config_line *lines; /* nlines, of text's lines in turn */
    unsigned nlines, lines_max;
};

/* Fills *out (freed by hci_config_text_free whatever is returned) from text,
 * which name stands for in messages. dir: of relative includes; NULL: none are
 * looked for. Names live in the arena; those of included files are added to
 * *files unless that is NULL. SIM_E_INPUT for a file that cannot be included,
 * includes that nest deeper than 10 or are more than 256, and a number beyond
 * 64 bits; SIM_E_IO for a failing read. */
int hci_config_expand(struct hci_config_text *out, struct sim_arena *a, const char *text,
                      const char *name, const char *dir, struct hci_config_file **files,
                      struct sim_err *e);
void hci_config_text_free(struct hci_config_text *t);

/* Where line number i (from 1) came from; the last one's for any beyond. */
struct hci_config_line hci_config_text_line(const struct hci_config_text *t, int i);

/* Reads a whole regular file of at most 1 MiB without NUL bytes into malloc'd
 * memory. */
int hci_config_slurp(const char *path, char **text, struct sim_err *e);

#endif
