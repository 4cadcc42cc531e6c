/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The request source: counts, orders, proportions and wrap-around.
 */
#include "workload/hci_source.h"

#include "check_main.h"
#include "job_text.h"
#include "sim_rng.h"
#include "workload/hci_order.h"

#include <inttypes.h>
#include <math.h>

struct load { /* one job's source and what it needs */
    struct hci_jobfile *jf;
    struct hci_source *s;
    uint64_t bytes[64];
};

static struct load open_job(const char *text, unsigned j, uint64_t seed)
{
    struct load l = { 0 };
    struct sim_err e = { 0 };
    l.jf = job_text(text);
    const struct hci_job *job = &l.jf->jobs[j];
    for (unsigned i = 0; i < job->nfiles; i++) {
        const struct hci_file *f = &l.jf->files[job->files[i]];
        l.bytes[i] = f->bytes ? f->bytes : f->need;
    }
    ck_assert_msg(hci_source_create(&l.s, job, l.bytes, seed, &e) == SIM_OK, "%s", e.text);
    return l;
}

static void close_job(struct load *l)
{
    hci_source_free(l->s);
    hci_jobfile_free(l->jf);
}

static const struct {
    const char *text;
    uint64_t ios, bytes;
} counts[] = { /* as fio 3.33 counts them with ioengine=null */
    { "size=1m\nbs=3k\n", 341, 341 * 3072 },
    { "size=10m\nnrfiles=4\nbs=1m\n", 8, 8 << 20 },
    { "size=10m\nnrfiles=4\nbs=1m\nio_size=20m\n", 20, 20 << 20 },
    { "size=10m\nnrfiles=4\nbs=1m\nrw=randread\n", 8, 8 << 20 },
    { "size=1m\nio_size=512k\nloops=3\n", 384, 1536 << 10 },
    { "size=1m\nio_size=1536k\nloops=3\n", 768, 3 << 20 },
    { "size=1m\nloops=3\n", 768, 3 << 20 },
    { "size=1m\nloops=3\nnumber_ios=10\n", 30, 30 * 4096 },
    { "size=1m\nloops=3\nnumber_ios=300\n", 768, 3 << 20 },
    { "size=1m\nio_size=2k\n", 1, 4096 },
    { "size=1m\nio_size=10k\n", 3, 3 * 4096 },
    { "size=1m\nio_size=2049k\n", 512, 2 << 20 },
    { "size=1m\nio_size=2055k\n", 514, 514 * 4096 },
    { "size=1m\nbs=3k\nio_size=2m\n", 682, 682 * 3072 },
    { "size=1m\nbs=3k\nrw=randread\n", 341, 341 * 3072 },
    { "size=1m\nbs=3k\nrw=randread\nio_size=2m\n", 682, 682 * 3072 },
    { "size=1m\nbs=3k\nrw=randread\nnorandommap\n", 342, 342 * 3072 },
    { "size=1m\nrw=rw\n", 256, 1 << 20 },
    { "size=1m\nrw=rw\nio_size=3m\n", 768, 3 << 20 },
    { "size=1m\nrw=randrw\nrwmixread=70\n", 256, 1 << 20 },
    { "size=1m\nrw=randread:8\n", 256, 1 << 20 },
    { "size=1m\nrw=read:4k\n", 256, 1 << 20 },
    { "size=1m\nrw=randread\nrandom_generator=lfsr\nio_size=2m\n", 512, 2 << 20 },
    { "size=1m\nrw=randread\npercentage_random=50\n", 256, 1 << 20 },
    { "filesize=1m\n", 256, 1 << 20 },
    { "filesize=1m\nsize=512k\nnrfiles=2\n", 128, 512 << 10 },
    { "filesize=1m\nsize=50%\noffset=512k\n", 128, 512 << 10 },
    { "filesize=1m\nsize=1m\noffset=512k\n", 128, 512 << 10 },
    { "size=1m\noffset=512k\n", 256, 1 << 20 },
    { "size=4m\nbs=64k\nzonemode=strided\nzonesize=128k\nzoneskip=384k\n", 64, 4 << 20 },
    { "filesize=1m\nsize=256k\nio_size=512k\n", 128, 512 << 10 },
};

