/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the request source says about a request besides where it goes.
 */
#include "workload/hci_source.h"

#include "check_main.h"
#include "job_text.h"

#include <string.h>

/* The seq mark of a job's first request, asked over what stood there before. */
static unsigned mark(const char *rw, int garbage)
{
    char text[64];
    struct hci_source *s;
    struct hci_request rq;
    struct sim_err e = {0};
    const uint64_t bytes[] = {1 << 20};
    snprintf(text, sizeof text, "[j]\nsize=1m\nrw=%s\n", rw);
    struct hci_jobfile *jf = job_text(text);
    ck_assert_msg(hci_source_create(&s, &jf->jobs[0], bytes, 1, &e) == SIM_OK, "%s", e.text);
    memset(&rq, garbage, sizeof rq);
    ck_assert(hci_source_next(s, &rq));
    hci_source_free(s);
    hci_jobfile_free(jf);
    return rq.seq;
}

START_TEST(a_request_says_whether_it_is_one_of_a_sequential_stream)
{
    for (int garbage = 0; garbage < 256; garbage += 255) {
        ck_assert_uint_eq(mark("write", garbage), 1);
        ck_assert_uint_eq(mark("rw", garbage), 1);
        ck_assert_uint_eq(mark("randwrite", garbage), 0);
        ck_assert_uint_eq(mark("randrw", garbage), 0);
    }
}
END_TEST

static void add_tests(TCase *tc)
{
    tcase_add_test(tc, a_request_says_whether_it_is_one_of_a_sequential_stream);
}

TEST_MAIN("unit.source_stream")
