/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Our histogram beside real fio's: the samples of a json+ file give, to the
 * nanosecond, the percentiles fio printed into it.
 */
#define _GNU_SOURCE
#include "check_main.h"

#include "ana_fio_read.h"
#include "sim_hist.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Compares one latency; returns how many percentiles were. */
static unsigned compare(const struct ana_measured_lat *l)
{
    static struct sim_hist h;
    uint64_t n = 0;
    memset(&h, 0, sizeof h);
    for (unsigned i = 0; i < l->nbins; i++) {
        unsigned bin = sim_hist_index(l->bins[i].ns);
        ck_assert_uint_eq(sim_hist_value(bin), l->bins[i].ns);
        h.bin[bin] += l->bins[i].count;
        h.n += l->bins[i].count;
        n += l->bins[i].count;
    }
    ck_assert_uint_eq(n, l->n);
    for (unsigned i = 0; i < l->npct; i++)
        ck_assert_uint_eq(sim_hist_percentile(&h, l->pct[i]), (uint64_t)l->pct_ns[i]);
    return l->npct;
}

static unsigned compare_file(const char *path)
{
    struct ana_measured *m;
    struct sim_err e = {0};
    unsigned n = 0;
    ck_assert_msg(ana_fio_read(&m, path, &e) == SIM_OK, "%s", e.text);
    for (unsigned i = 0; i < m->njobs; i++)
        for (int d = 0; d < ANA_DIRS; d++) {
            const struct ana_measured_dir *x = &m->jobs[i].dir[d];
            n += x->clat.nbins ? compare(&x->clat) : 0;
            n += x->lat.nbins ? compare(&x->lat) : 0;
        }
    ana_measured_free(m);
    return n;
}

START_TEST(percentiles_of_fios_samples_are_fios_to_the_nanosecond)
{
    static const char *const options[] = {"--rw=randrw --size=64m",
                                          "--rw=write --size=16m --iodepth=16 --lat_percentiles=1",
                                          "--rw=read --size=40k"}; /* ten samples */
    char path[] = "/tmp/hcisim-plus-XXXXXX", command[512];
    int fd = mkstemp(path);
    unsigned n = 0;
    ck_assert_int_ge(fd, 0);
    close(fd);
    for (int i = 0; i < 3; i++) {
        snprintf(command, sizeof command,
                 "command -v fio >/dev/null && fio --ioengine=null --name=x --bs=4k %s "
                 "--percentile_list=0.1:1:25:50:90:99:99.9:99.99:100 --output-format=json+ "
                 "--output=%s",
                 options[i], path);
        if (system(command) == 0)
            n += compare_file(path);
        else
            printf("# skipped: fio is not installed\n");
    }
    unlink(path);
    printf("# %u percentiles compared\n", n);
    ck_assert(n == 0 || n >= 36);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, percentiles_of_fios_samples_are_fios_to_the_nanosecond);
}

TEST_MAIN("cli.fio_percentiles")
