/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parser beside real fio 3.33. fio's own reading of a job file comes from
 * `fio --parse-only --debug=parse`, which prints every value it arrives at.
 * Our fixtures are always compared, so a missing fio fails; the corpus of
 * found job files is compared where it is ($HCISIM_CORPUS, or a folder
 * fio-corpus one level above this tree).
 */
#include "workload/hci_job.h"

#include "check_main.h"

#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define JOBS_MAX 256

struct values { /* what fio arrives at in one section */
    char name[256], rw[64];
    uint64_t bs[3], iodepth, size, offset, runtime_us, numjobs;
    double size_pct, offset_pct;
    uint64_t split_min, split_max; /* of bsrange and bssplit, all directions; 0: none */
};

struct reading {
    bool accepted;
    unsigned njobs;
    struct values jobs[JOBS_MAX];
};

static uint64_t suffixed(const char *s, char **end)
{
    uint64_t v = strtoull(s, end, 10);
    const char *units = "kmg", *u = **end ? strchr(units, **end | 32) : NULL;
    for (int i = 0; u && i <= u - units; i++)
        v *= 1024;
    return v;
}

/* The smallest and largest number of a bssplit, or of a bsrange, where fio
 * takes two from each direction. */
static void split_bounds(struct values *v, const char *s, bool range)
{
    unsigned taken = 0;
    v->split_min = UINT64_MAX;
    v->split_max = 0;
    while (*s) {
        char *end;
        uint64_t n = suffixed(s, &end);
        if (end != s && n && (!range || taken < 2)) {
            v->split_min = sim_min(v->split_min, n);
            v->split_max = sim_max(v->split_max, n);
            taken++;
        }
        s = end + strcspn(end, range ? ",-:" : ",:");
        taken = *s == ',' ? 0 : taken;
        s += *s != '\0';
    }
}

/* fio keeps "N %" as -1 - N. */
static void percent_or(uint64_t out, uint64_t *value, double *percent)
{
    if (out > INT64_MAX)
        *percent = (double)(UINT64_MAX - out);
    else
        *value = out;
}

static void take(struct values *v, const char *name, unsigned round, bool last, uint64_t out)
{
    if (strcmp(name, "bs") == 0)
        for (unsigned d = round; d < (last ? 3 : round + 1) && d < 3; d++)
            v->bs[d] = out;
    else if (strcmp(name, "iodepth") == 0 && round == 0)
        v->iodepth = out;
    else if (strcmp(name, "size") == 0)
        percent_or(out, &v->size, &v->size_pct);
    else if (strcmp(name, "offset") == 0)
        percent_or(out, &v->offset, &v->offset_pct);
    else if (strcmp(name, "runtime") == 0)
        v->runtime_us = out;
    else if (strcmp(name, "numjobs") == 0)
        v->numjobs = out;
}

struct follow { /* where we are in fio's chatter */
    struct values global, *now;
    char option[64], value[4096];
    unsigned round;
};

static void follow_line(struct follow *f, struct reading *r, const char *line)
{
    char text[4096] = "", name[64] = "";
    uint64_t out;
    if (sscanf(line, " Parsing section [%4095[^\n]", text) == 1) {
        text[strlen(text) - 1] = '\0';
        bool global = strncmp(text, "global", 6) == 0;
        ck_assert_uint_lt(r->njobs, JOBS_MAX);
        f->now = global ? &f->global : &r->jobs[r->njobs++];
        if (!global) {
            *f->now = f->global;
            snprintf(f->now->name, sizeof f->now->name, "%.255s", text);
        }
    } else if (sscanf(line, " __handle_option=%63[^,], type=%*[^,], ptr=%4095[^\n]", name,
                      text) >= 1) {
        bool again = f->option[0] != '\0'; /* one more value of the same list */
        f->round = again ? f->round + 1 : 0;
        snprintf(f->option, sizeof f->option, "%s", name);
        if (f->now && strcmp(name, "rw") == 0)
            snprintf(f->now->rw, sizeof f->now->rw, "%.63s", text);
        if (f->now && !again && (!strcmp(name, "bssplit") || !strcmp(name, "bsrange")))
            split_bounds(f->now, f->value, strcmp(name, "bsrange") == 0);
    } else if (strncmp(line, "handle_option=", 14) == 0) {
        f->option[0] = f->value[0] = '\0';
        sscanf(line, "handle_option=%*[^,], ptr=%4095[^\n]", f->value);
    } else if (sscanf(line, " ret=0, out=%" SCNu64, &out) == 1 && f->now) {
        const char *rest = f->value;
        for (unsigned i = 0; i < f->round && rest; i++)
            rest = strpbrk(rest, ",:-") ? strpbrk(rest, ",:-") + 1 : NULL;
        take(f->now, f->option, f->round, !rest || !strpbrk(rest, ",:-"), out);
    }
}

