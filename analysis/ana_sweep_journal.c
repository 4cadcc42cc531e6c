/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "ana_sweep_journal.h"

#include "sim_mem.h"
#include "sim_rng.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "hcisim-journal/1\n"
#define MAGIC_BYTES 17
#define HEAD_BYTES (MAGIC_BYTES + 16) /* length and hash of the plan */
#define RECORD_HEAD 24                /* point, length, hash of both and the data */
#define PLAN_MAX (256u << 20)
#define RECORD_MAX (64u << 20)

uint64_t ana_hash(const void *data, size_t n)
{
    const unsigned char *p = data;
    uint64_t h = 0xcbf29ce484222325ULL;
    for (size_t i = 0; i < n; i++)
        h = (h ^ p[i]) * 0x100000001b3ULL;
    return sim_mix(h);
}

static void put(unsigned char *at, uint64_t v)
{
    for (unsigned i = 0; i < 8; i++)
        at[i] = (unsigned char)(v >> (8 * i));
}

static uint64_t get(const unsigned char *at)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < 8; i++)
        v |= (uint64_t)at[i] << (8 * i);
    return v;
}

static uint64_t record_hash(uint64_t point, const void *data, size_t n)
{
    return sim_mix(ana_hash(data, n) ^ sim_mix(point) ^ n);
}

static const char *shown(const struct ana_journal *j)
{
    return j->path ? j->path : "temporary file";
}

static int io_error(const struct ana_journal *j, const char *what, struct sim_err *e)
{
    return sim_fail_at(e, SIM_E_IO, shown(j), 0, "cannot %s: %s", what, strerror(errno));
}

static int write_at_end(struct ana_journal *j, const void *data, size_t n, struct sim_err *e)
{
    const unsigned char *p = data;
    while (n > 0) {
        ssize_t done = pwrite(j->fd, p, n, (off_t)j->end);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return io_error(j, "write", e);
        p += done;
        n -= (size_t)done;
        j->end += (uint64_t)done;
    }
    return SIM_OK;
}

