# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The rules of docs/architecture.md that a grep can hold up.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../cli/lib.sh"
cd "$ROOT" || exit 2

# none TEXT COMMAND...: COMMAND must print nothing.
none() {
    local text=$1 hits
    shift
    _checks=$((_checks + 1))
    hits=$("$@" 2>/dev/null | head -8)
    [[ -z $hits ]] || fail "$text: $hits"
}

sources() { find sim models analysis tests -name '*.[ch]' | sort; }

includes() { # DIR REGEX [EXCEPT-REGEX]: includes below DIR that match
    grep -rnE --include='*.[ch]' "^ *# *include *[<\"]($2)" "$1" | grep -vE "${3:-^$}"
}

test_that "sim/ includes nothing of the layers above"
none "upward include" includes sim 'hci_|ana_|devices/|platforms/|workload/|\.\./'

test_that "models/ includes nothing of analysis/"
none "upward include" includes models 'ana_|\.\./'

test_that "devices, platforms and workload sources do not include each other"
[[ ! -d models/devices ]] || none "devices" includes models/devices 'platforms/|workload/'
[[ ! -d models/platforms ]] || none "platforms" includes models/platforms 'devices/|workload/'
none "workload" includes models/workload 'devices/|platforms/'

test_that "sim/ knows no storage word"
words='disks?|ssds?|hdds?|nvme|sata|nand|flash|optane|oplog|raid[0-9]*|iscsi|lba|vdisks?|cvm'
words+='|nutanix|vsan|ceph|stargate|hypervisor|storage|oplogs?'
none "storage word" grep -rniE "(^|[^a-z])($words)([^a-z]|$)" sim

test_that "GSL is included in sim/ and analysis/ only"
none "GSL" includes models 'gsl/'

test_that "libconfig is included in models/hci_config.c only"
none "libconfig" includes . 'libconfig' '^\./(models/hci_config\.c|build[^/]*/)'

test_that "HDF5 is included in analysis/ana_hdf5*.c only"
none "HDF5" includes . 'hdf5' '^\./(analysis/ana_hdf5[a-z_]*\.c|tests/|build[^/]*/)'

test_that "jansson is included in analysis/ana_json*.c only"
none "jansson" includes . 'jansson' '^\./(analysis/ana_json[a-z_]*\.c|tests/|build[^/]*/)'

test_that "every source file names its licence in the first line"
unlicensed() { sources | while read -r f; do head -1 "$f" | grep -q 'SPDX-License-Identifier: GPL-3.0-or-later' || echo "$f"; done; }
none "no licence" unlicensed

test_that "no source file is longer than 500 lines"
long_files() { sources | xargs wc -l | awk '$2 != "total" && $1 > 500 { print $2 ": " $1 }'; }
none "long file" long_files

test_that "no function is longer than 60 lines"
long_functions() {
    find sim models analysis -name '*.[ch]' | sort |
        xargs ctags --languages=C --kinds-C=f --fields=+ne -x \
            --_xformat='%F %N %n %{end}' 2>/dev/null |
        awk '$4 - $3 + 1 > 60 { print $1 ": " $2 " " $4 - $3 + 1 " lines" }'
}
functions_seen() { [[ $(ctags --languages=C --kinds-C=f -x sim/sim_err.c | wc -l) -ge 2 ]]; }
if ctags --version 2>/dev/null | grep -q Universal; then
    check "ctags sees functions" functions_seen
    none "long function" long_functions
else
    skip "universal-ctags is not installed"
fi

test_that "a .c file includes its own header first"
own_first() {
    find sim models analysis -name '*.c' | sort | while read -r f; do
        base=$(basename "$f" .c)
        [[ -f ${f%.c}.h ]] || continue
        grep -m1 -E '^ *# *include' "$f" | grep -qE "\"([a-z]+/)?$base\.h\"" || echo "$f"
    done
}
none "another header comes first" own_first

test_that "no struct is hidden behind a typedef"
none "typedef" grep -rnE --include='*.[ch]' '^ *typedef +(struct|union|enum)\b' sim models analysis

test_that "no line ends in white space and no file lacks its last newline"
none "trailing space" grep -rnE --include='*.[ch]' --include='*.sh' --include='*.md' '[[:blank:]]+$' \
    sim models analysis tests docs dev README.md CHANGELOG.md
texts() { find . -name .git -prune -o -path './build*' -prune -o -path ./out -prune -o -type f -print; }
unended() {
    texts | grep -E '(\.(c|h|sh|md|cfg|fio|txt|json)|/(dev|run|LICENSE|\.[a-z-]+))$' | grep -v /fixtures/ |
        while read -r f; do [[ ! -s $f || -z $(tail -c1 "$f") ]] || echo "$f"; done
}
texts_seen() { [[ $(texts | wc -l) -gt 30 ]]; }
check "files are found" texts_seen
none "no newline at the end" unended

end_tests
