# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Rates, pauses and company: whole jobs, beside real fio where counts allow.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
export HCISIM_CONFIGS=$ROOT/configs

layout() {
    cat <<TEXT
name = "one ideal disk";
platform: { kind = "native"; };
nodes = ( { disks = ( { device = "$1"; role = "data"; } ); } );
guests = ( { node = 0; vdisks = 1; } );
TEXT
}
layout ideal-zero >"$TMP/zero.cfg"
layout ideal-100us >"$TMP/slow.cfg"

# job NAME OPTION...: appends a section to the job file.
job() {
    printf '[%s]\nstonewall\n' "$1"
    shift
    printf '%s\n' "$@"
}

# simulate LAYOUT: jobs.fio.
simulate() { run run "$1" jobs.fio --output-format=json; }

test_that "rates give as many I/Os as real fio's null engine, give or take one"
{
    printf '[global]\nioengine=null\nsize=1g\nbs=4k\nruntime=500ms\ntime_based\n'
    job iops rate_iops=200 rw=randread
    job bytes rate=1m rw=write
    job both rw=randrw rate_iops=200
    job apart rw=randrw rate_iops=400,100
    job clones rate_iops=100 numjobs=4 group_reporting rw=read
} >"$TMP/rates.fio"
if command -v fio >/dev/null; then
    run_cmd fio --output-format=json --output=fio.json rates.fio
    expect_status 0
    run run zero.cfg rates.fio --output-format=json --output=sim.json
    expect_status 0
    jq -s '[.[] | [.jobs[] | .read.total_ios, .write.total_ios]]' "$TMP/fio.json" \
        "$TMP/sim.json" >"$TMP/out"
    # a real clock may oversleep the end: 2 percent, at least 2, a clone
    expect_json '(.[0] | length) == 10 and ([.[0], .[1]] | transpose |
        all((.[0] - .[1] | fabs) <= ([8, .[0] * 0.02] | max)))'
else
    skip "fio is not installed"
fi

test_that "under a rate the queue is drained, so its depth is one"
{
    printf '[global]\nioengine=libaio\ndirect=1\nsize=1g\nbs=4k\nruntime=1\ntime_based\n'
    job a rw=randread iodepth=8 rate_iops=1000
} >"$TMP/jobs.fio"
simulate slow.cfg
expect_status 0
expect_json '.jobs[0] | .read.total_ios == 1000 and .iodepth_level."1" == 100'

test_that "think time with a deep queue gives the depths real fio gives"
{
    printf '[global]\nioengine=libaio\ndirect=1\nsize=4m\nbs=4k\nrw=randread\niodepth=8\n'
    printf 'number_ios=80\nthinktime=20ms\n'
    job one thinktime_blocks=1
    job four thinktime_blocks=4
    job four-issued thinktime_blocks=4 thinktime_blocks_type=issue
    job eight thinktime_blocks=8
} >"$TMP/jobs.fio"
simulate slow.cfg
expect_status 0
# measured with fio 3.33 on asynchronous I/O to a file
expect_json '[.jobs[].iodepth_level | [."1", ."2", ."4", ."8"]] ==
    [[91.25, 2.5, 5, 1.25], [18.75, 18.75, 35, 27.5], [25, 50, 25, 0], [12.5, 22.5, 45, 20]]'

test_that "a minimum rate that is missed ends the job with error 5"
{
    printf '[global]\nioengine=libaio\ndirect=1\nsize=1g\nbs=4k\nruntime=9\ntime_based\n'
    job a rw=randread rate_iops=100 rate_iops_min=200
} >"$TMP/jobs.fio"
simulate slow.cfg
expect_status 1
expect_json '.jobs[0] | .error == 5 and .job_runtime < 3200'
expect_stderr "job 'a' ended in error"

test_that "batched completions give the depth they really give"
{
    printf '[global]\nioengine=libaio\ndirect=1\nsize=64m\nbs=4k\nrw=randread\niodepth=16\n'
    job polled iodepth_batch_complete_min=0
    job low iodepth_low=1
    job whole iodepth_batch=16 iodepth_batch_complete_min=16
} >"$TMP/jobs.fio"
simulate slow.cfg
expect_status 0
expect_json '.jobs[0].iodepth_level."1" == 100 and .jobs[2].iodepth_level."16" < 7'
expect_json '.jobs[1].iodepth_level | ."16" > 6 and ."16" < 7 and ."2" > 12 and ."8" > 49'

