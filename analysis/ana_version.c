/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_version.h"

const char *ana_version(void) { return HCISIM_VERSION; }
const char *ana_revision(void) { return HCISIM_REVISION; }
