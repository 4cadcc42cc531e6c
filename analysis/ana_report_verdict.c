/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ana_report_verdict.c: the answer in plain sentences, before anything else.
 */
#include "ana_report.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "ana_interval.h"
#include "ana_num.h"
#include "ana_view.h"

enum { LIMITS = 8 };

#define NOTABLE 5.0 /* percent: below that a change is no reason to buy anything */
#define TAIL 20.0   /* percent of p99 that are worth a word */
#define STILL 1.0   /* percent: IOPS that close say nothing, the job has a rate */

/* ---- components by class ---- */

/* "guest0 vdisk1 controller" is a "vdisk controller" whichever it was. */
static void class_of(char *out, size_t size, const char *name)
{
    size_t n = 0;
    while (*name && n + 1 < size) {
        size_t word = strcspn(name, " "), letters = 0;
        while (islower((unsigned char)name[letters]))
            letters++;
        bool numbered = letters > 0 && letters < word &&
                        letters + strspn(name + letters, "0123456789") == word;
        bool place = numbered && (strncmp(name, "node", letters) == 0 ||
                                  strncmp(name, "guest", letters) == 0);
        size_t keep = place ? 0 : numbered ? letters : word;
        for (size_t i = 0; i < keep && n + 1 < size; i++)
            out[n++] = name[i];
        name += word;
        if (*name == ' ' && !place && n + 1 < size)
            out[n++] = ' ';
        name += *name == ' ';
    }
    out[n] = '\0';
}

/* The reader's name of a class; of a drive its product, not the station in it. */
static void plain(char *out, size_t size, const char *class)
{
    static const char *const word[][2] = {
        {"vdisk controller", "the controller thread of a virtual disk"},
        {"vdisk hypervisor threads", "the hypervisor's threads of a virtual disk"},
        {"CVM CPU", "the CPU of a controller VM"},
        {"link tx", "a network port"},
        {"link rx", "a network port"},
        {"OpLog space", "the space of the write log"},
        {"job core", "the core a job runs on"},
    };
    for (unsigned i = 0; i < sizeof word / sizeof *word; i++)
        if (strcmp(class, word[i][0]) == 0) {
            snprintf(out, size, "%s", word[i][1]);
            return;
        }
    if (strncmp(class, "disk ", 5) == 0)
        snprintf(out, size, "the drive %.*s", (int)strcspn(class + 5, " "), class + 5);
    else if (strncmp(class, "latency: ", 9) == 0)
        snprintf(out, size, "latency without a queue");
    else
        snprintf(out, size, "%s", class);
}

void ana_report_limit_name(char *out, size_t size, const char *bottleneck)
{
    char class[96];
    class_of(class, sizeof class, bottleneck);
    plain(out, size, class);
}

struct limit {
    char name[96];
    unsigned jobs;
};

/* The classes of bottlenecks of a run, the most frequent first. */
static unsigned limits_of(const struct hci_result *x, struct limit out[LIMITS])
{
    unsigned n = 0;
    for (unsigned i = 0; i < x->njobs; i++) {
        struct limit l = {.jobs = 1};
        unsigned k = 0;
        ana_report_limit_name(l.name, sizeof l.name, x->jobs[i].bottleneck);
        while (k < n && strcmp(out[k].name, l.name) != 0)
            k++;
        if (k < n)
            l.jobs = ++out[k].jobs;
        else if (n < LIMITS)
            out[n++] = l;
        else
            continue;
        l = out[k];
        for (; k > 0 && out[k - 1].jobs < l.jobs; k--)
            out[k] = out[k - 1];
        out[k] = l;
    }
    return n;
}

static void limit_sentence(struct ana_report *r, const struct hci_result *x)
{
    struct limit l[LIMITS];
    unsigned n = limits_of(x, l);
    for (unsigned i = 0; i < n; i++) {
        fputs(i ? ", <strong>" : "<strong>", r->page.html);
        ana_page_text(&r->page, l[i].name);
        fprintf(r->page.html, "</strong> (%u of %u job%s)", l[i].jobs, x->njobs,
                x->njobs == 1 ? "" : "s");
    }
    fputs(".", r->page.html);
}

