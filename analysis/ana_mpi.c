/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ana_mpi.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_ASK = 1, TAG_POINT = 2 };
enum { ASK_FIRST, ASK_DONE, ASK_FAILED }; /* first word of a question */
#define WORDS (2 + ANA_AXES_MAX)           /* of an answer: more?, number, indices */

struct question { /* then come the packed point or the error's text */
    uint64_t kind, number;
};

bool ana_mpi_wanted(void)
{
    static const char *const names[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK" };
    for (unsigned i = 0; i < 3; i++)
        if (getenv(names[i]))
            return true;
    return false;
}

int ana_mpi_start(int *rank, int *size, struct sim_err *e)
{
    int level;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS ||
        level < MPI_THREAD_FUNNELED || MPI_Comm_rank(MPI_COMM_WORLD, rank) != MPI_SUCCESS ||
        MPI_Comm_size(MPI_COMM_WORLD, size) != MPI_SUCCESS)
        return sim_fail(e, SIM_E_IO, "cannot start MPI");
    return SIM_OK;
}

void ana_mpi_stop(void)
{
    MPI_Finalize();
}

int ana_mpi_worst(int status)
{
    int worst = status;
    MPI_Allreduce(&status, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return worst;
}

static void take_in(struct ana_crew *c, const unsigned char *bytes, size_t n)
{
    struct question q;
    struct sim_err e = { .code = SIM_E_IO };
    memcpy(&q, bytes, sizeof q);
    if (q.kind == ASK_DONE) {
        ana_crew_give_packed(c, q.number, bytes + sizeof q, n - sizeof q);
    } else if (q.kind == ASK_FAILED) {
        memcpy(&e, bytes + sizeof q, n - sizeof q < sizeof e ? n - sizeof q : sizeof e);
        ana_crew_fail(c, (int)q.number, &e);
    }
}

/* False when that rank was told to stop. */
static bool answer(struct ana_crew *c, int rank)
{
    struct ana_point p = { 0 };
    uint64_t words[WORDS] = { 0 };
    words[0] = ana_crew_take(c, &p);
    words[1] = p.number;
    for (unsigned i = 0; i < ANA_AXES_MAX; i++)
        words[2 + i] = p.index[i];
    MPI_Send(words, WORDS, MPI_UINT64_T, rank, TAG_POINT, MPI_COMM_WORLD);
    return words[0] != 0;
}

void ana_mpi_lead(struct ana_crew *c, int size)
{
    static const struct timespec nap = { .tv_nsec = 200000 };
    unsigned char *buf = NULL;
    int room = 0, left = size - 1;
    while (left > 0) {
        MPI_Status st;
        int there = 0, n = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_ASK, MPI_COMM_WORLD, &there, &st);
        if (!there) { /* this rank's own worker needs the core */
            nanosleep(&nap, NULL);
            continue;
        }
        MPI_Get_count(&st, MPI_BYTE, &n);
        if (n > room) {
            free(buf);
            if (!(buf = malloc((size_t)n)))
                sim_out_of_memory((size_t)n);
            room = n;
        }
        MPI_Recv(buf, n, MPI_BYTE, st.MPI_SOURCE, TAG_ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        take_in(c, buf, (size_t)n);
        left -= !answer(c, st.MPI_SOURCE);
    }
    free(buf);
}

struct follower {
    struct ana_worker worker;
    struct ana_point point;
    unsigned char *packed, *message;
    size_t packed_bytes, message_bytes;
};

static void ask(struct follower *f, struct question q, const void *data, size_t n)
{
    if (sizeof q + n > f->message_bytes) {
        f->message_bytes = sizeof q + n;
        free(f->message);
        if (!(f->message = malloc(f->message_bytes)))
            sim_out_of_memory(f->message_bytes);
    }
    memcpy(f->message, &q, sizeof q);
    if (n)
        memcpy(f->message + sizeof q, data, n);
    MPI_Send(f->message, (int)(sizeof q + n), MPI_BYTE, 0, TAG_ASK, MPI_COMM_WORLD);
}

/* False when there is nothing more to do. */
static bool told(struct ana_point *p)
{
    uint64_t words[WORDS];
    MPI_Recv(words, WORDS, MPI_UINT64_T, 0, TAG_POINT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    p->number = words[1];
    for (unsigned i = 0; i < ANA_AXES_MAX; i++)
        p->index[i] = (unsigned)words[2 + i];
    return words[0] != 0;
}

int ana_mpi_follow(struct ana_subject *s)
{
    struct follower f = { .worker = { .subject = s } };
    struct sim_err e = { 0 };
    int rc = SIM_OK;
    ask(&f, (struct question){ ASK_FIRST, 0 }, NULL, 0);
    while (told(&f.point)) {
        if (rc == SIM_OK)
            rc = ana_worker_run(&f.worker, &f.point, &e);
        if (rc != SIM_OK) {
            ask(&f, (struct question){ ASK_FAILED, (uint64_t)rc }, &e, sizeof e);
            continue;
        }
        size_t n = ana_point_pack(&f.point, s->plan.space.naxes, &f.packed, &f.packed_bytes);
        ask(&f, (struct question){ ASK_DONE, f.point.number }, f.packed, n);
    }
    ana_point_fini(&f.point);
    ana_worker_fini(&f.worker);
    free(f.packed);
    free(f.message);
    return rc;
}
