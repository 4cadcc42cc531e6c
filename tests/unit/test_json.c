/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The JSON result, parsed back: fio's keys in fio's order, the figures of the
 * result, and the same shape as fio itself writes where fio is installed.
 */
#define _GNU_SOURCE
#include "check_main.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "ana_emit.h"
#include "ana_json.h"
#include "fake_result.h"

static char *write_text(const struct hci_result *r, unsigned flags)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(ana_json_write(f, r, flags, NULL), SIM_OK);
    fclose(f);
    return text;
}

static json_t *parse(const char *text)
{
    json_error_t err;
    json_t *doc = json_loads(text, JSON_REJECT_DUPLICATES, &err);
    ck_assert_msg(doc != NULL, "line %d: %s", err.line, err.text);
    return doc;
}

static json_t *written(const struct hci_result *r, unsigned flags)
{
    char *text = write_text(r, flags);
    json_t *doc = parse(text);
    free(text);
    return doc;
}

/* The object's keys, blanks between, in the order written. */
static void has_keys(json_t *object, const char *want)
{
    char *got = NULL;
    size_t n = 0;
    const char *key;
    json_t *value;
    FILE *f = open_memstream(&got, &n);
    ck_assert_msg(json_is_object(object), "no object with %s", want);
    json_object_foreach(object, key, value) fprintf(f, "%s%s", ftell(f) ? "|" : "", key);
    fclose(f);
    ck_assert_str_eq(got, want);
    free(got);
}

static json_t *job(json_t *doc, size_t i)
{
    return json_array_get(json_object_get(doc, "jobs"), i);
}

static double number(json_t *object, const char *key)
{
    json_t *v = json_object_get(object, key);
    ck_assert_msg(json_is_number(v), "no number %s", key);
    return json_number_value(v);
}

#define DIR_KEYS                                                                                   \
    "io_bytes|io_kbytes|bw_bytes|bw|iops|runtime|total_ios|short_ios|drop_ios|slat_ns|"            \
    "clat_ns|lat_ns|bw_min|bw_max|bw_agg|bw_mean|bw_dev|bw_samples|iops_min|iops_max|"             \
    "iops_mean|iops_stddev|iops_samples"

#define JOB_TAIL                                                                                   \
    "job_runtime|usr_cpu|sys_cpu|ctx|majf|minf|iodepth_level|iodepth_submit|"                      \
    "iodepth_complete|latency_ns|latency_us|latency_ms|latency_depth|latency_target|"              \
    "latency_percentile|latency_window"

#define JOB_HEAD "jobname|groupid|error|eta|elapsed|job options|"

START_TEST(keys_stand_in_the_order_fio_gives_them)
{
    struct hci_result *r = fake_result();
    json_t *doc = written(r, 0), *mix = job(doc, 0);
    has_keys(doc, "fio version|timestamp|timestamp_ms|time|global options|jobs|disk_util|"
                  "simulator");
    has_keys(mix, JOB_HEAD "read|write|trim|sync|" JOB_TAIL "|desc");
    has_keys(job(doc, 1), JOB_HEAD "read|write|trim|sync|" JOB_TAIL);
    json_t *read = json_object_get(mix, "read");
    has_keys(read, DIR_KEYS);
    has_keys(json_object_get(read, "slat_ns"), "min|max|mean|stddev|N");
    has_keys(json_object_get(read, "clat_ns"), "min|max|mean|stddev|N|percentile");
    has_keys(json_object_get(mix, "trim"), DIR_KEYS);
    has_keys(json_object_get(mix, "iodepth_level"), "1|2|4|8|16|32|>=64");
    has_keys(json_object_get(mix, "iodepth_submit"), "0|4|8|16|32|64|>=64");
    has_keys(json_object_get(mix, "latency_us"), "2|4|10|20|50|100|250|500|750|1000");
    has_keys(json_object_get(mix, "latency_ms"), "2|4|10|20|50|100|250|500|750|1000|2000|>=2000");
    has_keys(json_object_get(mix, "job options"), "rw|rwmixread|bs|iodepth|numjobs");
    has_keys(json_object_get(job(doc, 1), "sync"), "total_ios|lat_ns");
    json_decref(doc);
    fake_free(r);
}
END_TEST

