/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole models through hci_run, as `hcisim run` uses it: one native drive, and
 * story 1 job by job. Guest I/Os per CPU second on one core, events per guest
 * I/O, CPU time per event, and the peak memory of the process so far.
 */
#include "bench.h"

#include "hci_run.h"
#include "workload/hci_job.h"

#include <stdio.h>
#include <sys/resource.h>

struct model {
    const char *name, *layout, *jobs;
    const char *section;  /* NULL: all */
    struct hci_set set;   /* key NULL: none */
    const char *limit;    /* of the rate */
};

struct outcome {
    double cpu_s, ios, events;
};

static double count_ios(const struct hci_result *r)
{
    double ios = 0;
    for (unsigned j = 0; j < r->njobs; j++)
        for (unsigned d = HCI_DIR_READ; d <= HCI_DIR_TRIM; d++)
            ios += (double)r->jobs[j].dir[d].ios;
    return ios;
}

static struct outcome simulate(const struct model *m)
{
    struct sim_err e = {0};
    struct hci_layout *lay = NULL;
    struct hci_jobfile *jobs = NULL;
    struct hci_result *r = NULL;
    const char *sections[] = {m->section, NULL};
    struct hci_jobfile_opts opts = {.sections = m->section ? sections : NULL};
    struct hci_run_opts run = {.seed = 1};
    bench_check(hci_layout_load(&lay, m->layout, &m->set, m->set.key != NULL, &e) == 0, e.text);
    bench_check(hci_jobfile_load(&jobs, &m->jobs, 1, &opts, NULL, &e) == 0, e.text);
    double began = bench_now();
    bench_check(hci_run(lay, jobs, &run, &r, &e) == 0, e.text);
    struct outcome o = {(bench_now() - began) * 1e-9, count_ios(r), (double)r->events};
    hci_result_free(r);
    hci_jobfile_free(jobs);
    hci_layout_free(lay);
    return o;
}

static double peak_mib(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_maxrss / 1024;
}

static void measure(const struct model *m)
{
    char name[96];
    struct outcome o = simulate(m);
    snprintf(name, sizeof name, "%s", m->name);
    bench_report(name, o.ios / o.cpu_s / 1e6, "M I/O/s", m->limit);
    snprintf(name, sizeof name, "%s: events per I/O", m->name);
    bench_report(name, o.events / o.ios, "events", "");
    snprintf(name, sizeof name, "%s: per event", m->name);
    bench_report(name, o.cpu_s * 1e9 / o.events, "ns", "");
}

#define DIR "tests/bench/"
#define BASELINE "configs/layouts/story1-baseline.cfg"
#define NATIVE "configs/layouts/story1-native-optane.cfg"

void bench_model(void)
{
    static const struct model models[] = {
        {"native: 70/30 4 KiB QD 32, no core limit", NATIVE, DIR "native.fio", NULL,
         {"platform.host_core_limit", "false"}, ">= 5"},
        {"story 1: random write 4 KiB QD 32", BASELINE, DIR "story1.fio", "write", {0}, ">= 0.8"},
        {"story 1: random read 4 KiB QD 32", BASELINE, DIR "story1.fio", "read", {0}, ""},
        {"story 1: 70/30 8 KiB QD 32", BASELINE, DIR "story1.fio", "mixed", {0}, ""},
        {"story 1: sequential read 1 MiB QD 16", BASELINE, DIR "story1.fio", "seq-read", {0}, ""},
        {"story 1: sequential write 1 MiB QD 16", BASELINE, DIR "story1.fio", "seq-write", {0}, ""},
    };
    measure(&models[0]);
    bench_report("native: peak memory", peak_mib(), "MiB", "<= 64");
    for (unsigned i = 1; i < sizeof models / sizeof *models; i++)
        measure(&models[i]);
}

/* The whole profile, as the demo runs it: a minute or two. */
void bench_profile(void)
{
    static const struct model models[] = {
        {"story 1 profile, baseline", BASELINE, "configs/jobs/story1.fio", NULL, {0}, ""},
        {"story 1 profile, native", NATIVE, "configs/jobs/story1.fio", NULL, {0}, ""},
    };
    static const char *const limit[] = {"<= 20", "<= 60"};
    for (unsigned i = 0; i < 2; i++) {
        char name[96];
        struct outcome o = simulate(&models[i]);
        snprintf(name, sizeof name, "%s: CPU", models[i].name);
        bench_report(name, o.cpu_s, "s", limit[i]);
        snprintf(name, sizeof name, "%s: I/Os measured", models[i].name);
        bench_report(name, o.ios / 1e6, "M", "");
    }
    bench_report("story 1 profile: peak memory", peak_mib(), "MiB", "<= 1024");
}
