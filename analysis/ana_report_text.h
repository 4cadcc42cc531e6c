/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_text.h: a stored layout as rows of HTML, and what is new in them.
 *
 * Runs on one page have most of their layout in common; a part is rendered for
 * each of them, a row a line, and only lines not seen before are shown.
 * Not here: which parts (ana_report_layout.c, ana_report_appendix.c).
 * Invariants: read from the effective layout stored with the result, not from
 * files that may have changed since.
 */
#ifndef ANA_REPORT_TEXT_H
#define ANA_REPORT_TEXT_H

#include "ana_page.h"
#include "hci_config.h"
#include "hci_result.h"

/* What `part` writes of x's layout (malloc); NULL: no memory, or the layout does
 * not parse. */
char *ana_layout_render(const struct hci_result *x,
                        void (*part)(struct ana_page *p, const struct hci_cfg *root));

/* How many lines of text are not in known; written to f unless that is NULL. */
unsigned ana_lines_new(const char *text, const char *known, FILE *f);

/* A value of a layout; a list as "a to b". */
void ana_page_scalar(struct ana_page *p, const struct hci_cfg *c);
/* Member of a group, "" when it is no text. */
const char *ana_layout_string(const struct hci_cfg *group, const char *name);

#endif