START_TEST(a_job_issues_as_many_ios_as_fio_does)
{
    char text[300];
    struct hci_request rq;
    uint64_t ios = 0, bytes = 0;
    snprintf(text, sizeof text, "[a]\nioengine=null\n%s", counts[_i].text);
    struct load l = open_job(text, 0, 1);
    for (; ios < 100000 && hci_source_next(l.s, &rq); ios++)
        bytes += rq.bytes;
    ck_assert_msg(ios == counts[_i].ios && bytes == counts[_i].bytes, "%" PRIu64 " I/Os, %" PRIu64
                  " bytes for %s", ios, bytes, counts[_i].text);
    ck_assert(!hci_source_next(l.s, &rq));
    close_job(&l);
}
END_TEST

START_TEST(map_and_lfsr_visit_each_block_once_a_pass)
{
    static const char *const orders[] = { "rw=randread\n", "rw=randrw\nrandom_generator=lfsr\n",
                                          "rw=randrw\n" };
    char text[200];
    struct hci_request rq;
    const uint64_t blocks = 4096 + 37 * (uint64_t)_i;
    snprintf(text, sizeof text, "[a]\nsize=%" PRIu64 "\nbs=8k\ntime_based\nruntime=1\n%s",
             blocks * 8192, orders[_i % 3]);
    struct load l = open_job(text, 0, 1);
    unsigned char *seen = calloc(1, blocks);
    uint64_t *order = calloc(blocks, sizeof *order), same = 0;
    for (unsigned pass = 1; pass <= 3; pass++)
        for (uint64_t i = 0; i < blocks; i++) {
            ck_assert(hci_source_next(l.s, &rq));
            ck_assert_uint_eq(rq.offset % 8192, 0);
            ck_assert_uint_lt(rq.offset / 8192, blocks);
            ck_assert_uint_eq(++seen[rq.offset / 8192], pass);
            same += pass > 1 && order[i] == rq.offset;
            order[i] = rq.offset;
        }
    if (_i % 3 == 1)
        ck_assert_uint_eq(same, 2 * blocks); /* an LFSR repeats its order */
    else
        ck_assert_uint_lt(same, 30); /* a map has a new one each pass */
    free(seen);
    free(order);
    close_job(&l);
}
END_TEST

START_TEST(permutations_are_bijections_at_every_size)
{
    static unsigned char seen[5000];
    for (uint64_t n = 1; n < sizeof seen; n += n < 300 ? 1 : 61) {
        struct hci_perm p;
        struct hci_lfsr r;
        hci_perm_init(&p, n, n);
        hci_lfsr_init(&r, n, n);
        memset(seen, 0, sizeof seen);
        for (uint64_t i = 0; i < n; i++) {
            uint64_t a = hci_perm_at(&p, i), b = hci_lfsr_next(&r);
            ck_assert(a < n && b < n);
            ck_assert_int_eq(seen[a] & 1, 0);
            ck_assert_int_eq(seen[b] & 2, 0);
            seen[a] |= 1;
            seen[b] |= 2;
        }
    }
}
END_TEST

/* Jumps a shift register ahead by powers of its step, as polynomials would. */
static uint64_t times_x(uint64_t s, uint64_t taps, uint64_t steps)
{
    uint64_t column[64], next[64], out;
    for (unsigned i = 0; i < 64; i++) { /* one step as a matrix over GF(2), by columns */
        uint64_t e = 1ULL << i;
        column[i] = (e >> 1) ^ ((0 - (e & 1)) & taps);
    }
    for (; steps; steps >>= 1) {
        if (steps & 1) {
            out = 0;
            for (unsigned i = 0; i < 64; i++)
                out ^= (0 - (s >> i & 1)) & column[i];
            s = out;
        }
        for (unsigned j = 0; j < 64; j++) {
            next[j] = 0;
            for (unsigned i = 0; i < 64; i++)
                next[j] ^= (0 - (column[j] >> i & 1)) & column[i];
        }
        memcpy(column, next, sizeof column);
    }
    return s;
}

