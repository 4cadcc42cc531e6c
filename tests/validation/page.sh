#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck disable=SC2016 # jq has variables of its own
# page.sh DIR: writes DIR/validation.md, the figures it shows (DIR/validation-*.svg)
# and DIR/summary.md, the paragraph that README quotes. Everything measured comes
# from configs/curves.csv and from the facts about story 1 stated below; everything
# simulated is simulated now, by $HCISIM. Equal programs give equal pages.
# Needs jq; gnuplot for the figures, which are left out without it.
set -euo pipefail
export LC_ALL=C.UTF-8
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
HCISIM=${HCISIM:-$ROOT/build/hcisim}
OUT=${1:?page.sh wants a directory}
export HCISIM_CONFIGS=$ROOT/configs
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# ---- drives ----

# One JSON array of all published points, each with its device and with the larger
# of its two errors (IOPS, mean) as .off.
simulate_points() {
    local d
    grep -v '^#' "$ROOT/configs/curves.csv" | sed 1d | cut -d, -f1 | sort -u >"$WORK/drives"
    while read -r d; do
        "$HCISIM" devices "$d" --curve --json | jq --arg d "$d" '
            def abs: if . < 0 then -. else . end;
            .published[] | . + {device: $d, off: ([.error_percent, .mean_error_percent // 0]
                                                  | map(abs) | max)}'
    done <"$WORK/drives" | jq -s . >"$WORK/points.json"
}

JQ_LIB='
    def r1: . * 10 | round / 10;
    def fixed: (r1 | tostring) | if test("[.]") then . else . + ".0" end;
    def signed: if . == null then "-" else (if . >= 0 then "+" else "" end) + fixed + " %" end;
    def median: sort | if length == 0 then 0 elif length % 2 == 1 then .[length / 2 | floor]
                else (.[length / 2 - 1] + .[length / 2]) / 2 end;
    def size: if . >= 1024 then "\(. / 1024)k" else "\(.)" end;
    def tally: "\(length) | \(map(.off) | median | fixed) % | \(map(.off) | max | fixed) %";
    def use($u): map(select(.use == $u));
    def pretty: {"fit": "fitted", "held-out": "predicted", "label": "label",
                 "not-met": "not met"}[.];
'
points() { jq -r "$@" "$JQ_LIB$QUERY" "$WORK/points.json"; }

summary_table() {
    cat <<'TEXT'
| drive | kind of point | points | median error | worst error |
|---|---|---|---|---|
TEXT
    QUERY='
        . as $all | ("fit", "held-out", "label", "not-met") as $u
        | ($all | use($u) | group_by(.device)[] | "| \(.[0].device) | \($u | pretty) | \(tally) |"),
          ($all | use($u) | "| **all** | **\($u | pretty)** | \(tally) |")' points
}

point_rows() { # USE
    QUERY='use($u) | group_by(.device) | .[] | group_by(.engine, .jobs, .rw, .bytes)[]
        | sort_by(.depth)[]
        | "| \(.device) | \(.rw) \(.bytes | size) | \(.engine) | \(.jobs) | \(.depth) "
        + "| \(.kiops | fixed) | \(.simulated_kiops | fixed) | \(.error_percent | signed) "
        + "| \(if .mean_us then (.mean_us | fixed) else "-" end) | \(.simulated_mean_us | fixed) "
        + "| \(.mean_error_percent | signed) |"' points --arg u "$1"
}

point_table() { # USE
    cat <<'TEXT'

| drive | I/O | engine | jobs | depth | k IOPS | simulated | error | mean us | simulated | error |
|---|---|---|---|---|---|---|---|---|---|---|
TEXT
    point_rows "$1"
}

sources() {
    QUERY='group_by(.device)[] | "- \(.[0].device)", (map(.source) | unique[] | "  - \(.)")' points
}

# ---- figures ----

# curve ENGINE JOBS: outstanding, measured and simulated k IOPS of the 980 PRO's 4 KiB reads.
curve() {
    QUERY='map(select(.device == "samsung-980pro-1tb" and .bytes == 4096 and .engine == $e
                      and .jobs == ($j | tonumber))) | sort_by(.depth)[]
        | "\(.depth * .jobs) \(.kiops) \(.simulated_kiops)"' points --arg e "$1" --arg j "$2"
}

