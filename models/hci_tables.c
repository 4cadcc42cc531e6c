/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hci_tables.h"

#include "sim_assert.h"
#include "sim_err.h"
#include "sim_mem.h"
#include "sim_rng.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 1024

struct entry {
    struct entry *next;
    uint64_t key;
    double from[HCI_TABLE_ARGS];
    struct sim_dist table;
};

struct hci_tables {
    pthread_mutex_t lock;
    unsigned n;
    struct entry *bucket[BUCKETS];
};

struct hci_tables *hci_tables_create(void)
{
    struct hci_tables *t = calloc(1, sizeof *t);
    if (!t)
        sim_out_of_memory(sizeof *t);
    pthread_mutex_init(&t->lock, NULL);
    return t;
}

void hci_tables_free(struct hci_tables *t)
{
    for (unsigned i = 0; t && i < BUCKETS; i++)
        while (t->bucket[i]) {
            struct entry *e = t->bucket[i];
            t->bucket[i] = e->next;
            free(e);
        }
    if (t)
        pthread_mutex_destroy(&t->lock);
    free(t);
}

void hci_table_make(struct sim_dist *d, const char *role, const double from[HCI_TABLE_ARGS])
{
    double median = from[0], sigma = from[1], weight = from[2], tail = from[3];
    int status = sigma < 0     ? sim_dist_exponential(d, role, median)
                 : median <= 0 ? sim_dist_constant(d, role, 0)
                 : weight > 0  ? sim_dist_mixture(d, role, 0, median, sigma, weight,
                                                  tail > 0 ? tail : median, from[4])
                               : sim_dist_lognormal(d, role, 0, median, sigma);
    sim_assert(status == SIM_OK);
}

static uint64_t key_of(const char *role, const double from[HCI_TABLE_ARGS])
{
    uint64_t key = sim_role(role), bits;
    for (unsigned i = 0; i < HCI_TABLE_ARGS; i++) {
        memcpy(&bits, &from[i], sizeof bits);
        key = sim_key(key, bits);
    }
    return key;
}

/* Under the lock. */
static struct entry *find(const struct hci_tables *t, uint64_t key,
                          const double from[HCI_TABLE_ARGS])
{
    struct entry *e = t->bucket[key % BUCKETS];
    while (e && (e->key != key || memcmp(e->from, from, sizeof e->from) != 0))
        e = e->next;
    return e;
}

const struct sim_dist *hci_tables_get(struct hci_tables *t, const char *role,
                                      const double from[HCI_TABLE_ARGS])
{
    if (!t)
        return NULL;
    uint64_t key = key_of(role, from);
    pthread_mutex_lock(&t->lock);
    struct entry *e = find(t, key, from);
    if (!e && t->n < HCI_TABLES_MAX && (e = malloc(sizeof *e))) {
        e->key = key;
        memcpy(e->from, from, sizeof e->from);
        hci_table_make(&e->table, role, from);
        e->next = t->bucket[key % BUCKETS];
        t->bucket[key % BUCKETS] = e;
        t->n++;
    }
    pthread_mutex_unlock(&t->lock);
    return e ? &e->table : NULL;
}
