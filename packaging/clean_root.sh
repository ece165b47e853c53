#!/bin/sh
# clean_root.sh: prints the folder of an empty Debian with a C compiler, pkg-config and CMake, for programs to be built there as a user
# would. It holds nothing of Rust. Makes it once, in target/clean-root, with debootstrap; needs root.
set -eu
cd "$(dirname "$0")/.."
root=$PWD/target/clean-root

if [ ! -e "$root/complete" ]; then
    # the mirror of this machine: the first address that its own sources name
    mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(CREATED_BY)' |
        awk '$3 == "Packages" && $2 ~ /^(bookworm|trixie|stable)$/ {print $1, $2; exit}')
    [ -n "$mirror" ] || {
        echo "clean_root.sh: the package sources of this machine name no Debian release" >&2
        exit 1
    }
    rm -rf "$root"
    debootstrap --variant=minbase --include=gcc,libc6-dev,pkgconf,cmake,make "${mirror#* }" "$root" "${mirror% *}" >"$root.log" 2>&1 || {
        tail -n 20 "$root.log" >&2
        exit 1
    }
    touch "$root/complete"
fi
echo "$root"
