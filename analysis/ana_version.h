/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_version.h: which hcisim this is. Provenance only: never part of what
 * makes two results the same.
 */
#ifndef ANA_VERSION_H
#define ANA_VERSION_H

const char *ana_version(void);  /* "0.1.0" */
const char *ana_revision(void); /* of the source tree at configure time, or "unknown" */

#endif
