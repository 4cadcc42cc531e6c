/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* madvise */
#include "sim_mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim_err.h"

#define ALIGN     16U
#define MIN_CHUNK 4096U

struct chunk {
    struct chunk *next;
    uint64_t size; /* bytes in all; also keeps data 16-byte aligned */
    unsigned char data[];
};

struct sim_arena {
    struct chunk *chunks;
    unsigned char *free; /* first unused byte of the newest ordinary chunk */
    size_t left, chunk_bytes;
    uint64_t count, bytes;
};

_Noreturn void sim_out_of_memory(size_t bytes)
{
    fprintf(stderr, "out of memory: could not get %zu bytes\n", bytes);
    exit(SIM_E_IO);
}

struct sim_arena *sim_arena_create(size_t chunk)
{
    struct sim_arena *a = calloc(1, sizeof *a);
    if (!a)
        sim_out_of_memory(sizeof *a);
    if (chunk > SIZE_MAX / 2)
        sim_out_of_memory(chunk);
    a->chunk_bytes = chunk < MIN_CHUNK ? MIN_CHUNK : (chunk + ALIGN - 1) / ALIGN * ALIGN;
    a->bytes = sizeof *a;
    return a;
}

void sim_arena_free(struct sim_arena *a)
{
    if (!a)
        return;
    while (a->chunks) {
        struct chunk *c = a->chunks;
        a->chunks = c->next;
        free(c);
    }
    free(a);
}

/* calloc, not memset: a large array that is never touched stays out of memory. */
static struct chunk *add_chunk(struct sim_arena *a, size_t data_bytes)
{
    struct chunk *c = calloc(1, sizeof *c + data_bytes);
    if (!c)
        sim_out_of_memory(data_bytes);
    c->next = a->chunks;
    c->size = sizeof *c + data_bytes;
    a->chunks = c;
    a->bytes += c->size;
    return c;
}

void *sim_arena_alloc(struct sim_arena *a, size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        sim_out_of_memory(bytes);
    size_t need = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (need == 0)
        need = ALIGN;
    a->count++;
    if (need > a->chunk_bytes / 2 && need > a->left)
        return add_chunk(a, need)->data;
    if (need > a->left) {
        a->free = add_chunk(a, a->chunk_bytes)->data;
        a->left = a->chunk_bytes;
    }
    void *p = a->free;
    a->free += need;
    a->left -= need;
    return p;
}

void *sim_arena_array(struct sim_arena *a, size_t n, size_t bytes)
{
    if (bytes && n > SIZE_MAX / bytes)
        sim_out_of_memory(SIZE_MAX);
    return sim_arena_alloc(a, n * bytes);
}

char *sim_arena_strdup(struct sim_arena *a, const char *s)
{
    size_t bytes = strlen(s) + 1;
    return memcpy(sim_arena_alloc(a, bytes), s, bytes);
}

char *sim_arena_printf(struct sim_arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int len = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    size_t bytes = len < 0 ? 1 : (size_t)len + 1;
    char *s = sim_arena_alloc(a, bytes);
    va_start(ap, fmt);
    vsnprintf(s, bytes, fmt, ap);
    va_end(ap);
    return s;
}

uint64_t sim_arena_count(const struct sim_arena *a)
{
    return a->count;
}

uint64_t sim_arena_bytes(const struct sim_arena *a)
{
    return a->bytes;
}

void *sim_mem_block(size_t bytes)
{
    void *m = NULL;
    bool large = bytes >= SIM_HUGE_PAGE;
    if (posix_memalign(&m, large ? SIM_HUGE_PAGE : 128, bytes) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE
    if (large)
        (void)madvise(m, bytes, MADV_HUGEPAGE); /* a wish: refused, the run is only slower */
#endif
    return m;
}
