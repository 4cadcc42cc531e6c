/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fio_table.h"

#include <stddef.h>

/* Rows that store nothing: their values are checked as fio checks them. */
#define BOOL(n, h) { .name = n, .type = HCI_FIO_BOOL, .verdict = HCI_FIO_ACCEPT, .help = h }
#define SET(n, h) { .name = n, .type = HCI_FIO_SET, .verdict = HCI_FIO_ACCEPT, .help = h }
#define COUNT(n, lo, hi, h) \
    { .name = n, .type = HCI_FIO_COUNT, .verdict = HCI_FIO_ACCEPT, .min = lo, .max = hi, .help = h }
#define TEXT(n, h) { .name = n, .type = HCI_FIO_TEXT, .verdict = HCI_FIO_ACCEPT, .help = h }
#define WORD(n, w, h) \
    { .name = n, .type = HCI_FIO_WORD, .verdict = HCI_FIO_ACCEPT, .words = w, .help = h }
#define NOTE(n, t, hi, h, y) \
    { .name = n, .type = t, .verdict = HCI_FIO_NOTE, .max = hi, .help = h, .why = y }
#define REFUSE(n, h, y) \
    { .name = n, .type = HCI_FIO_OPTTEXT, .verdict = HCI_FIO_REFUSE, .help = h, .why = y }
#define NEWER(n) \
    { .name = n, .type = HCI_FIO_OPTTEXT, .verdict = HCI_FIO_NOTE, \
      .help = "Option of a later fio", .why = "newer than fio 3.33, has no effect here" }
#define PROFILE(n) \
    { .name = n, .type = HCI_FIO_OPTTEXT, .verdict = HCI_FIO_NOTE, \
      .help = "Option of fio's built-in loads", \
      .why = "has no effect without profile (clones are made by numjobs)" }
#define ENGINE(n, t, e, h) \
    { .name = n, .type = t, .verdict = HCI_FIO_ACCEPT, .max = UINT32_MAX, .engines = e, .help = h }

#define MAX32 UINT32_MAX
#define ZBD "zoned block devices are not modelled"
#define TRACES "only read_iolog traces are meant to be replayed"
#define GONE "deprecated: fio refuses it too"

static const struct hci_fio_word clocks[] = { { "gettimeofday", 0 }, { "clock_gettime", 1 },
                                              { "cpu", 2 }, { 0 } };
static const struct hci_fio_word errors[] = { { "none", 0 }, { "read", 1 }, { "write", 2 },
                                              { "io", 3 },   { "verify", 4 }, { "all", 5 },
                                              { "0", 0 },    { "1", 5 },    { 0 } };
static const struct hci_fio_word policies[] = { { "shared", 0 }, { "split", 1 }, { 0 } };
static const struct hci_fio_word hints[] = { { "0", 0 }, { "1", 1 }, { "random", 2 },
                                             { "sequential", 3 }, { 0 } };
static const struct hci_fio_word memories[] = {
    { "malloc", 0 },     { "shm", 1 },      { "shmhuge", 2 },       { "mmap", 3 },
    { "mmapshared", 4 }, { "mmaphuge", 5 }, { "cudamalloc", 6 },    { 0 }
};
static const struct hci_fio_word submits[] = { { "inline", 0 }, { "offload", 1 }, { 0 } };
static const struct hci_fio_word locks[] = { { "none", 0 }, { "exclusive", 1 },
                                             { "readwrite", 2 }, { 0 } };
static const struct hci_fio_word lifetimes[] = { { "none", 0 }, { "short", 1 }, { "medium", 2 },
                                                 { "long", 3 }, { "extreme", 4 }, { 0 } };
static const struct hci_fio_word dedupe_modes[] = { { "repeat", 0 }, { "working_set", 1 },
                                                    { 0 } };
static const struct hci_fio_word cpu_modes[] = { { "noop", 0 }, { "qsort", 1 }, { 0 } };