test_that "the first job to end takes its group with it under exitall"
{
    printf '[global]\nioengine=libaio\ndirect=1\nsize=1g\nbs=4k\nrw=randread\nexitall\n'
    printf '[short]\nruntime=100ms\ntime_based\n[long]\nruntime=9\ntime_based\n'
    printf '[late]\nstartdelay=5\nruntime=9\n'
    job other runtime=200ms time_based
} >"$TMP/jobs.fio"
simulate slow.cfg
expect_status 0
expect_json '[.jobs[].read.runtime] | .[0] >= 100 and .[1] >= 100 and .[0] < 102 and .[1] < 102'
expect_json '.jobs[2].read.total_ios == 0 and .jobs[3].read.runtime >= 200'

test_that "exit_what=all ends jobs that have not begun"
{
    printf '[global]\nioengine=libaio\ndirect=1\nsize=1g\nbs=4k\nrw=randread\nexitall\n'
    printf 'exit_what=all\nruntime=100ms\ntime_based\n[a]\n'
    job b
} >"$TMP/jobs.fio"
simulate slow.cfg
expect_status 0
expect_json '.jobs[0].read.total_ios > 500 and .jobs[1].read.total_ios == 0'

test_that "a flow keeps jobs in the ratio of their weights, as real fio does"
{
    printf '[global]\nioengine=null\nsize=1g\nbs=4k\nrw=randread\nflow_id=3\n'
    printf 'number_ios=8000\n[a]\nflow=8\n[b]\nflow=1\nnumber_ios=1000\n'
    printf '[free]\nflow=0\nnumber_ios=77\n'
} >"$TMP/jobs.fio"
sed '/number_ios=/d; s/^rw=/runtime=500ms\ntime_based\nrw=/; s/null/libaio\ndirect=1/' \
    "$TMP/jobs.fio" >"$TMP/timed.fio"
simulate zero.cfg
expect_status 0
expect_json '[.jobs[].read.total_ios] == [8000, 1000, 77]'
run run slow.cfg timed.fio --output-format=json
expect_status 0
expect_json '[.jobs[].read.total_ios] | .[0] / .[1] > 7.9 and .[0] / .[1] < 8.1'
expect_json '[.jobs[].read.runtime] | max < 502'

test_that "an I/O above max_latency ends the job with error 110"
{
    printf '[global]\nioengine=libaio\ndirect=1\nsize=1g\nbs=4k\nrw=randread\n'
    printf 'runtime=1\ntime_based\n'
    job fine max_latency=10ms
    job late max_latency=50
} >"$TMP/jobs.fio"
simulate slow.cfg
expect_status 1
expect_json '[.jobs[].error] == [0, 110] and .jobs[1].read.total_ios == 1'
expect_stderr "job 'late' ended in error"

test_that "latency_target finds the depth at which latency still meets it"
layout ideal-16k-iops >"$TMP/capped.cfg"
{
    printf '[global]\nioengine=libaio\ndirect=1\nsize=1g\nbs=4k\nrw=randread\niodepth=64\n'
    job a latency_target=600 latency_window=20ms latency_percentile=95
} >"$TMP/jobs.fio"
simulate capped.cfg
expect_status 0
expect_json '.jobs[0].read | .lat_ns.mean < 620000 and .lat_ns.mean > 450000 and .runtime < 60'

test_that "a steady job stops when its window is steady"
{
    printf '[global]\nioengine=libaio\ndirect=1\nsize=1g\nbs=4k\nrw=randread\n'
    printf 'runtime=60\ntime_based\nramp_time=300ms\n'
    job a steadystate=iops:1% steadystate_duration=3 steadystate_ramp_time=2
    job restless steadystate=iops:1% steadystate_duration=3 runtime=7 thinktime=2500ms \
        thinktime_blocks=1000
} >"$TMP/jobs.fio"
simulate slow.cfg
expect_status 0
expect_json '.jobs[0] | .steadystate.attained == 1 and .read.runtime >= 5000 and .read.runtime < 5010'
expect_json '.jobs[1] | .steadystate.attained == 0 and .read.runtime == 7000'

test_that "trim jobs move as many blocks as real fio's, each trim a command without data"
{
    printf '[global]\nioengine=null\nsize=1m\nbs=4k\niodepth=4\n'
    job seq rw=trim
    job random rw=randtrim bs=8k
    job both rw=trimwrite bs=64k
} >"$TMP/jobs.fio"
simulate slow.cfg
expect_status 0
expect_json '[.jobs[] | [.read.total_ios, .write.total_ios, .trim.total_ios, .trim.io_bytes]] ==
    [[0, 0, 256, 1048576], [0, 0, 128, 1048576], [0, 16, 16, 1048576]]'
expect_json '.jobs[0].trim.lat_ns.mean >= 100000 and .jobs[0].iodepth_level."1" == 100'
expect_json '[.disk_util[] | .write_ios] | add == 16'
if command -v fio >/dev/null; then
    run_cmd fio --output-format=json --output=fio.json jobs.fio
    cp "$TMP/fio.json" "$TMP/out"
    expect_json '[.jobs[] | [.read.total_ios, .write.total_ios, .trim.total_ios, .trim.io_bytes]] ==
        [[0, 0, 256, 1048576], [0, 0, 128, 1048576], [0, 16, 16, 1048576]]'
