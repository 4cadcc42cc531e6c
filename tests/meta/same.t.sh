# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# One simulated second of every shipped layout gives the same bytes, trajectory
# hash included, whatever compiler and optimisation level built the program, and
# with one thread or two.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
cd "$ROOT" || exit 2

cat >"$TMP/second.fio" <<'EOF'
[global]
filename=/same
ioengine=libaio
direct=1
size=2g
time_based=1
runtime=200ms
[mixed]
rw=randrw
bs=4k
iodepth=16
random_generator=lfsr
[skewed]
stonewall
rw=randread
bs=8k
iodepth=8
random_distribution=zipf:1.1
[write]
stonewall
rw=write
bs=1m
iodepth=8
end_fsync=1
[sync]
stonewall
rw=randwrite
bs=4k
fsync=4
[read]
stonewall
rw=read
bs=256k
iodepth=4
EOF

built() { # COMPILER LEVEL: the program, or nothing
    local dir=build/same-$1$2
    cmake -S . -B "$dir" -G Ninja -DCMAKE_C_COMPILER="$1" -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_C_FLAGS_RELEASE="$2" >/dev/null 2>&1 &&
        ninja -C "$dir" hcisim >/dev/null 2>&1 && echo "$dir/hcisim"
}

simulated() { # PROGRAM OPTION...: all layouts' results
    local program=$1 layout
    shift
    for layout in configs/layouts/*.cfg; do
        "$program" run "$layout" "$TMP/second.fio" --force --output-format=json "$@" ||
            echo "status $? on $layout"
    done
}

simulated "$HCISIM" >"$TMP/reference" 2>"$TMP/err"
test_that "every shipped layout simulates a second"
check "no run fails" eval '! grep -q "^status" "$TMP/reference"'
check "every run tells its hash" \
    test "$(grep -c '"hash" :' "$TMP/reference")" -eq "$(ls configs/layouts/*.cfg | wc -l)"

for compiler in gcc clang; do
    for level in -O0 -O2 -O3; do
        test_that "$compiler $level gives the same bytes"
        program=$(built "$compiler" "$level")
        check "it builds" test -n "$program"
        [[ -n "$program" ]] && simulated "$program" >"$TMP/other" 2>"$TMP/err"
        check "the results are equal" cmp "$TMP/reference" "$TMP/other"
    done
done

test_that "replications on one thread and on two give the same bytes"
simulated "$HCISIM" --reps 3 -j 1 >"$TMP/one" 2>"$TMP/err"
simulated "$HCISIM" --reps 3 -j 2 >"$TMP/two" 2>"$TMP/err"
check "the results are equal" cmp "$TMP/one" "$TMP/two"

test_that "another seed gives another trajectory"
simulated "$HCISIM" --seed 2 >"$TMP/other" 2>"$TMP/err"
check "the hashes differ" eval '! cmp -s <(grep hash "$TMP/reference") <(grep hash "$TMP/other")'

end_tests