svg() { # NAME < gnuplot commands
    {
        cat <<TEXT
set encoding utf8
set terminal svg size 640,400 font 'sans-serif,13' background rgb 'white' noenhanced name 'v'
set output '$OUT/validation-$1.svg'
set border 3
set tics nomirror
set grid lc rgb '#888888' lw 0.3
set key below samplen 2
TEXT
        cat
    } | gnuplot -d
}

draw_curves() {
    local e j
    for e in "spdk 1" "io_uring 1" "io_uring 4" "io_uring 8"; do
        read -r e j <<<"$e"
        curve "$e" "$j" >"$WORK/$e-$j"
    done
    svg 980pro <<TEXT
set logscale x 2
set xlabel 'outstanding reads of 4 KiB'
set ylabel 'thousand IOPS'
plot '$WORK/spdk-1' u 1:2 w p pt 7 ps 0.7 lc rgb '#3a87c8' t 'SPDK, measured', \
     '' u 1:3 w l lw 2 lc rgb '#3a87c8' t 'simulated', \
     '$WORK/io_uring-1' u 1:2 w p pt 5 ps 0.7 lc rgb '#e08a00' t 'io_uring, 1 job, measured', \
     '' u 1:3 w l lw 2 lc rgb '#e08a00' t 'simulated', \
     '$WORK/io_uring-8' u 1:2 w p pt 9 ps 0.8 lc rgb '#2aa876' t 'io_uring, 8 jobs, measured', \
     '' u 1:3 w l lw 2 lc rgb '#2aa876' t 'simulated'
TEXT
}

draw_errors() {
    local u
    for u in fit held-out label not-met; do
        QUERY='use($u)[] | "\(.kiops) \(.simulated_kiops / .kiops)"' points --arg u "$u" \
            >"$WORK/error-$u"
    done
    svg ratio <<TEXT
set logscale xy
set xlabel 'measured, thousand IOPS'
set ylabel 'simulated / measured'
set yrange [0.2:5]
set ytics (0.25, 0.5, 0.8, 1, 1.25, 2, 4)
plot '$WORK/error-fit' w p pt 6 lc rgb '#8a8f98' t 'fitted', \
     '$WORK/error-held-out' w p pt 7 ps 0.7 lc rgb '#3a87c8' t 'predicted', \
     '$WORK/error-label' w p pt 4 lc rgb '#2aa876' t 'label', \
     '$WORK/error-not-met' w p pt 2 lc rgb '#d5502a' t 'not met'
TEXT
}

# ---- story 1 ----

SHORT=$ROOT/tests/validation/story1.fio

story_run() { # NAME LAYOUT OPTION...
    local name=$1 layout=$2
    shift 2
    "$HCISIM" run --eta=never "$ROOT/configs/layouts/story1-$layout.cfg" "$SHORT" \
        --output-format=json --output="$WORK/$name.json" "$@" 2>/dev/null
}

# figure NAME JOB FILTER: of one job of one run.
figure() {
    jq -r --arg j "$2" ".jobs[] | select(.jobname == \$j) | $3" "$WORK/$1.json"
}

MBPS='(.read.bw_bytes + .write.bw_bytes) / 1e6'

story_simulate() {
    story_run baseline baseline
    story_run optane optane
    story_run spent-base baseline --section seq-write-1m --set 'nodes.[*].nic.flows=spread' \
        --set 'nodes.[0].disks.[1].slc_used=226 GB'
    story_run spent-optane optane --section seq-write-1m --set 'nodes.[*].nic.flows=spread' \
        --set 'nodes.[0].disks.[2].slc_used=226 GB'
    story_run bare native-optane
}

