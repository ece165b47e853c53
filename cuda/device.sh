#!/bin/sh
# Runs the checks of a device, which `make device-check` has built, on a machine with a GPU: in at
# most ten minutes, with what they say also in device_check.txt. cuda/device.sh [BODIES]
#
# The machine needs a CUDA driver, this script and target/device_check, and no compiler.
set -u
cd "$(dirname "$0")/.."
said=${OUT:-target}/device_check.txt
timeout 600 target/device_check "${1:-4194304}" >"$said" 2>&1
code=$?
cat "$said"
[ $code -ne 124 ] || echo "stopped after ten minutes"
exit $code
