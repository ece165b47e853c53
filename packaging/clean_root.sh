#!/bin/sh
# clean_root.sh          prints the folder of an empty Debian with a C compiler, pkg-config and
#                        CMake, for programs to be built there as a user would. It holds nothing of
#                        Rust.
# clean_root.sh arm64    prints that of a Debian for another processor, with Python, numpy and scipy,
#                        to be run by an emulator. It is not configured.
#
# Makes each once, in target, with debootstrap; needs root.
set -eu
cd "$(dirname "$0")/.."
root=$PWD/target/clean-root${1:+-$1}

if [ -z "${1:-}" ]; then
    set -- --include=gcc,libc6-dev,pkgconf,cmake,make
else
    set -- --foreign --arch="$1" --include=python3-minimal,python3-scipy
fi
if [ "$(cat "$root/complete" 2>/dev/null)" != "$*" ]; then
    # the mirror of this machine: the first address that its own sources name
    mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(CREATED_BY)' |
        awk '$3 == "Packages" && $2 ~ /^(bookworm|trixie|stable)$/ {print $1, $2; exit}')
    [ -n "$mirror" ] || {
        echo "clean_root.sh: the package sources of this machine name no Debian release" >&2
        exit 1
    }
    rm -rf "$root"
    debootstrap --variant=minbase "$@" "${mirror#* }" "$root" "${mirror% *}" >"$root.log" 2>&1 || {
        tail -n 20 "$root.log" >&2
        exit 1
    }
    # what debootstrap leaves for a second stage, which must run on the processor itself
    for package in "$root"/var/cache/apt/archives/python*.deb "$root"/var/cache/apt/archives/lib*.deb; do
        [ ! -e "$root/debootstrap" ] || dpkg -x "$package" "$root"
    done
    echo "$*" >"$root/complete"
fi
echo "$root"
