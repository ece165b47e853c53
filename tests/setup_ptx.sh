#!/bin/sh
# Rust's core library for the target nvptx64-nvidia-cuda, which `make ptx` needs. rustup has it.
# Where it cannot be had from there, it is built into target/ptx from what the toolchain has of its
# source: the component rust-src, or else the pages of the component rust-docs, which show it whole.
# Where it is there already, this prints nothing and takes no time.
set -eu
cd "$(dirname "$0")/.."
target=nvptx64-nvidia-cuda
out=$PWD/target/ptx
rust=$(rustc --print sysroot)
mkdir -p "$out"

[ ! -d "$rust/lib/rustlib/$target/lib" ] || { rm -rf "$out/sysroot"; exit 0; }
[ "$(rustc --version)" != "$(cat "$out/sysroot/stamp" 2>/dev/null)" ] || exit 0
echo "installing Rust's core library for $target"
! rustup --quiet target add "$target" >/dev/null 2>&1 || exit 0

echo "building it into target/ptx, because rustup cannot install it"
rm -rf "$out/sysroot" "$out/library"
if [ -d "$rust/lib/rustlib/src/rust/library/core" ]; then
    cp -r "$rust/lib/rustlib/src/rust/library" "$out/library"
elif [ -d "$rust/share/doc/rust/html/src/core" ]; then
    python3 cuda/ptx/core_from_docs.py "$rust/share/doc/rust/html/src/core" "$out/library"
else
    echo "make ptx needs: rustup target add $target, or rustup component add rust-src" >&2
    exit 1
fi
# The library is compiled as the project of Rust does it, with features that it alone may use. The
# kernels are not: they are stable Rust.
lib=$out/sysroot/lib/rustlib/$target/lib
mkdir -p "$lib"
compile() {
    RUSTC_BOOTSTRAP=1 rustc --edition 2024 --crate-type rlib --target "$target" --cap-lints allow \
        -C opt-level=3 -C panic=abort -C codegen-units=1 -Z force-unstable-if-unmarked \
        --emit=metadata,link --out-dir "$lib" "$@"
}
compile --crate-name core "$out/library/core/src/lib.rs"
# functions that the processor lacks; the kernels need none
printf '#![feature(compiler_builtins)]\n#![compiler_builtins]\n#![no_std]\n' >"$out/library/none.rs"
compile --sysroot "$out/sysroot" --crate-name compiler_builtins "$out/library/none.rs"
rm -rf "$out/library"
rustc --version >"$out/sysroot/stamp"
