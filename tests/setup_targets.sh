#!/bin/sh
# Sets up what `make test-targets` needs: Rust's standard library for each target, Debian's cross
# compilers and emulators, and tools from PyPI in target/tools. With the argument `fast`, only what
# the fast part needs. As root on Debian or Ubuntu it installs the packages; elsewhere it says what
# is missing, in one line, and fails. It prints nothing where all is there.
set -eu
cd "$(dirname "$0")/.."
. tests/packages.sh
who="the tests of other targets need"
tools=$PWD/target/tools

fast_packages="gcc-i686-linux-gnu:i686-linux-gnu-gcc libc6-dev-i386-cross:/usr/i686-linux-gnu/lib/crti.o
    libc6-i386:/lib32/libc.so.6 lib32gcc-s1:/usr/lib32/libgcc_s.so.1"
fast_targets="i686-unknown-linux-gnu x86_64-pc-windows-msvc aarch64-apple-darwin x86_64-apple-darwin"
packages="gcc-aarch64-linux-gnu:aarch64-linux-gnu-gcc gcc-riscv64-linux-gnu:riscv64-linux-gnu-gcc
    gcc-s390x-linux-gnu:s390x-linux-gnu-gcc
    libc6-dev-arm64-cross:/usr/aarch64-linux-gnu/lib/crti.o libc6-dev-riscv64-cross:/usr/riscv64-linux-gnu/lib/crti.o
    libc6-dev-s390x-cross:/usr/s390x-linux-gnu/lib/crti.o qemu-user:qemu-aarch64 musl-tools:musl-gcc
    gcc-mingw-w64-x86-64:x86_64-w64-mingw32-gcc wine:wine wine64:/usr/lib/wine/wine64 clang:clang lld:ld.lld llvm:llvm-nm
    python3:python3"
targets="aarch64-unknown-linux-gnu riscv64gc-unknown-linux-gnu s390x-unknown-linux-gnu x86_64-unknown-linux-musl
    x86_64-pc-windows-gnu wasm32-wasip1 wasm32-unknown-unknown x86_64-unknown-freebsd"
# pip's own form
pypi="ziglang==0.17.1 cargo-zigbuild==0.24.1 wasmtime==50.0.1 lief==1.0.0"

if [ "${1:-}" = fast ]; then
    packages=$fast_packages targets=$fast_targets pypi=
else
    packages="$fast_packages $packages" targets="$fast_targets $targets"
fi

# shellcheck disable=SC2086
install_missing "$who" $packages
[ -z "$pypi" ] || python3 -c 'import ensurepip, venv' 2>/dev/null || install_packages "$who" python3-venv

# Two that install into one toolchain at a time break it.
missing_targets() {
    installed=$(rustup target list --installed)
    for target in $targets; do
        echo "$installed" | grep -qx "$target" || printf '%s ' "$target"
    done
}
if [ -n "$(missing_targets)" ]; then
    exec 9<"$(rustc --print sysroot)"
    flock 9
    missing=$(missing_targets)
    echo "installing Rust's standard library for $missing"
    # shellcheck disable=SC2086
    [ -z "$missing" ] || rustup --quiet target add $missing || {
        echo "the tests of other targets need: rustup target add $missing" >&2
        exit 1
    }
    exec 9<&-
fi

if [ -n "$pypi" ] && [ "$pypi" != "$(cat "$tools/stamp" 2>/dev/null)" ]; then
    echo "installing into target/tools: $pypi"
    rm -rf "$tools"
    # shellcheck disable=SC2086
    { "${PYTHON:-python3}" -m venv "$tools" &&
        "$tools/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: $pypi; } || {
        rm -rf "$tools"
        echo "the tests of other targets need: pip install $pypi" >&2
        exit 1
    }
    echo "$pypi" >"$tools/stamp"
fi
