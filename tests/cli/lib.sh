# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The harness of the shell tests. A test file is tests/ROOM/NAME.t.sh:
#
#   source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
#
#   test_that "check refuses a missing file in one line"
#   run check nowhere.cfg
#   expect_status 2
#   expect_oneline
#   expect_stderr 'nowhere\.cfg: .*No such file'
#   end_tests
#
# `run ARGS` calls the hcisim command in a fresh directory ($TMP, removed at the
# end); `run_cmd PROGRAM ARGS` calls any other. After either: $status, $TMP/out,
# $TMP/err, $took_ms. The source tree is $ROOT, Debian's Python $PYTHON.
# Output is TAP; a case without an expectation fails; so does a file that ends
# early. Expectations never stop the file.
set -u
export LC_ALL=C.UTF-8

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
HCISIM=${HCISIM:-$ROOT/build/hcisim}
if [[ -z ${PYTHON:-} ]]; then
    if [[ -x /usr/bin/python3 ]]; then PYTHON=/usr/bin/python3; else PYTHON=python3; fi
fi
export HCISIM PYTHON
TMP=$(mktemp -d)
LIMIT_S=${LIMIT_S:-120} # a run that takes longer is killed and fails

status=0 took_ms=0
_n=0 _failed=0 _title='' _checks=0 _bad=0 _skip='' _done=0 _last=''

_close_case() {
    [[ -n $_title ]] || return 0
    _n=$((_n + 1))
    if [[ -n $_skip ]]; then
        printf 'ok %d - %s # SKIP %s\n' "$_n" "$_title" "$_skip"
    elif ((_bad || _checks == 0)); then
        ((_checks)) || echo "# this case expects nothing"
        printf 'not ok %d - %s\n' "$_n" "$_title"
        _failed=$((_failed + 1))
    else
        printf 'ok %d - %s\n' "$_n" "$_title"
    fi
    _title=''
}

_finish() {
    local rc=$?
    _close_case
    rm -rf "$TMP"
    if ((!_done)); then
        _n=$((_n + 1)) _failed=$((_failed + 1))
        printf 'not ok %d - the file runs to its end_tests line (status %d)\n' "$_n" "$rc"
    fi
    printf '1..%d\n' "$_n"
    ((_n > 0 && _failed == 0)) || exit 1
    exit 0
}
trap _finish EXIT

# test_that SENTENCE: opens a case.
test_that() {
    _close_case
    _title=$1 _checks=0 _bad=0 _skip=''
    : >"$TMP/out"
    : >"$TMP/err"
}

# skip REASON: the open case cannot run here.
skip() { _skip=$1; }

# end_tests: the last line of every file.
end_tests() { _close_case; _done=1; }

# fail TEXT: the open case fails.
fail() {
    _bad=1
    printf '# %s\n' "$1"
    [[ -z $_last ]] || printf '#   after: %s (status %s)\n' "$_last" "$status"
    [[ ! -s $TMP/err ]] || head -c 600 "$TMP/err" | tr -d '\000' | sed 's/^/#   stderr: /'
}

# check TEXT COMMAND...: an expectation of your own.
check() {
    local text=$1
    shift
    _checks=$((_checks + 1))
    "$@" || fail "expected: $text"
}

run_cmd() {
    local t0
    _last="$*"
    t0=$(date +%s%N)
    (cd "$TMP" && exec timeout -k 5 "$LIMIT_S" "$@") >"$TMP/out" 2>"$TMP/err" </dev/null
    status=$?
    took_ms=$((($(date +%s%N) - t0) / 1000000))
}

run() { run_cmd "$HCISIM" "$@"; }

# run_to FILE ARGS: like run, with standard output into FILE.
run_to() {
    local to=$1
    shift
    _last="hcisim $* > $to"
    (cd "$TMP" && exec timeout -k 5 "$LIMIT_S" "$HCISIM" "$@") >"$to" 2>"$TMP/err" </dev/null
    status=$?
}

expect_status() {
    _checks=$((_checks + 1))
    [[ $status == "$1" ]] || fail "status $status instead of $1"
}

# expect_oneline: exactly one line on stderr, nothing on stdout.
expect_oneline() {
    local lines
    _checks=$((_checks + 1))
    lines=$(wc -l <"$TMP/err")
    [[ $lines == 1 ]] || fail "$lines lines on stderr instead of one"
    [[ ! -s $TMP/out ]] || fail "something on stdout"
}

# Extended regular expressions, matched against any line.
expect_stderr() {
    _checks=$((_checks + 1))
    grep -aEq -- "$1" "$TMP/err" || fail "stderr does not match: $1"
}
expect_stdout() {
    _checks=$((_checks + 1))
    grep -aEq -- "$1" "$TMP/out" || fail "stdout does not match: $1"
}
expect_no_stdout() {
    _checks=$((_checks + 1))
    [[ ! -s $TMP/out ]] || fail "something on stdout"
}
expect_no_stderr() {
    _checks=$((_checks + 1))
    [[ ! -s $TMP/err ]] || fail "something on stderr"
}

# Files relative to $TMP.
expect_file() {
    _checks=$((_checks + 1))
    [[ -s $TMP/$1 ]] || fail "no file $1"
}
expect_no_file() {
    local hit
    _checks=$((_checks + 1))
    hit=$(cd "$TMP" && compgen -G "$1*") && fail "left behind: $hit"
    return 0
}

# expect_json FILTER: jq -e on stdout; the last value must be true.
expect_json() {
    _checks=$((_checks + 1))
    jq -e "$1" "$TMP/out" >/dev/null 2>"$TMP/jq" || fail "json: not true: $1 $(head -c 200 "$TMP/jq")"
}

expect_faster_than_ms() {
    _checks=$((_checks + 1))
    ((took_ms <= $1)) || [[ -n ${HCISIM_SANITIZED:-} ]] || fail "took $took_ms ms, not $1"
}
