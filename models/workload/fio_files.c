/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_files.h"
#include "fio_iolog.h"
#include "sim_rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 4096

static bool grow(struct hci_fio_files *all)
{
    if (all->nfiles == all->nfiles_max) {
        unsigned max = all->nfiles_max ? 2 * all->nfiles_max : 16;
        struct hci_file *p = realloc(all->files, max * sizeof *p);
        if (!p)
            return false;
        all->files = p;
        all->nfiles_max = max;
    }
    if (2 * (all->nfiles + 1) <= all->nslots)
        return true;
    unsigned n = all->nslots ? 2 * all->nslots : 64;
    unsigned *slots = calloc(n, sizeof *slots);
    if (!slots)
        return false;
    for (unsigned i = 0; i < all->nfiles; i++) {
        unsigned at = (unsigned)sim_role(all->files[i].name) & (n - 1);
        while (slots[at])
            at = (at + 1) & (n - 1);
        slots[at] = i + 1;
    }
    free(all->slots);
    all->slots = slots;
    all->nslots = n;
    return true;
}

/* Index of the file called name, which is added when new; HCI_FILES_MAX when
 * there are too many. */
unsigned hci_fio_files_intern(struct hci_fio_files *all, struct hci_fio_pool *pool,
                              const char *name)
{
    if (!grow(all))
        return HCI_FILES_MAX;
    unsigned at = (unsigned)sim_role(name) & (all->nslots - 1);
    for (; all->slots[at]; at = (at + 1) & (all->nslots - 1))
        if (strcmp(all->files[all->slots[at] - 1].name, name) == 0)
            return all->slots[at] - 1;
    if (all->nfiles >= HCI_FILES_MAX)
        return HCI_FILES_MAX;
    char *copy = hci_fio_strdup(pool, name);
    if (!copy)
        return HCI_FILES_MAX;
    all->files[all->nfiles] = (struct hci_file){ .name = copy };
    all->slots[at] = ++all->nfiles;
    return all->nfiles - 1;
}

/* Takes the next of a colon-separated list of names; "\:" is a colon. False at
 * the end. */
static bool next_name(const char **list, char *out, size_t size)
{
    const char *p = *list;
    size_t n = 0;
    if (!*p)
        return false;
    for (; *p && *p != ':'; p++) {
        if (*p == '\\' && p[1] == ':')
            p++;
        if (n + 1 < size)
            out[n++] = *p;
    }
    out[n] = '\0';
    *list = *p ? p + 1 : p;
    return true;
}

/* The clone's directory with a slash, or nothing. */
static void directory_of(const struct hci_fio_conf *conf, unsigned clone, char *out, size_t size)
{
    unsigned count = 0, i = 0;
    const char *p = conf->directory;
    *out = '\0';
    if (!p)
        return;
    while (next_name(&p, out, size))
        count++;
    p = conf->directory;
    while (count && next_name(&p, out, size) && i < clone % count)
        i++;
    size_t n = strlen(out);
    if (n && out[n - 1] != '/' && n + 1 < size)
        strcpy(out + n, "/");
}

static void append(char *out, size_t *n, size_t size, const char *s)
{
    for (; *s && *n + 1 < size; s++)
        out[(*n)++] = *s;
    out[*n] = '\0';
}

/* filename_format with its keywords put in. */
static void format_name(const char *format, const char *job, unsigned clone, unsigned file,
                        char *out, size_t size)
{
    char numbers[2][16];
    const struct {
        const char *key, *value;
    } keys[] = { { "$jobname", job },
                 { "$jobnum", numbers[0] },
                 { "$filenum", numbers[1] },
                 { "$clientuid", "localhost" } };
    size_t n = 0;
    snprintf(numbers[0], sizeof numbers[0], "%u", clone);
    snprintf(numbers[1], sizeof numbers[1], "%u", file);
    *out = '\0';
    while (*format) {
        char one[2] = { *format, '\0' };
        const char *value = one;
        size_t len = 1;
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
            if (strncmp(format, keys[k].key, strlen(keys[k].key)) == 0) {
                value = keys[k].value;
                len = strlen(keys[k].key);
            }
        append(out, &n, size, value);
        format += len;
    }
}