START_TEST(figures_have_fios_units)
{
    struct hci_result *r = fake_result();
    json_t *doc = written(r, 0), *read = json_object_get(job(doc, 0), "read");
    ck_assert_double_eq(number(read, "total_ios"), 21000);
    ck_assert_double_eq(number(read, "io_kbytes"), 84000);
    ck_assert_double_eq(number(read, "bw_bytes"), 86016000);
    ck_assert_double_eq(number(read, "bw"), 84000);
    ck_assert_double_eq(number(read, "runtime"), 1000);
    ck_assert_double_eq(number(read, "bw_mean"), 84000);
    json_t *clat = json_object_get(read, "clat_ns");
    ck_assert_double_eq(number(clat, "N"), 21000);
    ck_assert_double_eq(number(clat, "max"), (double)r->jobs[0].dir[0].clat_m.max);
    ck_assert_double_eq(number(json_object_get(clat, "percentile"), "99.000000"),
                        (double)sim_hist_percentile(&r->jobs[0].dir[0].clat, 99));
    double sum = 0;
    const char *key;
    json_t *v, *us = json_object_get(job(doc, 0), "latency_us");
    json_object_foreach(us, key, v) sum += json_number_value(v);
    ck_assert_double_eq_tol(sum, 100.0, 0.05);
    ck_assert_double_eq_tol(number(json_object_get(job(doc, 1), "iodepth_level"), "1"), 106.25,
                            1e-6);
    json_decref(doc);
    fake_free(r);
}
END_TEST

START_TEST(a_synchronous_engine_has_no_submission_latency)
{
    struct hci_result *r = fake_result();
    json_t *doc = written(r, 0), *write = json_object_get(job(doc, 1), "write");
    ck_assert_double_eq(number(json_object_get(write, "slat_ns"), "N"), 0);
    ck_assert_double_eq(number(json_object_get(write, "slat_ns"), "max"), 0);
    has_keys(json_object_get(json_object_get(write, "lat_ns"), "percentile"),
             "50.000000|99.000000|99.900000");
    json_decref(doc);
    fake_free(r);
}
END_TEST

START_TEST(bins_of_json_plus_add_up_to_the_samples)
{
    struct hci_result *r = fake_result();
    json_t *doc = written(r, ANA_JSON_PLUS), *v;
    json_t *clat = json_object_get(json_object_get(job(doc, 0), "read"), "clat_ns");
    json_t *bins = json_object_get(clat, "bins");
    const char *key;
    json_int_t n = 0;
    has_keys(clat, "min|max|mean|stddev|N|percentile|bins");
    json_object_foreach(bins, key, v)
    {
        uint64_t ns = strtoull(key, NULL, 10);
        ck_assert_uint_eq(sim_hist_value(sim_hist_index(ns)), ns);
        n += json_integer_value(v);
    }
    ck_assert_int_eq(n, 21000);
    json_decref(doc);
    fake_free(r);
}
END_TEST

