/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader on results that fio of many versions left with its users. The
 * files are not part of this tree: they are read where they are
 * ($HCISIM_CORPUS, or a folder fio-corpus one level above this tree).
 */
#include "check_main.h"

#include "ana_fio_read.h"

#include <dirent.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

struct expectation {
    const char *file;
    unsigned jobs;
    const char *message; /* part of the error; NULL: the file is read whole */
};

/* Jobs as counted by hand: per client where there are several, "All clients"
 * left out, those of the last complete document where there are several. */
static const struct expectation results[] = {
    {"json/01-fio-2.1.4-pkb.json", 5, NULL},
    {"json/02-fio-2.8-nutanix-xray.json", 1, NULL},
    {"json/03-fio-2.8-single-xray.json", 1, NULL},
    {"json/05-fio-2.17-pkb-hist.json", 2, NULL},
    {"json/06-fio-2.6-client-mixed.json", 1, NULL},
    {"json/07-fio-3.7-client-junk-pbench.txt", 10, NULL},
    {"json/09-fio-3.15-lkp.json", 1, NULL},
    {"json/10-fio-3.19-g-lkp.json", 1, NULL},
    {"json/11-fio-3.38-lkp.json", 1, NULL},
    {"json/13-fio-3.20-kubestr.json", 2, NULL},
    {"json/14-fio-3.28-junk-around.txt", 1, NULL},
    {"json/15-fio-3.33-fioplot-randwrite-16-16.json", 16, NULL},
    {"json/21-fio-3.33-jsonplus.json", 3, NULL},
    {"json/22-fio-3.33-status-interval.json", 3, NULL},
    {"json/23-fio-3.33-json-and-normal.txt", 3, NULL},
    {"json/25-fio-3.33-client-server-plus.json", 4, NULL},
    {"json/26-fio-3.33-truncated.json", 1, "cut off in the middle of a document; complete jobs: "
                                           "seq-read-1m"},
    {"json/27-fio-3.33-unified.json", 1, NULL},
    {"json/29-fio-3.33-gtod_reduce.json", 1, NULL},
    {"json/30-fio-3.33-warning-line.json", 1, NULL},
    {"json/31-fio-3.33-job-error.json", 2, NULL},
    {"json/33-fio-3.33-dup-joboptions.json", 1, NULL},
    {"json/34-fio-3.33-no-joboptions.json", 1, NULL},
    {"json/35-fio-3.33-steadystate.json", 1, NULL},
    {"json/37-fio-3.33-fsync.json", 1, NULL},
    {"text/fio-2.16-normal-ceph.txt", 4, NULL},
    {"text/fio-3.1-normal-ceph.txt", 1, NULL},
    {"text/fio-3.33-client-server-normal.txt", 4, NULL},
    {"text/fio-3.33-normal.txt", 3, NULL},
    {"text/fio-3.33-terse-v2.csv", 3, NULL},
    {"text/fio-3.33-terse-v3.csv", 3, NULL},
    {"text/fio-3.33-terse-v5.csv", 3, NULL},
    {"text/fio-3.35-normal-budisc.txt", 1, NULL},
    {"text/mixed_bw.4.log", 0, "this is a log of fio"},
    {"text/mixed_clat.4.log", 0, "this is a log of fio"},
    {"text/mixed_clat_hist.4.log", 0, "this is a log of fio"},
    {"text/mixed_iops.4.log", 0, "this is a log of fio"},
    {"text/mixed_lat.4.log", 0, "this is a log of fio"},
    {"text/mixed_slat.4.log", 0, "this is a log of fio"},
    {"text/the-job.fio", 0, "no result of fio"},
};

#define RESULTS (sizeof results / sizeof *results)

/* The corpus' folder, or NULL after a message. */
static const char *corpus(void)
{
    static char found[1024];
    const char *env = getenv("HCISIM_CORPUS");
    glob_t g;
    found[0] = '\0';
    if (env && *env)
        snprintf(found, sizeof found, "%s", env);
    else if (glob("../*/fio-corpus", 0, NULL, &g) == 0) {
        snprintf(found, sizeof found, "%s", g.gl_pathv[0]);
        globfree(&g);
    }
    if (!found[0])
        printf("# skipped: no fio-corpus here and HCISIM_CORPUS names none: 0 results read\n");
    return found[0] ? found : NULL;
}

