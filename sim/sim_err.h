/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sim_err.h: what went wrong, said once.
 *
 * A function that can fail returns 0 or a negative-free code from enum
 * sim_code and fills the caller's struct sim_err; main prints it and exits
 * with the code's value. Nothing below main prints errors.
 * Invariant: text is one line without a trailing newline.
 */
#ifndef SIM_ERR_H
#define SIM_ERR_H

enum sim_code { /* the values are the exit statuses of the hcisim command */
    SIM_OK = 0,
    SIM_E_NO = 1,           /* the answer is no: layout refused, out of tolerance */
    SIM_E_INPUT = 2,        /* bad usage or input */
    SIM_E_IO = 3,           /* could not read or write */
    SIM_E_INTERRUPTED = 130 /* SIGINT */
};

struct sim_err {
    int code;        /* enum sim_code */
    int line;        /* 1-based line in file; 0: no line */
    char file[256];  /* as the user named it; empty: no file */
    char text[768];  /* what is wrong and, where there is one, the nearest valid name */
};

/* Fills *e (which may be NULL) and returns code, so `return sim_fail(...)`. */
int sim_fail(struct sim_err *e, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with a place. file may be NULL, line 0. */
int sim_fail_at(struct sim_err *e, int code, const char *file, int line, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

#endif