/* What real fio makes of a job file. */
static struct reading *read_by_fio(const char *path)
{
    char command[1200], line[9000];
    struct reading *r = calloc(1, sizeof *r);
    struct follow f = { .global = { .rw = "read", .bs = { 4096, 4096, 4096 }, .iodepth = 1,
                                    .numjobs = 1 } };
    snprintf(command, sizeof command, "fio --parse-only --debug=parse '%s' 2>&1", path);
    FILE *p = popen(command, "r");
    ck_assert_ptr_nonnull(p);
    while (fgets(line, sizeof line, p)) {
        int at = 0;
        /* A job file without a last newline glues two messages together. */
        const char *second = strstr(line + 1, "parse   ");
        const char *message = second ? second : line;
        if (sscanf(message, "parse %*d %n", &at) == 0 && at)
            follow_line(&f, r, message + at);
    }
    int status = pclose(p);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) != 127, "fio cannot be run");
    r->accepted = status == 0;
    return r;
}

static unsigned direction_bits(const char *rw)
{
    static const struct {
        const char *name;
        unsigned bits;
    } all[] = { { "readwrite", 3 }, { "randread", 9 }, { "randwrite", 10 }, { "randrw", 11 },
                { "randtrimwrite", 14 }, { "randtrim", 12 }, { "trimwrite", 6 }, { "read", 1 },
                { "write", 2 }, { "trim", 4 }, { "rw", 3 } };
    size_t n = strcspn(rw, ":");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strlen(all[i].name) == n && strncmp(all[i].name, rw, n) == 0)
            return all[i].bits;
    return 0;
}

static void compare_job(const char *path, const struct hci_job *job, const struct values *v)
{
    uint64_t lo = UINT64_MAX, hi = 0;
    for (int d = 0; d < 3; d++) {
        lo = sim_min(lo, job->bs_min[d]);
        hi = sim_max(hi, job->bs_max[d]);
    }
    ck_assert_msg(job->rw == direction_bits(v->rw), "%s [%s] rw %u, fio %s", path, v->name,
                  job->rw, v->rw);
    ck_assert_msg(job->iodepth_asked == v->iodepth, "%s [%s] iodepth %u, fio %" PRIu64, path,
                  v->name, job->iodepth_asked, v->iodepth);
    ck_assert_msg(job->size == v->size, "%s [%s] size %" PRIu64 ", fio %" PRIu64, path, v->name,
                  job->size, v->size);
    ck_assert_msg((int)job->size_pct == (int)v->size_pct, "%s [%s] size %%", path, v->name);
    ck_assert_msg(job->offset == v->offset, "%s [%s] offset", path, v->name);
    ck_assert_msg((int)job->offset_pct == (int)v->offset_pct, "%s [%s] offset %%", path, v->name);
    ck_assert_msg(job->runtime / SIM_US == v->runtime_us, "%s [%s] runtime %" PRIu64
                  " us, fio %" PRIu64, path, v->name, (uint64_t)(job->runtime / SIM_US),
                  v->runtime_us);
    if (v->split_min) { /* a direction without a split keeps bs */
        bool low = lo == v->split_min || lo == v->bs[0], high = hi >= v->split_max;
        ck_assert_msg(low && high, "%s [%s] block sizes %" PRIu64 " to %" PRIu64, path, v->name,
                      lo, hi);
        return;
    }
    for (int d = 0; d < 3; d++)
        ck_assert_msg(job->bs_min[d] == v->bs[d], "%s [%s] bs %" PRIu64 ", fio %" PRIu64, path,
                      v->name, job->bs_min[d], v->bs[d]);
}

static struct hci_jobfile *load(const char *path, char **errors)
{
    static const struct hci_jobfile_opts opts = { 0 };
    struct hci_jobfile *jf;
    struct sim_err e;
    hci_jobfile_load(&jf, &path, 1, &opts, errors, &e);
    return jf;
}

/* Is every complaint placed: "path:line: text"? */
static bool placed(const char *errors)
{
    for (const char *p = errors; p && *p; p = strchr(p, '\n') + 1) {
        int line = 0;
        if (sscanf(p, "%*[^:\n]:%d:", &line) != 1 || line < 1)
            return false;
    }
    return errors && *errors;
}

