# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Options few jobs use, beside real fio where it can be had.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
export HCISIM_CONFIGS=$ROOT/configs

cat >"$TMP/one.cfg" <<'TEXT'
name = "one drive";
platform: { kind = "native"; };
nodes = ( { disks = ( { device = "samsung-990pro-1tb"; role = "data"; } ); } );
guests = ( { node = 0; vdisks = 1; vdisk_size = "64 MiB"; } );
TEXT

# section NAME OPTION...: one job behind a barrier.
section() {
    printf '[%s]\nstonewall\n' "$1"
    shift
    printf '%s\n' "$@"
}

# letters LOG: "w0 r0": direction and block of each I/O of a bandwidth log.
letters() { awk -F', ' '{printf "%s%d ", $3 ? "w" : "r", $5 / 4096} END {print ""}' "$1"; }

simulate() { run run one.cfg jobs.fio --output-format=json; }

test_that "verify_backlog reads back between the writes, in the order of real fio's"
{
    printf '[global]\nioengine=psync\nsize=64k\nbs=4k\nverify=crc32c\nlog_offset=1\n'
    section four rw=write verify_backlog=4 write_bw_log=four
    section two-of-six rw=write verify_backlog=6 verify_backlog_batch=2 write_bw_log=two
    section more rw=write verify_backlog=3 verify_backlog_batch=5 write_bw_log=more
    section beyond rw=write verify_backlog=100 write_bw_log=beyond
} >"$TMP/jobs.fio"
simulate
expect_status 0
for log in four_bw.1 two_bw.2 more_bw.3 beyond_bw.4; do
    letters "$TMP/$log.log" >"$TMP/$log.sim"
done
check "batches of two" grep -q '^w0 w1 w2 w3 w4 w5 r0 r1 w6 w7 r2 r3 w8 ' "$TMP/two_bw.2.sim"
if command -v fio >/dev/null; then
    mkdir -p "$TMP/real"
    (cd "$TMP/real" && fio --output=/dev/null ../jobs.fio >/dev/null 2>&1)
    for log in four_bw.1 two_bw.2 more_bw.3 beyond_bw.4; do
        letters "$TMP/real/$log.log" >"$TMP/$log.real"
        check "$log as fio" diff "$TMP/$log.real" "$TMP/$log.sim"
    done
else
    skip "fio is not installed"
fi

test_that "a block is read back only when its write is back"
{
    printf '[global]\nioengine=libaio\ndirect=1\nsize=1m\nbs=4k\niodepth=8\nlog_offset=1\n'
    section deep rw=randwrite verify=md5 verify_backlog=6 write_bw_log=deep
    section mixed rw=randrw verify=md5 verify_backlog=4 write_bw_log=mixed
} >"$TMP/jobs.fio"
simulate
expect_status 0
expect_json '.jobs[0] | .write.total_ios == 256 and .read.total_ios == 256'
expect_json '.jobs[1] | .read.total_ios == 256'
letters "$TMP/deep_bw.1.log" | tr ' ' '\n' | awk '
    /^w/ { written[substr($0, 2)] = 1; writes++ }
    /^r/ { if (!written[substr($0, 2)]) bad++; if (writes < 256) early++ }
    END { exit bad > 0 || early < 100 }'
check "no read before its write, most between the writes" test $? = 0

test_that "fsync_on_close flushes each file within the job's time, as end_fsync does"
{
    printf '[global]\nioengine=psync\ndirect=1\nsize=1m\nbs=64k\nrw=write\n'
    section plain
    section close fsync_on_close=1
    section end end_fsync=1
    section four-files fsync_on_close=1 nrfiles=4
    section reads rw=read fsync_on_close=1
    section reads-too rw=read end_fsync=0
} >"$TMP/jobs.fio"
simulate
expect_status 0
expect_json '[.jobs[].write.runtime] as $t | $t[0] < $t[1] and $t[1] == $t[2] and $t[3] > $t[1]'
expect_json '.jobs[4].read.runtime == .jobs[5].read.runtime'

test_that "create_only makes no I/O and ends at once"
{
    printf '[global]\nsize=1m\nrw=randrw\n'
    section a create_only=1
    section b create_only=1 rw=write verify=md5
    section c rw=read
} >"$TMP/jobs.fio"
simulate
expect_status 0
expect_json '[.jobs[] | .read.total_ios + .write.total_ios] == [0, 0, 256]'

test_that "file_append starts where the file ends by then, for all clones alike"
{
    printf '[global]\nbs=64k\nrw=write\nlog_offset=1\nfilename=log\n'
    section first size=1m
    section second size=256k offset=7m file_append=1 write_bw_log=second
    section third size=128k numjobs=2 file_append=1 write_bw_log=third
} >"$TMP/jobs.fio"
simulate
expect_status 0
offsets() { awk -F', ' '{printf "%d ", $5 / 65536}' "$TMP/$1"; }
check "behind the first" test "$(offsets second_bw.2.log)" = "16 17 18 19 "
check "behind the second" test "$(offsets third_bw.3.log)" = "20 21 "
check "its clone too" test "$(offsets third_bw.4.log)" = "20 21 "
printf '[a]\nfilename=log\nrw=write\nfile_append=1\n' >"$TMP/jobs.fio"
simulate
expect_status 2
expect_stderr 'jobs.fio:1: job a: file_append needs size='

