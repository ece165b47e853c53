#!/bin/sh
# Sets up what the tests need besides Rust. As root on Debian or Ubuntu it installs the packages; elsewhere it says what is
# missing, in one line, and fails: a test that cannot run has not passed.
set -eu

missing=
# command:package
for need in cc:gcc gcc:gcc g++:g++ clang:clang valgrind:valgrind nm:binutils readelf:binutils; do
    command -v "${need%%:*}" >/dev/null 2>&1 || missing="$missing ${need#*:}"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing:$missing"
    apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing libc6-dev libc6-dbg >/dev/null
else
    echo "make test needs these Debian packages (or what your system calls them):$missing" >&2
    exit 1
fi