START_TEST(every_lfsr_returns_after_its_full_period_and_not_at_a_third_of_it)
{
    struct hci_lfsr r;
    unsigned bits = (unsigned)_i;
    hci_lfsr_init(&r, 1ULL << bits, 1);
    uint64_t period = (1ULL << bits) - 1;
    ck_assert_uint_eq(times_x(1, r.taps, period), 1);
    for (uint64_t q = 3; q < 200; q += 2) /* its small prime factors divide the period */
        if (period % q == 0 && period > q)
            ck_assert_uint_ne(times_x(1, r.taps, period / q), 1);
}
END_TEST

START_TEST(a_map_over_a_pebibyte_is_computed_not_stored)
{
    struct load l = open_job("[a]\nsize=1p\nrw=randread\nbs=512\ntime_based\nruntime=1\n", 0, 1);
    struct hci_request rq;
    uint64_t lowest = UINT64_MAX, highest = 0;
    for (int i = 0; i < 1000; i++) {
        ck_assert(hci_source_next(l.s, &rq));
        lowest = sim_min(lowest, rq.offset);
        highest = sim_max(highest, rq.offset);
    }
    ck_assert_uint_lt(lowest, 1ULL << 43);
    ck_assert_uint_gt(highest, (1ULL << 50) - (1ULL << 43));
    close_job(&l);
}
END_TEST

/* Share of distinct blocks in one pass' worth of I/Os, in percent. */
static double unique_share(const char *text, uint64_t blocks)
{
    struct load l = open_job(text, 0, 1);
    struct hci_request rq;
    unsigned char *seen = calloc(1, blocks);
    uint64_t distinct = 0;
    for (uint64_t i = 0; i < blocks; i++) {
        ck_assert(hci_source_next(l.s, &rq));
        distinct += !seen[rq.offset / 4096]++;
    }
    free(seen);
    close_job(&l);
    return 100 * (double)distinct / (double)blocks;
}

START_TEST(norandommap_hits_63_percent_of_the_blocks)
{
    double share = unique_share("[a]\nsize=256m\nrw=randread\nnorandommap\n", 65536);
    ck_assert_msg(share > 62.7 && share < 63.7, "%.2f %%", share);
    ck_assert(unique_share("[a]\nsize=256m\nrw=randread\n", 65536) > 99.99);
}
END_TEST

/* |got - n p| within four standard deviations of a binomial. */
static void expect_share(uint64_t got, uint64_t n, double p)
{
    double sd = sqrt((double)n * p * (1 - p));
    ck_assert_msg(fabs((double)got - (double)n * p) < 4 * sd, "%" PRIu64 " of %" PRIu64
                  ", expected %.4f", got, n, p);
}

START_TEST(rwmix_and_bssplit_keep_their_proportions)
{
    struct load l = open_job("[a]\nsize=1g\nrw=randrw\nrwmixread=70\nnorandommap\ntime_based\n"
                             "runtime=1\nbssplit=4k/10:16k/20:64k/70,8k/50:32k/50\n", 0, 1);
    uint64_t n[2] = { 0 }, small[2] = { 0 }, mid = 0;
    struct hci_request rq;
    for (int i = 0; i < 100000; i++) {
        ck_assert(hci_source_next(l.s, &rq));
        ck_assert_uint_le(rq.offset + rq.bytes, 1 << 30);
        n[rq.op]++;
        small[rq.op] += rq.bytes == (rq.op == HCI_READ ? 4096 : 8192);
        mid += rq.op == HCI_READ && rq.bytes == 16384;
    }
    expect_share(n[HCI_READ], 100000, 0.7);
    expect_share(small[HCI_READ], n[HCI_READ], 0.1);
    expect_share(mid, n[HCI_READ], 0.2);
    expect_share(small[HCI_WRITE], n[HCI_WRITE], 0.5);
    close_job(&l);
}
END_TEST

static int descending(const void *a, const void *b)
{
    const unsigned *x = a, *y = b;
    return *x < *y ? 1 : -(*x > *y);
}

/* Share of the accesses that go to the most popular tenth of the blocks, and
 * of those that fall into the first tenth of the region. */
