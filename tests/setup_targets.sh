#!/bin/sh
# Sets up what `make test-targets` needs: Rust's standard library for each target, Debian's cross compilers and emulators, and tools
# from PyPI in target/tools. With the argument `fast`, only what the fast part needs. As root on Debian or Ubuntu it installs the
# packages; elsewhere it says what is missing, in one line, and fails. It prints nothing where all is there.
set -eu
cd "$(dirname "$0")/.."
tools=$PWD/target/tools

# command or file:package
fast_packages="i686-linux-gnu-gcc:gcc-i686-linux-gnu /usr/i686-linux-gnu/lib/crti.o:libc6-dev-i386-cross
    /lib32/libc.so.6:libc6-i386 /usr/lib32/libgcc_s.so.1:lib32gcc-s1"
fast_targets="i686-unknown-linux-gnu x86_64-pc-windows-msvc aarch64-apple-darwin x86_64-apple-darwin"
packages="aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu riscv64-linux-gnu-gcc:gcc-riscv64-linux-gnu
    s390x-linux-gnu-gcc:gcc-s390x-linux-gnu
    /usr/aarch64-linux-gnu/lib/crti.o:libc6-dev-arm64-cross /usr/riscv64-linux-gnu/lib/crti.o:libc6-dev-riscv64-cross
    /usr/s390x-linux-gnu/lib/crti.o:libc6-dev-s390x-cross qemu-aarch64:qemu-user musl-gcc:musl-tools
    x86_64-w64-mingw32-gcc:gcc-mingw-w64-x86-64 wine:wine /usr/lib/wine/wine64:wine64 clang:clang ld.lld:lld llvm-nm:llvm
    python3:python3 ensurepip:python3-venv"
targets="aarch64-unknown-linux-gnu riscv64gc-unknown-linux-gnu s390x-unknown-linux-gnu x86_64-unknown-linux-musl
    x86_64-pc-windows-gnu wasm32-wasip1 wasm32-unknown-unknown x86_64-unknown-freebsd"
# pip's own form
pypi="ziglang==0.17.1 cargo-zigbuild==0.24.1 wasmtime==50.0.1 lief==1.0.0"

if [ "${1:-}" = fast ]; then
    packages=$fast_packages targets=$fast_targets pypi=
else
    packages="$fast_packages $packages" targets="$fast_targets $targets"
fi

missing=
for need in $packages; do
    what=${need%%:*}
    case $what in
    ensurepip) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
    /*) [ -e "$what" ] ;;
    *) command -v "$what" >/dev/null 2>&1 ;;
    esac || missing="$missing ${need#*:}"
done
if [ -n "$missing" ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "installing:$missing"
        apt-get update -qq
        # shellcheck disable=SC2086
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
    else
        echo "the tests of other targets need these Debian packages (or what your system calls them):$missing" >&2
        exit 1
    fi
fi

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
