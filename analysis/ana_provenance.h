/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_provenance.h: what may differ between two equal runs.
 *
 * Invariant: nothing in here may influence a result or be compared with one.
 */
#ifndef ANA_PROVENANCE_H
#define ANA_PROVENANCE_H

struct ana_provenance {
    const char *version, *revision;
    char command_line[4096]; /* arguments separated by blanks, cut if longer */
    char date[32];           /* now, "2026-01-31T12:00:00Z" */
    char host[256];
};

/* Asks the system; what it does not tell is an empty string. */
void ana_provenance_get(struct ana_provenance *p);

#endif
