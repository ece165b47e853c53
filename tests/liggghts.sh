#!/bin/sh
# LIGGGHTS with the fixes of quatint (examples/liggghts) beside its own, on 1 and 2 ranks: those of the
# arguments, superquadrics and clumps. Superquadrics need LIGGGHTS' source, which is downloaded and
# compiled into target/liggghts, in some five minutes; clumps of spheres run in Debian's LIGGGHTS. As
# root on Debian 12 this installs what is missing; the library in target/release must be built. Called
# by `make test-liggghts`. A minute without the installation.
set -eu
cd "$(dirname "$0")/.."

. tests/packages.sh
install_missing "make test-liggghts needs" libliggghts-dev:/usr/include/liggghts/fix.h \
    mpi-default-dev:mpicxx mpi-default-bin:mpirun g++:g++ cmake:cmake curl:curl xz-utils:xz

work=$PWD/target/liggghts
mkdir -p "$work"
failed() {
    echo "test-liggghts: $1" >&2
    exit 1
}

export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# run RANKS PROGRAM SCRIPT NAME ARGUMENT...: the states go to NAME.states, what LIGGGHTS prints to NAME.out
run() {
    ranks=$1
    program=$2
    script=$3
    name=$4
    shift 4
    rm -f "$work/$name.states"
    mpirun --oversubscribe --mca mpi_yield_when_idle 1 -np "$ranks" \
        "$work/$program" -log none -in "$script" -var states "$work/$name.states" "$@" \
        >"$work/$name.out" 2>&1 </dev/null || {
        cat "$work/$name.out" >&2
        failed "$script on $ranks rank(s) ended with an error"
    }
}
# refuses MESSAGE PROGRAM SCRIPT ARGUMENT...: LIGGGHTS ends with this message
refuses() {
    message=$1
    program=$2
    script=$3
    shift 3
    if "$work/$program" -log none -in "$script" "$@" >"$work/refused.out" 2>&1 </dev/null ||
        ! grep -q "$message" "$work/refused.out"; then
        tail -20 "$work/refused.out" >&2
        failed "not refused: $message"
    fi
    echo "  $(grep -m1 "$message" "$work/refused.out" | sed 's/ ([^ ]*:[0-9]*)$//')"
}

below() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 < b + 0) }'; }
absolute='function absolute(x) { return x < 0 ? -x : x }'

# change FILE COLUMN: the greatest change in the last table of LIGGGHTS, relative to its first row
change() {
    awk -v column="$2" "$absolute"'
        /^Setting up run/ { rows = 0; greatest = 0 }
        $1 ~ /^[0-9]+$/ && $2 ~ /^[0-9]+$/ && NF >= 3 && $column > 0 {
            if (!rows++) start = $column
            change = absolute($column/start - 1)
            if (change > greatest) greatest = change
        }
        END { printf "%.1e\n", (rows > 10 ? greatest : 1e99) }' "$1"
}

# comes_to_rest NAME LEAST_HEIGHT: of bodies that fell, the kinetic energy of all kinds at its greatest and
# at the end, and the heights of the lowest and the highest centre
comes_to_rest() {
    awk '
        /^Setting up run/ { rows = greatest = 0 }
        /^Loop time/ { rows = -rows }
        rows >= 0 && $1 ~ /^[0-9]+$/ && $2 ~ /^[0-9]+$/ && NF >= 6 && $2 > 0 {
            rows++
            energy = $3 + $4
            if (energy > greatest) greatest = energy
            low = $(NF - 1)
            top = $NF
        }
        END { printf "%.1e %.1e %.5f %.5f %d\n", energy, greatest, low, top, -rows }' "$work/$1.out" >"$work/settled"
    read -r energy greatest low top rows <"$work/settled"
    echo "  energy of motion: at most $greatest J, at the end $energy J; centres from $low to $top m"
    [ "$rows" -gt 10 ] && awk -v a="$energy" -v b="$greatest" -v low="$low" -v top="$top" -v least="$2" \
        'BEGIN { exit !(a < 1e-3*b && low > least && top < 0.03) }' || failed "$1 has not come to rest"
}

for bodies; do
    . "tests/liggghts/$bodies.sh"
    echo "LIGGGHTS, $bodies: all checks passed"
done
