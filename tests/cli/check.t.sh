# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The verb check, from outside.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
L=$ROOT/configs/layouts
S=$L/story1-optane.cfg

# refused LINE-REGEX TEXT: check bad.cfg (in $TMP) ends in one line, status 2.
refused() {
    run check bad.cfg
    expect_status 2
    expect_oneline
    expect_stderr "^hcisim: bad\\.cfg:$1: .*$2"
}
# layout NODE-TEXT [PLATFORM-TEXT]: writes bad.cfg.
layout() {
    cat >"$TMP/bad.cfg" <<CFG
platform: { kind = "nutanix"; ${2:-} };
nodes = ( { count = 3;
            $1
            disks = ( { device = "samsung-990pro-2tb"; role = "cvm"; } ); } );
CFG
}
export HCISIM_CONFIGS=$ROOT/configs

test_that "the Optane layout passes, with the logged bytes and the 7.7 % warning"
run check "$S" --json
expect_status 0
expect_no_stderr
expect_json '[.disks[] | select(.device == "optane-900p-280g") | .log_bytes] == [16481369332, 16481369332, 16481369332]'
expect_json '[.disks[] | select(.device == "samsung-990pro-2tb") | .log_bytes] | unique == [198266995467]'
expect_json '[.disks[] | select(.device == "optane-900p-280g") | .usable_bytes] | unique == [149803025164]'
expect_json '[.disks[] | select(.device == "samsung-990pro-2tb") | .usable_bytes] | unique == [1702077037813]'
expect_json '.findings[] | select(.rule == "NX1") | .severity == "warning" and (.text | contains("7.7 %"))'
expect_json '.verdict == "ok" and .errors == 0'

test_that "the text shows the same figures"
run check "$S"
expect_status 0
expect_stdout 'optane-900p-280g .*16481369332 .*149803025164'
expect_stdout 'samsung-990pro-2tb .*198266995467 .*1702077037813'
expect_stdout '^warning NX1 .*7\.7 %'
expect_stdout '^Verdict: ok'

test_that "the USB layout is refused by the Curator rule, 139.5 against 157 GiB"
run check "$L/story1-usb-boot.cfg"
expect_status 1
expect_no_stderr
expect_stdout '^error +CE3 .*Curator needs 157\.0 GiB.*139\.5 GiB'

test_that "the first attempt is refused by the boot-disk rule"
run check "$L/story1-first-try.cfg"
expect_status 1
expect_stdout '^error +CE1 .*boot disk .* is not the smallest'

test_that "three copies on four nodes are a layout rule, not bad input"
run check "$S" --set nodes.[0].count=4 --set rf=3
expect_status 1
expect_stdout '^error +NX2 .*at least 5 nodes'

test_that "more copies than nodes are bad input"
run check "$S" --set nodes.[0].count=2 --set rf=3
expect_status 2
expect_oneline
expect_stderr 'redundancy 3 needs 3 nodes'

test_that "no nodes are bad input"
run check "$S" --set nodes.[0].count=0
expect_status 2
expect_oneline
expect_stderr 'story1-optane\.cfg:[0-9]+: no nodes'

test_that "the effective configuration checks alike"
run check "$S" --effective
expect_status 0
cp "$TMP/out" "$TMP/effective.cfg"
run check effective.cfg --json
expect_status 0
expect_json '[.disks[].log_bytes] | add == 644245094397'

test_that "a missing file is one line, status 2"
run check nowhere.cfg
expect_status 2
expect_oneline
expect_stderr '^hcisim: nowhere\.cfg: .*No such file'

test_that "a directory is one line, status 2"
run check .
expect_status 2
expect_oneline
expect_stderr 'is a directory'

test_that "an empty file is one line, status 2"
: >"$TMP/bad.cfg"
refused 1 'is empty'

test_that "binary noise is one line, status 2"
head -c 4096 "$HCISIM" >"$TMP/bad.cfg"
refused 1 'NUL bytes'

test_that "text that is no configuration is one line with its line"
printf 'name = "x";\nhello world\n' >"$TMP/bad.cfg"
refused 2 'syntax error'

test_that "an unknown key is named with the nearest one"
layout 'memori = "96 GiB";'
refused 3 'unknown key memori, did you mean memory\?'

test_that "a bare number where a unit belongs is refused"
layout 'memory = 96;'
refused 3 'bare number without a unit'

test_that "10Gb and 10GB are told apart from 10 Gbit/s"
layout 'nic = { speed = "10Gb"; };'
refused 3 'did you mean "10 Gbit/s"\?'
layout 'nic = { speed = "10GB"; };'
refused 3 'did you mean "10 GB/s"\?'

test_that "a mirror of more than two virtual disks gets a note"
run check "$S" --set guests.[0].vdisks=4
expect_stdout 'MD1'
check "the note is there" grep -q 'raid1 over 4' <(tr '\n' ' ' <"$TMP/out" | tr -s ' ')
run check "$S"
check "two are no news" test "$(grep -c MD1 "$TMP/out")" = 0

test_that "an unknown device is named with the nearest product"
layout 'disks2 = 1;'
sed -i 's/disks2 = 1;//; s/samsung-990pro-2tb/samsung-990-pro-2tb/' "$TMP/bad.cfg"
refused 4 'unknown device "samsung-990-pro-2tb", did you mean samsung-990pro-2tb\?'

test_that "a wrong --set is one line"
run check "$S" --set nodes.[9].nic.mtu=1500
expect_status 2
expect_oneline
expect_stderr '^hcisim: --set: .*out of range, the list has 1 element'

test_that "an unknown option is one line, status 2"
run check "$S" --jsn
expect_status 2
expect_oneline

test_that "no layout is one line, status 2"
run check
expect_status 2
expect_oneline

test_that "a full disk is status 3"
run_to /dev/full check "$S"
expect_status 3

end_tests
