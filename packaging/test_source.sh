#!/bin/sh
# The source archive of `make dist` builds without a network and with no crate of this machine, and a
# program links with what it has built. Needs root for the former.
set -eu
cd "$(dirname "$0")/.."
work=$PWD/target/test-recipes/source
rm -rf "$work"
mkdir -p "$work/cargo"
tar xf target/dist/quatint-*-source.tar.gz -C "$work"
cd "$work"/quatint-*-source
CARGO_HOME=$work/cargo unshare -n make >"$work/log" 2>&1 || {
    tail -n 40 "$work/log" >&2
    exit 1
}
cc c_examples/heavy_top.c -Iinclude -Ltarget/release -lquatint -lm -Wl,-rpath,"$PWD/target/release" -o heavy_top
./heavy_top | cmp - tests/heavy_top.txt
rm -rf "$work"
echo "source: built without a network and without crates of this machine, a program linked and run"
