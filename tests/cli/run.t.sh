# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The verb run from outside: bad input, outputs, interrupts, equal seeds.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
export HCISIM_CONFIGS=$ROOT/configs

if ! "$HCISIM" help | grep -q '^  run '; then
    test_that "run simulates a job file on a layout"
    skip "this tree has no verb run"
    end_tests
    exit 0
fi

layout() { # FILE DISK-DEVICE [EXTRA-LINE]
    cat >"$TMP/$1" <<TEXT
name = "one disk";
platform: { kind = "native"; };
nodes = ( { disks = ( { device = "$2"; role = "data"; } ); } );
guests = ( { node = 0; vdisks = 1; } );
${3:-}
TEXT
}

job() { # FILE SECONDS [EXTRA-LINE]
    printf '[r]\nrw=randread\nbs=4k\niodepth=4\nioengine=libaio\ndirect=1\nsize=1g\nruntime=%s\ntime_based\n%s\n' \
        "$2" "${3:-}" >"$TMP/$1"
}

noise() { head -c 3000 "$HCISIM" >"$TMP/$1"; }

layout good.cfg ideal-100us
job good.fio 1

# refused STATUS STDERR-REGEX: the last run said so in one line, at once, and left no result.
refused() {
    expect_status "$1"
    expect_oneline
    expect_stderr "$2"
    expect_faster_than_ms 1000
    expect_no_file r.h5
    rm -f "$TMP/r.h5"
}

test_that "a small run prints fio's block, the bottleneck and where to read what is not modelled"
run run good.cfg good.fio
expect_status 0
expect_no_stderr
expect_stdout '^r: \(groupid=0'
expect_stdout 'IOPS='
expect_stdout '[Bb]ottleneck'
expect_stdout 'docs/model\.md'

test_that "a layout that is missing, a directory, empty or noise is refused with its name"
run run nowhere.cfg good.fio -o r.h5
refused 2 '^hcisim: nowhere\.cfg: '
mkdir "$TMP/dir.cfg"
run run dir.cfg good.fio -o r.h5
refused 2 '^hcisim: dir\.cfg: '
: >"$TMP/empty.cfg"
run run empty.cfg good.fio -o r.h5
refused 2 '^hcisim: empty\.cfg'
noise noise.cfg
run run noise.cfg good.fio -o r.h5
refused 2 '^hcisim: noise\.cfg'

test_that "an unknown key is refused with file, line and the nearest key"
layout key.cfg ideal-100us 'guets = ();'
run run key.cfg good.fio -o r.h5
refused 2 '^hcisim: key\.cfg:5: .*guets.*guests'

test_that "an unknown device is refused with file, line and the nearest device"
layout device.cfg ideal-100ms
run run device.cfg good.fio -o r.h5
refused 2 '^hcisim: device\.cfg:3: .*ideal-100ms.*ideal-100us'

test_that "a bare number where a unit belongs is refused with file and line"
layout bare.cfg ideal-100us 'initial = { settle = 30; };'
run run bare.cfg good.fio -o r.h5
refused 2 '^hcisim: bare\.cfg:5: .*unit'

test_that "a job file that is missing, a directory, empty or noise is refused with its name"
run run good.cfg nowhere.fio -o r.h5
refused 2 '^hcisim: nowhere\.fio: '
mkdir "$TMP/dir.fio"
run run good.cfg dir.fio -o r.h5
refused 2 '^hcisim: dir\.fio: '
: >"$TMP/empty.fio"
run run good.cfg empty.fio -o r.h5
refused 2 '^hcisim: empty\.fio'
noise noise.fio
run run good.cfg noise.fio -o r.h5
expect_status 2
expect_stderr '^hcisim: noise\.fio'
expect_no_file r.h5

test_that "an unknown job option is refused with file, line and the nearest option"
job option.fio 1 iodeph=4
run run good.cfg option.fio -o r.h5
refused 2 '^hcisim: option\.fio:10: .*iodeph.*iodepth'

test_that "an unknown key of --set is refused before anything runs"
run run good.cfg good.fio -o r.h5 --set nods=1
expect_status 2
expect_oneline
expect_stderr 'nods'

test_that "an output path that cannot be written is refused before simulating"
job hour.fio 36000
run run good.cfg hour.fio -o no/such/r.h5
refused 3 '^hcisim: no/such/r\.h5: cannot write: No such file or directory$'
run run good.cfg hour.fio -o .
refused 3 '^hcisim: \.: cannot write: Is a directory$'
run run good.cfg hour.fio --output=no/such/r.txt
refused 3 '^hcisim: no/such/r\.txt: cannot write'

test_that "an output is never one of the inputs or the other output"
run run good.cfg hour.fio -o good.cfg
refused 2 'would overwrite good\.cfg, which is read'
run run good.cfg hour.fio --output=./hour.fio
refused 2 'would overwrite hour\.fio, which is read'
printf '@include "nodes.inc"\n' >"$TMP/outer.cfg"
cp "$TMP/good.cfg" "$TMP/nodes.inc"
run run outer.cfg hour.fio -o nodes.inc
refused 2 'would overwrite .*nodes\.inc, which is read'
printf 'rw=randread\nbs=4k\nsize=16m\n' >"$TMP/common.inc"
printf '[a]\ninclude common.inc\nioengine=libaio\ndirect=1\n' >"$TMP/inc.fio"
run run good.cfg inc.fio -o common.inc
refused 2 'would overwrite common\.inc, which is read'
printf 'fio version 2 iolog\n/f add\n/f open\n/f read 0 4096\n/f close\n' >"$TMP/trace.log"
printf '[t]\nread_iolog=trace.log\nioengine=libaio\ndirect=1\nwrite_bw_log=x\n' >"$TMP/trace.fio"
run run good.cfg trace.fio -o trace.log
expect_status 2
expect_stderr '^hcisim: trace\.log: would overwrite trace\.log, which is read'
check "the trace is as it was" grep -q '/f read 0 4096' "$TMP/trace.log"
mkdir "$TMP/cat" && cp -r "$ROOT/configs/." "$TMP/cat"
HCISIM_CONFIGS=$TMP/cat run run good.cfg hour.fio -o cat/platforms/native.cfg
refused 2 'would overwrite .*platforms/native\.cfg, which is read'
run run good.cfg hour.fio -o r.h5 --output=./r.h5
refused 2 'name the same file'

