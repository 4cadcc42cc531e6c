/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_output.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int failed(struct sim_err *e, const char *path, int why)
{
    return sim_fail_at(e, SIM_E_IO, path, 0, "cannot write: %s", strerror(why));
}

/* Makes and removes a file beside path: nothing else tells of quotas, mounts
 * that are read-only and names that are too long. Returns 0 or errno. */
static int try_beside(const char *path)
{
    char temp[PATH_MAX];
    int n = snprintf(temp, sizeof temp, "%s.XXXXXX", path);
    if (n < 0 || (size_t)n >= sizeof temp)
        return ENAMETOOLONG;
    int fd = mkstemp(temp);
    if (fd < 0)
        return errno;
    close(fd);
    unlink(temp);
    return 0;
}

int ana_output_try(const char *path, struct sim_err *e)
{
    struct stat st;
    if (!*path)
        return sim_fail(e, SIM_E_IO, "an output file needs a name");
    bool exists = stat(path, &st) == 0;
    if (exists && S_ISDIR(st.st_mode))
        return failed(e, path, EISDIR);
    if (exists && access(path, W_OK) != 0)
        return failed(e, path, errno);
    if (exists && !S_ISREG(st.st_mode))
        return SIM_OK;
    char *real = exists ? realpath(path, NULL) : NULL; /* a link is written where it leads */
    int why = try_beside(real ? real : path);
    free(real);
    return why ? failed(e, path, why) : SIM_OK;
}

/* The absolute name of a file that need not exist; false when its directory
 * does not. */
static bool full_name(const char *path, char out[PATH_MAX])
{
    char copy[PATH_MAX], dir[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    int n = snprintf(copy, sizeof copy, "%.*s", slash ? (int)(slash - path) + 1 : 1,
                     slash ? path : ".");
    if (n < 0 || (size_t)n >= sizeof copy || !realpath(copy, dir))
        return false;
    n = snprintf(out, PATH_MAX, "%s/%s", dir, base);
    return n > 0 && n < PATH_MAX;
}

int ana_output_same(const char *a, const char *b)
{
    struct stat sa, sb;
    char fa[PATH_MAX], fb[PATH_MAX];
    if (strcmp(a, b) == 0)
        return 1;
    bool has_a = stat(a, &sa) == 0, has_b = stat(b, &sb) == 0;
    if (has_a != has_b)
        return 0;
    if (has_a)
        return sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
    return full_name(a, fa) && full_name(b, fb) && strcmp(fa, fb) == 0;
}
