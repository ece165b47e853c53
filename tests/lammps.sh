#!/bin/sh
# LAMMPS with fix quatint (examples/lammps), on 1 and 2 ranks, beside LAMMPS' own fix nve/asphere. As root on Debian 12 this installs
# LAMMPS; the library in target/release must be built. Called by `make test-lammps`. Ten seconds without the installation.
set -eu
cd "$(dirname "$0")/.."

. tests/packages.sh
install_missing "make test-lammps needs" liblammps-dev:/usr/include/lammps/fix.h liblammps-dev:mpicxx mpi-default-bin:mpirun g++

work=$PWD/target/lammps
lmp=$work/lmp_quatint
mkdir -p "$work"
mpicxx -std=c++11 -O2 -Wall -Wextra -Wno-cast-function-type -DLAMMPS_SMALLBIG -isystem /usr/include/lammps -Iexamples/lammps/debian \
    -Iinclude examples/lammps/lmp_quatint.cpp -o "$lmp" -llammps -Ltarget/release -lquatint -Wl,-rpath,"$PWD/target/release"

# moments of inertia: those that newer versions of LAMMPS keep, or those of the shape
g++ -std=c++11 -Wall -Wextra -Wno-cast-function-type -isystem /usr/include/lammps -isystem "$(mpicxx --showme:incdirs | cut -d' ' -f1)" \
    -DLAMMPS_SMALLBIG -Iexamples/lammps/debian -Iexamples/lammps -Iinclude -c tests/lammps/moments.cpp -o "$work/moments.o"
mpicxx "$work/moments.o" -o "$work/moments" -llammps -Ltarget/release -lquatint -Wl,-rpath,"$PWD/target/release"
"$work/moments" || failed "wrong moments of inertia"

export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
run() { # ranks, script, name of the results, variables
    ranks=$1 script=$2 name=$3
    shift 3
    rm -f "$work/$name.states"
    mpirun --oversubscribe --mca mpi_yield_when_idle 1 -np "$ranks" "$lmp" -log none -in "$script" -var states "$work/$name.states" "$@" \
        >"$work/$name.out" 2>&1 || { cat "$work/$name.out" >&2 && exit 1; }
}
refuses() { # message, changes to migration.in
    sed "$2" tests/lammps/migration.in >"$work/refused.in"
    if "$lmp" -log none -in "$work/refused.in" >"$work/refused.out" 2>&1 || ! grep -q "$1" "$work/refused.out"; then
        cat "$work/refused.out" >&2
        failed "not refused: $1"
    fi
}
failed() {
    echo "test-lammps: $1" >&2
    exit 1
}
columns() { awk "/ITEM/ {print; next} {print $1}" "$2"; }
# the greatest change of column 2 within a run, relative to its start
change() {
    awk '$1 == "Step" {first = 1; next} $1 == "Loop" {first = 0; on = 0}
         first {start = $2; first = 0; on = 1}
         on {d = $2/start - 1; d = d < 0 ? -d : d; if (d > greatest) greatest = d}
         END {printf "%.1e\n", greatest}' "$1"
}
below() { awk -v a="$1" -v b="$2" 'BEGIN {exit !(a != "" && a + 0 < b + 0)}'; }

echo "atoms that change ranks, are sorted and become fewer"
for ranks in 1 2; do
    for style in quatint nve/asphere; do run $ranks tests/lammps/migration.in "migration_${style%/*}_$ranks" -var style $style; done
    quatint=$work/migration_quatint_$ranks nve=$work/migration_nve_$ranks
    # id, type, x, v; then the angular momentum
    for c in '$1,$2,$3,$4,$5,$6,$7,$8' '$13,$14,$15'; do
        columns "$c" "$quatint.states" >"$work/a"
        columns "$c" "$nve.states" >"$work/b"
        cmp "$work/a" "$work/b" || failed "$ranks rank(s): columns $c are not those of fix nve/asphere"
    done
    echo "  $ranks rank(s): positions, velocities, angular momenta have the bits of fix nve/asphere; the energy of rotation" \
        "changes by $(change "$quatint.out"), there by $(change "$nve.out")"
    below "$(change "$quatint.out")" 1e-13 || failed "free rotation must keep its energy" # measured 3e-15
    below 1e-5 "$(change "$nve.out")" || failed "the energy is no measure here: fix nve/asphere keeps it too"
