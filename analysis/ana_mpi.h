/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_mpi.h: a sweep on many machines.
 *
 * Rank 0 hands points out one by one, writes the journal and works too; the
 * other ranks ask, simulate and send the packed point back with the next
 * question. Only built where MPI is there (HCISIM_MPI); nothing of MPI is
 * touched unless a launcher started the program.
 * Not here: a rank that dies takes the job with it, as MPI has it; the journal
 * stays for --resume.
 */
#ifndef ANA_MPI_H
#define ANA_MPI_H

#include "ana_sweep_work.h"

/* Whether a launcher of MPI (mpirun, srun with PMI) started this process. */
bool ana_mpi_wanted(void);

/* Joins; sets rank and size. SIM_OK or SIM_E_IO. */
int ana_mpi_start(int *rank, int *size, struct sim_err *e);
void ana_mpi_stop(void);

/* Every rank gets the worst of all statuses. */
int ana_mpi_worst(int status);

/* Rank 0: serves the others until each has been told to stop. */
void ana_mpi_lead(struct ana_crew *c, int size);

/* The others: simulate until told to stop. SIM_OK or the failure that was sent
 * to rank 0. */
int ana_mpi_follow(struct ana_subject *s);

#endif
