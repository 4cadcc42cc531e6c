# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The verb report from outside: a run, two runs, a measurement; bad input.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export HCISIM_CONFIGS=$ROOT/configs

if ! command -v gnuplot >/dev/null; then
    test_that "a report is one page"
    skip "gnuplot is not installed"
    end_tests
    exit 0
fi

layout() { # FILE NAME DEVICE
    cat >"$TMP/$1" <<TEXT
name = "$2";
platform: { kind = "native"; };
nodes = ( { disks = ( { device = "$3"; role = "data"; } ); } );
guests = ( { node = 0; vdisks = 1; } );
TEXT
}
layout a.cfg "drive <A> & 'co'" samsung-980pro-1tb
layout b.cfg "drive B" optane-900p-280g
cat >"$TMP/job.fio" <<'TEXT'
[global]
ioengine=libaio
direct=1
filename=/dev/x
size=64g
time_based
runtime=1
[job "one"]
rw=randrw
bs=4k
iodepth=8
TEXT
for l in a b; do
    (cd "$TMP" && "$HCISIM" run $l.cfg job.fio -o $l.h5 --output-format=json --output=$l.json)
done

# valid FILE: the HTML checker has nothing to say.
valid() { ! command -v tidy >/dev/null || tidy -q -e "$TMP/$1" 2>"$TMP/tidy"; }
selfcontained() { ! grep -Eq '(src|href)="?[a-z]+:|@import|url\(http|<script|<link' "$TMP/$1"; }

test_that "the report of a run is one valid page that loads nothing"
run report a.h5 -o a.html
expect_status 0
expect_no_stderr
check "valid HTML" valid a.html
check "self-contained" selfcontained a.html
run_cmd cat a.html
expect_stdout 'What limits: <strong>(the drive|latency|the core)'
expect_stdout '&lt;A&gt; &amp; '
expect_stdout 'What is not modelled'
expect_stdout '<td>read_unit</td><td>52.8 us</td>.*<td>fitted</td>'
expect_stdout 'Utilisation by component'
check "charts are drawn" test "$(grep -c '<svg' "$TMP/a.html")" -ge 4

test_that "equal results give equal pages"
run report a.h5 -o a2.html
check "equal bytes" cmp -s "$TMP/a.html" "$TMP/a2.html"

test_that "two runs of one job file give the four charts and the difference"
run report a.h5 b.h5 -o ab.html
expect_status 0
check "valid HTML" valid ab.html
run_cmd cat ab.html
for title in 'Bandwidth, MB/s' 'IOPS' 'Mean latency, us' 'p99 latency, us'; do
    expect_stdout "<figcaption>$title</figcaption>"
done
expect_stdout '<strong>(faster|slower)</strong> than .*, IOPS [+-]'

test_that "what runs share stands once: the job file, and the parameters of the platform"
check "one job file" test "$(grep -c '<summary>Job file' "$TMP/ab.html")" -eq 1
check "of both" grep -q 'Job file of drive .* / drive B' "$TMP/ab.html"
check "one appendix" test "$(grep -c 'stack_submit</td>\|<td>platform</td><td>kind' "$TMP/ab.html")" -eq 1
check "the second drive as well" grep -q '<td>optane-900p-280g</td><td>read_unit</td>' "$TMP/ab.html"
check "differences of the second run" grep -q 'drive B, other than above' "$TMP/ab.html"

test_that "bars begin at 0, and changes against the first run are drawn"
check "change of IOPS" grep -q '<figcaption>IOPS: change against drive' "$TMP/ab.html"
check "bars of both runs have names" test "$(grep -c '<span><i style="height:.8em' "$TMP/ab.html")" -ge 4
check "a chart scales with the page" test "$(grep -c '<svg[^>]*viewBox\|viewBox="0 0 480' "$TMP/ab.html")" -ge 6

test_that "no percentile is above the maximum"
printf '[few]\nfilename=/dev/x\ndirect=1\nrw=randread\nbs=4k\nsize=1g\nnumber_ios=20\nnumjobs=12\n' \
    >"$TMP/few.fio" # of 20 I/Os the last lies above the middle of its bin or below it
(cd "$TMP" && "$HCISIM" run a.cfg few.fio -o few.h5 >/dev/null)
run report few.h5 -o few.html
expect_status 0
check "none" "$PYTHON" - "$TMP/few.html" <<'PY'
import re, sys
rows = re.findall(r"<tr><td>few</td><td>read</td>(.*)</tr>", open(sys.argv[1]).read())
values = [[float(x) for x in re.findall(r">([0-9.]+)</td>", r)] for r in rows]
values = [v for v in values if len(v) == 7]
sys.exit(len(values) != 12 or any(max(v) > v[-1] for v in values))
PY

test_that "skipped time is explained where the simulated time stands"
(cd "$TMP" && sed 's/^runtime=1/runtime=60/' job.fio >long.fio &&
    "$HCISIM" run "$ROOT/configs/layouts/story1-baseline.cfg" long.fio --precision 5 -o skip.h5 >/dev/null)
run report skip.h5
expect_status 0
expect_stdout 's simulated \(another [1-9][0-9.]* s were skipped: .* to within 5 %, --precision'

test_that "a run beside itself is no gain, and limits are counted by class, not by instance"
cp "$TMP/a.h5" "$TMP/a2.h5"
run report a.h5 a2.h5
expect_status 0
expect_stdout '<strong>no gain</strong> over .*within the spread'
expect_stdout 'What limits both: <strong>[^0-9]*</strong> \(1 of 1 job\)'

test_that "a measurement stands beside the run, with what is wrong with it"
jq 'del(.simulator, .disk_util)' "$TMP/a.json" >"$TMP/m.json"
run report a.h5 m.json
expect_status 0
expect_stdout 'Measured beside simulated'
expect_stdout 'caches, buffers and clocks settle'

test_that "files that are no result, and the JSON of a run, are refused in one line"
run report nowhere.h5
expect_status 3
expect_oneline
run report a.json
expect_status 2
expect_stderr 'reads the HDF5 file'
run report m.json
expect_status 2
expect_oneline
run report a.h5 -o a.h5
expect_status 2
expect_stderr 'would overwrite'

test_that "without gnuplot the error says what to install"
mkdir "$TMP/empty"
run_cmd env PATH="$TMP/empty" "$HCISIM" report a.h5 -o none.html
expect_status 3
expect_stderr 'gnuplot is needed'
expect_no_file none.html

end_tests