# gain: the largest and smallest change of IOPS from the baseline to the Optane layout.
gain() {
    jq -rs "$JQ_LIB"'def io: .read.iops + .write.iops;
        [.[0].jobs, .[1].jobs] | transpose | map(100 * ((.[1] | io) / (.[0] | io) - 1))
        | "\(min | signed) to \(max | signed)"' "$WORK/baseline.json" "$WORK/optane.json"
}

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
holds() { awk "BEGIN { print ($1) ? \"yes\" : \"no\" }"; }
verdict_of() {
    local rc=0
    "$HCISIM" check "$ROOT/configs/layouts/story1-$1.cfg" >/dev/null 2>&1 || rc=$?
    case $rc in 0) echo "installs" ;; 1) echo "refused" ;; *) echo "status $rc" ;; esac
}
log_bytes() { # DISK
    "$HCISIM" check "$ROOT/configs/layouts/story1-optane.cfg" --json |
        jq -r --argjson d "$1" '.disks[] | select(.node == 0 and .disk == $d) | .log_bytes'
}

story_table() {
    local wb wo rb p99 mean sb so br bw g first usb third
    wb=$(figure baseline seq-write-1m "$MBPS") wo=$(figure optane seq-write-1m "$MBPS")
    rb=$(figure baseline seq-read-1m "$MBPS")
    p99=$(figure baseline seq-write-1m '.write.clat_ns.percentile["99.000000"]')
    mean=$(figure baseline seq-write-1m '.write.clat_ns.mean')
    sb=$(figure spent-base seq-write-1m "$MBPS") so=$(figure spent-optane seq-write-1m "$MBPS")
    br=$(figure bare seq-read-1m "$MBPS") bw=$(figure bare seq-write-1m "$MBPS")
    g=$(gain) first=$(verdict_of first-try) usb=$(verdict_of usb-boot) third=$(verdict_of optane)
    cat <<TEXT
| observed | simulated | agrees | status |
|---|---|---|---|
| the first layout, boot disk not the smallest, fails to install | $first | $(holds "\"$first\" == \"refused\"") | rule made from this story |
| booted from USB it cannot be upgraded | $usb | $(holds "\"$usb\" == \"refused\"") | rule made from this story |
| the third layout works | $third | $(holds "\"$third\" == \"installs\"") | rule made from this story |
| write log on the Optane 16,481,369,332 bytes, on the 2 TB drive 198,266,995,467 | $(log_bytes 1), $(log_bytes 2) | $(holds "$(log_bytes 1) == 16481369332 && $(log_bytes 2) == 198266995467") | rule made from this story |
| the Optane layout was not better | IOPS $g, by job | $(holds "$(gain_max) < 5") | predicted |
| sequential writes were slower with the Optane | $(ratio "$wo" "$wb") of the baseline; $(ratio "$so" "$sb") if replica flows spread and SLC caches are spent | $(holds "$wo / $wb < 0.98"); if so: $(holds "$so / $sb < 0.98") | predicted |
| baseline: sequential writes clearly below sequential reads | $(ratio "$wb" "$rb") of the reads' MB/s | $(holds "$wb / $rb < 0.8") | predicted |
| baseline: p99 of sequential writes far above the mean | $(ratio "$p99" "$mean") times the mean | $(holds "$p99 / $mean > 2") | predicted |
| one Optane on bare metal as its data sheet: 2500 MB/s read, 2000 MB/s written | $(printf '%.0f and %.0f' "$br" "$bw") MB/s | $(holds "$br > 2300 && $bw > 1900") | rated bandwidth is a parameter of the drive |
TEXT
}

gain_max() {
    jq -rs 'def io: .read.iops + .write.iops;
        [.[0].jobs, .[1].jobs] | transpose | map(100 * ((.[1] | io) / (.[0] | io) - 1)) | max' \
        "$WORK/baseline.json" "$WORK/optane.json"
}

# ---- the page ----

