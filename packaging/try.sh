#!/bin/sh
# try.sh NAME: on the system that the archive NAME of `make dist` is for, unpacks it, builds a
# program with it, and installs and imports the wheel for this Python.
set -eu
cd "$(dirname "$0")/.."
name=$1
work=target/try
rm -rf "$work"
mkdir -p "$work"

for archive in target/dist/quatint-*-"$name".*; do
    case $archive in
    *.zip) unzip -q "$archive" -d "$work" ;;
    *) tar xf "$archive" -C "$work" ;;
    esac
done
prefix=$(echo "$PWD/$work"/quatint-*)
PATH=$prefix/bin:$PATH
rpath=-Wl,-rpath,$prefix/lib
[ ! -d "$prefix/bin" ] || rpath= # Windows looks on the PATH
# shellcheck disable=SC2086
"${CC:-gcc}" c_examples/heavy_top.c -I"$prefix/include" -L"$prefix/lib" -lquatint -lm $rpath -o "$work/heavy_top"
"$work/heavy_top" | tr -d '\r' | cmp - tests/heavy_top.txt

python=python3
command -v python3 >/dev/null 2>&1 || python=python
"$python" -m venv "$work/python"
bin=$work/python/bin
[ -d "$bin" ] || bin=$work/python/Scripts
"$bin/python" -m pip install --quiet --only-binary :all: numpy
# PyPI has another project with the module `quatint`: no index is asked for ours
"$bin/python" -m pip install --quiet --no-index --find-links target/dist "quatint-rotation==$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)" --only-binary :all:
printed=$("$bin/python" -c '
import quatint
path = quatint.Body([3, 5, 9], angular_velocity=[0, 0.4, 0.001]).record(1e-3, 60_000, every=15_000)
print(*(f"{value:+.4f}" for value in path.q[-1]))' | tr -d '\r')
[ "$printed" = "+0.0014 -0.3144 +0.0000 -0.9493" ] || {
    echo "the wheel gives $printed" >&2
    exit 1
}
rm -rf "$work"
echo "$name: a program and the wheel work on $(uname -sm)"
