/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "ana_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_all(int fd, const char *at, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, at, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return errno;
        at += done;
        n -= (size_t)done;
    }
    return 0;
}

static int write_in_place(const char *path, const void *data, size_t n)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    int why = write_all(fd, data, n);
    if (close(fd) != 0 && !why)
        why = errno;
    return why;
}

/* open() rather than mkstemp(): the file gets the mode the user's umask asks for. */
static int open_beside(const char *path, char **name)
{
    for (int i = 0; i < 100; i++) {
        if (asprintf(name, "%s.tmp-%ld-%d", path, (long)getpid(), i) < 0) {
            *name = NULL;
            errno = ENOMEM;
            return -1;
        }
        int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            return fd;
        int why = errno;
        free(*name);
        *name = NULL;
        errno = why;
        if (why != EEXIST)
            return -1;
    }
    return -1;
}

static int write_and_rename(const char *path, const void *data, size_t n)
{
    char *name;
    int fd = open_beside(path, &name);
    if (fd < 0)
        return errno;
    int why = write_all(fd, data, n);
    if (!why && fsync(fd) != 0)
        why = errno;
    if (close(fd) != 0 && !why)
        why = errno;
    if (!why && rename(name, path) != 0)
        why = errno;
    if (why)
        unlink(name);
    free(name);
    return why;
}

int ana_file_replace(const char *path, const void *data, size_t n, struct sim_err *e)
{
    struct stat st;
    bool exists = stat(path, &st) == 0;
    int why;
    if (exists && S_ISDIR(st.st_mode)) {
        why = EISDIR;
    } else if (exists && !S_ISREG(st.st_mode)) {
        why = write_in_place(path, data, n);
    } else {
        char *real = exists ? realpath(path, NULL) : NULL;
        why = write_and_rename(real ? real : path, data, n);
        free(real);
    }
    if (why)
        return sim_fail_at(e, SIM_E_IO, path, 0, "cannot write: %s", strerror(why));
    return SIM_OK;
}

/* Where path leads: 1 a regular file or nothing yet, 0 something else. */
static int is_replaceable(const char *path)
{
    struct stat st;
    return stat(path, &st) != 0 || S_ISREG(st.st_mode);
}

int ana_file_begin(const char *path, char **tmp, struct sim_err *e)
{
    char *real = realpath(path, NULL), elsewhere[1024];
    const char *dir = getenv("TMPDIR"), *beside = real ? real : path;
    if (!is_replaceable(path)) {
        snprintf(elsewhere, sizeof elsewhere, "%.900s/hcisim", dir && *dir ? dir : "/tmp");
        beside = elsewhere;
    }
    int fd = open_beside(beside, tmp);
    free(real);
    if (fd < 0)
        return sim_fail_at(e, SIM_E_IO, path, 0, "cannot write: %s", strerror(errno));
    close(fd);
    return SIM_OK;
}

static int copy_into(const char *path, int from)
{
    static const size_t block = 1 << 16;
    int to = open(path, O_WRONLY | O_CLOEXEC), why = to < 0 ? errno : 0;
    char *buf = malloc(block);
    if (!buf)
        why = ENOMEM;
    while (!why) {
        ssize_t n = read(from, buf, block);
        if (n <= 0) {
            why = n < 0 ? errno : 0;
            break;
        }
        why = write_all(to, buf, (size_t)n);
    }
    free(buf);
    if (to >= 0 && close(to) != 0 && !why)
        why = errno;
    return why;
}

int ana_file_commit(const char *path, const char *tmp, struct sim_err *e)
{
    char *real = realpath(path, NULL);
    int fd = open(tmp, O_RDONLY | O_CLOEXEC), why = fd < 0 ? errno : 0;
    if (!why && !is_replaceable(path))
        why = copy_into(path, fd);
    else if (!why && (fsync(fd) != 0 || rename(tmp, real ? real : path) != 0))
        why = errno;
    if (fd >= 0)
        close(fd);
    free(real);
    unlink(tmp);
    return why ? sim_fail_at(e, SIM_E_IO, path, 0, "cannot write: %s", strerror(why)) : SIM_OK;
}

void ana_file_abandon(const char *tmp)
{
    unlink(tmp);
}