done
for ranks in 1 2; do # the first 400 steps; later the two runs are different gases, because rounding grows
    awk '/TIMESTEP/ {snapshots++} snapshots <= 3 && NF == 15 {print $1,$2,$9,$10,$11,$12,$13,$14,$15}' \
        "$work/migration_quatint_$ranks.states" >"$work/turned_$ranks"
done
[ "$(wc -l <"$work/turned_1")" -gt 1000 ] || failed "there are no states"
cmp "$work/turned_1" "$work/turned_2" || failed "orientations depend on the number of ranks"
echo "  orientations have the same bits on 1 and on 2 ranks"

echo "a dynamic group; another timestep and another group before a run that does not set up anew"
for ranks in 1 2; do
    for style in quatint nve/asphere; do run $ranks tests/lammps/groups.in "groups_${style%/*}_$ranks" -var style $style; done
    for c in '$1,$2,$3,$4,$5,$6,$7,$8' '$13,$14,$15'; do
        columns "$c" "$work/groups_quatint_$ranks.states" >"$work/a"
        columns "$c" "$work/groups_nve_$ranks.states" >"$work/b"
        cmp "$work/a" "$work/b" || failed "$ranks rank(s): with groups that change, columns $c are not those of fix nve/asphere"
    done
    # the orientations agree to the errors of both, and those of the atoms outside the group stand still in both: measured 6e-5
    paste "$work/groups_quatint_$ranks.states" "$work/groups_nve_$ranks.states" | awk 'NF == 30 {n++
        for (i = 9; i <= 12; i++) {d = $i - $(i + 15); d = d < 0 ? -d : d; if (d > greatest) greatest = d}}
        END {printf "%.1e\n", (n > 300 ? greatest : "inf")}' >"$work/apart"
    echo "  $ranks rank(s): the bits of fix nve/asphere; orientations differ by $(cat "$work/apart")"
    below "$(cat "$work/apart")" 2e-4 || failed "orientations are not those of fix nve/asphere"
done

echo "a Gay-Berne gas: differences from fix nve/asphere after t = 4, and with half the step"
difference() { # of the last states in two files, over all columns
    paste "$1" "$2" | awk '/TIMESTEP/ {snapshots++}
        snapshots == 2 && NF == 28 {for (i = 2; i <= 14; i++) {d = $i - $(i + 14); d = d < 0 ? -d : d; if (d > greatest) greatest = d}; n++}
        END {printf "%.3e\n", n == 27 ? greatest : 1/0}'
}
for ranks in 1 2; do
    for dt in 0.002 0.001; do
        for style in quatint nve/asphere; do
            run $ranks examples/lammps/gas.in "gas_${style%/*}_${dt}_$ranks" -var style $style -var dt $dt -var time 4
        done
    done
    coarse=$(difference "$work/gas_quatint_0.002_$ranks.states" "$work/gas_nve_0.002_$ranks.states")
    fine=$(difference "$work/gas_quatint_0.001_$ranks.states" "$work/gas_nve_0.001_$ranks.states")
    echo "  $ranks rank(s): $coarse and $fine"
    # both methods are of order 2, so the ratio is 4; measured 4.1
    awk -v a="$coarse" -v b="$fine" 'BEGIN {exit !(a < 0.02 && a/b > 3.7 && a/b < 4.5)}' || failed "the two methods do not converge"
done
ranks_apart=$(difference "$work/gas_quatint_0.001_1.states" "$work/gas_quatint_0.001_2.states")
echo "  1 rank beside 2: $ranks_apart"
below "$ranks_apart" 1e-9 || failed "2 ranks give another motion than 1" # measured 3e-12; rounding grows

