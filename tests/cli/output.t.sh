# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# What run prints and writes: formats together, terse, logs, interim reports,
# checks alone.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
export HCISIM_CONFIGS=$ROOT/configs

cat >"$TMP/one.cfg" <<'TEXT'
name = "one disk";
platform: { kind = "native"; };
nodes = ( { disks = ( { device = "samsung-990pro-1tb"; role = "data"; } ); } );
guests = ( { node = 0; vdisks = 1; } );
TEXT

cat >"$TMP/job.fio" <<'TEXT'
[global]
ioengine=libaio
direct=1
filename=/dev/x
size=1g
time_based
[a]
rw=randrw
bs=4k
iodepth=4
runtime=2
[b]
stonewall
rw=randread
bs=8k
iodepth=2
runtime=1
numjobs=2
TEXT

lines() { wc -l <"$TMP/$1"; }
fields() { awk -F';' -v row="$2" 'NR == row { print NF }' "$TMP/$1"; }

test_that "terse output has fio's fields, one line a job and no more"
run run one.cfg job.fio --minimal
expect_status 0
expect_no_stderr
check "a line a job" test "$(lines out)" = 3
check "130 fields with one disk" test "$(fields out 1)" = 130
expect_stdout '^3;fio-3\.33 \(simulated\);a;0;0;'
run run one.cfg job.fio --output-format=terse --terse-version=5
check "189 fields with one disk" test "$(fields out 2)" = 189
expect_stdout '^5;fio-3\.33 \(simulated\);b;1;0;0?'

test_that "formats go together in fio's order: terse, JSON, normal"
run run one.cfg job.fio --output-format=normal,json,terse
expect_status 0
check "order" test "$(grep -nE '^3;.*;a;|^\{$|^a: \(groupid=0' "$TMP/out" | cut -d: -f2 | cut -c1 | tr -d '\n')" = '3{a'
sed -n '/^{$/,/^}$/p' "$TMP/out" >"$TMP/json"
cp "$TMP/json" "$TMP/out"
expect_json '.jobs | length == 3'

test_that "an unknown format and a wrong terse version are refused in one line"
run run one.cfg job.fio --output-format=tersse
expect_status 2
expect_oneline
expect_stderr 'tersse.*terse'
run run one.cfg job.fio --terse-version=6
expect_status 2
expect_oneline
expect_stderr '2, 3, 4 or 5'

log_job() {
    sed "s/^\[a\]/[a]\nwrite_bw_log=x\nwrite_iops_log=x\nwrite_lat_log=x\nwrite_hist_log=x\n$1/" \
        "$TMP/job.fio" >"$TMP/log.fio"
}

test_that "averaged logs have fio's names and a line a window and direction"
log_job 'log_avg_msec=500\nlog_hist_msec=1000\nlog_hist_coarseness=2'
run run one.cfg log.fio --output-format=json
expect_status 0
for kind in bw iops slat clat lat clat_hist; do expect_file "x_$kind.1.log"; done
expect_no_file x_bw.2.log
check "four whole windows, two directions" test "$(lines x_bw.1.log)" = 8
check "the last one ends with the job" test "$(awk -F', ' 'END { print $1 }' "$TMP/x_bw.1.log")" = 2000
check "two histogram windows, two directions" test "$(lines x_clat_hist.1.log)" = 4
check "1856 / 4 bins" test "$(awk -F', ' 'NR == 1 { print NF }' "$TMP/x_clat_hist.1.log")" = 467
logged=$(awk -F', ' '{ s += $2 / 2 } END { print int(s) }' "$TMP/x_iops.1.log")
done_ios=$(jq '.jobs[0] | .read.total_ios + .write.total_ios' "$TMP/out")
check "the log's I/Os ($logged) are the report's ($done_ios)" \
    test $((logged > done_ios - 20 && logged <= done_ios)) = 1
binned=$(awk -F', ' '{ for (i = 4; i <= NF; i++) s += $i } END { print s }' "$TMP/x_clat_hist.1.log")
check "the histograms' I/Os ($binned) are the report's" \
    test $((binned > done_ios - 20 && binned <= done_ios)) = 1
rm -f "$TMP"/x_*

test_that "without a window every I/O is a line with its size and offset"
log_job 'log_offset=1'
run run one.cfg log.fio --output-format=json
expect_status 0
done_ios=$(jq '.jobs[0] | .read.total_ios + .write.total_ios' "$TMP/out")
for kind in bw iops slat clat lat; do
    check "$kind: a line an I/O" test "$(lines x_$kind.1.log)" = "$done_ios"
done
check "lines ascend, sizes and offsets are the job's" awk -F', ' \
    '$1 < last || $4 != 4096 || $5 % 4096 || $5 >= 2 ^ 30 || NF != 6 { exit 1 } { last = $1 }' \
    "$TMP/x_lat.1.log"