static bool same_limits(const struct hci_result *a, const struct hci_result *b)
{
    struct limit x[LIMITS], y[LIMITS];
    unsigned n = limits_of(a, x), found = 0;
    if (a->njobs != b->njobs || limits_of(b, y) != n)
        return false;
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < n; k++)
            found += strcmp(x[i].name, y[k].name) == 0 && x[i].jobs == y[k].jobs;
    return found == n;
}

/* Runs with the same limits are named together. */
static void limits(struct ana_report *r)
{
    bool said[ANA_REPORT_RUNS] = {false};
    for (unsigned k = 0; k < r->nruns; k++) {
        unsigned same = 0, n = 0;
        for (unsigned i = k; i < r->nruns; i++)
            same += same_limits(r->runs[k], r->runs[i]);
        if (said[k])
            continue;
        fputs("What limits", r->page.html);
        if (same == r->nruns && same > 1)
            fputs(same == 2 ? " both" : " all of them", r->page.html);
        for (unsigned i = k; i < r->nruns; i++) {
            if (!same_limits(r->runs[k], r->runs[i]))
                continue;
            said[i] = true;
            if (same == r->nruns)
                continue;
            fputs(n++ ? " / " : " ", r->page.html);
            ana_page_text(&r->page, r->label[i]);
        }
        fputs(": ", r->page.html);
        limit_sentence(r, r->runs[k]);
        fputs("<br>\n", r->page.html);
    }
}

/* ---- one run ---- */

const struct hci_job_result *ana_report_same_job(const struct hci_result *x, const char *name)
{
    for (unsigned i = 0; i < x->njobs; i++)
        if (strcmp(x->jobs[i].name, name) == 0)
            return &x->jobs[i];
    return NULL;
}

int ana_report_largest_part(const struct hci_result *r, const struct hci_dir_result *d,
                            double *share)
{
    double mean = ana_moments_mean(&d->lat_m), best = 0;
    int part = -1;
    for (unsigned p = 0; p < r->nparts && p < HCI_PARTS; p++) {
        double ns = d->mean[p].wait_ns + d->mean[p].service_ns;
        if (ns > best) {
            best = ns;
            part = (int)p;
        }
    }
    *share = mean > 0 ? best / mean : 0;
    return part;
}

static void single(struct ana_report *r)
{
    const struct hci_result *x = r->runs[0];
    double best = 0, share;
    const char *part = "", *job = "";
    for (unsigned i = 0; i < x->njobs; i++)
        for (int d = HCI_DIR_READ; d <= HCI_DIR_WRITE; d++) {
            int p = x->jobs[i].dir[d].ios
                        ? ana_report_largest_part(x, &x->jobs[i].dir[d], &share) : -1;
            if (p >= 0 && share > best) {
                best = share;
                part = x->part_name[p];
                job = x->jobs[i].name;
            }
        }
    limits(r);
    fputs("The largest single share of a latency is ", r->page.html);
    ana_page_text(&r->page, part);
    fprintf(r->page.html, ": %.0f %% of the mean of job ", 100 * best);
    ana_page_text(&r->page, job);
    fputs(".", r->page.html);
}

int ana_report_largest_share(const struct hci_result *r, const char *job, double *share)
{
    const struct hci_job_result *j = ana_report_same_job(r, job);
    double ns[HCI_PARTS] = {0}, all = 0;
    int best = -1;
    for (int d = HCI_DIR_READ; j && d <= HCI_DIR_WRITE; d++) {
        const struct hci_dir_result *x = &j->dir[d];
        all += (double)x->ios * ana_moments_mean(&x->lat_m);
        for (unsigned p = 0; p < r->nparts && p < HCI_PARTS; p++)
            ns[p] += (double)x->ios * (x->mean[p].wait_ns + x->mean[p].service_ns);
    }
    for (int p = 0; p < HCI_PARTS; p++)
        if (ns[p] > 0 && (best < 0 || ns[p] > ns[best]))
            best = p;
    *share = best >= 0 && all > 0 ? ns[best] / all : 0;
    return best;
}