test_that "a full device ends with 3 in one line and is still a device"
run run good.cfg good.fio -o /dev/full
expect_status 3
expect_stderr '^hcisim: /dev/full: cannot write: No space left on device$'
check "one line" test "$(wc -l <"$TMP/err")" = 1
check "/dev/full is a device" test -c /dev/full
run run good.cfg good.fio --output=/dev/full
expect_status 3
expect_oneline
run_to /dev/full run good.cfg good.fio
expect_status 3

test_that "--plot draws the latency distribution, with text only"
run run good.cfg good.fio --plot
expect_status 0
expect_stdout '^latency of r \(clat'
expect_stdout '^     50 % \|.*r.*\| r[0-9]'
run run good.cfg good.fio --plot --output-format=json
expect_status 2
expect_oneline

test_that "JSON on stdout is pure and has fio's keys"
run run good.cfg good.fio --output-format=json
expect_status 0
expect_json '."fio version" | startswith("fio-3.33")'
expect_json '.jobs[0].jobname == "r" and .jobs[0].read.iops > 0'
expect_json '.simulator.jobs[0].bottleneck | length > 0'

test_that "a report and a result file hold what was asked and nothing is left beside them"
run run good.cfg good.fio --output-format=json --output=rep.json -o rep.h5
expect_status 0
expect_no_stdout
expect_file rep.json
expect_file rep.h5
check "no temporary files" test "$(find "$TMP" -name 'rep*' | wc -l)" = 2
check "valid JSON" jq -e . "$TMP/rep.json" >"$TMP/jqout"

test_that "equal seeds give equal results and another seed gives others"
rand=samsung-990pro-1tb
layout rand.cfg "$rand"
run run rand.cfg good.fio -o a.h5 --seed 5
expect_status 0
run run rand.cfg good.fio -o b.h5 --seed 5
expect_status 0
run run rand.cfg good.fio -o c.h5 --seed 6
expect_status 0
run_cmd h5diff --exclude-path /provenance a.h5 b.h5
expect_status 0
expect_no_stdout
run_cmd h5diff --exclude-path /provenance a.h5 c.h5
expect_status 1

test_that "times that add up beyond the clock are refused as that"
printf '[a]\nrw=randread\nbs=4k\nsize=16m\nioengine=libaio\ndirect=1\nstartdelay=60000d\n[b]\nstonewall\nstartdelay=60000d\nrw=randread\nbs=4k\nsize=16m\nioengine=libaio\ndirect=1\n' >"$TMP/late.fio"
run run good.cfg late.fio
expect_status 2
expect_oneline
expect_stderr 'start delays, ramps, runtimes add up to more than the 292 years'
run run good.cfg good.fio --repeat 1000 --pause 5000000h
expect_status 2
expect_stderr 'passes and pauses add up to more'

test_that "values without effect are one note, and none when every value had one"
run run good.cfg good.fio --set guests.[0].vcpus=2 --set 'platform.psync_irq=1 us' --eta never
expect_status 0
expect_stderr '^hcisim: note: no effect in this run: .*guests\.\[0\]\.vcpus.*platform\.psync_irq \(no job uses psync\)|^hcisim: note: no effect in this run: platform\.psync_irq \(no job uses psync\).*guests\.\[0\]\.vcpus'
check "it is one note" test "$(grep -c 'no effect' "$TMP/err")" = 1
cp "$ROOT/configs/layouts/story1-native-optane.cfg" "$TMP/bare.cfg"
sed -i '/^initial/d; s/cores = [0-9]*; *//; s/memory = "[^"]*"; *//' "$TMP/bare.cfg"
run run bare.cfg good.fio --eta never
expect_status 0
check "no note" test "$(grep -c 'no effect' "$TMP/err")" = 0

test_that "an interrupt ends with 130"
job long.fio 360000
(cd "$TMP" && exec "$HCISIM" run good.cfg long.fio -o int.h5) >"$TMP/out" 2>"$TMP/err" &
pid=$!
sleep 1
check "the run is under way" kill -INT "$pid"
wait "$pid"
status=$?
expect_status 130
expect_stderr 'stopping; finished jobs are kept'

test_that "a killed run leaves the old result file as it was"
printf 'old' >"$TMP/kill.h5"
(cd "$TMP" && exec "$HCISIM" run good.cfg long.fio -o kill.h5) >"$TMP/out" 2>"$TMP/err" &
pid=$!
sleep 1
check "the run is under way" kill -KILL "$pid"
wait "$pid" 2>"$TMP/wait"
check "the old bytes are there" test "$(cat "$TMP/kill.h5")" = old
check "nothing beside it" test "$(find "$TMP" -name 'kill*' | wc -l)" = 1

end_tests
