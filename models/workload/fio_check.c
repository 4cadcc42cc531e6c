/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_check.h"

#include <inttypes.h>
#include <string.h>

static void complain(struct hci_fio_setting *s, const char *text)
{
    hci_fio_error(s->log, s->file, s->line, "job %s: %s", s->conf->job.name, text);
}

static void check_blocks(struct hci_fio_setting *s)
{
    struct hci_job *job = &s->conf->job;
    for (int d = 0; d < HCI_DDIRS; d++) {
        if (!job->bs_min[d])
            job->bs_min[d] = s->conf->bs[d];
        if (!job->bs_max[d])
            job->bs_max[d] = s->conf->bs[d];
        if (!job->ba[d])
            job->ba[d] = job->bs_min[d];
    }
}

/* Do the job's directions use more than one block size? */
static bool several_sizes(const struct hci_job *job)
{
    uint64_t lo = UINT64_MAX, hi = 0;
    for (int d = 0; d < HCI_DDIRS; d++)
        if ((job->rw & (1u << d)) || (job->bs_is_seq_rand && d < 2)) {
            lo = sim_min(lo, job->bs_min[d]);
            hi = sim_max(hi, job->bs_max[d]);
        }
    return lo != hi;
}

static void check_random(struct hci_fio_setting *s)
{
    struct hci_job *job = &s->conf->job;
    bool skewed = false;
    if (!(job->rw & HCI_RW_RANDOM))
        return;
    for (int d = 0; d < HCI_DDIRS; d++)
        skewed |= job->random_dist[d] != HCI_RD_RANDOM;
    if (job->generator == HCI_GEN_LFSR && skewed)
        hci_fio_note(s->log, NULL, 0, "random_generator=lfsr has no effect with "
                     "random_distribution");
    else if (job->generator == HCI_GEN_LFSR && several_sizes(job))
        complain(s, "random_generator=lfsr needs one block size (fio stops such a job silently)");
    if (skewed && job->generator == HCI_GEN_LFSR)
        job->generator = HCI_GEN_TAUSWORTHE;
    bool aligned = memcmp(job->ba, job->bs_min, sizeof job->ba) != 0;
    if (aligned && !skewed && !job->norandommap && job->generator != HCI_GEN_LFSR)
        hci_fio_note(s->log, NULL, 0, "blockalign turns the random map off: blocks repeat");
    job->norandommap |= skewed || aligned;
    if (job->randseed != 0x89 && job->randrepeat)
        hci_fio_note(s->log, NULL, 0, "randseed is honoured (fio before 3.35 ignores it unless "
                     "randrepeat=0)");
}

static void check_depth(struct hci_fio_setting *s)
{
    struct hci_job *job = &s->conf->job;
    job->iodepth = job->iodepth_asked;
    if (job->engine_class == HCI_ENGINE_SYNC && job->iodepth > 1) {
        hci_fio_note(s->log, NULL, 0, "iodepth=%u has no effect with the synchronous engine %s: "
                     "one I/O at a time", job->iodepth, job->engine);
        job->iodepth = 1;
    }
    if (job->iodepth_low > job->iodepth || !job->iodepth_low)
        job->iodepth_low = job->iodepth;
    if (job->iodepth_batch > job->iodepth || !job->iodepth_batch)
        job->iodepth_batch = job->iodepth;
    if (!job->direct && job->engine_class != HCI_ENGINE_NULL &&
        job->engine_class != HCI_ENGINE_IDLE)
        hci_fio_note(s->log, NULL, 0, "direct=0: the guest's page cache is not modelled, I/O goes "
                     "to the disks as with direct=1");
}

static void check_time(struct hci_fio_setting *s)
{
    struct hci_job *job = &s->conf->job;
    if (job->time_based && !job->runtime) {
        hci_fio_note(s->log, NULL, 0, "time_based without runtime has no effect");
        job->time_based = false;
    }
    if (job->ramp_time && job->io_size)
        hci_fio_note(s->log, NULL, 0, "I/O done during ramp_time counts against io_size");
    if (job->loops == 0)
        job->loops = 1;
    for (int d = 0; d < HCI_DDIRS; d++)
        if (s->conf->rate[d] && job->rate_iops[d]) {
            complain(s, "rate and rate_iops are mutually exclusive");
            break;
        }
    memcpy(job->rate_Bps, s->conf->rate, sizeof job->rate_Bps);
    if (job->rate_iops[0] && several_sizes(job))
        hci_fio_note(s->log, NULL, 0, "rate_iops counts I/Os (fio before 3.42 counts bytes of the "
                     "smallest block)");
    if (job->thinktime_spin > job->thinktime)
        job->thinktime_spin = job->thinktime;
}