/* ---- several runs ---- */

/* Half-width of the IOPS of a job in percent of them; 0: not known. */
static double spread_of(const struct hci_job_result *j)
{
    double sum = 0;
    for (int d = HCI_DIR_READ; d <= HCI_DIR_TRIM; d++) {
        double half = ana_interval_half(&j->dir[d].iops_i);
        if (j->dir[d].ios && isnan(half))
            return 0;
        sum += j->dir[d].ios ? half * half : 0;
    }
    return 100 * sqrt(sum) / ana_job_iops(j);
}

static double mean_of(const struct hci_job_result *j)
{
    struct hci_moments all = {0};
    for (int d = HCI_DIR_READ; d <= HCI_DIR_TRIM; d++)
        hci_moments_add(&all, &j->dir[d].lat_m);
    return ana_moments_mean(&all);
}

struct change { /* of a run against the first; percent */
    double low, high, slower, tail; /* IOPS; latency where IOPS stay; p99 */
    const char *low_job, *high_job, *latency_job, *tail_job;
    bool within; /* the spread of both, every job */
    bool gain, loss;
};

/* p99 of read, write and trim together, ns; 0: too few samples. */
static double p99_of(const struct hci_job_result *j)
{
    struct hci_dir_result all; /* 60 kB */
    ana_dir_merge(j, &all);
    return ana_resolved(ana_dir_simulated(&all, &all.clat), 99)
               ? (double)sim_hist_percentile(&all.clat, 99) : 0;
}

static void tail(struct change *c, const struct hci_job_result *a, const struct hci_job_result *b)
{
    double from = p99_of(a), to = p99_of(b);
    double change = from > 0 && to > 0 ? 100 * (to / from - 1) : 0;
    if (fabs(change) > TAIL && fabs(change) > fabs(c->tail)) {
        c->tail = change;
        c->tail_job = b->name;
    }
}

static void one_job(struct change *c, const struct hci_job_result *a, const struct hci_job_result *b)
{
    double iops = 100 * (ana_job_iops(b) / ana_job_iops(a) - 1);
    double mean = 100 * (mean_of(b) / fmax(mean_of(a), 1) - 1);
    bool still = fabs(iops) < STILL;
    if (!c->low_job || iops < c->low) {
        c->low = iops;
        c->low_job = b->name;
    }
    if (!c->high_job || iops > c->high) {
        c->high = iops;
        c->high_job = b->name;
    }
    if (still && fabs(mean) > NOTABLE && fabs(mean) > fabs(c->slower)) {
        c->slower = mean;
        c->latency_job = b->name;
    }
    tail(c, a, b);
    c->within &= fabs(iops) <= hypot(spread_of(a), spread_of(b));
    c->gain |= iops > NOTABLE || (still && mean < -NOTABLE);
    c->loss |= iops < -NOTABLE || (still && mean > NOTABLE);
}

