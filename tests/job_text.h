/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * job_text.h: job files from text, for tests.
 */
#ifndef JOB_TEXT_H
#define JOB_TEXT_H

#include "workload/hci_job.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writes len bytes to a fresh file; its name is malloc'd. */
static inline char *text_file(const char *text, size_t len)
{
    const char *dir = getenv("TMPDIR");
    char *path = malloc(300);
    ck_assert_ptr_nonnull(path);
    snprintf(path, 300, "%s/hcisim-job-XXXXXX", dir ? dir : "/tmp");
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    FILE *f = fdopen(fd, "w");
    ck_assert_uint_eq(fwrite(text, 1, len, f), len);
    fclose(f);
    return path;
}

/* Parses text. NULL with *errors (malloc'd) set when it is refused. */
static inline struct hci_jobfile *job_text_with(const char *text, size_t len,
                                                const struct hci_jobfile_opts *opts,
                                                char **errors)
{
    struct hci_jobfile *jf;
    struct sim_err e = { 0 };
    char *path = text_file(text, len);
    const char *paths[] = { path };
    int code = hci_jobfile_load(&jf, paths, 1, opts, errors, &e);
    unlink(path);
    free(path);
    ck_assert_int_eq(code != SIM_OK, jf == NULL);
    if (code) {
        ck_assert_int_eq(code, SIM_E_INPUT);
        ck_assert_int_eq(e.code, code);
        ck_assert_uint_gt(strlen(e.text), 0);
    }
    return jf;
}

static inline struct hci_jobfile *job_text(const char *text)
{
    static const struct hci_jobfile_opts all = { 0 };
    char *errors = NULL;
    struct hci_jobfile *jf = job_text_with(text, strlen(text), &all, &errors);
    ck_assert_msg(jf != NULL, "refused: %s", errors ? errors : "");
    return jf;
}

/* The complaints about text, malloc'd. */
static inline char *job_errors(const char *text)
{
    static const struct hci_jobfile_opts all = { 0 };
    char *errors = NULL;
    struct hci_jobfile *jf = job_text_with(text, strlen(text), &all, &errors);
    ck_assert_msg(jf == NULL, "accepted: %s", text);
    ck_assert_ptr_nonnull(errors);
    return errors;
}

static inline bool job_noted(const struct hci_jobfile *jf, const char *part)
{
    for (unsigned i = 0; i < jf->nnotes; i++)
        if (strstr(jf->notes[i], part))
            return true;
    return false;
}

#endif
