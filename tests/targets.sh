#!/usr/bin/env bash
# The library on other processors and systems: builds it for each target of tests/targets/table.txt, runs the tests that hold the
# bits and the C tests where there is something to run them with, and prints a table. `fast` does the part that .ci/run has; any
# other arguments are names of targets. Called by `make test-targets`.
set -uo pipefail
cd "$(dirname "$0")/.."
out=$PWD/target/targets
tools=$PWD/target/tools/bin
mkdir -p "$out"

if [ "${1:-}" = fast ]; then tests/setup_targets.sh fast; else tests/setup_targets.sh; fi || exit 1
export CARGO_TARGET_DIR=$out PATH=$tools:$PATH
# The release library, as it is shipped. Of the tests in Rust, those that compare bits, alone and with threads.
tests="--test portable"
trim() { sed 's/^ *//; s/ *$//' <<<"$1"; }
# the folder where cargo has put the library and its archive
built() { echo "$out/$target/release"; }

# runs the tests of Rust; sets `passed` and `bits`
run_rust() {
    local name=${target//-/_}
    name=CARGO_TARGET_${name^^}
    [ -z "$runner" ] || export "${name}_RUNNER=${runner/tests\//$PWD/tests/}"
    # shellcheck disable=SC2086
    cargo test --locked --release --no-fail-fast --target "$target" $tests >"$log.rust" 2>>"$log" || failed="Rust tests"
    passed=$(awk '/^test result:/ { ok += $4; all += $4 + $6 } END { print ok + 0 "/" all + 0 }' "$log.rust")
    [ "${passed#0/}" = "$passed" ] || failed="Rust tests"
    # the record in tests/data/bits.txt, and that of solutions
    local records='ensemble::the_bits_of_every_torque_and_every_bound_velocity_are_those_on_record|solve::the_bits_are_those_on_record'
    bits=$(grep -cE "^test ($records) \.\.\. ok$" "$log.rust")
    if [ "$bits" = 2 ]; then bits=same; else bits=DIFFER failed=bits; fi
}

# compiles each C test, links it with $1 and runs it where `runner` is given as $2; sets `c`
run_c() {
    local good=0 all=0 source program
    for source in tests/c/test_*.c; do
        all=$((all + 1))
        program=$out/$target/$(basename "$source" .c).exe # as Windows wants it
        # shellcheck disable=SC2086
        $cc -std=c99 -O2 -ffp-contract=off -Wall -Wextra -pedantic-errors -Werror -Wno-unknown-pragmas -Iinclude "$source" $1 $with -o "$program" \
            >>"$log" 2>&1 || { echo "$source does not link" >>"$log" && continue; }
        if [ -n "${2:-}" ]; then
            # shellcheck disable=SC2086
            $runner "$program" >"$log.c" 2>>"$log" || { echo "$source fails" >>"$log" && continue; }
            grep -q '^ok ' "$log.c" || { echo "$source tests nothing" >>"$log" && continue; }
        fi
        good=$((good + 1))
    done
    c=$good/$all
    [ "$good" = "$all" ] || failed="C tests"
}

do_run() {
    local name=${target//-/_}
    [ -z "$linker" ] || export "CARGO_TARGET_${name^^}_LINKER=$linker"
    cargo build --locked --release --lib --target "$target" >>"$log" 2>&1 || { failed=build && return; }
    run_rust
    run_c "$(built)/libquatint.a" run
}

do_link() {
    local name=${target//-/_} shared
    if [ "$linker" = zig ]; then
        cargo-zigbuild zigbuild --locked --release --lib --target "$target" >>"$log" 2>&1 || { failed=build && return; }
    else
        export "CARGO_TARGET_${name^^}_LINKER=$PWD/$linker"
        python tests/targets/macos/stubs.py "$out/macos" || { failed=stubs && return; }
        cargo build --locked --release --lib --target "$target" >>"$log" 2>&1 || { failed=build && return; }
    fi
    shared=$(ls "$(built)"/libquatint.so "$(built)"/libquatint.dylib 2>/dev/null)
    python tests/targets/exports.py "$shared" >>"$log" 2>&1 || failed=exports
    run_c "$shared"
    run_c "$(built)/libquatint.a"
}

do_lib() {
    if [ "$target" = wasm32-unknown-unknown ]; then
        cargo build --locked --release --lib --target "$target" >>"$log" 2>&1 || { failed=build && return; }
        python tests/targets/exports.py "$(built)/quatint.wasm" >>"$log" 2>&1 || failed=exports
    else
        cargo rustc --locked --release --lib --crate-type staticlib --target "$target" >>"$log" 2>&1 || failed=build
    fi
}

# the fast part: what cannot be run is checked only
do_check() { cargo check --locked --lib --target "$target" >>"$log" 2>&1 || failed=check; }

# sets `cpu`: seconds of processor time that the commands so far have taken
read_cpu() {
    times >"$out/times" # not in a pipe, where it would be another shell's
    cpu=$(awk 'END { gsub(/[ms]/, " "); print int($1 * 60 + $2 + $3 * 60 + $4) }' "$out/times")
}

row() { printf '%-16s %-8s %-11s %-9s %-7s %5s %7s\n' "$@"; }
table=$out/table.txt
row target built "Rust tests" "C tests" bits s "CPU s" >"$table"
verdict=0
begin=$SECONDS
if [ "${1:-}" = fast ]; then
    # what is only checked below: together, as one after the other would leave a processor idle
    checked=$(awk -F'|' '/^!/ && $3 !~ /run/ { print "--target", $2 }' tests/targets/table.txt)
    # shellcheck disable=SC2086
    cargo check --locked --lib $checked >"$out/checks.log" 2>&1 || true # reported below
fi
while IFS="|" read -r name target does linker cc with runner <&3; do
    case $name in '#'*) continue ;; esac
    is_fast=
    [ "${name#!}" = "$name" ] || is_fast=yes
    name=$(trim "${name#!}")
    if [ "${1:-}" = fast ]; then [ -n "$is_fast" ] || continue
    elif [ $# -gt 0 ]; then case " $* " in *" $name "*) ;; *) continue ;; esac fi
    target=$(trim "$target") does=$(trim "$does") linker=$(trim "$linker") cc=$(trim "$cc") with=$(trim "$with") runner=$(trim "$runner")
    with=${with//RUST/$(rustc --print sysroot)/lib/rustlib/$target/lib}
    log=$out/$name.log
    : >"$log"
    failed='' passed=- c=- bits=-
    start=$SECONDS
    read_cpu
    before=$cpu
    [ "${1:-}" = fast ] && [ "$does" != run ] && does=check
    "do_$does"
    case $failed in '') state=$does ;; *) state="FAILED" verdict=1 && { echo "$name: $failed" && tail -n 40 "$log" "$log.rust" 2>/dev/null; } >&2 ;; esac
    read_cpu
    row "$name" "$state" "$passed" "$c" "$bits" $((SECONDS - start)) $((cpu - before)) | tee -a "$table"
done 3<tests/targets/table.txt
echo
cat "$table"
echo "in $((SECONDS - begin)) s, of which the processors worked $cpu s"
exit $verdict