static void check_zones(struct hci_fio_setting *s)
{
    struct hci_job *job = &s->conf->job;
    job->zone_strided = s->conf->zonemode == 2;
    if (job->zonesize && s->conf->zonemode == 0) {
        hci_fio_note(s->log, NULL, 0, "zonesize without zonemode: taken as zonemode=strided");
        job->zone_strided = true;
    }
    if (job->zone_strided && !job->zonesize)
        complain(s, "zonemode=strided needs zonesize");
    if (!job->zonerange)
        job->zonerange = job->zonesize;
}

static void check_size(struct hci_fio_setting *s)
{
    struct hci_job *job = &s->conf->job;
    uint64_t least = UINT64_MAX;
    job->filesize_given = s->conf->filesize_max > 0;
    for (int d = 0; d < HCI_DDIRS; d++)
        if (job->rw & (1u << d))
            least = sim_min(least, job->bs_min[d]);
    if (job->engine_class == HCI_ENGINE_IDLE)
        return;
    if ((job->size && job->size < least) ||
        (s->conf->filesize_max && s->conf->filesize_max < least))
        complain(s, "size too small, must not be less than minimum block size");
    if (job->zone_strided && job->zonesize && job->zonerange < least)
        complain(s, "zonerange is smaller than a block");
    if (job->file_append && !job->size)
        complain(s, "file_append needs size=, the bytes to append");
    if (job->size_pct <= 0 && !job->size && !s->conf->filesize_max && !s->conf->filename &&
        !job->read_iolog)
        hci_fio_note(s->log, NULL, 0, "job %s states no size: it uses all of its disk",
                     job->name);
    if (job->numjobs > 1 && !(job->rw & HCI_RW_RANDOM) && s->conf->filename &&
        !job->offset_increment && job->offset_increment_pct <= 0)
        hci_fio_note(s->log, NULL, 0, "job %s: its %u clones all go over the same blocks "
                     "(offset_increment keeps them apart)", job->name, job->numjobs);
}

static void check_verify(struct hci_fio_setting *s)
{
    struct hci_job *job = &s->conf->job;
    bool rated = false;
    if (!job->verify || !(job->rw & HCI_RW_WRITE) || !(job->do_verify || job->verify_only))
        return;
    for (int d = 0; d < HCI_DDIRS; d++)
        rated |= job->rate_Bps[d] || job->rate_iops[d];
    if (rated && (job->rw & HCI_RW_READ))
        complain(s, "verify of a mixed job with rates is not simulated yet");
    if (job->norandommap && (job->rw & HCI_RW_RANDOM))
        hci_fio_note(s->log, NULL, 0, "verify with blocks drawn at random: a block written twice "
                     "is read back twice (fio reads it once)");
    if (job->loops > 1)
        hci_fio_note(s->log, NULL, 0, "verify with loops: read back after the last loop, not after "
                     "each");
    if (job->size && job->io_size > job->size) /* fio counts what it reads back as well */
        job->io_size = job->size;
}

/* A log says how often what it logs is sampled, unless the job does: 0 is every I/O. */
static sim_time sampled(sim_time asked, const char *log, sim_time average)
{
    if (!log)
        return asked ? asked : 500 * SIM_MS;
    return asked && average ? asked : average;
}

static void check_samples(struct hci_fio_setting *s)
{
    struct hci_job *job = &s->conf->job;
    job->bwavgtime = sampled(job->bwavgtime, job->write_bw_log, job->log_avg_ns);
    job->iopsavgtime = sampled(job->iopsavgtime, job->write_iops_log, job->log_avg_ns);
}

void hci_fio_check(struct hci_fio_setting *s)
{
    check_blocks(s);
    check_random(s);
    check_depth(s);
    check_time(s);
    check_zones(s);
    check_size(s);
    check_verify(s);
    check_samples(s);
}