/* Accepts and reads the file as fio does, or refuses it with lines as fio does. */
static unsigned compare(const char *path, int expected)
{
    struct reading *r = read_by_fio(path);
    char *errors = NULL;
    struct hci_jobfile *jf = load(path, &errors);
    unsigned sections = 0;
    ck_assert_msg(expected < 0 || r->accepted == (expected != 0), "%s: fio %s it", path,
                  r->accepted ? "accepts" : "refuses");
    ck_assert_msg((jf != NULL) == r->accepted, "%s: fio %s, we say: %s", path,
                  r->accepted ? "accepts" : "refuses", errors ? errors : "fine");
    if (!jf)
        ck_assert_msg(placed(errors), "%s: no line in: %s", path, errors);
    for (unsigned j = 0; jf && j < jf->njobs; j++) {
        if (jf->jobs[j].clone > 0)
            continue;
        ck_assert_msg(sections < r->njobs, "%s: more jobs than fio's %u", path, r->njobs);
        ck_assert_uint_eq(jf->jobs[j].numjobs, r->jobs[sections].numjobs);
        compare_job(path, &jf->jobs[j], &r->jobs[sections++]);
    }
    ck_assert_msg(!jf || sections == r->njobs, "%s: %u sections, fio %u", path, sections,
                  r->njobs);
    hci_jobfile_free(jf);
    free(errors);
    free(r);
    return sections;
}

static void list(const char *pattern, glob_t *g)
{
    ck_assert_msg(glob(pattern, 0, NULL, g) == 0, "nothing matches %s", pattern);
}

START_TEST(our_own_files_mean_to_us_what_they_mean_to_fio)
{
    glob_t g;
    unsigned sections = 0;
    list("tests/fixtures/fio/accept-*.fio", &g);
    for (size_t i = 0; i < g.gl_pathc; i++)
        sections += compare(g.gl_pathv[i], 1);
    globfree(&g);
    ck_assert_uint_eq(sections, 19);
    list("tests/fixtures/fio/refuse-*.fio", &g);
    ck_assert_uint_eq(g.gl_pathc, 11);
    for (size_t i = 0; i < g.gl_pathc; i++)
        compare(g.gl_pathv[i], 0);
    globfree(&g);
}
END_TEST

/* The corpus' folder, or NULL after a message. */
static const char *corpus(void)
{
    static char path[4096];
    const char *env = getenv("HCISIM_CORPUS");
    glob_t g;
    *path = '\0';
    if (env)
        snprintf(path, sizeof path, "%s", env);
    else if (glob("../*/fio-corpus", 0, NULL, &g) == 0) {
        snprintf(path, sizeof path, "%s", g.gl_pathv[0]);
        globfree(&g);
    }
    if (!*path || access(path, R_OK) != 0)
        printf("# skipped: no fio-corpus here and HCISIM_CORPUS names none: 0 files compared\n");
    return *path && access(path, R_OK) == 0 ? path : NULL;
}

/* Column `want` (from 0) of a tab-separated line, cut in place. */
static char *column(char *line, int want)
{
    char *p = line;
    line[strcspn(line, "\n")] = '\0';
    for (int i = 0; i < want && p; i++) {
        p = strchr(p, '\t');
        p = p ? p + 1 : NULL;
    }
    if (p)
        p[strcspn(p, "\t")] = '\0';
    return p;
}

static FILE *open_index(const char *dir, const char *folder)
{
    char path[5000], line[9000];
    snprintf(path, sizeof path, "%s/%s/INDEX.tsv", dir, folder);
    FILE *f = fopen(path, "r");
    ck_assert_msg(f && fgets(line, sizeof line, f), "no %s", path);
    return f;
}

START_TEST(found_job_files_mean_to_us_what_they_mean_to_fio)
{
    const char *dir = corpus();
    char line[9000], copy[9000], path[6000];
    unsigned files = 0, accepted = 0;
    FILE *f = dir ? open_index(dir, "jobs") : NULL;
    while (f && fgets(line, sizeof line, f)) {
        strcpy(copy, line);
        const char *verdict = column(line, 3);
        snprintf(path, sizeof path, "%s/jobs/%s", dir, column(copy, 0));
        ck_assert_ptr_nonnull(verdict);
        compare(path, strcmp(verdict, "yes") == 0);
        accepted += strcmp(verdict, "yes") == 0;
        files++;
    }
    if (f)
        fclose(f);
    printf("# %u found job files compared, %u of them accepted\n", files, accepted);
}
END_TEST

