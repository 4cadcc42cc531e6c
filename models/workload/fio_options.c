/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_options.h"
#include "fio_rules.h"
#include "fio_table.h"

#include <stddef.h>

#define AT(m) offsetof(struct hci_fio_conf, m)
#define JOB(m) offsetof(struct hci_fio_conf, job.m)

/* Rows by type: name, aliases, verdict, field, default, help and what the type needs. */
#define BOOL(n, al, v, m, d, h) \
    { .name = n, .aliases = al, .type = HCI_FIO_BOOL, .verdict = v, .store = HCI_FIO_IN_BOOL, \
      .at = JOB(m), .def = d, .help = h }
#define SET(n, al, v, m, h) \
    { .name = n, .aliases = al, .type = HCI_FIO_SET, .verdict = v, .store = HCI_FIO_IN_BOOL, \
      .at = JOB(m), .help = h }
#define COUNT(n, al, v, st, m, lo, hi, d, h) \
    { .name = n, .aliases = al, .type = HCI_FIO_COUNT, .verdict = v, .store = st, .at = JOB(m), \
      .min = lo, .max = hi, .def = d, .help = h }
#define BYTES(n, al, v, m, d, h) \
    { .name = n, .aliases = al, .type = HCI_FIO_BYTES, .verdict = v, .store = HCI_FIO_IN_U64, \
      .at = JOB(m), .max = INT64_MAX, .def = d, .help = h }
#define REGION(n, al, m, pct, d, h) \
    { .name = n, .aliases = al, .type = HCI_FIO_REGION, .store = HCI_FIO_IN_U64, .at = JOB(m), \
      .at_percent = JOB(pct), .max = INT64_MAX, .def = d, .help = h }
#define THREE(t, n, al, v, st, f, lo, hi, d, h) \
    { .name = n, .aliases = al, .type = t, .verdict = v, .store = st, .at = f, .min = lo, \
      .max = hi, .def = d, .help = h }
#define TIME(n, al, v, m, u, d, h) \
    { .name = n, .aliases = al, .type = HCI_FIO_TIME, .verdict = v, .store = HCI_FIO_IN_U64, \
      .at = JOB(m), .unit = u, .def = d, .help = h }
#define WORD(n, v, m, d, w, h) \
    { .name = n, .type = HCI_FIO_WORD, .verdict = v, .store = HCI_FIO_IN_INT, .at = JOB(m), \
      .def = d, .words = w, .help = h }
#define TEXT(n, al, t, v, f, h) \
    { .name = n, .aliases = al, .type = t, .verdict = v, .store = HCI_FIO_IN_TEXT, .at = f, \
      .help = h }
#define RULE(n, al, v, fn, d, h) \
    { .name = n, .aliases = al, .type = HCI_FIO_RULE, .verdict = v, .set = fn, .def = d, .help = h }

#define NOTED(n, al, t, st, m, hi, d, h, y) \
    { .name = n, .aliases = al, .type = t, .verdict = HCI_FIO_NOTE, .store = st, .at = JOB(m), \
      .max = hi, .def = d, .help = h, .why = y }

#define H HCI_FIO_HONOUR
#define N HCI_FIO_ACCEPT
#define U32 HCI_FIO_IN_U32
#define U64 HCI_FIO_IN_U64
#define MAX32 UINT32_MAX
#define MAX64 INT64_MAX
#define REDUCE "no platform here compresses or deduplicates: all data are stored in full"
#define REPORTED "everything is reported all the same"

static const struct hci_fio_word rw_sequencers[] = { { "sequential", 0 }, { "identical", 1 },
                                                     { 0 } };
static const struct hci_fio_word generators[] = { { "tausworthe", HCI_GEN_TAUSWORTHE },
                                                  { "lfsr", HCI_GEN_LFSR },
                                                  { "tausworthe64", HCI_GEN_TAUSWORTHE64 },
                                                  { 0 } };
static const struct hci_fio_word rate_processes[] = { { "linear", HCI_RATE_LINEAR },
                                                      { "poisson", HCI_RATE_POISSON }, { 0 } };
