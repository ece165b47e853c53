#!/bin/sh
# `conan create` in a copy of the source with the crates beside it, without a network: builds both
# libraries, and links and runs a program with each.
set -eu
cd "$(dirname "$0")/.."
work=$PWD/target/test-recipes/conan
rm -rf "$work"
mkdir -p "$work"
packaging/vendored.sh "$work/source"
export CONAN_HOME="$work/home"
conan=$PWD/target/packaging/bin/conan
"$conan" profile detect >"$work/log" 2>&1
for shared in True False; do
    unshare -n "$conan" create "$work/source/packaging/conan" -o "quatint/*:shared=$shared" >>"$work/log" 2>&1 || {
        tail -n 40 "$work/log" >&2
        exit 1
    }
done
find "$work/home" -path '*/p/lib/libquatint*' | sed 's|.*/||' | sort
rm -rf "$work"
echo "Conan: both libraries built without a network, a program linked and run with each"
