#!/bin/sh
# LIGGGHTS with the fixes of quatint (examples/liggghts) beside its own, on 1 and 2 ranks.
# Superquadrics need LIGGGHTS' source, which is downloaded and compiled into target/liggghts, in some
# five minutes; clumps of spheres run in Debian's LIGGGHTS. As root on Debian 12 this installs what is
# missing; the library in target/release must be built. Called by `make test-liggghts`. A minute
# without the installation.
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

if [ ! -e "$work/build/liggghts" ] ||
    [ -n "$(find examples/liggghts include/quatint.h -newer "$work/build/liggghts")" ]; then
    echo "compiling LIGGGHTS with superquadrics"
    examples/liggghts/build.sh "$work"
fi
# shellcheck disable=SC2086
mpicxx -std=c++11 -O2 -Wall -Wextra -isystem /usr/include/liggghts -Iinclude examples/liggghts/lmp_quatint.cpp \
    -o "$work/lmp_quatint" -lliggghts -Ltarget/release -lquatint "-Wl,-rpath,$PWD/target/release"

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
# go RANKS NAME ARGUMENT...: superquadrics from the start in a restart file
go() {
    go_ranks=$1
    go_name=$2
    shift 2
    run "$go_ranks" liggghts tests/liggghts/go.in "$go_name" -var file "$work/start.restart" "$@"
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

columns() { awk "NF == 17 {print $1}" "$2"; }
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

# apart FILE OTHER FIRST LAST: greatest difference of these columns in the last states of two files
apart() {
    paste "$1" "$2" | awk -v first="$3" -v last="$4" "$absolute"'
        /TIMESTEP/ { snapshots++ }
        snapshots == 2 && NF == 34 {
            atoms++
            for (i = first; i <= last; i++) {
                difference = absolute($i - $(i + 17))
                if (difference > greatest) greatest = difference
            }
        }
        END { printf "%.3e\n", atoms == 60 ? greatest : 1e99 }'
}

echo "superquadrics that turn freely: greatest change of the energy of rotation in 10 s at 70 rad/s, dt = 1e-4"
scheme="nve/superquadric integration_scheme"
for style in nve/superquadric/quatint "$scheme 0" "$scheme 1" "$scheme 2"; do
    run 1 liggghts examples/liggghts/rotation.in rotation -var style "$style" -var time 10
    changed=$(change "$work/rotation.out" 3)
    echo "  $style: $changed"
    case $style in
    *quatint) below "$changed" 1e-13 || failed "free rotation must keep its energy" ;; # measured 5e-15
    *0 | *1) below 1e-8 "$changed" || failed "the energy is no measure here: $style keeps it too" ;;
    esac
done

run 1 liggghts tests/liggghts/start.in start -var file "$work/start.restart"
for ranks in 1 2; do
    go $ranks "free_$ranks" -var touch 0
    go $ranks "scheme_0_$ranks" -var touch 0 -var style "$scheme 0"
    for c in '$1,$2,$3,$4,$5,$6,$7' '$12,$13,$14'; do
        columns "$c" "$work/free_$ranks.states" >"$work/this"
        columns "$c" "$work/scheme_0_$ranks.states" >"$work/that"
        cmp "$work/this" "$work/that" || failed "$ranks rank(s): columns $c are not those of $scheme 0"
    done
done
[ "$(wc -l <"$work/this")" = 120 ] || failed "there are no states"
cmp "$work/free_1.states" "$work/free_2.states" || failed "free motion depends on the number of ranks"
echo "in free fall positions, velocities and angular momenta have the bits of $scheme 0;"
echo "  all columns have the same bits on 1 and on 2 ranks"

go 2 half -var touch 0 -var steps 200 -var end "$work/half.restart"
run 1 liggghts tests/liggghts/go.in rest -var file "$work/half.restart" -var touch 0 -var steps 200
awk '/TIMESTEP/ { snapshots++ } snapshots > 1' "$work/free_1.states" >"$work/this"
awk '/TIMESTEP/ { snapshots++ } snapshots > 1' "$work/rest.states" >"$work/that"
cmp "$work/this" "$work/that" || failed "the motion is another one after a restart"
echo "  and after a restart of 2 ranks on 1"

# Scheme 1 has order 2, the rotation here is exact: a quarter of the difference at half the step.
for dt in 2e-4 1e-4; do
    steps=$(awk -v dt=$dt 'BEGIN { printf "%.0f", 0.02/dt }')
    go 1 "exact_$dt" -var touch 0 -var dt $dt -var steps "$steps"
    go 1 "scheme_1_$dt" -var touch 0 -var dt $dt -var steps "$steps" -var style "$scheme 1"
done
coarse=$(apart "$work/exact_2e-4.states" "$work/scheme_1_2e-4.states" 8 11)
fine=$(apart "$work/exact_1e-4.states" "$work/scheme_1_1e-4.states" 8 11)
exact=$(apart "$work/exact_2e-4.states" "$work/exact_1e-4.states" 8 11)
echo "orientations after 1.4 rad differ from those of $scheme 1 by $coarse,"
echo "  at half the step by $fine, and from their own at half the step by $exact"
awk -v a="$coarse" -v b="$fine" 'BEGIN { exit !(a/b > 3.8 && a/b < 4.2) }' || failed "the orientations do not converge"
below "$exact" 1e-13 || failed "the rotation is not exact"

