# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The verbs jobs and cmdhelp from outside.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"

test_that "jobs prints one section a clone, which it can read again"
printf '[a]\nsize=1m\nnumjobs=3\nrw=randread\n' >"$TMP/a.fio"
run jobs "$TMP/a.fio"
expect_status 0
check "three sections" test "$(grep -c '^\[a\]' "$TMP/out")" = 3
cp "$TMP/out" "$TMP/b.fio"
run jobs "$TMP/b.fio"
expect_status 0
check "the same again" diff <(grep -v '^;' "$TMP/b.fio") <(grep -v '^;' "$TMP/out")

test_that "jobs shows every mistake with its line and exits 2"
printf '[a]\nsise=1m\nbs=1.5k\n' >"$TMP/a.fio"
run jobs "$TMP/a.fio"
expect_status 2
expect_stderr 'a\.fio:2: unknown option sise, did you mean size'
expect_stderr 'a\.fio:3: option bs=1\.5k: has a fraction'

test_that "a missing job file is one line and exit 2"
run jobs nowhere.fio
expect_status 2
expect_oneline
expect_stderr 'nowhere\.fio: .*No such file'

test_that "cmdhelp explains an option and suggests the nearest name"
run cmdhelp blocksize
expect_status 0
check "the row is bs" grep -q '^ *bs: ' "$TMP/out"
run cmdhelp iodeth
expect_status 2
expect_stderr 'nearest: iodepth'

test_that "docs/fio-options.md is what cmdhelp --markdown prints"
run cmdhelp --markdown
expect_status 0
check "same page" diff "$ROOT/docs/fio-options.md" "$TMP/out"

test_that "cmdhelp says so when it cannot write"
run_cmd bash -c "$HCISIM cmdhelp >/dev/full"
expect_status 3

end_tests
