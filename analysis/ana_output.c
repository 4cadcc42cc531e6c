/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".XXXXXX"
#define PATH_LIMIT 4096

static int failed(struct sim_err *e, const char *path)
{
    return sim_fail_at(e, SIM_E_IO, path, 0, "cannot write: %s", strerror(errno));
}

/* Opens a new file beside path and leaves its name in temp. -1: see errno. */
static int open_temp(const char *path, char temp[PATH_LIMIT])
{
    int n = snprintf(temp, PATH_LIMIT, "%s%s", path, SUFFIX);
    if (n >= PATH_LIMIT) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return mkstemp(temp);
}

int ana_output_try(const char *path, struct sim_err *e)
{
    struct stat st;
    char temp[PATH_LIMIT];
    bool exists = stat(path, &st) == 0;
    if (!*path)
        return sim_fail(e, SIM_E_IO, "an output file needs a name");
    if (exists && S_ISDIR(st.st_mode))
        return sim_fail_at(e, SIM_E_IO, path, 0, "cannot write: is a directory");
    if (exists && access(path, W_OK) != 0)
        return failed(e, path);
    if (exists && !S_ISREG(st.st_mode))
        return SIM_OK;
    int fd = open_temp(path, temp); /* only trying tells: quotas, read-only mounts, names too long */
    if (fd < 0)
        return failed(e, path);
    close(fd);
    unlink(temp);
    return SIM_OK;
}

static int write_all(int fd, const char *data, size_t n)
{
    while (n > 0) {
        ssize_t done = write(fd, data, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return -1;
        data += done;
        n -= (size_t)done;
    }
    return 0;
}

static int write_direct(const char *path, const void *data, size_t n, struct sim_err *e)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return failed(e, path);
    int rc = write_all(fd, data, n) == 0 ? SIM_OK : failed(e, path);
    if (close(fd) != 0 && rc == SIM_OK)
        rc = failed(e, path);
    return rc;
}

/* mkstemp makes private files; results get the mode any new file would. */
static void usual_mode(int fd)
{
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(fd, 0666 & ~mask) != 0)
        return; /* a private result is still a result */
}

int ana_output_write(const char *path, const void *data, size_t n, struct sim_err *e)
{
    struct stat st;
    char temp[PATH_LIMIT];
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return write_direct(path, data, n, e);
    int fd = open_temp(path, temp);
    if (fd < 0)
        return failed(e, path);
    usual_mode(fd);
    bool good = write_all(fd, data, n) == 0 && fsync(fd) == 0;
    int why = errno;
    if (close(fd) != 0 && good) {
        good = false;
        why = errno;
    }
    if (good && rename(temp, path) == 0)
        return SIM_OK;
    if (good)
        why = errno;
    unlink(temp);
    errno = why;
    return failed(e, path);
}

int ana_output_same(const char *a, const char *b)
{
    struct stat sa, sb;
    if (strcmp(a, b) == 0)
        return 1;
    return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
           sa.st_ino == sb.st_ino;
}
