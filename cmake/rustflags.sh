#!/bin/sh
# rustflags.sh: prints the flags of rustc for a build to pass on, as a list of TOML.
#
# The messages of panics name source files. Without their folders the libraries do not depend on
# who builds them where (tests/reproducible.sh).
set -eu

cargo_home=${CARGO_HOME:-$HOME/.cargo}
rustc() { PATH=$PATH:$cargo_home/bin command "${RUSTC:-rustc}" "$@"; }
crates=$cargo_home/registry/src
# Sources of the standard library have this folder in their names if the component rust-src is
# installed, and else the name that is given below.
rust=$(rustc --print sysroot)/lib/rustlib/src/rust
hash=$(rustc --verbose --version | sed -n 's/^commit-hash: //p')
echo "[\"--remap-path-prefix=$crates=/crates\", \"--remap-path-prefix=$rust=/rustc/$hash\"]"
