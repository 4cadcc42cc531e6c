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
