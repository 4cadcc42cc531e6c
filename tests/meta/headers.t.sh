# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Every header compiles alone, twice in one file, with its own layer's include
# path and no other.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
cd "$ROOT" || exit 2

FLAGS=(-std=gnu11 -fsyntax-only -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Werror)

alone() { # HEADER INCLUDE-FLAG...
    local header=$1
    shift
    printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
        "${CC:-gcc}" "${FLAGS[@]}" "$@" -I . -x c - 2>"$TMP/err"
}

for layer in sim models analysis; do
    case $layer in
    sim) path=(-I sim) ;;
    models) path=(-I sim -I models) ;;
    *) path=(-I sim -I models -I analysis) ;;
    esac
    while read -r header; do
        test_that "$header compiles alone"
        check "$header compiles" alone "$header" "${path[@]}"
    done < <(find "$layer" -name '*.h' | sort)
done

end_tests
