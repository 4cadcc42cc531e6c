# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Simulated jobs beside the same jobs of real fio on its null engine, and our
# output in the hands of fio's own tools.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
export HCISIM_CONFIGS=$ROOT/configs

have_fio() {
    command -v fio >/dev/null && return 0
    skip "fio is not installed"
    return 1
}

cat >"$TMP/zero.cfg" <<'TEXT'
name = "a disk that takes no time";
platform: { kind = "native"; };
nodes = ( { disks = ( { device = "ideal-zero"; role = "data"; } ); } );
guests = ( { node = 0; vdisks = 1; } );
TEXT

# section NAME OPTION...: one job on the null engine behind a barrier.
section() {
    printf '[%s]\nstonewall\n' "$1"
    shift
    printf '%s\n' "$@"
}

{
    printf '[global]\nioengine=null\n'
    section tail-dropped size=1m bs=3k
    section tail-of-each-file size=10m nrfiles=4 bs=1m rw=write
    section loops size=1m io_size=512k loops=3 bs=4k rw=randread
    section number size=1m number_ios=7 bs=64k rw=write
    section number-and-loops size=1m number_ios=10 loops=3 bs=64k rw=write
    section less-than-a-block size=1m io_size=2k bs=4k rw=write
    section more-than-the-region size=1m io_size=3m bs=4k rw=randwrite
    section clones size=1m bs=4k rw=read numjobs=3 group_reporting
    section with-replacement size=1000000 bs=4k rw=randread norandommap
    section behind-an-offset size=2m offset=1m bs=4k rw=read
    section random-over-files size=5m nrfiles=3 bs=64k rw=randwrite
    section files-of-a-size filesize=512k nrfiles=2 bs=4k rw=read
    section part-of-a-random-region size=8m io_size=100k bs=8k rw=randread
    section lfsr size=1m bs=4k rw=randread random_generator=lfsr loops=2
} >"$TMP/exact.fio"

counts() {
    jq -c '.jobs[] | [.jobname, .read.total_ios, .read.io_bytes, .write.total_ios, .write.io_bytes]' \
        "$1"
}

test_that "sizes, limits, loops and files give as many I/Os as real fio does"
if have_fio; then
    run_cmd fio --output-format=json --output=fio.json exact.fio
    expect_status 0
    run run zero.cfg exact.fio --output-format=json --output=sim.json
    expect_status 0
    counts "$TMP/fio.json" >"$TMP/fio.counts"
    counts "$TMP/sim.json" >"$TMP/sim.counts"
    check "14 jobs" test "$(wc -l <"$TMP/fio.counts")" = 14
    check "equal counts" diff "$TMP/fio.counts" "$TMP/sim.counts"
fi

test_that "mixed jobs move as many blocks as real fio's, in like shares"
if have_fio; then
    {
        printf '[global]\nioengine=null\nsize=64m\nbs=4k\nrw=randrw\n'
        section mix70 rwmixread=70
        section mix30 rwmixread=30
    } >"$TMP/mix.fio"
    run_cmd fio --output-format=json --output=fio.json mix.fio
    run run zero.cfg mix.fio --output-format=json --output=sim.json
    expect_status 0
    for f in fio sim; do
        check "$f moves each block once" test \
            "$(jq -c '[.jobs[] | .read.total_ios + .write.total_ios]' "$TMP/$f.json")" = '[16384,16384]'
        # 16384 draws: three standard deviations are 1.1 percent
        cp "$TMP/$f.json" "$TMP/out"
        expect_json '[.jobs[].read.total_ios / 16384] |
            (.[0] - 0.7 | fabs) < 0.011 and (.[1] - 0.3 | fabs) < 0.011'
    done
fi

layout_and_job() {
    sed 's/ideal-zero/samsung-990pro-1tb/' "$TMP/zero.cfg" >"$TMP/one.cfg"
    printf '[global]\nioengine=libaio\ndirect=1\nfilename=/dev/x\nsize=1g\nruntime=1\ntime_based\n' \
        >"$TMP/two.fio"
    printf '[rw a]\nrw=randrw\nbs=4k\niodepth=8\ndescription=two "words"\n' >>"$TMP/two.fio"
    printf '[w]\nstonewall\nrw=write\nbs=64k\niodepth=4\nnumjobs=2\nfsync=32\n' >>"$TMP/two.fio"
}
layout_and_job

test_that "json+ is read by jq and by Python and holds every sample once"
run run one.cfg two.fio --output-format=json+
expect_status 0
cp "$TMP/out" "$TMP/plus.json"
expect_json '.jobs | length == 3'
expect_json '[.jobs[] | .read, .write | .clat_ns | select(.N > 0) | .N == ([.bins[]] | add)] | all'
expect_json '[.jobs[] | .read, .write | .total_ios == .clat_ns.N and .total_ios == .lat_ns.N] | all'
expect_json '.jobs[0].clat_ns == null and (.disk_util[0].read_ios > 0) and (.disk_util[0].write_ios > 0)'
run_cmd "$PYTHON" -c 'import json
d = json.load(open("plus.json"))
assert d["fio version"].startswith("fio-3.33")
assert list(d)[:5] == ["fio version", "timestamp", "timestamp_ms", "time", "global options"]
assert d["global options"]["size"] == "1g"
for j in d["jobs"]:
    for key in ("rw", "bs", "iodepth", "numjobs"):
        assert key in j["job options"], key
