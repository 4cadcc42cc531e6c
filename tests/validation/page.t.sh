# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# docs/validation.md and README say what this program simulates.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"

test_that "docs/validation.md is what ./dev validate would write"
if ! command -v jq >/dev/null; then
    skip "jq is not installed"
elif [[ -n ${HCISIM_SANITIZED:-} ]]; then
    skip "too slow under sanitizers"
else
    # Without gnuplot the figures are not drawn again: their bytes vary by its version.
    mkdir "$TMP/bin"
    for tool in bash jq awk sed grep cut sort fold mktemp rm mkdir cat dirname; do
        ln -s "$(command -v $tool)" "$TMP/bin/$tool"
    done
    run_cmd env PATH="$TMP/bin" bash "$ROOT/tests/validation/page.sh" "$TMP/page"
    expect_status 0
    check "equal pages (else: ./dev validate)" diff "$ROOT/docs/validation.md" "$TMP/page/validation.md"
    check "README's summary (else: ./dev validate)" diff \
        <(sed -n '/<!-- validation -->/,/<!-- end -->/{/<!--/!p}' "$ROOT/README.md") \
        "$TMP/page/summary.md"
fi

test_that "every figure the page shows is there, and small"
for figure in $(grep -o 'validation-[a-z0-9]*\.svg' "$ROOT/docs/validation.md"); do
    check "docs/$figure" grep -q '<svg' "$ROOT/docs/$figure"
    check "docs/$figure below 64 KiB" test "$(wc -c <"$ROOT/docs/$figure")" -lt 65536
done

end_tests