START_TEST(the_simulator_object_tells_what_limits_a_job)
{
    struct hci_result *r = fake_result();
    json_t *doc = written(r, 0), *sim = json_object_get(doc, "simulator");
    json_t *mix = json_array_get(json_object_get(sim, "jobs"), 0);
    json_t *part = json_array_get(json_object_get(json_object_get(mix, "breakdown"), "read"), 1);
    ck_assert_str_eq(json_string_value(json_object_get(sim, "hash")), "0123456789abcdef");
    ck_assert_double_eq(number(sim, "seed"), 42);
    ck_assert_str_eq(json_string_value(json_object_get(mix, "bottleneck")),
                     "node0/nvme1 fake-1tb units");
    ck_assert_str_eq(json_string_value(json_object_get(mix, "next")), "node0 nic");
    ck_assert_double_eq(number(mix, "bound_iops"), 32258);
    ck_assert_str_eq(json_string_value(json_object_get(part, "component")), "device");
    ck_assert_uint_eq(json_array_size(json_object_get(mix, "utilisation")), 2);
    ck_assert_uint_eq(json_array_size(json_object_get(mix, "warnings")), 1);
    json_t *open = json_object_get(json_object_get(mix, "unresolved_percentiles"), "read");
    ck_assert_uint_eq(json_array_size(open), 3);
    ck_assert_double_eq(json_number_value(json_array_get(open, 0)), 99.9);
    json_decref(doc);
    fake_free(r);
}
END_TEST

START_TEST(each_modelled_device_is_a_disk)
{
    struct hci_result *r = fake_result();
    json_t *doc = written(r, 0), *disks = json_object_get(doc, "disk_util");
    json_t *disk = json_array_get(disks, 0);
    ck_assert_uint_eq(json_array_size(disks), 1);
    has_keys(disk, "name|read_ios|write_ios|read_merges|write_merges|read_ticks|write_ticks|"
                   "in_queue|util");
    ck_assert_str_eq(json_string_value(json_object_get(disk, "name")), "node0/nvme1 fake-1tb");
    ck_assert_double_eq(number(disk, "read_ios"), 21000);
    ck_assert_double_eq(number(disk, "in_queue"), 4500);
    ck_assert_double_eq_tol(number(disk, "util"), 46.5, 1e-9); /* idle in the second job */
    json_decref(doc);
    fake_free(r);
}
END_TEST

START_TEST(unified_reporting_merges_the_directions)
{
    struct hci_result *r = fake_result();
    struct hci_job *mix = (struct hci_job *)(uintptr_t)r->jobs[0].job;
    mix->unified_rw = 1;
    json_t *doc = written(r, 0);
    has_keys(job(doc, 0), JOB_HEAD "mixed|" JOB_TAIL "|desc");
    ck_assert_double_eq(number(json_object_get(job(doc, 0), "mixed"), "total_ios"), 30000);
    json_t *mixed = json_array_get(json_object_get(json_object_get(doc, "simulator"), "jobs"), 0);
    mixed = json_object_get(json_object_get(mixed, "unresolved_percentiles"), "mixed");
    ck_assert_double_eq(json_number_value(json_array_get(mixed, 0)), 99.9);
    json_decref(doc);
    mix->unified_rw = 2;
    doc = written(r, 0);
    has_keys(job(doc, 0), JOB_HEAD "read|write|trim|sync|mixed|" JOB_TAIL "|desc");
    json_decref(doc);
    fake_free(r);
}
END_TEST