/* The change of run k against the first, over the jobs both have. */
static void change_sentence(struct ana_report *r, unsigned k)
{
    const struct hci_result *a = r->runs[0];
    FILE *f = r->page.html;
    struct change c = {.within = true};
    for (unsigned i = 0; i < a->njobs; i++) {
        const struct hci_job_result *j = ana_report_same_job(r->runs[k], a->jobs[i].name);
        if (j && ana_job_iops(&a->jobs[i]) > 0 && ana_job_iops(j) > 0)
            one_job(&c, &a->jobs[i], j);
    }
    if (!c.low_job)
        return;
    ana_page_text(&r->page, r->label[k]);
    fputs(c.gain && c.loss ? ": <strong>better in some jobs, worse in others</strong> than "
          : c.gain         ? ": <strong>faster</strong> than "
          : c.loss         ? ": <strong>slower</strong> than "
                           : ": <strong>no gain</strong> over ", f);
    ana_page_text(&r->page, r->label[0]);
    fprintf(f, ", IOPS %+.1f %% (", c.low);
    ana_page_text(&r->page, c.low_job);
    fprintf(f, ") to %+.1f %% (", c.high);
    ana_page_text(&r->page, c.high_job);
    fputs(")", f);
    if (c.latency_job) {
        fprintf(f, ", mean latency %+.0f %% (", c.slower);
        ana_page_text(&r->page, c.latency_job);
        fputs(")", f);
    }
    fputs(c.within && !c.latency_job ? ", within the spread"
          : !c.gain && !c.loss           ? ": too little to tell or to pay for" : "", f);
    if (c.tail_job) {
        fprintf(f, "; %sp99 latency %+.0f %% (", c.tail > 0 ? "but " : "", c.tail);
        ana_page_text(&r->page, c.tail_job);
        fputs(")", f);
    }
    fputs(".<br>\n", f);
}

/* ---- where the write log went ---- */

struct share {
    char product[64];
    double bytes;
};

/* The product of the drive whose counter this is: its stations bear its name. */
static void product_of(const struct hci_job_result *j, const char *counter, char *out, size_t size)
{
    const char *end = strstr(counter, " OpLog written");
    size_t n = end ? (size_t)(end - counter) : 0;
    out[0] = '\0';
    for (unsigned i = 0; n && i < j->nresources; i++) {
        const char *name = j->resources[i].name;
        if (strncmp(name, counter, n) != 0 || name[n] != ' ')
            continue;
        snprintf(out, size, "%.*s", (int)strcspn(name + n + 1, " "), name + n + 1);
        return;
    }
}

static unsigned log_shares(const struct hci_result *x, struct share *out, unsigned max)
{
    unsigned n = 0;
    for (unsigned i = 0; i < x->njobs; i++)
        for (unsigned c = 0; c < x->jobs[i].ncounters; c++) {
            struct share s = {.bytes = x->jobs[i].counters[c].value};
            unsigned k = 0;
            product_of(&x->jobs[i], x->jobs[i].counters[c].name, s.product, sizeof s.product);
            if (!s.product[0])
                continue;
            while (k < n && strcmp(out[k].product, s.product) != 0)
                k++;
            if (k < n)
                out[k].bytes += s.bytes;
            else if (n < max)
                out[n++] = s;
        }
    return n;
}

/* A log that lies on drives of several kinds is as slow as the one with most of it;
 * split: that of some run does. */
static void log_sentence(struct ana_report *r, unsigned run, bool split)
{
    struct share s[4];
    double all = 0;
    unsigned n = log_shares(r->runs[run], s, 4);
    for (unsigned i = 0; i < n; i++)
        all += s[i].bytes;
    if ((n < 2 && !split) || all <= 0)
        return;
    fputs("Of the write log of ", r->page.html);
    ana_page_text(&r->page, r->label[run]);
    for (unsigned i = 0; i < n; i++) {
        if (n == 1)
            fputs(" all went to ", r->page.html);
        else
            fprintf(r->page.html, "%s %.0f %% went to ", i ? "," : "", 100 * s[i].bytes / all);
        ana_page_text(&r->page, s[i].product);
    }
    fputs(".<br>\n", r->page.html);
}

void ana_report_verdict(struct ana_report *r)
{
    bool split = false;
    fputs("<p class=\"lead\">", r->page.html);
    for (unsigned k = 1; k < r->nruns; k++)
        change_sentence(r, k);
    if (r->nruns == 1)
        single(r);
    else
        limits(r);
    for (unsigned k = 0; k < r->nruns; k++) {
        struct share s[4];
        split |= log_shares(r->runs[k], s, 4) > 1;
    }
    for (unsigned k = 0; k < r->nruns; k++)
        log_sentence(r, k, split);
    fputs("</p>\n", r->page.html);
}