test_that "fill_device writes until the volume is full"
{
    printf '[global]\nbs=1m\nrw=write\n'
    section half size=32m
    section rest fill_device=1 numjobs=2
} >"$TMP/jobs.fio"
simulate
expect_status 0
expect_json '[.jobs[].write.total_ios] == [32, 16, 16]'
printf '[a]\nbs=1m\nrw=write\nsize=1g\nfill_device=1\n[b]\nstonewall\nbs=1m\nsize=3m\nrw=write\nfill_device=1\n' >"$TMP/jobs.fio"
simulate
expect_status 0
expect_json '[.jobs[].write.total_ios] == [32, 3]'

test_that "with bs_is_seq_rand the pair of sizes means sequential and random"
{
    printf '[global]\nioengine=null\nfilename=f\nrw=randread\nsize=64m\nbs=4k,32k\nbs_is_seq_rand=1\n'
    section mixed percentage_random=30 norandommap io_size=8m
    section sequence rw=read size=1m
    section pairs rw=randread:3 io_size=4m size=64m
} >"$TMP/jobs.fio"
simulate
expect_status 0
# 8 MiB in I/Os of which 30 percent take 32 KiB: 12.4 KiB each; 3 standard deviations
expect_json '.jobs[0].read | (.io_bytes / .total_ios / 1024 - 12.4 | fabs) < 1.6'
expect_json '.jobs[1].read.total_ios == 256'
expect_json '.jobs[2].read | (.io_bytes / .total_ios / 1024 - 40 / 3 | fabs) < 0.2'

test_that "a random map too large to keep is drawn, and the report says so"
printf '[a]\nioengine=null\nrw=randread\nfilename=f\nnumjobs=2\nbssplit=512/50:4k/50\nnumber_ios=1000\n' >"$TMP/jobs.fio"
run run one.cfg jobs.fio --output-format=json --set 'guests.[0].vdisk_size="900 GiB"'
expect_status 0
expect_json '[.jobs[].read.total_ios] == [1000, 1000]'
run run one.cfg jobs.fio --set 'guests.[0].vdisk_size="900 GiB"'
expect_stdout 'a random map of several block sizes is too large to keep'
printf "[a]\nsize=32m\nrw=randread\nbssplit=4k/50:8k/50\n" >"$TMP/jobs.fio"
run run one.cfg jobs.fio
check "a small one is kept" sh -c "! grep -q 'too large to keep' '$TMP/out'"

test_that "thinktime_spin keeps the job's core busy for its part of the pause"
{
    printf '[global]\nioengine=libaio\ndirect=1\nfilename=f\nsize=64m\nrw=randread\n'
    printf 'runtime=1\ntime_based\nthinktime=1ms\n'
    section sleeps
    section spins thinktime_spin=400
    section spins-throughout thinktime_spin=5ms
} >"$TMP/jobs.fio"
simulate
expect_status 0
expect_json '[.jobs[].read.total_ios] | min > 900 and max - min < 20'
# share of the core's time spent, by job
expect_json '[.simulator.jobs[] | [.utilisation[] | select(.station | contains("job core")) |
    .utilisation] | max] | .[0] < 0.02 and (.[1] > 0.36 and .[1] < 0.41) and .[2] > 0.9'

# both WHAT PATTERN OPTION...: our text report and real fio's match.
both() {
    local what=$1 pattern=$2 report
    shift 2
    printf '%s\n' '[a]' ioengine=null filename=f rw=read bs=4k size=32m loops=8 "$@" >"$TMP/jobs.fio"
    run run one.cfg jobs.fio
    check "$what" grep -Eq "$pattern" "$TMP/out"
    if command -v fio >/dev/null; then
        report=$(fio "$TMP/jobs.fio")
        check "$what in fio" grep -Eq "$pattern" <<<"$report"
    fi
}

test_that "kb_base, unit_base and significant_figures shape the text report as in fio"
both "bits" 'BW=[0-9.]+[MG]ibit/s \([0-9.]+[MG]bit/s\)\(256MiB/' unit_base=1
both "a thousand" 'BW=[0-9.]+[MG]B/s \([0-9.]+[MG]iB/s\)\(268MB/' kb_base=1000 size=33554432
both "its group" ': bw=.*, io=268MB \(256MiB\), run=' kb_base=1000 size=33554432
both "bits of a thousand" ': bw=[0-9.]+[MG]bit/s \([0-9.]+[MG]ibit/s\), .*, io=268MB' kb_base=1000 \
    unit_base=1 size=33554432
both "seven digits" '\(262144KiB/.*' significant_figures=7
both "two digits" ', io=0GiB \(0GB\)' significant_figures=2

test_that "a job file of ten thousand sections is checked in seconds"
{
    printf '[global]\nsize=1g\nioengine=libaio\nrw=randread\niodepth=32\n'
    awk 'BEGIN {for (i = 0; i < 10000; i++) print "[job" i "]\nfilename=/dev/sd" i % 50}'
} >"$TMP/jobs.fio"
run run one.cfg jobs.fio --parse-only --set 'guests.[0].vdisk_size="60 GiB"'
expect_status 0
expect_faster_than_ms 10000

end_tests