START_TEST(any_bytes_in_a_name_give_valid_json)
{
    struct hci_result *r = fake_result();
    struct hci_job_result *j = &r->jobs[0];
    snprintf(j->name, sizeof j->name, "a\"\\\x01\t\xff\xc3\xa9\xed\xa0\x80");
    j->bound_iops = (double)NAN;
    json_t *doc = written(r, 0);
    ck_assert_str_eq(json_string_value(json_object_get(job(doc, 0), "jobname")),
                     "a\"\\\x01\t\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    json_decref(doc);
    fake_free(r);
}
END_TEST

START_TEST(equal_results_give_equal_bytes)
{
    struct hci_result *r = fake_result(), *s = fake_result();
    s->cpu_s = 77;
    char *a = write_text(r, ANA_JSON_PLUS), *b = write_text(s, ANA_JSON_PLUS);
    ck_assert_str_eq(a, b);
    ck_assert_int_eq(strncmp(a, "{\n  \"fio version\" : \"fio-3.33 (simulated)\",\n", 41), 0);
    free(a);
    free(b);
    fake_free(r);
    fake_free(s);
}
END_TEST

START_TEST(a_full_device_is_an_error)
{
    struct hci_result *r = fake_result();
    struct sim_err e = {0};
    FILE *f = fopen("/dev/full", "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(ana_json_write(f, r, 0, &e), SIM_E_IO);
    ck_assert_ptr_nonnull(strstr(e.text, strerror(ENOSPC)));
    fclose(f);
    fake_free(r);
}
END_TEST

/* Both objects hold the same keys in the same order, all the way down; what
 * depends on the job or only we have is left out. */
static void same_shape(json_t *a, json_t *b, const char *where)
{
    static const char *const skip[] = {"job options", "disk_util"};
    void *x = json_object_iter(a), *y = json_object_iter(b);
    for (; x && y; x = json_object_iter_next(a, x), y = json_object_iter_next(b, y)) {
        const char *key = json_object_iter_key(x);
        json_t *v = json_object_iter_value(x), *w = json_object_iter_value(y);
        ck_assert_msg(strcmp(key, json_object_iter_key(y)) == 0, "in %s: fio has %s, we %s", where,
                      key, json_object_iter_key(y));
        ck_assert_msg(json_typeof(v) == json_typeof(w), "%s has another type", key);
        if (json_is_object(v) && strcmp(key, skip[0]) && strcmp(key, skip[1]))
            same_shape(v, w, key);
    }
    ck_assert_msg(!x && !y, "%s has another length", where);
}

START_TEST(the_shape_is_that_of_an_installed_fio)
{
    if (system("fio --version >/dev/null 2>&1") != 0) {
        puts("fio is not installed: the shape is not compared with it");
        return;
    }
    FILE *p = popen("fio --output-format=json --name=log --ioengine=null --rw=write "
                    "--size=4m --fsync=16 --lat_percentiles=1 --percentile_list=50:99:99.9",
                    "r");
    ck_assert_ptr_nonnull(p);
    json_t *fio = json_loadf(p, 0, NULL);
    pclose(p);
    ck_assert_ptr_nonnull(fio);
    if (strncmp(json_string_value(json_object_get(fio, "fio version")), "fio-3.33", 8) == 0) {
        struct hci_result *r = fake_result();
        json_t *doc = written(r, 0);
        same_shape(job(fio, 0), job(doc, 1), "job");
        json_decref(doc);
        fake_free(r);
    } else {
        puts("another version of fio is installed: the shape is not compared with it");
    }
    json_decref(fio);
}
END_TEST

START_TEST(an_empty_object_is_printed_as_fio_prints_it)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    struct ana_emit o = {.f = f};
    ana_emit_open(&o, NULL, '{');
    ana_emit_open(&o, "a", '{');
    ana_emit_close(&o, '}');
    ana_emit_f64(&o, "b", 0.5);
    ana_emit_close(&o, '}');
    fclose(f);
    ck_assert_str_eq(text, "{\n  \"a\" : {\n\n  },\n  \"b\" : 0.500000\n}");
    free(text);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, keys_stand_in_the_order_fio_gives_them);
    tcase_add_test(tc, figures_have_fios_units);
    tcase_add_test(tc, a_synchronous_engine_has_no_submission_latency);
    tcase_add_test(tc, bins_of_json_plus_add_up_to_the_samples);
    tcase_add_test(tc, the_simulator_object_tells_what_limits_a_job);
    tcase_add_test(tc, each_modelled_device_is_a_disk);
    tcase_add_test(tc, unified_reporting_merges_the_directions);
    tcase_add_test(tc, any_bytes_in_a_name_give_valid_json);
    tcase_add_test(tc, equal_results_give_equal_bytes);
    tcase_add_test(tc, a_full_device_is_an_error);
    tcase_add_test(tc, the_shape_is_that_of_an_installed_fio);
    tcase_add_test(tc, an_empty_object_is_printed_as_fio_prints_it);
}

TEST_MAIN("unit.json")