fi

test_that "verify reads back as many blocks as real fio does"
{
    printf '[global]\nioengine=null\nsize=1m\nbs=4k\niodepth=4\n'
    job write rw=write verify=crc32c
    job left-alone rw=write verify=md5 do_verify=0
    job reader rw=read verify=md5
    job loops rw=write verify=md5 loops=2
    job random rw=randwrite verify=xxhash end_fsync=1
    job beyond rw=write verify=md5 io_size=2m
    job stopped rw=write verify=md5 time_based runtime=100ms rate_iops=1000
} >"$TMP/jobs.fio"
simulate zero.cfg
expect_status 0
jq -c '.jobs[] | [.read.total_ios, .write.total_ios]' "$TMP/out" >"$TMP/sim.counts"
check "the counts fio 3.33 gives" diff "$TMP/sim.counts" - <<'TEXT'
[256,256]
[0,256]
[256,0]
[512,512]
[256,256]
[256,256]
[0,100]
TEXT
if command -v fio >/dev/null; then
    run_cmd fio --output-format=json --output=fio.json jobs.fio
    sed -n '/^{/,$p' "$TMP/fio.json" | # a note of fio's stands in front
        jq -c '.jobs[:-1][] | [.read.total_ios, .write.total_ios]' >"$TMP/fio.counts"
    check "fio says the same" diff "$TMP/fio.counts" <(head -n 6 "$TMP/sim.counts")
fi

test_that "the read phase of a mixed job covers what it wrote, and verify_only nothing else"
{
    printf '[global]\nioengine=libaio\ndirect=1\nsize=1m\nbs=4k\niodepth=4\n'
    job mixed rw=randrw verify=md5
    job only rw=write verify=md5 verify_only
} >"$TMP/jobs.fio"
simulate slow.cfg
expect_status 0
expect_json '.jobs[0] | .read.total_ios == 256 and .write.total_ios > 90'
expect_json '.jobs[1] | .read.total_ios == 256 and .write.total_ios == 0'

cat >"$TMP/v3.log" <<'TEXT'
fio version 3 iolog
0 /dev/x add
0 /dev/x open
5000 /dev/x read 4096 4096
5000 /dev/x read 0 4096
20000 /dev/x write 8192 8192
what is this
40000 /dev/x trim 0 4096
60000 /dev/x sync 0 0
80000 /dev/y read 1048576 65536
90000 /dev/x close
TEXT
cat >"$TMP/v2.log" <<'TEXT'
fio version 2 iolog
f add
f open
f wait 10000 0
f read 0 4096
f wait 15000 0
f write 4096 4096
f close
TEXT

test_that "a trace is replayed at its own times, and its lines are counted"
{
    printf '[global]\nioengine=libaio\ndirect=1\niodepth=4\nwrite_lat_log=log\nper_job_logs=1\n'
    job a read_iolog=v3.log
} >"$TMP/jobs.fio"
simulate slow.cfg
expect_status 0
expect_stderr 'v3\.log: 10 lines read, 9 used, 1 skipped; 6 I/Os'
expect_json '.jobs[0] | [.read.total_ios, .write.total_ios, .trim.total_ios, .sync.total_ios] ==
    [3, 1, 1, 1]'
expect_json '.jobs[0] | .read.io_bytes == 73728 and .read.runtime == 80'
check "both reads of 5 ms, then 20, 40, 80 ms" test \
    "$(cut -d, -f1 "$TMP"/log_lat.1.log | sort -n | tr '\n' ' ')" = '5 5 20 40 80 '
{
    printf '[global]\nioengine=libaio\ndirect=1\n'
    job waits read_iolog=v2.log
    job stretched read_iolog=v2.log replay_time_scale=50
    job hurried read_iolog=v2.log replay_no_stall=1
} >"$TMP/jobs.fio"
simulate slow.cfg
expect_status 0
expect_json '[.jobs[].read.runtime] == [25, 50, 0]'

test_that "a trace without a usable line, of another format or missing is one clear error"
printf 'fio version 2 iolog\nf add\nf reed 0 4096\n' >"$TMP/none.log"
printf '\007blktrace' >"$TMP/binary.log"
for f in none.log:'no I/O that can be used' binary.log:'must begin with' gone.log:'No such file'; do
    job a "read_iolog=${f%%:*}" >"$TMP/jobs.fio"
    run run slow.cfg jobs.fio
    expect_status 2
    expect_oneline
    expect_stderr "${f%%:*}.*${f#*:}"
done

end_tests
