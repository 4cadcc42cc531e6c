/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * simulate.h: run a job given as text on a layout file, inside a test.
 */
#ifndef TESTS_SIMULATE_H
#define TESTS_SIMULATE_H

#include "check_main.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hci_layout.h"
#include "hci_run.h"
#include "sim_rng.h"
#include "workload/hci_job.h"

/* Options every test job has; direct I/O is what is modelled. */
#define SIMULATE_GLOBAL "[global]\nioengine=libaio\ndirect=1\nfilename=/data/file\n"

/* Results point into job files, so these are kept to the program's end. */
static struct hci_jobfile *simulate_kept[4096];
static unsigned simulate_nkept;

static inline struct hci_jobfile *simulate_jobs(const char *text)
{
    struct hci_jobfile_opts opts = {0};
    struct hci_jobfile *jobs = NULL;
    struct sim_err e = {0};
    char path[] = "/tmp/hcisim-test-XXXXXX", *errors = NULL;
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    FILE *f = fdopen(fd, "w");
    ck_assert_ptr_nonnull(f);
    fprintf(f, "%s%s", SIMULATE_GLOBAL, text);
    fclose(f);
    const char *const paths[] = {path, NULL};
    int rc = hci_jobfile_load(&jobs, paths, 1, &opts, &errors, &e);
    unlink(path);
    ck_assert_msg(rc == SIM_OK, "%s", errors ? errors : e.text);
    free(errors);
    if (simulate_nkept < sizeof simulate_kept / sizeof *simulate_kept)
        simulate_kept[simulate_nkept++] = jobs;
    return jobs;
}

static inline struct hci_result *simulate_sets(const char *layout, const struct hci_set *sets,
                                               unsigned nsets, const char *text,
                                               const struct hci_run_opts *opts, int want,
                                               struct sim_err *e)
{
    struct hci_layout *lay;
    struct hci_result *r;
    int rc = hci_layout_load(&lay, layout, sets, nsets, e);
    ck_assert_msg(rc == SIM_OK, "%s:%d: %s", e->file, e->line, e->text);
    rc = hci_run(lay, simulate_jobs(text), opts, &r, e);
    ck_assert_msg(rc == want, "status %d: %s", rc, e->text);
    hci_layout_free(lay);
    return r;
}

static inline struct hci_result *simulate_status(const char *layout, const char *text,
                                                 const struct hci_run_opts *opts, int want,
                                                 struct sim_err *e)
{
    return simulate_sets(layout, NULL, 0, text, opts, want, e);
}

static inline struct hci_result *simulate(const char *layout, const char *text,
                                          const struct hci_run_opts *opts)
{
    struct sim_err e = {0};
    return simulate_status(layout, text, opts, SIM_OK, &e);
}

#endif
