/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fake_result.h: a small made-up result for the tests of the output formats.
 *
 * Two jobs: "mix" (libaio, random 70/30, breakdown, stations, state) and
 * "log" (psync writes with fsync, its own group). Latencies are drawn from
 * keys, so every build of a test sees the same ones.
 */
#ifndef FAKE_RESULT_H
#define FAKE_RESULT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hci_result.h"
#include "sim_rng.h"
#include "workload/hci_job.h"

static inline void fake_count(struct sim_hist *h, struct hci_moments *m, uint64_t ns)
{
    sim_hist_record(h, ns);
    m->min = m->n == 0 || ns < m->min ? ns : m->min;
    m->max = ns > m->max ? ns : m->max;
    m->n++;
    m->sum += ns;
    m->sum2 += (unsigned __int128)ns * ns;
}

/* n I/Os of 4 KiB in one second, clat between base and 4 x base. */
static inline void fake_dir(struct hci_dir_result *d, uint64_t key, uint64_t n, uint64_t base_ns)
{
    d->ios = n;
    d->bytes = n * 4096;
    d->runtime_ns = SIM_S;
    d->iops = (double)n;
    d->bw_Bps = (double)d->bytes;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t slat = 1500 + sim_below(sim_key(key, 2 * i), 1000);
        uint64_t clat = base_ns + sim_below(sim_key(key, 2 * i + 1), 3 * base_ns);
        fake_count(&d->slat, &d->slat_m, slat);
        fake_count(&d->clat, &d->clat_m, clat);
        fake_count(&d->lat, &d->lat_m, slat + clat);
    }
    d->bw_s = (struct hci_sampled){(double)d->bytes * 0.9, (double)d->bytes * 1.1, (double)d->bytes,
                                   1000.0, 2};
    d->iops_s = (struct hci_sampled){(double)n * 0.9, (double)n * 1.1, (double)n, 10.0, 2};
    double mean = (double)d->lat_m.sum / (double)n;
    d->mean[0] = (struct hci_part_time){0, 2000};
    d->mean[1] = (struct hci_part_time){mean * 0.25, mean * 0.25};
    d->mean[2] = (struct hci_part_time){0, mean * 0.5 - 2000};
    d->tail[0] = (struct hci_part_time){0, 2000};
    d->tail[1] = (struct hci_part_time){3.0 * (double)base_ns, (double)base_ns};
    d->nintervals = 2;
    d->intervals = calloc(2, sizeof *d->intervals);
    for (unsigned i = 0; d->intervals && i < 2; i++)
        d->intervals[i] = (struct hci_interval){n / 2, n / 2 * 4096, (uint64_t)(d->lat_m.sum / 2)};
}

static inline void fake_options(struct hci_job *job, const char *const *kv, unsigned n)
{
    job->noptions = n;
    struct hci_option_text *options = calloc(n, sizeof *options);
    for (unsigned i = 0; options && i < n; i++)
        options[i] = (struct hci_option_text){kv[2 * i], kv[2 * i + 1]};
    job->options = options;
}

static inline struct hci_job *fake_job(const char *name, unsigned rw)
{
    struct hci_job *job = calloc(1, sizeof *job);
    if (!job)
        abort();
    job->significant_figures = 4; /* fio's default */
    snprintf(job->name, sizeof job->name, "%s", name);
    job->rw = rw;
    job->numjobs = 1;
    job->stats = job->disk_util = true;
    job->loops = 1;
    job->iodepth = job->iodepth_asked = 32;
    job->clat_percentiles = true;
    job->latency_percentile = 100;
    for (int i = 0; i < HCI_DDIRS; i++)
        job->bs_min[i] = job->bs_max[i] = 4096;
    return job;
}

