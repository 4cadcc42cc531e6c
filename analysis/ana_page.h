/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_page.h: one HTML page with charts in it.
 *
 * The page is written to memory in one go; a chart leaves a mark in the text
 * and its commands in a script. At the end one gnuplot child draws all charts
 * as SVG, and the marks are replaced. Nothing on the page refers to the outside.
 * Not here: what stands on the page (ana_report.h).
 * Invariants: text from files is escaped whatever it holds; charts hold lines
 * and boxes only, and colours that read on white and on black.
 */
#ifndef ANA_PAGE_H
#define ANA_PAGE_H

#include <stddef.h>
#include <stdio.h>

#include "sim_err.h"
#include "sim_types.h"

#define ANA_PAGE_CHARTS 512

struct ana_page {
    FILE *html, *script; /* write here, between init and finish */
    char *html_text, *script_text;
    size_t html_size, script_size;
    unsigned ncharts, keys; /* keys: of the chart that is open */
    char *alt[ANA_PAGE_CHARTS]; /* owned */
};

/* SIM_OK or SIM_E_IO (memory). Always ana_page_fini. */
int ana_page_init(struct ana_page *p, struct sim_err *e);
void ana_page_fini(struct ana_page *p);

/* Head and style sheet, up to the opened body; and the end (ana_page_head.c). */
void ana_page_open(struct ana_page *p, const char *title);
void ana_page_close(struct ana_page *p);

/* Text, escaped for HTML. */
void ana_page_text(struct ana_page *p, const char *s);

/* Opens a figure: its title into the page and gnuplot's set-up into the script,
 * with y-size `height` of 480 wide, so that letters stay legible on a phone. The
 * caller names the curves (ana_chart_key), writes the plot commands to p->script,
 * nothing to p->html, and calls ana_chart_end. False: too many charts. */
bool ana_chart_begin(struct ana_page *p, const char *title, unsigned height);
void ana_chart_end(struct ana_page *p);

enum ana_key { ANA_KEY_LINE, ANA_KEY_DASHED, ANA_KEY_BOX, ANA_KEY_TWO /* full and pale */ };

/* The legend's entry of the i-th curve, above the chart, where it can wrap. */
void ana_chart_key(struct ana_page *p, unsigned i, enum ana_key how, const char *label);

/* A quoted gnuplot string. */
void ana_chart_string(struct ana_page *p, const char *s);
/* "lc rgb ... lw 2 dt ..." of the i-th curve; dashed where asked. */
void ana_chart_style(struct ana_page *p, unsigned i, bool dashed);

/* A logarithmic axis ('x' or 'y') with tics at 1, 2 and 5 of each decade, from
 * the tic below lo to the one above hi. */
void ana_chart_log_axis(struct ana_page *p, char axis, double lo, double hi);

/* Draws and puts together: *text (malloc) of *size bytes. SIM_OK, or SIM_E_IO
 * when gnuplot is missing or fails. */
int ana_page_finish(struct ana_page *p, char **text, size_t *size, struct sim_err *e);

#endif