/* Reads n bytes at offset; false at the end of the file or on an error. */
static bool read_at(const struct ana_journal *j, uint64_t offset, void *data, size_t n)
{
    unsigned char *p = data;
    while (n > 0) {
        ssize_t done = pread(j->fd, p, n, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        p += done;
        n -= (size_t)done;
        offset += (uint64_t)done;
    }
    return true;
}

static void buffer(struct ana_journal *j, size_t n)
{
    if (n <= j->buf_bytes)
        return;
    unsigned char *more = realloc(j->buf, n);
    if (!more)
        sim_out_of_memory(n);
    j->buf = more;
    j->buf_bytes = n;
}

static int write_head(struct ana_journal *j, const void *plan, size_t n, struct sim_err *e)
{
    unsigned char head[HEAD_BYTES];
    memcpy(head, MAGIC, MAGIC_BYTES);
    put(head + MAGIC_BYTES, n);
    put(head + MAGIC_BYTES + 8, ana_hash(plan, n));
    int rc = write_at_end(j, head, sizeof head, e);
    return rc == SIM_OK ? write_at_end(j, plan, n, e) : rc;
}

/* False when the head is no whole head of a journal. */
static bool read_head(struct ana_journal *j)
{
    unsigned char head[HEAD_BYTES];
    if (!read_at(j, 0, head, sizeof head) || memcmp(head, MAGIC, MAGIC_BYTES) != 0)
        return false;
    uint64_t n = get(head + MAGIC_BYTES);
    if (n == 0 || n > PLAN_MAX || !(j->plan = calloc(1, n)))
        return false;
    j->plan_bytes = n;
    j->end = HEAD_BYTES + n;
    return read_at(j, HEAD_BYTES, j->plan, n) && ana_hash(j->plan, n) == get(head + MAGIC_BYTES + 8);
}

/* The record at j->end in j->buf; false when there is no whole one. */
static bool read_record(struct ana_journal *j, uint64_t offset, uint64_t *point, size_t *n)
{
    unsigned char head[RECORD_HEAD];
    if (!read_at(j, offset, head, sizeof head))
        return false;
    *point = get(head);
    uint64_t bytes = get(head + 8);
    if (bytes > RECORD_MAX)
        return false;
    *n = bytes;
    buffer(j, *n + 1);
    return read_at(j, offset + RECORD_HEAD, j->buf, *n) &&
           record_hash(*point, j->buf, *n) == get(head + 16);
}

int ana_journal_scan(struct ana_journal *j, uint64_t npoints, struct sim_err *e)
{
    struct stat st;
    uint64_t point;
    size_t n;
    j->npoints = npoints;
    if (!(j->at = calloc(npoints + 1, sizeof *j->at)))
        return sim_fail(e, SIM_E_INPUT, "out of memory");
    while (read_record(j, j->end, &point, &n) && point < npoints) {
        if (!j->at[point]) {
            j->at[point] = j->end;
            j->ndone++;
        }
        j->end += RECORD_HEAD + n;
    }
    if (fstat(j->fd, &st) == 0 && (uint64_t)st.st_size > j->end)
        j->dropped = (uint64_t)st.st_size - j->end;
    return SIM_OK;
}

static int open_named(struct ana_journal *j, int mode, struct sim_err *e)
{
    int flags = mode == ANA_JOURNAL_READ ? O_RDONLY : O_RDWR | O_CREAT;
    j->fd = open(j->path, flags | O_CLOEXEC, 0666);
    if (j->fd < 0)
        return mode == ANA_JOURNAL_READ
                   ? sim_fail_at(e, SIM_E_INPUT, j->path, 0, "%s", strerror(errno))
                   : io_error(j, "open", e);
    if (mode != ANA_JOURNAL_READ && flock(j->fd, LOCK_EX | LOCK_NB) != 0)
        return sim_fail_at(e, SIM_E_INPUT, j->path, 0, "another sweep is writing it");
    return SIM_OK;
}

static int begin(struct ana_journal *j, const void *plan, size_t plan_bytes, uint64_t npoints,
                 struct sim_err *e)
{
    free(j->plan);
    j->npoints = npoints;
    j->end = 0;
    j->plan = malloc(plan_bytes);
    j->at = calloc(npoints + 1, sizeof *j->at);
    if (!j->plan || !j->at)
        return sim_fail(e, SIM_E_INPUT, "out of memory");
    memcpy(j->plan, plan, plan_bytes);
    j->plan_bytes = plan_bytes;
    if (ftruncate(j->fd, 0) != 0)
        return io_error(j, "write", e);
    return write_head(j, plan, plan_bytes, e);
}

static int resume(struct ana_journal *j, const void *plan, size_t plan_bytes, uint64_t npoints,
                  struct sim_err *e)
{
    struct stat st;
    if (!read_head(j)) {
        if (j->end && fstat(j->fd, &st) == 0 && (uint64_t)st.st_size <= j->end)
            return begin(j, plan, plan_bytes, npoints, e); /* killed within the head */
        return sim_fail_at(e, SIM_E_INPUT, shown(j), 0,
                           "is no whole journal; remove it to start over");
    }
    if (j->plan_bytes != plan_bytes || memcmp(j->plan, plan, plan_bytes) != 0)
        return sim_fail_at(e, SIM_E_INPUT, shown(j), 0,
                           "belongs to another sweep (options, files, catalogue or version "
                           "differ); remove it to start over");
    int rc = ana_journal_scan(j, npoints, e);
    if (rc == SIM_OK && j->dropped && ftruncate(j->fd, (off_t)j->end) != 0)
        return io_error(j, "cut", e);
    return rc;
}

static int open_temporary(struct ana_journal *j, struct sim_err *e)
{
    const char *dir = getenv("TMPDIR");
    char name[1024];
    snprintf(name, sizeof name, "%.900s/hcisim-XXXXXX", dir && *dir ? dir : "/tmp");
    j->fd = mkostemp(name, O_CLOEXEC);
    if (j->fd < 0)
        return sim_fail_at(e, SIM_E_IO, name, 0, "cannot create: %s", strerror(errno));
    unlink(name);
    return SIM_OK;
}

int ana_journal_open(struct ana_journal *j, const char *path, int mode, const void *plan,
                     size_t plan_bytes, uint64_t npoints, struct sim_err *e)
{
    struct stat st;
    *j = (struct ana_journal){ .fd = -1, .path = path ? strdup(path) : NULL };
    int rc = path ? open_named(j, mode, e) : open_temporary(j, e);
    if (rc != SIM_OK)
        return rc;
    if (fstat(j->fd, &st) != 0)
        return io_error(j, "read", e);
    if (mode == ANA_JOURNAL_READ) {
        if (S_ISREG(st.st_mode) && read_head(j))
            return SIM_OK;
        return sim_fail_at(e, SIM_E_INPUT, path, 0, "is no journal of a sweep");
    }
    if (st.st_size == 0 || (mode == ANA_JOURNAL_RESUME && st.st_size < HEAD_BYTES))
        return begin(j, plan, plan_bytes, npoints, e);
    if (mode == ANA_JOURNAL_NEW)
        return sim_fail_at(e, SIM_E_INPUT, path, 0,
                           "holds an unfinished sweep: --resume continues it; remove it to start "
                           "over");
    return resume(j, plan, plan_bytes, npoints, e);
}

bool ana_journal_has(const struct ana_journal *j, uint64_t point)
{
    return j->at[point] != 0;
}

int ana_journal_append(struct ana_journal *j, uint64_t point, const void *data, size_t n,
                       struct sim_err *e)
{
    uint64_t at = j->end;
    if (j->at[point])
        return SIM_OK;
    buffer(j, RECORD_HEAD + n);
    put(j->buf, point);
    put(j->buf + 8, n);
    put(j->buf + 16, record_hash(point, data, n));
    memcpy(j->buf + RECORD_HEAD, data, n);
    int rc = write_at_end(j, j->buf, RECORD_HEAD + n, e);
    if (rc != SIM_OK) {
        j->end = at; /* a half record is overwritten by the next */
        return rc;
    }
    j->at[point] = at;
    j->ndone++;
    return SIM_OK;
}

int ana_journal_get(struct ana_journal *j, uint64_t point, const unsigned char **data, size_t *n,
                    struct sim_err *e)
{
    uint64_t number;
    if (!read_record(j, j->at[point], &number, n) || number != point)
        return sim_fail_at(e, SIM_E_IO, shown(j), 0, "changed while it was read");
    *data = j->buf;
    return SIM_OK;
}

void ana_journal_close(struct ana_journal *j, bool remove)
{
    if (remove && j->path && j->fd >= 0)
        unlink(j->path);
    if (j->fd >= 0)
        close(j->fd);
    free(j->path);
    free(j->at);
    free(j->plan);
    free(j->buf);
    *j = (struct ana_journal){ .fd = -1 };
}