static void decile_shares(const char *distribution, double *top, double *first)
{
    enum { BLOCKS = 10000, DRAWS = 400000 };
    char text[200];
    struct hci_request rq;
    unsigned *hits = calloc(BLOCKS, sizeof *hits);
    uint64_t sum = 0, low = 0;
    snprintf(text, sizeof text, "[a]\nsize=40960000\nrw=randread\ntime_based\nruntime=1\n"
             "random_distribution=%s\n", distribution);
    struct load l = open_job(text, 0, 1);
    for (int i = 0; i < DRAWS; i++) {
        ck_assert(hci_source_next(l.s, &rq));
        ck_assert_uint_lt(rq.offset / 4096, BLOCKS);
        hits[rq.offset / 4096]++;
    }
    for (int i = 0; i < BLOCKS / 10; i++)
        low += hits[i];
    qsort(hits, BLOCKS, sizeof *hits, descending);
    for (int i = 0; i < BLOCKS / 10; i++)
        sum += hits[i];
    *top = (double)sum / DRAWS;
    *first = (double)low / DRAWS;
    free(hits);
    close_job(&l);
}

START_TEST(zipf_puts_its_weight_on_a_tenth_and_scatters_it)
{
    double top, first;
    decile_shares("zipf:1.1", &top, &first);
    /* fio 3.33 measured the same way: 0.8692. */
    ck_assert_msg(fabs(top - 0.8692) < 0.004, "%.4f", top);
    ck_assert_msg(first < 0.5, "%.4f in the first tenth", first);
    decile_shares("zipf:0.9", &top, &first);
    ck_assert_msg(fabs(top - 0.7220) < 0.004, "%.4f", top); /* fio: 0.7220 */
}
END_TEST

START_TEST(pareto_gives_its_share_to_its_part)
{
    double top, first;
    decile_shares("pareto:0.1", &top, &first); /* 90 % of accesses to 10 % of blocks */
    ck_assert_msg(fabs(top - 0.9146) < 0.004, "%.4f", top); /* fio: 0.9146 */
}
END_TEST

START_TEST(normal_is_skewed_without_a_place)
{
    double top, first;
    decile_shares("normal:10", &top, &first);
    ck_assert_msg(fabs(top - 0.4291) < 0.004, "%.4f", top); /* fio: 0.4291 */
    ck_assert_msg(first < 0.3, "%.4f in the first tenth", first);
}
END_TEST

START_TEST(zones_stay_where_they_are)
{
    double top, first;
    decile_shares("zoned:60/10:30/20:10/70", &top, &first);
    ck_assert_msg(fabs(first - 0.6) < 0.004, "%.4f", first);
    decile_shares("zoned_abs:25/4096000:75/36864000", &top, &first);
    ck_assert_msg(fabs(first - 0.25) < 0.004, "%.4f", first);
}
END_TEST

/* Offsets of the first n I/Os, in blocks of `unit`, as text. */
static const char *offsets(const char *text, uint64_t unit, unsigned n, char *out, size_t size)
{
    struct load l = open_job(text, 0, 1);
    struct hci_request rq;
    size_t len = 0;
    *out = '\0';
    for (unsigned i = 0; i < n && len < size && hci_source_next(l.s, &rq); i++)
        len += (size_t)snprintf(out + len, size - len, "%s%s%" PRIu64, i ? " " : "",
                                rq.op == HCI_WRITE ? "w" : rq.op == HCI_TRIM ? "t" : "",
                                rq.offset / unit);
    close_job(&l);
    return out;
}

