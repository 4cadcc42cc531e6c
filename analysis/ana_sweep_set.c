/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_sweep_set.c: named sets of catalogue devices.
 */
#include "ana_sweep_axis.h"

#include "ana_cli.h"
#include "hci_kind.h"
#include "hci_layout.h"

#include <string.h>

static const char *const words[] = {
    "all", "plp", "enterprise", "nvme", "sata", "sas", "usb",
#define X(n) #n,
    HCI_DEVICE_KINDS(X)
#undef X
};
#define NWORDS (sizeof words / sizeof words[0])

static int check_word(const char *word, struct sim_err *e)
{
    for (unsigned i = 0; i < NWORDS; i++)
        if (strcmp(words[i], word) == 0)
            return SIM_OK;
    const char *near = ana_nearest(word, words, NWORDS);
    return sim_fail(e, SIM_E_INPUT, "no device set @%.40s; nearest: @%s", word,
                    near ? near : words[0]);
}

static bool matches(const struct hci_device_conf *d, const char *word)
{
    static const char *const ifaces[] = { "nvme", "sata", "sas", "usb" }; /* enum hci_iface */
    const struct hci_device_common *c = &d->common;
    if (strcmp(word, "all") == 0)
        return true;
    if (strcmp(word, "plp") == 0)
        return c->plp;
    if (strcmp(word, "enterprise") == 0)
        return c->enterprise;
    return strcmp(word, d->ops->k.name) == 0 || (c->iface < 4 && strcmp(word, ifaces[c->iface]) == 0);
}

/* Every word of the set must fit. */
static bool selected(const struct hci_device_conf *d, char *const *word, unsigned n)
{
    bool ideal = strcmp(d->ops->k.name, "ideal") == 0;
    for (unsigned i = 0; i < n; i++) {
        if (!matches(d, word[i]))
            return false;
        ideal &= strcmp(word[i], "ideal") != 0 && strcmp(word[i], "all") != 0;
    }
    return !ideal; /* test devices come only when asked for */
}

int ana_device_set(const char *const **names, unsigned *n, const char *set, const char *dir,
                   struct sim_arena *a, struct sim_err *e)
{
    const char *const *all;
    char *word[8], *save, *copy = sim_arena_strdup(a, set);
    unsigned nwords = 0, have = 0;
    for (char *w = strtok_r(copy, "+", &save); w && nwords < 8; w = strtok_r(NULL, "+", &save)) {
        if (check_word(w, e) != SIM_OK)
            return SIM_E_INPUT;
        word[nwords++] = w;
    }
    int rc = hci_catalogue_list(&all, dir, a, e);
    if (rc != SIM_OK)
        return rc;
    while (all[have])
        have++;
    const char **out = sim_arena_array(a, have + 1, sizeof *out);
    *n = 0;
    for (unsigned i = 0; i < have; i++) {
        struct hci_device_conf d = { 0 };
        if ((rc = hci_catalogue_device(&d, dir, all[i], NULL, NULL, a, e)) != SIM_OK)
            return rc;
        if (nwords && selected(&d, word, nwords))
            out[(*n)++] = all[i];
    }
    *names = out;
    return *n ? SIM_OK : sim_fail(e, SIM_E_INPUT, "device set @%.60s: no device is in it", set);
}