static const struct hci_fio_option rows[] = {
    /* Files */
    BOOL("unique_filename", "Names differ between network clients"),
    BOOL("allow_file_create", "Missing files may be created"),
    BOOL("allow_mounted_write", "Writing to mounted devices is allowed"),
    BOOL("create_fsync", "Flush files after laying them out"),
    BOOL("create_on_open", "Create files when they are opened"),
    BOOL("create_serialize", "Lay files out one after another"),
    BOOL("pre_read", "Read files before the job"),
    BOOL("invalidate", "Drop cached pages before the job"),
    BOOL("unlink", "Remove files after the job"),
    BOOL("unlink_each_loop", "Remove files after each loop"),
    COUNT("openfiles", 0, MAX32, "Files open at once"),
    WORD("fadvise_hint", hints, "Advice to the page cache"),
    BOOL("atomic", "Ask for atomic direct I/O"),

    /* Data */
    SET("refill_buffers", "New data for each write; data are always unique here"),
    BOOL("scramble_buffers", "Slightly different data for each write"),
    TEXT("buffer_pattern", "Data are a repeated pattern"),
    COUNT("buffer_compress_chunk", 0, MAX32, "Granule of compressible data"),
    BOOL("dedupe_global", "Share duplicates between jobs"),
    WORD("dedupe_mode", dedupe_modes, "How duplicates are made"),
    COUNT("dedupe_working_set_percentage", 0, 100, "Blocks duplicates are taken from"),

    /* Verification details */
    COUNT("verify_async", 0, MAX32, "Threads that verify"),
    TEXT("verify_async_cpus", "Their processors"),
    BOOL("verify_dump", "Save blocks that differ"),
    BOOL("verify_fatal", "Stop at the first difference"),
    COUNT("verify_interval", 80, MAX32, "Bytes between checksums"),
    COUNT("verify_offset", 40, MAX32, "Place of the checksum header"),
    TEXT("verify_pattern", "Pattern to write and check"),
    BOOL("verify_state_load", "Continue from a saved state"),
    BOOL("verify_state_save", "Save the state at the end"),
    BOOL("trim_verify_zero", "Trimmed blocks must read as zeros"),
    BOOL("experimental_verify", "Another bookkeeping"),
    NOTE("verifysort", HCI_FIO_OPTTEXT, 0, "Order of verify reads", "deprecated in fio"),
    NOTE("verifysort_nr", HCI_FIO_OPTTEXT, 0, "Sorting batch", "deprecated in fio"),

    /* Errors */
    WORD("continue_on_error", errors, "Which errors do not end a job"),
    TEXT("ignore_error", "Error numbers that do not count"),
    BOOL("error_dump", "Print errors"),
    BOOL("block_error_percentiles", "Percentiles of failed blocks"),
    SET("exitall_on_error", "One job's error ends all"),

    /* Host */
    SET("thread", "Threads instead of processes"),
    { .name = "mem", .aliases = "iomem", .type = HCI_FIO_WORD, .verdict = HCI_FIO_ACCEPT,
      .def = "malloc", .words = memories, .help = "Where buffers live" },
    { .name = "iomem_align", .aliases = "mem_align", .type = HCI_FIO_COUNT,
      .verdict = HCI_FIO_ACCEPT, .max = MAX32, .help = "Alignment of buffers" },
    COUNT("hugepage-size", 0, MAX32, "Size of huge pages"),
    { .name = "lockmem", .type = HCI_FIO_BYTES, .verdict = HCI_FIO_ACCEPT, .max = INT64_MAX,
      .help = "Memory to pin" },
    COUNT("nice", -20, 19, "Process priority"),
    COUNT("cpumask", 0, MAX32, "Processors, as a mask"),
    TEXT("cpus_allowed", "Processors, as a list"),
    WORD("cpus_allowed_policy", policies, "Share processors or split them"),
    TEXT("numa_cpu_nodes", "NUMA nodes to run on"),
    TEXT("numa_mem_policy", "NUMA memory policy"),
    COUNT("gtod_cpu", 0, MAX32, "Processor that keeps the time"),
    WORD("clocksource", clocks, "Clock of the measuring host"),
    COUNT("uid", 0, MAX32, "User to run as"),
    COUNT("gid", 0, MAX32, "Group to run as"),
    TEXT("cgroup", "Control group"),
    COUNT("cgroup_weight", 100, 1000, "Its weight"),
    BOOL("cgroup_nodelete", "Keep it"),
    COUNT("gpu_dev_id", 0, MAX32, "GPU of the buffers"),

    /* Log details */
    COUNT("log_entries", 1024, 1048576, "Initial size of logs"),
    COUNT("log_compression", 1024, 536870912, "Compress logs in memory"),
    TEXT("log_compression_cpus", "Processors that compress"),
    BOOL("log_store_compressed", "Store logs compressed"),
    BOOL("log_prio", "Log priorities"),
    BOOL("log_unix_epoch", "Log absolute times"),
    BOOL("log_alternate_epoch", "Log times of another clock"),
    COUNT("log_alternate_epoch_clock_id", 0, MAX32, "Which clock"),

    /* Accepted with a note */
    { .name = "io_submit_mode", .type = HCI_FIO_WORD, .verdict = HCI_FIO_NOTE, .words = submits,
      .def = "inline", .help = "Submit from the job's thread or from workers",
      .why = "modelled as inline" },
    NOTE("serialize_overlap", HCI_FIO_BOOL, 1, "Keep overlapping I/Os apart",
         "overlapping I/Os are not kept apart"),
    NOTE("sync_file_range", HCI_FIO_TEXT, 0, "Start write-back of dirty pages",
         "the page cache is not modelled"),
    NOTE("trim_percentage", HCI_FIO_COUNT, 100, "Share of verified blocks to trim",
         "no blocks are trimmed"),
    NOTE("trim_backlog", HCI_FIO_COUNT, INT64_MAX, "Trim after so many writes",
         "no blocks are trimmed"),
    NOTE("trim_backlog_batch", HCI_FIO_COUNT, MAX32, "How many to trim at once",
         "no blocks are trimmed"),
    NOTE("prio", HCI_FIO_COUNT, 7, "I/O priority", "priorities are not modelled"),
    NOTE("prioclass", HCI_FIO_COUNT, 3, "I/O priority class", "priorities are not modelled"),
    NOTE("ioscheduler", HCI_FIO_TEXT, 0, "Scheduler of the host's device",
         "the host's scheduler is not modelled"),
    { .name = "write_hint", .type = HCI_FIO_WORD, .verdict = HCI_FIO_NOTE, .words = lifetimes,
      .def = "none", .help = "Expected lifetime of data", .why = "lifetimes are not modelled" },
    { .name = "lockfile", .type = HCI_FIO_WORD, .verdict = HCI_FIO_NOTE, .words = locks,
      .def = "none", .help = "Lock files during I/O", .why = "file locks are not modelled" },
    NOTE("exec_prerun", HCI_FIO_TEXT, 0, "Command to run before the job", "never executed"),
    NOTE("exec_postrun", HCI_FIO_TEXT, 0, "Command to run after the job", "never executed"),
    NOTE("write_iolog", HCI_FIO_TEXT, 0, "Save a trace of the I/Os", "no trace is written"),
    NOTE("flow_watermark", HCI_FIO_OPTTEXT, 0, "Slack of a flow", "deprecated in fio"),

    /* Refused */
    REFUSE("opendir", "Use every file of a directory",
           "the files of a real directory cannot be known here; list them in filename"),
    REFUSE("profile", "Run a built-in load", "load generators are not supported"),
    REFUSE("percentage_sequential", "Share of sequential I/O", GONE),
    REFUSE("rwmixcycle", "Period of the read-write mix", GONE),
    REFUSE("max_open_zones", "Zones open at once", ZBD),
    REFUSE("job_max_open_zones", "Zones open at once per job", ZBD),
    REFUSE("zonecapacity", "Usable part of a zone", ZBD),
    REFUSE("ignore_zone_limits", "Ignore the limit of open zones", ZBD),
    REFUSE("read_beyond_wp", "Read behind the write pointer", ZBD),
    REFUSE("zone_reset_threshold", "When zones are reset", ZBD),
    REFUSE("zone_reset_frequency", "How often zones are reset", ZBD),
    REFUSE("merge_blktrace_file", "Merge block traces", TRACES),
    REFUSE("merge_blktrace_iters", "Times each trace is merged", TRACES),
    REFUSE("merge_blktrace_scalars", "Speed of each merged trace", TRACES),
    REFUSE("read_iolog_chunked", "Read the trace in chunks", TRACES),
    REFUSE("replay_align", "Align replayed offsets", TRACES),
    REFUSE("replay_redirect", "Replay onto one device", TRACES),
    REFUSE("replay_scale", "Divide replayed offsets", TRACES),
    REFUSE("replay_skip", "Leave out a kind of I/O", TRACES),

    /* Newer than fio 3.33 */
    NEWER("comm"), NEWER("dataplacement"), NEWER("dp_scheme"), NEWER("end_syncfs"), NEWER("fdp"),
    NEWER("filetype"), NEWER("job_start_clock_id"), NEWER("log_issue_time"),
    NEWER("log_window_value"), NEWER("num_range"), NEWER("plid_select"), NEWER("plids"),
    NEWER("priohint"), NEWER("ramp_size"), NEWER("random_sequence_stride"),
    NEWER("recover_zbd_write_error"), NEWER("spr_cs"), NEWER("spr_num_regions"), NEWER("spr_op"),
    NEWER("sprandom"), NEWER("steadystate_check_interval"), NEWER("thinkcycles"),
    NEWER("verify_header_seed"), NEWER("verify_pattern_interval"), NEWER("verify_policy"),
    NEWER("verify_write_sequence"), NEWER("write_zone_remainder"),

    /* Options of fio's profiles, which fio takes without them too */
    PROFILE("threads"), PROFILE("block"), PROFILE("numruns"), PROFILE("dir"),
    PROFILE("device-names"), PROFILE("load"), PROFILE("test-duration"),
    PROFILE("threads-per-queue"), PROFILE("read-req-num-512-blocks"), PROFILE("prep"),
    PROFILE("large-block-op-kbytes"),

    /* Options of engines */
    ENGINE("userspace_reap", HCI_FIO_SET, "libaio", "Reap completions without a system call"),
    ENGINE("cmdprio_percentage", HCI_FIO_COUNT3, "libaio io_uring io_uring_cmd",
           "Share of I/Os with high priority"),
    ENGINE("cmdprio_class", HCI_FIO_COUNT3, "libaio io_uring io_uring_cmd", "Their class"),
    ENGINE("cmdprio", HCI_FIO_COUNT3, "libaio io_uring io_uring_cmd", "Their level"),
    ENGINE("cmdprio_bssplit", HCI_FIO_TEXT, "libaio io_uring io_uring_cmd",
           "Priorities by block size"),
    ENGINE("nowait", HCI_FIO_BOOL, "libaio io_uring io_uring_cmd pvsync2", "Do not block"),
    ENGINE("hipri", HCI_FIO_SET, "io_uring io_uring_cmd pvsync2 sg xnvme libblkio",
           "Polled completions"),
    ENGINE("hipri_percentage", HCI_FIO_COUNT, "pvsync2", "Share of polled I/Os"),
    ENGINE("fixedbufs", HCI_FIO_SET, "io_uring io_uring_cmd", "Registered buffers"),
    ENGINE("registerfiles", HCI_FIO_SET, "io_uring io_uring_cmd", "Registered files"),
    ENGINE("sqthread_poll", HCI_FIO_SET, "io_uring io_uring_cmd xnvme", "Submission thread"),
    ENGINE("sqthread_poll_cpu", HCI_FIO_COUNT, "io_uring io_uring_cmd", "Its processor"),
    ENGINE("nonvectored", HCI_FIO_COUNT, "io_uring io_uring_cmd", "Plain reads and writes"),
    ENGINE("uncached", HCI_FIO_COUNT, "io_uring io_uring_cmd pvsync2", "Uncached buffered I/O"),
    ENGINE("force_async", HCI_FIO_COUNT, "io_uring io_uring_cmd", "Force asynchronous work"),
    ENGINE("cmd_type", HCI_FIO_TEXT, "io_uring_cmd", "Type of pass-through command"),
    ENGINE("clustername", HCI_FIO_TEXT, "rbd rados", "Ceph cluster"),
    ENGINE("rbdname", HCI_FIO_TEXT, "rbd", "RBD image"),
    ENGINE("pool", HCI_FIO_TEXT, "rbd rados", "Ceph pool"),
    ENGINE("clientname", HCI_FIO_TEXT, "rbd rados", "Ceph client"),
    ENGINE("busy_poll", HCI_FIO_BOOL, "rbd rados", "Poll for completions"),
    ENGINE("touch_objects", HCI_FIO_BOOL, "rados", "Create objects first"),
    ENGINE("volume", HCI_FIO_TEXT, "gfapi gfapi_async", "Gluster volume"),
    ENGINE("brick", HCI_FIO_TEXT, "gfapi gfapi_async", "Gluster brick"),
    ENGINE("single-instance", HCI_FIO_BOOL, "gfapi gfapi_async", "One connection"),
    ENGINE("uri", HCI_FIO_TEXT, "nbd", "Network block device"),
    ENGINE("thp", HCI_FIO_BOOL, "mmap", "Huge pages"),
    ENGINE("readfua", HCI_FIO_BOOL, "sg", "FUA on reads"),
    ENGINE("writefua", HCI_FIO_BOOL, "sg", "FUA on writes"),
    ENGINE("sg_write_mode", HCI_FIO_TEXT, "sg", "SCSI write command"),
    ENGINE("stream_id", HCI_FIO_COUNT, "sg", "SCSI stream"),
    ENGINE("no_completion_thread", HCI_FIO_BOOL, "windowsaio", "No completion thread"),
    ENGINE("cpuload", HCI_FIO_COUNT, "cpuio", "Processor load in percent"),
    ENGINE("cpuchunks", HCI_FIO_COUNT, "cpuio", "Length of a burst, in us"),
    { .name = "cpumode", .type = HCI_FIO_WORD, .verdict = HCI_FIO_ACCEPT, .words = cpu_modes,
      .engines = "cpuio", .help = "Kind of work" },
    ENGINE("exit_on_io_done", HCI_FIO_BOOL, "cpuio", "End with the I/O jobs"),
    ENGINE("xnvme_async", HCI_FIO_TEXT, "xnvme", "Asynchronous backend"),
    ENGINE("xnvme_sync", HCI_FIO_TEXT, "xnvme", "Synchronous backend"),
    ENGINE("xnvme_admin", HCI_FIO_TEXT, "xnvme", "Admin backend"),
    ENGINE("xnvme_dev_nsid", HCI_FIO_COUNT, "xnvme", "Namespace"),
    ENGINE("libblkio_driver", HCI_FIO_TEXT, "libblkio", "Driver"),
    ENGINE("libblkio_path", HCI_FIO_TEXT, "libblkio", "Path"),
};

const struct hci_fio_option *const hci_fio_table_inert = rows;
const unsigned hci_fio_table_ninert = sizeof rows / sizeof rows[0];