START_TEST(sequential_jobs_wrap_skip_and_go_backwards)
{
    char out[200];
#define FIRST(n, text) offsets("[a]\nbs=64k\n" text, 65536, n, out, sizeof out)
    ck_assert_str_eq(FIRST(6, "size=256k\ntime_based\nruntime=1\n"), "0 1 2 3 0 1");
    ck_assert_str_eq(FIRST(5, "size=300k\noffset=64k\nio_size=1m\n"), "1 2 3 4 1");
    ck_assert_str_eq(FIRST(9, "size=1m\nrw=read:64k\n"), "0 2 4 6 8 10 12 14 0");
    ck_assert_str_eq(FIRST(4, "size=1m\nrw=read:-128k\n"), "0 14 13 12");
    ck_assert_str_eq(FIRST(3, "size=1m\nrw=write:-64k\n"), "w0 w0 w0");
    ck_assert_str_eq(FIRST(6, "size=4m\nzonemode=strided\nzonesize=128k\nzoneskip=384k\n"),
                     "0 1 8 9 16 17");
    ck_assert_str_eq(FIRST(6, "size=128k\nnrfiles=2\nio_size=1m\n"), "0 0 0 0 0 0");
    ck_assert_str_eq(FIRST(4, "size=256k\nnrfiles=2\nfile_service_type=sequential\n"), "0 1 0 1");
#undef FIRST
}
END_TEST

START_TEST(reads_and_writes_of_a_sequential_mix_keep_their_own_positions)
{
    struct load l = open_job("[a]\nsize=1g\nrw=rw\n", 0, 1);
    struct hci_request rq;
    uint64_t next[2] = { 0, 0 };
    for (int i = 0; i < 1000; i++) {
        ck_assert(hci_source_next(l.s, &rq));
        ck_assert_uint_eq(rq.offset, next[rq.op]);
        next[rq.op] += 4096;
    }
    ck_assert(next[0] > 0 && next[1] > 0);
    close_job(&l);
}
END_TEST

START_TEST(percentage_random_mixes_random_reads_with_sequential_writes)
{
    struct load l = open_job("[a]\nsize=1g\nrw=randrw\npercentage_random=100,0\n", 0, 1);
    struct hci_request rq;
    uint64_t next = 0, jumps = 0, last = 0;
    for (int i = 0; i < 2000; i++) {
        ck_assert(hci_source_next(l.s, &rq));
        if (rq.op == HCI_WRITE) {
            ck_assert_uint_eq(rq.offset, next);
            next += 4096;
        } else {
            jumps += rq.offset != last + 4096;
            last = rq.offset;
        }
    }
    ck_assert_uint_gt(jumps, 900);
    close_job(&l);
}
END_TEST

START_TEST(random_runs_go_on_for_n_blocks_or_repeat_one)
{
    struct load l = open_job("[a]\nsize=1g\nrw=randread:4\n", 0, 1);
    struct load m = open_job("[a]\nsize=1g\nrw=randread:4\nrw_sequencer=identical\n", 0, 1);
    struct hci_request rq;
    uint64_t start = 0, same = 0;
    for (unsigned i = 0; i < 400; i++) {
        ck_assert(hci_source_next(l.s, &rq));
        start = i % 4 ? start : rq.offset;
        ck_assert_uint_eq(rq.offset, start + 4096 * (i % 4));
        ck_assert(hci_source_next(m.s, &rq));
        same = i % 4 ? same : rq.offset;
        ck_assert_uint_eq(rq.offset, same);
    }
    close_job(&l);
    close_job(&m);
}
END_TEST

START_TEST(a_trimwrite_job_writes_what_it_trimmed)
{
    char out[100];
    ck_assert_str_eq(offsets("[a]\nsize=1m\nrw=trimwrite\n", 4096, 6, out, sizeof out),
                     "t0 w0 t1 w1 t2 w2");
}
END_TEST

static uint64_t fingerprint(const char *text, unsigned j, uint64_t seed)
{
    struct load l = open_job(text, j, seed);
    struct hci_request rq;
    uint64_t h = 0;
    for (int i = 0; i < 500 && hci_source_next(l.s, &rq); i++)
        h = sim_mix(h ^ rq.offset ^ rq.bytes ^ rq.op);
    close_job(&l);
    return h;
}