echo "half of the bodies in the group"
for ranks in 1 2; do go $ranks "group_$ranks" -var touch 0 -var group half; done
cmp "$work/group_1.states" "$work/group_2.states" || failed "a group moves differently on 2 ranks"
awk 'NF == 17 && $1 > 30 { if ($1 in was && was[$1] != $0) moved++; was[$1] = $0; n++ } END { exit !(n == 60 && !moved) }' \
    "$work/group_1.states" || failed "bodies outside the group have moved"
for half in free group; do awk 'NF == 17 && $1 <= 30' "$work/${half}_1.states" >"$work/$half.half"; done
cmp "$work/free.half" "$work/group.half" || failed "the bodies of a group move differently"
echo "  they move as in the group all, the others stand still"

echo "in contact: greatest difference in positions (m) between 1 and 2 ranks after 0.025 s"
for ranks in 1 2; do
    go $ranks "touch_$ranks" -var steps 2500
    go $ranks "touch_scheme_1_$ranks" -var steps 2500 -var style "$scheme 1"
done
between_ranks=$(apart "$work/touch_1.states" "$work/touch_2.states" 2 4)
of_scheme_1=$(apart "$work/touch_scheme_1_1.states" "$work/touch_scheme_1_2.states" 2 4)
echo "  nve/superquadric/quatint: $between_ranks, $scheme 1: $of_scheme_1"
# Measured 8e-11 for both, so it is the contacts of LIGGGHTS that differ between numbers of ranks.
below 0.01 "$(change "$work/touch_1.out" 4)" || failed "nothing has touched"
below "$between_ranks" 1e-9 || failed "2 ranks give another motion than 1"

echo "a bed that settles"
run 2 liggghts examples/liggghts/bed.in bed -var bodies 60
# kinetic energy of all kinds, at its greatest and at the end; height of the lowest and the highest centre
settled() { # NAME
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
        END { printf "%.1e %.1e %.5f %.5f %d\n", energy, greatest, low, top, -rows }' "$work/$1.out"
}
settled bed >"$work/settled"
read -r energy greatest low top rows <"$work/settled"
echo "  energy of motion: at most $greatest J, at the end $energy J; centres from $low to $top m"
[ "$rows" -gt 10 ] && awk -v a="$energy" -v b="$greatest" -v low="$low" -v top="$top" \
    'BEGIN { exit !(a < 1e-3*b && low > 0.001 && top < 0.03) }' || failed "the bed has not come to rest"

echo "clumps of spheres, in Debian's LIGGGHTS"
clumps() { # RANKS NAME ARGUMENT...
    clumps_ranks=$1
    clumps_name=$2
    shift 2
    run "$clumps_ranks" lmp_quatint examples/liggghts/clumps.in "$clumps_name" -var folder examples/liggghts "$@"
}
for style in multisphere/quatint multisphere; do
    clumps 2 clumps -var falls 0 -var style $style -var dt 1e-4 -var time 3
    changed=$(change "$work/clumps.out" 4)
    echo "  turning freely, fix $style: the energy of rotation changes by $changed"
    case $style in
    *quatint) below "$changed" 1e-13 || failed "free rotation must keep its energy" ;;
    *) below 1e-9 "$changed" || failed "the energy is no measure here: fix multisphere keeps it too" ;;
    esac
done
clumps 1 clumps_start -var falls 0 -var time 0.01 -var style multisphere -var end "$work/clumps.restart"
clumps_on() { # RANKS NAME STEPS FILE END
    run "$1" lmp_quatint tests/liggghts/clumps_on.in "$2" -var style multisphere/quatint -var steps "$3" \
        -var file "$work/$4.restart" -var end "$work/$5.restart"
    tail -160 "$work/$2.states" >"$work/$2.end" # step 3000
}
clumps_on 1 clumps_whole 2000 clumps end
clumps_on 1 clumps_half 1000 clumps half
clumps_on 2 clumps_rest 1000 half end
cmp "$work/clumps_whole.end" "$work/clumps_rest.end" || failed "the motion is another one after a restart"
echo "  from a restart file of fix multisphere: the same bits after a restart of 1 rank on 2"
clumps 1 clumps_bed
settled clumps_bed >"$work/settled"
read -r energy greatest low top rows <"$work/settled"
echo "  falling: at most $greatest J, at the end $energy J; centres from $low to $top m"
[ "$rows" -gt 10 ] && awk -v a="$energy" -v b="$greatest" -v low="$low" -v top="$top" \
    'BEGIN { exit !(a < 1e-3*b && low > 0.0005 && top < 0.03) }' || failed "the clumps have not come to rest"

echo "what is refused"
refuses "takes no keywords: leave out integration_scheme" liggghts examples/liggghts/rotation.in \
    -var style "nve/superquadric/quatint integration_scheme 1"
refuses "needs atom_style superquadric" liggghts examples/liggghts/clumps.in -var folder examples/liggghts \
    -var style nve/superquadric/quatint
refuses "is the atom with the id 7" liggghts tests/liggghts/go.in -var file "$work/start.restart" -var first "set atom 7 inertiax -1"
refuses "unknown keyword or wrong keyword order: integration_scheme" lmp_quatint examples/liggghts/clumps.in \
    -var folder examples/liggghts -var style "multisphere/quatint integration_scheme 1"
echo "LIGGGHTS: all checks passed"
