# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# What plans print, byte by byte: LAYOUT.cfg explained is LAYOUT.golden. A change
# of a path or of a constant shows as a difference here; when it is meant, write
# the texts anew with
#   UPDATE_GOLDEN=1 bash tests/plan/plan.t.sh
# and read the difference before committing it.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
P=$ROOT/tests/plan

# same NAME: $TMP/out is NAME.golden.
same() {
    [[ -z ${UPDATE_GOLDEN:-} ]] || cp "$TMP/out" "$P/$1.golden"
    diff -u --label "kept: tests/plan/$1.golden" --label 'printed now' "$P/$1.golden" "$TMP/out" \
        >"$TMP/diff" && return 0
    head -60 "$TMP/diff" | sed 's/^/# /'
    return 1
}

golden() { # NAME SENTENCE ARGUMENT...
    local name=$1
    test_that "$2"
    shift 2
    run explain "$P/$name.cfg" "$@"
    expect_status 0
    expect_no_stderr
    check "the text of $name is the kept one" same "$name"
}

golden native-raid0 "a stripe's I/O goes to the drive of its chunk, a large one to both at once" \
    --io randread:4k --io randwrite:4k --io write:1m --io flush
golden native-raid1 "a mirror's write goes to both drives, its read to one" \
    --io randread:4k --io randwrite:4k --io read:1m --io flush
golden nutanix-rf2 "with two copies a write is logged here and on one peer, or bypasses the log; a read has five ways"
golden nutanix-rf3 "with three copies a write is logged on two peers and each copy flushed"  \
    --io randread:4k --io randwrite:4k

test_that "every read alternative and both write alternatives are in the kept text"
run_cmd cat "$P/nutanix-rf2.golden"
for way in 'all granules in the Unified Cache' 'undrained in the OpLog: log device' \
    'a copy on this node: local extent store' 'no copy here: a remote extent store' \
    'being fetched by an earlier miss' 'outstanding on the virtual disk: write log' \
    'more outstanding, or sustained random' 'Background: drain of one extent'; do
    expect_stdout "$way"
done

test_that "JSON holds the figures of the text"
run explain "$P/nutanix-rf2.cfg" --io randwrite:4k --depth 8 --json
expect_status 0
expect_json '.schema == "hcisim-explain/1" and (.plans | length) == 2'
expect_json '.plans[0].paths | length == 2'
expect_json '.plans[0].paths[0] | .depth_allows_per_s * .alone_ns / 1e9 | . > 7.99 and . < 8.01'
expect_json '.plans[0].paths[0].bounds | . == sort_by(.allows_per_s)'
expect_json '.plans[0].paths[0].bounds[0] | (.servers / .demand_ns * 1e9 - .allows_per_s | fabs) < .allows_per_s * 1e-6'
expect_json '[.plans[0].steps[] | select(.step == "par").branches[]] | length == 2'
expect_json '.plans[1].kind == "background"'

# alone_us LAYOUT IO: the time alone of the first path.
alone_ns() {
    run explain "$1" --io "$2" --depth 1 --json
    jq '.plans[0].paths[0].alone_ns' "$TMP/out"
}

test_that "the time alone is what a run at depth 1 takes, within 3 percent above and 6 below"
# A run waits for the slower of its random branches; the time alone is of means.
near() { awk -v a="$1" -v b="$2" 'BEGIN { r = a / b; exit !(b > 0 && r > 0.94 && r < 1.03) }'; }
for of in native-raid0:randread native-raid1:randwrite nutanix-rf2:randwrite; do
    layout=$P/${of%:*}.cfg
    printf '[j]\nrw=%s\nbs=4k\nsize=16g\ndirect=1\nioengine=libaio\ntime_based\nruntime=1\n' "${of#*:}" \
        >"$TMP/j.fio"
    run run "$layout" j.fio --output-format=json
    expect_status 0
    ran=$(jq '.jobs[0] | if .read.total_ios > 0 then .read.lat_ns.mean else .write.lat_ns.mean end' "$TMP/out")
    told=$(alone_ns "$layout" "${of#*:}:4k")
    check "$of: $told ns by explain, $ran ns by a run" near "$told" "$ran"
done

test_that "a kind of I/O that does not exist is one line with the nearest"
run explain "$P/native-raid1.cfg" --io randwite:4k
expect_status 2
expect_oneline
expect_stderr "no such kind of I/O 'randwite'; nearest: randwrite"

test_that "a missing, absurd or broken block size is one line"
for io in randwrite randwrite: randwrite:0 randwrite:1t randwrite:4q read:4k,,8k read:-4k read:1.5k; do
    run explain "$P/native-raid1.cfg" --io "$io"
    expect_status 2
    expect_oneline
    expect_stderr 'block size'
done

test_that "a depth of zero, a missing layout and two layouts are one line each"
run explain "$P/native-raid1.cfg" --depth 0
expect_status 2
expect_oneline
run explain
expect_status 2
expect_oneline
run explain "$P/native-raid1.cfg" "$P/native-raid0.cfg"
expect_status 2
expect_oneline
run explain nowhere.cfg
expect_status 2
expect_oneline
expect_stderr '^hcisim: nowhere\.cfg'

test_that "a layout without a log is explained: its log alternative is empty"
sed 's/role = "cvm"; }/role = "cvm"; log_bytes = "0 B"; }/g' "$P/nutanix-rf2.cfg" >"$TMP/nolog.cfg"
run explain nolog.cfg --set platform.kind=nutanix --io randwrite:4k --io randread:4k
expect_status 0
expect_stdout '\(nothing\)'

test_that "a full disk is status 3"
run_to /dev/full explain "$P/native-raid1.cfg"
expect_status 3

end_tests
