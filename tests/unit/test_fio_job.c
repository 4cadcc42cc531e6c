/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The job-file grammar: sections, inheritance, comments, variables, include,
 * clones, groups, files, and complaints with their lines.
 */
#include "workload/fio_options.h"

#include "check_main.h"
#include "job_text.h"

#include <time.h>

START_TEST(a_job_takes_the_globals_that_stand_above_it)
{
    struct hci_jobfile *jf = job_text("[global]\nbs=8k\nsize=1m\n[a]\n[global]\nbs=16k\n"
                                      "[b]\niodepth=4\nioengine=libaio\n[globalx]\nrw=write\n"
                                      "[Global]\n");
    ck_assert_uint_eq(jf->njobs, 3);
    ck_assert_uint_eq(jf->jobs[0].bs_min[0], 8192);
    ck_assert_uint_eq(jf->jobs[1].bs_min[0], 16384);
    ck_assert_uint_eq(jf->jobs[1].size, 1048576);
    ck_assert_uint_eq(jf->jobs[1].rw, HCI_RW_READ);
    ck_assert_uint_eq(jf->jobs[2].rw, HCI_RW_WRITE);
    ck_assert_uint_eq(jf->jobs[2].iodepth, 1);
    ck_assert_str_eq(jf->jobs[2].name, "Global");
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(comments_blanks_and_line_ends_are_dropped)
{
    struct hci_jobfile *jf = job_text("\xef\xbb\xbf; first\r\n  [ a b ] ; x\r\n\tsize = 1m # 1\r\n"
                                      "rw=\trandread;\r\n#bs=8k\r\n\r\n");
    ck_assert_uint_eq(jf->njobs, 1);
    ck_assert_str_eq(jf->jobs[0].name, " a b ");
    ck_assert_uint_eq(jf->jobs[0].size, 1048576);
    ck_assert_uint_eq(jf->jobs[0].rw, HCI_RW_READ | HCI_RW_RANDOM);
    ck_assert_uint_eq(jf->jobs[0].bs_min[0], 4096);
    ck_assert(job_noted(jf, "byte order mark"));
    ck_assert(job_noted(jf, "blanks behind"));
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(every_complaint_of_a_file_comes_with_its_line)
{
    char *e = job_errors("[a]\nsise=1m\nbs=foo\nsize=1m\n[b]\nrw=raed\nruntime=60sec\n");
    ck_assert_ptr_nonnull(strstr(e, ":2: unknown option sise, did you mean size?"));
    ck_assert_ptr_nonnull(strstr(e, ":3: option bs=foo: is not a number"));
    ck_assert_ptr_nonnull(strstr(e, ":6: option rw=raed"));
    ck_assert_ptr_nonnull(strstr(e, "did you mean read?"));
    ck_assert_ptr_nonnull(strstr(e, ":7: option runtime=60sec"));
    free(e);
}
END_TEST

static const struct {
    const char *text, *part;
} refused[] = {
    { "", "no job defined" },
    { "[global]\nbs=4k\n", "no job defined" },
    { "bs=4k\n[a]\nsize=1m\n", ":1: setting \"bs=4k\" stands before any [section]" },
    { "[a\nsize=1m\n", ":1: section header without" },
    { "[a]\nsize=1m\nbs\n", ":3: option bs: needs a value" },
    { "[a]\nsize=1m\n=3\n", ":3: a setting without a name" },
    { "[a]\nsize=1.5g\n", ":2: option size=1.5g: has a fraction" },
    { "[a]\nsize=150%\n", "more than 100 percent" },
    { "[a]\nsize=2g // two\n", "comments start with # or ;" },
    { "[a]\nsize=1m\n// note\n", "comments start with # or ;" },
    { "[a]\nsize=1m\ndirect=true\n", ":3: option direct=true: must be 0 or 1" },
    { "[a]\nsize=1m\ninvalidate=yes\n", "fio knows no true" },
    { "[a]\nsize=1m\niodepth=0\n", ":3: option iodepth=0: must lie within 1" },
    { "[a]\nsize=1m\niodepth=-4\n", "must lie within" },
    { "[a]\nsize=1m\niodepth=1-4\n", "is a list" },
    { "[a]\nsize=1m\nnumjobs=0\n", "must lie within 1" },
    { "[a]\nsize=1m\nnumjobs=1000000\n", "must lie within 1 and 65536" },
    { "[a]\nsize=1m\nnumjobs=60000\n[b]\nsize=1m\nnumjobs=60000\n", "more than 65536 jobs" },
    { "[a]\nsize=1m\nrw=randrw:foo\n", ":3: option rw=randrw:foo" },
    { "[a]\nsize=1m\nfilename=\n", ":3: option filename=: is empty" },
    { "[a]\nsize=1m\nbssplit=1.5k/50:4k/50\n", "\"1.5k\" has a fraction" },
    { "[a]\nsize=1m\nbssplit=4k/0:64k/100\n", "leave nothing" },
    { "[a]\nsize=1m\nbssplit=4k/60:64k/60\n", "add up to 120" },
    { "[a]\nsize=2k\nbs=4k\n", ":1: job a: size too small" },
    { "[a]\nsize=1m\nrate=1m\nrate_iops=10\n", "mutually exclusive" },
    { "[a]\nsize=1m\nrandom_distribution=zipf:1\n", "theta must be positive and not 1" },
    { "[a]\nsize=1m\nrandom_distribution=zipf:1.1:2\n", "center" },
    { "[a]\nsize=1m\nrandom_distribution=gauss\n", "must be random, zipf" },
    { "[a]\nsize=1m\nrandom_distribution=zoned:50/5:30/95\n", "add up to 100" },
    { "[a]\nsize=1m\nwait_for=zz\n", ":1: job a: wait_for names no earlier job: zz" },
    { "[a]\nsize=1m\nioengine=libaoi\n", "no such engine" },
    { "[a]\nsize=1m\nioengine=spdk_bdev\n", "never loaded" },
    { "[a]\nsize=1m\nioengine=exec\n", "nothing is ever executed" },
    { "[a]\nsize=1m\nhipri=1\n", "belongs to ioengine io_uring" },
    { "[a]\nsize=1m\noutput-format=json\n", "an option of fio's command line" },
    { "[a]\nsize=1m\nzonemode=zbd\n", ":3: option zonemode=zbd: zoned block devices" },
    { "[a]\nsize=1m\nopendir=/tmp\n", ":3: option opendir=/tmp" },
    { "[a]\nsize=1m\nrw=randread\nbs=4k,8k\nrw=randrw\nrandom_generator=lfsr\n",
      "needs one block size" },
    { "[a]\nsize=1m\nruntime=-1\n", "for ever" },
    { "[a]\nsize=1m\npercentile_list=50,99\n", "separated by colons" },
    { "[a]\nsize=1m\nnrfiles=70000\n", "must lie within 1 and 65535" },
    { "[a]\nsize=1g\nnrfiles=60000\nnumjobs=4\n", "more than 65535 files" },
    { "[a]\nsize=1m\nkb_base=1\n", "must be 1024 or 1000" },
    { "[a]\nsize=1m\n${HCISIM_NO_SUCH_VARIABLE}\n", ":3: a setting without a name" },
    { "[a]\nsize=${HCISIM_NO_SUCH_VARIABLE}\n", ":2: option size=: is empty" },
    { "[a]\ninclude nowhere.inc\nsize=1m\n", ":2: cannot read job file \"nowhere.inc\", and" },
    { "[a]\nsize=1m\nthread=maybe\n", "must be 0 or 1" },
    { "[a]\nsize=1m\nverify=md6\n", "did you mean md5?" },
};

START_TEST(what_cannot_be_meant_is_refused_with_a_reason)
{
    char *e = job_errors(refused[_i].text);
    ck_assert_msg(strstr(e, refused[_i].part) != NULL, "wanted \"%s\" in: %s", refused[_i].part, e);
    free(e);
}
END_TEST

START_TEST(block_sizes_are_lists_of_read_write_trim)
{
    struct hci_jobfile *jf = job_text("[global]\nsize=1m\n[a]\nbs=4k,8k\n[b]\nbs=,8k\n[c]\nbs=8k,\n"
                                      "[d]\nbs=1k:2k:3k\n[e]\nbsrange=1k-4k,8k-16k\nbs=64k\n"
                                      "[f]\nbssplit=4k/10:64k:512/20,,8k\nbs=32k\n");
    const uint64_t want[][3] = { { 4096, 8192, 8192 }, { 4096, 8192, 8192 }, { 8192, 4096, 4096 },
                                 { 1024, 2048, 3072 }, { 1024, 8192, 8192 }, { 512, 32768, 8192 } };
    for (int i = 0; i < 6; i++)
        for (int d = 0; d < 3; d++)
            ck_assert_msg(jf->jobs[i].bs_min[d] == want[i][d], "job %d direction %d: %llu", i, d,
                          (unsigned long long)jf->jobs[i].bs_min[d]);
    ck_assert_uint_eq(jf->jobs[4].bs_max[0], 4096);
    ck_assert_uint_eq(jf->jobs[5].nbssplit[0], 3);
    ck_assert_uint_eq(jf->jobs[5].bssplit[0][0].bytes, 512);
    ck_assert_uint_eq(jf->jobs[5].bssplit[0][2].percent, 70);
    ck_assert_uint_eq(jf->jobs[5].nbssplit[1], 0);
    ck_assert_uint_eq(jf->jobs[5].bssplit[2][0].percent, 100);
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(kb_base_counts_wherever_it_stands)
{
    struct hci_jobfile *jf = job_text("[a]\nsize=1Mi\nbs=4ki\nkb_base=1000\n[b]\nsize=1m\n");
    ck_assert_uint_eq(jf->jobs[0].size, 1000000);
    ck_assert_uint_eq(jf->jobs[0].bs_min[0], 4000);
    ck_assert_uint_eq(jf->jobs[1].size, 1048576);
    ck_assert(job_noted(jf, "size=1Mi is 1000000 bytes"));
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(clones_share_named_files_and_own_generated_ones)
{
    struct hci_jobfile *jf = job_text("[a]\nsize=1m\nnumjobs=3\nnrfiles=2\ndirectory=/d\n"
                                      "[b]\nsize=1m\nnumjobs=2\nfilename=x:y\nfilename=c\\:z\n"
                                      "[c]\nsize=2m\nfilename=x\noffset=1m\n"
                                      "[d]\nsize=1m\nnumjobs=2\nfilename_format=f.$filenum\n");
    ck_assert_uint_eq(jf->njobs, 8);
    ck_assert_str_eq(jf->files[jf->jobs[2].files[1]].name, "/d/a.2.1");
    ck_assert_uint_eq(jf->jobs[3].nfiles, 3);
    ck_assert_str_eq(jf->files[jf->jobs[3].files[2]].name, "c:z");
    ck_assert_uint_eq(jf->jobs[3].files[0], jf->jobs[4].files[0]);
    ck_assert_uint_eq(jf->jobs[5].files[0], jf->jobs[3].files[0]);
    ck_assert_uint_eq(jf->files[jf->jobs[5].files[0]].need, 3 * 1048576);
    ck_assert_uint_eq(jf->jobs[6].files[0], jf->jobs[7].files[0]);
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(a_section_adds_file_names_and_replaces_inherited_ones)
{
    struct hci_jobfile *jf = job_text("[global]\nsize=1m\nfilename=g\n[a]\n[b]\nfilename=x\n"
                                      "filename=y\n");
    ck_assert_uint_eq(jf->jobs[0].nfiles, 1);
    ck_assert_uint_eq(jf->jobs[1].nfiles, 2);
    ck_assert_str_eq(jf->files[jf->jobs[1].files[0]].name, "x");
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(stonewall_and_new_group_number_the_groups)
{
    struct hci_jobfile *jf = job_text("[global]\nsize=1m\n[a]\nstonewall\n[b]\n[c]\nstonewall\n"
                                      "numjobs=2\n[d]\nnew_group\n[e]\nwait_for=c\n");
    const unsigned want[] = { 0, 0, 1, 1, 2, 2 };
    for (unsigned i = 0; i < jf->njobs; i++)
        ck_assert_uint_eq(jf->jobs[i].groupid, want[i]);
    ck_assert(jf->jobs[2].stonewall);
    ck_assert(!jf->jobs[3].stonewall);
    ck_assert_uint_eq(jf->jobs[3].clone, 1);
    ck_assert_int_eq(jf->jobs[5].wait_for, 2);
    ck_assert_int_eq(jf->jobs[4].wait_for, -1);
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(variables_and_keywords_are_put_in)
{
    ck_assert_int_eq(setenv("HCISIM_TEST_SIZE", "3m", 1), 0);
    struct hci_jobfile *jf = job_text("[a]\nsize=${HCISIM_TEST_SIZE}\nbs=$pagesize*2\n"
                                      "filename=/x/$HCISIM_TEST_SIZE/${HCISIM_UNSET_ONE}y\n");
    ck_assert_uint_eq(jf->jobs[0].size, 3 * 1048576);
    ck_assert_uint_eq(jf->jobs[0].bs_min[0], 8192);
    ck_assert_str_eq(jf->files[0].name, "/x/$HCISIM_TEST_SIZE/y");
    ck_assert(job_noted(jf, "HCISIM_UNSET_ONE is not set"));
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(an_included_file_adds_settings_but_no_sections)
{
    char text[400];
    char *good = text_file("bs=64k\n# nothing\n", 17);
    char *bad = text_file("bs=64k\n[x]\n", 11);
    snprintf(text, sizeof text, "[a]\nsize=1m\ninclude %s\n", good);
    struct hci_jobfile *jf = job_text(text);
    ck_assert_uint_eq(jf->jobs[0].bs_min[0], 65536);
    hci_jobfile_free(jf);
    snprintf(text, sizeof text, "[a]\nsize=1m\ninclude=%s\n", bad);
    char *e = job_errors(text);
    ck_assert_ptr_nonnull(strstr(e, ":2: an included file may hold settings only"));
    free(e);
    unlink(good);
    unlink(bad);
    free(good);
    free(bad);
}
END_TEST

START_TEST(a_missing_include_is_left_out_where_nothing_follows)
{
    struct hci_jobfile *jf = job_text("[global]\ninclude nowhere.inc ; at home\n\n"
                                      "# more\n\n[a]\nsize=1m\ninclude=neither\n");
    ck_assert(job_noted(jf, ":2: cannot read job file \"nowhere.inc\""));
    ck_assert(job_noted(jf, ":8: cannot read job file \"neither\""));
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(an_include_loop_is_one_complaint)
{
    char *path = text_file("", 0);
    FILE *f = fopen(path, "w");
    fprintf(f, "[a]\nsize=1m\ninclude %s\n", path);
    fclose(f);
    struct hci_jobfile *jf;
    struct sim_err e;
    const char *paths[] = { path };
    ck_assert_int_eq(hci_jobfile_load(&jf, paths, 1, NULL, NULL, &e), SIM_E_INPUT);
    ck_assert_int_eq(e.line, 3);
    ck_assert_ptr_nonnull(strstr(e.text, "include loop"));
    unlink(path);
    free(path);
}
END_TEST

START_TEST(noise_gets_a_complaint_and_no_more)
{
    char *big = malloc(1 << 20);
    char *e = NULL;
    memset(big, 'x', 1 << 20);
    memcpy(big, "[a]\n", 4);
    ck_assert_ptr_null(job_text_with(big, 1 << 20, NULL, &e));
    ck_assert_ptr_nonnull(strstr(e, ":2: a line of more than 4095 bytes"));
    free(e);
    memcpy(big, "[a]\nsize=1m\n\0\n", 14);
    ck_assert_ptr_null(job_text_with(big, 14, NULL, &e));
    ck_assert_ptr_nonnull(strstr(e, ":3: a NUL byte"));
    free(e);
    free(big);
}
END_TEST

START_TEST(complaints_stop_at_a_readable_number)
{
    char text[8000] = "[a]\n";
    for (int i = 0; i < 1000; i++)
        strcat(text, "zz=1\n");
    char *e = job_errors(text);
    unsigned lines = 0;
    for (const char *p = e; (p = strchr(p, '\n')); p++)
        lines++;
    ck_assert_uint_eq(lines, 65);
    ck_assert_ptr_nonnull(strstr(e, "further complaints are not shown"));
    free(e);
}
END_TEST

START_TEST(random_bytes_never_crash_the_parser)
{
    static const char *const bits[] = { "[", "]", "\n", "=", "global", "size=", "1m", ":", ",",
                                        "bssplit=", "/", "%", "${", "}", "rw=", "rand", "zoned:",
                                        "random_distribution=", "50", "-", "$ncpus", "*", "\xff",
                                        "filename=", "startdelay=", "numjobs=", "steadystate=" };
    uint64_t x = 88172645463325252 + (uint64_t)_i;
    char text[800] = "[a]\n";
    for (int round = 0; round < 200; round++) {
        size_t n = 4;
        while (n < 700) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            n += (size_t)snprintf(text + n, sizeof text - n, "%s",
                                  bits[x % (sizeof bits / sizeof bits[0])]);
        }
        char *e = NULL;
        struct hci_jobfile *jf = job_text_with(text, n, NULL, &e);
        ck_assert(jf != NULL || e != NULL);
        hci_jobfile_free(jf);
        free(e);
    }
}
END_TEST

START_TEST(refused_options_are_errors_unless_lenient)
{
    const char *text = "[a]\nsize=1m\nwrite_barrier=100\nopendir=/x\n";
    char *e = NULL;
    struct hci_jobfile_opts lenient = { .lenient = true };
    ck_assert_ptr_null(job_text_with(text, strlen(text), NULL, &e));
    ck_assert_ptr_null(strstr(e, "write_barrier"));
    ck_assert_ptr_nonnull(strstr(e, ":4: option opendir=/x"));
    free(e);
    struct hci_jobfile *jf = job_text_with(text, strlen(text), &lenient, &e);
    ck_assert_ptr_nonnull(jf);
    ck_assert_uint_eq(jf->jobs[0].write_barrier, 100);
    ck_assert(job_noted(jf, "write_barrier"));
    ck_assert(job_noted(jf, "opendir"));
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(a_default_value_of_an_unsupported_option_is_harmless)
{
    const char *text = "[a]\nsize=1m\nverify=0\niodepth_batch=1\nfill_device=0\n"
                       "latency_percentile=99\n";
    char *e = NULL;
    struct hci_jobfile *jf = job_text_with(text, strlen(text), NULL, &e);
    ck_assert_msg(jf != NULL, "%s", e);
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(sync_engines_keep_one_io_in_flight)
{
    struct hci_jobfile *jf = job_text("[a]\nsize=1m\niodepth=32\n[b]\nsize=1m\niodepth=32\n"
                                      "ioengine=io_uring\nhipri\n[c]\nioengine=cpuio\ncpuload=5\n");
    ck_assert_uint_eq(jf->jobs[0].iodepth, 1);
    ck_assert_uint_eq(jf->jobs[0].iodepth_asked, 32);
    ck_assert(job_noted(jf, "iodepth=32 has no effect"));
    ck_assert_uint_eq(jf->jobs[1].iodepth, 32);
    ck_assert_int_eq(jf->jobs[2].engine_class, HCI_ENGINE_IDLE);
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(sections_can_be_chosen_and_files_chained)
{
    char *a = text_file("[global]\nsize=1m\n[x]\n[y]\n", 25);
    char *b = text_file("[z]\nsize=1m\n", 12);
    const char *paths[] = { a, b }, *want[] = { "y", "z", NULL }, *none[] = { "yy", NULL };
    const char *overrides[] = { "bs=16k", NULL };
    struct hci_jobfile_opts opts = { .sections = want, .overrides = overrides };
    struct hci_jobfile *jf;
    struct sim_err e;
    ck_assert_int_eq(hci_jobfile_load(&jf, paths, 2, &opts, NULL, &e), SIM_OK);
    ck_assert_uint_eq(jf->njobs, 2);
    ck_assert_str_eq(jf->jobs[0].name, "y");
    ck_assert_uint_eq(jf->jobs[0].bs_min[0], 16384);
    ck_assert(!jf->jobs[0].stonewall);
    ck_assert(jf->jobs[1].stonewall);
    hci_jobfile_free(jf);
    opts.sections = none;
    ck_assert_int_eq(hci_jobfile_load(&jf, paths, 2, &opts, NULL, &e), SIM_E_INPUT);
    ck_assert_ptr_nonnull(strstr(e.text, "no section \"yy\""));
    ck_assert_ptr_nonnull(strstr(e.text, "did you mean y?"));
    unlink(a);
    unlink(b);
    free(a);
    free(b);
}
END_TEST

START_TEST(a_missing_file_and_a_directory_are_input_errors)
{
    struct hci_jobfile *jf;
    struct sim_err e;
    const char *missing[] = { "/nowhere/x.fio" }, *dir[] = { "/tmp" };
    ck_assert_int_eq(hci_jobfile_load(&jf, missing, 1, NULL, NULL, &e), SIM_E_INPUT);
    ck_assert_ptr_nonnull(strstr(e.text, "No such file"));
    ck_assert_int_eq(hci_jobfile_load(&jf, dir, 1, NULL, NULL, &e), SIM_E_INPUT);
    ck_assert_ptr_nonnull(strstr(e.text, "directory"));
}
END_TEST

START_TEST(ten_thousand_sections_take_less_than_a_second)
{
    size_t size = 10000 * 100, n = 0;
    char *text = malloc(size), *e = NULL;
    n += (size_t)snprintf(text, size, "[global]\nsize=1m\nioengine=libaio\n");
    for (int i = 0; i < 10000; i++)
        n += (size_t)snprintf(text + n, size - n, "[job%d]\nrw=randread\nbs=%dk\n%s%d\n", i,
                              4 + i % 8, i ? "wait_for=job" : "iodepth=", i ? i - 1 : 1);
    clock_t start = clock();
    struct hci_jobfile *jf = job_text_with(text, n, NULL, &e);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ck_assert_msg(jf != NULL, "%s", e);
    ck_assert_uint_eq(jf->njobs, 10000);
    ck_assert_int_eq(jf->jobs[9999].wait_for, 9998);
    ck_assert_msg(seconds < 1, "took %.2f s", seconds);
    hci_jobfile_free(jf);
    free(text);
}
END_TEST

START_TEST(option_names_are_unique_and_rows_are_complete)
{
    const struct hci_fio_option *row;
    for (unsigned i = 0; (row = hci_fio_option_row(i)); i++) {
        ck_assert_msg(row->help && *row->help, "%s has no help", row->name);
        ck_assert_msg(hci_fio_option_find(row->name, NULL) == row, "%s stands twice", row->name);
        ck_assert_msg(!row->aliases || hci_fio_option_find(row->aliases, NULL) == row,
                      "alias %s stands twice", row->aliases);
        ck_assert_msg((row->type == HCI_FIO_RULE) == (row->set != NULL), "%s", row->name);
        ck_assert_msg(row->type != HCI_FIO_WORD || row->words, "%s has no words", row->name);
        ck_assert_msg(row->type != HCI_FIO_COUNT || row->max > row->min, "%s", row->name);
        ck_assert_msg((row->verdict != HCI_FIO_REFUSE && row->verdict != HCI_FIO_NOTE) || row->why,
                      "%s gives no reason", row->name);
    }
}
END_TEST

/* The printed form of jf, malloc'd. */
static char *print(const struct hci_jobfile *jf)
{
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    hci_jobfile_print(f, jf);
    fclose(f);
    return text;
}

START_TEST(printed_jobs_read_back_as_the_same_jobs)
{
    struct hci_jobfile *jf = job_text(
        "[global]\nioengine=libaio\ndirect=1\niodepth=32\nruntime=90s\ntime_based\nsize=40%\n"
        "filename=/dev/sda\n[a]\nrw=randrw:4\nrwmixread=70\nbssplit=4k/50:8k/50,64k\nnumjobs=3\n"
        "offset_increment=1g\n[b]\nstonewall\nrw=read:-8k\nrate=1m,2m\nthinktime=8ms\n"
        "startdelay=1-2\nrandom_distribution=zipf:1.25:0.1\n[c]\nrw=randwrite\nzonemode=strided\n"
        "random_distribution=zoned:50.5/5:49.5/95\nzonesize=1m\nsteadystate=bw_slope:0.05%\n"
        "percentage_random=100,20\nfsync=4\nwait_for=a\npercentile_list=99.9:50\n");
    char *once = print(jf);
    struct hci_jobfile *again = job_text(once);
    char *twice = print(again);
    ck_assert_uint_eq(again->njobs, 5);
    ck_assert_uint_eq(again->jobs[2].offset, 2ULL << 30);
    for (char *p = once, *q = twice; *p && *q; p++, q++) { /* places differ, settings must not */
        if (*p == ';') {
            p += strcspn(p, "\n");
            q += strcspn(q, "\n");
        }
        ck_assert_msg(*p == *q, "differs at: %.60s / %.60s", p, q);
    }
    hci_jobfile_free(jf);
    hci_jobfile_free(again);
    free(once);
    free(twice);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_job_takes_the_globals_that_stand_above_it);
    tcase_add_test(tc, comments_blanks_and_line_ends_are_dropped);
    tcase_add_test(tc, every_complaint_of_a_file_comes_with_its_line);
    tcase_add_loop_test(tc, what_cannot_be_meant_is_refused_with_a_reason, 0,
                        sizeof refused / sizeof refused[0]);
    tcase_add_test(tc, block_sizes_are_lists_of_read_write_trim);
    tcase_add_test(tc, kb_base_counts_wherever_it_stands);
    tcase_add_test(tc, clones_share_named_files_and_own_generated_ones);
    tcase_add_test(tc, a_section_adds_file_names_and_replaces_inherited_ones);
    tcase_add_test(tc, stonewall_and_new_group_number_the_groups);
    tcase_add_test(tc, variables_and_keywords_are_put_in);
    tcase_add_test(tc, an_included_file_adds_settings_but_no_sections);
    tcase_add_test(tc, a_missing_include_is_left_out_where_nothing_follows);
    tcase_add_test(tc, an_include_loop_is_one_complaint);
    tcase_add_test(tc, noise_gets_a_complaint_and_no_more);
    tcase_add_test(tc, complaints_stop_at_a_readable_number);
    tcase_add_loop_test(tc, random_bytes_never_crash_the_parser, 0, 20);
    tcase_add_test(tc, refused_options_are_errors_unless_lenient);
    tcase_add_test(tc, a_default_value_of_an_unsupported_option_is_harmless);
    tcase_add_test(tc, sync_engines_keep_one_io_in_flight);
    tcase_add_test(tc, sections_can_be_chosen_and_files_chained);
    tcase_add_test(tc, a_missing_file_and_a_directory_are_input_errors);
    tcase_add_test(tc, ten_thousand_sections_take_less_than_a_second);
    tcase_add_test(tc, option_names_are_unique_and_rows_are_complete);
    tcase_add_test(tc, printed_jobs_read_back_as_the_same_jobs);
}

TEST_MAIN("unit.fio_job")
