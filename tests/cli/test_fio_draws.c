/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The request source beside real fio 3.33 on its null engine, I/O by I/O: fio's
 * bandwidth log with offsets says what it drew. A missing fio fails.
 */
#include "workload/hci_source.h"

#include "check_main.h"
#include "job_text.h"

#include <inttypes.h>
#include <math.h>

#define MOST 2000000
#define SIZES 64

struct draws { /* what a run of I/Os comes to */
    uint64_t n, bytes, reads, touched; /* touched: distinct bytes */
    uint64_t of_size[SIZES];           /* I/Os by length, in units */
    double top_tenth;                  /* share of the busiest tenth of the blocks */
};

struct one {
    uint64_t offset, bytes;
    unsigned op;
};

struct job {
    const char *options;
    uint64_t unit;    /* smallest block */
    bool once;        /* each block once */
};

static const struct job jobs[] = {
    { "rw=randrw\nrwmixread=73\n", 4096, true },
    { "rw=randread\nrandom_generator=lfsr\nsize=63m\n", 4096, true },
    { "rw=randread\nbs=12k\nsize=63m\n", 12288, true },
    { "rw=randwrite\nnorandommap\n", 4096, false },
    { "rw=randread\nbs=4k\nblockalign=8k\n", 4096, false },
    { "rw=randread\nrandom_distribution=zipf:1.2\nsize=16m\nio_size=128m\n", 4096, false },
    { "rw=randread\nrandom_distribution=zipf:0.8\nsize=16m\nio_size=128m\n", 4096, false },
    { "rw=randread\nrandom_distribution=pareto:0.3\nsize=16m\nio_size=128m\n", 4096, false },
    { "rw=randread\nrandom_distribution=zoned:60/10:30/20:10/70\n", 4096, false },
    { "rw=randread\nnorandommap\nbssplit=4k/20:16k/30:60k/50\nsize=512m\n", 4096, false },
    { "rw=randread\nnorandommap\nbsrange=4k-16k\n", 4096, false },
    { "rw=randread\nnorandommap\nbsrange=4k-16k\nbs_unaligned\nsize=128m\n", 4096, false },
    { "rw=randread\nbssplit=4k/50:64k/50\nsize=256m\n", 4096, true },
    { "rw=randwrite\nbsrange=4k-32k\nsize=256m\n", 4096, true },
    { "rw=randread\nbssplit=3k/50:10k/50\nsize=60000k\nloops=2\n", 3072, true },
    { "rw=randrw\nrwmixread=30\nbssplit=4k/60:8k/40\nsize=128m\n", 4096, true },
};

