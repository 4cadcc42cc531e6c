# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# report --what-if: the run again with one change at a time.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
export HCISIM_CONFIGS=$ROOT/configs TMPDIR=$TMP

if ! command -v gnuplot >/dev/null; then
    test_that "what would help is simulated"
    skip "gnuplot is not installed"
    end_tests
    exit 0
fi

cat >"$TMP/disk.cfg" <<'TEXT'
name = "one SATA drive";
platform: { kind = "native"; };
nodes = ( { disks = ( { device = "hpe-lk1600geymv"; role = "data"; } ); } );
guests = ( { node = 0; vdisks = 1; } );
TEXT
printf '[j]\nfilename=/dev/x\ndirect=1\nioengine=libaio\nsize=8g\nrw=randread\nbs=4k\niodepth=32\n' \
    >"$TMP/disk.fio"
printf 'time_based\nruntime=300ms\n' >>"$TMP/disk.fio"
valid() { ! command -v tidy >/dev/null || tidy -q -e "$TMP/$1" 2>"$TMP/tidy"; }
# gain TITLE COLUMN: the percentage in a row of the page.
gain() {
    "$PYTHON" - "$1" "$2" "$TMP/page.html" <<'PY'
import re, sys
rows = open(sys.argv[3]).read().split("<tr>")
row = [r for r in rows if r.startswith("<td class=\"w\">" + sys.argv[1])][-1]
cells = re.findall("<td[^>]*>([^<]*)</td>", row)
print(cells[int(sys.argv[2])].split(" ")[0])
PY
}
between() { awk -v x="$1" -v a="$2" -v b="$3" 'BEGIN { exit !(x + 0 >= a && x + 0 <= b) }'; }

test_that "where one drive is the limit, drives twice as fast give twice the IOPS and say so"
run run disk.cfg disk.fio -o disk.h5
run report disk.h5 --what-if=200ms -o page.html
expect_status 0
expect_no_stderr
check "valid HTML" valid page.html
g=$(gain 'every drive twice as fast' 2)
check "about +100 %, not $g" between "$g" 90 105
run_cmd cat "$TMP/page.html"
expect_stdout 'within the precision in every job: .*software of the path twice as fast'
expect_stdout '<strong>all data on [a-z0-9-]*</strong> \(EUR [1-9][0-9]*\): j \+[0-9]+ %'
expect_stdout 'jobs cut to 200ms of simulated time'

test_that "where a port is the limit, the port helps and drives do not"
printf '[w]\nfilename=/mnt/f\ndirect=1\nioengine=libaio\nsize=8g\nrw=write\nbs=1M\niodepth=16\n' \
    >"$TMP/port.fio"
printf 'time_based\nruntime=300ms\n' >>"$TMP/port.fio"
run run "$ROOT/configs/layouts/story1-baseline.cfg" port.fio -o port.h5
run report port.h5 --what-if=300ms -j 1 -o page.html
expect_status 0
g=$(gain 'network ports twice as fast' 2)
check "about +95 %, not $g" between "$g" 85 105
run_cmd cat "$TMP/page.html"
expect_stdout 'within the precision in every job: .*every drive twice as fast'
expect_stdout '<strong>network ports twice as fast \(20 Gbit/s\)</strong>: w \+[0-9]+ %'
expect_stdout 'faster or other drives: <strong>no</strong>'

test_that "the number of threads changes nothing"
run report port.h5 --what-if=300ms -j 3 -o page3.html
check "equal bytes" cmp -s "$TMP/page.html" "$TMP/page3.html"

test_that "the estimate that decides is tried at both ends of its range, and the flush the log lacks"
printf '[r]\nfilename=/mnt/f\ndirect=1\nioengine=libaio\nsize=8g\nrw=randrw\nbs=4k\niodepth=32\n' \
    >"$TMP/thread.fio"
printf 'time_based\nruntime=300ms\n' >>"$TMP/thread.fio"
run run "$ROOT/configs/layouts/story1-baseline.cfg" thread.fio -o thread.h5
run report thread.h5 --what-if=300ms -o page.html
expect_status 0
check "valid HTML" valid page.html
g=$(gain 'platform controller = 8 us' 2)
check "well above 0 %, not $g" between "$g" 30 120
g=$(gain 'platform controller = 30 us' 2)
check "well below 0 %, not $g" between "$g" -60 -20
g=$(gain 'the log flushed with every write' 2)
check "far below 0 %, not $g" between "$g" -100 -30
run_cmd cat "$TMP/page.html"
expect_stdout 'platform.controller, an estimate: at 8 us or 30 us: r \+[0-9]+ % or -[0-9]+ %'

test_that "a change the layout's rules refuse is there with the rule"
sed 's/optane-900p-280g/samsung-990pro-2tb/' "$ROOT/configs/layouts/story1-usb-boot.cfg" >"$TMP/u.cfg"
run run u.cfg port.fio -o u.h5
run report u.h5 --what-if=50ms -o page.html
expect_status 0
run_cmd cat "$TMP/page.html"
expect_stdout 'all data on optane-900p-280g</td><td class="n">[1-9][0-9]*</td><td colspan="1">refused: .*CE3'

test_that "what cannot be simulated again is refused in one line, and nothing is left behind"
run_cmd "$PYTHON" -c '
import h5py, shutil
shutil.copy("disk.h5", "bad.h5")
with h5py.File("bad.h5", "a") as f:
    del f["layout"]
    f["layout"] = "name = 1;"
'
run report bad.h5 --what-if -o none.html
expect_status 2
expect_oneline
expect_no_file none.html
expect_no_file hcisim-
run report disk.h5 --what-if=fast
expect_status 2
expect_stderr "wants a time"
run report disk.h5 --what-if -j 0
expect_status 2
expect_oneline

end_tests
