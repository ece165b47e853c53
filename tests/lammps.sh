#!/bin/sh
# LAMMPS with fix quatint (examples/lammps), on 1 and 2 ranks, beside LAMMPS' own fix nve/asphere.
# As root on Debian 12 this installs LAMMPS; the library in target/release must be built. Called by
# `make test-lammps`. Ten seconds without the installation.
set -eu
cd "$(dirname "$0")/.."

. tests/packages.sh
install_missing "make test-lammps needs" liblammps-dev:/usr/include/lammps/fix.h \
    liblammps-dev:mpicxx mpi-default-bin:mpirun g++

work=$PWD/target/lammps
lmp=$work/lmp_quatint
mkdir -p "$work"

flags="-std=c++11 -Wall -Wextra -Wno-cast-function-type -DLAMMPS_SMALLBIG
    -isystem /usr/include/lammps -Iexamples/lammps/debian -Iinclude"
libraries="-llammps -Ltarget/release -lquatint -Wl,-rpath,$PWD/target/release"
# shellcheck disable=SC2086
mpicxx $flags -O2 examples/lammps/lmp_quatint.cpp -o "$lmp" $libraries

failed() {
    echo "test-lammps: $1" >&2
    exit 1
}

# moments of inertia: those that newer versions of LAMMPS keep, or those of the shape
headers_of_mpi=$(mpicxx --showme:incdirs | cut -d' ' -f1)
# shellcheck disable=SC2086
g++ $flags -isystem "$headers_of_mpi" -Iexamples/lammps -c tests/lammps/moments.cpp \
    -o "$work/moments.o"
# shellcheck disable=SC2086
mpicxx "$work/moments.o" -o "$work/moments" $libraries
"$work/moments" || failed "wrong moments of inertia"

export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# run RANKS SCRIPT NAME VARIABLE...: the states go to NAME.states, what LAMMPS prints to NAME.out
run() {
    ranks=$1
    script=$2
    name=$3
    shift 3
    rm -f "$work/$name.states"
    mpirun --oversubscribe --mca mpi_yield_when_idle 1 -np "$ranks" \
        "$lmp" -log none -in "$script" -var states "$work/$name.states" "$@" \
        >"$work/$name.out" 2>&1 || {
        cat "$work/$name.out" >&2
        exit 1
    }
}

# run_both RANKS SCRIPT NAME VARIABLE...: with fix quatint, NAME_quatint_RANKS, and with fix
# nve/asphere, NAME_nve_RANKS
run_both() {
    both_ranks=$1
    both_script=$2
    both_name=$3
    shift 3
    for style in quatint nve/asphere; do
        run "$both_ranks" "$both_script" "${both_name}_${style%/*}_$both_ranks" \
            -var style $style "$@"
    done
}

# refuses MESSAGE SCRIPT CHANGES: LAMMPS ends with this message after changes by sed to the script
refuses() {
    sed "$3" "$2" >"$work/refused.in"
    if "$lmp" -log none -in "$work/refused.in" >"$work/refused.out" 2>&1 ||
        ! grep -q "$1" "$work/refused.out"; then
        cat "$work/refused.out" >&2
        failed "not refused: $1"
    fi
}

columns() { awk "/ITEM/ {print; next} {print $1}" "$2"; }

# same_motion NAME RANKS WORDS: all columns but those that describe the rotation have the same bits
# with both fixes: id, type, x, v, and the angular momentum
same_motion() {
    for c in '$1,$2,$3,$4,$5,$6,$7,$8' '$13,$14,$15'; do
        columns "$c" "$work/$1_quatint_$2.states" >"$work/a"
        columns "$c" "$work/$1_nve_$2.states" >"$work/b"
        cmp "$work/a" "$work/b" ||
            failed "$2 rank(s): $3columns $c are not those of fix nve/asphere"
    done
}

# the functions of the awk programs below
absolute='function absolute(x) { return x < 0 ? -x : x }'

# the greatest change of column 2 within a run, relative to its start
change() {
    awk "$absolute"'
        $1 == "Step" { is_first = 1; next }
        $1 == "Loop" { is_first = 0; is_running = 0 }
        is_first { start = $2; is_first = 0; is_running = 1 }
        is_running {
            change = absolute($2/start - 1)
            if (change > greatest) greatest = change
        }
        END { printf "%.1e\n", greatest }' "$1"
}

below() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 < b + 0) }'; }

# difference FILE OTHER: of the last states in two files, over all columns
difference() {
    paste "$1" "$2" | awk "$absolute"'
        /TIMESTEP/ { snapshots++ }
        snapshots == 2 && NF == 28 {
            atoms++
            for (i = 2; i <= 14; i++) {
                difference = absolute($i - $(i + 14))
                if (difference > greatest) greatest = difference
            }
        }
        END { printf "%.3e\n", atoms == 27 ? greatest : 1/0 }'
}

# second_half FILE: from the third snapshot on
second_half() { awk '/TIMESTEP/ { snapshots++ } snapshots > 2' "$1"; }

echo "atoms that change ranks, are sorted and become fewer"
for ranks in 1 2; do
    run_both $ranks tests/lammps/migration.in migration
    same_motion migration $ranks ""
    of_quatint=$(change "$work/migration_quatint_$ranks.out")
    of_nve=$(change "$work/migration_nve_$ranks.out")
    echo "  $ranks rank(s): positions, velocities, angular momenta have the bits of fix" \
        "nve/asphere; the energy of rotation changes by $of_quatint, there by $of_nve"
    below "$of_quatint" 1e-13 || failed "free rotation must keep its energy" # measured 3e-15
    below 1e-5 "$of_nve" || failed "the energy is no measure here: fix nve/asphere keeps it too"
done
# The first 400 steps. Later the two runs are different gases, because rounding grows.
for ranks in 1 2; do
    awk '
        /TIMESTEP/ { snapshots++ }
        snapshots <= 3 && NF == 15 { print $1,$2,$9,$10,$11,$12,$13,$14,$15 }' \
        "$work/migration_quatint_$ranks.states" >"$work/turned_$ranks"
done
[ "$(wc -l <"$work/turned_1")" -gt 1000 ] || failed "there are no states"
cmp "$work/turned_1" "$work/turned_2" || failed "orientations depend on the number of ranks"
echo "  orientations have the same bits on 1 and on 2 ranks"

echo "a dynamic group; another timestep and another group before a run that does not set up anew"
for ranks in 1 2; do
    run_both $ranks tests/lammps/groups.in groups
    same_motion groups $ranks "with groups that change, "
    # The orientations agree to the errors of both, and those of the atoms outside the group stand
    # still in both. Measured 6e-5.
    paste "$work/groups_quatint_$ranks.states" "$work/groups_nve_$ranks.states" |
        awk "$absolute"'
            NF == 30 {
                atoms++
                for (i = 9; i <= 12; i++) {
                    difference = absolute($i - $(i + 15))
                    if (difference > greatest) greatest = difference
                }
            }
            END { printf "%.1e\n", (atoms > 300 ? greatest : "inf") }' >"$work/apart"
    apart=$(cat "$work/apart")
    echo "  $ranks rank(s): the bits of fix nve/asphere; orientations differ by $apart"
    below "$apart" 2e-4 || failed "orientations are not those of fix nve/asphere"
done

echo "a Gay-Berne gas: differences from fix nve/asphere after t = 4, and with half the step"
for ranks in 1 2; do
    for dt in 0.002 0.001; do
        run_both $ranks examples/lammps/gas.in "gas_$dt" -var dt $dt -var time 4
    done
    coarse=$(difference "$work/gas_0.002_quatint_$ranks.states" "$work/gas_0.002_nve_$ranks.states")
    fine=$(difference "$work/gas_0.001_quatint_$ranks.states" "$work/gas_0.001_nve_$ranks.states")
    echo "  $ranks rank(s): $coarse and $fine"
    # Both methods are of order 2, so the ratio is 4. Measured 4.1.
    awk -v a="$coarse" -v b="$fine" 'BEGIN { exit !(a < 0.02 && a/b > 3.7 && a/b < 4.5) }' ||
        failed "the two methods do not converge"
