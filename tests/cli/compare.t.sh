# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The verb compare from outside: itself, planted faults, bad input.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export HCISIM_CONFIGS=$ROOT/configs

cat >"$TMP/job.fio" <<'TEXT'
[global]
ioengine=libaio
direct=1
filename=/dev/x
size=64g
time_based
[rr]
rw=randread
bs=4k
iodepth=32
runtime=1
[mix]
stonewall
rw=randrw
rwmixread=70
bs=8k
iodepth=4
runtime=1
TEXT
cat >"$TMP/layout.cfg" <<'TEXT'
platform: { kind = "native"; };
nodes = ( { disks = ( { device = "samsung-980pro-1tb"; role = "data"; } ); } );
guests = ( { node = 0; vdisks = 1; } );
TEXT

test_that "a result compared with itself, in either format, has ratios of 1 and a distance of 0"
run run layout.cfg job.fio --section rr --output-format=json+ --output=sim.json -o sim.h5
expect_status 0
run compare sim.h5 sim.json --tolerance=0.0001 --json
expect_status 0
expect_json '[.pairs[].metrics[].ratio] | length == 8 and all(. == 1)'
expect_json '.pairs[0].ks_distance == 0 and (.suspect | length == 0)'
run compare sim.json sim.h5 --tolerance=0.0001
expect_status 0
expect_stdout '^  IOPS +[0-9]+ +[0-9]+ +1\.000  same$'

# measured NAME FILTER: what a real fio would have left, changed by a jq filter.
measured() {
    jq "del(.simulator, .disk_util) | .\"fio version\" = \"fio-3.33\"
        | .jobs[].read.runtime = 60000 | .jobs[].\"job options\".runtime = \"60\"
        | .jobs[].read |= (.total_ios = (.iops * 60 | floor)) | $2" "$TMP/sim.json" >"$TMP/$1"
}
suspect() { # CODE TEXT-REGEX
    run compare sim.h5 m.json --tolerance=50 --json
    expect_status 1
    expect_json "[.suspect[] | select(.code == \"$1\") | .text | select(test(\"$2\"))] | length > 0"
}

test_that "a sound measurement passes in silence"
measured m.json .
run compare sim.h5 m.json --tolerance=1 --json
expect_status 0
expect_no_stderr
expect_json '(.suspect | length == 0) and (.notes | length == 0)'

test_that "latencies in microseconds under a nanosecond key are found by Little's law"
measured m.json '.jobs[].read |= (.lat_ns |= (.mean /= 1000 | .min /= 1000 | .max /= 1000))'
suspect units 'in flight where'

test_that "bandwidth in KiB under a byte key is found"
measured m.json '.jobs[].read |= (.bw_bytes /= 1024)'
suspect units 'bandwidth / IOPS = 4 B where bs=4096'

test_that "cached reads are found below the floor of the layout"
measured m.json '.jobs[].read |= (.iops *= 10 | .total_ios *= 10 | .bw_bytes *= 10
    | .lat_ns |= (.mean /= 10 | .min /= 10 | .max /= 10 | del(.bins))
    | .clat_ns |= (.mean /= 10 | .min /= 10 | .max /= 10 | del(.bins) | .percentile[] /= 10))'
suspect floor 'fastest path'

test_that "buffered reads are found"
measured m.json '.jobs[]."job options".direct = "0"'
suspect cache 'direct=1 is not set'

test_that "reads that never reached a disk are found"
measured m.json '.disk_util = [{name: "sda", read_ios: 12, write_ios: 0, read_merges: 0, write_merges: 0}]'
suspect holes 'the disks served 12'

test_that "a depth that was not reached is found"
measured m.json '.jobs[]."job options".iodepth = "128"'
suspect depth 'in flight of 128'
suspect options 'iodepth is 128 here and 32'

test_that "a run that is too short or was cut down is found"
measured m.json '.jobs[].read |= (.runtime = 3000 | .total_ios = (.iops * 3 | floor))'
suspect short 'ran 3.0 s'

test_that "a job that is another one is found although its name fits"
measured m.json '.jobs[]."job options".rw = "read"'
suspect options 'another job: rw is read here and randread'

test_that "a rate limit that held for each direction is found as a doubled rate"
run run layout.cfg job.fio --section mix --output-format=json --output=mix.json
expect_status 0
jq 'del(.simulator, .disk_util) | .jobs[] |= (."job options" += {runtime: "60", rate_iops: "1000"}
    | (.read, .write) |= (.iops = 1000 | .total_ios = 60000 | .runtime = 60000 | .bw_bytes = 8192000))' \
    "$TMP/mix.json" >"$TMP/m.json"
run compare mix.json m.json --json --tolerance=50
expect_status 1
expect_json '[.suspect[] | select(.code == "rate") | .text | test("for each direction: 1000 read")] | any'

test_that "a job of another name is matched by its options, one of neither is refused"
measured m.json '.jobs[].jobname = "other"'
run compare sim.h5 m.json --json
expect_status 0
expect_json '.pairs[0].matched_by == "options" and .pairs[0].measured_job == "other"'
measured m.json '.jobs[] |= (.jobname = "rx" | ."job options".bs = "64k")'
run compare sim.h5 m.json
expect_status 2
expect_oneline
expect_stderr "^hcisim: m\.json: none of its 1 jobs"

test_that "a file cut off in the middle is said and ends with 2"
measured whole.json .
head -c $(($(wc -c <"$TMP/whole.json") - 30)) "$TMP/whole.json" >"$TMP/m.json"
run compare sim.h5 m.json
expect_status 2
expect_stderr '^hcisim: m\.json: cut off in the middle'

test_that "a difference beyond the tolerance ends with 1"
measured m.json '.jobs[].read |= (.iops *= 0.8 | .total_ios = (.total_ios * 0.8 | floor)
    | .bw_bytes *= 0.8 | .lat_ns.mean *= 1.25 | .lat_ns.max *= 2)'
run compare sim.h5 m.json --tolerance=10
expect_status 1
expect_stdout '^  IOPS .* 1\.250  HIGH$'
run compare sim.h5 m.json
expect_status 0

test_that "bad usage and bad files are refused in one line"
run compare sim.h5
expect_status 2
expect_oneline
run compare sim.h5 m.json --tolerance=x
expect_status 2
expect_oneline
run compare m.json sim.h5
expect_status 2
expect_stderr 'this one was measured'
head -c 2000 "$TMP/sim.h5" >"$TMP/half.h5"
run compare half.h5 m.json
expect_status 2
expect_oneline

test_that "a file that is no text is named for what it is, and a percent sign is no error"
gzip -c "$TMP/sim.json" >"$TMP/sim.json.gz"
run compare sim.h5 sim.json.gz
expect_status 2
expect_oneline
expect_stderr 'sim.json.gz: the file is compressed by gzip: unpack it first'
printf '\377\376{\0}\0' >"$TMP/wide.json"
run compare sim.h5 wide.json
expect_status 2
expect_oneline
expect_stderr 'text in UTF-16'
run compare sim.h5 sim.json --tolerance=1%
expect_status 0

test_that "Infinity in a result is mended, jobs that are missing are said"
sed '0,/"mean" : [0-9.]*/s//"mean" : -Infinity/' "$TMP/sim.json" >"$TMP/inf.json"
run compare sim.h5 inf.json
expect_status 0
printf '{"fio version":"fio-3.33","jobs":[]}' >"$TMP/none.json"
run compare sim.h5 none.json
expect_status 2
expect_oneline
expect_stderr 'none.json: .*no jobs'

end_tests
