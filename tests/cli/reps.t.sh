# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Replications, precision and diff from outside.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
export HCISIM_CONFIGS=$ROOT/configs
A=$ROOT/configs/layouts/story1-baseline.cfg
B=$ROOT/configs/layouts/story1-optane.cfg

cat >"$TMP/j.fio" <<'TEXT'
[w]
rw=randwrite
bs=4k
iodepth=8
ioengine=libaio
direct=1
filename=/data/x
size=64m
time_based
runtime=300ms
percentile_list=50:99:99.9
TEXT

test_that "replications print the same bytes with one thread and with four"
run run "$A" j.fio --reps 4 -j 1 --output-format=normal,json --output=one.txt -o one.h5
expect_status 0
run run "$A" j.fio --reps 4 -j 4 --output-format=normal,json --output=four.txt -o four.h5
expect_status 0
check "the reports are equal" cmp -s "$TMP/one.txt" "$TMP/four.txt"
check "the files are equal" h5diff --exclude-path /provenance "$TMP/one.h5" "$TMP/four.h5"

test_that "intervals come from batches, or from replications if there are several"
run run "$A" j.fio
expect_status 0
expect_stdout '95 % interval, write, from [23][0-9] batches: IOPS \+- [0-9.e-]+ %, clat mean'
run run "$A" j.fio --reps 3
expect_stdout '95 % interval, write, from 3 replications'
expect_stdout 'replications : 3, pooled'

test_that "a job that need not be simulated whole says how much of it was"
sed 's/300ms/30/' "$TMP/j.fio" >"$TMP/long.fio"
run run "$A" long.fio --precision 3
expect_status 0
expect_stdout 'simulated    : [0-9.]+ s of 30.000 s in [0-9]+ windows'

test_that "reps, jobs and precision want sensible numbers"
run run "$A" j.fio --reps 0
expect_status 2
expect_oneline
expect_stderr "--reps wants a number from 1 to 1000, not '0'"
run run "$A" j.fio -j none
expect_status 2
expect_stderr "-j wants a number from 1 to 1024, not 'none'"
for bad in 0.05 -1 x 2x 51 nan; do
    run run "$A" j.fio "--precision=$bad"
    expect_status 2
    expect_stderr "--precision wants percent from 0.1 to 50"
done

test_that "--precision 0 simulates all of a job, as without it"
run run "$A" j.fio --output-format=json --precision 0
expect_status 0
jq '.jobs' "$TMP/out" >"$TMP/zero"
run run "$A" j.fio --output-format=json
jq '.jobs' "$TMP/out" >"$TMP/none"
check "equal jobs" cmp "$TMP/zero" "$TMP/none"

test_that "diff prints the paired difference of two layouts"
run diff "$A" "$B" j.fio --reps 3
expect_status 0
expect_stdout '3 pairs of replications, seed 1'
expect_stdout '  write  mean .* us \+- .* us'
run diff "$A" "$A" j.fio --reps 2
expect_stdout '  write  mean .* 0.00 us \+- +0.00 us'

test_that "diff refuses what it cannot compare, in one line"
run diff "$A" j.fio
expect_status 2
expect_oneline
expect_stderr 'diff needs two layouts and a job file'
run diff "$A" "$B" j.fio --reps 1
expect_status 2
expect_stderr "--reps wants a number from 2 to 64, not '1'"
run diff "$A" nowhere.cfg j.fio
expect_status 2
expect_oneline
expect_stderr 'nowhere\.cfg'

end_tests
