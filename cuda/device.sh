#!/bin/sh
# Runs the checks of a device, which `make device-check` has built, on a machine with a GPU: in at
# most ten minutes, with what they say also in device_check.txt. cuda/device.sh [BODIES]
#
# The machine needs a CUDA driver, this repository with target/device_check and
# target/libquatint_cuda.so, and no compiler. Where Python has CuPy, the program of docs/gpu.md runs
# too, and must print what the page says.
set -u
cd "$(dirname "$0")/.."
said=${OUT:-target}/device_check.txt
timeout 600 target/device_check "${1:-4194304}" >"$said" 2>&1
code=$?
cat "$said"
[ $code -ne 124 ] || echo "stopped after ten minutes"

if ! python3 -c "import cupy" 2>/dev/null; then
    echo "CuPy is not here: its program has not run"
    exit $code
fi
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
sed -n '/^```python$/,/^```$/{/^```/!p;}' docs/gpu.md >"$folder/tops.py"
sed -n '/^```python$/,/^## /{/^```text$/,/^```$/{/^```/!p;};}' docs/gpu.md >"$folder/expected.txt"
LD_LIBRARY_PATH=target:${LD_LIBRARY_PATH:-} timeout 60 python3 "$folder/tops.py" >"$folder/printed.txt"
if diff "$folder/expected.txt" "$folder/printed.txt"; then
    echo "the program for CuPy prints what docs/gpu.md says"
else
    echo "the program for CuPy prints something else"
    code=1
fi
exit $code
