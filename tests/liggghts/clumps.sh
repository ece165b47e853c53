# Clumps of spheres, in Debian's LIGGGHTS. Part of tests/liggghts.sh, which has the functions.
# shellcheck shell=sh disable=SC2154

# shellcheck disable=SC2086
mpicxx -std=c++11 -O2 -Wall -Wextra -isystem /usr/include/liggghts -Iinclude examples/liggghts/lmp_quatint.cpp \
    -o "$work/lmp_quatint" -lliggghts -Ltarget/release -lquatint "-Wl,-rpath,$PWD/target/release"

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
comes_to_rest clumps_bed 0.0005

echo "what is refused"
refuses "unknown keyword or wrong keyword order: integration_scheme" lmp_quatint examples/liggghts/clumps.in \
    -var folder examples/liggghts -var style "multisphere/quatint integration_scheme 1"