print(len(d["jobs"]))'
expect_status 0
expect_stdout '^3$'

test_that "our own reader reads it back: compared with itself every ratio is 1"
run compare plus.json plus.json
expect_status 0
check "figures are compared" test "$(grep -c ' 1\.000 ' "$TMP/out")" -ge 12
check "no other ratio" test "$(grep -E '^  (IOPS|MB/s|mean|p[0-9])' "$TMP/out" | grep -vc ' 1\.000 ')" = 0

test_that "fio's own json+ converter reads our json+"
if command -v fio_jsonplus_clat2csv >/dev/null; then
    run_cmd fio_jsonplus_clat2csv plus.json lat.csv
    expect_status 0
    expect_file lat_job0.csv
    expect_file lat_job2.csv
    last=$(tail -n 5 "$TMP/lat_job1.csv" | tr -d '\r' | grep -c '1\.0')
    check "the distribution ends at 1" test "$last" -ge 1
else
    skip "fio_jsonplus_clat2csv is not installed"
fi

test_that "what showcmd prints is a command line real fio takes for the same jobs"
run run one.cfg two.fio --showcmd
expect_status 0
expect_stdout "^fio --ioengine=libaio .* --name='rw a' .* --description='two \"words\"' --name=w --stonewall "
if have_fio; then
    sed 's/=libaio/=null/; s/--runtime=1/--runtime=100ms/' "$TMP/out" >"$TMP/line"
    run_cmd bash -c "$(cat "$TMP/line") --output-format=json --output=back.json"
    expect_status 0
    sed -n '/^{/,$p' "$TMP/back.json" >"$TMP/out" # a note of fio's stands in front
    expect_json '[.jobs[].jobname] == ["rw a", "w", "w"]'
    expect_json '.jobs[2]."job options" | .rw == "write" and .bs == "64k" and .fsync == "32"'
fi

test_that "samples and their logs follow bwavgtime and iopsavgtime as in real fio"
{
    printf '[global]\nioengine=null\nsize=1g\nbs=4k\nrw=read\nrate_iops=100\nruntime=1900ms\n'
    printf 'time_based\n[usual]\n[each]\nwrite_bw_log\nbwavgtime=100\n'
    printf '[apart]\nwrite_bw_log\nwrite_iops_log\nbwavgtime=200\nlog_avg_msec=300\n'
    printf '[two]\nnew_group\ngroup_reporting\nnumjobs=2\n[short]\nnew_group\nruntime=200ms\n'
} >"$TMP/samples.fio"
run run zero.cfg samples.fio --output-format=json
expect_status 0
cp "$TMP/out" "$TMP/sim.json"
samples='[.jobs[].read | [.bw_samples, .iops_samples]]'
check "ours" test "$(jq -c "$samples" "$TMP/sim.json")" = '[[3,3],[190,3],[9,6],[6,6],[0,0]]'
for log in each_bw.2 apart_bw.3 apart_iops.3; do
    awk -F', ' '{ print $1, $4 }' "$TMP/$log.log" >"$TMP/ours.$log"
done
if have_fio; then
    run_cmd fio --output-format=json --output=fio.json samples.fio
    expect_status 0
    # its helper thread comes late, but not by a window in so few
    check "as many samples" test "$(jq -c "$samples | .[0,1,3,4]" "$TMP/fio.json")" = \
        "$(jq -c "$samples | .[0,1,3,4]" "$TMP/sim.json")"
    near=$(awk -F', ' 'NR == FNR { at[NR] = $1; size[NR] = $4; n = NR; next }
        FNR > n { next }
        { d = $1 - at[FNR]; late += d < -50 || d > 50; bad += $4 != size[FNR] }
        END { print n, FNR, bad + 0, late < n / 4 ? "in time" : "late " late }' <(sed 's/ /, 0, 0, /' "$TMP/ours.each_bw.2") \
        "$TMP/each_bw.2.log")
    # a busy machine holds real I/Os up: most have to be in time
    check "a line for each I/O: $near" test "$near" = "190 190 0 in time"
    check "windows of 200 ms" test "$(awk -F', ' 'NR == 1 { print int(($1 + 50) / 100) }' \
        "$TMP/apart_bw.3.log")" = 2
fi
check "ours at 200 ms" test "$(head -n 1 "$TMP/ours.apart_bw.3")" = "200 0"
check "ours at 300 ms" test "$(head -n 1 "$TMP/ours.apart_iops.3")" = "300 0"

end_tests