static struct ana_measured *read_one(const char *dir, const char *file, struct sim_err *e, int *rc)
{
    struct ana_measured *m;
    char path[4096];
    snprintf(path, sizeof path, "%.1000s/%.250s", dir, file);
    *rc = ana_fio_read(&m, path, e);
    return m;
}

static bool listed(const char *folder, const char *name)
{
    char file[512];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    for (size_t i = 0; i < RESULTS; i++)
        if (strcmp(results[i].file, file) == 0)
            return true;
    return false;
}

START_TEST(every_known_result_gives_its_jobs_or_says_why_not)
{
    const char *dir = corpus();
    for (size_t i = 0; dir && i < RESULTS; i++) {
        const struct expectation *x = &results[i];
        struct sim_err e = {0};
        int rc;
        struct ana_measured *m = read_one(dir, x->file, &e, &rc);
        ck_assert_msg((rc == SIM_OK) == (x->message == NULL), "%s: status %d, %s", x->file, rc,
                      e.text);
        ck_assert_msg((m ? m->njobs : 0) == x->jobs, "%s: %u jobs", x->file, m ? m->njobs : 0);
        ck_assert_msg(!x->message || strstr(e.text, x->message), "%s: %s", x->file, e.text);
        ana_measured_free(m);
    }
    if (dir)
        printf("# %zu results read\n", RESULTS);
}
END_TEST

START_TEST(a_result_nobody_listed_gives_jobs_or_one_message)
{
    static const char *const folders[] = {"json", "text"};
    const char *dir = corpus();
    unsigned more = 0;
    for (int f = 0; dir && f < 2; f++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", dir, folders[f]);
        DIR *d = opendir(path);
        for (struct dirent *x; d && (x = readdir(d));) {
            struct sim_err e = {0};
            int rc;
            if (x->d_name[0] == '.' || listed(folders[f], x->d_name))
                continue;
            struct ana_measured *m = read_one(path, x->d_name, &e, &rc);
            ck_assert_msg(rc == SIM_OK ? m && m->njobs > 0 : e.text[0], "%s", x->d_name);
            ana_measured_free(m);
            more++;
        }
        if (d)
            closedir(d);
    }
    if (dir)
        printf("# %u more\n", more);
}
END_TEST

START_TEST(all_outputs_of_one_job_agree_on_its_shape)
{
    static const char *const same[] = {"text/fio-3.33-normal.txt", "text/fio-3.33-terse-v3.csv",
                                       "text/fio-3.33-terse-v5.csv", "json/21-fio-3.33-jsonplus.json"};
    const char *dir = corpus();
    for (int i = 0; dir && i < 4; i++) {
        struct sim_err e = {0};
        int rc;
        struct ana_measured *m = read_one(dir, same[i], &e, &rc);
        ck_assert_int_eq(rc, SIM_OK);
        const struct ana_measured_job *j = &m->jobs[2];
        const struct ana_measured_dir *d = &j->dir[ANA_READ];
        ck_assert_str_eq(j->name, "mixed");
        ck_assert_str_eq(m->version, "fio-3.33");
        ck_assert_int_eq(j->groupid, 2);
        ck_assert_uint_eq(m->jobs[0].dir[ANA_READ].bytes, 64 * SIM_MIB);
        ck_assert_uint_eq(d->runtime_ns / SIM_MS, 3001);
        ck_assert_uint_eq(d->clat.npct, 5);
        ck_assert_double_eq(d->clat.pct[2], 99);
        ck_assert(d->clat.pct_ns[2] > 3e6 && d->clat.pct_ns[2] < 6e6);
        ck_assert_double_eq_tol(d->iops * 8192, d->bw_Bps, 0.005 * d->bw_Bps);
        ck_assert_double_eq_tol((double)d->ios / 3.001, d->iops, 0.001 * d->iops);
        ck_assert_double_eq_tol(j->depth[3], 100, 0.1);
        ana_measured_free(m);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, every_known_result_gives_its_jobs_or_says_why_not);
    tcase_add_test(tc, a_result_nobody_listed_gives_jobs_or_one_message);
    tcase_add_test(tc, all_outputs_of_one_job_agree_on_its_shape);
}

TEST_MAIN("cli.measured_corpus")
