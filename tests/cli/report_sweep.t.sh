# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The verb report on sweeps: the table, the front, the knee, sensitivities, size and time.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export HCISIM_CONFIGS=$ROOT/configs

if ! command -v gnuplot >/dev/null; then
    test_that "a sweep is one page"
    skip "gnuplot is not installed"
    end_tests
    exit 0
fi

cat >"$TMP/md.cfg" <<'TEXT'
name = "one <drive>";
platform: { kind = "native"; };
nodes = ( { disks = ( { device = "samsung-980pro-1tb"; role = "data"; } ); } );
guests = ( { node = 0; vdisks = 1; } );
aliases: { device = "nodes.[0].disks.[0].device"; };
TEXT
cat >"$TMP/tiny.fio" <<'TEXT'
[reader]
filename=/dev/x
direct=1
ioengine=io_uring
size=1g
rw=randread
bs=4k
time_based
runtime=2ms
TEXT
valid() { ! command -v tidy >/dev/null || tidy -q -e "$TMP/$1" 2>"$TMP/tidy"; }
selfcontained() { ! grep -Eq '(src|href)="?[a-z]+:|@import|url\(http|<script|<link' "$TMP/$1"; }
rows() { grep -c '<td>reader</td>' "$TMP/$1"; }

test_that "1,000 points are one page within 10 s and 5 MB, each with its bottleneck"
run sweep md.cfg tiny.fio --vary 'device=@nvme' --vary job.iodepth=1..42 \
    --vary job.bs=4k,8k,16k,64k --eta never -o big.h5 --top 1
expect_status 0
run report big.h5 -o big.html
expect_status 0
expect_no_stderr
expect_faster_than_ms 10000
check "below 5 MB" test "$(wc -c <"$TMP/big.html")" -lt 5000000
check "valid HTML" valid big.html
check "self-contained" selfcontained big.html
check "1008 rows" test "$(rows big.html)" = 1008
check "a bottleneck in every row" test "$(grep -c '<td>reader</td>.*</td><td>[^<]\+</td></tr>' \
    "$TMP/big.html")" = 1008
run_cmd cat big.html
expect_stdout 'Sweep of one &lt;drive&gt;'
expect_stdout '1008 of 1008 points: 1008 done'
expect_stdout 'no other is better in both'
expect_stdout 'class="front"'

test_that "the table is sorted: best first"
run_cmd "$PYTHON" -c '
import re, sys
text = open("big.html").read()
iops = [float(x) for x in re.findall("<td>reader</td><td class=\"n\">([0-9.]+)</td>", text)]
assert len(iops) == 1008 and iops == sorted(iops, reverse=True) and iops[0] > iops[-1]
'
expect_status 0

test_that "what the page says of a point is what the sweep's CSV says"
run sweep md.cfg tiny.fio --vary job.iodepth=1,4 --vary 'device=samsung-980pro-1tb,optane-900p-280g' \
    --csv --eta never -o small.h5
expect_status 0
iops=$("$PYTHON" -c '
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
row = [r for r in rows if r["device"] == "optane-900p-280g" and r["job.iodepth"] == "4"][0]
print(round(float(row["iops"])))' "$TMP/out")
run report small.h5
expect_status 0
expect_stdout "<td>4</td><td>optane-900p-280g</td>.*<td>reader</td><td class=\"n\">$iops</td>"

test_that "layouts that are refused are there with the rule"
run sweep "$ROOT/configs/layouts/story1-optane.cfg" tiny.fio --eta never -o refused.h5 \
    --vary "layout=$ROOT/configs/layouts/story1-optane.cfg,$ROOT/configs/layouts/story1-first-try.cfg"
run report refused.h5 -o refused.html
expect_status 0
check "valid HTML" valid refused.html
run_cmd cat refused.html
expect_stdout '1 done, 1 refused'
expect_stdout 'refused: .*smallest.*layout = story1-first-try\.cfg'

test_that "the knee of a search is said and drawn"
run sweep md.cfg tiny.fio --vary job.iodepth=1..256 --until 'mean<100us' --eta never -o knee.h5 \
    --set job.runtime=10ms
knee=$(sed -n 's/^knee: job.iodepth = \([0-9]*\) .*/\1/p' "$TMP/out")
run report knee.h5 -o knee.html
expect_status 0
check "valid HTML" valid knee.html
run_cmd cat knee.html
expect_stdout "largest job.iodepth that meets <strong>mean&lt;100us</strong> is <strong>$knee</strong>"
expect_stdout 'Mean latency by job, us'

test_that "a sensitivity is a page of its own, or a part of a run's"
run sweep md.cfg tiny.fio --sensitivity 20% --sort mean --eta never -o sens.h5
expect_status 0
first=$(awk '/^input/ { getline; print $1; exit }' "$TMP/out")
run run md.cfg tiny.fio -o run.h5
run report run.h5 sens.h5 --sort mean -o run.html
expect_status 0
check "valid HTML" valid run.html
run_cmd cat run.html
expect_stdout 'What limits: <strong>'
expect_stdout 'Which input moves the answer'
check "there is a table" grep -qF '20 % less' "$TMP/run.html"
check "and is the sweep's" grep -qF "<tr><td>$first</td>" \
    <(grep -A1 -F '20 % less' "$TMP/run.html")
run report sens.h5
expect_status 0
expect_stdout 'Which input moves the answer'

test_that "equal sweeps give equal pages"
run report big.h5 -o big2.html
check "equal bytes" cmp -s "$TMP/big.html" "$TMP/big2.html"

test_that "damaged sweeps and unknown metrics are refused in one line"
run report big.h5 --sort iosp
expect_status 2
expect_stderr "no metric 'iosp'; nearest: iops"
run_cmd "$PYTHON" -c '
import h5py, shutil
for name in "axes", "table":
    shutil.copy("small.h5", "no-" + name + ".h5")
    with h5py.File("no-" + name + ".h5", "a") as f: del f[name]
shutil.copy("small.h5", "points.h5")
with h5py.File("points.h5", "a") as f: f.attrs["points"] = 5
shutil.copy("small.h5", "order.h5")
with h5py.File("order.h5", "a") as f: f["table"][...] = f["table"][...][::-1]
'
expect_status 0
for bad in no-axes no-table points order; do
    run report $bad.h5
    expect_status 2
    expect_oneline
    expect_stderr "$bad\.h5: a damaged sweep: wants (axes|table|points)"
done
head -c 3000 "$TMP/small.h5" >"$TMP/cut.h5"
run report cut.h5
check "status 2 or 3" test "$status" -ge 2
expect_oneline

end_tests
