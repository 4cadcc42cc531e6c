/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The request source beside real fio 3.33 on its null engine: the same number
 * of I/Os and bytes for the same job. A missing fio fails.
 */
#include "workload/hci_source.h"

#include "check_main.h"
#include "job_text.h"

#include <inttypes.h>

static const char *const jobs[] = {
    "size=1m\nbs=3k\n",
    "size=10m\nnrfiles=4\nbs=1m\n",
    "size=1m\nio_size=512k\nloops=3\n",
    "size=1m\nio_size=2055k\n",
    "size=1m\nbs=3k\nrw=randread\nio_size=2m\n",
    "size=1m\nbs=3k\nrw=randread\nnorandommap\n",
    "size=1m\nrw=randread\nrandom_generator=lfsr\nio_size=2m\n",
    "size=1m\nloops=3\nnumber_ios=10\n",
    "filesize=1m\nsize=50%\noffset=512k\n",
    "filesize=1m\nsize=512k\nnrfiles=2\n",
    "size=1m\nrw=write\nbs=7k\noffset=100k\n",
    "size=1m\nrw=randwrite\nbs=16k\nloops=4\n",
    "size=1m\nrw=read:8k\nio_size=300k\n",
    "size=4m\nbs=64k\nzonemode=strided\nzonesize=128k\nzoneskip=384k\n",
};

/* The number behind the n-th "key" of a JSON text. */
static uint64_t number_of(const char *json, const char *key, unsigned n)
{
    const char *p = json;
    for (unsigned i = 0; i <= n; i++) {
        p = strstr(p, key);
        ck_assert_msg(p != NULL, "no %s in: %.200s", key, json);
        p += strlen(key);
    }
    return strtoull(p + strspn(p, " :"), NULL, 10);
}

/* What fio does with the job: I/Os and bytes, reads and writes together. */
static void count_by_fio(const char *text, uint64_t *ios, uint64_t *bytes)
{
    char command[600], *json = calloc(1, 1 << 18);
    char *path = text_file(text, strlen(text));
    snprintf(command, sizeof command, "fio --output-format=json '%s'", path);
    FILE *p = popen(command, "r");
    ck_assert_ptr_nonnull(p);
    ck_assert_uint_gt(fread(json, 1, (1 << 18) - 1, p), 0);
    ck_assert_int_eq(pclose(p), 0);
    *ios = number_of(json, "\"total_ios\"", 0) + number_of(json, "\"total_ios\"", 1);
    *bytes = number_of(json, "\"io_bytes\"", 0) + number_of(json, "\"io_bytes\"", 1);
    unlink(path);
    free(path);
    free(json);
}

START_TEST(a_null_job_makes_as_many_ios_as_in_fio)
{
    char text[300];
    uint64_t want_ios, want_bytes, ios = 0, bytes = 0, sizes[8] = { 0 };
    struct hci_source *s;
    struct hci_request rq;
    struct sim_err e;
    snprintf(text, sizeof text, "[a]\nioengine=null\n%s", jobs[_i]);
    count_by_fio(text, &want_ios, &want_bytes);
    struct hci_jobfile *jf = job_text(text);
    for (unsigned i = 0; i < jf->jobs[0].nfiles; i++) {
        const struct hci_file *f = &jf->files[jf->jobs[0].files[i]];
        sizes[i] = f->bytes ? f->bytes : f->need;
    }
    ck_assert_int_eq(hci_source_create(&s, &jf->jobs[0], sizes, 1, &e), SIM_OK);
    for (; ios < 1000000 && hci_source_next(s, &rq); ios++)
        bytes += rq.bytes;
    ck_assert_msg(ios == want_ios && bytes == want_bytes, "%" PRIu64 " I/Os, fio %" PRIu64 ": %s",
                  ios, want_ios, jobs[_i]);
    hci_source_free(s);
    hci_jobfile_free(jf);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_null_job_makes_as_many_ios_as_in_fio, 0,
                        sizeof jobs / sizeof jobs[0]);
}

TEST_MAIN("cli.fio_counts")
