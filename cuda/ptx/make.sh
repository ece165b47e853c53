#!/bin/sh
# Compiles the kernels of cuda/kernels to cuda/ptx/quatint.ptx, which is committed: `make ptx`. It
# takes some seconds, and a stable compiler with the target nvptx64-nvidia-cuda, which
# tests/setup_ptx.sh installs. No CUDA is needed.
#
# The text is for devices of compute capability 7.0 and later; the driver of each compiles it.
set -eu
cd "$(dirname "$0")/../.."
out=$PWD/target/ptx

tests/setup_ptx.sh
sysroot=
[ ! -d "$out/sysroot" ] || sysroot="--sysroot $out/sysroot"

# One unit, so that the rare ways of the arithmetic are functions of one module. The folder of the
# build must not show in the text.
cd cuda
# shellcheck disable=SC2086
env -u RUSTC_BOOTSTRAP rustc --edition 2024 --crate-type cdylib --crate-name quatint_kernels \
    --target nvptx64-nvidia-cuda $sysroot -C target-cpu=sm_70 -C opt-level=3 -C codegen-units=1 \
    -C panic=abort -D warnings --remap-path-prefix "$PWD"=. --emit=asm="$out/raw.ptx" kernels/lib.rs
python3 ptx/module.py "$out/raw.ptx" "$out/module.ptx"
{
    echo "// The kernels of quatint, from cuda/kernels by $(rustc --version | cut -d' ' -f1-2): make ptx"
    cat "$out/module.ptx"
} >ptx/quatint.ptx
