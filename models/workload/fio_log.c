/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hci_fio_block {
    struct hci_fio_block *next;
    _Alignas(max_align_t) unsigned char data[];
};

void *hci_fio_alloc(struct hci_fio_pool *pool, size_t n)
{
    const size_t align = _Alignof(max_align_t);
    n = (n + align - 1) & ~(align - 1);
    if (pool->failed)
        return NULL;
    if (!pool->head || pool->size - pool->used < n) {
        size_t size = n > 65536 ? n : 65536;
        struct hci_fio_block *b = calloc(1, sizeof *b + size);
        if (!b) {
            pool->failed = true;
            return NULL;
        }
        b->next = pool->head;
        pool->head = b;
        pool->used = 0;
        pool->size = size;
    }
    void *p = pool->head->data + pool->used;
    pool->used += n;
    return p;
}

char *hci_fio_strndup(struct hci_fio_pool *pool, const char *s, size_t n)
{
    char *p = hci_fio_alloc(pool, n + 1);
    if (p)
        memcpy(p, s, n);
    return p;
}

char *hci_fio_strdup(struct hci_fio_pool *pool, const char *s)
{
    return hci_fio_strndup(pool, s, strlen(s));
}

void hci_fio_pool_free(struct hci_fio_pool *pool)
{
    while (pool->head) {
        struct hci_fio_block *b = pool->head;
        pool->head = b->next;
        free(b);
    }
}

static void append(struct hci_fio_log *log, const char *s)
{
    size_t n = strlen(s);
    if (log->errors_len + n + 2 > log->errors_size) {
        size_t size = 2 * (log->errors_len + n + 2);
        char *p = realloc(log->errors, size);
        if (!p)
            return;
        log->errors = p;
        log->errors_size = size;
    }
    memcpy(log->errors + log->errors_len, s, n);
    log->errors_len += n;
    log->errors[log->errors_len++] = '\n';
    log->errors[log->errors_len] = '\0';
}

void hci_fio_error(struct hci_fio_log *log, const char *file, int line, const char *fmt, ...)
{
    char text[sizeof log->first.text], all[sizeof text + 300];
    if (log->nerrors++ >= HCI_FIO_MAX_ERRORS)
        return;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (log->nerrors == 1)
        sim_fail_at(&log->first, SIM_E_INPUT, file, line, "%s", text);
    if (line > 0)
        snprintf(all, sizeof all, "%.255s:%d: %s", file, line, text);
    else
        snprintf(all, sizeof all, "%.255s: %s", file, text);
    append(log, all);
    if (log->nerrors == HCI_FIO_MAX_ERRORS)
        append(log, "further complaints are not shown");
}

void hci_fio_note(struct hci_fio_log *log, const char *file, int line, const char *fmt, ...)
{
    char text[HCI_FIO_NOTE_LEN];
    int n = 0;
    if (!log->notes)
        log->notes = calloc(HCI_FIO_MAX_NOTES, sizeof *log->notes);
    if (!log->notes || log->nnotes == HCI_FIO_MAX_NOTES)
        return;
    if (file)
        n = snprintf(text, 120, "%.100s:%d: ", file, line);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text + n, sizeof text - (size_t)n, fmt, ap);
    va_end(ap);
    for (unsigned i = 0; i < log->nnotes; i++)
        if (strcmp(log->notes[i], text) == 0)
            return;
    strcpy(log->notes[log->nnotes++], text);
}

void hci_fio_log_free(struct hci_fio_log *log)
{
    free(log->errors);
    free(log->notes);
}

const char *hci_fio_printable(const char *s, char buf[64])
{
    size_t n = 0;
    for (; s[n] && n < 60; n++)
        buf[n] = (unsigned char)s[n] < 32 || s[n] == 127 ? '?' : s[n];
    while (s[n] && n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80) /* keep UTF-8 whole */
        n--;
    buf[n] = '\0';
    return buf;
}
