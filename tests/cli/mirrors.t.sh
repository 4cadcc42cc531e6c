# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Whole jobs that once went wrong: fsync's place, mirrors of a stripe, a wait
# within a group, disks of several guests.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
export HCISIM_CONFIGS=$ROOT/configs

layout() { # DEVICE DISKS GUEST...
    printf 'name = "ideal disks";\nplatform: { kind = "native"; };\n'
    printf 'nodes = ( { disks = ( { device = "%s"; role = "data"; count = %s; } ); } );\n' "$1" "$2"
    shift 2
    local IFS=,
    printf 'guests = ( %s );\n' "$*"
}

jobs() {
    printf '[global]\nfilename=/x\nsize=1g\nioengine=libaio\ndirect=1\nbs=4k\n' >"$TMP/jobs.fio"
    printf 'time_based\nruntime=1\n' >>"$TMP/jobs.fio"
    printf '%s\n' "$@" >>"$TMP/jobs.fio"
}
simulate() { run run "$1" jobs.fio --output-format=json; }

layout ideal-16k-iops 1 '{ node = 0; }' >"$TMP/one.cfg"
layout ideal-16k-iops 4 '{ node = 0; vdisks = 4; raid = "raid10"; }' >"$TMP/raid10.cfg"
layout ideal-16k-iops 2 '{ node = 0; }' '{ node = 0; }' >"$TMP/guests.cfg"

test_that "an fsync waits for its slot: depth 1 stays depth 1"
jobs '[a]' rw=randwrite iodepth=1 fsync=1
simulate one.cfg
expect_status 0
expect_json '.simulator.jobs[0].mean_in_flight | . > 0.5 and . <= 1.001'

test_that "reads of RAID 10 use both halves of every mirror"
jobs '[a]' rw=randread iodepth=64
simulate raid10.cfg
expect_status 0
expect_json '.jobs[0].read.iops > 3.8 * 16000 and ([.disk_util[].read_ios] | length == 4)'

test_that "a job may wait for one of its own reporting group"
jobs group_reporting '[a]' rw=randread '[b]' rw=randread wait_for=a
simulate one.cfg
expect_status 0
expect_json '.jobs[0].read.runtime >= 2000'

test_that "two guests of a node have disks of their own"
jobs '[a]' rw=randread iodepth=64
simulate guests.cfg
expect_status 0
expect_json '([.disk_util[].read_ios] | min > 15000)'

end_tests