static inline void fake_mix(struct hci_job_result *j)
{
    static const char *const kv[] = {"rw", "randrw", "rwmixread", "70", "group_reporting", NULL};
    struct hci_job *job = fake_job("mix", HCI_RW_READ | HCI_RW_WRITE | HCI_RW_RANDOM);
    fake_options(job, kv, 3);
    snprintf(job->engine, sizeof job->engine, "libaio");
    job->engine_class = HCI_ENGINE_ASYNC;
    job->description = (char *)(uintptr_t) "say \"hi\"\n";
    j->job = job;
    snprintf(j->name, sizeof j->name, "mix");
    j->nclones = 1;
    j->ramp_end_ns = SIM_S;
    j->end_ns = 2 * SIM_S;
    j->interval_ns = SIM_S / 2;
    fake_dir(&j->dir[HCI_DIR_READ], 1, 21000, 90000);
    fake_dir(&j->dir[HCI_DIR_WRITE], 2, 9000, 200000);
    j->depth_hist[0] = 30;
    j->depth_hist[5] = 29970;
    j->mean_in_flight = 31.5;
    j->nresources = 2;
    j->resources = calloc(2, sizeof *j->resources);
    if (!j->resources)
        abort();
    j->resources[0] = (struct hci_resource){.name = "node0/nvme1 fake-1tb units",
                                            .kind = "units",
                                            .servers = 8,
                                            .served = 30000,
                                            .utilisation = 0.93,
                                            .mean_queue = 12.5,
                                            .mean_wait_ns = 40000,
                                            .mean_service_ns = 110000,
                                            .cap_ios = 32258,
                                            .read_ios = 21000,
                                            .write_ios = 9000,
                                            .device = "node0/nvme1 fake-1tb"};
    j->resources[1] = (struct hci_resource){.name = "node0 nic",
                                            .kind = "pipe",
                                            .servers = 1,
                                            .served = 60000,
                                            .utilisation = 0.4,
                                            .mean_queue = 0.5,
                                            .mean_wait_ns = 3000,
                                            .mean_service_ns = 1500,
                                            .cap_ios = 75000};
    j->nstates = 1;
    j->states = calloc(1, sizeof *j->states);
    j->ncounters = 3; /* the last one stays 0 */
    j->counters = calloc(3, sizeof *j->counters);
    if (!j->states || !j->counters)
        abort();
    snprintf(j->states[0].name, sizeof j->states[0].name, "node0/log fill");
    snprintf(j->states[0].unit, sizeof j->states[0].unit, "bytes");
    j->states[0].n = 2;
    j->states[0].value = calloc(2, sizeof(double));
    if (j->states[0].value)
        j->states[0].value[1] = 4096;
    j->states[0].last = 4096;
    j->counters[0] = (struct hci_counter){"node0/nvme1 bytes written", "bytes", 36864000};
    j->counters[1] = (struct hci_counter){"cache hits", "1", 1234};
    j->counters[2] = (struct hci_counter){"cache misses", "1", 0};
    snprintf(j->bottleneck, sizeof j->bottleneck, "node0/nvme1 fake-1tb units");
    snprintf(j->next_bottleneck, sizeof j->next_bottleneck, "node0 nic");
    snprintf(j->verdict, sizeof j->verdict, "The drive's units are busy 93 %% of the time.");
    j->bound_iops = 32258;
    snprintf(j->bound_by, sizeof j->bound_by, "node0/nvme1 fake-1tb units");
    j->nwarnings = 1;
    j->warnings = calloc(1, sizeof *j->warnings);
    if (j->warnings)
        snprintf(j->warnings[0], sizeof j->warnings[0], "the log was still filling");
}

static inline void fake_log(struct hci_job_result *j)
{
    static const char *const kv[] = {"rw", "write", "fsync", "16"};
    struct hci_job *job = fake_job("log", HCI_RW_WRITE);
    fake_options(job, kv, 2);
    snprintf(job->engine, sizeof job->engine, "psync");
    job->engine_class = HCI_ENGINE_SYNC;
    job->iodepth = 1;
    job->lat_percentiles = true;
    job->npercentiles = 3;
    job->percentiles[0] = 99.9;
    job->percentiles[1] = 50;
    job->percentiles[2] = 99;
    j->job = job;
    snprintf(j->name, sizeof j->name, "log");
    j->groupid = 1;
    j->nclones = 1;
    j->start_ns = j->ramp_end_ns = 2 * SIM_S;
    j->end_ns = 3 * SIM_S;
    j->interval_ns = SIM_S / 2;
    fake_dir(&j->dir[HCI_DIR_WRITE], 3, 1600, 250000);
    struct hci_dir_result *s = &j->dir[HCI_DIR_SYNC];
    for (uint64_t i = 0; i < 100; i++)
        fake_count(&s->lat, &s->lat_m, 1000 + i);
    s->ios = 100;
    s->runtime_ns = SIM_S;
    j->depth_hist[0] = 1700;
}

static inline struct hci_result *fake_result(void)
{
    struct hci_result *r = calloc(1, sizeof *r);
    if (!r)
        abort();
    r->layout_name = (char *)(uintptr_t) "a fake layout";
    r->layout_text = (char *)(uintptr_t) "name = \"a fake layout\";\n";
    r->jobfile_text = (char *)(uintptr_t) "[mix]\nrw=randrw\n";
    r->seed = 42;
    r->nparts = 3;
    snprintf(r->part_name[0], sizeof r->part_name[0], "guest");
    snprintf(r->part_name[1], sizeof r->part_name[1], "device");
    snprintf(r->part_name[2], sizeof r->part_name[2], "network");
    r->njobs = 2;
    r->jobs = calloc(2, sizeof *r->jobs);
    if (!r->jobs)
        abort();
    fake_mix(&r->jobs[0]);
    fake_log(&r->jobs[1]);
    r->events = 123456;
    r->draws = 7890;
    r->ties = 3;
    r->hash = 0x0123456789abcdefULL;
    r->cpu_s = 0.25;
    r->sim_ns = 3 * SIM_S;
    r->pass = r->passes = 1;
    snprintf(r->assumptions[0], sizeof r->assumptions[0], "log.flush = none");
    return r;
}

static inline void fake_free(struct hci_result *r)
{
    for (unsigned i = 0; i < r->njobs; i++) {
        struct hci_job_result *j = &r->jobs[i];
        struct hci_job *job = (struct hci_job *)(uintptr_t)j->job;
        for (int dir = 0; dir < HCI_DIRS; dir++)
            free(j->dir[dir].intervals);
        for (unsigned s = 0; s < j->nstates; s++)
            free(j->states[s].value);
        free(j->states);
        free(j->resources);
        free(j->counters);
        free(j->warnings);
        free((void *)(uintptr_t)job->options);
        free(job);
    }
    free(r->jobs);
    free(r);
}

#endif
