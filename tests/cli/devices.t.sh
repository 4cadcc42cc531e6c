# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The verb devices: the catalogue and its curves.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
export HCISIM_CONFIGS=$ROOT/configs

test_that "every product of the catalogue has a line"
run devices
expect_status 0
expect_no_stderr
for cfg in "$ROOT"/configs/devices/*.cfg; do
    expect_stdout "^$(basename "$cfg" .cfg) "
done

test_that "the figures by formula are those the drive files were made for"
run devices --json
expect_status 0
expect_json '.schema == "hcisim-devices/1"'
expect_json '.devices[] | select(.device == "optane-900p-280g") | .read_us > 6.7 and .read_us < 7.2 and .read_per_s > 585e3 and .read_per_s < 592e3 and .flush_ns == 0'
expect_json '.devices[] | select(.device == "samsung-980pro-1tb") | .read_per_s > 780e3 and .read_per_s < 786e3 and .plp == 0'
expect_json '.devices[] | select(.device == "hpe-lk1600geymv") | .write_per_s > 22800 and .write_per_s < 23200'
expect_json '.devices[] | select(.device == "ideal-100us") | .read_us == 100 and .read_capped_by == "servers" and .read_per_s == 640000'

test_that "a name shows where each number comes from"
run devices optane-900p-280g
expect_status 0
expect_stdout '^  read_unit +"4.5 us" +fitted: '
expect_stdout '^  write_fixed +"1 us" +estimated: .*\(500 ns to 3 us\)$'

test_that "a curve rises with depth to the formula's cap and never above it"
run devices samsung-980pro-1tb --curve --json
expect_status 0
expect_json '[.curve[] | select(.rw == "randread") | .kiops] | length == 9 and . == sort'
# shellcheck disable=SC2016
expect_json '(.devices[0].read_per_s / 1e3) as $cap | [.curve[] | select(.rw == "randread") | .kiops] | max <= 1.005 * $cap and max > 0.95 * $cap'
# shellcheck disable=SC2016
expect_json '.devices[0].read_us as $us | .curve[0].mean_us / $us | . > 0.99 and . < 1.01'

test_that "published points stand beside, with what they were used for and their error"
expect_json '[.published[].use] | unique == ["fit", "held-out"]'
expect_json '[.published[] | select((.simulated_kiops / .kiops - 1) * 100 - .error_percent | fabs > 0.001)] == []'
expect_json '[.published[] | select(.error_percent | fabs > 8)] == []'
run devices samsung-980pro-1tb --curve
expect_status 0
expect_stdout '^held-out +[0-9]+ points, IOPS off by'

test_that "a drive without published points says so"
run devices ideal-100us --curve
expect_status 0
expect_stdout 'No published point'

test_that "an unknown drive is one line with the nearest"
run devices samsung-990-pro-1tb
expect_status 2
expect_oneline
expect_stderr 'did you mean samsung-990pro-1tb\?'

test_that "--curve without a name, two names and a path are one line each"
run devices --curve
expect_status 2
expect_oneline
run devices optane-900p-280g usb-64g
expect_status 2
expect_oneline
run devices ../layouts/one-device
expect_status 2
expect_oneline

test_that "a broken table of points is one line with its line number"
mkdir -p "$TMP/c"
cp -r "$ROOT/configs/." "$TMP/c"
export HCISIM_CONFIGS=$TMP/c
printf '%s\noptane-900p-280g,randread,4096,1,1,spdk,fast,0,fit,5,"x"\n' \
    'device,rw,bs,qd,jobs,engine,kiops,mean_us,use,tolerance,source' >"$TMP/c/curves.csv"
run devices optane-900p-280g --curve
expect_status 2
expect_oneline
expect_stderr 'curves\.csv:2: not a point'
printf 'a,b\n' >"$TMP/c/curves.csv"
run devices optane-900p-280g --curve
expect_status 2
expect_oneline
expect_stderr 'curves\.csv:1: the header'
rm "$TMP/c/curves.csv"
run devices optane-900p-280g --curve
expect_status 2
expect_oneline
expect_stderr 'curves\.csv: No such file'

test_that "a catalogue that is not there is one line"
export HCISIM_CONFIGS=$TMP/nowhere
run devices
expect_status 2
expect_oneline

test_that "a full disk is status 3"
export HCISIM_CONFIGS=$ROOT/configs
run_to /dev/full devices
expect_status 3

end_tests