/* Stand-ins for the variables job files are shipped with. */
static void set_variables(void)
{
    static const char *const all[] = {
        "IOENGINE=libaio", "DIRECTORY=/tmp/d", "RUNTIME=30", "BLOCKSIZE=8k", "SYNC_TYPE=0",
        "DIRECT=1", "NUMJOBS=2", "FILESIZE=1g", "FILE_SIZE=1g", "PERF_FS=/tmp/d", "RANDSEED=7",
        "PERF_RANDSEED=7", "COMPPERCENT=66", "PERF_COMPPERCENT=66", "COMPCHUNK=4096",
        "PERF_COMPCHUNK=4096", "IODEPTH=16", "RW=randrw", "MODE=randread", "BLOCK_SIZE=4k",
        "RAMP_TIME=5", "RATE_IOPS=500", "RATE_IOPS_LINE=rate_iops=500", "SIZE=1g", "TEST_SIZE=4g",
        "TEST_FILE=/tmp/t", "RREAD=70", "RWRITE=30", "FILENAME=/dev/zz", "TARGET=/dev/zz",
        "NUMFILES=4", "TOTAL_SIZE=4g", "RECORDSIZE=8k", "LOOPS=1", "DEVICE=/dev/zz", "POOL=p",
        "MNT_POINT=/tmp/d", "JOBS=2", "RATE=1m", "BS=8k", "BLK_SIZE=4k", "CEPH_POOL=p",
        "INVALIDATE=1", "LOGINTERVAL=500", "MIX=70", "OUTPUT=/tmp/o", "FTL_BDEV_NAME=x",
        "FTL_JSON_CONF=/tmp/j",
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char name[64];
        const char *eq = strchr(all[i], '=');
        snprintf(name, sizeof name, "%.*s", (int)(eq - all[i]), all[i]);
        setenv(name, eq + 1, 1);
    }
}

START_TEST(found_job_files_with_variables_are_read_as_fio_reads_them)
{
    const char *dir = corpus();
    char line[9000], copy[9000], path[6000];
    unsigned files = 0, sections = 0;
    FILE *f = dir ? open_index(dir, "jobs") : NULL;
    set_variables();
    while (f && fgets(line, sizeof line, f)) {
        strcpy(copy, line);
        const char *verdict = column(line, 4);
        snprintf(path, sizeof path, "%s/jobs/%s", dir, column(copy, 0));
        if (!verdict || strcmp(verdict, "yes") != 0)
            continue;
        sections += compare(path, -1);
        files++;
    }
    if (f)
        fclose(f);
    ck_assert(files == 0 || sections > 10);
    printf("# %u found job files with variables compared, %u sections\n", files, sections);
}
END_TEST

START_TEST(files_that_surprised_their_authors_do_what_they_should)
{
    const char *dir = corpus();
    char line[9000], copy[9000], path[6000];
    unsigned files = 0;
    FILE *f = dir ? open_index(dir, "ugly") : NULL;
    for (; f && fgets(line, sizeof line, f); files++) {
        char *errors = NULL;
        strcpy(copy, line);
        const char *should = column(line, 5);
        snprintf(path, sizeof path, "%s/ugly/%s", dir, column(copy, 0));
        ck_assert_ptr_nonnull(should);
        struct hci_jobfile *jf = load(path, &errors);
        bool refuse = strstr(should, "refus") != NULL;
        bool note = strstr(should, "warn") || strstr(should, "note");
        ck_assert_msg((jf == NULL) == refuse, "%s should \"%s\": %s", path, should,
                      errors ? errors : "accepted");
        ck_assert_msg(!refuse || placed(errors), "%s: no line in: %s", path, errors);
        ck_assert_msg(refuse || !note || jf->nnotes > 0, "%s: no note", path);
        hci_jobfile_free(jf);
        free(errors);
    }
    if (f)
        fclose(f);
    printf("# %u surprising job files checked\n", files);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, our_own_files_mean_to_us_what_they_mean_to_fio);
    tcase_add_test(tc, found_job_files_mean_to_us_what_they_mean_to_fio);
    tcase_add_test(tc, found_job_files_with_variables_are_read_as_fio_reads_them);
    tcase_add_test(tc, files_that_surprised_their_authors_do_what_they_should);
}

TEST_MAIN("cli.fio_corpus")
