#!/bin/sh
# Builds a wheel for every Linux of this processor with glibc 2.17 or later (manylinux2014), into target/dist. The linker
# is zig, which has the old symbols of glibc. The tools come from PyPI, into a virtual environment of their own.
set -eu
cd "$(dirname "$0")/.."
root=$PWD/target/wheel-tools
glibc=2_17

if ! [ -x "$root/bin/auditwheel" ]; then
    rm -rf "$root"
    "${PYTHON:-python3}" -m venv "$root"
    "$root/bin/python" -m pip install --quiet --disable-pip-version-check \
        maturin==1.16.0 ziglang==0.17.1 auditwheel==6.8.2
fi
PATH=$root/bin:$PATH
rm -rf target/dist
python -m pip wheel --disable-pip-version-check --no-deps --no-build-isolation --config-settings=manylinux="$glibc" \
    --wheel-dir target/dist ./python

# maturin has checked the extension. This checks the C library too, and that the tag is no better than the files.
for wheel in target/dist/*.whl; do
    case $wheel in
    *-cp310-abi3-*"manylinux_$glibc"*) ;;
    *) echo "$wheel has another tag" >&2 && exit 1 ;;
    esac
    auditwheel show "$wheel" | tr '\n' ' ' >target/dist/audit.txt
    if ! grep -q "manylinux_${glibc}_$(uname -m)" target/dist/audit.txt; then
        cat target/dist/audit.txt >&2
        exit 1
    fi
    rm target/dist/audit.txt
    echo "$wheel: $(($(wc -c <"$wheel") / 1024)) KiB"
done
