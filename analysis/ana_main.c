/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_main.c: the hcisim command: finds the verb and hands over.
 */
#include "ana_cli.h"
#include "ana_verbs.h"
#include "ana_version.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct verb {
    const char *name;
    int (*main)(int argc, char **argv);
    const char *help;
};

static const struct verb verbs[] = {
#define X(name, function, help) { name, function, help },
    ANA_VERBS(X)
#undef X
};

#define VERBS (sizeof verbs / sizeof verbs[0])

static void print_help(FILE *f)
{
    fputs("usage: hcisim VERB [OPTION...] [ARGUMENT...]\n"
          "Predicts IOPS, latency distributions and the bottleneck of hyper-converged storage\n"
          "from a layout file and a fio job file.\n\n",
          f);
    for (size_t i = 0; i < VERBS; i++)
        fprintf(f, "  %-10s %s\n", verbs[i].name, verbs[i].help);
    fputs("\n'hcisim VERB --help' shows a verb's options; 'hcisim --version' the version.\n"
          "Exit status: 0 done; 1 the answer is no; 2 bad usage or input;\n"
          "3 could not read or write; 130 interrupted.\n",
          f);
}

static const struct verb *find_verb(const char *name)
{
    for (size_t i = 0; i < VERBS; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return NULL;
}

static int unknown_verb(const char *name)
{
    struct sim_err e;
    const char *names[VERBS];
    for (size_t i = 0; i < VERBS; i++)
        names[i] = verbs[i].name;
    const char *near = ana_nearest(name, names, VERBS);
    sim_fail(&e, SIM_E_INPUT, "no verb '%.64s'%s%s", name,
             near ? "; nearest: " : "; 'hcisim --help' lists them", near ? near : "");
    e.file[0] = '\0';
    return ana_err_print(stderr, &e);
}

static int run_verb(const struct verb *v, int argc, char **argv)
{
    char title[64];
    snprintf(title, sizeof title, "hcisim %s", v->name);
    argv[0] = title; /* what argp calls the program in --help and --usage */
    return v->main(argc, argv);
}

int ana_help_main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        print_help(stdout);
        return SIM_OK;
    }
    const struct verb *v = find_verb(argv[1]);
    if (!v)
        return unknown_verb(argv[1]);
    if (v->main == ana_help_main) {
        print_help(stdout);
        return SIM_OK;
    }
    char help[] = "--help", name[64];
    snprintf(name, sizeof name, "%s", v->name);
    char *words[] = { name, help, NULL };
    return run_verb(v, 2, words);
}

/* What argp calls for --version of every verb. */
static void print_version(FILE *f, struct argp_state *state)
{
    (void)state;
    fprintf(f, "hcisim %s (%s)\n", ana_version(), ana_revision());
}

/* A result that did not reach its file is no result, however it was printed. */
static void close_stdout(void)
{
    int bad = ferror(stdout);
    errno = 0; /* an earlier failure's reason is lost by now */
    if (fclose(stdout) == 0 && !bad)
        return;
    fprintf(stderr, "hcisim: standard output: %s\n", errno ? strerror(errno) : "cannot be written");
    _exit(SIM_E_IO);
}

/* A verb that ends so has said itself what is wrong with standard output. */
static int ended(int rc)
{
    if (rc == SIM_E_IO && ferror(stdout) && !freopen("/dev/null", "w", stdout))
        _exit(rc);
    return rc;
}

int main(int argc, char **argv)
{
    argp_err_exit_status = SIM_E_INPUT;
    argp_program_version_hook = print_version;
    if (atexit(close_stdout) != 0)
        return SIM_E_IO;
    if (argc < 2) {
        print_help(stderr);
        return SIM_E_INPUT;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "-?") == 0) {
        print_help(stdout);
        return SIM_OK;
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        print_version(stdout, NULL);
        return SIM_OK;
    }
    const struct verb *v = find_verb(word);
    return v ? ended(run_verb(v, argc - 1, argv + 1)) : unknown_verb(word);
}
