# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The verb calibrate from outside: a hidden truth, a real drive, bad input.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export HCISIM_CONFIGS=$ROOT/configs

cat >"$TMP/l.cfg" <<'TEXT'
platform: { kind = "native"; };
nodes = ( { disks = ( { device = "samsung-980pro-1tb"; role = "data"; } ); } );
guests = ( { node = 0; vdisks = 1; } );
TEXT
jobs() { # FILE SECONDS DEPTH:NUMJOBS...
    local to=$1 s=$2 j
    shift 2
    printf '[global]\nioengine=io_uring\ndirect=1\nfilename=/dev/x\nrw=randread\nbs=4k\nsize=100%%\nnorandommap\ntime_based\ngroup_reporting\nruntime=%s\n' "$s" >"$TMP/$to"
    for j in "$@"; do
        printf '[n%sq%s]\nstonewall\niodepth=%s\nnumjobs=%s\n' "${j#*:}" "${j%:*}" "${j%:*}" "${j#*:}" >>"$TMP/$to"
    done
}
HIDDEN=(--set 'platform.io_uring_submit=2300 ns' --set 'platform.io_uring_irq=3900 ns')

test_that "hidden constants are recovered within 5 % from other start values and another seed"
jobs syn.fio 300ms 1:1 4:1 16:1 128:1
run run l.cfg syn.fio "${HIDDEN[@]}" --seed 7 --output-format=json --output=syn.json
expect_status 0
run calibrate l.cfg syn.fio syn.json --fit platform.io_uring_submit --fit platform.io_uring_irq \
    --hold-out n1q16 -o fit.cfg
expect_status 0
cp "$TMP/out" "$TMP/fit.out"
near() { # KEY TRUTH: fitted within 5 %, and the interval covers the truth
    awk -v truth="$2" -v key="$1" '
        function ns(v, u) { return u == "us" ? v * 1000 : v }
        $1 == "platform." key {
            v = ns($4, $5); lo = ns($6, $7); hi = ns($9, $10)
            ok = v > truth * 0.95 && v < truth * 1.05 && lo <= truth && truth <= hi
        }
        END { exit !ok }' "$TMP/fit.out"
}
check "submit is near 2300 ns" near io_uring_submit 2300
check "irq is near 3900 ns" near io_uring_irq 3900
expect_stdout '^n1q16 +read +held out'
expect_stdout '^held-out error \(mean latency and IOPS\): [0-9.]+ % on average'

test_that "without --fit the constants that the jobs can tell apart are found and recovered"
run calibrate l.cfg syn.fio syn.json --hold-out n1q16 -o default.cfg
expect_status 0
cp "$TMP/out" "$TMP/fit.out"
check "submit is near 2300 ns" near io_uring_submit 2300
check "irq is near 3900 ns" near io_uring_irq 3900
expect_stdout '^2 parameters, 3 observations'
expect_stdout 'left as they are: libaio_submit.* io_uring_complete.* psync_irq$'
check "an overlay of both" grep -q '^io_uring_irq = ' "$TMP/default.cfg"

test_that "without --fit one observation fits one constant"
run calibrate l.cfg syn.fio syn.json --on n1q1
expect_status 0
expect_stdout '^1 parameter, 1 observation'

test_that "the overlay can be included and gives the fitted values"
sed 's/kind = "native";/kind = "native";\n@include "fit.cfg"\n/' "$TMP/l.cfg" >"$TMP/l2.cfg"
run check l2.cfg --effective
expect_status 0
expect_stdout 'io_uring_submit = \{ value = .*confidence = "fitted"'

# Mean latency and IOPS of a Samsung 980 PRO 1 TB, 4k random reads by io_uring,
# numjobs and depth as named: ICPE 2024 artifact (stonet-research,
# icpe24_io_scheduler_study_artifact, fig-1-samsung-baseline, MIT licence).
published() {
    while read -r n q iops mean; do
        jq -n --arg n "$n" --arg q "$q" --argjson iops "$iops" --argjson mean "$mean" \
            '{jobname: "n\($n)q\($q)", groupid: 0, error: 0, "job options": {rw: "randread",
            bs: "4k", iodepth: $q, numjobs: $n, ioengine: "io_uring", direct: "1", runtime: "120"},
            read: {io_bytes: ($iops * 120 * 4096), io_kbytes: ($iops * 480), bw_bytes: ($iops * 4096),
            iops: $iops, runtime: 120000, total_ios: ($iops * 120 | floor),
            lat_ns: {min: 1000, max: 9e9, mean: ($mean * 1000), N: ($iops * 120 | floor)}}}'
    done | jq -s '{"fio version": "fio-3.35", jobs: .}'
}
published >"$TMP/980.json" <<'TEXT'
1 1 14482.9 68.29
1 8 113033.2 70.35
1 32 343263.5 92.79
1 128 383286.8 333.51
8 1 116094.3 68.38
8 8 574705.2 110.96
8 32 775158.4 329.87
TEXT

test_that "a real drive: host cost and core ceiling from two depths predict the others within 6 %"
jobs 980.fio 400ms 1:1 8:1 32:1 128:1 1:8 8:8 32:8
run calibrate l.cfg 980.fio 980.json --fit platform.io_uring_submit --fit platform.io_uring_irq \
    --on n1q1 --on n1q128
expect_status 0
expect_no_stderr
within() { awk '/^held-out error/ { for (i = 1; i <= NF; i++) if ($i == "average,") v = $(i + 1) }
                END { exit !(v != "" && v + 0 <= 6) }' "$TMP/out"; }
check "held-out error at most 6 %" within
expect_stdout '^as many parameters as observations'
expect_stdout '^n8q32 +read +held out'

test_that "parameters the data cannot tell apart are named"
run calibrate l.cfg syn.fio syn.json --fit platform.io_uring_irq --fit platform.io_uring_complete \
    --on n1q1 --on n1q4
expect_stdout 'cannot tell them apart'

test_that "more parameters than observations are refused"
run calibrate l.cfg syn.fio syn.json --fit platform.io_uring_irq --fit platform.io_uring_submit \
    --on n1q1
expect_status 2
expect_oneline
expect_stderr '2 parameters cannot be fitted to 1 independent observation'

test_that "wrong keys, jobs, bounds and outputs are refused in one line with the nearest name"
run calibrate l.cfg syn.fio syn.json --fit platform.io_uring_sumbit
expect_status 2
expect_oneline
expect_stderr 'io_uring_submit'
run calibrate l.cfg syn.fio syn.json --fit platform.io_uring_irq --on nowhere
expect_status 2
expect_oneline
run calibrate l.cfg syn.fio syn.json --fit 'platform.io_uring_irq:5 us:1 us'
expect_status 2
expect_oneline
run calibrate l.cfg syn.fio syn.json --fit platform.io_uring_irq -o syn.json
expect_status 2
expect_stderr 'would overwrite'
run calibrate l.cfg syn.fio syn.json --fit platform.kind
expect_status 2
expect_stderr 'nothing to fit'
run calibrate l.cfg syn.fio
expect_status 2
expect_oneline

end_tests
