/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_hdf5_is.c: is a file HDF5 at all? By its first bytes, without the library.
 */
#include "ana_hdf5.h"

#include <stdio.h>
#include <string.h>

bool ana_hdf5_is(const char *path)
{
    static const char magic[8] = "\x89HDF\r\n\x1a\n";
    char head[8];
    FILE *f = fopen(path, "rb");
    bool is = f && fread(head, 1, 8, f) == 8 && memcmp(head, magic, 8) == 0;
    if (f)
        fclose(f);
    return is;
}