done
ranks_apart=$(difference "$work/gas_0.001_quatint_1.states" "$work/gas_0.001_quatint_2.states")
echo "  1 rank beside 2: $ranks_apart"
# Measured 3e-12, because rounding grows.
below "$ranks_apart" 1e-9 || failed "2 ranks give another motion than 1"

echo "the same gas: greatest change of the total energy until t = 20, dt = 0.004"
run_both 2 examples/lammps/gas.in energy -var dt 0.004 -var time 20
for style in nve/asphere quatint; do
    # The total in column 2.
    awk 'NF == 4 && $1 + 0 == $1 { $2 = $2 + $3 + $4 } { print }' OFMT=%.15g CONVFMT=%.15g \
        "$work/energy_${style%/*}_2.out" >"$work/energy"
    greatest=$(change "$work/energy")
    echo "  fix $style: $greatest"
done
below "$greatest" 2e-3 || failed "the energy is not conserved"

echo "fix quatint/langevin: ellipsoids in a fluid"
langevin() { # RANKS NAME PART
    run "$1" tests/lammps/langevin.in "langevin_$2" -var part "$3" \
        -var file "$work/langevin.restart"
}
langevin 1 whole_1 whole
langevin 2 whole_2 whole
cmp "$work/langevin_whole_1.states" "$work/langevin_whole_2.states" ||
    failed "random motion depends on the number of ranks"
langevin 2 half half
langevin 1 rest rest
second_half "$work/langevin_whole_1.states" >"$work/second_half"
[ "$(wc -l <"$work/second_half")" -gt 1000 ] || failed "there are no states"
cmp "$work/second_half" "$work/langevin_rest.states" ||
    failed "random motion is another one after a restart"
echo "  all columns have the same bits on 1 and on 2 ranks, and after a restart of 2 ranks on 1"

run 2 tests/lammps/langevin.in langevin_cold -var part whole -var temperature "0 0"
awk "$absolute"'
    function square(x, y, z) { return x^2 + y^2 + z^2 }
    $1 == "ITEM:" && $2 == "TIMESTEP" { snapshots++ }
    NF == 15 && snapshots == 1 {
        velocity[$1] = $6
        momentum[$1] = square($13, $14, $15)
    }
    NF == 15 && snapshots == 5 {
        atoms++
        of_velocity = absolute(log(velocity[$1]/$6)/16 - 1)
        of_momentum = absolute(log(momentum[$1]/square($13, $14, $15))/64 - 1)
        if (of_velocity > worst) worst = of_velocity
        if (of_momentum > worst) worst = of_momentum
    }
    END { printf "%.1e\n", atoms == 343 ? worst : 1/0 }' \
    "$work/langevin_cold.states" >"$work/apart"
echo "  at the temperature 0 velocities relax as exp(-t/damp), angular momenta as" \
    "exp(-factor t/damp), to $(cat "$work/apart")"
below "$(cat "$work/apart")" 1e-13 || failed "wrong relaxation" # measured 2e-16

run 2 tests/lammps/langevin.in langevin_long -var part long
# 9 means over 20 time units of 1029 components each, which relax in 0.5 and 0.25: standard errors
# of 0.2 % and 0.1 %. The bias of the angular velocities by the step is -0.01 %.
awk '
    NF == 5 && $1 ~ /^[0-9]+$/ && $1 > 1000 { means++; a += $2; b += $3 }
    END { printf "%.4f %.4f %d\n", a/means/0.7, b/means/0.7, means }' \
    "$work/langevin_long.out" >"$work/hot"
read -r moving turning means <"$work/hot"
echo "  temperature of the centres $moving, of the rotations $turning of that asked for"
[ "$means" = 9 ] &&
    below 0.99 "$moving" && below "$moving" 1.01 &&
    below 0.995 "$turning" && below "$turning" 1.005 ||
    failed "the temperature is wrong"

refuses "out of range" tests/lammps/langevin.in \
    's/^fix move.*/fix move all quatint\/langevin 1 1 0 4711/'
refuses "an atom of the group is not an ellipsoid" tests/lammps/migration.in \
    's/^fix turn ellipsoids/fix turn all/'
refuses "needs atom_style ellipsoid and run_style verlet" tests/lammps/migration.in \
    's/^fix move/run_style respa 2 2\nfix move/'
echo "LAMMPS: all checks passed"