mean=$(awk -F', ' '$3 == 0 { n++; s += $2 } END { printf "%.3f", s / n }' "$TMP/x_clat.1.log")
printed=$(jq '.jobs[0].read.clat_ns.mean * 1000 | round / 1000' "$TMP/out")
check "the log's mean ($mean) is the report's ($printed)" \
    test "$(awk -v a="$mean" -v b="$printed" 'BEGIN { print (a - b) ^ 2 < 1e-4 }')" = 1
rm -f "$TMP"/x_*

test_that "clones have a log each, or one with per_job_logs=0"
sed 's/^numjobs=2/numjobs=2\nwrite_iops_log\nlog_avg_msec=250/' "$TMP/job.fio" >"$TMP/log.fio"
run run one.cfg log.fio
expect_status 0
expect_file b_iops.2.log
expect_file b_iops.3.log
joined=$(($(lines b_iops.2.log) + $(lines b_iops.3.log)))
rm -f "$TMP"/b_*
printf 'per_job_logs=0\n' >>"$TMP/log.fio"
run run one.cfg log.fio
expect_no_file b_iops.2.log
check "all lines in one file" test "$(lines b_iops.log)" = "$joined"
rm -f "$TMP"/b_*

test_that "a log that cannot be written or would hit an input is refused before simulating"
log_job 'runtime=36000'
sed -i 's|write_bw_log=x|write_bw_log=no/such/x|' "$TMP/log.fio"
run run one.cfg log.fio
expect_status 3
expect_oneline
expect_stderr '^hcisim: no/such/x_bw\.1\.log: cannot write'
sed 's/^\[a\]/[a]\nwrite_bw_log=in/' "$TMP/job.fio" >"$TMP/in_bw.1.log"
run run one.cfg in_bw.1.log
expect_status 2
expect_oneline
expect_stderr 'in_bw\.1\.log:[0-9]+: job a: its bw log would overwrite in_bw\.1\.log'

test_that "a status interval gives whole documents, the last of which is the result"
run run one.cfg job.fio --output-format=json --status-interval=1
expect_status 0
cp "$TMP/out" "$TMP/status"
jq -s -c 'map(.jobs | map(.eta > 0))' "$TMP/status" >"$TMP/out"
expect_stdout '^\[\[true\],\[true\],\[false,true,true\],\[false,false,false\]\]$'
jq -s -c '.[-1] | del(.simulator.events, .simulator.ties, .simulator.hash)' "$TMP/status" >"$TMP/last"
run run one.cfg job.fio --output-format=json
jq -c 'del(.simulator.events, .simulator.ties, .simulator.hash)' "$TMP/out" >"$TMP/plain"
check "the same result as without" cmp -s "$TMP/plain" "$TMP/last"

test_that "parse-only runs every check and simulates nothing"
sed -i 's/^runtime=.*/runtime=360000/' "$TMP/job.fio"
run run one.cfg job.fio --parse-only
expect_status 0
expect_no_stdout
expect_no_stderr
expect_faster_than_ms 2000
printf 'zonemode=strided\n' >>"$TMP/job.fio"
run run one.cfg job.fio --parse-only
expect_status 2
expect_oneline
expect_stderr 'zonemode=strided needs zonesize'
printf '[x]\nioengine=libaio\ndirect=1\nsize=1k\nbs=4k\n' >"$TMP/small.fio"
run run one.cfg small.fio --parse-only
expect_status 2
expect_oneline

test_that "section runs what it names and refuses what is not there"
printf '[p]\nioengine=null\nsize=1m\n[q]\nioengine=null\nsize=2m\n' >"$TMP/pq.fio"
run run one.cfg pq.fio --section=q --output-format=json
expect_status 0
expect_json '[.jobs[].jobname] == ["q"]'
run run one.cfg pq.fio --section=r
expect_status 2
expect_oneline

test_that "unified reporting, gtod_reduce and stats=0 print what fio prints"
printf '[m]\nioengine=null\nrw=randrw\nsize=1m\nunified_rw_reporting=1\n' >"$TMP/u.fio"
printf '[g]\nioengine=null\nsize=1m\ngtod_reduce=1\n[s]\nioengine=null\nsize=1m\nstats=0\n' >>"$TMP/u.fio"
run run one.cfg u.fio --output-format=json
expect_status 0
expect_json '[.jobs[].jobname] == ["m", "g"]'
expect_json '.jobs[0] | .mixed.total_ios == 256 and .read == null'
expect_json '.jobs[1].read | .total_ios == 256 and .clat_ns.N == 0 and .bw_samples == 0'

end_tests
