#!/bin/sh
# How many lines of the kernels, translated to C, the tests run. Fails below the floor. The kernels of
# wrong statements (`teeth`) are not counted. `make test-cuda-coverage` calls it.
set -eu
cd "$(dirname "$0")/../.."
floor=90

folder=$PWD/target/tmp/stand_in
rm -rf "$folder"
QUATINT_COVERAGE=1 cargo test --locked --quiet -p quatint-cuda --features harness --test gpu -- --skip teeth:: --skip pages:: \
    >target/cuda_coverage.log 2>&1 || { cat target/cuda_coverage.log && exit 1; }
cd "$folder"
gcov --no-output --object-directory . ./*.gcda | awk -v floor="$floor" '
    /^File/ { is_of_kernels = /kernels\.c/ }
    is_of_kernels && /^Lines executed/ {
        split($0, part, /[:%]/)
        print "lines of the kernels that the tests run: " part[2] " % (at least " floor ")"
        is_below = part[2] < floor
        found = 1
        is_of_kernels = 0
    }
    END { exit is_below || !found }'