static unsigned count_names(const struct hci_fio_conf *conf)
{
    char name[NAME_MAX_BYTES];
    unsigned n = 0;
    if (!conf->filename)
        return conf->nrfiles;
    for (const char *p = conf->filename; next_name(&p, name, sizeof name);)
        n += *name != '\0';
    return n;
}

/* Raises the file's size to what this clone asks for. */
static void size_file(struct hci_file *f, const struct hci_fio_conf *conf,
                      const struct hci_job *job)
{
    uint64_t bytes = conf->filesize_min, range = conf->filesize_max - conf->filesize_min;
    if (range) {
        bytes += sim_below(sim_key(sim_role(f->name), job->randseed), range + 1);
        bytes -= bytes > job->bs_min[0] ? bytes % job->bs_min[0] : 0;
        bytes = sim_max(bytes, conf->filesize_min);
    }
    f->bytes = sim_max(f->bytes, bytes);
    uint64_t size = job->size ? job->size : job->io_size;
    f->fills |= job->fill_device;
    if (!size)
        return;
    unsigned __int128 end = (unsigned __int128)job->offset_increment * job->clone + job->offset +
                            size / job->nfiles + (size % job->nfiles != 0);
    f->need = sim_max(f->need, end > UINT64_MAX ? UINT64_MAX : (uint64_t)end);
}

/* Where the clone's files end before it appends to them, and where they end then.
 * Clones that share files all start at the same end. */
static bool append_files(struct hci_fio_files *all, struct hci_fio_setting *s, struct hci_job *job,
                         bool shared)
{
    if (shared) {
        job->append_at = job[-1].append_at;
        return true;
    }
    uint64_t *at = hci_fio_alloc(s->pool, job->nfiles * sizeof *at);
    for (unsigned i = 0; at && i < job->nfiles; i++) {
        struct hci_file *f = &all->files[job->files[i]];
        at[i] = sim_min(sim_max(f->bytes, f->need), INT64_MAX); /* as size is: no overflow */
        f->need = at[i] + job->size / job->nfiles;
    }
    job->append_at = at;
    return at != NULL;
}

static bool fill(struct hci_fio_files *all, struct hci_fio_setting *s, struct hci_job *job,
                 const char *section_name, unsigned *list)
{
    const struct hci_fio_conf *conf = s->conf;
    char name[NAME_MAX_BYTES];
    const char *p = conf->filename;
    directory_of(conf, job->clone, name, NAME_MAX_BYTES / 2);
    size_t dir = strlen(name);
    for (unsigned i = 0; i < job->nfiles;) {
        if (!p)
            format_name(conf->filename_format, section_name, job->clone, i, name + dir,
                        sizeof name - dir);
        else if (!next_name(&p, name + dir, sizeof name - dir))
            break;
        if (p && !name[dir])
            continue;
        list[i] = hci_fio_files_intern(all, s->pool, name);
        if (list[i++] == HCI_FILES_MAX) {
            hci_fio_error(s->log, s->file, s->line, "job %s: more than %d files in all",
                          job->name, HCI_FILES_MAX);
            return false;
        }
    }
    return true;
}

bool hci_fio_files_assign(struct hci_fio_files *all, struct hci_fio_setting *s,
                          struct hci_job *job, const char *section_name,
                          const unsigned **shared)
{
    const struct hci_fio_conf *conf = s->conf;
    if (job->read_iolog)
        return hci_fio_iolog_assign(all, s, job);
    job->nfiles = count_names(conf);
    if (!job->nfiles || job->nfiles > HCI_FILES_MAX) {
        hci_fio_error(s->log, s->file, s->line, "job %s: %s files", job->name,
                      job->nfiles ? "too many" : "no");
        return false;
    }
    bool own = (!conf->filename && strstr(conf->filename_format, "$jobnum")) ||
               (conf->directory && strchr(conf->directory, ':'));
    if (own || !*shared) {
        unsigned *list = hci_fio_alloc(s->pool, job->nfiles * sizeof *list);
        if (!list || !fill(all, s, job, section_name, list))
            return false;
        *shared = list;
    }
    job->files = *shared;
    if (job->file_append)
        return append_files(all, s, job, job->clone > 0 && !own);
    for (unsigned i = 0; i < job->nfiles; i++)
        size_file(&all->files[job->files[i]], conf, job);
    return true;
}

void hci_fio_files_free(struct hci_fio_files *all)
{
    free(all->files);
    free(all->slots);
}
