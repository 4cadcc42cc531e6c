/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_cmdhelp.h"

#include "ana_cli.h"
#include "workload/fio_options.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

enum key { KEY_MARKDOWN = 256 };

struct input {
    const char *option;
    bool markdown;
    struct sim_err *err;
};

static const struct argp_option options[] = {
    { "markdown", KEY_MARKDOWN, NULL, 0, "print the whole table as docs/fio-options.md", 0 },
    { 0 },
};

static const char *verdict(const struct hci_fio_option *row)
{
    static const char *const words[] = {
        [HCI_FIO_HONOUR] = "honoured",          [HCI_FIO_ACCEPT] = "accepted, no effect",
        [HCI_FIO_NOTE] = "accepted with a note",
        [HCI_FIO_REFUSE] = "refused",
    };
    return words[row->verdict];
}

static const char *type_of(const struct hci_fio_option *row)
{
    static const char *const words[] = {
        [HCI_FIO_BOOL] = "0 or 1",
        [HCI_FIO_SET] = "nothing, or a number (0 is off)",
        [HCI_FIO_COUNT] = "number",
        [HCI_FIO_BYTES] = "bytes",
        [HCI_FIO_REGION] = "bytes or percent",
        [HCI_FIO_BYTES3] = "bytes: read,write,trim",
        [HCI_FIO_COUNT3] = "numbers: read,write,trim",
        [HCI_FIO_WORD] = "word",
        [HCI_FIO_TEXT] = "text",
        [HCI_FIO_OPTTEXT] = "text or nothing",
        [HCI_FIO_FLOATS] = "numbers a:b:c",
        [HCI_FIO_RULE] = "see the description",
    };
    if (row->type == HCI_FIO_TIME)
        return row->unit == SIM_S ? "time, in s unless a unit follows"
                                  : "time, in us unless a unit follows";
    return words[row->type];
}

static void print_words(FILE *f, const struct hci_fio_option *row)
{
    for (const struct hci_fio_word *w = row->words; w && w->word; w++)
        fprintf(f, "%s%s", w == row->words ? "" : " ", w->word);
}

/* Is the row's range one worth printing? */
static bool ranged(const struct hci_fio_option *row)
{
    bool number = row->type == HCI_FIO_COUNT || row->type == HCI_FIO_COUNT3 ||
                  row->type == HCI_FIO_BYTES3;
    return number && (row->min != 0 || row->max < UINT32_MAX);
}

static void print_one(FILE *f, const struct hci_fio_option *row)
{
    fprintf(f, "%20s: %s\n", row->name, row->help);
    if (row->aliases)
        fprintf(f, "%20s: %s\n", "alias", row->aliases);
    fprintf(f, "%20s: %s\n", "type", type_of(row));
    if (row->words) {
        fprintf(f, "%20s: ", "valid values");
        print_words(f, row);
        fputc('\n', f);
    }
    if (ranged(row))
        fprintf(f, "%20s: %" PRId64 " to %" PRId64 "\n", "range", row->min, row->max);
    fprintf(f, "%20s: %s\n", "default", row->def ? row->def : "none");
    if (row->engines)
        fprintf(f, "%20s: %s\n", "only with ioengine", row->engines);
    fprintf(f, "%20s: %s%s%s\n", "in hcisim", verdict(row), row->why ? ": " : "",
            row->why ? row->why : "");
}

static void print_list(FILE *f)
{
    const struct hci_fio_option *row;
    for (unsigned i = 0; (row = hci_fio_option_row(i)); i++)
        fprintf(f, "%-28s %s%s%s%s\n", row->name, row->help,
                row->verdict > HCI_FIO_ACCEPT ? " (" : "",
                row->verdict > HCI_FIO_ACCEPT ? verdict(row) : "",
                row->verdict > HCI_FIO_ACCEPT ? ")" : "");
}

static unsigned count(int wanted)
{
    const struct hci_fio_option *row;
    unsigned n = 0;
    for (unsigned i = 0; (row = hci_fio_option_row(i)); i++)
        n += row->verdict == wanted;
    return n;
}

/* Text for a table cell: bars would end it. */
static void print_cell(FILE *f, const char *s)
{
    for (; *s; s++)
        fprintf(f, "%s%c", *s == '|' ? "\\" : "", *s);
}

static void print_row(FILE *f, const struct hci_fio_option *row)
{
    fprintf(f, "| `%s`", row->name);
    if (row->aliases)
        fprintf(f, ", `%s`", row->aliases);
    fputs(" | ", f);
    if (row->words)
        print_words(f, row);
    else
        print_cell(f, type_of(row));
    fprintf(f, " | %s | %s | ", row->def ? row->def : "", verdict(row));
    print_cell(f, row->help);
    if (row->why)
        fprintf(f, ": %s", row->why);
    if (row->engines)
        fprintf(f, " (ioengine %s)", row->engines);
    fputs(" |\n", f);
}

static void print_markdown(FILE *f)
{
    const struct hci_fio_option *row;
    fprintf(f,
            "# Options of job files\n\n"
            "Written by `hcisim cmdhelp --markdown` from the program's own table; change the table, "
            "not this page.\n"
            "How values are written and what differs from fio: [fio.md](fio.md).\n\n"
            "| verdict | options | meaning |\n|---|---|---|\n"
            "| honoured | %u | the simulation does what fio does |\n"
            "| accepted, no effect | %u | the value is checked; it cannot matter to simulated "
            "storage |\n"
            "| accepted with a note | %u | one note per run says what is not modelled |\n"
            "| refused | %u | an error with the reason, or a note with `--lenient` |\n\n"
            "| option | value | default | in hcisim | description |\n|---|---|---|---|---|\n",
            count(HCI_FIO_HONOUR), count(HCI_FIO_ACCEPT), count(HCI_FIO_NOTE),
            count(HCI_FIO_REFUSE));
    for (unsigned i = 0; (row = hci_fio_option_row(i)); i++)
        print_row(f, row);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *in = state->input;
    switch (key) {
    case KEY_MARKDOWN: in->markdown = true; return 0;
    case ARGP_KEY_ARG:
        if (in->option) {
            sim_fail(in->err, SIM_E_INPUT, "cmdhelp takes one option, '%.100s' is one too many",
                     arg);
            return EINVAL;
        }
        in->option = arg;
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static int show(const struct input *in, struct sim_err *e)
{
    if (in->markdown) {
        print_markdown(stdout);
    } else if (in->option && strcmp(in->option, "all") != 0) {
        const struct hci_fio_option *row = hci_fio_option_find(in->option, NULL);
        const char *near = hci_fio_option_nearest(in->option);
        if (!row)
            return sim_fail(e, SIM_E_INPUT, "no job option '%.100s'%s%s", in->option,
                            near ? "; nearest: " : "", near ? near : "");
        print_one(stdout, row);
    } else {
        print_list(stdout);
    }
    return fflush(stdout) == 0 ? SIM_OK : sim_fail(e, SIM_E_IO, "cannot write the help");
}

int ana_cmdhelp_main(int argc, char **argv)
{
    static const struct argp argp = {
        options, parse, "[OPTION]",
        "Says what an option of job files means and what hcisim does with it; without OPTION, "
        "one line about each.",
        NULL, NULL, NULL
    };
    struct sim_err e = { 0 };
    struct input in = { .err = &e };
    int rc = ana_parse(&argp, argc, argv, &in, &e);
    if (rc == SIM_OK)
        rc = show(&in, &e);
    return rc == SIM_OK ? SIM_OK : ana_err_print(stderr, &e);
}