static int by_offset(const void *a, const void *b)
{
    const struct one *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int down(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

static struct draws digest(struct one *io, uint64_t n, uint64_t unit, uint64_t region)
{
    struct draws d = { .n = n };
    uint64_t end = 0, blocks = region / unit, *hits = calloc(blocks + 1, sizeof *hits), top = 0;
    ck_assert_uint_gt(n, 0);
    qsort(io, n, sizeof *io, by_offset);
    for (uint64_t i = 0; i < n; i++) {
        d.bytes += io[i].bytes;
        d.reads += io[i].op == HCI_READ;
        d.of_size[io[i].bytes / unit % SIZES]++;
        uint64_t from = end > io[i].offset ? end : io[i].offset;
        end = sim_max(end, io[i].offset + io[i].bytes);
        d.touched += end - from;
        ck_assert_uint_le(io[i].offset + io[i].bytes, region);
        hits[io[i].offset / unit]++;
    }
    qsort(hits, blocks, sizeof *hits, down);
    for (uint64_t i = 0; i < blocks / 10; i++)
        top += hits[i];
    d.top_tenth = (double)top / (double)n;
    free(hits);
    return d;
}

static uint64_t draw_by_fio(const char *text, struct one *io)
{
    char dir[] = "/tmp/hcisim-draws-XXXXXX", command[1000], line[200];
    char *path = text_file(text, strlen(text));
    uint64_t n = 0;
    ck_assert_ptr_nonnull(mkdtemp(dir));
    snprintf(command, sizeof command, "cd %s && fio --output=/dev/null --write_bw_log=l "
             "--log_offset=1 '%s' && cat l_bw.1.log; rm -r %s", dir, path, dir);
    FILE *p = popen(command, "r");
    ck_assert_ptr_nonnull(p);
    while (fgets(line, sizeof line, p)) {
        unsigned long long bytes, offset;
        ck_assert_uint_lt(n, MOST);
        ck_assert_int_eq(sscanf(line, "%*u, %*u, %u, %llu, %llu", &io[n].op, &bytes, &offset), 3);
        io[n].bytes = bytes;
        io[n++].offset = offset;
    }
    ck_assert_int_eq(pclose(p), 0);
    unlink(path);
    free(path);
    return n;
}

static uint64_t draw_by_source(const char *text, struct one *io, uint64_t *region)
{
    struct hci_jobfile *jf = job_text(text);
    struct hci_source *s;
    struct hci_request rq;
    struct sim_err e;
    uint64_t n = 0, room = 1 << 20;
    *region = jf->files[0].need;
    ck_assert_int_eq(hci_source_create(&s, &jf->jobs[0], region, 1, &e), SIM_OK);
    ck_assert(hci_source_map(s, &room));
    for (; n < MOST && hci_source_next(s, &rq); n++)
        io[n] = (struct one){ rq.offset, rq.bytes, rq.op };
    hci_source_free(s);
    hci_jobfile_free(jf);
    return n;
}

/* Two counts of one kind among na and nb draws differ as chance allows. */
static void alike(const char *what, uint64_t a, uint64_t na, uint64_t b, uint64_t nb)
{
    double p = (double)(a + b) / (double)(na + nb);
    double sd = sqrt(p * (1 - p) * (1 / (double)na + 1 / (double)nb));
    double off = fabs((double)a / (double)na - (double)b / (double)nb);
    ck_assert_msg(off <= 4.5 * sd + 1e-9, "%s: %.5f here, %.5f by fio (sd %.5f)", what,
                  (double)a / (double)na, (double)b / (double)nb, sd);
}

/* With randrepeat a second round repeats the first, but not of a time_based job. */
START_TEST(a_map_repeats_its_order_where_fio_does)
{
    static const struct {
        const char *options;
        bool repeats;
    } cases[] = { { "loops=2\n", true },
                  { "io_size=8m\n", true },
                  { "loops=2\nbssplit=4k/50:16k/50\n", true },
                  { "rw=randrw\nloops=2\n", true },
                  { "loops=2\nrandrepeat=0\n", false },
                  { "time_based\nruntime=20ms\n", false },
                  { "norandommap\nloops=2\n", false } };
    struct one *io = calloc(MOST, sizeof *io);
    char text[200];
    uint64_t region;
    snprintf(text, sizeof text, "[a]\nioengine=null\nrw=randread\nsize=4m\n%s", cases[_i].options);
    for (int fio = 0; fio < 2; fio++) {
        uint64_t n = fio ? draw_by_fio(text, io) : draw_by_source(text, io, &region), pass = 0;
        for (uint64_t bytes = 0; bytes < 4 << 20; pass++)
            bytes += io[pass].bytes;
        ck_assert_uint_ge(n, 2 * pass);
        bool same = true;
        for (uint64_t i = 0; i < pass; i++)
            same &= io[i].offset == io[pass + i].offset && io[i].bytes == io[pass + i].bytes;
        ck_assert_int_eq(same, cases[_i].repeats);
    }
    free(io);
}
END_TEST

START_TEST(a_null_job_draws_what_fio_draws)
{
    const struct job *j = &jobs[_i];
    struct one *io = calloc(MOST, sizeof *io);
    char text[400], what[40];
    uint64_t region;
    snprintf(text, sizeof text, "[a]\nioengine=null\nsize=64m\n%s", j->options);
    uint64_t n = draw_by_source(text, io, &region);
    struct draws sim = digest(io, n, j->unit, region);
    n = draw_by_fio(text, io);
    struct draws fio = digest(io, n, j->unit, region);
    alike("reads", sim.reads, sim.n, fio.reads, fio.n);
    for (unsigned i = 0; i < SIZES; i++) {
        snprintf(what, sizeof what, "I/Os of %u units", i);
        alike(what, sim.of_size[i], sim.n, fio.of_size[i], fio.n);
    }
    uint64_t loops = strstr(text, "loops=2") ? 2 : 1;
    if (j->once) { /* nothing twice in a pass, and nothing left */
        ck_assert_uint_eq(sim.bytes, loops * sim.touched);
        ck_assert_uint_eq(fio.bytes, loops * fio.touched);
        ck_assert_uint_eq(sim.touched, region - region % j->unit);
        ck_assert_uint_eq(fio.touched, region - region % j->unit);
    }
    double off = fabs((double)sim.touched - (double)fio.touched) / (double)region;
    ck_assert_msg(off < 0.02, "%.4f of the region more or less touched than by fio", off);
    ck_assert_msg(fabs(sim.top_tenth - fio.top_tenth) < 0.012, "busiest tenth: %.4f, fio %.4f",
                  sim.top_tenth, fio.top_tenth);
    free(io);
}
END_TEST

/* Blocks of unlike size in the two directions count in unlike units on one map, so
 * that a pass ends early: when, chance decides. */
START_TEST(a_pass_of_unlike_units_ends_early_as_in_fio)
{
    static const char *const texts[] = { "bs=4k,8k\nrw=randrw\n", "bs=,8k\nrw=randwrite\n" };
    struct one *io = calloc(MOST, sizeof *io);
    char text[200];
    uint64_t region, sum[2] = { 0, 0 }; /* one pass ends 0.2 of it around the mean */
    for (unsigned i = 0; i < 64; i++) {
        snprintf(text, sizeof text, "[a]\nioengine=null\nsize=32m\nrandrepeat=0\nrandseed=%u\n%s",
                 i + 1, texts[_i]);
        sum[0] += draw_by_source(text, io, &region);
        if (i < 8)
            sum[1] += draw_by_fio(text, io);
    }
    double pass = (32 << 20) >> (_i ? 13 : 12);
    double share = (double)sum[0] / 64 / pass, by_fio = (double)sum[1] / 8 / pass;
    ck_assert_msg(share > 0.4 && share < 0.85, "%.3f of a pass", share);
    ck_assert_msg(fabs(share - by_fio) < 0.3, "%.3f of a pass, fio %.3f", share, by_fio);
    free(io);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_null_job_draws_what_fio_draws, 0, sizeof jobs / sizeof jobs[0]);
    tcase_add_loop_test(tc, a_map_repeats_its_order_where_fio_does, 0, 7);
    tcase_add_loop_test(tc, a_pass_of_unlike_units_ends_early_as_in_fio, 0, 2);
}

TEST_MAIN("cli.fio_draws")
