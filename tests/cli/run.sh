#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/cli/run.sh [PATTERN]: runs the shell tests whose ROOM.NAME contains
# PATTERN (all by default) and counts their cases.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
passed=0 failed=0 skipped=0 files=0
for file in tests/*/*.t.sh; do
    room=$(basename "$(dirname "$file")")
    name=$room.$(basename "$file" .t.sh)
    [[ $name == *"${1:-}"* ]] || continue
    files=$((files + 1))
    echo "# $name"
    out=$(bash "$file")
    rc=$?
    printf '%s\n' "$out"
    s=$(grep -c '^ok .*# SKIP' <<<"$out")
    p=$(grep -c '^ok ' <<<"$out")
    f=$(grep -c '^not ok ' <<<"$out")
    ((rc == 0 || f > 0)) || f=1
    passed=$((passed + p - s)) failed=$((failed + f)) skipped=$((skipped + s))
done
((files)) || { echo "run.sh: no shell test matches '${1:-}'" >&2; exit 2; }
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
((failed == 0))
