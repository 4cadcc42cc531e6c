/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mva.h: exact mean-value analysis of a closed network with one class, a think
 * time and stations of one or several servers (Reiser and Lavenberg 1980).
 * Exact for exponential FIFO stations; the think time may have any distribution.
 */
#ifndef TESTS_THEORY_MVA_H
#define TESTS_THEORY_MVA_H

#include <math.h>

#define MVA_STATIONS 8
#define MVA_CUSTOMERS 64

struct mva {
    unsigned stations;
    unsigned servers[MVA_STATIONS];
    double demand[MVA_STATIONS]; /* time at the station for one turn, all visits */
    double think;
    /* results for the population last solved */
    double rate, time;                    /* turns per unit of time; time of one turn, without thinking */
    double queue[MVA_STATIONS];           /* mean number present */
    double p[MVA_STATIONS][MVA_CUSTOMERS + 1]; /* of j present */
};

/* One more customer: residence times from the state with one fewer. */
static inline double mva_residence(const struct mva *m, unsigned i, unsigned n)
{
    unsigned c = m->servers[i];
    double sum = 0;
    if (c == 1)
        return m->demand[i] * (1 + m->queue[i]);
    for (unsigned j = 1; j <= n; j++)
        sum += j / (double)(j < c ? j : c) * m->p[i][j - 1];
    return m->demand[i] * sum;
}

static inline void mva_marginals(struct mva *m, unsigned i, unsigned n)
{
    unsigned c = m->servers[i];
    double rest = 1;
    for (unsigned j = n; j >= 1; j--) {
        m->p[i][j] = m->rate * m->demand[i] / (j < c ? j : c) * m->p[i][j - 1];
        rest -= m->p[i][j];
    }
    m->p[i][0] = fmax(rest, 0);
}

static inline void mva_solve(struct mva *m, unsigned customers)
{
    double residence[MVA_STATIONS];
    for (unsigned i = 0; i < m->stations; i++) {
        m->queue[i] = 0;
        for (unsigned j = 0; j <= MVA_CUSTOMERS; j++)
            m->p[i][j] = j == 0;
    }
    for (unsigned n = 1; n <= customers; n++) {
        m->time = 0;
        for (unsigned i = 0; i < m->stations; i++)
            m->time += residence[i] = mva_residence(m, i, n);
        m->rate = n / (m->think + m->time);
        for (unsigned i = 0; i < m->stations; i++) {
            m->queue[i] = m->rate * residence[i];
            mva_marginals(m, i, n);
        }
    }
}

#endif
