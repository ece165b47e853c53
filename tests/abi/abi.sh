#!/bin/sh
# abi.sh check [HEADER]   compares the binary interface that the header declares with the committed one
# abi.sh renew            commits to the present one: writes baseline.abi and constants.txt
#
# A program that was compiled with an older header runs with a newer library of the same SONAME. So within one SONAME
# functions and constants may be added, but none may change. `renew` refuses such a change too; raise the version first.
#
# The types in a Rust library are Rust's, so abidw cannot compare those. It reads a stand-in instead: a library compiled from
# the header's own declarations, with empty bodies. The tests compare the symbols of the true library with it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
what=$1 header=${2:-$here/../../include/quatint.h}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

number() { sed -n "s/^#define QI_VERSION_$1 //p" "$header"; }
soname=$(number MAJOR)
[ "$soname" != 0 ] || soname=0.$(number MINOR)

# the declarations, one a line, become definitions
declarations() { cc -E -P "$header" | tr '\n' ' ' | tr -s ' ' | tr ';' '\n' | grep -v '^ *typedef' | grep ' \**qi_[a-z0-9_]* *('; }
{
    echo "#include \"$header\""
    declarations | sed 's/$/ { __builtin_trap(); }/'
} >"$work/stand_in.c"
cc -std=c99 -g -O0 -fPIC -shared -ffile-prefix-map="$work"/= -Wl,-soname,"libquatint.so.$soname" "$work/stand_in.c" \
    -o "$work/stand_in.so" # the baseline must not name a folder of a machine
abidw --no-comp-dir-path --no-corpus-path --no-show-locs --type-id-style hash "$work/stand_in.so" >"$work/baseline.abi"

# DWARF does not hold macros, so the values of constants are listed beside it. The version may change.
{
    printf '#include <stdio.h>\n#include "%s"\nint main(void) {\n' "$header"
    sed -n 's/^#define \(QI_[A-Z0-9_]*\) .*/\1/p' "$header" | grep -v '^QI_VERSION_' |
        sed 's/.*/printf("& %lld\\n", (long long)(&));/'
    echo 'return 0; }'
} >"$work/constants.c"
cc -std=c99 "$work/constants.c" -o "$work/constants"
"$work/constants" | LC_ALL=C sort >"$work/constants.txt"

fail() {
    echo "$1" >&2
    exit 1
}

committed=
if [ -s "$here/baseline.abi" ]; then
    committed=$(sed -n "s/.* soname='libquatint\.so\.\([0-9.]*\)'.*/\1/p" "$here/baseline.abi")
fi
changed=
if [ "$committed" = "$soname" ]; then
    # bits of the status: 1 and 2 errors, 4 a change, 8 an incompatible one. A changed type of an argument has only the 4,
    # so anything but an added function counts as incompatible.
    status=0
    abidiff --no-added-syms "$here/baseline.abi" "$work/baseline.abi" >"$work/report" || status=$?
    missing=$(LC_ALL=C comm -23 "$here/constants.txt" "$work/constants.txt")
    if [ "$status" != 0 ] || [ -n "$missing" ]; then
        cat "$work/report" >&2
        [ -z "$missing" ] || printf 'constants that changed or are gone, as they were:\n%s\n' "$missing" >&2
        fail "The binary interface changed incompatibly: raise the version in Cargo.toml, then \`make header\` and \`make abi-baseline\`."
    fi
    added=0
    abidiff "$here/baseline.abi" "$work/baseline.abi" >"$work/report" || added=$?
    if [ "$added" != 0 ] || ! cmp -s "$here/constants.txt" "$work/constants.txt"; then changed=yes; fi
else
    changed=yes # a new SONAME may change anything
fi

if [ "$what" = renew ]; then
    cp "$work/baseline.abi" "$work/constants.txt" "$here"
    echo "baseline: libquatint.so.$soname"
elif [ -n "$changed" ]; then
    cat "$work/report" 2>/dev/null >&2 || true
    fail "The baseline (${committed:-none}) lacks what is new in $soname: write it with \`make abi-baseline\` and commit it."
fi