summary() {
    QUERY='def abs: if . < 0 then -. else . end;
        . as $all | use("held-out") as $h | use("fit") as $f | use("not-met") as $n
        | ($h | group_by(.device) | max_by(length)) as $most
        | "Beside \($all | length) published points of \(group_by(.device) | length) drives on bare metal: "
        + "the \($f | length) points something was fitted to are met within \($f | map(.off) | median | fixed) % "
        + "(median; worst \($f | map(.off) | max | fixed) %), which proves nothing; the \($h | length) points "
        + "nothing was fitted to are predicted within \($h | map(.off) | median | fixed) % "
        + "(median; worst \($h | map(.off) | max | fixed) %), but \($most | length) of them are of one "
        + "drive, a \($most[0].device). \($n | length) points are missed, their IOPS by "
        + "\($n | map(.error_percent | abs) | min | fixed) to \($n | map(.error_percent | abs) | max | fixed) %: "
        + "burst writes of a fresh PM9A3 (too low by up to \($n | map(.error_percent) | min | -. | fixed) %), "
        + "and reads of 8 to 64 KiB from a 980 PRO filled by random 4 KiB writes (too high, by up to a "
        + "factor of \($n | map(1 + .error_percent / 100) | max | fixed)). "
        + "No cluster has been compared yet."' points | fold -s -w 98 | sed 's/ *$//'
}

page() {
    cat <<'TEXT'
# Measured and simulated

Written by `./dev validate`, from `configs/curves.csv` (published measurements, each with its source)
and the facts of story 1; a test holds this page to what the program simulates. Errors are simulated
over measured; of a point with two figures the larger error counts in summaries.

TEXT
    summary
    cat <<'TEXT'

| kind of point | means |
|---|---|
| fitted | parameters of the drive or the host were solved from it: agreement proves nothing |
| predicted | nothing was solved from it |
| label | a vendor's rating, which parameters were taken from: shows that the model reaches it |
| not met | the model is further off than it should be, for the reason given |

## Summary

TEXT
    summary_table
    cat <<'TEXT'

What is found for drives says nothing about the constants of controller VMs, hypervisors and networks:
those are estimates with ranges (docs/model.md), and `hcisim calibrate` fits them to a cluster of yours.

![Reads of a 980 PRO, measured and simulated](validation-980pro.svg)

![Simulated over measured IOPS of every point](validation-ratio.svg)

## Predicted
TEXT
    point_table held-out
    printf '\n## Fitted\n'
    point_table fit
    printf '\n## Labels\n'
    point_table label
    printf '\n## Not met\n'
    point_table not-met
    cat <<'TEXT'

- The PM9A3's writes were measured on a fresh drive, where a burst goes at the speed of its buffer;
  the model starts in steady state.
- The 980 PRO's block sizes were measured on a drive filled by random 4 KiB writes: a read of 64 KiB
  gathers 16 pages from units all over the drive and waits for the slowest. The model takes a file to
  be written in order, so a large read meets few units. Large reads of randomly written files are
  therefore too fast here, by up to a factor of three and more.

## Story 1

Of the measurements of story 1 (docs/story1.md) only directions and the sizes in logs are known. The
profile is simulated with jobs of two seconds (`tests/validation/story1.fio`).

TEXT
    story_table
    cat <<'TEXT'

## fio itself

The same job files run through fio's null engine and through this program give as many I/Os, bytes
and files, and a file of percentiles that fio's own converter reads (`tests/cli/fio_beside.t.sh`,
which runs fio when it is installed). That is about jobs, not about time.

## Not compared

Percentiles (curves hold means), mixes of reads and writes, sustained writes past an SLC cache,
several drives behind one controller, any network, any cluster.

## Sources

TEXT
    sources
}

mkdir -p "$OUT"
simulate_points
story_simulate
page >"$OUT/validation.md"
summary >"$OUT/summary.md"
if command -v gnuplot >/dev/null; then
    draw_curves
    draw_errors
fi
