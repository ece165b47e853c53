#!/bin/sh
# Builds the Debian packages in a copy of the source, without a network and with the Rust toolchain
# on the PATH (Debian 12 has an older one); lintian finds nothing; installed into an empty Debian, the
# test of the package passes, and a program finds the library by CMake. The pattern of the watch file finds
# the archive of this version. Needs root.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
work=$root/target/test-recipes/debian
rm -rf "$work"
mkdir -p "$work"

python3 - "$version" <<'END'
import re, sys
version = sys.argv[1]
pattern = open("packaging/debian/watch").read().split()[-1].replace("@PACKAGE@", "quatint")
release = f"https://github.com/quatint/quatint/releases/download/v{version}/quatint-{version}"
listed = "".join(f'"browser_download_url": "{release}{kind}"' for kind in ("-x86_64-linux-gnu.tar.gz", "-source.tar.gz", ".tar.gz"))
assert re.findall(pattern, listed) == [version], pattern
END

tree=$work/quatint-$version
packaging/vendored.sh "$tree"
cp -r packaging/debian "$tree/debian"
python3 packaging/debian_copyright.py "$tree"
export RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}"
export PATH="$HOME/.cargo/bin:$PATH"
# -d: the compiler is not a package here. unshare: there is no network in the build.
(cd "$tree" && unshare -n dpkg-buildpackage -b -us -uc -d) >"$work/build.log" 2>&1 || {
    tail -n 40 "$work/build.log" >&2
    exit 1
}
rm -rf "$tree"
# no request for the package to be in Debian is closed by it
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs "$work"/*.changes

clean=$work/clean
cp -a "$(packaging/clean_root.sh)" "$clean"
cp "$work"/*.deb "$clean/tmp"
mkdir -p "$clean/tmp/source/c_examples" "$clean/tmp/source/tests"
cp -r packaging/debian "$clean/tmp/source/debian"
cp c_examples/heavy_top.c "$clean/tmp/source/c_examples"
cp tests/heavy_top.txt "$clean/tmp/source/tests"
cp -r tests/install/find_package "$clean/tmp/project"
cp c_examples/heavy_top.c "$clean/tmp/project"
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$clean" sh -ec '
    cd /tmp
    for tool in cargo rustc; do ! command -v $tool; done
    dpkg -i --force-unsafe-io libquatint*_'"$version"'*.deb >/dev/null
    (cd source && sh debian/tests/link)
    cmake -S project -B build >/dev/null
    cmake --build build >/dev/null
    cp build/heavy_top_quatint found
    dpkg -r libquatint-dev >/dev/null
    ./found' | cmp - tests/heavy_top.txt
rm -rf "$clean"
for package in "$work"/libquatint*.deb; do echo "$(basename "$package"): $(($(stat -c %s "$package") / 1024)) KiB"; done
echo "Debian: built without a network, lintian clean, in an empty Debian its test passes and CMake finds it"