START_TEST(seeds_matter_only_without_randrepeat)
{
    const char *fixed = "[a]\nsize=1g\nrw=randrw\nnumjobs=2\n";
    const char *drawn = "[a]\nsize=1g\nrw=randrw\nrandrepeat=0\n";
    const char *other = "[a]\nsize=1g\nrw=randrw\nrandseed=5\n";
    ck_assert_uint_eq(fingerprint(fixed, 0, 1), fingerprint(fixed, 0, 2));
    ck_assert_uint_ne(fingerprint(fixed, 0, 1), fingerprint(fixed, 1, 1));
    ck_assert_uint_ne(fingerprint(fixed, 0, 1), fingerprint(other, 0, 1));
    ck_assert_uint_ne(fingerprint(drawn, 0, 1), fingerprint(drawn, 0, 2));
    ck_assert_uint_eq(fingerprint(drawn, 0, 1), fingerprint(drawn, 0, 1));
}
END_TEST

START_TEST(clones_with_an_increment_start_apart)
{
    struct load l = open_job("[a]\nsize=1m\nnumjobs=3\noffset_increment=2m\nfilename=x\n", 2, 1);
    struct hci_request rq;
    ck_assert(hci_source_next(l.s, &rq));
    ck_assert_uint_eq(rq.offset, 4 << 20);
    ck_assert_uint_eq(hci_source_span(l.s), 1 << 20);
    close_job(&l);
}
END_TEST

START_TEST(a_region_smaller_than_a_block_is_an_error)
{
    struct hci_jobfile *jf = job_text("[a]\nfilename=/dev/sda\nbs=64k\n");
    struct hci_source *s;
    struct sim_err e;
    uint64_t bytes = 4096;
    ck_assert_int_eq(hci_source_create(&s, &jf->jobs[0], &bytes, 1, &e), SIM_E_INPUT);
    ck_assert_ptr_nonnull(strstr(e.text, "must not be less than minimum block size"));
    ck_assert_int_eq(e.line, 1);
    ck_assert_ptr_null(s);
    hci_jobfile_free(jf);
}
END_TEST

START_TEST(a_caller_may_choose_the_direction)
{
    struct load l = open_job("[a]\nsize=1g\nrw=randrw\n", 0, 1);
    struct hci_request rq;
    for (unsigned i = 0; i < 100; i++) {
        ck_assert(hci_source_next_dir(l.s, i % 3 ? HCI_READ : HCI_WRITE, &rq));
        ck_assert_uint_eq(rq.op, i % 3 ? HCI_READ : HCI_WRITE);
    }
    close_job(&l);
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_loop_test(tc, a_job_issues_as_many_ios_as_fio_does, 0,
                        sizeof counts / sizeof counts[0]);
    tcase_add_loop_test(tc, map_and_lfsr_visit_each_block_once_a_pass, 0, 9);
    tcase_add_test(tc, permutations_are_bijections_at_every_size);
    tcase_add_loop_test(tc, every_lfsr_returns_after_its_full_period_and_not_at_a_third_of_it, 2,
                        63);
    tcase_add_test(tc, a_map_over_a_pebibyte_is_computed_not_stored);
    tcase_add_test(tc, norandommap_hits_63_percent_of_the_blocks);
    tcase_add_test(tc, rwmix_and_bssplit_keep_their_proportions);
    tcase_add_test(tc, zipf_puts_its_weight_on_a_tenth_and_scatters_it);
    tcase_add_test(tc, pareto_gives_its_share_to_its_part);
    tcase_add_test(tc, normal_is_skewed_without_a_place);
    tcase_add_test(tc, zones_stay_where_they_are);
    tcase_add_test(tc, sequential_jobs_wrap_skip_and_go_backwards);
    tcase_add_test(tc, reads_and_writes_of_a_sequential_mix_keep_their_own_positions);
    tcase_add_test(tc, percentage_random_mixes_random_reads_with_sequential_writes);
    tcase_add_test(tc, random_runs_go_on_for_n_blocks_or_repeat_one);
    tcase_add_test(tc, a_trimwrite_job_writes_what_it_trimmed);
    tcase_add_test(tc, seeds_matter_only_without_randrepeat);
    tcase_add_test(tc, clones_with_an_increment_start_apart);
    tcase_add_test(tc, a_region_smaller_than_a_block_is_an_error);
    tcase_add_test(tc, a_caller_may_choose_the_direction);
}

TEST_MAIN("unit.source")