static const struct hci_fio_word syncs[] = { { "none", 0 }, { "0", 0 },     { "sync", 1 },
                                             { "1", 1 },    { "dsync", 1 }, { 0 } };
static const struct hci_fio_word exit_whats[] = { { "group", 0 }, { "stonewall", 1 },
                                                  { "all", 2 }, { 0 } };
static const struct hci_fio_word unified[] = { { "none", 0 }, { "mixed", 1 }, { "both", 2 },
                                               { "0", 0 },    { "1", 1 },     { "2", 2 }, { 0 } };
static const struct hci_fio_word block_types[] = { { "complete", 0 }, { "issue", 1 }, { 0 } };
static const struct hci_fio_word unit_bases[] = { { "0", 0 }, { "8", 8 }, { "1", 1 }, { 0 } };
static const struct hci_fio_word verifies[] = {
    { "0", 0 },         { "md5", 1 },      { "crc64", 1 },    { "crc32", 1 },    { "crc32c", 1 },
    { "crc32c-intel", 1 }, { "crc16", 1 }, { "crc7", 1 },     { "sha1", 1 },     { "sha256", 1 },
    { "sha512", 1 },    { "sha3-224", 1 }, { "sha3-256", 1 }, { "sha3-384", 1 }, { "sha3-512", 1 },
    { "xxhash", 1 },    { "meta", 1 },     { "pattern", 1 },  { "null", 1 },     { 0 }
};

