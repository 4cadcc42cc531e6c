# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The command itself: verbs, help, version, exit statuses.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"

test_that "without a verb the command prints its help on stderr and ends with 2"
run
expect_status 2
expect_stderr '^usage: hcisim VERB'
expect_no_stdout

test_that "--help prints the verbs on stdout and ends with 0"
run --help
expect_status 0
expect_stdout '^  help +'
expect_no_stderr

test_that "--version names program and version and nothing else"
run --version
expect_status 0
expect_stdout '^hcisim [0-9]+\.[0-9]+\.[0-9]+ \([^)]+\)$'
expect_no_stderr

test_that "an unknown verb gives one line with the nearest verb"
run hepl
expect_status 2
expect_oneline
expect_stderr "^hcisim: no verb 'hepl'; nearest: help$"

test_that "a verb like nothing known gives one line that says where the list is"
run zzzzzzzzzzzzzzzz
expect_status 2
expect_oneline
expect_stderr 'hcisim --help'

test_that "a verb full of control characters still gives one printable line"
run $'a\nb\x1b[31m'
expect_status 2
expect_oneline

test_that "a full device behind stdout ends with 3 and says so"
run_to /dev/full --help
expect_status 3
expect_stderr '^hcisim: standard output: No space left on device$'

test_that "an output that cannot be written is one line, however much of it had failed"
printf '[r]\nrw=randread\nbs=4k\nsize=16m\nioengine=libaio\ndirect=1\nnumber_ios=500\n' >"$TMP/r.fio"
one="$ROOT/configs/layouts/one-device.cfg" story="$ROOT/configs/layouts/story1-baseline.cfg"
run run "$one" r.fio --output-format=json --output=r.json
while read -r -a words; do
    run_to /dev/full "${words[@]}"
    expect_status 3
    check "one line from ${words[*]}" test "$(grep -vc ' note: ' "$TMP/err")" = 1
    expect_stderr 'No space left on device|standard output: cannot be written'
done <<TEXT
run $one r.fio
run $one r.fio --output-format=json
run $one r.fio -o r.h5
sweep $one r.fio --vary job.bs=4k,8k
sweep $one r.fio --vary job.bs=4k,8k --csv
compare r.json r.json
diff $one $one r.fio
explain $story
devices
TEXT

test_that "an empty name is refused as such"
for verb in run check explain compare report diff; do
    run "$verb" '' ''
    expect_status 2
    expect_oneline
    expect_stderr '^hcisim: argument 1 is empty where a name is expected$'
done
run run "$one" ''
expect_stderr 'argument 2 is empty'

test_that "a part of a name finds the name"
run devices optane
expect_status 2
expect_oneline
expect_stderr 'unknown device "optane", did you mean optane-900p-280g\?'
run devices 990pro
expect_stderr 'did you mean samsung-990pro-1tb\?'
run run "$one" r.fio --set initial.full=0
expect_stderr 'unknown key full, did you mean fullness\?'

test_that "every verb the help lists answers --help on stdout with status 0"
run --help
verbs=$(sed -n 's/^  \([a-z-]\{1,\}\) .*/\1/p' "$TMP/out")
check "the help lists verbs" test -n "$verbs"
for verb in $verbs; do
    run "$verb" --help
    expect_status 0
    expect_no_stderr
    expect_stdout '[Uu]sage:'
done

test_that "every verb answers an unknown option with one line and status 2"
for verb in $verbs; do
    [[ $verb != help ]] || continue
    run "$verb" --no-such-option-anywhere
    expect_status 2
    expect_oneline
done
check "some verb was asked" test -n "$verbs"

end_tests