echo "the same gas: greatest change of the total energy until t = 20, dt = 0.004"
for style in nve/asphere quatint; do
    run 2 examples/lammps/gas.in "energy_${style%/*}" -var style $style -var dt 0.004 -var time 20
    awk 'NF == 4 && $1 + 0 == $1 {$2 = $2 + $3 + $4} {print}' OFMT=%.15g CONVFMT=%.15g "$work/energy_${style%/*}.out" >"$work/energy"
    greatest=$(change "$work/energy")
    echo "  fix $style: $greatest"
done
below "$greatest" 2e-3 || failed "the energy is not conserved"

echo "fix quatint/langevin: ellipsoids in a fluid"
langevin() { run "$1" tests/lammps/langevin.in "langevin_$2" -var part "$3" -var file "$work/langevin.restart"; }
langevin 1 whole_1 whole
langevin 2 whole_2 whole
cmp "$work/langevin_whole_1.states" "$work/langevin_whole_2.states" || failed "random motion depends on the number of ranks"
langevin 2 half half
langevin 1 rest rest
awk '/TIMESTEP/ {snapshots++} snapshots > 2' "$work/langevin_whole_1.states" >"$work/second_half"
[ "$(wc -l <"$work/second_half")" -gt 1000 ] || failed "there are no states"
cmp "$work/second_half" "$work/langevin_rest.states" || failed "random motion is another one after a restart"
echo "  all columns have the same bits on 1 and on 2 ranks, and after a restart of 2 ranks on 1"
run 2 tests/lammps/langevin.in langevin_cold -var part whole -var temperature "0 0"
awk '$1 == "ITEM:" {if ($2 == "TIMESTEP") snapshots++} NF == 15 && snapshots == 1 {v[$1] = $6; l[$1] = $13^2 + $14^2 + $15^2}
    NF == 15 && snapshots == 5 {n++; d = log(v[$1]/$6)/16 - 1; e = log(l[$1]/($13^2 + $14^2 + $15^2))/64 - 1
        d = d < 0 ? -d : d; e = e < 0 ? -e : e; if (d > worst) worst = d; if (e > worst) worst = e}
    END {printf "%.1e\n", n == 343 ? worst : 1/0}' "$work/langevin_cold.states" >"$work/apart"
echo "  at the temperature 0 velocities relax as exp(-t/damp), angular momenta as exp(-factor t/damp), to $(cat "$work/apart")"
below "$(cat "$work/apart")" 1e-13 || failed "wrong relaxation" # measured 2e-16
run 2 tests/lammps/langevin.in langevin_long -var part long
# 9 means over 20 time units of 1029 components each, which relax in 0.5 and 0.25: standard errors of 0.2 % and 0.1 %; the step's bias
# of the angular velocities is -0.01 %
awk 'NF == 5 && $1 ~ /^[0-9]+$/ && $1 > 1000 {n++; a += $2; b += $3} END {printf "%.4f %.4f %d\n", a/n/0.7, b/n/0.7, n}' "$work/langevin_long.out" >"$work/hot"
read -r moving turning means <"$work/hot"
echo "  temperature of the centres $moving, of the rotations $turning of that asked for"
[ "$means" = 9 ] && below 0.99 "$moving" && below "$moving" 1.01 && below 0.995 "$turning" && below "$turning" 1.005 ||
    failed "the temperature is wrong"
sed 's/^fix move.*/fix move all quatint\/langevin 1 1 0 4711/' tests/lammps/langevin.in >"$work/refused.in"
if "$lmp" -log none -in "$work/refused.in" >"$work/refused.out" 2>&1 || ! grep -q "out of range" "$work/refused.out"; then
    failed "not refused: a damp of 0"
fi

refuses "an atom of the group is not an ellipsoid" 's/^fix turn ellipsoids/fix turn all/'
refuses "needs atom_style ellipsoid and run_style verlet" 's/^fix move/run_style respa 2 2\nfix move/'
echo "LAMMPS: all checks passed"