static const struct hci_fio_option rows[] = {
    /* Names and files */
    RULE("name", NULL, H, hci_fio_rule_name, NULL, "Name of the job, instead of the section's"),
    TEXT("description", NULL, HCI_FIO_TEXT, H, JOB(description), "Remark copied to the results"),
    RULE("filename", NULL, H, hci_fio_rule_filename, NULL,
         "Files to use, separated by colons; the same name means the same blocks"),
    TEXT("directory", NULL, HCI_FIO_TEXT, H, AT(directory), "Prefix of generated file names"),
    TEXT("filename_format", NULL, HCI_FIO_TEXT, H, AT(filename_format),
         "Pattern of generated names: $jobname $jobnum $filenum $clientuid"),
    { .name = "nrfiles", .aliases = "nr_files", .type = HCI_FIO_COUNT, .store = U32,
      .at = AT(nrfiles), .min = 1, .max = HCI_FILES_MAX, .def = "1", .help = "Files per job" },
    RULE("filesize", NULL, H, hci_fio_rule_filesize, NULL,
         "Size of each file; a range gives files of random sizes"),
    RULE("file_service_type", NULL, H, hci_fio_rule_file_service, "roundrobin",
         "How the next file is chosen; roundrobin:N changes every N I/Os"),

    /* Type of I/O */
    RULE("rw", "readwrite", H, hci_fio_rule_rw, "read",
         "Direction and order; :N is a run length (random) or a hole in bytes (sequential)"),
    WORD("rw_sequencer", H, rw_sequencer, "sequential", rw_sequencers,
         "With rw=...:N: N I/Os in sequence, or N times the same offset"),
    COUNT("rwmixread", NULL, H, HCI_FIO_IN_DOUBLE, rwmixread, 0, 100, "50",
          "Percentage of a mixed load that reads"),
    RULE("rwmixwrite", NULL, H, hci_fio_rule_rwmixwrite, "50",
         "Percentage of a mixed load that writes"),
    SET("norandommap", NULL, H, norandommap,
         "Draw random offsets with replacement instead of each block once per pass"),
    BOOL("softrandommap", NULL, N, softrandommap, "0", "Do without a map when memory is short"),
    WORD("random_generator", H, generator, "tausworthe", generators,
         "Source of random offsets; lfsr visits each block once, always in the same order"),
    RULE("random_distribution", NULL, H, hci_fio_rule_distribution, "random",
         "random, zipf:theta, pareto:h, normal:dev, zoned:access/size, zoned_abs:access/bytes"),
    THREE(HCI_FIO_COUNT3, "percentage_random", NULL, H, U32, JOB(percentage_random), 0, 100,
          "100,100,100", "Share of a random load that is really random"),
    BOOL("randrepeat", NULL, H, randrepeat, "1", "The same random offsets in every run"),
    { .name = "allrandrepeat", .type = HCI_FIO_BOOL, .verdict = N, .def = "0",
      .help = "As randrepeat, for choices other than offsets; those always repeat here" },
    BYTES("randseed", NULL, H, randseed, "0x89", "Seed of the random offsets"),

    /* Block size */
    THREE(HCI_FIO_BYTES3, "bs", "blocksize", H, U64, AT(bs), 1, MAX32, "4096",
          "Block size, for reads, writes and trims"),
    RULE("bsrange", "blocksize_range", H, hci_fio_rule_bsrange, NULL,
         "Block sizes drawn from a range; beats bs"),
    RULE("bssplit", NULL, H, hci_fio_rule_bssplit, NULL,
         "Block sizes with percentages, 4k/70:64k/30; beats bs"),
    SET("bs_unaligned", "blocksize_unaligned", H, bs_unaligned,
        "Block sizes of a range need not be multiples of its start"),
    BOOL("bs_is_seq_rand", NULL, H, bs_is_seq_rand, "0",
         "The pairs of bs mean sequential and random instead of read and write"),
    THREE(HCI_FIO_BYTES3, "ba", "blockalign", H, U64, JOB(ba), 1, MAX32, NULL,
          "Alignment of random offsets; default: the smallest block size"),

    /* Amount and place */
    REGION("size", NULL, size, size_pct, NULL, "Bytes of the region each clone uses"),
    REGION("io_size", "io_limit", io_size, io_size_pct, NULL,
           "Bytes to transfer, less or more than size"),
    REGION("offset", "fileoffset", offset, offset_pct, "0", "Where the region starts"),
    REGION("offset_increment", NULL, offset_increment, offset_increment_pct, "0",
           "Added to the offset once for every earlier clone"),
    BYTES("offset_align", NULL, H, offset_align, "0", "The offset is rounded up to a multiple"),
    COUNT("number_ios", NULL, H, U64, number_ios, 0, MAX64, "0", "Stop after so many I/Os"),
    COUNT("loops", NULL, H, U32, loops, 0, MAX32, "1", "Run the job so many times"),
    BOOL("fill_device", "fill_fs", H, fill_device, "0",
         "Its files grow until the volume is full; several share what is left"),
    BOOL("file_append", NULL, H, file_append, "0", "Start at the end of the file"),
    RULE("zonemode", NULL, H, hci_fio_rule_zonemode, "none", "none or strided"),
    BYTES("zonesize", NULL, H, zonesize, "0", "Bytes done in a zone before the next"),
    BYTES("zonerange", NULL, H, zonerange, "0", "Extent of a zone; default: zonesize"),
    BYTES("zoneskip", NULL, H, zoneskip, "0", "Gap between zones"),

    /* Engine and depth */
    RULE("ioengine", NULL, H, hci_fio_rule_engine, "psync",
         "How I/O is submitted: decides whether a job can keep more than one in flight"),
    COUNT("iodepth", NULL, H, U32, iodepth_asked, 1, 1000000, "1", "I/Os in flight per clone"),
    COUNT("iodepth_batch", "iodepth_batch_submit", H, U32, iodepth_batch, 0, MAX32, "1",
          "I/Os submitted at once"),
    COUNT("iodepth_batch_complete_min", "iodepth_batch_complete", H, U32,
          iodepth_batch_complete_min, 0, MAX32, "1", "Completions waited for at once"),
    COUNT("iodepth_batch_complete_max", NULL, H, U32, iodepth_batch_complete_max, 0, MAX32, NULL,
          "Completions taken at once at the most"),
    COUNT("iodepth_low", NULL, H, U32, iodepth_low, 0, MAX32, NULL,
          "Refill the queue only when it is down to this"),
    RULE("direct", NULL, H, hci_fio_rule_direct, "0", "Bypass the guest's page cache"),
    RULE("buffered", NULL, H, hci_fio_rule_buffered, "1", "The opposite of direct"),
    { .name = "sync", .type = HCI_FIO_WORD, .store = HCI_FIO_IN_BOOL, .at = JOB(sync_io),
      .def = "none", .words = syncs, .help = "Writes are durable when they complete" },

    /* Order and time */
    SET("stonewall", "wait_for_previous", H, stonewall, "Start when all earlier jobs are done"),
    TEXT("wait_for", NULL, HCI_FIO_TEXT, H, AT(wait_for), "Start when the named job is done"),
    SET("new_group", NULL, H, new_group, "Start a new reporting group"),
    COUNT("numjobs", NULL, H, U32, numjobs, 1, HCI_JOBS_MAX, "1", "Clones of the job"),
    RULE("startdelay", NULL, H, hci_fio_rule_startdelay, "0",
         "Wait before starting; a range a-b is drawn from"),
    TIME("runtime", "timeout", H, runtime, SIM_S, "0", "Stop after this time"),
    SET("time_based", NULL, H, time_based, "Run for all of runtime, going round the region"),
    TIME("ramp_time", NULL, H, ramp_time, SIM_S, "0", "Run this long before measuring"),
    SET("exitall", NULL, H, exitall, "End the others when this job ends"),
    WORD("exit_what", H, exit_what, "group", exit_whats, "Which others exitall ends"),

    /* Rates and pauses */
    THREE(HCI_FIO_BYTES3, "rate", NULL, H, U64, AT(rate), 0, MAX64, NULL,
          "Bandwidth limit, per clone and direction"),
    THREE(HCI_FIO_COUNT3, "rate_iops", NULL, H, U64, JOB(rate_iops), 0, MAX32, NULL,
          "IOPS limit, per clone and direction"),
    THREE(HCI_FIO_BYTES3, "rate_min", "ratemin", H, U64, JOB(rate_min_Bps), 0, MAX64, NULL,
          "Fail when bandwidth stays below"),
    THREE(HCI_FIO_COUNT3, "rate_iops_min", NULL, H, U64, JOB(rate_iops_min), 0, MAX32, NULL,
          "Fail when IOPS stay below"),
    WORD("rate_process", H, rate_process, "linear", rate_processes,
         "Equal gaps between I/Os, or exponential ones"),
    COUNT("rate_cycle", "ratecycle", H, HCI_FIO_IN_MS, rate_cycle, 0, MAX32, "1000",
          "Window of rate_min, in ms"),
    BOOL("rate_ignore_thinktime", NULL, H, rate_ignore_thinktime, "0",
         "Do not catch up on time spent thinking"),
    TIME("thinktime", NULL, H, thinktime, SIM_US, "0", "Pause between blocks of I/Os"),
    TIME("thinktime_spin", NULL, H, thinktime_spin, SIM_US, "0", "Part of the pause in which the job's core is busy"),
    TIME("thinktime_iotime", NULL, H, thinktime_iotime, SIM_S, "0",
         "Pause after this time of I/O"),
    COUNT("thinktime_blocks", NULL, H, U32, thinktime_blocks, 0, MAX32, NULL,
          "I/Os between pauses; default 1, or any with thinktime_iotime"),
    { .name = "thinktime_blocks_type", .type = HCI_FIO_WORD, .store = HCI_FIO_IN_BOOL,
      .at = JOB(thinktime_blocks_issue), .def = "complete", .words = block_types,
      .help = "Count completed or issued I/Os" },

    /* Flushes and allocation */
    COUNT("fsync", NULL, H, U32, fsync, 0, MAX32, "0", "Flush after every N writes"),
    COUNT("fdatasync", NULL, H, U32, fdatasync, 0, MAX32, "0", "As fsync, data only"),
    NOTED("write_barrier", NULL, HCI_FIO_COUNT, HCI_FIO_IN_U32, write_barrier, MAX32, "0",
          "Every N-th write is a barrier",
          "fio's engines for files and disks take a barrier for any other write"),
    BOOL("end_fsync", NULL, H, end_fsync, "0", "Flush when the job is done"),
    BOOL("fsync_on_close", NULL, H, fsync_on_close, "0", "Flush when a file is closed"),
    RULE("fallocate", NULL, N, hci_fio_rule_fallocate, "native",
         "Whether blocks are allocated before they are written"),
    NOTED("overwrite", NULL, HCI_FIO_BOOL, HCI_FIO_IN_BOOL, overwrite, 1, "0",
          "Lay the file out before writing to it",
          "whether files are written beforehand is the layout's initial.prepared"),
    BOOL("create_only", NULL, H, create_only, "0",
         "Lay the files out, which takes no time here, and stop"),

    /* Data */
    NOTED("zero_buffers", NULL, HCI_FIO_SET, HCI_FIO_IN_BOOL, zero_buffers, 0, NULL,
          "Data are zeros", REDUCE),
    NOTED("buffer_compress_percentage", NULL, HCI_FIO_COUNT, HCI_FIO_IN_DOUBLE, compress_pct, 100,
          NULL, "How far data compress", REDUCE),
    NOTED("dedupe_percentage", NULL, HCI_FIO_COUNT, HCI_FIO_IN_DOUBLE, dedupe_pct, 100, NULL,
          "Share of identical blocks", REDUCE),

    /* Verification, traces */
    { .name = "verify", .type = HCI_FIO_WORD, .verdict = H, .store = HCI_FIO_IN_INT,
      .at = JOB(verify), .def = "0", .words = verifies,
      .help = "Read back what was written; the reads are I/O, the hashing is not" },
    BOOL("do_verify", NULL, H, do_verify, "1", "Run the read phase of verify"),
    SET("verify_only", NULL, H, verify_only, "Read phase alone, no writes"),
    COUNT("verify_backlog", NULL, H, U64, verify_backlog, 0, MAX64, NULL,
          "Read back after so many writes instead of at the end"),
    COUNT("verify_backlog_batch", NULL, H, U64, verify_backlog_batch, 0, MAX32, NULL,
          "How many to read back at once"),
    TEXT("read_iolog", NULL, HCI_FIO_TEXT, H, JOB(read_iolog), "Replay a trace of I/Os"),
    BOOL("replay_no_stall", NULL, H, replay_no_stall, "0", "Replay without the trace's gaps"),
    COUNT("replay_time_scale", NULL, H, U32, replay_time_scale, 1, MAX32, "100",
          "Gaps of the trace in percent"),

    /* Goals and company */
    TIME("latency_target", NULL, H, latency_target, SIM_US, NULL,
         "Find the depth at which latency stays below"),
    TIME("latency_window", NULL, H, latency_window, SIM_US, NULL, "Window of latency_target"),
    RULE("latency_percentile", NULL, H, hci_fio_rule_latency_percentile, "100",
         "Share of I/Os that must meet latency_target"),
    BOOL("latency_run", NULL, H, latency_run, "0", "Go on after latency_target is met"),
    TIME("max_latency", NULL, H, max_latency, SIM_US, NULL, "Fail when an I/O takes longer"),
    RULE("steadystate", "ss", H, hci_fio_rule_steadystate, "iops_slope:0.01%",
         "Stop when iops or bw (or its slope) stays within a limit"),
    TIME("steadystate_duration", "ss_dur", H, ss_dur, SIM_S, "0", "Window of steadystate"),
    TIME("steadystate_ramp_time", "ss_ramp", H, ss_ramp, SIM_S, "0", "Ignored start"),
    COUNT("flow", NULL, H, HCI_FIO_IN_I64, flow, 0, 1000, "0",
          "Weight in the I/O ratio between jobs of one flow"),
    COUNT("flow_id", NULL, H, U32, flow_id, 0, MAX32, "0", "Which flow the job belongs to"),
    TIME("flow_sleep", NULL, H, flow_sleep, SIM_US, "0", "Wait when ahead of the flow"),

    /* Reports */
    SET("group_reporting", NULL, H, group_reporting, "One report per group of jobs"),
    BOOL("stats", NULL, H, stats, "1", "Report this job at all"),
    BOOL("clat_percentiles", NULL, H, clat_percentiles, "1", "Percentiles of completion latency"),
    BOOL("lat_percentiles", NULL, H, lat_percentiles, "0", "Percentiles of total latency"),
    BOOL("slat_percentiles", NULL, H, slat_percentiles, "0", "Percentiles of submission latency"),
    RULE("percentile_list", NULL, H, hci_fio_rule_percentiles,
         "1:5:10:20:30:40:50:60:70:80:90:95:99:99.5:99.9:99.95:99.99",
         "Percentiles to report, at most 20"),
    COUNT("significant_figures", NULL, H, U32, significant_figures, 1, 10, "4",
          "Digits of the text report's rates and amounts, 9 at the most"),
    WORD("unified_rw_reporting", H, unified_rw, "none", unified, "Merge reads and writes"),
    RULE("kb_base", NULL, H, hci_fio_rule_kb_base, "1024", "What k means: 1024 or 1000"),
    WORD("unit_base", H, unit_base, NULL, unit_bases, "Rates of the text report in bytes (8) or bits (1)"),
    COUNT("bwavgtime", NULL, H, HCI_FIO_IN_MS, bwavgtime, 1, MAX32, "500",
          "Window of bandwidth samples, in ms"),
    COUNT("iopsavgtime", NULL, H, HCI_FIO_IN_MS, iopsavgtime, 1, MAX32, "500",
          "Window of IOPS samples, in ms"),
    BOOL("disk_util", NULL, N, disk_util, "1", "Report the devices"),
    NOTED("gtod_reduce", NULL, HCI_FIO_BOOL, HCI_FIO_IN_BOOL, gtod_reduce, 1, "0",
          "Report no latencies", REPORTED),
    NOTED("disable_clat", NULL, HCI_FIO_BOOL, HCI_FIO_IN_BOOL, disable_clat, 1, "0",
          "Report no completion latency", REPORTED),
    NOTED("disable_slat", NULL, HCI_FIO_BOOL, HCI_FIO_IN_BOOL, disable_slat, 1, "0",
          "Report no submission latency", REPORTED),
    NOTED("disable_lat", NULL, HCI_FIO_BOOL, HCI_FIO_IN_BOOL, disable_lat, 1, "0",
          "Report no total latency", REPORTED),
    NOTED("disable_bw_measurement", "disable_bw", HCI_FIO_BOOL, HCI_FIO_IN_BOOL, disable_bw, 1, "0",
          "Report no bandwidth", REPORTED),
    TEXT("write_bw_log", NULL, HCI_FIO_OPTTEXT, H, JOB(write_bw_log), "Log bandwidth over time"),
    TEXT("write_lat_log", NULL, HCI_FIO_OPTTEXT, H, JOB(write_lat_log), "Log latency over time"),
    TEXT("write_iops_log", NULL, HCI_FIO_OPTTEXT, H, JOB(write_iops_log), "Log IOPS over time"),
    TEXT("write_hist_log", NULL, HCI_FIO_OPTTEXT, H, JOB(write_hist_log),
         "Log latency histograms over time"),
    COUNT("log_avg_msec", NULL, H, HCI_FIO_IN_MS, log_avg_ns, 0, MAX32, "0",
          "Average log entries over this many ms"),
    COUNT("log_hist_msec", NULL, H, HCI_FIO_IN_MS, log_hist_ns, 0, MAX32, "0",
          "Log a histogram every so many ms"),
    COUNT("log_hist_coarseness", NULL, H, U32, log_hist_coarseness, 0, 6, "0",
          "Merge 2^N bins of logged histograms"),
    BOOL("log_offset", NULL, H, log_offset, "0", "Log the offset of each I/O"),
    BOOL("log_max_value", NULL, H, log_max, "0", "Log the largest value instead of the mean"),
    BOOL("per_job_logs", NULL, H, per_job_logs, "1", "One log file per clone"),
};

const struct hci_fio_option *const hci_fio_table_main = rows;
const unsigned hci_fio_table_nmain = sizeof rows / sizeof rows[0];
