#!/bin/sh
# NVIDIA's assembler for `make test-ptxas`, from PyPI, in target/ptxas: one version for the oldest
# devices that the kernels are for, and a newer one. Where it is there already, this prints nothing
# and takes no time.
set -eu
cd "$(dirname "$0")/.."
out=$PWD/target/ptxas
packages="nvidia-cuda-nvcc-cu12==12.9.86 nvidia-cuda-nvcc==13.5.37"

[ "$packages" != "$(cat "$out/stamp" 2>/dev/null)" ] || exit 0
echo "installing into target/ptxas: $packages"
rm -rf "$out"
mkdir -p "$out"
for package in $packages; do
    "${PYTHON:-python3}" -m pip install --quiet --disable-pip-version-check --no-deps \
        --only-binary :all: --root-user-action ignore --target "$out/${package#*==}" "$package" || {
        echo "make test-ptxas needs: pip install $package" >&2
        exit 1
    }
done
echo "$packages" >"$out/stamp"
