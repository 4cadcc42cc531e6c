/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fio_files.h: which files a job clone uses.
 *
 * A file is a name: two jobs that name it alike share its blocks. No file is
 * ever opened. Names come from filename (colon-separated, "\:" is a colon) or
 * from filename_format, with directory in front; of several directories each
 * clone takes the next.
 * Invariant: at most HCI_FILES_MAX files in a run.
 */
#ifndef FIO_FILES_H
#define FIO_FILES_H

#include "fio_options.h"

struct hci_fio_files {
    struct hci_file *files; /* malloc'd */
    unsigned nfiles, nfiles_max;
    unsigned *slots;        /* malloc'd open-addressing hash of index + 1 */
    unsigned nslots;        /* a power of two */
};

/* Fills job->files and nfiles for clone job->clone of the section conf and
 * raises the files' sizes to what the clone needs. section_name: as in the
 * header. *shared holds the list when all clones share it (start with NULL).
 * False after a complaint. */
bool hci_fio_files_assign(struct hci_fio_files *all, struct hci_fio_setting *s,
                          struct hci_job *job, const char *section_name,
                          const unsigned **shared);
/* The file's index; HCI_FILES_MAX: no room. */
unsigned hci_fio_files_intern(struct hci_fio_files *all, struct hci_fio_pool *pool,
                              const char *name);
void hci_fio_files_free(struct hci_fio_files *all);

#endif
